//! Vectors of page signatures. Weighted, normalised vectors, so that the cosine of two pages is
//! their dot product (THOR §3.1.2), arranged for speed: few dimensions are stored densely, many as
//! sorted pairs.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::signature::Bag;

/// What a feature's count is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Weighting {
    /// The paper's: `log(tf + 1) · log((n + 1) / n_k)` (THOR §3.1.2).
    TfIdf,
    /// What the feature tells about the partition of the pages: the entropy of its presence, in
    /// bits, plus what all pages share keeps. A block that a tenth of a template's
    /// pages have weighs little, where the paper's weight makes it the loudest part of the page.
    Information {
        /// The weight that a feature of every page keeps.
        base: f64,
        /// Divided by the number of pages, a weight that every feature gets: from three pages one
        /// cannot tell what is optional, so there all features count nearly alike.
        prior: f64,
    },
}

/// Vectors of length one (or zero), a row for each page.
#[derive(Debug, Clone, PartialEq)]
pub struct Vectors {
    dimensions: usize,
    store: Store,
}

#[derive(Debug, Clone, PartialEq)]
enum Store {
    /// Rows of `stride` numbers; the last are zero.
    Dense { stride: usize, values: Vec<f32> },
    /// Row `i` is `entries[starts[i]..starts[i + 1]]`, by dimension.
    Sparse { starts: Vec<usize>, entries: Vec<(u32, f32)> },
}

/// Dense rows are padded to a multiple of this many numbers, the width of a vector register.
pub(crate) const LANES: usize = 8;
/// Rows with at most this many dimensions are stored densely.
const DENSE_DIMENSIONS: usize = 96;

impl Vectors {
    /// Vectors of the bags, weighted. `times[i]` says how many pages have the bag `bags[i]`.
    #[must_use]
    pub fn of_bags(bags: &[&Bag], times: &[u32], weighting: Weighting) -> Self {
        let pages: f64 = times.iter().map(|t| f64::from(*t)).sum();
        let mut presence: HashMap<u64, u64, BuildHasherDefault<Itself>> = HashMap::default();
        for (bag, times) in bags.iter().zip(times) {
            for (feature, _) in bag.entries() {
                *presence.entry(*feature).or_default() += u64::from(*times);
            }
        }
        let mut presence: Vec<(u64, u64)> = presence.into_iter().collect();
        presence.sort_unstable();
        // Features in order, each with its dimension (its place) and its weight.
        let features: Vec<(u64, f64)> = presence
            .into_iter()
            .map(|(feature, n)| {
                let weight = match weighting {
                    Weighting::TfIdf => ((pages + 1.0) / n as f64).ln(),
                    Weighting::Information { base, prior } => {
                        base + prior / pages.max(1.0) + bits(n as f64 / pages)
                    }
                };
                (feature, weight)
            })
            .collect();
        let rows = bags.iter().map(|bag| {
            let mut at = 0;
            let weighted = bag.entries().iter().map(|(feature, count)| {
                at += features[at..].partition_point(|(f, _)| f < feature);
                let count = match weighting {
                    Weighting::TfIdf => f64::from(count + 1).ln(),
                    Weighting::Information { .. } => 1.0,
                };
                let dimension = u32::try_from(at).expect("fewer than 2^32 different features");
                (dimension, (features[at].1 * count) as f32)
            });
            weighted.collect::<Vec<_>>()
        });
        Self::of_rows(features.len(), rows)
    }

