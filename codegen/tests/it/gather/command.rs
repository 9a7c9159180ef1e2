//! `outflank-codegen gather`: bad requests, and the examples of its page in the guide.

use std::process::{Command, Output};

fn gather(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank-codegen"));
    command.arg("gather").args(arguments).output().unwrap()
}

#[test]
fn bad_requests_get_one_line_of_error() {
    let bad = [
        ("A9", "`A9` in `A9` is no square: squares are A1 to H8"),
        ("a1b", "`b` in `a1b`"),
        ("é1", "`é1` in `é1`"),
        ("", "no squares to gather"),
        ("A1,B1,A1", "A1 comes twice"),
        ("0x", "`0x` is no bitboard"),
        ("0x+1", "`0x+1` is no bitboard"),
        ("0x11111111111111111", "1 to 16 hexadecimal digits"),
        ("0x0", "no squares to gather"),
        ("0xffffffffffffffff", "64 squares are too many: at most 40"),
        ("A1B1 --base 4", "--base 4: there is base 2 and base 3"),
        (
            "A1B1 --order sideways",
            "give in-order, reversed, any, given",
        ),
        ("A1B1 --order A1C1", "not the squares of A1B1"),
        ("A1B1 --variable 1", "--variable 1: not a name"),
    ];
    let impossible = [
        (
            "A1B1C1 --order reversed",
            "--order any finds one, --parts takes 2",
        ),
        ("A1B1C1 --base 3 --order any", "all orders"),
    ];
    let bad = bad.map(|case| (case, 2)).into_iter();
    for ((arguments, line), status) in bad.chain(impossible.map(|case| (case, 1))) {
        let output = gather(&arguments.split(' ').collect::<Vec<_>>());
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments}: {error}");
        assert!(error.contains(line), "{arguments}: {error}");
        assert_eq!(error.lines().count(), 1, "{arguments}: {error}");
        assert!(output.stdout.is_empty());
    }
}

/// Covers every console example of the page and every row of its table.
#[test]
fn guide_shows_real_output() {
    let page = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../docs/guide/bit-gathering.md"
    );
    let page = std::fs::read_to_string(page).unwrap();
    let mut examples = 0;
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let prompt = "$ cargo run -q -p outflank-codegen -- gather ";
        for example in block.split(prompt).skip(1) {
            let (arguments, shown) = example.split_once('\n').unwrap();
            let output = gather(&arguments.split(' ').collect::<Vec<_>>());
            let printed = [output.stdout, output.stderr].concat();
            assert_eq!(String::from_utf8(printed).unwrap(), shown, "{arguments}");
            examples += 1;
        }
    }
    let mut rows = 0;
    for line in page
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains("`0x"))
    {
        let line = line.replace("\\|", "\\");
        let cells: Vec<&str> = line
            .split('|')
            .map(|cell| cell.trim().trim_matches('`'))
            .collect();
        if let ["", _, arguments, code, ""] = cells[..] {
            let mut arguments: Vec<&str> = arguments.split(' ').collect();
            arguments.extend(["--variable", "x"]);
            let printed = String::from_utf8(gather(&arguments).stdout).unwrap();
            assert_eq!(
                printed.lines().next(),
                Some(code.replace('\\', "|").as_str())
            );
            rows += 1;
        }
    }
    assert_eq!((examples, rows), (6, 11));
}
