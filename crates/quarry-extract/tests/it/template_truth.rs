//! Is the mined template graph the true one? Generated sites with every combination of optional, disjunctive,
//! decorated, constant and joined parts, with false records mixed in.
//!
//! A mined slot is the true slot whose texts it shows; two graphs are equal if that is one to one and
//! the edges are the same. Ids, labels and supports do not matter.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Document, Limits};
use quarry_extract::find::{PageInput, PageRecords, RecordsConfig, find_records};
use quarry_extract::model::{SiteModel, Template};
use quarry_extract::template::graph::MIN_EDGE_SHARE;
use quarry_extract::template::{TemplateConfig, extract, learn};
use quarry_testsite::{
    Listing, PageTruth, Paging, Site, SiteRequest, SiteSpec, Theme, Traps, Vertical,
};

/// Records of a site: enough that every alternative occurs, few enough for a quick test.
const ENTITIES: usize = 120;
const PAGE_SIZE: usize = 40;

/// So many units of a slot must be the true text.
const EXACT_SHARE: f64 = 0.95;

/// Which parts vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Parts {
    optional: bool,
    disjunctive: bool,
    decorated: bool,
    constant: bool,
    joined: bool,
}

impl Parts {
    pub(crate) fn all() -> impl Iterator<Item = Parts> {
        (0..32_u32).map(|bits| Parts {
            optional: bits & 1 > 0,
            disjunctive: bits & 2 > 0,
            decorated: bits & 4 > 0,
            constant: bits & 8 > 0,
            joined: bits & 16 > 0,
        })
    }

    pub(crate) fn name(self) -> String {
        let parts = [
            (self.optional, "optional"),
            (self.disjunctive, "disjunctive"),
            (self.decorated, "decorated"),
            (self.constant, "constant"),
            (self.joined, "joined"),
        ];
        let names: Vec<&str> = parts.iter().filter(|part| part.0).map(|part| part.1).collect();
        if names.is_empty() { "plain".to_owned() } else { names.join(" + ") }
    }
}

/// A generated site of these parts.
pub(crate) fn site(parts: Parts, theme: Theme, vertical: Vertical, false_records: f64) -> Site {
    let Parts { optional, disjunctive, decorated, constant, joined } = parts;
    let listing = Listing {
        optional,
        disjunctive,
        decorated,
        constant,
        joined,
        false_records,
        ..Listing::default()
    };
    Site::generate(SiteSpec {
        seed: 4_000,
        entities: ENTITIES,
        theme,
        vertical,
        listing,
        paging: Paging { size: PAGE_SIZE, ..Paging::default() },
        traps: Traps { actions: false, compare: false, ..Traps::default() },
        ..SiteSpec::default()
    })
}

/// The pages of the list of everything.
struct Pages {
    truths: Vec<PageTruth>,
    documents: Vec<Document>,
}

fn pages(site: &Site) -> Pages {
    let mut pages = Pages { truths: Vec::new(), documents: Vec::new() };
    let mut next = Some(site.root().to_owned());
    while let Some(address) = next {
        let request = SiteRequest::get(&address);
        let html = site.respond(&request).text();
        pages.documents.push(Document::parse(
            html.as_bytes(),
            Some("text/html"),
            &Limits::default(),
        ));
        let truth = site.page_truth(&request);
        next = truth.next.clone();
        pages.truths.push(truth);
    }
    pages
}

/// A graph over names of slots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct NamedGraph {
    slots: BTreeSet<String>,
    edges: BTreeSet<(String, String)>,
}

impl NamedGraph {
    /// The graph without some slots; what came before one is followed by what came after it.
    fn without(mut self, gone: &BTreeSet<String>) -> NamedGraph {
        for slot in gone.iter().filter(|&slot| self.slots.remove(slot)) {
            let before: Vec<String> = self
                .edges
                .iter()
                .filter(|edge| edge.1 == *slot)
                .map(|edge| edge.0.clone())
                .collect();
            let after: Vec<String> = self
                .edges
                .iter()
                .filter(|edge| edge.0 == *slot)
                .map(|edge| edge.1.clone())
                .collect();
            self.edges.retain(|edge| edge.0 != *slot && edge.1 != *slot);
            for from in &before {
                self.edges.extend(after.iter().map(|to| (from.clone(), to.clone())));
            }
        }
        self
    }

    fn differences(&self, truth: &NamedGraph) -> Vec<String> {
        let mut wrong = Vec::new();
        wrong.extend(truth.slots.difference(&self.slots).map(|slot| format!("no slot {slot}")));
        wrong.extend(
            self.slots.difference(&truth.slots).map(|slot| format!("slot too many: {slot}")),
        );
        wrong.extend(
            truth.edges.difference(&self.edges).map(|(a, b)| format!("no edge {a} -> {b}")),
        );
        wrong.extend(
            self.edges.difference(&truth.edges).map(|(a, b)| format!("edge too many: {a} -> {b}")),
        );
        wrong
    }
}

