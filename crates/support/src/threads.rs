//! The number of cores, and the environment variable with the default number of threads of a search.

use std::env;
use std::ffi::OsString;
use std::process::Command;
use std::thread;

/// The name of the variable.
pub const VARIABLE: &str = "OUTFLANK_THREADS";

/// The value of the variable; `None` if it is not set or empty.
pub fn value() -> Option<OsString> {
    env::var_os(VARIABLE).filter(|value| !value.is_empty())
}

/// Sets the variable to 1 for the program of `command`, unless this process has a value. Programs that are compared then
/// have one thread each, whatever the machine.
pub fn set_one_by_default(command: &mut Command) {
    if value().is_none() {
        command.env(VARIABLE, "1");
    }
}

/// The number of cores that this process may use; 1 if the system does not report it.
pub fn core_count() -> usize {
    thread::available_parallelism().map_or(1, |cores| cores.get())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    #[test]
    fn programs_get_one_thread_unless_the_variable_is_set() {
        let mut command = Command::new("engine");
        set_one_by_default(&mut command);
        let set: Vec<_> = command.get_envs().collect();
        let one = (OsStr::new(VARIABLE), Some(OsStr::new("1")));
        match value() {
            None => assert_eq!(set, [one]),
            Some(_) => assert_eq!(set, []),
        }
    }
}
