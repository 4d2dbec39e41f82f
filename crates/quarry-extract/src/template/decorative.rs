//! Finds and removes decorative tags, which only embellish a part of a data unit. The decorative
//! tag detector (paper §4.1): statistics of each kind of tag over all records, a network that
//! judges them, and the removal of what it finds.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use quarry_dom::Tag;

use super::below::{Below, Spread, families};
use super::forest::{EMPTY_PATH, Forest, NO_PARENT};
use super::network::{Detector, NEUTRAL_PRIOR};
use crate::page::hash;

/// Features of a kind of tag: the nine of the paper's table 1, and [`MORE_FEATURES`] more.
pub const PAPER_FEATURES: usize = 9;
/// Features that the paper does not have; see [`TagSample::features`].
pub const MORE_FEATURES: usize = 17;

/// A kind of tag (paper: `<n, p>`, a name and a compact tag path) over all records of a site.
#[derive(Clone, Debug)]
pub struct TagSample {
    /// The name of the tag.
    pub name: String,
    /// The hash of its compact tag path.
    pub path: u64,
    /// The hash of the path of the element around it.
    pub parent: u64,
    /// The nine features of the paper (average and deviation of: distance to leaves, number under a parent, first
    /// position from the left and from the right; prior probability, to be filled in), then: the shares of occurrences
    /// beside a bare text, before one and behind one; the share of parents that have it; its part of the parent's text;
    /// the logarithm of its length; the share of occurrences that hold elements; how alike its texts are, and those of the
    /// bare texts before and behind it; the shares of texts before it, of its own and of those behind it that end a name
    /// or are punctuation (see `Statistics`); the logarithm of the parent's length; its children; the share of links.
    pub features: [f64; PAPER_FEATURES + MORE_FEATURES],
    /// The share of occurrences that marks part from what is around them, as in `Oak · <span>3 kg</span> · new`.
    pub parted: f64,
    /// The share of occurrences right before a bare text that ends in a colon: a name, as in `<br>Weight: <b>3 kg</b>`.
    pub before_name: f64,
    /// Where it occurs: the record and the position among its items.
    pub occurrences: Vec<(usize, usize)>,
}

#[derive(Default)]
struct Statistics {
    distance: Spread,
    number: Spread,
    left: Spread,
    right: Spread,
    beside: Spread,
    before: Spread,
    behind: Spread,
    part: Spread,
    length: Spread,
    holds: Spread,
    /// The hashes of all own texts, texts before and texts behind.
    texts: [Vec<u64>; 3],
    /// Whether the text before and the own text end in a colon, and whether the text behind is punctuation only.
    colon_before: Spread,
    colon: Spread,
    punctuation: Spread,
    parent_length: Spread,
    siblings: Spread,
    link: Spread,
    parted: Spread,
    before_name: Spread,
    occurrences: Vec<(usize, usize)>,
    /// The last family that has it (numbered from 1 over all records), how many there, and the first and last place.
    family: (usize, f64, f64, f64),
}

impl Statistics {
    /// Counts the last family, when it is whole.
    fn end_family(&mut self) {
        let (_, number, left, right) = std::mem::take(&mut self.family);
        self.number.add(number);
        self.left.add(left);
        self.right.add(right);
    }
}

/// Statistics of all kinds of tags, by path.
#[derive(Default)]
struct Kinds {
    numbers: HashMap<u64, usize>,
    all: Vec<(u64, Statistics)>,
    families: usize,
}

impl Kinds {
    fn number(&mut self, path: u64) -> usize {
        *self.numbers.entry(path).or_insert_with(|| {
            self.all.push((path, Statistics::default()));
            self.all.len() - 1
        })
    }
}

