//! A new template in `codegen/templates/` adds a kernel, and a new file in `kernels/geometries/` adds a geometry. The
//! check reports kernels that are wrong, crash or hang.
//!
//! The test runs in a copy of the repository under the target folder. The copy keeps its build for the next run.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::common::program::OutputChecks;
use outflank_testing::command::{Run, run};
use outflank_testing::data::root;

/// Template of a kernel that counts the discs on the board, with right and faulty algorithms.
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

/// Template of a kernel that fills memory. One algorithm writes outside its memory.
const TRIAL_FILL: &str = r#"
//! Fills `memory` with `pattern`.
#![select(portable = inside)]

#[reference]
fn block_by_block(memory: &mut [Block], pattern: [u64; 4]) {
    memory.iter_mut().for_each(|block| *block = Block(pattern));
}

/// Only the given memory.
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

/// Files that the test adds to the copy.
const NEW_FILES: [(&str, &str); 3] = [
    ("codegen/templates/trial.rs.j2", TRIAL),
    ("codegen/templates/trial_fill.rs.j2", TRIAL_FILL),
    ("kernels/geometries/trial.txt", TRIAL_GEOMETRY),
];

/// Kernels that the new geometry adds.
const GEOMETRY_KERNELS: [&str; 3] = [
    "feature_pass_trial",
    "feature_set_trial",
    "feature_update_trial",
];

/// Contents of a file, and time of the last change.
struct FileState {
    bytes: Vec<u8>,
    time: SystemTime,
}

fn read_file(path: &Path) -> FileState {
    let time = fs::metadata(path).and_then(|file| file.modified());
    FileState {
        bytes: fs::read(path).expect("the file can be read"),
        time: time.expect("the file system keeps times"),
    }
}

/// Files of the repository by path: tracked ones, and new ones that git does not ignore. `None`, with a remark, if git or
/// the repository is missing.
fn repository() -> Option<BTreeMap<PathBuf, FileState>> {
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
    // Git lists deleted files until the deletion is staged.
    let existing = paths.filter(|path| root().join(path).is_file());
    let files = existing.map(|path| (path.clone(), read_file(&root().join(path))));
    Some(files.collect())
}

/// Reads all files below a folder. The keys are paths relative to the folder.
fn files(root: &Path) -> BTreeMap<PathBuf, FileState> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let inside = path.strip_prefix(root).expect("it is inside the root");
            found.insert(inside.to_owned(), read_file(&path));
        }
    }
    found
}

/// A copy of the repository.
struct RepositoryCopy {
    root: PathBuf,
    target: PathBuf,
    /// Files at the last build.
    built: BTreeMap<PathBuf, FileState>,
}

impl RepositoryCopy {
    /// Copies these files into a folder under the target folder.
    fn new(repository: &BTreeMap<PathBuf, FileState>) -> RepositoryCopy {
        let program = Path::new(env!("CARGO_BIN_EXE_outflank"));
        let target = program.ancestors().nth(2).expect("it is in target/debug");
        let work = target.join("trial-kernel");
        let root = work.join("copy");
        fs::create_dir_all(&root).expect("a folder can be made");
        let copy = RepositoryCopy {
            built: files(&root),
            target: work.join("target"),
            root,
        };
        let old = &copy.built;
        for path in old.keys().filter(|path| !repository.contains_key(*path)) {
            fs::remove_file(copy.root.join(path)).expect("the file can be removed");
        }
        for (path, FileState { bytes, .. }) in repository {
            if old.get(path).is_none_or(|old| old.bytes != *bytes) {
                let path = copy.root.join(path);
                fs::create_dir_all(path.parent().expect("it is in the copy"))
                    .and_then(|()| fs::write(path, bytes))
                    .expect("the file can be written");
            }
        }
        copy
    }

    /// Restores the times of files that have not changed since the last build, because Cargo rebuilds by times.
    fn restore_times(&self) {
        for (path, written) in files(&self.root) {
            let old = self.built.get(&path);
            if let Some(old) = old.filter(|old| old.bytes == written.bytes) {
                let file = File::options().write(true).open(self.root.join(path));
                file.and_then(|file| file.set_modified(old.time))
                    .expect("times can be set");
            }
        }
    }

