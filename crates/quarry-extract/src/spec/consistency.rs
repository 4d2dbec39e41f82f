//! What the pages of a site agree on about the pairs that were found on them: which names are none, and which texts at the end of
//! values belong to the template.
//!
//! Names come in families: the names of one style mostly have one value each. A text that always stands over several values, in a
//! style of its own and apart from all names with one value, is the heading of a list (related films, a menu), not a name; and one
//! before the title of the page is a step of the way there (`Restaurants > Shogun`). Texts that are names here and values there are
//! values that stand in a row, such as tags. Where most texts of a style stand on one page
//! only, those are content, and only texts that recur are names. A text that ends nearly all values of a name, in a link or a line
//! of its own (`See more`, `Loading map`), is no part of them. A value of several lines is a list if their number varies from page
//! to page; an address has the same number everywhere, and stays one value. A name over lists that hold the page's own subject is that of a
//! list of things like it, one over prose is the heading of a text, and one over a constant that is printed as the name is heads a column.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Document, NodeId};
use serde::{Deserialize, Serialize};

use super::find::{Spec, SpecPair};
use super::function::Functions;
use super::nested;
use super::numbered;
use super::subject::Subject;
use super::value_texts::{self, Text, lines, style, texts};
use crate::page::hash;

/// Fewer pages agree by chance.
const MIN_PAGES: usize = 3;
/// The share of a name's pages on which it has several values, from which on it stands over a list.
const SEVERAL: f64 = 0.5;
/// Pages of the single-valued names of a style by the pages of a name over a list, at least, for the name to be one of them.
const FAMILY: f64 = 0.5;
/// Elements from a heading over a list up to the one that also holds a name with one value, at most, to stand among names.
const MAX_LEVELS: f64 = 3.5;
/// The share of a name's values that are the page's title, from which on it is no name unless others have its style.
const TITLES: f64 = 0.6;
/// The share of a style's values that are names of the same style on other pages, from which on none of them are names.
const NAMES_AGAIN: f64 = 0.2;
/// From so many pages on a text that stands on one page proves something.
const MANY_PAGES: usize = 20;
/// The share of a style's occurrences whose texts recur, at least; below it those that do not are content.
const RECURRING: f64 = 0.6;
/// A text recurs on this share of the pages, and on two at least.
const RECURS: f64 = 0.04;
/// Lines of a value that is a list, on average at least; the share of pages that may have the same number of them; and the
/// characters of a line on average, at most: longer ones are paragraphs.
const MIN_LINES: f64 = 1.3;
const SAME_LINES: f64 = 0.8;
const MAX_LINE_CHARS: usize = 60;
/// The share of a name's values that end with one and the same text, from which on that text is template.
const SAME_END: f64 = 0.8;
/// Texts of a value that all pages have, at least, from which on it is a table with names of its own; fewer are enough if they are
/// a large share of it.
const TABLE_NAMES: f64 = 8.0;
const FEW_TABLE_NAMES: f64 = 4.0;
const TABLE_SAME: f64 = 0.4;
/// The share of a table's texts that vary, at least.
const TABLE_VARYING: f64 = 0.3;
/// The share of a name's pages that show the same values, from which on it is boilerplate; and of the texts of a list that nearly
/// all pages have, from which on it is a menu.
const CONSTANT: f64 = 0.97;
const CONSTANT_TEXTS: f64 = 0.9;

/// Longer values are prose, in characters. Facts of labelled sites have fewer.
const MIN_PROSE_CHARS: usize = 150;
/// Texts of a list that may hold the page's own subject, at least, and the share of a name's pages on which one does, from which
/// on the name stands over such lists.
const MIN_SIBLINGS: usize = 5;
const SIBLINGS: f64 = 0.2;

