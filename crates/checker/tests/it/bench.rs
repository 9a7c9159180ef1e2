//! `outflank-checker bench` and `records` from outside: tables, records and comparisons with them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use outflank_checker::registry::{CheckerEntry, runnable};
use serde_json::Value;
use tempfile::TempDir;

/// Runs the program in a folder.
pub(super) fn run(folder: &Path, line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank-checker"));
    let output = command
        .args(line.split_whitespace())
        .current_dir(folder)
        .output();
    output.expect("the program starts")
}

pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs the program, which must succeed, and returns its output.
pub(super) fn success(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    assert!(output.status.success(), "{line}: {output:?}");
    text(&output.stdout)
}

/// A folder with a record of the flips at the portable level, and the lines of the record.
fn folder_with_record() -> (TempDir, Vec<Value>) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let line = "bench --kernel flip --isa portable --repeats 15 --processes 2 --json";
    let record = success(folder.path(), line);
    fs::write(folder.path().join("record"), &record).expect("it can be written");
    let lines = record.lines().map(serde_json::from_str);
    let lines = lines.collect::<Result<Vec<Value>, _>>();
    (folder, lines.expect("lines of JSON"))
}

fn write_record(folder: &Path, lines: &[Value]) {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    fs::write(folder.join("record"), lines.join("\n")).expect("it can be written");
}

/// Calls `change` for each cost of each row.
fn change_costs(lines: &mut [Value], change: impl Fn(&mut Value)) {
    for row in &mut lines[1..] {
        for measure in ["throughput", "latency"] {
            if row[measure].is_object() {
                change(&mut row[measure]);
            }
        }
    }
}

/// Multiplies the quantiles of a cost.
fn scale(cost: &mut Value, factor: f64) {
    for quantile in cost["quantiles"].as_array_mut().expect("quantiles") {
        *quantile = (quantile.as_f64().unwrap_or_default() * factor).into();
    }
}

/// `true` where the program can read its own machine code.
const KNOWS_CODE: bool = cfg!(all(target_arch = "x86_64", target_os = "linux"));

const COMPARE: &str = "bench --kernel flip --isa portable --repeats 15 --baseline record";

#[test]
fn slower_kernels_with_other_code_end_a_comparison_with_1() {
    let (folder, lines) = folder_with_record();
    let flips = runnable().filter(|entry| entry.kernel == "flip");
    let count = flips.filter(|entry| entry.isa.name() == "portable").count();
    let costs = 2 * count;
    let none = "; the code of none is known";
    let same = format!("; {costs} have the recorded code, of which {costs} drifted");
    // Today's costs are 10 times or a tenth of the recorded ones. The last numbers count SLOWER, faster and drifted.
    for (factor, code, status, said, expected) in [
        (0.1, "other", 1, "; 0 have the recorded code", [costs, 0, 0]),
        (0.1, "null", 1, none, [costs, 0, 0]),
        (0.1, "absent", 1, none, [costs, 0, 0]),
        (10.0, "absent", 0, none, [0, costs, 0]),
        (0.1, "recorded", 0, &same, [0, 0, costs]),
        (10.0, "recorded", 0, &same, [0, 0, costs]),
    ] {
        if code == "recorded" && !KNOWS_CODE {
            continue;
        }
        let mut lines = lines.clone();
        change_costs(&mut lines, |cost| {
            scale(cost, factor);
            match code {
                "other" => cost["code"] = "0123456789abcdef".into(),
                "null" => cost["code"] = Value::Null,
                "absent" => drop(cost.as_object_mut().expect("a cost").remove("code")),
                _ => {}
            }
        });
        write_record(folder.path(), &lines);
        let output = run(folder.path(), COMPARE);
        let result = text(&output.stdout);
        let count = |word: &str| result.lines().filter(|line| line.starts_with(word)).count();
        let counts = ["SLOWER", "faster", "drifted"].map(count);
        assert_eq!(
            (output.status.code(), counts),
            (Some(status), expected),
            "{output:?}"
        );
        if KNOWS_CODE {
            assert!(result.contains(said), "{result} lacks {said}");
        }
        let json = run(folder.path(), &format!("{COMPARE} --json"));
        assert_eq!(json.status.code(), Some(status), "{json:?}");
        let json = text(&json.stdout);
        let count = |verdict: &str| json.matches(&format!("\"verdict\":\"{verdict}\"")).count();
        assert_eq!(
            ["slower", "faster", "drifted"].map(count),
            expected,
            "{json}"
        );
        // Lines of a comparison do not spoil a record.
        fs::write(folder.path().join("record"), &json).expect("it can be written");
        let again = run(folder.path(), &format!("{COMPARE} --fail-over 900%"));
        assert_eq!(again.status.code(), Some(0), "{again:?}");
    }
}

