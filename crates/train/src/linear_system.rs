//! Systems of linear equations.

/// Solves a system of linear equations by Gaussian elimination. Returns `None` for a singular matrix.
pub(crate) fn solve<const N: usize>(
    mut matrix: [[f64; N]; N],
    mut right: [f64; N],
) -> Option<[f64; N]> {
    for column in 0..N {
        let size = |row: &usize| matrix[*row][column].abs();
        let pivot = (column..N).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        if matrix[pivot][column].abs() < 1e-12 {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let (upper, lower) = matrix.split_at_mut(column + 1);
        for (row, below) in lower.iter_mut().enumerate() {
            let factor = below[column] / upper[column][column];
            for (entry, pivot) in below.iter_mut().zip(&upper[column]).skip(column) {
                *entry -= factor * pivot;
            }
            right[column + 1 + row] -= factor * right[column];
        }
    }
    let mut solution = [0.0; N];
    for row in (0..N).rev() {
        let known: f64 = (row + 1..N).map(|i| matrix[row][i] * solution[i]).sum();
        solution[row] = (right[row] - known) / matrix[row][row];
    }
    Some(solution)
}
