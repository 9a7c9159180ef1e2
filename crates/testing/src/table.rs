//! Tables of test cases, one a line.

/// Splits a table into rows of `N` cells.
///
/// ` | ` separates cells; the last one may contain it. `\n` in a cell is a line end. Blank lines are skipped.
///
/// # Panics
///
/// Panics if a row has fewer cells.
pub fn rows<const N: usize>(table: &str) -> Vec<[String; N]> {
    let lines = table.lines().filter(|line| !line.trim().is_empty());
    let row = |line: &str| {
        let mut cells = line.splitn(N, " | ");
        [(); N].map(|()| match cells.next() {
            Some(cell) => cell.trim().replace("\\n", "\n"),
            None => panic!("{line}: expected {N} cells"),
        })
    };
    lines.map(row).collect()
}
