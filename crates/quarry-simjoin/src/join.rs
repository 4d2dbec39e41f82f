//! Joins strings with the seed values that resemble them. An exact join: every pair with a cosine
//! of at least the threshold is found, no other. Here equal strings become one and pieces of work
//! are dealt out; `worker.rs` joins a string, `candidates.rs` says which values it looks at,
//! `attribute.rs` why so few.

use rayon::prelude::*;

use crate::index::SeedIndex;
use crate::intern::Interner;
use crate::worker::Worker;

/// Strings with more words are not joined, and are counted in [`Joined::too_long`].
pub const MAX_WORDS: usize = 512;

/// Strings in a piece of work, at least: below it, starting a worker costs more than it gains.
const LEAST_PIECE: usize = 1 << 11;

/// A string and a seed value that resemble each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Match {
    /// Position of the attribute's column.
    pub attribute: u32,
    /// The value; [`SeedIndex::records`] has its records.
    pub value: u32,
    /// Weak similarity, from the threshold to 1.
    pub cosine: f64,
}

/// What a join found.
#[derive(Debug, Clone, PartialEq)]
pub struct Joined {
    /// For each string, the group of strings that are equal to it.
    groups: Vec<u32>,
    /// Where the matches of each group begin.
    starts: Vec<usize>,
    matches: Vec<Match>,
    too_long: usize,
}

impl Joined {
    /// The matches of the string at a position, by attribute and value.
    pub fn of(&self, string: usize) -> &[Match] {
        self.of_group(self.groups[string])
    }

    /// For each string the number of its group: equal strings are joined once. Groups are numbered in
    /// order of first appearance.
    pub fn groups(&self) -> &[u32] {
        &self.groups
    }

    /// The matches of a group.
    pub fn of_group(&self, group: u32) -> &[Match] {
        let group = group as usize;
        &self.matches[self.starts[group]..self.starts[group + 1]]
    }

    /// The matches of all groups, one after the other.
    pub fn matches(&self) -> &[Match] {
        &self.matches
    }

    /// Different strings that were left out because they have more than [`MAX_WORDS`] words.
    pub fn too_long(&self) -> usize {
        self.too_long
    }
}

impl SeedIndex {
    /// Finds all values with a cosine of at least `threshold` (above 0) to one of the strings, in
    /// parallel. The result does not depend on the number of threads.
    pub fn join<S: AsRef<str> + Sync>(&self, strings: &[S], threshold: f64) -> Joined {
        let mut different = Interner::default();
        let mut firsts: Vec<&str> = Vec::new();
        let mut groups = Vec::with_capacity(strings.len());
        for string in strings {
            let group = different.intern(string.as_ref().as_bytes());
            if group as usize == firsts.len() {
                firsts.push(string.as_ref());
            }
            groups.push(group);
        }
        drop(different);
        let piece = firsts.len().div_ceil(2 * rayon::current_num_threads()).max(LEAST_PIECE);
        let pieces: Vec<(Vec<usize>, Vec<Match>, usize)> = firsts
            .par_chunks(piece)
            .map(|strings| {
                let mut worker = Worker::new(self, threshold);
                let mut counts = Vec::with_capacity(strings.len());
                for string in strings {
                    let before = worker.found.len();
                    worker.join(string);
                    counts.push(worker.found.len() - before);
                }
                (counts, worker.found, worker.too_long)
            })
            .collect();
        let mut joined = Joined { groups, starts: vec![0], matches: Vec::new(), too_long: 0 };
        for (counts, matches, too_long) in pieces {
            let mut end = joined.matches.len();
            joined.starts.extend(counts.iter().map(|count| {
                end += count;
                end
            }));
            joined.matches.extend(matches);
            joined.too_long += too_long;
        }
        joined
    }
}
