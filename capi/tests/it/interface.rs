//! The header is what the source says, and programs that are compiled against it run, also under valgrind
//! and with the library where `install.sh` and pkg-config have it.

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

#[test]
fn the_header_is_what_the_source_says() {
    let config = Config::from_file(root().join("cbindgen.toml")).expect("the file can be read");
    let mut header = Vec::new();
    // The other files are modules of this one.
    let builder = Builder::new().with_src(root().join("src/lib.rs"));
    let bindings = builder.with_config(config).generate();
    bindings.expect("cbindgen reads it").write(&mut header);

    let path = root().join("include/outflank.h");
    let committed = fs::read(&path).unwrap_or_default();
    if committed != header {
        fs::write(&path, header).expect("the file can be written");
        panic!("capi/include/outflank.h was not what capi/src says: it is now, commit it");
    }
}

/// Whether there is such a program. Where not, that a test is skipped is said.
fn is_there(program: &str) -> bool {
    let is_there = Command::new(program).arg("--version").output().is_ok();
    if !is_there {
        println!("skipped: there is no {program}");
    }
    is_there
}

/// The folder with both libraries. They are built as tests are, beside the tests, where most of what they are
/// made of is already built.
fn libraries() -> &'static Path {
    static LIBRARIES: OnceLock<PathBuf> = OnceLock::new();
    LIBRARIES.get_or_init(|| {
        let own = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let target = own.parent().expect("it is in the target folder");
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo
            .current_dir(root())
            .env("CARGO_TARGET_DIR", target)
            .env_remove("CARGO_BUILD_TARGET")
            .args(["build", "--quiet", "--profile", "test", "--lib"])
            // With the features that the tests give the library, so that it is already built.
            .args([
                "-p",
                "outflank",
                "-p",
                "outflank-capi",
                "--features",
                "outflank/serde",
            ]);
        run(&mut cargo, b"").expect(0);
        target.join("debug")
    })
}

/// Compiles a program with all warnings, each an error, and links it with the library.
fn compile(source: &str, folder: &Folder) -> PathBuf {
    let program = folder.path("program");
    let mut gcc = Command::new("gcc");
    gcc.current_dir(root())
        .args(["-std=c99", "-g", "-Wall", "-Wextra", "-Werror", "-Iinclude"])
        .arg(source)
        .arg(libraries().join("liboutflank.a"))
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&program);
    run(&mut gcc, b"").expect(0);
    program
}

/// Runs a program, with nothing of the tester's environment that the library heeds.
fn program(path: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(path);
    command.env_remove("OUTFLANK_ISA");
    command
}

#[test]
fn the_header_alone_is_c_and_cpp() {
    for (compiler, language) in [("gcc", "c"), ("g++", "c++")] {
        if is_there(compiler) {
            let mut compiler = Command::new(compiler);
            compiler
                .args([
                    "-fsyntax-only",
                    "-Wall",
                    "-Wextra",
                    "-Werror",
                    "-x",
                    language,
                ])
                .arg(root().join("include/outflank.h"));
            run(&mut compiler, b"").expect(0);
        }
    }
}

/// FFO #1: black wins by 18.
const BOARD: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

#[test]
fn the_example_solves_a_board_and_refuses_what_is_none() {
    if !is_there("gcc") {
        return;
    }
    let folder = Folder::new();
    let solve = compile("examples/solve.c", &folder);
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

/// What pkg-config says of the library that is installed in `prefix`.
fn told(prefix: &Path, options: &[&str]) -> Vec<String> {
    let mut command = Command::new("pkg-config");
    command
        .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
        .args(options)
        .arg("outflank");
    let told = run(&mut command, b"").expect(0).stdout;
    told.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn what_is_installed_is_found_by_pkg_config_and_links_either_way() {
    if !is_there("gcc") || !is_there("pkg-config") {
        return;
    }
    let folder = Folder::new();
    let prefix = folder.path("prefix");
    let mut install = Command::new(root().join("install.sh"));
    run(install.arg(libraries()).arg(&prefix), b"").expect(0);
    assert_eq!(
        told(&prefix, &["--modversion"]),
        [env!("CARGO_PKG_VERSION")]
    );
    let shared = told(&prefix, &["--cflags", "--libs"]);
    // With the shared library hidden, the linker takes the static one.
    for (name, options, found_at) in [
        ("shared", shared, Some(prefix.join("lib"))),
        (
            "static",
            told(&prefix, &["--static", "--cflags", "--libs"]),
            None,
        ),
    ] {
        if found_at.is_none() {
            fs::remove_file(prefix.join("lib/liboutflank.so")).expect("it was installed");
        }
        let program = folder.path(name);
        let mut gcc = Command::new("gcc");
        gcc.arg(root().join("examples/solve.c")).args(options);
        run(gcc.arg("-o").arg(&program), b"").expect(0);
        let mut solve = self::program(&program);
        solve.env_remove("LD_LIBRARY_PATH");
        if let Some(path) = found_at {
            solve.env("LD_LIBRARY_PATH", path);
        }
        let solved = run(solve.arg(BOARD), b"").expect(0);
        assert!(
            solved.stdout.starts_with("+18 by G8 "),
            "{name}: {solved:?}"
        );
    }
}

#[test]
fn everything_can_be_called_rightly_and_wrongly_also_under_valgrind() {
    if !is_there("gcc") {
        return;
    }
    let folder = Folder::new();
    let interface = compile("tests/c/interface.c", &folder);
    let weights = outflank_testing::data::root().join("weights/outflank.weights");
    let no_weights = folder.file("no.weights", "These are none.");
    let all_is_well = |command: &mut Command| -> String {
        let ran = run(command.args([&weights, &no_weights]), b"").expect(0);
        assert!(ran.stdout.starts_with("all is well at "), "{ran:?}");
        ran.stderr
    };
    all_is_well(&mut program(&interface));
    if is_there("valgrind") {
        // It has no AVX-512, and says so to who asks the CPU.
        let mut valgrind = program("valgrind");
        valgrind
            .args(["--error-exitcode=9", "--leak-check=full"])
            .arg("--errors-for-leak-kinds=definite,indirect,possible")
            .arg(&interface);
        let told = all_is_well(&mut valgrind);
        assert!(told.contains("ERROR SUMMARY: 0 errors"), "{told}");
    }
}
