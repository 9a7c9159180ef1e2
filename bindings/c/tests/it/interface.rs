//! Tests of the C header, of programs compiled against it, and of the installation. A program also runs under valgrind.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use cbindgen::{Builder, Config};
use outflank_testing::command::{Folder, run};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read_text(path: &Path) -> String {
    fs::read_to_string(path).expect("the repository has it")
}

/// Version macros of the header.
fn version_macros() -> String {
    format!(
        "
/**
 * Version of this header; outflank_version() returns that of the library.
 */
#define OUTFLANK_VERSION \"{}\"
#define OUTFLANK_VERSION_MAJOR {}
#define OUTFLANK_VERSION_MINOR {}
#define OUTFLANK_VERSION_PATCH {}

/**
 * Version as one number for comparisons: major * 1000000 + minor * 1000 + patch.
 */
#define OUTFLANK_VERSION_NUMBER \\
  (OUTFLANK_VERSION_MAJOR * 1000000 + OUTFLANK_VERSION_MINOR * 1000 + OUTFLANK_VERSION_PATCH)",
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_VERSION_MAJOR"),
        env!("CARGO_PKG_VERSION_MINOR"),
        env!("CARGO_PKG_VERSION_PATCH"),
    )
}

/// Rust's headings and type names must not reach the header.
#[test]
fn header_has_no_words_of_rust() {
    let header = read_text(&root().join("include/outflank.h"));
    let words = header.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let rust_words = [
        "Safety", "panic", "None", "Some", "Option", "Err", "unsafe", "usize", "Vec", "str",
    ];
    for word in words {
        assert!(!rust_words.contains(&word), "{word}");
    }
    assert!(!header.contains('`') && !header.contains("::"));
    assert!(header.contains(" * @pre "));
}

#[test]
fn header_matches_the_source() {
    let mut config = Config::from_file(root().join("cbindgen.toml")).expect("the file can be read");
    config.after_includes = Some(version_macros());
    let mut header = Vec::new();
    // cbindgen finds the other files as modules of this one.
    let builder = Builder::new().with_src(root().join("src/lib.rs"));
    let bindings = builder.with_config(config).generate();
    bindings.expect("cbindgen reads it").write(&mut header);
    let header = String::from_utf8(header).expect("the source is UTF-8");
    let header = header.replace(" * # Safety\n * ", " * @pre ");

    let path = root().join("include/outflank.h");
    let committed = fs::read(&path).unwrap_or_default();
    if committed != header.as_bytes() {
        fs::write(&path, header).expect("the file can be written");
        panic!(
            "bindings/c/include/outflank.h did not match bindings/c/src: it is written anew, commit it"
        );
    }
}

/// Returns `true` if the program exists. Otherwise prints that a test is skipped.
fn has_program(program: &str) -> bool {
    let exists = Command::new(program).arg("--version").output().is_ok();
    if !exists {
        println!("skipped: there is no {program}");
    }
    exists
}

/// Returns the folder of both libraries, after it has built them. The profile and the target folder are those of the
/// tests, where most dependencies are already built.
fn libraries() -> &'static Path {
    static LIBRARIES: OnceLock<PathBuf> = OnceLock::new();
    LIBRARIES.get_or_init(|| {
        let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let target = tmp.parent().expect("it is in the target folder");
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo
            .current_dir(root())
            .env("CARGO_TARGET_DIR", target)
            .env_remove("CARGO_BUILD_TARGET")
            .args(["build", "--quiet", "--profile", "test", "--lib"])
            // The tests enable the feature, so that the library is already built with it.
            .args(["-p", "outflank", "-p", "outflank-capi"])
            .args(["--features", "outflank/serde"]);
        run(&mut cargo, b"").expect(0);
        target.join("debug")
    })
}

/// Options for compilers: all warnings are errors.
const WARNINGS: [&str; 3] = ["-Wall", "-Wextra", "-Werror"];

/// Compiles the sources of a program, and links it with the library. `None` if there is no compiler.
fn compile(sources: &[&str], folder: &Folder) -> Option<PathBuf> {
    if !has_program("gcc") {
        return None;
    }
    let program = folder.path("program");
    let mut gcc = Command::new("gcc");
    gcc.current_dir(root())
        .args(WARNINGS)
        .args(["-std=c99", "-g", "-Iinclude"])
        .args(sources)
        .arg(libraries().join("liboutflank.a"))
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&program);
    run(&mut gcc, b"").expect(0);
    Some(program)
}

/// Makes a command for a program, without the environment variables that the library reads.
fn program(path: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(path);
    command.env_remove("OUTFLANK_ISA");
    command
}

