//! The guide `docs/guide/adding-a-kernel.md`, carried out in a copy of the repository, and faulty kernels there.
//!
//! The copy and its build are kept for the next run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use outflank_codegen::mutants::copy::copy;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const GUIDE: &str = include_str!("../../../docs/guide/adding-a-kernel.md");

/// Command that the test replaces by the generator that is built already.
const GENERATOR: &str = "cargo run -p outflank-codegen";

/// Start of the commands that run a fuzz target. They take minutes more, so only the ignored test runs them.
const FUZZ: &str = "scripts/fuzz.sh ";

/// Start of the commands that the other test runs instead. The compiler needs no libFuzzer.
const CHECK_FUZZ: &str = "CUSTOM_LIBFUZZER_PATH=./libfuzzer.a cargo check --quiet --manifest-path fuzz/Cargo.toml --bin ";

/// Start of the commands that need a solver.
const PROVE: &str = "cargo run --profile test -p outflank-prover ";

/// Start of the commands of the checker's program.
const CHECKER: &str = "cargo run --profile test -p outflank-checker -- ";

/// Files of this test: kernels with faulty algorithms, and a geometry of two classes of features.
const TRIALS: [(&str, &str); 3] = [
    (
        "codegen/templates/trial.rs.j2",
        include_str!("../trials/trial.rs.j2"),
    ),
    (
        "codegen/templates/trial_fill.rs.j2",
        include_str!("../trials/trial_fill.rs.j2"),
    ),
    (
        "kernels/geometries/trial.txt",
        include_str!("../trials/trial.txt"),
    ),
];

/// Faulty algorithms with their levels and words of the report.
const FAULTS: [(&str, &str, &[&str]); 5] = [
    (
        "trial.wrong",
        "portable",
        &[
            "differs from the reference",
            "  expected   0x",
            "  got        0x",
        ],
    ),
    (
        "trial_fill.outside",
        "portable",
        &["differs from the reference", "a write outside its buffer"],
    ),
    (
        "trial_fill.panics",
        "portable",
        &["panicked", "  it said    "],
    ),
    (
        "trial.endless",
        "portable",
        &["did not come back within 5s"],
    ),
    ("trial.illegal", "v2", &["died of SIGILL"]),
];

/// Kernels that a new geometry adds.
const GEOMETRY_KERNELS: [&str; 3] = [
    "feature_pass_trial",
    "feature_set_trial",
    "feature_update_trial",
];

/// Text blocks of the guide as (language, contents), each with the line of text before it.
fn blocks() -> Vec<(&'static str, &'static str, &'static str)> {
    let mut parts = GUIDE.split("\n```");
    let mut before = parts.next().unwrap_or_default();
    let mut blocks = Vec::new();
    while let (Some(block), after) = (parts.next(), parts.next().unwrap_or_default()) {
        let (language, contents) = block.split_once('\n').expect("a block has lines");
        let intro = before.trim_end().lines().last().unwrap_or_default();
        blocks.push((language, contents, intro));
        before = after;
    }
    blocks
}

/// Path of the new file whose contents the line before a block announces: "`NAME` in `FOLDER/`:".
fn new_file(intro: &str) -> Option<String> {
    let codes: Vec<&str> = intro.split('`').skip(1).step_by(2).collect();
    match codes[..] {
        [name, folder] if intro.ends_with("/`:") => Some(format!("{folder}{name}")),
        _ => None,
    }
}

