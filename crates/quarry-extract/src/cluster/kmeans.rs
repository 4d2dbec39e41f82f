//! Which pages belong together, when the number of groups is known? K-means on the cosine, tried
//! from several starts, the one with the best internal similarity kept (THOR §3.1.2, §3.1.4).
//! Starts are drawn by a fixed rule: the same vectors give the same partition, always.

use rayon::prelude::*;

use super::signature::mix;
use super::vectors::Vectors;

/// How k-means looks for its partition.
#[derive(Debug, Clone, PartialEq)]
pub struct KMeansConfig {
    /// How many starts are tried. The paper's M: 10 "provided a balance" (§4.1).
    pub restarts: usize,
    /// At most this many rounds from each start.
    pub rounds: usize,
    /// The starts are tried on at most this many rows; the best result is then refined on all of
    /// them. Internal similarity of 110,000 rows differs by less than 1e-4 from trying all starts
    /// on all rows, at a tenth of the time.
    pub sample: usize,
}

impl Default for KMeansConfig {
    fn default() -> Self {
        Self { restarts: 10, rounds: 100, sample: 4096 }
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
    let tried: Vec<Centres> = (0..config.restarts.max(1))
        .into_par_iter()
        .map(|restart| {
            let mut centres = start(rows, row_times, k, restart);
            centres.settle(rows, row_times, config.rounds);
            centres
        })
        .collect();
    let mut best = tried
        .into_iter()
        .reduce(|best, next| if next.similarity > best.similarity { next } else { best })
        .expect("there is at least one start");
    if part.is_some() {
        best.settle(vectors, times, config.rounds);
    }
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
/// Rounds end when the mean similarity grows by less than this.
const LEAST_GAIN: f64 = 1e-7;

impl Centres {
    fn k(&self) -> usize {
        self.values.len() / self.stride
    }

    /// The nearest centre of a row and its similarity; the first one where several are equal.
    #[inline]
    fn nearest(&self, vectors: &Vectors, row: usize) -> (u32, f32) {
        let mut best = (0, f32::NEG_INFINITY);
        for (group, centre) in (0u32..).zip(self.values.chunks_exact(self.stride)) {
            let similarity = vectors.dot(row, centre);
            if similarity > best.1 {
                best = (group, similarity);
            }
        }
        best
    }

    /// Assigns rows and moves centres in turn until nothing changes.
    fn settle(&mut self, vectors: &Vectors, times: &[u32], rounds: usize) {
        let n = vectors.len();
        let pages: f64 = times.iter().map(|t| f64::from(*t)).sum();
        let unset = u32::MAX;
        self.groups = vec![unset; n];
        self.similarity = f64::NEG_INFINITY;
        let mut sums = vec![0.0f64; self.values.len()];
        let mut sizes = vec![0u64; self.k()];
        let mut found = vec![(unset, 0.0f32); n];
        for _ in 0..rounds.max(1) {
            found.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, found)| {
                for (i, found) in found.iter_mut().enumerate() {
                    *found = self.nearest(vectors, chunk * CHUNK + i);
                }
            });
            let (mut similarity, mut moved) = (0.0, false);
            for (row, (group, near)) in found.iter().enumerate() {
                let count = f64::from(times[row]);
                similarity += f64::from(*near) * count;
                let before = self.groups[row];
                if before == *group {
                    continue;
                }
                moved = true;
                if before != unset {
                    let at = before as usize * self.stride;
                    vectors.add_to(row, -count, &mut sums[at..at + self.stride]);
                    sizes[before as usize] -= 1;
                }
                let at = *group as usize * self.stride;
                vectors.add_to(row, count, &mut sums[at..at + self.stride]);
                sizes[*group as usize] += 1;
                self.groups[row] = *group;
            }
            let similarity = similarity / pages.max(1.0);
            let gained = similarity - self.similarity;
            self.similarity = similarity;
            if !moved || (0.0..LEAST_GAIN).contains(&gained) {
                break;
            }
            for (centre, sum) in
                self.values.chunks_exact_mut(self.stride).zip(sums.chunks_exact(self.stride))
            {
                // A centre that lost all its rows stays where it was.
                if sum.iter().any(|s| s.abs() > 1e-9) {
                    for (value, unit) in centre.iter_mut().zip(unit(sum)) {
                        *value = unit;
                    }
                }
            }
        }
    }

    /// Groups numbered without gaps.
    fn into_partition(self) -> Partition {
        let mut used = vec![false; self.k()];
        for group in &self.groups {
            used[*group as usize] = true;
        }
        let mut next = 0u32;
        let number: Vec<u32> = used
            .iter()
            .map(|used| {
                let number = next;
                next += u32::from(*used);
                number
            })
            .collect();
        let groups = self.groups.iter().map(|g| number[*g as usize]).collect();
        Partition { groups, k: next as usize, similarity: self.similarity.clamp(0.0, 1.0) }
    }
}

/// The vector of length one in this direction.
fn unit(sum: &[f64]) -> impl Iterator<Item = f32> + '_ {
    let length = sum.iter().map(|s| s * s).sum::<f64>().sqrt();
    sum.iter().map(move |s| if length > 0.0 { (s / length) as f32 } else { 0.0 })
}

/// Centres to start from. The first start takes the row that is least like all others together,
/// then always the row that is farthest from those taken. The others draw rows with a chance that
/// grows with the squared distance (k-means++), by numbers that depend on the restart only.
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
        let drawn = if restart == 0 {
            farthest(&far)
        } else {
            let number = mix(restart as u64, nth as u64) >> 11;
            draw(&far, times, number as f64 / (1u64 << 53) as f64, nth == 0)
        };
        let mut centre = vec![0.0; stride];
        vectors.write_to(drawn, &mut centre);
        for (row, far) in far.iter_mut().enumerate() {
            let distance = f64::from(1.0 - vectors.dot(row, &centre)).max(0.0);
            *far = if nth == 0 { distance } else { far.min(distance) };
        }
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