/// What the pages of a site agree on about its pairs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PairRules {
    /// Texts that are no names, with their styles.
    refused: BTreeMap<String, BTreeSet<u64>>,
    /// Styles of which only some texts are names, with those.
    known: BTreeMap<u64, BTreeSet<String>>,
    /// Styles none of whose texts are names.
    #[serde(default)]
    refused_styles: BTreeSet<u64>,
    /// Texts that are names, with their styles: what is printed so is no value.
    #[serde(default)]
    names: BTreeMap<String, BTreeSet<u64>>,
    /// Texts at the end of values that belong to the template.
    ends: BTreeSet<String>,
    /// Names whose values are lists of lines.
    listed: BTreeSet<String>,
    /// Headings over names of their own, with those names.
    #[serde(default)]
    headings: nested::Headings,
    /// Values that are functions of the page.
    #[serde(default)]
    functions: Functions,
    /// Names over lists of things like the page's subject, which they hold, too: who was chosen in one round.
    #[serde(default)]
    siblings: BTreeSet<String>,
}

/// A name at one style, over all pages.
#[derive(Default)]
struct NamePages {
    pages: usize,
    /// Pages on which it has several values.
    several: usize,
    /// Elements up to the one that also holds a name with one value, over those pages.
    levels: usize,
    /// Pages whose title it stands before.
    titles: usize,
    /// Pages by all values there, as a hash.
    values: BTreeMap<u64, usize>,
    /// Pages by the text that ends the values there.
    ends: BTreeMap<String, usize>,
    /// Pages by the number of lines of the only value, and the characters of all of them.
    lines: BTreeMap<usize, usize>,
    line_chars: usize,
    /// Texts of the values and pages that have them; texts of all values.
    texts: BTreeMap<String, usize>,
    all_texts: usize,
    /// Pages on which it stands over a list that holds the page's own subject.
    siblings: usize,
    /// Pages on which the values are printed as the name is.
    as_name: usize,
    /// Pages on which the only value is a text of sentences.
    prose: usize,
}

impl NamePages {
    fn is_list(&self) -> bool {
        self.several as f64 >= SEVERAL * self.pages as f64
    }

    /// Whether most values are prose: the name is the heading of a text.
    fn is_prose(&self) -> bool {
        2 * self.prose > self.pages
    }

    /// Whether it mostly has one value, a short one.
    fn is_fact(&self) -> bool {
        !self.is_list() && !self.is_prose()
    }

    /// Whether the values are lists: short lines, here more, there fewer.
    fn is_listed(&self) -> bool {
        let pages: usize = self.lines.values().sum();
        let all: usize = self.lines.iter().map(|(lines, pages)| lines * pages).sum();
        let most = self.lines.values().copied().max().unwrap_or(0);
        pages >= MIN_PAGES
            && all as f64 >= MIN_LINES * pages as f64
            && most as f64 <= SAME_LINES * pages as f64
            && self.line_chars <= MAX_LINE_CHARS * all
    }

    /// Whether the values never change: boilerplate. Few pages prove nothing.
    fn is_constant(&self) -> bool {
        let most = self.values.values().copied().max().unwrap_or(0);
        let is_common = |&&pages: &&usize| pages as f64 >= SAME_END * self.pages as f64;
        let same: usize = self.texts.values().filter(is_common).sum();
        let is_menu = self.is_list() && same as f64 >= CONSTANT_TEXTS * self.all_texts as f64;
        self.pages >= MANY_PAGES && (most as f64 >= CONSTANT * self.pages as f64 || is_menu)
    }

    /// Whether it is the title of a column over the title of another one: neither changes, and both look alike.
    fn is_header(&self) -> bool {
        self.is_constant() && self.as_name as f64 >= SAME_END * self.pages as f64
    }

    /// Whether it stands apart from names with one value.
    fn is_apart(&self) -> bool {
        self.levels as f64 > MAX_LEVELS * self.several.max(1) as f64
    }