    fn cargo(&self, words: &str) {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.args(words.split(' '));
        cargo.args(["--config", "profile.dev.debug=0"]);
        cargo.env("CARGO_TARGET_DIR", &self.target);
        run(cargo.current_dir(&self.root), b"").expect(0);
    }

    /// Runs `outflank kernels` of the copy.
    fn kernels(&self, words: &str, status: i32) -> Run {
        let program = self.target.join("debug").join("outflank");
        let mut command = Command::new(program.with_extension(std::env::consts::EXE_EXTENSION));
        command.env_remove("OUTFLANK_ISA");
        command.arg("kernels").args(words.split(' '));
        run(&mut command, b"").expect(status)
    }

    /// Asserts that the check of these kernels finds no fault.
    fn assert_passes(&self, kernels: &str) {
        let run = self.kernels(&format!("check --seconds 0 --kernel {kernels}"), 0);
        run.stdout_has(" agree with their references: ");
    }

    /// Asserts that the check of an algorithm at a level fails with these words.
    fn assert_fails(&self, algorithm: &str, isa: &str, words: &[&str]) {
        let line =
            format!("check --seconds 0 --seed 5 --patience 5 --kernel {algorithm} --isa {isa}");
        let run = self.kernels(&line, 1);
        run.stdout_has(format!("{algorithm} at {isa} "));
        run.stdout_has(format!("failed: {algorithm}@{isa}"));
        for word in ["  board      ", " X;", "  seed       5 ("]
            .iter()
            .chain(words)
        {
            run.stdout_has(word);
        }
    }
}

#[test]
fn new_files_become_kernels_and_the_check_finds_their_faults() {
    let Some(repository) = repository() else {
        return;
    };
    let copy = RepositoryCopy::new(&repository);
    let before = files(&copy.root);
    for (path, text) in NEW_FILES {
        fs::write(copy.root.join(path), text).expect("the file can be written");
    }
    copy.cargo("run --quiet -p outflank-codegen");

    let after = files(&copy.root);
    for path in before.keys() {
        assert!(after.contains_key(path), "{} is gone", path.display());
    }
    let is_changed = |(path, written): &(&PathBuf, &FileState)| {
        let old = before.get(*path);
        old.is_none_or(|old| old.bytes != written.bytes)
    };
    let changed: Vec<String> = after
        .iter()
        .filter(is_changed)
        .map(|(path, _)| path.to_string_lossy().replace('\\', "/"))
        .filter(|path| !path.contains("/src/generated/"))
        .collect();
    let mut expected: Vec<String> = NEW_FILES.map(|(path, _)| path.into()).into();
    expected.push("fuzz/Cargo.toml".into());
    expected.sort();
    assert_eq!(changed, expected);
    copy.restore_times();
    copy.cargo("build --quiet --bin outflank");

    let listed = copy.kernels("list trial", 0);
    listed.stdout_has("The number of discs on the board.");
    for algorithm in ["right", "wrong", "endless"] {
        listed.stdout_has(algorithm);
    }
    if cfg!(target_arch = "x86_64") {
        listed.stdout_has("illegal");
    }
    copy.assert_passes("trial.right");

    // A new geometry needs only its file.
    for kernel in GEOMETRY_KERNELS {
        let listed = copy.kernels(&format!("list {kernel}"), 0);
        listed.stdout_has("Geometry: trial.");
        copy.assert_passes(kernel);
        let measured = copy.kernels(&format!("bench --kernel {kernel} --repeats 1"), 0);
        measured.stdout_has(kernel);
    }

    for (algorithm, words) in [
        (
            "trial.wrong",
            &[
                "differs from the reference",
                "  expected   0x",
                "  got        0x",
            ][..],
        ),
        (
            "trial_fill.outside",
            &["differs from the reference", "a write outside its buffer"],
        ),
        ("trial.panics", &["panicked", "  it said    "]),
        ("trial.endless", &["did not come back within 5s"]),
    ] {
        copy.assert_fails(algorithm, "portable", words);
    }
    if outflank::Isa::available().contains(&outflank::Isa::V2) {
        copy.assert_fails("trial.illegal", "v2", &["died of SIGILL"]);
    }
}