#[test]
fn header_compiles_as_c_and_cpp() {
    for (compiler, language) in [("gcc", "c"), ("g++", "c++")] {
        if has_program(compiler) {
            let mut compiler = Command::new(compiler);
            compiler
                .args(WARNINGS)
                .args(["-fsyntax-only", "-x", language])
                .arg(root().join("include/outflank.h"));
            run(&mut compiler, b"").expect(0);
        }
    }
}

/// FFO #1: black wins by 18.
const BOARD: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

#[test]
fn solve_example_solves_a_board_and_refuses_bad_input() {
    let folder = Folder::new();
    let Some(solve) = compile(&["examples/solve.c"], &folder) else {
        return;
    };
    let solved = run(program(&solve).arg(BOARD), b"").expect(0);
    assert!(solved.stdout.starts_with("+18 by G8 "), "{solved:?}");
    let last = "14 plies at 100%: +18\n";
    assert!(solved.stderr.ends_with(last), "{solved:?}");
    let refused = run(program(&solve).arg("--"), b"").expect(1);
    let why = "solve: expected 64 squares (X, O or -), found 2\n";
    assert_eq!(refused.stderr, why);
    let refused = run(program(&solve).env("OUTFLANK_ISA", "v9"), b"").expect(1);
    assert!(refused.stderr.contains("level 'v9'"), "{refused:?}");
}

/// The last move of the game loses discs. The game is passed as a transcript, and as GGF.
#[test]
fn analyze_example_prints_the_loss_of_each_move() {
    let folder = Folder::new();
    let Some(analyze) = compile(&["examples/analyze.c"], &folder) else {
        return;
    };
    let analyzed = run(program(&analyze).args(["f5d6c6b6", "6"]), b"").expect(0);
    let lines: Vec<&str> = analyzed.stdout.lines().collect();
    assert_eq!(lines.len(), 6, "{analyzed:?}");
    assert!(lines[0].starts_with(" 1 black F5 "), "{analyzed:?}");
    assert!(lines[3].starts_with(" 4 white B6 ") && lines[3].ends_with('?'));
    assert!(lines[4].starts_with("black lost "));
    let guide = read_text(&outflank_testing::data::root().join("docs/guide/c.md"));
    assert!(guide.contains(lines[4]), "the guide lacks {analyzed:?}");
    assert!(lines[5].starts_with("(;GM[Othello]") && lines[5].ends_with("]W[B6];)"));
    let again = run(program(&analyze).args(["-", "1"]), lines[5].as_bytes()).expect(0);
    assert!(
        again.stdout.ends_with(&format!("{}\n", lines[5])),
        "{again:?}"
    );
    let illegal = "move 2, F5, is not legal: the square is taken";
    for (words, input, why) in [
        (&["f5f5"][..], "", illegal),
        (&["-"], "f5d6\nf5f5\n", illegal),
        (&[], "", "name a game"),
    ] {
        let refused = run(program(&analyze).args(words), input.as_bytes()).expect(1);
        assert!(refused.stderr.starts_with("analyze: "), "{refused:?}");
        assert!(refused.stderr.contains(why), "{refused:?}");
    }
}

/// Full version of the shared library, and the compatible version in its soname.
fn versions() -> (&'static str, &'static str) {
    let compatible = match env!("CARGO_PKG_VERSION_MAJOR") {
        "0" => concat!("0.", env!("CARGO_PKG_VERSION_MINOR")),
        major => major,
    };
    (env!("CARGO_PKG_VERSION"), compatible)
}

#[test]
fn guide_has_the_versions_and_defaults_of_the_library() {
    let guide = read_text(&outflank_testing::data::root().join("docs/guide/c.md"));
    let header = read_text(&root().join("include/outflank.h"));
    let (version, compatible) = versions();
    let default = outflank::search::DEFAULT_HASH_MIB;
    for text in [
        format!("| `liboutflank.so.{version}` |"),
        format!("| `liboutflank.so.{compatible}` |"),
        format!("one thread, {default} MiB,"),
    ] {
        assert!(guide.contains(&text), "{text}");
    }
    let text = format!("#define OUTFLANK_DEFAULT_HASH_MIB {default}\n");
    assert!(header.contains(&text));
}

/// Output of `readelf` for a file.
fn readelf(options: &str, file: &Path) -> String {
    run(Command::new("readelf").arg(options).arg(file), b"")
        .expect(0)
        .stdout
}