/// All kinds of tags of the records, ordered by path.
pub(crate) fn tag_samples(forests: &[Forest<'_>]) -> Vec<TagSample> {
    let mut kinds = Kinds::default();
    for (record, forest) in forests.iter().enumerate() {
        let below = Below::of(forest);
        for children in families(forest).iter() {
            add_family(forest, &below, record, children, &mut kinds);
        }
    }
    // How often each path occurs, to count the parents that lack a tag.
    let instances: HashMap<u64, f64> =
        kinds.all.iter().map(|(path, kind)| (*path, kind.occurrences.len() as f64)).collect();
    let records = forests.len() as f64;
    let mut samples = Vec::with_capacity(kinds.all.len());
    kinds.all.sort_by_key(|(path, _)| *path);
    for (path, mut kind) in kinds.all {
        let Some(&(record, position)) = kind.occurrences.first() else { continue };
        let forest = &forests[record];
        let (parent, parents) = match forest.items[position].parent {
            NO_PARENT => (EMPTY_PATH, records),
            parent => {
                let path = forest.items[parent as usize].path;
                (path, instances[&path])
            }
        };
        let present = kind.number.count;
        kind.number.count = parents.max(present);
        let features = [
            kind.distance.average(),
            kind.distance.deviation(),
            kind.number.average(),
            kind.number.deviation(),
            kind.left.average(),
            kind.left.deviation(),
            kind.right.average(),
            kind.right.deviation(),
            NEUTRAL_PRIOR,
            kind.beside.average(),
            kind.before.average(),
            kind.behind.average(),
            present / parents.max(1.0),
            kind.part.average(),
            kind.length.average(),
            kind.holds.average(),
            alike(&mut kind.texts[0]),
            alike(&mut kind.texts[1]),
            alike(&mut kind.texts[2]),
            kind.colon_before.average(),
            kind.colon.average(),
            kind.punctuation.average(),
            kind.parent_length.average(),
            kind.siblings.average(),
            kind.link.average(),
            f64::from(u8::from(is_block(forest.document.tag_name(forest.items[position].node)))),
        ];
        let name = forest.document.tag_name(forest.items[position].node).to_owned();
        let parted = kind.parted.average();
        let before_name = kind.before_name.average();
        samples.push(TagSample {
            name,
            path,
            parent,
            features,
            parted,
            before_name,
            occurrences: kind.occurrences,
        });
    }
    samples
}

/// The share of the most common text; 0 where there is none.
fn alike(texts: &mut [u64]) -> f64 {
    texts.sort_unstable();
    let most = texts.chunk_by(|one, other| one == other).map(<[u64]>::len).max().unwrap_or(0);
    most as f64 / texts.len().max(1) as f64
}

/// Whether elements of this name stand on lines of their own.
fn is_block(name: &str) -> bool {
    let blocks = [
        "address",
        "article",
        "aside",
        "blockquote",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
    ];
    blocks.contains(&name)
}

fn add_family(
    forest: &Forest<'_>,
    below: &Below<'_>,
    record: usize,
    children: &[usize],
    kinds: &mut Kinds,
) {
    kinds.families += 1;
    let family = kinds.families;
    let mut seen: Vec<usize> = Vec::new();
    let items = &forest.items;
    let lengths: Vec<f64> = children.iter().map(|&child| below.chars(forest, child)).collect();
    let whole: f64 = lengths.iter().sum();
    let count = children.len() as f64;
    let is_text = |at: Option<usize>| {
        f64::from(u8::from(at.and_then(|at| children.get(at)).is_some_and(|&at| items[at].is_text)))
    };
    let any_text = f64::from(u8::from(children.iter().any(|&child| items[child].is_text)));
    for (at, &child) in children.iter().enumerate() {
        let item = &items[child];
        if item.is_text {
            continue;
        }
        let right = (count - 1.0 - at as f64) / count;
        let number = kinds.number(item.path);
        let kind = &mut kinds.all[number].1;
        if kind.family.0 != family {
            kind.family = (family, 0.0, at as f64 / count, right);
            seen.push(number);
        }
        kind.family.1 += 1.0;
        kind.family.3 = right;
        kind.occurrences.push((record, child));
        kind.beside.add(any_text);
        kind.before.add(is_text(Some(at + 1)));
        kind.behind.add(is_text(at.checked_sub(1)));
        kind.part.add(if whole > 0.0 { lengths[at] / whole } else { 0.0 });
        kind.length.add(lengths[at].ln_1p());
        let bare = |at: Option<usize>| {
            let child = at.and_then(|at| children.get(at)).filter(|&&at| items[at].is_text)?;
            below.own_text(forest, *child)
        };
        let own = below.own_text(forest, child);
        let (text_before, text_behind) = (bare(at.checked_sub(1)), bare(Some(at + 1)));
        for (texts, text) in kind.texts.iter_mut().zip([own, text_before, text_behind]) {
            texts.extend(text.filter(|(text, _)| !text.is_empty()).map(|(_, hash)| hash));
        }
        let own = own.map_or("", |(text, _)| text);
        let text_before = text_before.map(|(text, _)| text);
        let text_behind = text_behind.map(|(text, _)| text);
        let yes = |is: bool| f64::from(u8::from(is));
        kind.colon_before.add(yes(text_before.is_some_and(|text| text.ends_with(':'))));
        kind.colon.add(yes(own.ends_with(':')));
        let is_punctuation = |text: &str| !text.chars().any(char::is_alphanumeric);
        kind.punctuation.add(yes(text_behind.is_some_and(is_punctuation)));
        kind.parent_length.add(whole.ln_1p());
        kind.siblings.add(count.ln());
        kind.parted.add(yes(is_parted(text_before, text_behind)));
        kind.before_name.add(yes(text_behind.is_some_and(|text| text.ends_with(':'))));
        kind.link.add(yes(forest.document.is(item.node, Tag::A)));
        kind.holds.add(yes(below.holds_elements(forest, child)));
        kind.distance.merge(below.distances(forest, child));
    }
    for number in seen {
        kinds.all[number].1.end_family();
    }
}

/// Marks between values.
const MARKS: [char; 4] = ['|', '·', '•', '‧'];

/// Whether marks part an element from the bare texts around it; a name may stand between: `· Weight: <span>3 kg</span>`.
fn is_parted(before: Option<&str>, behind: Option<&str>) -> bool {
    let before = before.unwrap_or_default();
    let behind = behind.unwrap_or_default();
    let left = before.is_empty() || before.ends_with(MARKS) || before.ends_with(':');
    let right = behind.is_empty() || behind.starts_with(MARKS);
    left && right && (before.starts_with(MARKS) || before.ends_with(MARKS) || !behind.is_empty())
}

/// Marks part a kind of element from the rest if they do so with this share of its occurrences.
const PARTED: f64 = 0.8;

/// A label and its value make up a line if this share of the occurrences stands behind a bare text.
const BEHIND_LABEL: f64 = 0.9;
/// And if this share of those texts is the same.
const SAME_LABEL: f64 = 0.8;
/// And if the parent has little more than these two children, on average.
const LINE_PARTS: f64 = 2.1;

/// Whether the element is the value in lines like `Rating: <span>82 %</span>`. People read and copy such a line as one.
fn ends_labelled_line(features: &[f64]) -> bool {
    let [behind, label, siblings, block] = [11, 17, 23, 25].map(|at| features[at]);
    behind >= BEHIND_LABEL && label >= SAME_LABEL && siblings <= LINE_PARTS.ln() && block == 0.0
}

/// Prose has at least this many characters, as a logarithm.
const PROSE: f64 = 4.0;
/// Words that are set off in prose are this share of it at most.
const SET_OFF: f64 = 0.4;
/// And this share of them stands beside bare text.
const BESIDE: f64 = 0.9;

/// Whether the tag sets off words in prose: a tag of no other use, in a long text, around little of it. Behind one and
/// the same word it is the value that this word names.
fn sets_off_words(sample: &TagSample) -> bool {
    let [beside, part, holds, length] = [9, 13, 15, 22].map(|at| sample.features[at]);
    DECORATION.contains(&sample.name.as_str())
        && !is_named(sample)
        && beside >= BESIDE
        && part <= SET_OFF
        && holds == 0.0
        && length >= PROSE
}

/// Prose with links in it has at least this many characters, as a logarithm.
const LINKED_PROSE: f64 = 4.6;

/// Whether the tag is a link on words of prose: the words in it, before it and behind it differ. `more` at the end of a
/// text, the same everywhere, is none of its words, nor is a title or a name beside `by`.
fn links_words(sample: &TagSample) -> bool {
    let [beside, part, own, before, behind, length] =
        [9, 13, 16, 17, 18, 22].map(|at| sample.features[at]);
    sample.name == "a"
        && beside >= BESIDE
        && part <= SET_OFF
        && own.max(before).max(behind) < DIFFERENT
        && length >= LINKED_PROSE
}

/// In lines of labels and values there are more parts than in a line of one label and one value.
const MANY_PARTS: f64 = 3.5;
/// Values differ: less than this share is the same.
const DIFFERENT: f64 = 0.5;

/// Whether the element is a value in a line of several parts and has a name of its own right before it.
fn is_named(sample: &TagSample) -> bool {
    let [behind, own, label, siblings] = [11, 16, 17, 23].map(|at| sample.features[at]);
    behind >= BEHIND_LABEL && label >= SAME_LABEL && siblings >= MANY_PARTS.ln() && own < DIFFERENT
}

/// Line breaks part lines of names and values if this share of them stands before a name. The last lines often have none.
const BEFORE_NAME: f64 = 0.25;

/// Whether the tag is a line break between lines that begin with a name each.
fn parts_lines(sample: &TagSample) -> bool {
    sample.name == "br" && sample.before_name >= BEFORE_NAME
}

/// The paths of the kinds of tags that the detector takes for decorative.
pub(crate) fn decorative(samples: &[TagSample], detector: &Detector) -> BTreeSet<u64> {
    let inputs = detector.network.means.len();
    let mut named: BTreeMap<u64, usize> = BTreeMap::new();
    for sample in samples.iter().filter(|sample| is_named(sample)) {
        *named.entry(sample.parent).or_default() += 1;
    }
    // One of several values with a name each, as in `asked <i>3 May</i> by <a>Ann</a>`, is a unit of its own.
    let is_one_of_several =
        |sample: &TagSample| is_named(sample) && named.get(&sample.parent) > Some(&1);
    let judge = |sample: &&TagSample| {
        let mut features = sample.features;
        features[PAPER_FEATURES - 1] = detector.prior(&sample.name).unwrap_or(NEUTRAL_PRIOR);
        let found = detector.network.output(&features[..inputs.min(features.len())]) > 0.5;
        let set_off =
            sets_off_words(sample) || links_words(sample) || ends_labelled_line(&features);
        !parts_lines(sample)
            && sample.parted < PARTED
            && (set_off || (found && !is_one_of_several(sample)))
    };
    samples.iter().filter(judge).map(|sample| sample.path).collect()
}

/// Names of tags that have no other use than to embellish words.
const DECORATION: [&str; 12] =
    ["b", "em", "font", "i", "mark", "small", "strong", "sub", "sup", "u", "wbr", "big"];

/// The hashes of the names of tags that decorate where nothing else is known of them.
pub(crate) fn usual() -> BTreeSet<u64> {
    DECORATION.iter().map(|name| hash::of(name)).collect()
}