/// The graph that the true records vote for, with the support that the miner asks for, and its slots that always
/// show the same.
///
/// "Price on request" stands where the price would, in the same mark-up: it may be a slot of its own or a value of the
/// price's. `merged` says which.
fn true_graph(truths: &[PageTruth], merged: bool) -> (NamedGraph, BTreeSet<String>) {
    let name =
        |slot: &str| if merged && slot == "call" { "Price".to_owned() } else { slot.to_owned() };
    let records: Vec<(Vec<String>, &Vec<String>)> = truths
        .iter()
        .flat_map(|truth| truth.slots.iter().zip(&truth.records))
        .map(|(slots, texts)| (slots.iter().map(|slot| name(slot)).collect(), texts))
        .collect();
    let mut slots: BTreeMap<&str, usize> = BTreeMap::new();
    let mut texts: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut edges: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (record, values) in &records {
        for (slot, text) in record.iter().zip(*values) {
            *slots.entry(slot).or_default() += 1;
            texts.entry(slot).or_default().insert(text);
        }
        for pair in record.windows(2) {
            *edges.entry((&pair[0], &pair[1])).or_default() += 1;
        }
    }
    let rarer = |(from, to): (&str, &str)| slots[from].min(slots[to]) as f64;
    let edges = edges
        .iter()
        .filter(|&(&edge, &count)| count as f64 >= MIN_EDGE_SHARE * rarer(edge))
        .map(|(edge, _)| (edge.0.to_owned(), edge.1.to_owned()));
    let constant = texts.iter().filter(|(_, texts)| texts.len() == 1);
    let constant = constant.map(|(&slot, _)| slot.to_owned()).collect();
    let slots = slots.keys().map(|&slot| slot.to_owned()).collect();
    (NamedGraph { edges: edges.collect(), slots }, constant)
}

/// What a mined slot shows.
#[derive(Debug, Default)]
struct Shown {
    /// How often it shows each true slot: its text, a part of it, or it and more.
    votes: BTreeMap<String, usize>,
    /// The records that it occurs in, by number.
    records: BTreeSet<usize>,
    /// Units, and those of them that are the whole text of a true slot and nothing else.
    units: usize,
    exact: usize,
}

impl Shown {
    /// The true slot that it shows, if it does in at least half of its units.
    fn meaning(&self) -> Option<(&str, usize)> {
        let (name, votes) = self.votes.iter().max_by_key(|(_, votes)| **votes)?;
        (2 * votes >= self.units).then_some((name, *votes))
    }
}

/// What each mined slot shows in the true records.
fn shown(pages: &Pages, model: &SiteModel, found: &[PageRecords]) -> BTreeMap<String, Shown> {
    let mut shown: BTreeMap<String, Shown> = BTreeMap::new();
    let mut number = 0;
    for ((truth, document), found) in pages.truths.iter().zip(&pages.documents).zip(found) {
        let aligned = extract(document, found, model);
        let Some(records) = aligned.first() else { continue };
        for (slots, texts) in truth.slots.iter().zip(&truth.records) {
            number += 1;
            let title = slots.iter().position(|slot| slot == "title").map(|at| texts[at].as_str());
            let own = records
                .iter()
                .find(|record| record.units.iter().any(|unit| Some(unit.text.as_str()) == title));
            let units = own.iter().flat_map(|record| &record.units);
            for unit in units.filter(|unit| unit.attribute.is_none()) {
                let entry = shown.entry(unit.slot.clone()).or_default();
                entry.units += 1;
                entry.records.insert(number);
                entry.exact += usize::from(texts.contains(&unit.text));
                for (slot, text) in slots.iter().zip(texts) {
                    let weight = match text == &unit.text {
                        true => 8,
                        false if holds(text, &unit.text) || holds(&unit.text, text) => 1,
                        false => 0,
                    };
                    if weight > 0 {
                        *entry.votes.entry(slot.clone()).or_default() += weight;
                    }
                }
            }
        }
    }
    shown
}

/// Whether a text has another in it, as words.
fn holds(text: &str, part: &str) -> bool {
    !part.is_empty() && format!(" {text} ").contains(&format!(" {part} "))
}

