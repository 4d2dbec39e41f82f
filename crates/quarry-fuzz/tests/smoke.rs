//! Do the targets hold on their seeds and on a few thousand changes of them? The same bodies as
//! `cargo fuzz` runs, on a stable compiler and in seconds. Each run tries the same inputs.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use quarry_fuzz::TARGETS;

/// Changed inputs per target.
const CHANGED: usize = 2_000;
/// Longest changed input, in bytes.
const LONGEST: usize = 4 << 10;

#[test]
fn targets_hold_on_changed_seeds() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz"));
    // The targets are independent, and so may run side by side.
    std::thread::scope(|scope| {
        for (number, &(name, target)) in TARGETS.iter().enumerate() {
            scope.spawn(move || {
                let seeds = seeds(&root.join("seeds").join(name));
                let words = words(&root.join("dictionaries").join(format!("{name}.dict")));
                let mut changes = Changes { random: number as u64, seeds: &seeds, words: &words };
                for seed in &seeds {
                    hold(name, target, seed);
                }
                for _ in 0..CHANGED {
                    hold(name, target, &changes.next());
                }
            });
        }
    });
}

/// Calls the target; where it fails, leaves the input in a file and says where.
fn hold(name: &str, target: fn(&[u8]), input: &[u8]) {
    if catch_unwind(AssertUnwindSafe(|| target(input))).is_err() {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("failed-{name}"));
        fs::write(&path, input).expect("the target folder can be written to");
        panic!("target {name} fails on {}: {:?}", path.display(), input.escape_ascii().to_string());
    }
}

fn seeds(folder: &Path) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(folder).expect("every target has seeds");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("seeds can be listed").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("seeds can be read")).collect()
}

/// The words of a dictionary of libFuzzer: one a line, in quotes, bytes as `\x00`.
fn words(path: &Path) -> Vec<Vec<u8>> {
    let text = fs::read_to_string(path).expect("every target has a dictionary");
    let quoted = text.lines().filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    quoted.map(unescaped).collect()
}

fn unescaped(word: &str) -> Vec<u8> {
    let mut parts = word.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (hex, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(hex, 16).expect("two hexadecimal digits"));
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}

/// An endless row of changed seeds, the same one for the same start.
struct Changes<'a> {
    random: u64,
    seeds: &'a [Vec<u8>],
    words: &'a [Vec<u8>],
}

impl Changes<'_> {
    fn next(&mut self) -> Vec<u8> {
        let mut input = self.pick(self.seeds).clone();
        for _ in 0..=self.below(4) {
            self.change(&mut input);
        }
        input.truncate(LONGEST);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.below(input.len() + 1);
        let end = (at + 1 + self.below(24)).min(input.len());
        match self.below(8) {
            0 if at < input.len() => input[at] ^= 1 << self.below(8),
            1 if at < input.len() => input[at] = self.below(256) as u8,
            2 => drop(input.drain(at..end)),
            3 => input.truncate(at),
            4 => {
                let piece = input[at..end].repeat(1 + self.below(8));
                input.splice(at..at, piece);
            }
            5 => {
                let other = self.pick(self.seeds);
                let from = self.below(other.len() + 1);
                input.splice(at.., other[from..].iter().copied());
            }
            _ => {
                let word = self.pick(self.words).clone();
                input.splice(at..at, word);
            }
        }
    }

    fn pick<'b, T>(&mut self, of: &'b [T]) -> &'b T {
        &of[self.below(of.len())]
    }

    fn below(&mut self, end: usize) -> usize {
        (self.split_mix() % end as u64) as usize
    }

    /// Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
    fn split_mix(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
