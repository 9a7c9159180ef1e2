//! Output of the generator for new and for bad geometry files.

use std::fs;
use std::path::Path;

use outflank_codegen::{Error, Folders, Output, generate};

/// Generates from the committed templates and these geometry files, plus `corner`, which some templates need.
fn outputs(geometries: &[(&str, &str)]) -> Result<[Output; 3], Error> {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::create_dir(folder.path().join("geometries")).unwrap();
    let corner = include_str!("../../../kernels/geometries/corner.txt");
    for (name, text) in [("corner.txt", corner)].iter().chain(geometries) {
        fs::write(folder.path().join("geometries").join(name), text).unwrap();
    }
    generate(&Folders {
        templates: committed.join("templates"),
        kernels: folder.path().join("src"),
        checker: committed.join("../crates/checker-core/src"),
        fuzz: folder.path().join("fuzz"),
    })
}

/// Each template for all geometries becomes one more kernel.
#[test]
fn new_geometry_file_becomes_kernels() {
    let small = "# Two rows and a corner.\nC3 A1B1A2\nR8 A1B1C1D1E1F1G1H1 A8B8C8D8E8F8G8H8\n";
    let [Output { files, .. }, checker, ..] =
        outputs(&[("edax.txt", small), ("tiny.txt", "X1 A1\n")]).unwrap();
    for name in ["feature_set", "feature_update", "feature_pass"] {
        for kernel in [format!("fn {name}("), format!("fn {name}_tiny(")] {
            assert_eq!(files["kernels.rs"].matches(&kernel).count(), 1, "{kernel}");
        }
        assert!(!files["kernels.rs"].contains(&format!("fn {name}_edax")));
    }
    let registry = &files["registry.rs"];
    let rows = |name: &str, geometry: &str| {
        let rows = registry
            .lines()
            .filter(|line| line.contains(&format!("{{ {name} ")));
        let of_geometry = rows
            .clone()
            .filter(|row| row.contains(&format!("[{geometry}]")));
        (rows.count(), of_geometry.count())
    };
    for (name, geometry) in [("feature_update", "edax"), ("feature_update_tiny", "tiny")] {
        let (rows, of_geometry) = rows(name, geometry);
        assert!(
            rows > 0 && rows == of_geometry,
            "{name}: {rows}, {of_geometry}"
        );
    }
    // The checker knows the kernels of each geometry.
    let checker = checker.files["mod.rs"].replace(char::is_whitespace, "");
    assert!(checker.contains("&feature_update_tiny::KERNEL,"));
    assert!(checker.contains("Returns[reference],input,[tiny],"));
    assert!(checker.contains("&geometry::tiny::GEOMETRY"));
    let constants = files["geometry.rs"].replace(char::is_whitespace, "");
    for expected in [
        "///Tworowsandacorner.pubmodedax",
        "COUNT:usize=3;",
        "&[0,1,8]",
        "&[56,57,58,59,60,61,62,63]",
        "HIGHEST:Features=Features([26,6560,6560,0,",
        "ALL_EMPTY:Features=Features([13,3280,3280,0,",
        "Class{name:\"C3\",digits:3,offset:1,}",
        "OFFSETS:[u32;FEATURES]=[1,28,28,0,",
        "LENGTH:usize=65564;",
        "GEOMETRIES:usize=3;",
        "&edax::GEOMETRY,&corner::GEOMETRY,&tiny::GEOMETRY",
        "pubmodtiny{",
        "INDEX:usize=2;",
    ] {
        assert!(constants.contains(expected), "{expected} in {constants}");
    }
}

/// Each error is one line that names the file and the line, and says what is possible.
#[test]
fn bad_geometries_are_refused() {
    let many = "S4 A1B1C1D1 ".to_owned() + &"A2B2C2D2 ".repeat(48);
    let cases = [
        ("", 1, "no class; a line is a name, then features"),
        ("# Nothing.\n", 1, "no class"),
        ("C3 A1B1C1\n\nC4 A1B1C1D1", 2, "an empty line"),
        ("C3", 1, "class 'C3' has no features"),
        ("# Two.\nC3 A1B1C1\nC3 A1B1C1", 3, "a second class 'C3'"),
        ("C3 A1B1C1 A1B1C1D1", 1, "features of 3 and of 4 squares"),
        (
            "C3 A1B1C9",
            1,
            "'C9' in A1B1C9 is no square; possible: A1 to H8",
        ),
        ("C3 A1B1c1", 1, "'c1' in A1B1c1 is no square"),
        ("C3 A1B1C", 1, "'C' in A1B1C is no square"),
        ("C3 A1B1A1", 1, "A1 comes twice in A1B1A1"),
        (
            "C11 A1B1C1D1E1F1G1H1A2B2C2",
            1,
            "has 11 squares; possible: up to 10",
        ),
        (&many, 1, "feature 49; possible: up to 48"),
    ];
    for (text, line, message) in cases {
        let error = outputs(&[("edax.txt", text)]);
        let error = error.unwrap_err().to_string();
        assert!(error.contains(&format!("edax.txt:{line}: ")), "{error}");
        assert!(error.contains(message), "{text:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    for (name, message) in [
        ("other.txt", "edax.txt: "),
        ("a-b.txt", "'a-b' cannot be part of a function's name"),
    ] {
        let error = outputs(&[(name, "C3 A1B1C1")]);
        let error = error.unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}
