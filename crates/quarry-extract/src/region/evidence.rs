//! Evidence for and against a list of records being the answer of its page.

use std::collections::BTreeMap;

use quarry_dom::NodeId;
use serde::Serialize;

use super::words::{called, own};
use quarry_dom::key;

use crate::page::RatedPage;
use crate::record::candidate::Candidate;

macro_rules! evidence {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Features about one list of records. Shares are from 0 to 1, amounts are natural
        /// logarithms of 1 + x, so that all have about the same size.
        #[derive(Clone, Copy, PartialEq, Default, Debug, Serialize)]
        pub struct RegionEvidence {
            $($(#[$doc])* pub $name: f64,)*
        }

        impl RegionEvidence {
            /// The names of the features, in their order.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            /// The features in the order of [`RegionEvidence::NAMES`].
            pub fn values(&self) -> Vec<f64> {
                vec![$(self.$name),*]
            }

            /// Features from values in the order of [`RegionEvidence::NAMES`]; missing ones are 0.
            pub fn of(values: &[f64]) -> Self {
                let mut values = values.iter().copied();
                Self { $($name: values.next().unwrap_or(0.0),)* }
            }

            /// The sum of the features, each times its weight.
            pub fn weigh(&self, weights: &RegionEvidence) -> f64 {
                let mut sum = 0.0;
                $(sum += self.$name * weights.$name;)*
                sum
            }
        }
    };
}

evidence! {
    /// Records, at most 30 (log).
    records,
    /// Mean characters of a record, at most 400 (log).
    chars,
    /// How far a record falls short of 30 characters on average, as a share of them.
    thin,
    /// Share of the page's fresh text that the records hold.
    coverage,
    /// Share of the records' text that stands in links.
    linked,
    /// Share of the records' text that other pages of the template show as well.
    stale,
    /// Share of the text in fields that most records have.
    regular,
    /// Fields that most records have (log).
    fields,
    /// Share of records whose text no other record of the list has.
    distinct,
    /// Share of the region's text that is in records.
    purity,
    /// Share of records with a link.
    with_link,
    /// Share of records with a heading.
    with_heading,
    /// Variation of the records' lengths: standard deviation by mean, at most 2.
    uneven,
    /// Sets of anchors that propose just this list (log).
    votes,
    /// Share of the page's text before the first record.
    before,
    /// Levels around the region whose names speak of boilerplate (at most 3).
    boilerplate,
    /// Levels around the region whose names speak of answers (at most 3).
    answers,
    /// 1 where the records' own names speak of boilerplate.
    own_boilerplate,
    /// 1 where records are runs of siblings.
    runs,
    /// Records of the longest other list that lies inside these records and has most of their
    /// text, for each record (log): the records are lists themselves.
    nested,
    /// Share of records whose first link leads where no other record's first link does.
    targets,
    /// How often a record repeats the field that a text stands in, mean over the text (log; 0 where
    /// each field occurs once).
    repeats,
    /// How sure the other pages of the template are of the same list.
    support,
    /// Share of the page's texts and images that the records hold beside one each, by the share of their text that is fresh: the
    /// items of a menu hold one, records several.
    leaves,
    /// Share of the records' text that names options, checkboxes or radio buttons.
    choices,
    /// Mean share of the words in the page's search field that a record repeats.
    echo,
    /// How much the records are groups of another list's records under a heading: the share of their text in that list, by
    /// how much its records vary in number from group to group (at most 1).
    groups,
    /// The probability, on first sight, of the likeliest list that has this whole list in one of its records.
    within,
    /// Elements elsewhere on the page with the path, the style and the fields of the records, as a share of these and the
    /// records.
    left_out,
}

impl RegionEvidence {
    /// The same before the list was compared with those inside and around it.
    pub(crate) fn without_pairs(self) -> Self {
        Self { nested: 0.0, groups: 0.0, within: 0.0, ..self }
    }
}

/// How many members occur only once.
fn distinct(members: &[u64]) -> f64 {
    let mut members = members.to_vec();
    members.sort_unstable();
    members.chunk_by(|one, other| one == other).filter(|same| same.len() == 1).count() as f64
}

/// More records than this say nothing more: menus have hundreds.
const MANY: f64 = 30.0;
/// More characters in a record than this say nothing more.
const LONG: f64 = 400.0;
/// Records of fewer characters are thin: a name, hardly a record.
const THIN: f64 = 30.0;
/// A field belongs to the list if this share of its records has it.
const MIN_FIELD_SHARE: f64 = 0.6;

/// The evidence for a candidate.
pub(crate) fn evidence(page: &RatedPage<'_>, candidate: &Candidate) -> RegionEvidence {
    let document = page.document;
    let count = candidate.spans.len().max(1) as f64;
    let mut gathered = Gathered::default();
    for span in &candidate.spans {
        gathered.add(page, &span.nodes);
    }
    let totals = &gathered;
    let chars = f64::from(totals.chars).max(1.0);
    let page_fresh = f64::from(page.fresh_chars(NodeId::ROOT)).max(1.0);
    let region_chars = f64::from(page.chars(candidate.region)).max(1.0);
    let page_chars = f64::from(page.chars(NodeId::ROOT)).max(1.0);
    let first = candidate.spans.first().map_or(NodeId::ROOT, |span| span.nodes[0]);
    let before: u32 =
        page.leaves[..page.leaf_range(first).start].iter().map(|leaf| leaf.chars).sum();
    let around = called(document, candidate.region);
    let root_called = candidate.roots.first().map(|&root| own(document, root)).unwrap_or_default();
    let (regular, fields) = totals.fields(count);
    let fresh = (f64::from(totals.fresh) / chars).clamp(0.0, 1.0);
    let page_leaves = page.leaves.len().max(1) as f64;
    RegionEvidence {
        records: count.min(MANY).ln_1p(),
        chars: (chars / count).min(LONG).ln_1p(),
        thin: (1.0 - chars / count / THIN).max(0.0),
        coverage: (f64::from(totals.fresh) / page_fresh).min(1.0),
        linked: f64::from(totals.linked) / chars,
        stale: 1.0 - fresh,
        regular,
        fields: (fields as f64).ln_1p(),
        distinct: totals.distinct() / count,
        purity: (chars / region_chars).min(1.0),
        with_link: totals.with_link / count,
        with_heading: totals.with_heading / count,
        uneven: totals.uneven(),
        votes: (candidate.anchors.len() as f64).ln_1p(),
        before: f64::from(before) / page_chars,
        boilerplate: f64::from(around.boilerplate.min(3)),
        answers: f64::from(around.answers.min(3)),
        own_boilerplate: f64::from(root_called.boilerplate),
        runs: f64::from(u8::from(candidate.boundary != crate::record::span::Boundary::Element)),
        nested: 0.0,
        targets: totals.targets() / count,
        repeats: totals.repeats / chars,
        support: 0.0,
        leaves: (f64::from(totals.leaves) - count).max(0.0) / page_leaves * fresh,
        choices: f64::from(totals.choices) / chars,
        echo: totals.echo / count,
        groups: 0.0,
        within: 0.0,
        left_out: left_out(page, &candidate.roots),
    }
}

/// See [`RegionEvidence::left_out`].
fn left_out(page: &RatedPage<'_>, roots: &[NodeId]) -> f64 {
    let missing = page.marks().twins(page, roots).len() as f64;
    missing / (missing + roots.len() as f64).max(1.0)
}

#[derive(Default)]
struct Gathered {
    chars: u32,
    fresh: u32,
    linked: u32,
    leaves: u32,
    choices: u32,
    echo: f64,
    repeats: f64,
    with_link: f64,
    with_heading: f64,
    lengths: Vec<u32>,
    contents: Vec<u64>,
    links: Vec<u64>,
    /// For each field, the records that have it and its characters in all.
    by_field: BTreeMap<u64, (u32, u32)>,
}

impl Gathered {
    fn add(&mut self, page: &RatedPage<'_>, nodes: &[NodeId]) {
        let mut fields: Vec<(u64, u32)> = Vec::new();
        let (mut length, mut content) = (0, 0);
        let mut target = None;
        let (mut link, mut heading) = (false, false);
        let marks = page.marks();
        for &node in nodes {
            let name = page.name(node);
            for leaf in page.leaves_of(node) {
                fields.push((key::then(name, page.field_in(leaf, node)), leaf.chars));
                length += leaf.chars;
                link |= leaf.linked;
                if !leaf.image {
                    content = key::then(content, leaf.content);
                }
            }
            self.chars += page.chars(node);
            self.fresh += page.fresh_chars(node);
            self.linked += page.linked_chars(node);
            heading |= marks.has_heading(page.document, node);
            target = target.or_else(|| marks.first_target(page.document, node));
            self.choices += marks.choice_chars(page, node);
        }
        self.leaves += fields.len() as u32;
        fields.sort_unstable();
        for same in fields.chunk_by(|one, other| one.0 == other.0) {
            let chars: u32 = same.iter().map(|field| field.1).sum();
            let known = self.by_field.entry(same[0].0).or_default();
            known.0 += 1;
            known.1 += chars;
            self.repeats += f64::from(chars) * (same.len() as f64).ln();
        }
        self.lengths.push(length);
        self.contents.push(content);
        self.links.extend(target);
        let share = |yes: bool| f64::from(u8::from(yes));
        self.with_link += share(link);
        self.with_heading += share(heading);
        self.echo += marks.echo.as_ref().map_or(0.0, |echo| echo.share(page, nodes));
    }

    /// The share of the text in fields that most records have, and the number of these fields.
    fn fields(&self, records: f64) -> (f64, usize) {
        let common =
            self.by_field.values().filter(|field| f64::from(field.0) >= MIN_FIELD_SHARE * records);
        let (mut chars, mut count) = (0, 0);
        for field in common {
            chars += field.1;
            count += 1;
        }
        (f64::from(chars) / f64::from(self.chars).max(1.0), count)
    }

    fn distinct(&self) -> f64 {
        distinct(&self.contents)
    }

    fn targets(&self) -> f64 {
        distinct(&self.links)
    }

    fn uneven(&self) -> f64 {
        let count = self.lengths.len().max(1) as f64;
        let mean = self.lengths.iter().map(|&length| f64::from(length)).sum::<f64>() / count;
        let square = |length: &u32| (f64::from(*length) - mean).powi(2);
        let deviation = (self.lengths.iter().map(square).sum::<f64>() / count).sqrt();
        (deviation / mean.max(1.0)).min(2.0)
    }
}
