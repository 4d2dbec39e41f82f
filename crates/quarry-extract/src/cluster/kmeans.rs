//! K-means for a known number of groups. K-means on the cosine, tried from several starts, the one
//! with the best internal similarity kept (THOR §3.1.2, §3.1.4). Starts are drawn by a fixed rule:
//! the same vectors give the same partition, always.

use rayon::prelude::*;

use super::signature::mix;
use super::vectors::Vectors;

use crate::parallel;

/// How k-means looks for its partition.
#[derive(Debug, Clone, PartialEq)]
pub struct KMeansConfig {
    /// How many starts are tried. The paper's M: 10 "provided a balance" (§4.1).
    pub restarts: usize,
    /// At most this many rounds from each start.
    pub rounds: usize,
    /// The starts are tried on at most this many rows; the best results are then refined on all of
    /// them. `docs/algorithms/cluster.md` has the time and similarity with and without.
    pub sample: usize,
}

impl Default for KMeansConfig {
    fn default() -> Self {
        Self { restarts: 10, rounds: 100, sample: 512 }
    }
}

/// Rows in groups.
#[derive(Debug, Clone, PartialEq)]
pub struct Partition {
    /// The group of each row.
    pub groups: Vec<u32>,
    /// How many groups there are, all with at least one row.
    pub k: usize,
    /// Mean cosine between a row and the centre of its group: the internal similarity of §3.1.4,
    /// as a mean.
    pub similarity: f64,
}

/// Parts rows into at most `k` groups. `times[i]` says how often row `i` counts.
///
/// ```
/// use quarry_extract::cluster::{KMeansConfig, Vectors, k_means};
/// let rows = [[(0, 1.0)], [(0, 2.0)], [(1, 3.0)]].map(|row| row.to_vec());
/// let vectors = Vectors::of_rows(2, rows.into_iter());
/// let found = k_means(&vectors, &[1, 1, 1], 2, &KMeansConfig::default());
/// assert_eq!(found.groups, [0, 0, 1]);
/// assert_eq!(found.similarity, 1.0);
/// ```
#[must_use]
pub fn k_means(vectors: &Vectors, times: &[u32], k: usize, config: &KMeansConfig) -> Partition {
    let k = k.min(vectors.len());
    if k == 0 {
        return Partition { groups: Vec::new(), k: 0, similarity: 1.0 };
    }
    let places = sample(vectors.len(), config.sample.max(k));
    let part = (places.len() < vectors.len()).then(|| {
        let times: Vec<u32> = places.iter().map(|at| times[*at]).collect();
        (vectors.select(&places), times)
    });
    let (rows, row_times) = part.as_ref().map_or((vectors, times), |(v, t)| (v, t.as_slice()));
    let mut tried: Vec<Centres> = parallel::map_range(config.restarts.max(1), |restart| {
        let mut centres = start(rows, row_times, k, restart);
        centres.settle(rows, row_times, config.rounds);
        centres
    });
    // Stable: of equal results the first start's comes first.
    tried.sort_by(|a, b| b.similarity.total_cmp(&a.similarity));
    tried.truncate(FINALISTS);
    if part.is_some() {
        for centres in &mut tried {
            centres.settle(vectors, times, config.rounds);
        }
    }
    let best = tried
        .into_iter()
        .reduce(|best, next| if next.similarity > best.similarity { next } else { best })
        .expect("there is at least one start");
    best.into_partition()
}

/// Parts rows into groups around given ones: `seeds[g]` lists the rows that group `g` starts with.
pub(crate) fn refine(
    vectors: &Vectors,
    times: &[u32],
    seeds: &[Vec<usize>],
    rounds: usize,
) -> Partition {
    let stride = vectors.stride();
    let mut values = Vec::with_capacity(seeds.len() * stride);
    for seed in seeds {
        let mut sum = vec![0.0; stride];
        for row in seed {
            vectors.add_to(*row, f64::from(times[*row]), &mut sum);
        }
        values.extend(unit(&sum));
    }
    let mut centres = Centres { stride, values, groups: Vec::new(), similarity: 0.0 };
    centres.settle(vectors, times, rounds);
    centres.into_partition()
}

/// Places spread evenly over `0..n`, at most `most`. Rows come in an order that does not depend on
/// the order of pages, so neither does the sample.
pub(crate) fn sample(n: usize, most: usize) -> Vec<usize> {
    if n <= most {
        return (0..n).collect();
    }
    (0..most).map(|i| i * n / most).collect()
}

/// The centres of groups, each of length one, and who belongs to them.
struct Centres {
    stride: usize,
    /// A row of `stride` numbers for each centre.
    values: Vec<f32>,
    groups: Vec<u32>,
    similarity: f64,
}

