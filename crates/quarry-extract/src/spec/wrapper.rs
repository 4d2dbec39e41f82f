//! Learns how a site pairs its names and values. Wrapper induction from noisy annotations (Dalvi,
//! Kumar, Soliman; DEXTER §4.2 and §5.2): texts equal to known names and values are annotated,
//! every rule that extracts annotated texts is ranked by how well it explains which texts are
//! annotated and which are not, and the best name rule and value rule whose nodes take turns are
//! the wrapper.

use std::collections::BTreeMap;

use quarry_dom::{Document, NodeId};
use serde::{Deserialize, Serialize};

use super::find::{Spec, SpecMethod, SpecPair};
use super::known::KnownPairs;
use super::outline::Outline;
use super::pair::{clean_name, clean_value};
use super::rule::{Rule, rules_for};

/// The share of true texts that the annotator marks (Table 6: recall 0.39), and of other texts.
const MARKED: f64 = 0.39;
const MARKED_BY_CHANCE: f64 = 0.02;
/// Rules of each sort that are tried together.
const MAX_RULES: usize = 12;
/// The share of names that a value must follow before the next name.
const PAIRED: f64 = 0.9;
/// Pairs that the rules must extract on the mean page that has any: a specification is a list.
const MIN_PAIRS: f64 = 3.0;
/// Marked names and marked values that rules must cover, to be more than chance.
const MIN_MARKS: usize = 3;

static NO_RULE: Rule = Rule { anchor: String::new(), steps: Vec::new() };

/// The two rules of a site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wrapper {
    /// Where names stand.
    pub name: Rule,
    /// Where values stand.
    pub value: Rule,
    /// How much better the rules explain the annotations than no rule does, as a log-likelihood.
    pub gain: f64,
}

/// A page's texts and the rules that extract each.
struct Texts {
    nodes: Vec<NodeId>,
    rules: Vec<Vec<u32>>,
}

/// Infers the wrapper of a site; `None` where no two rules are paired.
pub fn induce(documents: &[&Document], known: &KnownPairs) -> Option<Wrapper> {
    let mut numbers: BTreeMap<Rule, u32> = BTreeMap::new();
    let mut pages: Vec<Texts> = Vec::with_capacity(documents.len());
    // Texts, texts marked as names, texts marked as values, by rule.
    let mut counts: Vec<[usize; 3]> = Vec::new();
    for document in documents {
        let outline = Outline::new(document);
        let mut texts = Texts { nodes: Vec::new(), rules: Vec::new() };
        for leaf in outline.leaves.iter().filter(|leaf| !leaf.icon) {
            let text = document.text(leaf.node);
            let marks = [true, known.is_name(text), known.is_value(text)];
            let mut own = Vec::new();
            for rule in rules_for(document, leaf.node) {
                let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                let number = *numbers.entry(rule).or_insert(next);
                if number as usize >= counts.len() {
                    counts.push([0; 3]);
                }
                for (count, mark) in counts[number as usize].iter_mut().zip(marks) {
                    *count += usize::from(mark);
                }
                own.push(number);
            }
            texts.nodes.push(leaf.node);
            texts.rules.push(own);
        }
        pages.push(texts);
    }
    let mut rules: Vec<&Rule> = vec![&NO_RULE; numbers.len()];
    for (rule, &number) in &numbers {
        rules[number as usize] = rule;
    }
    // Of rules that explain as much, anchored ones come first, then short ones.
    let order = |rule: u32| {
        let rule = rules[rule as usize];
        (!rule.anchor.contains('@'), rule.steps.len(), rule)
    };
    let ranked = |sort: usize| {
        let mut ranked: Vec<(f64, u32)> = (0..counts.len() as u32)
            .filter(|&rule| counts[rule as usize][sort] >= MIN_MARKS)
            .map(|rule| (gain(counts[rule as usize][0], counts[rule as usize][sort]), rule))
            .filter(|&(gain, _)| gain > 0.0)
            .collect();
        ranked.sort_by(|one, other| {
            other.0.total_cmp(&one.0).then_with(|| order(one.1).cmp(&order(other.1)))
        });
        ranked.truncate(MAX_RULES);
        ranked
    };
    let (names, values) = (ranked(1), ranked(2));
    let mut best: Option<(f64, u32, u32)> = None;
    for &(name_gain, name) in &names {
        for &(value_gain, value) in &values {
            let gain = name_gain + value_gain;
            if name != value
                && best.is_none_or(|(most, ..)| gain > most)
                && are_paired(&pages, name, value)
            {
                best = Some((gain, name, value));
            }
        }
    }
    let (gain, name, value) = best?;
    let rule = |number: u32| rules[number as usize].clone();
    Some(Wrapper { name: rule(name), value: rule(value), gain })
}

/// The log-likelihood of the marks among the texts of a rule, compared with chance.
fn gain(texts: usize, marked: usize) -> f64 {
    let (marked, plain) = (marked as f64, (texts - marked) as f64);
    marked * (MARKED / MARKED_BY_CHANCE).ln()
        + plain * ((1.0 - MARKED) / (1.0 - MARKED_BY_CHANCE)).ln()
}

/// Whether names and values take turns on the pages, list-like.
fn are_paired(pages: &[Texts], name: u32, value: u32) -> bool {
    let (mut names, mut paired, mut stray, mut with) = (0, 0, 0, 0);
    for page in pages {
        let before = names;
        let mut open = false;
        let mut after_name = false;
        for rules in &page.rules {
            if rules.contains(&name) {
                names += 1;
                (open, after_name) = (true, true);
            } else if rules.contains(&value) {
                paired += usize::from(open);
                stray += usize::from(!after_name);
                open = false;
            }
        }
        with += usize::from(names > before);
    }
    let names = names as f64;
    paired as f64 >= PAIRED * names
        && stray as f64 <= (1.0 - PAIRED) * names
        && names >= MIN_PAIRS * f64::from(u32::try_from(with).unwrap_or(1).max(1))
}

/// What the wrapper extracts from a page.
pub fn apply(document: &Document, wrapper: &Wrapper) -> Option<Spec> {
    let outline = Outline::new(document);
    let mut pairs: Vec<SpecPair> = Vec::new();
    let mut name: Option<(String, NodeId)> = None;
    let mut fresh = false;
    for leaf in outline.leaves.iter().filter(|leaf| !leaf.icon) {
        let rules = rules_for(document, leaf.node);
        let text = || quarry_dom::fold_whitespace(document.text(leaf.node)).into_owned();
        if rules.contains(&wrapper.name) {
            name = Some((clean_name(&text()), leaf.node));
            fresh = true;
        } else if let Some((name, name_node)) = &name
            && rules.contains(&wrapper.value)
        {
            // Further texts of a value are parts of it.
            if fresh {
                pairs.push(SpecPair {
                    name: name.clone(),
                    value: clean_value(&text()),
                    name_node: *name_node,
                    value_node: leaf.node,
                    attribute: None,
                    section: None,
                    item: 0,
                });
                fresh = false;
            } else if let Some(last) = pairs.last_mut() {
                last.value.push(' ');
                last.value.push_str(&text());
            }
        }
    }
    pairs.retain(|pair| !pair.name.is_empty() && !pair.value.is_empty());
    let (first, last) = (pairs.first()?.name_node, pairs.last()?.value_node);
    let mut node = first;
    while !document.contains(node, last) {
        node = document.parent(node)?;
    }
    Some(Spec { node, score: 1.0, method: SpecMethod::Wrapper, pairs })
}
