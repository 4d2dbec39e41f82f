//! Assigns rows to columns so that the weights add up to the most. Maximum-weight bipartite
//! matching by shortest augmenting paths (Kuhn, Munkres; Jonker and Volgenant 1987), O(n³).

/// For each row its column, or none. `weights[row][column]` is 0 where the two must not be matched,
/// positive otherwise. Among equal sums the result is fixed by the order of rows and columns.
pub(crate) fn max_weight_matching(weights: &[Vec<f64>], columns: usize) -> Vec<Option<usize>> {
    let rows = weights.len();
    if rows == 0 || columns == 0 {
        return vec![None; rows];
    }
    if rows > columns {
        let turned: Vec<Vec<f64>> =
            (0..columns).map(|c| weights.iter().map(|row| row[c]).collect()).collect();
        let mut matched = vec![None; rows];
        for (column, row) in max_weight_matching(&turned, rows).into_iter().enumerate() {
            if let Some(row) = row {
                matched[row] = Some(column);
            }
        }
        return matched;
    }
    // Potentials of rows and columns; row 0 and column 0 are helpers.
    let (mut u, mut v) = (vec![0.0; rows + 1], vec![0.0; columns + 1]);
    let mut row_of = vec![0usize; columns + 1];
    let mut way = vec![0usize; columns + 1];
    for row in 1..=rows {
        row_of[0] = row;
        let mut at = 0;
        let mut least = vec![f64::INFINITY; columns + 1];
        let mut used = vec![false; columns + 1];
        loop {
            used[at] = true;
            let from = row_of[at];
            let (mut step, mut next) = (f64::INFINITY, 0);
            for column in 1..=columns {
                if used[column] {
                    continue;
                }
                let reduced = -weights[from - 1][column - 1] - u[from] - v[column];
                if reduced < least[column] {
                    least[column] = reduced;
                    way[column] = at;
                }
                if least[column] < step {
                    (step, next) = (least[column], column);
                }
            }
            for column in 0..=columns {
                if used[column] {
                    u[row_of[column]] += step;
                    v[column] -= step;
                } else {
                    least[column] -= step;
                }
            }
            at = next;
            if row_of[at] == 0 {
                break;
            }
        }
        while at != 0 {
            row_of[at] = row_of[way[at]];
            at = way[at];
        }
    }
    let mut matched = vec![None; rows];
    for column in 1..=columns {
        let row = row_of[column];
        if row > 0 && weights[row - 1][column - 1] > 0.0 {
            matched[row - 1] = Some(column - 1);
        }
    }
    matched
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn best(weights: &[Vec<f64>], row: usize, used: u32) -> f64 {
        let Some(line) = weights.get(row) else { return 0.0 };
        let mut most = best(weights, row + 1, used);
        for (column, weight) in line.iter().enumerate().filter(|(c, _)| used & (1 << c) == 0) {
            most = most.max(weight + best(weights, row + 1, used | 1 << column));
        }
        most
    }

    proptest! {
        #[test]
        fn the_sum_is_that_of_the_best_of_all_matchings(
            rows in 0usize..6, columns in 0usize..6, cells in prop::collection::vec(0u8..8, 36),
        ) {
            let weights: Vec<Vec<f64>> = (0..rows)
                .map(|r| (0..columns).map(|c| f64::from(cells[r * 6 + c])).collect())
                .collect();
            let matched = max_weight_matching(&weights, columns);
            let mut seen = std::collections::BTreeSet::new();
            let mut sum = 0.0;
            for (row, column) in matched.iter().enumerate() {
                if let Some(column) = column {
                    prop_assert!(seen.insert(*column));
                    prop_assert!(weights[row][*column] > 0.0);
                    sum += weights[row][*column];
                }
            }
            prop_assert_eq!(sum, best(&weights, 0, 0));
        }
    }
}
