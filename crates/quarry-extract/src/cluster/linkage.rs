//! Finds the number of groups. Average linkage (UPGMA) on the cosine distance: groups are joined as
//! long as they are nearer than a cut, and further while there are too many. No start to choose,
//! nothing to draw. Quadratic, hence for a sample; the number of groups and their seeds then go to
//! k-means.
//!
//! Nearest-neighbour chains: F. Murtagh, "A survey of recent advances in hierarchical clustering
//! algorithms", 1983.

use super::vectors::Vectors;

use crate::parallel;

/// Where to stop joining.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cut {
    /// Groups whose mean distance (1 − cosine) is at most this are joined.
    pub(crate) distance: f64,
    /// Beyond that, the nearest groups are joined until there are at most this many …
    pub(crate) most: usize,
    /// … but never at a distance above this.
    pub(crate) farthest: f64,
}

/// Groups of rows, each a sorted list of rows, ordered by first row. `times[i]` says how often row
/// `i` counts.
pub(crate) fn link(vectors: &Vectors, times: &[u32], cut: Cut) -> Vec<Vec<usize>> {
    let n = vectors.len();
    let mut joins = joins(vectors, times);
    // With average linkage no join is nearer than those inside its parts, so the nearest joins can
    // be made first.
    joins.sort_by(|a, b| a.2.total_cmp(&b.2));
    let mut group: Vec<usize> = (0..n).collect();
    let mut left = n;
    for (a, b, distance) in joins {
        let allowed = if left > cut.most.max(1) { cut.farthest } else { cut.distance };
        if f64::from(distance) > allowed {
            break;
        }
        let (a, b) = (root(&mut group, a), root(&mut group, b));
        group[a.max(b)] = a.min(b);
        left -= usize::from(a != b);
    }
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); n];
    for row in 0..n {
        members[root(&mut group, row)].push(row);
    }
    members.retain(|rows| !rows.is_empty());
    members
}

/// The first row of the group that a row is in.
fn root(group: &mut [usize], mut row: usize) -> usize {
    while group[row] != row {
        group[row] = group[group[row]];
        row = group[row];
    }
    row
}

/// All joins, each with a row of either part and their distance.
fn joins(vectors: &Vectors, times: &[u32]) -> Vec<(usize, usize, f32)> {
    let mut distances = Distances::of(vectors);
    let mut sizes: Vec<f64> = times.iter().map(|t| f64::from(*t)).collect();
    let mut alive: Vec<usize> = (0..vectors.len()).collect();
    let mut chain: Vec<usize> = Vec::new();
    let mut joins = Vec::with_capacity(alive.len());
    while alive.len() > 1 {
        let top = chain.last().copied().unwrap_or(alive[0]);
        if chain.is_empty() {
            chain.push(top);
        }
        let before = chain.len().checked_sub(2).map(|at| chain[at]);
        let mut near = before.map(|b| (b, distances.get(top, b)));
        for other in alive.iter().copied().filter(|other| *other != top) {
            let distance = distances.get(top, other);
            if near.is_none_or(|(_, best)| distance < best) {
                near = Some((other, distance));
            }
        }
        let (other, distance) = near.expect("at least two groups are left");
        if Some(other) != before {
            chain.push(other);
            continue;
        }
        // Each is the other's nearest.
        chain.truncate(chain.len() - 2);
        joins.push((top, other, distance));
        let (keep, gone) = (top.min(other), top.max(other));
        let all = sizes[keep] + sizes[gone];
        alive.retain(|a| *a != gone);
        for third in alive.iter().copied().filter(|third| *third != keep) {
            let mean = f64::from(distances.get(keep, third)) * sizes[keep] / all
                + f64::from(distances.get(gone, third)) * sizes[gone] / all;
            distances.set(keep, third, mean as f32);
        }
        sizes[keep] = all;
    }
    joins
}

/// Distances of all pairs, the upper triangle.
struct Distances {
    n: usize,
    values: Vec<f32>,
}

impl Distances {
    fn of(vectors: &Vectors) -> Self {
        let n = vectors.len();
        let rows: Vec<Vec<f32>> = parallel::map_range(n, |row| {
            let mut dense = vec![0.0; vectors.stride()];
            vectors.write_to(row, &mut dense);
            (row + 1..n).map(|other| (1.0 - vectors.dot(other, &dense)).max(0.0)).collect()
        });
        Self { n, values: rows.concat() }
    }

    fn place(&self, a: usize, b: usize) -> usize {
        let (a, b) = (a.min(b), a.max(b));
        a * (2 * self.n - a - 1) / 2 + (b - a - 1)
    }

    fn get(&self, a: usize, b: usize) -> f32 {
        self.values[self.place(a, b)]
    }

    fn set(&mut self, a: usize, b: usize, distance: f32) {
        let place = self.place(a, b);
        self.values[place] = distance;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(angles: &[f32], distance: f64, most: usize, expect: &[&[usize]]) {
        let rows =
            angles.iter().map(|a| vec![(0, a.to_radians().cos()), (1, a.to_radians().sin())]);
        let vectors = Vectors::of_rows(2, rows);
        assert_eq!(
            link(&vectors, &vec![1; angles.len()], Cut { distance, most, farthest: 0.9 }),
            expect
        );
    }

    #[test]
    fn near_rows_are_joined() {
        check(&[], 0.5, 9, &[]);
        check(&[10.0], 0.5, 9, &[&[0]]);
        check(&[0.0, 1.0, 60.0, 61.0, 0.5], 0.1, 9, &[&[0, 1, 4], &[2, 3]]);
        check(&[0.0, 30.0, 60.0, 90.0], 2.0, 9, &[&[0, 1, 2, 3]]);
        check(&[0.0, 30.0, 60.0, 90.0], 0.0, 9, &[&[0], &[1], &[2], &[3]]);
        check(&[0.0, 20.0, 60.0, 90.0], 0.0, 3, &[&[0, 1], &[2], &[3]]);
        check(&[0.0, 20.0, 60.0, 90.0], 0.0, 1, &[&[0, 1, 2, 3]]);
        check(&[0.0, 20.0, 110.0, 112.0], 0.0, 1, &[&[0, 1], &[2, 3]]);
    }
}
