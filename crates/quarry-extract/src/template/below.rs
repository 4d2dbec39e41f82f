//! Sums over what lies below each element of a record. Its children, the length of its text, how
//! far its texts are from it: each counted once for the whole record, not once for every element
//! around.

use super::forest::{Forest, Item};
use crate::page::hash;

/// A sum that gives average and deviation.
#[derive(Clone, Copy, Default)]
pub(crate) struct Spread {
    pub(crate) count: f64,
    sum: f64,
    squares: f64,
}

impl Spread {
    pub(crate) fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    pub(crate) fn merge(&mut self, other: Spread) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    pub(crate) fn average(self) -> f64 {
        if self.count > 0.0 { self.sum / self.count } else { 0.0 }
    }

    pub(crate) fn deviation(self) -> f64 {
        let average = self.average();
        if self.count > 0.0 {
            (self.squares / self.count - average * average).max(0.0).sqrt()
        } else {
            0.0
        }
    }
}

/// The children of each element, and of the record itself, as positions.
pub(crate) struct Families {
    /// All positions by parent, those without one last.
    children: Vec<usize>,
    /// Where each family ends.
    ends: Vec<usize>,
}

pub(crate) fn families(forest: &Forest<'_>) -> Families {
    let count = forest.items.len();
    let parent = |item: &Item| (item.parent as usize).min(count);
    let mut ends = vec![0usize; count + 1];
    for item in &forest.items {
        ends[parent(item)] += 1;
    }
    let mut sum = 0;
    for end in &mut ends {
        sum += std::mem::replace(end, sum);
    }
    let mut children = vec![0; count];
    for (position, item) in forest.items.iter().enumerate() {
        let next = &mut ends[parent(item)];
        children[*next] = position;
        *next += 1;
    }
    Families { children, ends }
}

impl Families {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[usize]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let families = starts.zip(&self.ends).map(|(start, &end)| &self.children[start..end]);
        families.filter(|children| !children.is_empty())
    }
}

/// Sums over the items before each position: what lies below an item is the difference of two of them.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Characters of shown text, white space aside.
    chars: usize,
    texts: usize,
    /// Depths of texts, and their squares.
    depths: usize,
    squares: usize,
}

/// What lies below each item of a record.
pub(crate) struct Below<'a> {
    sums: Vec<Sums>,
    /// The texts, trimmed, with their hashes.
    texts: Vec<(&'a str, u64)>,
    /// The first text at or behind each position.
    next_text: Vec<usize>,
}

impl<'a> Below<'a> {
    pub(crate) fn of(forest: &Forest<'a>) -> Self {
        let count = forest.items.len();
        let mut sums = Vec::with_capacity(count + 1);
        let mut texts = Vec::new();
        let mut sum = Sums::default();
        sums.push(sum);
        for item in &forest.items {
            if item.is_text {
                let text = forest.document.text(item.node);
                let depth = forest.document.depth(item.node);
                sum.chars += text.chars().filter(|char| !char.is_whitespace()).count();
                sum.texts += 1;
                let trimmed = text.trim();
                texts.push((trimmed, hash::of(trimmed)));
                sum.depths += depth;
                sum.squares += depth * depth;
            }
            sums.push(sum);
        }
        let mut next_text = vec![count; count + 1];
        for (position, item) in forest.items.iter().enumerate().rev() {
            next_text[position] = if item.is_text { position } else { next_text[position + 1] };
        }
        Self { sums, texts, next_text }
    }

    /// The characters of shown text below an item, white space aside.
    pub(crate) fn chars(&self, forest: &Forest<'_>, position: usize) -> f64 {
        let end = forest.items[position].end as usize;
        (self.sums[end].chars - self.sums[position].chars) as f64
    }

    /// The first text below an item, and its hash.
    pub(crate) fn own_text(&self, forest: &Forest<'_>, position: usize) -> Option<(&'a str, u64)> {
        let text = self.next_text[position];
        let inside = text < forest.items[position].end as usize;
        inside.then(|| self.texts[self.sums[text].texts])
    }

    /// Whether elements lie below an item.
    pub(crate) fn holds_elements(&self, forest: &Forest<'_>, position: usize) -> bool {
        let end = forest.items[position].end as usize;
        self.sums[end].texts - self.sums[position + 1].texts < end - position - 1
    }

    /// How far the texts below an item are from it.
    pub(crate) fn distances(&self, forest: &Forest<'_>, position: usize) -> Spread {
        let item = &forest.items[position];
        let (from, to) = (self.sums[position], self.sums[item.end as usize]);
        let depth = forest.document.depth(item.node) as f64;
        let count = (to.texts - from.texts) as f64;
        let sum = (to.depths - from.depths) as f64;
        let squares = (to.squares - from.squares) as f64;
        Spread {
            count,
            sum: sum - count * depth,
            squares: squares - 2.0 * depth * sum + count * depth * depth,
        }
    }
}
