//! Options that take numbers report the allowed range for any other value.

use crate::common::program::{outflank, rows};
use outflank_testing::command::run;

/// Ranges of options. Options of a command with the same range share a row.
const RANGES: &str = "
    solve --level --depth: 0 to 60
    solve --hash: 1 to 16777216
    solve --threads --jobs: 1 to 512
    solve --empties: 0 to 60
    solve --move: 1 to 61
    solve --window: -64 to 64
    solve --lines: 1 to 4294967295
    solve --nodes: 0 to 18446744073709551615
    solve --time: 0 to 1000000000
    analyze --level --depth: 0 to 60
    analyze --game: 1 to 18446744073709551615
    bench --depth: 0 to 60
    bench --hash: 1 to 16777216
    convert --empties: 0 to 60
    gtp --hash: 1 to 16777216
    nboard --threads: 1 to 512
    play --time: 0 to 1000000000
    perft: 1 to 16
    match --games: 1 to 10000000
    match --plies: 0 to 60
    match --even: 0 to 64
    match --seed: 0 to 18446744073709551615
    match --depth: 1 to 60
    match --nodes: 1 to 18446744073709551615
    match --concurrency: 1 to 512
    match --margin: 0 to 60000
    match --sprt: -10000 to 10000
    match --alpha --beta: 0 to 1
    match --move-time --game-time --increment --patience: 0.001 to 1000000
    kernels check --seed --cpu: 0 to 18446744073709551615
    kernels check --seconds: 0 to 1000000000
    kernels check --patience: 0.001 to 1000000000
    kernels bench --repeats: 1 to 100000
    train fit --until: 0 to 65535
    train fit --search-weight --games-weight --decay --smooth: 0 to 1000000
    train fit --hold-out: 0 to 0.9
    train fit --huber: 0.01 to 128
    train fit --iterations --patience: 0 to 1000000
    train generate --seed --games --time: 0 to 18446744073709551615
    train generate --deviations --exact --line --depth --opening-plies --random-plies: 0 to 60
    train generate --per-game --block: 1 to 4294967295
    train generate --strays: 0 to 100
    train generate --threads: 1 to 1024
    train probcut --positions: 1 to 4294967295
    train probcut --depth: 5 to 60
    train duel --games: 1 to 4294967295
    train duel --depth: 1 to 60
    train duel --plies: 0 to 9
    train demo --games: 32 to 1000000
";

#[test]
fn options_report_the_allowed_range() {
    for row in rows(RANGES) {
        let (words, range) = row.split_once(": ").expect(row);
        let (low, high) = range.split_once(" to ").expect(row);
        let [below, above] = [(low, -1.0), (high, 1.0)]
            .map(|(end, step)| (end.parse::<f64>().expect(row) + step).to_string());
        let (options, command): (Vec<&str>, Vec<&str>) =
            words.split(' ').partition(|word| word.starts_with("--"));
        // A command without an option takes the number itself.
        let options = if options.is_empty() {
            vec![""]
        } else {
            options
        };
        for option in options {
            for wrong in ["nonsense", "nan", "1e400", &below, &above] {
                let mut program = outflank();
                program.args(&command);
                match option {
                    "" => program.arg(wrong),
                    "--window" | "--sprt" => program.args([option, "0", wrong]),
                    _ => program.args([option, wrong]),
                };
                let refused = run(&mut program, b"");
                let expected = format!("number from {low} to {high}\n");
                let is_right = refused.status == 2 && refused.stderr.contains(&expected);
                assert!(is_right, "{row}: {option} {wrong}: {refused:#?}");
            }
        }
    }
}