/// Replaces the lines of each hunk. A hunk's old lines must occur once in the file.
fn apply(root: &Path, diff: &str) {
    let files = diff.split("+++ ").filter(|part| !part.is_empty());
    for (name, hunks) in files.map(|part| part.split_once("\n@@\n").expect("a file has hunks")) {
        let path = root.join(name);
        let mut text = read(&path);
        for hunk in format!("{}\n", hunks.trim_end()).split("@@\n") {
            let side = |other: char| -> String {
                let lines = hunk.lines().filter(|line| !line.starts_with(other));
                lines
                    .map(|line| format!("\n{}", line.get(1..).unwrap_or_default()))
                    .collect()
            };
            let (old, new) = (side('+') + "\n", side('-') + "\n");
            assert_eq!(text.matches(&old).count(), 1, "{name} has once:{old}");
            text = text.replace(&old, &new);
        }
        write(&path, &text);
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Commands of the guide, each once.
fn commands() -> Vec<&'static str> {
    let mut commands = Vec::new();
    for (_, contents, _) in blocks().iter().filter(|block| block.0 == "console") {
        for command in contents.lines().filter_map(|line| line.strip_prefix("$ ")) {
            if !commands.contains(&command) {
                commands.push(command);
            }
        }
    }
    commands
}

/// A copy of the repository with the kernels of the guide and of this test.
struct RepositoryCopy {
    root: PathBuf,
    target: PathBuf,
    /// Folder of the intermediate files of builds: that of these tests.
    build: PathBuf,
}

impl RepositoryCopy {
    /// Makes the copy. Files that are unchanged since the last time keep their times, so cargo rebuilds little.
    fn new() -> RepositoryCopy {
        let staging = tempfile::tempdir().expect("a folder can be made");
        let staged = staging.path();
        copy(Path::new(ROOT), staged).expect("the repository can be copied");
        for (language, contents, intro) in blocks() {
            match (language, new_file(intro)) {
                ("rust", Some(path)) => write(&staged.join(path), contents),
                ("diff", _) => apply(staged, contents),
                _ => {}
            }
        }
        for (path, text) in TRIALS {
            write(&staged.join(path), text);
        }
        generate(staged);
        let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let work = tmp.join("guide");
        let made = RepositoryCopy {
            root: work.join("copy"),
            target: work.join("target"),
            build: tmp.parent().expect("it is in the build folder").to_owned(),
        };
        copy(staged, &made.root).expect("the copy can be copied");
        made
    }

    /// Runs a command line in the copy.
    fn run(&self, line: &str) -> Output {
        let mut command = Command::new("bash");
        command.args(["-c", line]).current_dir(&self.root);
        command.env("CARGO_TARGET_DIR", &self.target);
        // The dependencies that the tests have in common with the copy are built already.
        command.env("CARGO_BUILD_BUILD_DIR", &self.build);
        command.env("CARGO_INCREMENTAL", "0");
        command.env("CARGO_PROFILE_TEST_DEBUG", "0");
        // The kernels have an optimisation level of their own. The rest is compiled sooner than it is slower.
        command.env("CARGO_PROFILE_TEST_OPT_LEVEL", "1");
        command.env_remove("OUTFLANK_ISA");
        // The prover's cache.
        command.env("XDG_CACHE_HOME", &self.target);
        command.output().expect("there is bash")
    }

    /// Runs a command line that must end with this status and print these words.
    fn expect(&self, line: &str, status: i32, words: &[&str]) {
        let output = self.run(line);
        let (stdout, all) = texts(line, &output);
        assert_eq!(output.status.code(), Some(status), "{all}");
        for word in words {
            assert!(stdout.contains(word), "no '{word}': {all}");
        }
    }

    /// Runs a proof, which must succeed if there is a solver.
    fn prove(&self, line: &str) {
        let output = self.run(line);
        let (_, all) = texts(line, &output);
        match all.contains("no solver is installed") {
            true => println!("SKIPPED: {all}"),
            false => assert!(output.status.success(), "{all}"),
        }
    }
}

/// Standard output, and all output below the command line.
fn texts(line: &str, output: &Output) -> (String, String) {
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let all = format!(
        "{line}\n{stdout}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    (stdout, all)
}

/// Runs the generator in a copy of the repository. Only generated files and the list of fuzz targets may change.
fn generate(root: &Path) {
    let mut generator = Command::new(env!("CARGO_BIN_EXE_outflank-codegen"));
    for (option, folder) in [
        ("--templates", "codegen/templates"),
        ("--kernels", "kernels/src"),
        ("--checker", "crates/checker-core/src"),
        ("--fuzz", "fuzz"),
    ] {
        generator.arg(option).arg(root.join(folder));
    }
    let output = generator.output().expect("the generator starts");
    assert!(output.status.success(), "{output:?}");
    let written = String::from_utf8_lossy(&output.stdout).replace('\\', "/");
    for line in written.lines() {
        let is_generated = line.contains("/src/generated/") || line.ends_with("/fuzz/Cargo.toml");
        assert!(line.starts_with("wrote ") && is_generated, "{line}");
    }
}

/// Carries out the guide's commands, then checks the kernels of this test.
fn carry_out(with_fuzzing: bool) {
    let copy = RepositoryCopy::new();
    for command in commands() {
        match command.strip_prefix(FUZZ) {
            Some(target) if !with_fuzzing => copy.expect(&format!("{CHECK_FUZZ}{target}"), 0, &[]),
            _ if command == GENERATOR => {}
            _ if command.starts_with(PROVE) => copy.prove(command),
            _ => copy.expect(command, 0, &[]),
        }
    }
    let checker = |line: String, status, words: &[&str]| {
        copy.expect(&format!("{CHECKER}{line}"), status, words);
    };
    for kernel in GEOMETRY_KERNELS {
        checker(format!("list {kernel}"), 0, &["Geometry: trial."]);
    }
    let bench = "bench --kernel '*_trial' --repeats 1";
    checker(bench.into(), 0, &GEOMETRY_KERNELS);
    checker("check --seconds 0 --kernel '*_trial'".into(), 0, &[]);
    checker("check --seconds 0 --kernel trial.right".into(), 0, &[]);
    let is_x86 = cfg!(target_arch = "x86_64");
    for (algorithm, isa, words) in FAULTS {
        if isa == "portable" || is_x86 {
            let line =
                format!("check --seconds 0 --seed 5 --patience 5 --kernel {algorithm} --isa {isa}");
            let title = format!("{algorithm} at {isa} ");
            let summary = format!("failed: {algorithm}@{isa}");
            let report = [&title, &summary, "  board      ", " X;", "  seed       5 ("];
            checker(line, 1, &[&report, words].concat());
        }
    }
}

#[test]
#[ignore = "builds the checker several times: three minutes"]
fn guide_is_carried_out_and_the_check_finds_faulty_kernels() {
    carry_out(false);
}

/// Also runs the fuzz targets of the guide, with a nightly compiler and cargo-fuzz.
#[test]
#[ignore = "builds fuzz targets: some minutes"]
fn guide_is_carried_out_with_fuzzing() {
    carry_out(true);
}