/// The mined graph in the names of the true slots; a slot that shows nothing true is unknown, a second one that shows the
/// same is so again. Two slots for one true slot that no record has both of are alternatives, as a price is that stands in
/// other mark-up when it is a sale's: they count as one. With it the slots that always show the same.
fn mined_graph(
    template: &Template,
    shown: &BTreeMap<String, Shown>,
) -> (NamedGraph, BTreeSet<String>) {
    // The slots that show a true one most often come first to its name.
    let mut slots: Vec<_> = template
        .slots
        .iter()
        .filter(|slot| slot.attribute.is_none())
        .map(|slot| {
            let shown = shown.get(&format!("{}.{}", template.template, slot.slot));
            (slot, shown.and_then(Shown::meaning), shown.map(|shown| &shown.records))
        })
        .collect();
    slots.sort_by_key(|(_, meaning, _)| std::cmp::Reverse(meaning.map_or(0, |(_, votes)| votes)));
    let mut names: BTreeMap<&str, String> = BTreeMap::new();
    let mut constant = BTreeSet::new();
    let mut taken: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (slot, meaning, records) in slots {
        let name = match (meaning, records) {
            (Some((name, _)), Some(records)) => {
                let own = taken.entry(name).or_default();
                match own.is_disjoint(records) {
                    true => {
                        own.extend(records);
                        name.to_owned()
                    }
                    false => format!("{name} again {:?}", slot.samples),
                }
            }
            _ => format!("unknown {:?}", slot.samples),
        };
        if slot.constant {
            constant.insert(name.clone());
        }
        names.insert(&slot.slot, name);
    }
    let edges = template.edges.iter().filter_map(|edge| {
        Some((names.get(edge.from.as_str())?.clone(), names.get(edge.to.as_str())?.clone()))
    });
    (NamedGraph { edges: edges.collect(), slots: names.values().cloned().collect() }, constant)
}

/// How near the mined template is to the true one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The same graph, and every slot shows the true texts.
    Exact,
    /// The same graph, but values carry their label ("by Saldo").
    SameGraph(Vec<String>),
    /// The same graph over what varies: texts that never vary are slots of one and template of the other.
    Alike(Vec<String>),
    /// Another graph.
    Different(Vec<String>),
}

/// Mines a site and compares.
pub(crate) fn verdict(site: &Site) -> Verdict {
    let pages = pages(site);
    let ids: Vec<String> = pages.truths.iter().map(|truth| truth.page.clone()).collect();
    let inputs: Vec<PageInput<'_>> = ids
        .iter()
        .zip(&pages.documents)
        .map(|(id, document)| PageInput { id, document, cluster: None })
        .collect();
    let found = find_records(&inputs, &RecordsConfig::default());
    let documents: Vec<&Document> = pages.documents.iter().collect();
    let model = learn(&documents, &found, &TemplateConfig::default());
    let Some(template) = model.templates.first() else {
        return Verdict::Different(vec!["no template".to_owned()]);
    };
    let shown = shown(&pages, &model, &found);
    let (mined, mined_constant) = mined_graph(template, &shown);
    let (truth, true_constant) = true_graph(&pages.truths, !mined.slots.contains("call"));
    let mut notes = mined.differences(&truth);
    let varying = mined.without(&mined_constant).differences(&truth.without(&true_constant));
    let records: usize = pages.truths.iter().map(|truth| truth.records.len()).sum();
    if template.records < records {
        return Verdict::Different(vec![format!("{} of {records} records", template.records)]);
    }
    if !varying.is_empty() {
        return Verdict::Different(varying);
    }
    let inexact = shown.iter().filter(|(_, shown)| {
        !shown.votes.is_empty() && (shown.exact as f64) < EXACT_SHARE * shown.units as f64
    });
    let inexact: Vec<String> = inexact
        .map(|(slot, shown)| format!("slot {slot} shows more or less than {:?}", shown.votes))
        .collect();
    match (notes.is_empty(), inexact.is_empty()) {
        (true, true) => Verdict::Exact,
        (true, false) => Verdict::SameGraph(inexact),
        _ => {
            notes.extend(inexact);
            Verdict::Alike(notes)
        }
    }
}

pub(crate) const THEMES: [Theme; 6] = [
    Theme::Cards,
    Theme::Classic,
    Theme::Semantic,
    Theme::Utility,
    Theme::Definitions,
    Theme::Loose,
];

#[cfg(test)]
mod quick {
    use rayon::prelude::*;

    use super::*;

    /// The share of false records, every which combination is tried with it, how many cases must have the true graph, and
    /// how many that or one alike. They may only rise; `examples/template_truth.rs` prints the whole table.
    const FLOORS: [(f64, usize, usize, usize); 2] = [(0.0, 1, 22, 26), (0.2, 4, 4, 6)];

    #[test]
    fn the_mined_graph_is_the_true_one() {
        for (noise, step, exact, alike) in FLOORS {
            let cases: Vec<(Parts, Theme)> =
                Parts::all().zip(THEMES.into_iter().cycle()).step_by(step).collect();
            let verdicts: Vec<Verdict> = cases
                .par_iter()
                .map(|&(parts, theme)| verdict(&site(parts, theme, Vertical::Books, noise)))
                .collect();
            let count = |test: fn(&Verdict) -> bool| verdicts.iter().filter(|v| test(v)).count();
            let found = [
                count(|verdict| matches!(verdict, Verdict::Exact | Verdict::SameGraph(_))),
                count(|verdict| !matches!(verdict, Verdict::Different(_))),
            ];
            let mut report = String::new();
            for ((parts, theme), verdict) in cases.iter().zip(&verdicts) {
                report.push_str(&format!("{theme:?}, {}: {verdict:?}\n", parts.name()));
            }
            assert!(
                found[0] >= exact && found[1] >= alike,
                "{found:?} with {noise} false records:\n{report}"
            );
        }
    }
}
