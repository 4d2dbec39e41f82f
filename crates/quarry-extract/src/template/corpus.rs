//! What are the strings of all records? Forests are read, decorative tags found and removed, and records cut into strings.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::classes::{self, Classes};
use super::decorative::{decorative, tag_samples};
use super::forest::{Forest, Names, RecordInput, forest};
use super::mine::TemplateConfig;
use super::prose::tags_in_prose;
use super::strings::{Strings, strings};
use crate::page::hash;

/// The records with their strings.
pub(crate) struct Corpus<'a> {
    pub(crate) forests: Vec<Forest<'a>>,
    pub(crate) strings: Vec<Strings>,
    pub(crate) names: Names,
    pub(crate) decorative: BTreeSet<u64>,
}

/// Reads the records, in an order that depends on their content only.
pub(crate) fn forests<'a>(records: &[RecordInput<'a>]) -> (Vec<Forest<'a>>, Names) {
    let ids = classes::ids(records);
    let mut all: Vec<(u64, Forest<'a>, Names)> = records
        .par_iter()
        .map(|&record| {
            let mut names = Names::default();
            let forest = forest(record, Classes::Except(&ids), &mut names);
            let content = forest.items.iter().map(|item| match item.is_text {
                true => hash::of(forest.document.text(item.node)),
                false => item.path,
            });
            (content.fold(0, hash::then), forest, names)
        })
        .collect();
    all.sort_by_key(|(content, ..)| *content);
    let mut names = Names::default();
    let mut forests = Vec::with_capacity(all.len());
    for (_, forest, own) in all {
        names.extend(own);
        forests.push(forest);
    }
    (forests, names)
}

/// Reads the records, finds the decorative tags and cuts the records into strings.
pub(crate) fn corpus<'a>(records: &[RecordInput<'a>], config: &TemplateConfig) -> Corpus<'a> {
    let (forests, mut names) = forests(records);
    let mut decorative = decorative(&tag_samples(&forests), &config.tags);
    decorative.extend(tags_in_prose(&forests));
    let cut: Vec<(Strings, Names)> = forests
        .par_iter()
        .map(|forest| {
            let mut names = Names::default();
            let strings = strings(forest, |item, _| decorative.contains(&item.path), &mut names);
            (strings, names)
        })
        .collect();
    let mut all = Vec::with_capacity(cut.len());
    for (strings, own) in cut {
        names.extend(own);
        all.push(strings);
    }
    Corpus { forests, strings: all, names, decorative }
}