/// Rows that one task looks at.
const CHUNK: usize = 2048;
/// The best results on the sample that are refined on all rows.
const FINALISTS: usize = 3;
/// Rows that are drawn for a centre; the one that leaves the least distance is kept.
const DRAWS: u64 = 3;
/// Rounds end when the mean similarity grows by less than this.
const LEAST_GAIN: f64 = 1e-7;

impl Centres {
    fn k(&self) -> usize {
        self.values.len() / self.stride
    }

    fn centre(&self, group: u32) -> &[f32] {
        let at = group as usize * self.stride;
        &self.values[at..at + self.stride]
    }

    /// The nearest centre of a row, the first one where several are equal, with the distances to
    /// it and to the next.
    #[inline]
    fn nearest(&self, vectors: &Vectors, row: usize) -> Near {
        let (mut group, mut best, mut next) = (0, f32::NEG_INFINITY, f32::NEG_INFINITY);
        for (at, centre) in (0u32..).zip(self.values.chunks_exact(self.stride)) {
            let similarity = vectors.dot(row, centre);
            if similarity > best {
                (group, next, best) = (at, best, similarity);
            } else if similarity > next {
                next = similarity;
            }
        }
        Near { group, upper: distance(best), lower: distance(next) }
    }

    /// Assigns rows and moves centres in turn until nothing changes. A row is looked at again only
    /// when the centres have moved so far that another one could be nearer (G. Hamerly, "Making
    /// k-means even faster", 2010).
    fn settle(&mut self, vectors: &Vectors, times: &[u32], rounds: usize) {
        let pages: f64 = times.iter().map(|t| f64::from(*t)).sum();
        let unset = Near { group: u32::MAX, upper: f32::INFINITY, lower: f32::NEG_INFINITY };
        let mut near = vec![unset; vectors.len()];
        self.groups = vec![unset.group; vectors.len()];
        self.similarity = f64::NEG_INFINITY;
        let mut sums = vec![0.0f64; self.values.len()];
        // How far each centre moved, and how far the one that moved most.
        let (mut moves, mut most) = (vec![0.0f32; self.k()], 0.0f32);
        for _ in 0..rounds.max(1) {
            near.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, near)| {
                for (i, near) in near.iter_mut().enumerate() {
                    let row = chunk * CHUNK + i;
                    if near.group != unset.group {
                        near.upper += moves[near.group as usize];
                        near.lower -= most;
                        if near.upper + SLACK < near.lower {
                            continue;
                        }
                        near.upper = distance(vectors.dot(row, self.centre(near.group)));
                        if near.upper + SLACK < near.lower {
                            continue;
                        }
                    }
                    *near = self.nearest(vectors, row);
                }
            });
            let mut moved = false;
            for (row, near) in near.iter().enumerate() {
                let before = self.groups[row];
                if before == near.group {
                    continue;
                }
                moved = true;
                let count = f64::from(times[row]);
                if before != unset.group {
                    let at = before as usize * self.stride;
                    vectors.add_to(row, -count, &mut sums[at..at + self.stride]);
                }
                let at = near.group as usize * self.stride;
                vectors.add_to(row, count, &mut sums[at..at + self.stride]);
                self.groups[row] = near.group;
            }
            // The sum of the rows' similarities to a centre is that of their sum.
            let total: f64 =
                sums.iter().zip(&self.values).map(|(sum, value)| sum * f64::from(*value)).sum();
            let gained = total / pages.max(1.0) - self.similarity;
            self.similarity = total / pages.max(1.0);
            if !moved || (0.0..LEAST_GAIN).contains(&gained) {
                break;
            }
            most = 0.0;
            let centres = self.values.chunks_exact_mut(self.stride).zip(&mut moves);
            for ((centre, way), sum) in centres.zip(sums.chunks_exact(self.stride)) {
                *way = 0.0;
                // A centre that lost all its rows stays where it was.
                if sum.iter().any(|s| s.abs() > 1e-9) {
                    let mut squares = 0.0;
                    for (value, unit) in centre.iter_mut().zip(unit(sum)) {
                        squares += (unit - *value).powi(2);
                        *value = unit;
                    }
                    *way = squares.sqrt();
                }
                most = most.max(*way);
            }
        }
    }

    /// Groups numbered by their first rows, without gaps.
    fn into_partition(self) -> Partition {
        let mut number = vec![None; self.k()];
        let mut next = 0u32;
        let mut groups = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let number = number[*group as usize].get_or_insert_with(|| {
                next += 1;
                next - 1
            });
            groups.push(*number);
        }
        Partition { groups, k: next as usize, similarity: self.similarity.clamp(0.0, 1.0) }
    }
}

/// The centre that a row is nearest to.
#[derive(Clone, Copy)]
struct Near {
    group: u32,
    /// The row is at most this far from it.
    upper: f32,
    /// The row is at least this far from any other.
    lower: f32,
}

/// Distances of vectors of length one are wrong by at most this, for the rounding of their cosine.
const SLACK: f32 = 5e-4;