    /// Whether the values are tables: many of their texts are the same on all pages.
    fn is_table(&self) -> bool {
        let common = |&&pages: &&usize| pages as f64 >= SAME_END * self.pages as f64;
        let same: usize = self.texts.values().filter(common).sum();
        let names = same as f64 / self.pages.max(1) as f64;
        let is_most = same as f64 >= TABLE_SAME * self.all_texts as f64;
        // The modes that all cameras have are a list, not a table: nothing varies beside them.
        let varies = same as f64 <= (1.0 - TABLE_VARYING) * self.all_texts as f64;
        let is_many = names >= TABLE_NAMES || names >= FEW_TABLE_NAMES && is_most;
        self.pages >= MIN_PAGES && !self.is_list() && varies && is_many
    }
}

impl PairRules {
    /// Learns from the pairs of pages of one template.
    pub(crate) fn learn(documents: &[&Document], found: &[Vec<Spec>]) -> Self {
        if documents.len() < MIN_PAGES {
            return Self::default();
        }
        let mut styles: BTreeMap<u64, BTreeMap<String, NamePages>> = BTreeMap::new();
        for (document, specs) in documents.iter().zip(found) {
            let subject = Subject::of(document);
            let named = named(document, specs);
            let mut single: Vec<NodeId> = named
                .iter()
                .filter(|(_, _, values)| values.len() == 1)
                .map(|(_, _, values)| values[0].name_node)
                .collect();
            single.sort_unstable();
            for (style, name, values) in named {
                let own = styles.entry(style).or_default().entry(name).or_default();
                own.add(document, &values, &subject);
                own.titles += usize::from(values.iter().all(|pair| subject.is(&pair.value)));
                let is_as_name =
                    |pair: &&SpecPair| value_texts::style(document, pair.value_node) == style;
                own.as_name += usize::from(values.iter().all(is_as_name));
                if values.len() > 1 {
                    own.levels += levels(document, values[0].name_node, &single);
                }
            }
        }
        let mut rules = Self {
            headings: nested::learn(found),
            functions: Functions::learn(documents, found),
            ..Self::default()
        };
        let numbered = numbered::numbered(found);
        let mut siblings: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (name, own) in styles.values().flatten() {
            let counts = siblings.entry(name).or_default();
            *counts = (counts.0 + own.siblings, counts.1 + own.pages);
        }
        siblings.retain(|_, (siblings, pages)| {
            *siblings >= MIN_PAGES && *siblings as f64 >= SIBLINGS * *pages as f64
        });
        rules.siblings = siblings.into_keys().map(str::to_owned).collect();
        for (&style, names) in &styles {
            rules.refuse(style, names);
            rules.refuse_numbered(style, names, &numbered);
            if documents.len() >= MANY_PAGES {
                let least = (RECURS * documents.len() as f64).max(2.0);
                rules.know(style, names, least);
            }
            for own in names.values().filter(|own| own.pages >= MIN_PAGES) {
                let is_common = |count: usize| count as f64 >= SAME_END * own.pages as f64;
                let ends = own.ends.iter().filter(|(_, count)| is_common(**count));
                rules.ends.extend(ends.map(|(text, _)| text.clone()));
            }
            for (name, _) in names.iter().filter(|(_, own)| own.pages >= MIN_PAGES) {
                rules.names.entry(name.clone()).or_default().insert(style);
            }
            let listed = names.iter().filter(|(_, own)| own.is_listed());
            rules.listed.extend(listed.map(|(name, _)| name.clone()));
        }
        rules
    }

    fn refuse(&mut self, style: u64, names: &BTreeMap<String, NamePages>) {
        if are_values(names) {
            self.refused_styles.insert(style);
        }
        let facts = || names.values().filter(|own| own.is_fact());
        let single: usize = facts().map(|own| own.pages).sum();
        for (name, own) in names {
            let others = single - if own.is_fact() { own.pages } else { 0 };
            let is_alone = (others as f64) < FAMILY * own.pages as f64;
            let is_heading = own.is_list() && own.is_apart();
            let is_title = own.titles as f64 >= TITLES * own.pages as f64;
            let is_boilerplate = is_heading || is_title || own.is_prose() || own.is_constant();
            let is_none = is_alone && own.pages >= MIN_PAGES && is_boilerplate;
            if is_none || own.is_table() || own.is_header() {
                self.refused.entry(name.clone()).or_default().insert(style);
            }
        }
    }

