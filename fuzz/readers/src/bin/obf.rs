//! OBF from any bytes: problems that are read, written and read again stay equal.

#![no_main]

use outflank::notation::obf;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for problem in obf::read(bytes).flatten() {
        let line = problem.to_string();
        let mut again = obf::read(line.as_bytes());
        let mut same = again.next().expect("a line").expect("it was read before");
        same.line = problem.line;
        assert_eq!(same, problem);
        assert!(again.next().is_none());
    }
});
