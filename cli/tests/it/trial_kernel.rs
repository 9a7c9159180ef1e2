//! Dropping a template into `codegen/templates/` is all it takes to add a kernel, and dropping a file into
//! `kernels/geometries/` all it takes to add a geometry; and what the check says of a kernel that is wrong,
//! faults or never ends. All happens in a copy of the repository, which is kept under the target folder
//! with its build, so that a second run builds nothing.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use outflank_testing::command::{Run, run};
use outflank_testing::data::root;

/// The number of discs on the board, in several good and bad ways.
const TRIAL: &str = r#"
//! The number of discs on the board.
#![select(portable = right)]

#[reference]
fn one_by_one(player: u64, opponent: u64) -> u64 {
    (0..64).filter(|square| (player | opponent) >> square & 1 == 1).count() as u64
}

/// Each side on its own.
#[algorithm]
fn right(player: u64, opponent: u64) -> u64 {
    u64::from(player.count_ones() + opponent.count_ones())
}

/// One too many where the mover has two opposite corners.
#[algorithm]
fn wrong(player: u64, opponent: u64) -> u64 {
    let corners = player & player >> 63;
    u64::from((player | opponent).count_ones()) + corners
}

/// A table without a place for a board of many discs.
#[algorithm]
fn panics(player: u64, opponent: u64) -> u64 {
    let table: [u64; 60] = std::array::from_fn(|i| i as u64);
    table[(player | opponent).count_ones() as usize]
}

/// A loop without an end where nobody holds D4.
#[algorithm]
fn endless(player: u64, opponent: u64) -> u64 {
    while (player | opponent) >> 27 & 1 == 0 {
        std::hint::spin_loop();
    }
    u64::from((player | opponent).count_ones())
}

{% if at("v2") %}
/// An instruction that no CPU has.
#[algorithm]
fn illegal(player: u64, opponent: u64) -> u64 {
    // SAFETY: the instruction touches nothing.
    unsafe { core::arch::asm!("ud2") };
    u64::from((player | opponent).count_ones())
}
{% endif %}
"#;

/// Fills memory, and in one way more than its own.
const TRIAL_FILL: &str = r#"
//! Fills `memory` with `pattern`.
#![select(portable = inside)]

#[reference]
fn block_by_block(memory: &mut [Block], pattern: [u64; 4]) {
    memory.iter_mut().for_each(|block| *block = Block(pattern));
}

/// What it is given.
#[algorithm]
fn inside(memory: &mut [Block], pattern: [u64; 4]) {
    memory.fill(Block(pattern));
}

/// One block more.
#[algorithm]
fn outside(memory: &mut [Block], pattern: [u64; 4]) {
    memory.fill(Block(pattern));
    // SAFETY: none, that is the trial; the check has canaries there.
    unsafe { *memory.as_mut_ptr().add(memory.len()) = Block(pattern) };
}
"#;

/// A geometry of two classes of features.
const TRIAL_GEOMETRY: &str = "\
# A trial: two rows and the corners.
R8 A1B1C1D1E1F1G1H1 A8B8C8D8E8F8G8H8
C3 A1B1A2 H1G1H2 A8B8A7 H8G8H7
";

/// Whatever is dropped into the copy.
const DROPPED: [(&str, &str); 3] = [
    ("codegen/templates/trial.rs.j2", TRIAL),
    ("codegen/templates/trial_fill.rs.j2", TRIAL_FILL),
    ("kernels/geometries/trial.txt", TRIAL_GEOMETRY),
];

/// The kernels that there is one of for each geometry.
const OF_A_GEOMETRY: [&str; 3] = [
    "feature_pass_trial",
    "feature_set_trial",
    "feature_update_trial",
];

/// A file: what is in it, and when that was written.
struct Written {
    bytes: Vec<u8>,
    time: SystemTime,
}

/// The file at `path`.
fn written(path: &Path) -> Written {
    let time = fs::metadata(path).and_then(|file| file.modified());
    Written {
        bytes: fs::read(path).expect("the file can be read"),
        time: time.expect("the file system keeps times"),
    }
}

/// The files of the repository by their paths in it: those that git has, and new ones that it does not ignore.
/// `None`, with a remark, where there is no git, or no repository of it.
fn repository() -> Option<BTreeMap<PathBuf, Written>> {
    let mut git = Command::new("git");
    git.current_dir(root())
        .args(["ls-files", "-z", "--cached", "--others"])
        .arg("--exclude-standard");
    let Some(listed) = git.output().ok().filter(|listed| listed.status.success()) else {
        println!("SKIPPED: git cannot tell which files the repository has");
        return None;
    };
    let listed = String::from_utf8(listed.stdout).expect("our paths are UTF-8");
    let paths = listed.split_terminator('\0').map(PathBuf::from);
    // Git still has what was deleted since the last commit.
    let there = paths.filter(|path| root().join(path).is_file());
    Some(
        there
            .map(|path| (path.clone(), written(&root().join(path))))
            .collect(),
    )
}

/// The files of a folder by their paths in it.
fn files(root: &Path) -> BTreeMap<PathBuf, Written> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let inside = path.strip_prefix(root).expect("it was found there");
            found.insert(inside.to_owned(), written(&path));
        }
    }
    found
}

/// A copy of the repository.
struct Copy {
    root: PathBuf,
    target: PathBuf,
    /// What was in it when it was last built.
    built: BTreeMap<PathBuf, Written>,
}

