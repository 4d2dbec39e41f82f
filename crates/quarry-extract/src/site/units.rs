//! Splits data units into labels and values. A template knows where units stand. Many records together show which of their words only
//! name a value, and what a value is that nothing names.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Attr, Document, NodeId, Tag, fold_whitespace};

use super::meaning::Numbers;
use crate::find::PageRecords;
use crate::links::target_name;
use crate::model::{LabelSource, SiteModel, UnitRule};
use crate::parallel;
use crate::template::{Aligned, DataUnit, extract};
use quarry_value as value;

/// Fewer units of a slot teach nothing.
const TAUGHT_BY: usize = 3;
/// The share of a slot's units that begin with a word that names them.
const LEADING: f64 = 0.9;
/// The share of a slot's units that have a name inside.
const NAMED_INSIDE: f64 = 0.3;
/// A name has at most so many words.
const MAX_WORDS: usize = 3;
/// And at most so many characters.
const MAX_CHARS: usize = 40;
/// The share of the names ending in a word that have the same word before it, if that belongs to the name.
const SAME_NAME: f64 = 0.9;

/// What was seen of the units of a slot.
#[derive(Default)]
struct Seen {
    units: usize,
    leads: BTreeMap<String, usize>,
    /// Words before colons, by name.
    inside: BTreeMap<String, usize>,
    values: BTreeSet<String>,
    numbers: Numbers,
    /// Units that are links, and where these lead.
    linked: usize,
    targets: BTreeSet<String>,
}

/// Learns the rules of a site's slots from records.
pub(super) fn learn(
    documents: &[&Document],
    found: &[PageRecords],
    model: &SiteModel,
) -> Vec<UnitRule> {
    let read = |(document, found): (&&Document, &PageRecords)| {
        let mut slots: BTreeMap<String, Seen> = BTreeMap::new();
        for aligned in extract(document, found, model).into_iter().flatten() {
            see(document, &aligned.units, &mut slots);
        }
        slots
    };
    let pages: Vec<BTreeMap<String, Seen>> =
        parallel::map_range(documents.len(), |at| read((&documents[at], &found[at])));
    let mut slots: BTreeMap<String, Seen> = BTreeMap::new();
    for (slot, seen) in pages.into_iter().flatten() {
        slots.entry(slot).or_default().add(seen);
    }
    let rules = slots.into_iter().filter(|(_, seen)| seen.units >= TAUGHT_BY);
    rules.filter_map(|(slot, seen)| seen.rule(slot)).collect()
}

/// Counts what the units of a record show.
fn see(document: &Document, units: &[DataUnit], slots: &mut BTreeMap<String, Seen>) {
    for unit in units {
        if let Some(target) = target(document, unit) {
            let seen = slots.entry(unit.slot.clone()).or_default();
            seen.units += usize::from(unit.attribute.is_some());
            seen.linked += 1;
            if seen.targets.len() < MAX_TARGETS {
                seen.targets.insert(target.to_owned());
            }
        }
    }
    let shown: Vec<&DataUnit> = units.iter().filter(|unit| unit.attribute.is_none()).collect();
    for (at, unit) in shown.iter().enumerate() {
        let seen = slots.entry(unit.slot.clone()).or_default();
        seen.units += 1;
        if let Some(lead) = lead(document, unit) {
            *seen.leads.entry(lead).or_default() += 1;
        }
        for name in names_inside(&unit.text) {
            *seen.inside.entry(name).or_default() += 1;
        }
        if seen.values.len() < TAUGHT_BY {
            seen.values.insert(unit.text.clone());
        }
        let next = shown.get(at + 1).map(|next| next.text.as_str());
        seen.numbers.see(document, unit, next);
    }
}

impl Seen {
    fn add(&mut self, other: Self) {
        self.units += other.units;
        for (mine, theirs) in [(&mut self.leads, other.leads), (&mut self.inside, other.inside)] {
            for (name, count) in theirs {
                *mine.entry(name).or_default() += count;
            }
        }
        self.values.extend(other.values);
        self.numbers.add(other.numbers);
        self.linked += other.linked;
        self.targets.extend(other.targets);
    }