#[test]
fn another_selection_is_measured_in_turn() {
    let (folder, mut lines) = folder_with_record();
    let mut before = String::new();
    for row in &mut lines[1..] {
        let selected = row["selected"] == true;
        if !selected && before.is_empty() && !row["isa"].is_null() {
            before = row["algorithm"].as_str().unwrap_or_default().to_owned();
            row["selected"] = true.into();
        } else {
            row["selected"] = false.into();
        }
    }
    write_record(folder.path(), &lines);
    let output = run(folder.path(), &format!("{COMPARE} --fail-over 1000%"));
    let expected = format!("in turn with {before}, selected in the record");
    let result = text(&output.stdout);
    assert_eq!(result.matches(&expected).count(), 2, "{result}");
}

/// Changes one value of a record.
type Spoil = fn(&mut Vec<Value>);

#[test]
fn records_that_cannot_be_compared_are_refused_in_one_line() {
    let (folder, lines) = folder_with_record();
    let spoilt: [(Spoil, &str); 10] = [
        (
            |lines| lines[0]["bench"]["cpu"] = "Z80".into(),
            "record: recorded with the CPU Z80, ",
        ),
        (
            |lines| lines[0]["bench"]["core"] = "Zen 0".into(),
            ", Zen 0; here it is ",
        ),
        (
            |lines| lines[0]["bench"]["version"] = "0.0.1".into(),
            "version 0.0.1; here it is ",
        ),
        (
            |lines| lines[0]["bench"]["format"] = 1.into(),
            "a record of format 1; this program reads ",
        ),
        (
            |lines| lines[0]["bench"]["calls"] = 9.into(),
            "calls per pass 9; here it is 2048",
        ),
        (
            |lines| lines.truncate(1),
            "no row of the record is measured here",
        ),
        (
            |lines| lines[3]["throughput"]["samples"] = 7.into(),
            "the record has 7 samples of flip.",
        ),
        (
            |lines| lines[2]["throughput"] = Value::Null,
            "record, line 3: not a record that ",
        ),
        (
            |lines| lines[2]["latency"]["code"] = "0xCODE".into(),
            "line 3: not a record that `bench --json` wrote: the digest of the code has not 16 ",
        ),
        (
            |lines| lines[3]["throughput"]["code"] = 7.into(),
            "line 4: not a record that `bench --json` wrote: invalid type: integer `7`, expected a string",
        ),
    ];
    let refuse = |line: &str, message: &str| {
        let output = run(folder.path(), line);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(message), "{error} lacks {message}");
        assert_eq!(error.lines().count(), 1, "{error}");
    };
    for (spoil, message) in spoilt {
        let mut lines = lines.clone();
        spoil(&mut lines);
        write_record(folder.path(), &lines);
        refuse(COMPARE, message);
    }
    for (contents, message) in [
        (
            "",
            "record, line 1: not a record that `bench --json` wrote: the file is empty",
        ),
        ("{\"bench\"", "record, line 1: not a record that "),
        ("PNG", "record, line 1: not a record that "),
    ] {
        fs::write(folder.path().join("record"), contents).expect("it can be written");
        refuse(COMPARE, message);
    }
    refuse("bench --baseline absent", "absent: ");
    refuse(
        "bench --baseline record --repeats 5",
        "--repeats 5 is too few for a comparison",
    );
    refuse(
        "bench --in-search --isa portable --kernel flip",
        "needs a checkout of Outflank",
    );
    refuse("records .", ".: the folder has no record NAME.jsonl");
    refuse("records absent", "absent: ");
}

