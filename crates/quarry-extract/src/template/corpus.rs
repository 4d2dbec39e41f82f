//! The strings of all records. Forests are read, decorative tags found and removed, and records cut
//! into strings.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::classes::{self, Classes};
use super::decorative::{decorative, tag_samples};
use super::forest::{Forest, Names, RecordInput, Steps, forest};
use super::mine::TemplateConfig;
use super::prose::tags_in_prose;
use super::strings::{Lifted, Strings, strings};
use crate::page::hash;
use crate::parallel;

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
    let classes = Classes::Except(&ids);
    let mut all: Vec<(u64, Forest<'a>)> = records
        .par_iter()
        .map_init(
            || Steps::new(classes),
            |steps, &record| {
                let forest = forest(record, steps);
                let content = forest.items.iter().map(|item| match item.is_text {
                    true => hash::of(forest.document.text(item.node)),
                    false => item.path,
                });
                (content.fold(0, hash::then), forest)
            },
        )
        .collect();
    all.sort_by_key(|(content, _)| *content);
    let mut names = Names::default();
    let forests: Vec<Forest<'a>> = all.into_iter().map(|(_, forest)| forest).collect();
    for forest in &forests {
        names.learn(forest, classes);
    }
    (forests, names)
}

/// Reads the records, finds the decorative tags and cuts the records into strings.
pub(crate) fn corpus<'a>(records: &[RecordInput<'a>], config: &TemplateConfig) -> Corpus<'a> {
    let (forests, mut names) = forests(records);
    let mut decorative = decorative(&tag_samples(&forests), &config.tags);
    decorative.extend(tags_in_prose(&forests));
    let cut: Vec<(Strings, Vec<Lifted>)> = parallel::map(&forests, |forest| {
        let mut lifted = Vec::new();
        let strings = strings(forest, |item, _| decorative.contains(&item.path), &mut lifted);
        (strings, lifted)
    });
    let mut all = Vec::with_capacity(cut.len());
    for (strings, lifted) in cut {
        for Lifted { path, above, step } in lifted {
            names.know_path(path, above, step);
        }
        all.push(strings);
    }
    Corpus { forests, strings: all, names, decorative }
}