    /// What the links of the slot lead to. Links that all lead elsewhere lead to the entities, whose address names no attribute.
    fn target(&self) -> Option<String> {
        let is_link = self.linked as f64 >= LEADING * self.units as f64;
        let is_shared = self.targets.len() as f64 <= SHARED_TARGETS * self.linked as f64;
        let targets = self.targets.iter().map(String::as_str);
        target_name(targets).filter(|_| is_link && is_shared)
    }

    fn rule(&self, slot: String) -> Option<UnitRule> {
        let enough = |count: usize, share: f64| count as f64 >= share * self.units as f64;
        let lead = self.leads.iter().find(|(_, count)| enough(**count, LEADING));
        let lead = lead.filter(|_| self.values.len() > 1).map(|(lead, _)| lead.clone());
        let inside = self.names(|count| count >= TAUGHT_BY && enough(count, NAMED_INSIDE));
        let name = self.numbers.name(self.units).or_else(|| self.target());
        let rule = UnitRule { slot, lead, inside, name };
        (rule.lead.is_some() || !rule.inside.is_empty() || rule.name.is_some()).then_some(rule)
    }

    /// The names inside: of those that end alike the longest that is about as frequent as the shortest.
    fn names(&self, often: impl Fn(usize) -> bool) -> Vec<String> {
        let count = |name: &str| self.inside.get(name).copied().unwrap_or(0);
        let mut names: Vec<String> = Vec::new();
        for word in self.inside.keys().filter(|name| !name.contains(' ') && often(count(name))) {
            let longer = self.inside.keys().filter(|name| {
                name.ends_with(word.as_str())
                    && name[..name.len() - word.len()].ends_with(' ')
                    && count(name) as f64 >= SAME_NAME * count(word) as f64
            });
            names.push(longer.max_by_key(|name| name.len()).unwrap_or(word).clone());
        }
        names
    }
}

/// Where a unit leads: one that is the address of a link, or all the text of one.
fn target<'d>(document: &'d Document, unit: &'d DataUnit) -> Option<&'d str> {
    match unit.attribute.as_deref() {
        Some("href") => Some(&unit.text),
        Some(_) => None,
        None => {
            let own = std::iter::once(unit.node).chain(document.ancestors(unit.node));
            let link = own.take(MAX_LEVELS).find(|&node| document.is(node, Tag::A))?;
            let is_all = document.folded_text(link).trim() == unit.text;
            document.known_attr(link, Attr::HREF).filter(|_| is_all)
        }
    }
}

/// Elements around a unit that may be its link.
const MAX_LEVELS: usize = 3;
/// Different addresses of a slot that are kept.
const MAX_TARGETS: usize = 64;
/// Links of a slot that lead to attributes are shared by records: this share of them may be different.
const SHARED_TARGETS: f64 = 0.8;

/// The text before the first element of a unit, or in it: `by <b>Ann</b>`, `<i>by</i> Ann`.
fn lead(document: &Document, unit: &DataUnit) -> Option<String> {
    if document.is_text(unit.node) {
        return None;
    }
    let texts = document.subtree(unit.node).filter(|&node| document.is_text(node));
    let begins = |node: NodeId| {
        let text = fold_whitespace(document.text(node));
        let text = text.trim();
        let rest = unit.text.strip_prefix(text)?;
        let fits = !text.is_empty() && rest.starts_with(' ') && is_name(text.trim_end_matches(':'));
        fits.then(|| text.to_owned())
    };
    texts.take(MAX_TEXTS).find_map(begins)
}

/// Texts of an element that are compared with the beginning of a unit.
const MAX_TEXTS: usize = 32;

/// Whether a text can be the name of a value: a few words, without digits.
fn is_name(text: &str) -> bool {
    let plain = |char: char| char.is_alphabetic() || matches!(char, ' ' | '-' | '\'' | '’' | '.');
    text.chars().count() <= MAX_CHARS
        && text.split(' ').count() <= MAX_WORDS
        && text.chars().any(char::is_alphabetic)
        && text.chars().all(plain)
}