    /// Leaves out a text with a changing number where most texts of its style are such.
    fn refuse_numbered(
        &mut self,
        style: u64,
        names: &BTreeMap<String, NamePages>,
        numbered: &BTreeSet<String>,
    ) {
        let own = || names.iter().filter(|(name, _)| numbered.contains(*name));
        let all: usize = names.values().map(|own| own.pages).sum();
        if 2 * own().map(|(_, own)| own.pages).sum::<usize>() > all {
            for (name, _) in own() {
                self.refused.entry(name.clone()).or_default().insert(style);
            }
        }
    }

    fn know(&mut self, style: u64, names: &BTreeMap<String, NamePages>, least: f64) {
        let all: usize = names.values().map(|own| own.pages).sum();
        let recurs = |own: &NamePages| own.pages as f64 >= least;
        let recurring: usize = names.values().filter(|own| recurs(own)).map(|own| own.pages).sum();
        if (recurring as f64) < RECURRING * all as f64 && all >= MANY_PAGES {
            let known = names.iter().filter(|(_, own)| recurs(own)).map(|(name, _)| name.clone());
            self.known.insert(style, known.collect());
        }
    }

    /// Leaves out what is no pair, and what is no part of a value.
    pub(crate) fn apply(&self, document: &Document, specs: &mut Vec<Spec>) {
        if !self.functions.is_empty() {
            let subject = self.functions.subject(document);
            for spec in specs.iter_mut() {
                spec.pairs.retain(|pair| !self.functions.has(document, &subject, pair));
            }
        }
        for spec in specs.iter_mut() {
            spec.pairs.retain(|pair| self.is_pair(document, pair));
            for pair in &mut spec.pairs {
                self.trim(document, pair);
                if !self.listed.contains(&pair.name) {
                    nested::rename(pair, &self.headings);
                }
            }
            if spec.pairs.iter().any(|pair| self.listed.contains(&pair.name)) {
                let pairs = spec.pairs.drain(..).flat_map(|pair| self.parted(document, pair));
                spec.pairs = pairs.collect();
            }
            let ends = &self.ends;
            let is_other = |pair: &SpecPair| pair.item == 0 || !ends.contains(&pair.value);
            spec.pairs.retain(is_other);
        }
        specs.retain(|spec| !spec.pairs.is_empty());
    }

    /// A pair for each line of a list.
    fn parted(&self, document: &Document, pair: SpecPair) -> Vec<SpecPair> {
        let lines = match pair.item == 0 && self.listed.contains(&pair.name) {
            true => lines(texts(document, &pair)),
            false => Vec::new(),
        };
        if lines.len() < 2 {
            return vec![pair];
        }
        let part = |(item, (value, value_node)): (usize, (String, NodeId))| SpecPair {
            value,
            value_node,
            item,
            ..pair.clone()
        };
        (1..).zip(lines).map(part).collect()
    }

    fn is_pair(&self, document: &Document, pair: &SpecPair) -> bool {
        let style = style(document, pair.name_node);
        let refused = self.refused.get(&pair.name).is_some_and(|styles| styles.contains(&style));
        let unknown = self.known.get(&style).is_some_and(|names| !names.contains(&pair.name));
        !refused
            && !unknown
            && !self.siblings.contains(&pair.name)
            && !self.refused_styles.contains(&style)
            && !self.is_next_name(document, pair)
    }

    /// Whether the value is another name, printed as that name is: the value between them is missing.
    fn is_next_name(&self, document: &Document, pair: &SpecPair) -> bool {
        let value = pair.value.trim_end_matches([':', '：']).trim_end();
        let printed = || style(document, pair.value_node);
        value != pair.name
            && pair.attribute.is_none()
            && self.names.get(value).is_some_and(|styles| styles.contains(&printed()))
    }