    /// Vectors of given rows: pairs of dimension and weight, by dimension. Each is made of length
    /// one.
    pub fn of_rows(dimensions: usize, rows: impl Iterator<Item = Vec<(u32, f32)>>) -> Self {
        let dense = dimensions <= DENSE_DIMENSIONS;
        let stride = dimensions.next_multiple_of(LANES).max(LANES);
        let (mut values, mut starts, mut entries) = (Vec::new(), vec![0], Vec::new());
        for mut row in rows {
            let length = row.iter().map(|(_, w)| f64::from(*w).powi(2)).sum::<f64>().sqrt();
            for (_, weight) in &mut row {
                *weight = if length > 0.0 { (f64::from(*weight) / length) as f32 } else { 0.0 };
            }
            if dense {
                let start = values.len();
                values.resize(start + stride, 0.0);
                for (dimension, weight) in row {
                    values[start + dimension as usize] = weight;
                }
            } else {
                entries.extend(row.into_iter().filter(|(_, w)| *w != 0.0));
                starts.push(entries.len());
            }
        }
        let store =
            if dense { Store::Dense { stride, values } } else { Store::Sparse { starts, entries } };
        Self { dimensions, store }
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.store {
            Store::Dense { stride, values } => values.len() / stride,
            Store::Sparse { starts, .. } => starts.len() - 1,
        }
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The length of a dense row that can take any of these vectors.
    pub(crate) fn stride(&self) -> usize {
        match &self.store {
            Store::Dense { stride, .. } => *stride,
            Store::Sparse { .. } => self.dimensions.next_multiple_of(LANES).max(LANES),
        }
    }

    /// The rows at these places, in this order.
    #[must_use]
    pub fn select(&self, places: &[usize]) -> Self {
        let store = match &self.store {
            Store::Dense { stride, values } => {
                let rows = places.iter().flat_map(|at| &values[at * stride..(at + 1) * stride]);
                Store::Dense { stride: *stride, values: rows.copied().collect() }
            }
            Store::Sparse { starts, entries } => {
                let (mut new_starts, mut new_entries) = (vec![0], Vec::new());
                for at in places {
                    new_entries.extend_from_slice(&entries[starts[*at]..starts[at + 1]]);
                    new_starts.push(new_entries.len());
                }
                Store::Sparse { starts: new_starts, entries: new_entries }
            }
        };
        Self { dimensions: self.dimensions, store }
    }

    /// The dot product of a row with a dense vector of [`Vectors::stride`] numbers.
    #[inline]
    pub(crate) fn dot(&self, row: usize, dense: &[f32]) -> f32 {
        match &self.store {
            Store::Dense { stride, values } => {
                dense_dot(&values[row * stride..(row + 1) * stride], dense)
            }
            Store::Sparse { starts, entries } => entries[starts[row]..starts[row + 1]]
                .iter()
                .map(|(dimension, weight)| weight * dense[*dimension as usize])
                .sum(),
        }
    }

    /// Adds `times` a row to a dense vector.
    #[inline]
    pub(crate) fn add_to(&self, row: usize, times: f64, sum: &mut [f64]) {
        match &self.store {
            Store::Dense { stride, values } => {
                let row = &values[row * stride..(row + 1) * stride];
                for (sum, value) in sum.iter_mut().zip(row) {
                    *sum += times * f64::from(*value);
                }
            }
            Store::Sparse { starts, entries } => {
                for (dimension, weight) in &entries[starts[row]..starts[row + 1]] {
                    sum[*dimension as usize] += times * f64::from(*weight);
                }
            }
        }
    }

    /// Writes a row into a dense vector of zeros.
    pub(crate) fn write_to(&self, row: usize, dense: &mut [f32]) {
        match &self.store {
            Store::Dense { stride, values } => {
                dense.copy_from_slice(&values[row * stride..(row + 1) * stride]);
            }
            Store::Sparse { starts, entries } => {
                for (dimension, weight) in &entries[starts[row]..starts[row + 1]] {
                    dense[*dimension as usize] = *weight;
                }
            }
        }
    }
}

/// A dot product that the compiler turns into vector instructions: one sum for each lane.
#[inline]
fn dense_dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0f32; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    // Pairs first: each addition need not wait for the one before.
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// Features are hashes already.
#[derive(Default)]
struct Itself(u64);

impl Hasher for Itself {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, feature: u64) {
        self.0 = feature;
    }
}

/// The entropy of a yes or no of this probability, in bits.
fn bits(p: f64) -> f64 {
    let part = |p: f64| if p > 0.0 { -p * p.log2() } else { 0.0 };
    part(p) + part(1.0 - p)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dense(vectors: &Vectors, row: usize) -> Vec<f32> {
        let mut dense = vec![0.0; vectors.stride()];
        vectors.write_to(row, &mut dense);
        dense
    }

    #[test]
    fn weights_are_the_papers() {
        // Two pages: tag 1 on both (once, three times), tag 2 on the second (twice).
        let bags = [Bag::count(vec![1]), Bag::count(vec![1, 1, 1, 2, 2])];
        let bags: Vec<&Bag> = bags.iter().collect();
        let vectors = Vectors::of_bags(&bags, &[1, 1], Weighting::TfIdf);
        let (one, two) = (4f64.ln() * 1.5f64.ln(), 3f64.ln() * 3f64.ln());
        let length = one.hypot(two);
        let row = dense(&vectors, 1);
        assert!((f64::from(row[0]) - one / length).abs() < 1e-6);
        assert!((f64::from(row[1]) - two / length).abs() < 1e-6);
        assert_eq!(dense(&vectors, 0)[0], 1.0);
    }

    #[test]
    fn information_is_largest_for_half_of_the_pages() {
        assert_eq!((bits(0.0), bits(0.5), bits(1.0)), (0.0, 1.0, 0.0));
        assert!(bits(0.1) < bits(0.3));
    }

    #[test]
    fn dense_and_sparse_rows_agree() {
        let rows = |dimensions| {
            let rows = (0..5u32).map(|i| vec![(i, 1.0), (i + 1, 2.0), (90, i as f32)]);
            Vectors::of_rows(dimensions, rows)
        };
        let (small, large) = (rows(91), rows(1000));
        for a in 0..5 {
            let (dense_a, dense_b) = (dense(&small, a), dense(&large, a));
            for b in 0..5 {
                assert!((small.dot(b, &dense_a) - large.dot(b, &dense_b)).abs() < 1e-6);
            }
            assert!((small.dot(a, &dense_a) - 1.0).abs() < 1e-6);
        }
        assert_eq!(small.select(&[3, 1]).len(), 2);
        assert_eq!(dense(&large.select(&[3]), 0), dense(&large, 3));
    }
}