/// Output of pkg-config for the library in `prefix`, split into words.
fn pkg_config(prefix: &Path, options: &[&str]) -> Vec<String> {
    let mut command = Command::new("pkg-config");
    command
        .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
        .args(options)
        .arg("outflank");
    let output = run(&mut command, b"").expect(0).stdout;
    output.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn installed_library_is_found_by_pkg_config_and_links_shared_and_static() {
    if !has_program("gcc") || !has_program("pkg-config") {
        return;
    }
    let folder = Folder::new();
    let prefix = folder.path("prefix");
    // The second run replaces the installation of the first.
    for _ in 0..2 {
        let mut install = Command::new(root().join("install.sh"));
        run(install.arg(libraries()).arg(&prefix), b"").expect(0);
    }
    // Programs load the name with the compatible version, linkers open the name without a version. Both are links.
    let (version, compatible) = versions();
    assert_eq!(pkg_config(&prefix, &["--modversion"]), [version]);
    let library = prefix.join(format!("lib/liboutflank.so.{version}"));
    let name = format!("liboutflank.so.{compatible}");
    for link in [&name, "liboutflank.so"] {
        let to = fs::read_link(prefix.join("lib").join(link)).expect("a link");
        assert_eq!(to, Path::new(library.file_name().expect("a name")));
    }
    if has_program("readelf") && has_program("strip") {
        assert!(readelf("-d", &library).contains(&format!("soname: [{name}]")));
        for file in [&library, &prefix.join("lib/liboutflank.a")] {
            let sections = readelf("-SW", file);
            assert!(!sections.contains(".debug_info"), "{}", file.display());
        }
    }
    let link = |name: &str, options: &[&str]| {
        let program = folder.path(name);
        let mut gcc = Command::new("gcc");
        gcc.arg(root().join("examples/solve.c"));
        gcc.args(pkg_config(&prefix, options));
        run(gcc.arg("-o").arg(&program), b"").expect(0);
        program
    };
    let shared = link("shared", &["--cflags", "--libs"]);
    // Without the shared library, the linker takes the static one.
    fs::remove_file(prefix.join("lib/liboutflank.so")).expect("it was installed");
    let fixed = link("static", &["--static", "--cflags", "--libs"]);
    if has_program("readelf") {
        let needed = format!("Shared library: [liboutflank.so.{compatible}]");
        assert!(readelf("-d", &shared).contains(&needed));
    }
    for (solve, libraries) in [(shared, prefix.join("lib")), (fixed, PathBuf::new())] {
        let mut command = program(&solve);
        command.env("LD_LIBRARY_PATH", libraries);
        let solved = run(command.arg(BOARD), b"").expect(0);
        let is_solved = solved.stdout.starts_with("+18 by G8 ");
        assert!(is_solved, "{}: {solved:?}", solve.display());
    }
}

/// The compatible version has two numbers before 1.0, else one.
#[test]
fn compatible_version_is_the_start_of_the_version() {
    for (version, compatible) in [
        ("0.1.0", "0.1"),
        ("0.2.0-rc.1", "0.2"),
        ("0.10.3", "0.10"),
        ("1.2.3", "1"),
        ("2.0.0-rc.1", "2"),
    ] {
        let folder = Folder::new();
        for name in ["include", "built"] {
            fs::create_dir(folder.path(name)).expect("a new folder");
        }
        for name in ["install.sh", "include/outflank.h"] {
            let to = folder.path(name);
            fs::copy(root().join(name), to).expect("it can be copied");
        }
        folder.file("outflank.pc", format!("Version: {version}\n"));
        for name in ["a", "so", "dylib"] {
            folder.file(&format!("built/liboutflank.{name}"), "");
        }
        let prefix = folder.path("prefix");
        let mut install = Command::new(folder.path("install.sh"));
        install.arg(folder.path("built")).arg(&prefix);
        run(install.env("STRIP", "true"), b"").expect(0);
        let names = |version: &str| {
            [
                format!("liboutflank.so.{version}"),
                format!("liboutflank.{version}.dylib"),
            ]
        };
        for (link, file) in names(compatible).iter().zip(names(version)) {
            let to = fs::read_link(prefix.join("lib").join(link)).expect(version);
            assert_eq!(to, Path::new(&file));
        }
    }
}

#[test]
fn all_functions_take_valid_and_invalid_arguments_also_under_valgrind() {
    let folder = Folder::new();
    let Some(interface) = compile(&["tests/c/interface.c", "tests/c/games.c"], &folder) else {
        return;
    };
    let weights = outflank_testing::data::root().join("data/weights/outflank.weights");
    let no_weights = folder.file("no.weights", "These are none.");
    let run_tests = |command: &mut Command| -> String {
        let ran = run(command.args([&weights, &no_weights]), b"").expect(0);
        assert!(ran.stdout.starts_with("all is well at "), "{ran:?}");
        ran.stderr
    };
    run_tests(&mut program(&interface));
    if has_program("valgrind") {
        // Valgrind emulates a CPU without AVX-512.
        let mut valgrind = program("valgrind");
        valgrind
            .args(["--error-exitcode=9", "--leak-check=full"])
            .arg("--errors-for-leak-kinds=definite,indirect,possible")
            .arg(&interface);
        let report = run_tests(&mut valgrind);
        assert!(report.contains("ERROR SUMMARY: 0 errors"), "{report}");
    }
}
