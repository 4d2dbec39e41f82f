//! Finds the values that may be similar enough to a string. Bounds by the words of a value, from
//! coarse to fine: the sums of its common words, of its weightiest other word, of its three
//! weightiest words.

use crate::attribute::Attribute;
use crate::trigger::{BLOCK, Glance, HEAVY, Outline, Plan};
use crate::worker::{Query, Worker};

/// The largest of numbers that are not negative.
pub(crate) fn largest(sums: &[f32]) -> f32 {
    // Side by side, so that the compiler may compare several at once.
    const LANES: usize = 8;
    let larger = |a: f32, b: f32| if b > a { b } else { a };
    let (chunks, rest) = sums.as_chunks::<LANES>();
    let mut most = [0.0; LANES];
    for chunk in chunks {
        for (most, sum) in most.iter_mut().zip(chunk) {
            *most = larger(*most, *sum);
        }
    }
    most.iter().chain(rest).copied().fold(0.0, larger)
}

/// Appends the numbers that pass their test. Which do is hard to foretell, so there is no branch: each is
/// written down, and the next one over it if it did not pass.
fn keep(list: &mut Vec<(f32, u32)>, tested: impl ExactSizeIterator<Item = (bool, f32, usize)>) {
    let mut len = list.len();
    list.resize(len + tested.len(), (0.0, 0));
    for (passes, sum, number) in tested {
        list[len] = (sum, number as u32);
        len += usize::from(passes);
    }
    list.truncate(len);
}

impl Worker<'_> {
    /// The largest sum of each class of words.
    pub(crate) fn most(&self, attribute: &Attribute) -> [f32; 3] {
        let most = |from: usize, to: usize| {
            let (first, last) = (from.div_ceil(BLOCK), to / BLOCK);
            if first >= last {
                return largest(&self.sums[from..to]);
            }
            let ends = [&self.sums[from..first * BLOCK], &self.sums[last * BLOCK..to]];
            largest(&[largest(ends[0]), largest(ends[1]), largest(&self.tops[first..last])])
        };
        let (numbers, others) = (attribute.numbers_from, attribute.others_from);
        [most(0, numbers), most(numbers, others), most(others, self.sums.len())]
    }

    /// Finds values of which common words make up a large part. A value need only pass at the one of
    /// its common words that comes first: there no other has a larger sum than the next word's.
    pub(crate) fn find_by_common(&mut self, query: &Query<'_>) {
        let Query { attribute, most: [_, numbers, others], .. } = *query;
        let outlines = &attribute.outlines;
        let sums = self.sums[..attribute.numbers_from].iter().zip(0..);
        self.hits.clear();
        self.hits.extend(sums.filter(|(sum, _)| **sum > 0.0).map(|(sum, word)| (*sum, word)));
        self.hits.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (at, (sum, word)) in self.hits.iter().enumerate() {
            let next = self.hits.get(at + 1).map_or(0.0, |(next, _)| *next);
            for (outline, place) in outlines.row(*word).iter().zip(outlines.range(*word)) {
                if (outline.own + outline.common) * sum < HEAVY {
                    break;
                }
                let common = outline.own * sum + outline.common * next;
                let others = outline.numbers * numbers + outline.others * others;
                if common >= HEAVY && common + others >= 1.0 {
                    self.candidates.push((outline.own * sum, place as u32));
                }
            }
        }
    }

    /// Finds values of which a word that is not common passes its bar. A value need only pass at the
    /// word with the largest sum.
    pub(crate) fn find_by_others(&mut self, query: &Query<'_>, plan: &Plan) {
        let Query { attribute, most, .. } = *query;
        let from = if plan.numbers { attribute.numbers_from } else { attribute.others_from };
        self.hits.clear();
        for block in from / BLOCK..self.tops.len() {
            if self.tops[block] >= plan.least_of_block[block] {
                let words = block * BLOCK..((block + 1) * BLOCK).min(self.sums.len());
                let pairs = self.sums[words.clone()].iter().zip(&plan.least[words.clone()]);
                let hits = pairs.zip(words);
                keep(&mut self.hits, hits.map(|((sum, least), word)| (sum >= least, *sum, word)));
            }
        }
        for (sum, word) in &self.hits {
            let [common, numbers, others] = [most[0], most[1].min(*sum), most[2].min(*sum)];
            let test = |(outline, place): (&Outline, usize)| {
                let own = outline.own * sum;
                let rest = outline.numbers * numbers + outline.others * others;
                (own + outline.common * common + rest >= 1.0, own, place)
            };
            let outlines = attribute.outlines.row(*word).iter();
            keep(&mut self.candidates, outlines.zip(attribute.outlines.range(*word)).map(test));
        }
    }

    /// Looks at the candidates unless their weightiest words rule them out.
    pub(crate) fn glance(&mut self, query: &Query<'_>) {
        let glances = query.attribute.glances.items();
        let mut passing = std::mem::take(&mut self.hits);
        passing.clear();
        let test = |(own, place): &(f32, u32)| {
            let glance: &Glance = &glances[*place as usize];
            let [a, b, c] = glance.others.map(|(word, factor)| self.sums[word as usize] * factor);
            let [d, e, f] = glance.rest;
            let [common, numbers, others] = query.most;
            let sum = own + a + b + c + d * common + e * numbers + f * others;
            (sum >= 1.0, sum, glance.value as usize)
        };
        keep(&mut passing, self.candidates.iter().map(test));
        for (_, value) in &passing {
            self.look(query, *value);
        }
        self.hits = passing;
    }
}