impl Copy {
    /// These files of the repository, in a folder under the target folder.
    fn new(repository: &BTreeMap<PathBuf, Written>) -> Copy {
        let program = Path::new(env!("CARGO_BIN_EXE_outflank"));
        let target = program.ancestors().nth(2).expect("it is in target/debug");
        let work = target.join("trial-kernel");
        let root = work.join("copy");
        fs::create_dir_all(&root).expect("a folder can be made");
        let copy = Copy {
            built: files(&root),
            target: work.join("target"),
            root,
        };
        let old = &copy.built;
        for path in old.keys().filter(|path| !repository.contains_key(*path)) {
            fs::remove_file(copy.root.join(path)).expect("the file can be removed");
        }
        for (path, Written { bytes, .. }) in repository {
            if old.get(path).is_none_or(|old| old.bytes != *bytes) {
                let path = copy.root.join(path);
                fs::create_dir_all(path.parent().expect("it is in the copy"))
                    .and_then(|()| fs::write(path, bytes))
                    .expect("the file can be written");
            }
        }
        copy
    }

    /// Gives files that are again what they were when they were last built the times that they had:
    /// cargo goes by them.
    fn restore_times(&self) {
        for (path, written) in files(&self.root) {
            if let Some(old) = self
                .built
                .get(&path)
                .filter(|old| old.bytes == written.bytes)
            {
                let file = File::options().write(true).open(self.root.join(path));
                file.and_then(|file| file.set_modified(old.time))
                    .expect("times can be set");
            }
        }
    }

    fn cargo(&self, arguments: &[&str]) -> Run {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo
            .args(arguments)
            .args(["--config", "profile.dev.debug=0"])
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.target);
        run(&mut cargo, b"")
    }

    /// Runs `outflank kernels` of the copy.
    fn kernels(&self, arguments: &[&str], status: i32) -> String {
        let program = self.target.join("debug").join("outflank");
        let mut command = Command::new(program.with_extension(std::env::consts::EXE_EXTENSION));
        command.env_remove("OUTFLANK_ISA");
        command.arg("kernels").args(arguments);
        run(&mut command, b"").expect(status).stdout
    }

    /// Checks one algorithm at a level; it must fail, and be said to in these words.
    fn fails(&self, algorithm: &str, isa: &str, words: &[&str]) {
        let arguments = ["check", "--seconds", "0", "--seed", "5", "--patience", "5"];
        let selection = ["--kernel", algorithm, "--isa", isa];
        let said = self.kernels(&[&arguments[..], &selection].concat(), 1);
        let always = [
            &format!("{algorithm} at {isa} "),
            "  board      ",
            " X;",
            "  seed       5 (",
            &format!("failed: {algorithm}@{isa}"),
        ];
        for word in always.iter().chain(words) {
            assert!(said.contains(word), "'{word}' is not in\n{said}");
        }
    }
}

#[test]
fn dropped_files_are_kernels_and_the_check_finds_what_is_wrong_with_them() {
    let Some(repository) = repository() else {
        return;
    };
    let copy = Copy::new(&repository);
    let before = files(&copy.root);
    for (path, text) in DROPPED {
        fs::write(copy.root.join(path), text).expect("the file can be written");
    }
    copy.cargo(&["run", "--quiet", "-p", "outflank-codegen"])
        .expect(0);

    let after = files(&copy.root);
    for path in before.keys() {
        assert!(after.contains_key(path), "{} is gone", path.display());
    }
    let is_changed = |(path, written): &(&PathBuf, &Written)| {
        before
            .get(*path)
            .is_none_or(|old| old.bytes != written.bytes)
    };
    let changed: Vec<String> = after
        .iter()
        .filter(is_changed)
        .map(|(path, _)| path.to_string_lossy().replace('\\', "/"))
        .filter(|path| !path.contains("/src/generated/"))
        .collect();
    let targets = OF_A_GEOMETRY.iter().chain(&["trial", "trial_fill"]);
    let mut expected: Vec<String> = targets
        .map(|name| format!("fuzz/fuzz_targets/{name}.rs"))
        .chain(["fuzz/Cargo.toml".into()])
        .chain(DROPPED.map(|(path, _)| path.into()))
        .collect();
    expected.sort();
    assert_eq!(changed, expected);
    copy.restore_times();
    copy.cargo(&["build", "--quiet", "--bin", "outflank"])
        .expect(0);

    let listed = copy.kernels(&["list", "trial"], 0);
    let mut expected = vec![
        "The number of discs on the board.",
        "right",
        "wrong",
        "endless",
    ];
    if cfg!(target_arch = "x86_64") {
        expected.push("illegal");
    }
    for word in expected {
        assert!(listed.contains(word), "{word} is not in\n{listed}");
    }
    let right = ["check", "--seconds", "0", "--kernel", "trial.right"];
    let said = copy.kernels(&right, 0);
    assert!(said.contains(" agree with their references: "), "{said}");

    // A third geometry needs no more than its file.
    for kernel in OF_A_GEOMETRY {
        let listed = copy.kernels(&["list", kernel], 0);
        assert!(listed.contains("Geometry: trial."), "{listed}");
        let said = copy.kernels(&["check", "--seconds", "0", "--kernel", kernel], 0);
        assert!(said.contains(" agree with their references: "), "{said}");
        let said = copy.kernels(&["bench", "--kernel", kernel, "--repeats", "1"], 0);
        assert!(said.contains(kernel), "{said}");
    }

    let wrong = [
        "differs from the reference",
        "  expected   0x",
        "  got        0x",
    ];
    copy.fails("trial.wrong", "portable", &wrong);
    let outside = ["differs from the reference", "a write outside its buffer"];
    copy.fails("trial_fill.outside", "portable", &outside);
    copy.fails("trial.panics", "portable", &["panicked", "  it said    "]);
    copy.fails(
        "trial.endless",
        "portable",
        &["did not come back within 5s"],
    );
    if outflank::Isa::available().contains(&outflank::Isa::V2) {
        copy.fails("trial.illegal", "v2", &["died of SIGILL"]);
    }
}