    fn trim(&self, document: &Document, pair: &mut SpecPair) {
        if self.ends.is_empty() || pair.attribute.is_some() {
            return;
        }
        let texts = texts(document, pair);
        let is_end = |text: &Text| self.ends.contains(&text.text);
        // A mark behind the template's text goes with it.
        let worded = texts.iter().rposition(Text::has_words).map_or(0, |last| last + 1);
        let mut kept =
            if texts[..worded].last().is_some_and(is_end) { worded } else { texts.len() };
        while kept > 1 && is_end(&texts[kept - 1]) {
            kept -= 1;
        }
        for text in texts[kept..].iter().rev() {
            if let Some(rest) = pair.value.strip_suffix(text.text.as_str()) {
                pair.value = rest.trim_end().to_owned();
            }
        }
        if kept < texts.len() {
            let rest = pair.value.trim_end_matches(['|', '(', '[', '·', '•', '-', ' ']).len();
            pair.value.truncate(rest);
        }
    }
}

/// Whether the names of a style are values themselves, such as tags in a row: on other pages they stand behind each other.
fn are_values(names: &BTreeMap<String, NamePages>) -> bool {
    let (mut values, mut names_again) = (0, 0);
    for own in names.values() {
        values += own.texts.values().sum::<usize>();
        let again = own.texts.iter().filter(|(text, _)| names.contains_key(*text));
        names_again += again.map(|(_, pages)| pages).sum::<usize>();
    }
    names_again >= MIN_PAGES && names_again as f64 >= NAMES_AGAIN * values as f64
}

impl NamePages {
    fn add(&mut self, document: &Document, values: &[&SpecPair], subject: &Subject) {
        self.pages += 1;
        self.several += usize::from(values.len() > 1);
        let all = values.iter().fold(0, |all, pair| hash::then(all, hash::of(&pair.value)));
        *self.values.entry(all).or_default() += 1;
        let of_page: Vec<Text> = values.iter().flat_map(|value| texts(document, value)).collect();
        let worded = of_page.iter().rposition(Text::has_words).map_or(0, |last| last + 1);
        if let [.., _, last] = &of_page[..worded]
            && last.is_apart
        {
            *self.ends.entry(last.text.clone()).or_default() += 1;
        }
        self.all_texts += of_page.len();
        let holds_subject = of_page.len() >= MIN_SIBLINGS
            && of_page.iter().any(|text| subject.is_named(&text.text));
        self.siblings += usize::from(holds_subject);
        if let [value] = values {
            self.prose += usize::from(value.value.chars().nth(MIN_PROSE_CHARS).is_some());
            let lines = lines(texts(document, value));
            *self.lines.entry(lines.len().max(1)).or_default() += 1;
            self.line_chars += lines.iter().map(|(line, _)| line.chars().count()).sum::<usize>();
        }
        let different: BTreeSet<String> = of_page.into_iter().map(|text| text.text).collect();
        for text in different {
            *self.texts.entry(text).or_default() += 1;
        }
    }
}

/// The names of a page, each with its style and its values.
fn named<'s>(document: &Document, specs: &'s [Spec]) -> Vec<(u64, String, Vec<&'s SpecPair>)> {
    let mut names: BTreeMap<(u64, &str), Vec<&SpecPair>> = BTreeMap::new();
    for pair in specs.iter().flat_map(|spec| &spec.pairs) {
        names.entry((style(document, pair.name_node), &pair.name)).or_default().push(pair);
    }
    names.into_iter().map(|((style, name), own)| (style, name.to_owned(), own)).collect()
}

/// Elements from a node up to the smallest that also holds one of the others.
fn levels(document: &Document, node: NodeId, others: &[NodeId]) -> usize {
    // The nearest ones in document order have the smallest element in common.
    let next = others.partition_point(|&other| other <= node);
    let near = [next.checked_sub(1).map(|at| others[at]), others.get(next).copied()];
    let up = |other: NodeId| {
        let mut around = std::iter::once(node).chain(document.ancestors(node));
        around.position(|around| document.contains(around, other))
    };
    near.into_iter().flatten().filter_map(up).min().unwrap_or(usize::from(u8::MAX))
}