/// The distance of two vectors of length one with this cosine.
fn distance(cosine: f32) -> f32 {
    (2.0 - 2.0 * cosine).max(0.0).sqrt()
}

/// The vector of length one in this direction.
fn unit(sum: &[f64]) -> impl Iterator<Item = f32> + '_ {
    let length = sum.iter().map(|s| s * s).sum::<f64>().sqrt();
    sum.iter().map(move |s| if length > 0.0 { (s / length) as f32 } else { 0.0 })
}

/// Centres to start from. The first start takes the row that is least like all others together,
/// then always the row that is farthest from those taken. The others draw rows with a chance that
/// grows with the squared distance and keep the best of a few (greedy k-means++), by numbers that
/// depend on the restart only.
fn start(vectors: &Vectors, times: &[u32], k: usize, restart: usize) -> Centres {
    let (n, stride) = (vectors.len(), vectors.stride());
    let mut mean = vec![0.0; stride];
    for (row, times) in times.iter().enumerate() {
        vectors.add_to(row, f64::from(*times), &mut mean);
    }
    let mean: Vec<f32> = unit(&mean).collect();
    // Half the squared distance to the nearest centre; at first, to the mean.
    let mut far: Vec<f64> =
        (0..n).map(|row| f64::from(1.0 - vectors.dot(row, &mean)).max(0.0)).collect();
    let mut values = Vec::with_capacity(k * stride);
    for nth in 0..k {
        let drawn: Vec<usize> = if restart == 0 {
            vec![farthest(&far)]
        } else {
            let draws = if nth == 0 { 1 } else { DRAWS };
            let number = |draw| mix(mix(restart as u64, nth as u64), draw) >> 11;
            (0..draws)
                .map(|i| draw(&far, times, number(i) as f64 / (1u64 << 53) as f64, nth == 0))
                .collect()
        };
        let taken = drawn.into_iter().map(|row| {
            let mut centre = vec![0.0; stride];
            vectors.write_to(row, &mut centre);
            let distance = |row| f64::from(1.0 - vectors.dot(row, &centre)).max(0.0);
            let near: Vec<f64> = (far.iter().enumerate())
                .map(|(row, far)| if nth == 0 { distance(row) } else { far.min(distance(row)) })
                .collect();
            let left: f64 = near.iter().zip(times).map(|(d, t)| d * f64::from(*t)).sum();
            (left, centre, near)
        });
        let best = taken.reduce(|best, next| if next.0 < best.0 { next } else { best });
        let (_, centre, near) = best.expect("at least one row is drawn");
        far = near;
        values.extend(centre);
    }
    Centres { stride, values, groups: Vec::new(), similarity: 0.0 }
}

fn farthest(far: &[f64]) -> usize {
    let mut best = 0;
    for (row, distance) in far.iter().enumerate() {
        if *distance > far[best] {
            best = row;
        }
    }
    best
}

/// The row at which the running sum of weights passes this share of all.
fn draw(far: &[f64], times: &[u32], share: f64, evenly: bool) -> usize {
    let weight = |row: usize| f64::from(times[row]) * if evenly { 1.0 } else { far[row] };
    let all: f64 = (0..far.len()).map(weight).sum();
    let mut left = share * all;
    for row in 0..far.len() {
        left -= weight(row);
        if left < 0.0 {
            return row;
        }
    }
    farthest(far)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows along `k` axes, each with some noise in a dimension of its own.
    fn bundles(k: u32, rows: u32) -> Vectors {
        let row = |i: u32| vec![(i % k, 10.0), (k + i, 1.0)];
        Vectors::of_rows((k + rows) as usize, (0..rows).map(row))
    }

    #[test]
    fn bundles_are_found() {
        for (k, rows) in [(1, 1), (1, 7), (3, 3), (3, 60), (5, 300), (8, 6000)] {
            let vectors = bundles(k, rows);
            let times = vec![1; rows as usize];
            let found = k_means(&vectors, &times, k as usize, &KMeansConfig::default());
            assert_eq!(found.k, k as usize);
            for i in 0..rows as usize {
                assert_eq!(found.groups[i], found.groups[i % k as usize], "{k} {rows} {i}");
            }
        }
    }

    #[test]
    fn odd_input_is_answered() {
        let config = KMeansConfig { restarts: 0, rounds: 0, sample: 0 };
        let none = Vectors::of_rows(3, std::iter::empty());
        assert_eq!(k_means(&none, &[], 4, &config).k, 0);
        let zeros = Vectors::of_rows(0, (0..4).map(|_| Vec::new()));
        let found = k_means(&zeros, &[1; 4], 3, &config);
        assert_eq!(found.groups.len(), 4);
        let equal = Vectors::of_rows(1, (0..4).map(|_| vec![(0, 1.0)]));
        assert_eq!(k_means(&equal, &[1; 4], 3, &KMeansConfig::default()).k, 1);
    }
}
