//! Groups strings by place, and places into slots. Strings of one path and column share a place;
//! places are clustered by context into the paper's clusters of data strings (§4.2).

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::cluster::{Member, cluster};
use super::columns::{Column, Cues, align, columns, prefix, text_cue};
use super::corpus::Corpus;
use super::distance::{Context, KINDS};
use super::strings::{Strings, tags_hash};

use crate::parallel;

/// A string: the record and its number there.
pub(crate) type StringAt = (usize, usize);
/// Strings of one record.
type OfRecord = (usize, Vec<usize>);
/// How often each template string occurs, and where first.
type Sides = BTreeMap<u64, (usize, StringAt)>;

/// Cues that a smaller share of a column's strings has are not kept.
const COMMON_CUE: f64 = 0.05;

/// The strings of one column of one path: (record, string).
pub(crate) struct Occupied {
    pub(crate) path: u64,
    pub(crate) column: Column,
    pub(crate) members: Vec<StringAt>,
}

/// The cues of each string of each record.
pub(crate) fn cues_of(corpus: &Corpus<'_>) -> Vec<Vec<Cues>> {
    parallel::map(&corpus.strings, cues)
}

/// The cues of each string of a record.
pub(crate) fn cues(record: &Strings) -> Vec<Cues> {
    let mut before: Option<u64> = None;
    record
        .strings
        .iter()
        .map(|string| {
            let own = text_cue(&string.text);
            let cues = Cues([
                before,
                Some(own),
                prefix(&string.text).map(text_cue),
                Some(tags_hash(record.left(string))),
                Some(tags_hash(record.next_tag(string))),
                Some(text_cue(string.kind.as_str())),
            ]);
            before = Some(own);
            cues
        })
        .collect()
}

/// The paths and numbers of a record's strings, by path and then in order.
pub(crate) fn by_path(record: &Strings) -> Vec<(u64, usize)> {
    let strings = record.strings.iter().enumerate();
    let mut paths: Vec<(u64, usize)> = strings.map(|(at, string)| (string.path, at)).collect();
    paths.sort_unstable();
    paths
}

/// Which strings share path and column.
pub(crate) fn occupied(corpus: &Corpus<'_>, all_cues: &[Vec<Cues>]) -> Vec<Occupied> {
    let mut paths: BTreeMap<u64, Vec<OfRecord>> = BTreeMap::new();
    for (record, strings) in corpus.strings.iter().enumerate() {
        for own in by_path(strings).chunk_by(|one, other| one.0 == other.0) {
            let numbers = own.iter().map(|&(_, string)| string).collect();
            paths.entry(own[0].0).or_default().push((record, numbers));
        }
    }
    let paths: Vec<(u64, Vec<OfRecord>)> = paths.into_iter().collect();
    let found: Vec<Vec<Occupied>> = paths
        .into_par_iter()
        .map(|(path, records)| {
            let of = |(record, own): &OfRecord| {
                own.iter().map(|&string| all_cues[*record][string]).collect::<Vec<Cues>>()
            };
            let cues: Vec<Vec<Cues>> = records.iter().map(of).collect();
            let columns: Vec<Column> =
                columns(&cues).iter().map(|column| column.reduced(COMMON_CUE)).collect();
            let mut places: Vec<Occupied> = columns
                .iter()
                .map(|column| Occupied { path, column: column.clone(), members: Vec::new() })
                .collect();
            for ((record, own), cues) in records.iter().zip(&cues) {
                for (&string, column) in own.iter().zip(align(&columns, cues)) {
                    if let Some(column) = column {
                        places[column].members.push((*record, string));
                    }
                }
            }
            places.retain(|place| !place.members.is_empty());
            places
        })
        .collect();
    found.into_iter().flatten().collect()
}

/// What is known of the strings of a place together.
fn context(corpus: &Corpus<'_>, place: &Occupied) -> Context {
    let string = |&(record, string): &StringAt| &corpus.strings[record].strings[string];
    let mut kinds = [0.0; 5];
    let mut position = 0.0;
    let mut sides: [Sides; 2] = Default::default();
    for member in &place.members {
        let own = string(member);
        position += own.position;
        for (share, kind) in kinds.iter_mut().zip(KINDS) {
            *share += f64::from(u8::from(own.kind == kind));
        }
        let record = &corpus.strings[member.0];
        for (side, tags) in sides.iter_mut().zip([record.left(own), record.right(own)]) {
            side.entry(tags_hash(tags)).or_insert((0, *member)).0 += 1;
        }
    }
    let count = place.members.len() as f64;
    kinds.iter_mut().for_each(|share| *share /= count);
    let most = |side: &Sides| {
        let most = side.iter().max_by_key(|(hash, (count, _))| (*count, **hash));
        most.map_or(place.members[0], |(_, (_, member))| *member)
    };
    let (left, right) = (most(&sides[0]), most(&sides[1]));
    let path = corpus.names.steps_of(place.path);
    Context {
        left: corpus.strings[left.0].left(string(&left)).to_vec(),
        right: corpus.strings[right.0].right(string(&right)).to_vec(),
        path: path.into_iter().map(|step| (corpus.names.name_of_step(step), step)).collect(),
        kinds,
        position: position / count,
    }
}

/// The group of each place (paper §4.2: clusters of data strings).
pub(crate) fn groups(corpus: &Corpus<'_>, places: &[Occupied]) -> Vec<usize> {
    let contexts: Vec<Context> = parallel::map(places, |place| context(corpus, place));
    let records: Vec<Vec<u32>> = places
        .iter()
        .map(|place| place.members.iter().map(|member| member.0 as u32).collect())
        .collect();
    let members: Vec<Member<'_>> = contexts
        .iter()
        .zip(&records)
        .map(|(context, records)| Member { context, records })
        .collect();
    cluster(&members)
}

/// The strings of each group.
pub(crate) fn members_of(places: &[Occupied], groups: &[usize]) -> Vec<Vec<StringAt>> {
    let count = groups.iter().max().map_or(0, |most| most + 1);
    let mut members: Vec<Vec<StringAt>> = vec![Vec::new(); count];
    for (place, &group) in places.iter().zip(groups) {
        members[group].extend(&place.members);
    }
    for members in &mut members {
        members.sort_unstable();
    }
    members
}
