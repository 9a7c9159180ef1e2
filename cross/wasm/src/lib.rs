//! The check of all kernels, as a module that Node.js can run: WebAssembly has no test harness of its
//! own. `run.mjs` beside this calls it, `scripts/cross.sh` builds it.

use std::sync::Mutex;

use outflank_checker::check::LevelCount;
use outflank_checker::registry;
use outflank_kernels::Isa;

/// What is to be shown at the end: the report, the difference, or the panic.
static MESSAGE: Mutex<String> = Mutex::new(String::new());

fn say(message: String) {
    *MESSAGE.lock().expect("there is one thread") = message;
}

/// Compares every algorithm at every level of this build with its reference, on the sweeps and on
/// `cases` random cases of `seed`. 0 where all agree and simd128 was among the levels, otherwise 1;
/// [`message`] says more, also after a panic.
#[unsafe(no_mangle)]
pub extern "C" fn check(seed: u32, cases: u32) -> u32 {
    std::panic::set_hook(Box::new(|panic| say(panic.to_string())));
    let entries: Vec<_> = registry::runnable().collect();
    let report = match outflank_checker::check(&entries, seed.into(), cases as usize) {
        Ok(report) => report,
        Err(failure) => {
            say(failure.to_string());
            return 1;
        }
    };
    let needed = |row: &LevelCount| row.isa == Isa::Simd128 && row.pairs > 0;
    if !report.levels.iter().any(needed) {
        say("this build lacks the level simd128: nothing of it was checked".into());
        return 1;
    }
    let mut text = format!("seed {seed}");
    for row in &report.levels {
        let (isa, pairs) = (row.isa, row.pairs);
        text += &format!(
            "\n{isa}: {pairs} algorithms, {} comparisons",
            row.comparisons
        );
    }
    say(text);
    0
}

/// Where the last message begins, in UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn message() -> *const u8 {
    MESSAGE.lock().expect("there is one thread").as_ptr()
}

/// The length of the last message in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn message_length() -> usize {
    MESSAGE.lock().expect("there is one thread").len()
}
