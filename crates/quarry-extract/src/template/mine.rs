//! Mines the template of a set of records. The steps of the paper's figure 4, in its order.

use std::collections::{BTreeMap, BTreeSet};

use super::corpus::{Corpus, corpus};
use super::describe::{assemble, written_places};
use super::forest::RecordInput;
use super::graph::{Graph, vote, voters};
use super::network::Detector;
use super::placer::{Placed, Placer};
use super::places::{StringAt, cues_of, groups, members_of, occupied};
use super::texts::{segments, separator, template_texts, text_samples};
use crate::model::{StringPlace, Template};
use crate::parallel;
use quarry_value::ValueKind;

/// How templates are mined.
#[derive(Clone, Debug)]
pub struct TemplateConfig {
    /// The detector of decorative tags.
    pub tags: Detector,
    /// The detector of template texts.
    pub texts: Detector,
}

impl Default for TemplateConfig {
    fn default() -> Self {
        let read =
            |text| Detector::from_text(text).expect("the weights in the source are well formed");
        Self { tags: read(include_str!("decorative.txt")), texts: read(include_str!("texts.txt")) }
    }
}

/// A slot while it is mined: a group and the number of a part, see [`segments`].
pub(crate) type PartKey = (usize, usize);

/// What was mined, before it is written down.
pub(crate) struct Mined<'c, 'a> {
    pub(crate) corpus: &'c Corpus<'a>,
    pub(crate) places: &'c [StringPlace],
    /// The strings of each record, in their groups.
    pub(crate) placed: &'c [Placed<'c>],
    /// The template texts of each group.
    pub(crate) texts: &'c [Vec<String>],
    /// A number for each part of each group.
    pub(crate) numbers: &'c BTreeMap<PartKey, usize>,
    /// The numbers of each record, in document order.
    pub(crate) sequences: &'c [Vec<usize>],
    pub(crate) graph: &'c Graph,
    /// Whether each record is one to trust.
    pub(crate) voters: &'c [bool],
    /// Parts that only name the next one.
    pub(crate) names_next: &'c BTreeSet<usize>,
}

/// Mines the template of records of one kind. Their order does not matter.
pub fn mine(records: &[RecordInput<'_>], config: &TemplateConfig) -> Template {
    let corpus = corpus(records, config);
    let cues = cues_of(&corpus);
    let places = occupied(&corpus, &cues);
    let group_of = groups(&corpus, &places);
    let members = members_of(&places, &group_of);
    let voters = voters(&groups_of(&members, corpus.strings.len()));
    let texts: Vec<Vec<String>> = parallel::map(&members, |members| {
        let string = |&(record, string): &StringAt| &corpus.strings[record].strings[string];
        let votes = |member: &&StringAt| voters[member.0];
        let own = || members.iter().filter(votes).map(string);
        let strings: Vec<&str> = own().map(|string| string.text.as_str()).collect();
        let typed = own().filter(|string| string.kind != ValueKind::Text).count();
        let mut texts = template_texts(&text_samples(&strings), &config.texts);
        let mark = separator(&strings, typed).map(str::to_owned);
        texts.extend(mark.filter(|mark| !texts.contains(mark)));
        texts
    });
    let numbers = number_parts(&corpus, &members, &texts);
    let mut sequences: Vec<Vec<(usize, usize)>> = vec![Vec::new(); corpus.strings.len()];
    for (group, members) in members.iter().enumerate() {
        if texts[group].is_empty() {
            let number = numbers.get(&(group, 0)).copied();
            for &(record, string) in members {
                sequences[record].extend(number.map(|number| (string * 1_000, number)));
            }
            continue;
        }
        for &(record, string) in members {
            let text = &corpus.strings[record].strings[string].text;
            for (part, (after, _)) in segments(text, &texts[group]).into_iter().enumerate() {
                if let Some(&number) = numbers.get(&(group, after)) {
                    sequences[record].push((string * 1_000 + part.min(999), number));
                }
            }
        }
    }
    let sequences: Vec<Vec<usize>> = sequences
        .into_iter()
        .map(|mut sequence| {
            sequence.sort_unstable();
            let mut seen = BTreeSet::new();
            sequence.retain(|&(_, slot)| seen.insert(slot));
            sequence.into_iter().map(|(_, slot)| slot).collect()
        })
        .collect();
    let mut sequences = sequences;
    let mut names_next = BTreeSet::new();
    let written = written_places(&corpus, &places, &group_of);
    let placer = Placer::new(&written, corpus.decorative.clone());
    let placed: Vec<Placed<'_>> = parallel::map_range(corpus.forests.len(), |at| {
        placer.place_mined(&corpus.forests[at], &corpus.strings[at], &cues[at])
    });
    loop {
        let graph = vote(&sequences);
        let (template, naming) = assemble(&Mined {
            corpus: &corpus,
            places: &written,
            placed: &placed,
            texts: &texts,
            numbers: &numbers,
            sequences: &sequences,
            graph: &graph,
            voters: &voters,
            names_next: &names_next,
        });
        if naming.is_empty() || !names_next.is_empty() {
            return template;
        }
        // Labels are template, not data: the records vote once more without them.
        names_next.extend(naming);
        for sequence in &mut sequences {
            sequence.retain(|slot| !names_next.contains(slot));
        }
    }
}

/// The groups of each record.
fn groups_of(members: &[Vec<StringAt>], records: usize) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); records];
    for (group, members) in members.iter().enumerate() {
        for &(record, _) in members {
            if groups[record].last() != Some(&group) {
                groups[record].push(group);
            }
        }
    }
    groups
}

/// A number for each part of each group that occurs.
fn number_parts(
    corpus: &Corpus<'_>,
    members: &[Vec<StringAt>],
    texts: &[Vec<String>],
) -> BTreeMap<PartKey, usize> {
    let mut keys: BTreeSet<PartKey> = BTreeSet::new();
    for (group, members) in members.iter().enumerate() {
        if texts[group].is_empty() {
            keys.extend(members.first().map(|_| (group, 0)));
            continue;
        }
        for &(record, string) in members {
            let text = &corpus.strings[record].strings[string].text;
            keys.extend(segments(text, &texts[group]).into_iter().map(|(after, _)| (group, after)));
        }
    }
    keys.into_iter().enumerate().map(|(number, key)| (key, number)).collect()
}