#[test]
fn tables_pictures_and_values_have_every_algorithm() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let flips: Vec<_> = runnable().filter(|entry| entry.kernel == "flip").collect();
    let line = "bench --kernel flip --repeats 1";
    let pivot = success(
        folder.path(),
        &format!("{line} --pivot=latency --svg heat.svg"),
    );
    let heat = fs::read_to_string(folder.path().join("heat.svg")).expect("a picture was written");
    for entry in &flips {
        assert!(
            pivot.contains(&format!("\n  {} ", entry.algorithm)),
            "{pivot}"
        );
        assert!(heat.contains(&format!("\n{}\n", entry.algorithm)), "{heat}");
    }
    let selected = flips.iter().filter(|entry| entry.selected).count();
    let cells = pivot.lines().skip(2);
    assert_eq!(
        cells.map(|line| line.matches('*').count()).sum::<usize>(),
        selected,
        "{pivot}"
    );

    let csv = success(folder.path(), &format!("{line} --csv"));
    let values: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert!(
        values.iter().all(|fields| fields.len() == values[0].len()),
        "{csv}"
    );
    let of = |entry: &CheckerEntry| {
        let names = [entry.kernel, entry.algorithm, entry.isa.name()];
        values.iter().filter(|fields| fields[..3] == names).count()
    };
    assert!(flips.iter().all(|entry| of(entry) == 2), "{csv}");
    // The header and the reference are left.
    assert_eq!(values.len(), 2 * flips.len() + 2, "{csv}");
}

/// A checkout with one template. Stand-ins for git, cargo and the built programs are in its folder `bin`.
#[cfg(unix)]
fn checkout() -> TempDir {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().expect("a folder can be made");
    let git = "#!/bin/sh\nprintf 'codegen/templates/flip.rs.j2\\0Cargo.toml\\0deleted\\0'\n";
    // The program needs twice the time once a template in its own folder selects another algorithm.
    let cargo = r#"#!/bin/sh
command=$1
while [ $# -gt 0 ]; do case $1 in --target-dir) target=$2 ;; esac; shift; done
template=codegen/templates/flip.rs.j2
if [ "$command" = run ]; then
    grep select $template >>../../../selected
    ! grep -q 'portable = fill' $template || { echo 'warning' >&2; echo 'fill is refused' >&2; exit 1; }
    exit 0
fi
mkdir -p "$target/release"
cat >"$target/release/outflank" <<'END'
#!/bin/sh
case "$*" in
*--peer*) for i in 1 2 3 4 5 6 7; do echo "{\"ours_s\": 1.$i, \"peer_s\": 2.$i}"; done; echo '{}' ;;
*) echo '{"set": "endgame"}'; echo '{"signature": 7}' ;;
esac
END
chmod +x "$target/release/outflank"
"#;
    let template = "#![select(portable = carry, v3 = fill)]\n";
    let files = [
        ("bin/git", git),
        ("bin/cargo", cargo),
        ("codegen/templates/flip.rs.j2", template),
        ("Cargo.toml", ""),
    ];
    for (name, contents) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        fs::write(&path, contents).expect("it can be written");
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&path, mode).expect("it can be run");
    }
    folder
}

#[cfg(unix)]
#[test]
fn whole_solves_are_compared_in_a_checkout() {
    let folder = checkout();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new(env!("CARGO_BIN_EXE_outflank-checker"))
        .args([
            "bench",
            "--in-search",
            "--isa",
            "portable",
            "--kernel",
            "flip",
        ])
        .env("PATH", format!("{}/bin:{path}", folder.path().display()))
        // A folder of the checkout finds it, too.
        .current_dir(folder.path().join("codegen"))
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{output:?}");
    let result = text(&output.stdout);
    let flips = runnable().filter(|entry| entry.kernel == "flip" && entry.isa.name() == "portable");
    let others: Vec<_> = flips.filter(|entry| !entry.selected).collect();
    for (line, entry) in result
        .lines()
        .zip(others.iter().filter(|entry| entry.algorithm != "fill"))
    {
        let expected = format!(
            "{}: 2.400 s, with the selected algorithm 1.400 s, ratio 1.",
            entry.title()
        );
        assert!(line.starts_with(&expected), "{line}");
    }
    // The generator refuses `fill`, which is reported; the others are measured.
    assert_eq!(result.lines().count(), others.len() - 1, "{result}");
    assert!(
        text(&output.stderr).contains("fill is refused"),
        "{output:?}"
    );
    let selected = fs::read_to_string(folder.path().join("selected")).expect("it was written");
    for entry in others {
        let expected = format!("#![select(v3 = fill, portable = {})]", entry.algorithm);
        assert!(selected.contains(&expected), "{selected}");
    }
    let template = fs::read_to_string(folder.path().join("codegen/templates/flip.rs.j2"));
    assert_eq!(
        template.expect("it is there"),
        "#![select(portable = carry, v3 = fill)]\n"
    );
}

#[test]
fn the_page_of_kernels_by_cpu_is_what_the_command_writes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/kernels-by-cpu.md")).expect("the page is there");
    let expected = success(&root, "records benches/record");
    assert_eq!(
        page, expected,
        "run `outflank-checker records benches/record --write docs/kernels-by-cpu.md`"
    );
}