/// The one, two and three words before each colon.
fn names_inside(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (colon, _) in text.match_indices(": ") {
        let before = &text[..colon];
        let mut starts: Vec<usize> = before.rmatch_indices(' ').map(|(at, _)| at + 1).collect();
        starts.push(0);
        let starts = starts.into_iter().take(MAX_WORDS);
        names
            .extend(starts.map(|start| &before[start..]).filter(|n| is_name(n)).map(str::to_owned));
    }
    names
}

/// What the units of a record say, by the rules of their slots.
pub(super) fn say(aligned: Aligned, rules: &[UnitRule]) -> Aligned {
    let mut units = Vec::with_capacity(aligned.units.len());
    // A name alone belongs to what follows it.
    let mut pending: Option<String> = None;
    for mut unit in aligned.units {
        let rule = rules.binary_search_by(|rule| rule.slot.as_str().cmp(&unit.slot)).ok();
        let rule = rule.map(|at| &rules[at]);
        if unit.attribute.is_some() {
            if let Some(name) = rule.and_then(|rule| rule.name.as_ref()) {
                unit.label = Some(format!("{name} link"));
                unit.label_source = Some(LabelSource::Meaning);
            }
            units.push(unit);
            continue;
        }
        let bare = unit.text.strip_suffix(':').map(str::trim_end).filter(|name| is_name(name));
        if let Some(name) = bare {
            pending = Some(name.to_owned());
            continue;
        }
        if let Some(name) = pending.take() {
            unit.label = Some(name);
            unit.label_source = Some(LabelSource::Text);
        }
        if let Some(rule) = rule {
            name_by(&mut unit, rule);
            if !rule.inside.is_empty() {
                split(&unit, &rule.inside, &mut units);
                continue;
            }
        }
        units.push(unit);
    }
    Aligned { units, fit: aligned.fit }
}

fn is_printed(unit: &DataUnit) -> bool {
    use LabelSource::{Attribute, Header, Text};
    matches!(unit.label_source, Some(Text | Header | Attribute))
}

/// Takes the words off that name a unit's value, and names it.
fn name_by(unit: &mut DataUnit, rule: &UnitRule) {
    let rest = rule.lead.as_deref().and_then(|lead| unit.text.strip_prefix(lead));
    if let (Some(lead), Some(rest)) = (&rule.lead, rest.filter(|rest| rest.starts_with(' '))) {
        let label = lead.trim_end_matches(':').to_owned();
        unit.text = rest.trim_start().to_owned();
        unit.kind = value::kind(&unit.text);
        if !is_printed(unit) {
            unit.label = Some(label);
            unit.label_source = Some(LabelSource::Text);
        }
    } else if let Some(name) = rule.name.as_ref().filter(|_| !is_printed(unit)) {
        unit.label = Some(name.clone());
        unit.label_source = Some(LabelSource::Meaning);
    }
}

/// Parts a unit at the names inside it; each part is a unit of its own.
fn split(unit: &DataUnit, names: &[String], units: &mut Vec<DataUnit>) {
    let mut cuts: Vec<(usize, &str)> = Vec::new();
    for name in names {
        for (at, _) in unit.text.match_indices(name.as_str()) {
            let free = at == 0 || unit.text[..at].ends_with(' ');
            if free && unit.text[at + name.len()..].starts_with(": ") {
                cuts.push((at, name));
            }
        }
    }
    cuts.sort_unstable();
    if cuts.len() < 2 && cuts.first().is_none_or(|cut| cut.0 == 0) {
        units.push(unit.clone());
        return;
    }
    let first = cuts.first().map_or(unit.text.len(), |cut| cut.0);
    let before = unit.text[..first].trim();
    if !before.is_empty() {
        units.push(DataUnit { text: before.to_owned(), kind: value::kind(before), ..unit.clone() });
    }
    for (number, &(at, name)) in cuts.iter().enumerate() {
        let end = cuts.get(number + 1).map_or(unit.text.len(), |next| next.0);
        let text = unit.text[at + name.len() + 1..end].trim();
        if !text.is_empty() {
            units.push(DataUnit {
                slot: format!("{}:{name}", unit.slot),
                label: Some(name.to_owned()),
                label_source: Some(LabelSource::Text),
                text: text.to_owned(),
                kind: value::kind(text),
                ..unit.clone()
            });
        }
    }
}
