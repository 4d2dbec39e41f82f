//! Does the join find exactly the pairs that the definition names?

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use quarry_simjoin::{Joined, SeedColumn, SeedIndex, Weigher, jaccard, words};

use crate::generate::{Record, World};

/// Appendix A as written, with maps: the weights of a text as a value of the attribute.
struct Definition {
    idf: BTreeMap<String, f64>,
}

impl Definition {
    fn new(values: &[(u32, String)], records: usize) -> Self {
        let mut holders: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
        for (record, text) in values {
            for word in words(text) {
                holders.entry(word).or_default().insert(*record);
            }
        }
        let idf = |set: &BTreeSet<u32>| (records as f64 / set.len() as f64).ln();
        Self { idf: holders.iter().map(|(word, set)| (word.clone(), idf(set))).collect() }
    }

    fn weight(&self, word: &str) -> f64 {
        if let Some(idf) = self.idf.get(word) {
            return *idf;
        }
        let near: Vec<(f64, f64)> =
            self.idf.iter().map(|(other, idf)| (jaccard(word, other), *idf)).collect();
        let most = near.iter().map(|(jaccard, _)| *jaccard).fold(0.0, f64::max);
        let closest: Vec<f64> = near.iter().filter(|n| n.0 == most).map(|n| n.1).collect();
        closest.iter().sum::<f64>() / closest.len().max(1) as f64
    }

    fn vector(&self, text: &str) -> BTreeMap<String, f64> {
        let mut vector = BTreeMap::new();
        for word in words(text) {
            let weight = self.weight(&word);
            let padded: Vec<char> = format!("##{word}##").chars().collect();
            let grams: BTreeSet<String> = padded.windows(3).map(|g| g.iter().collect()).collect();
            for gram in grams {
                *vector.entry(gram).or_insert(0.0) += weight;
            }
        }
        vector
    }
}

fn cosine(u: &BTreeMap<String, f64>, v: &BTreeMap<String, f64>) -> f64 {
    let length =
        |vector: &BTreeMap<String, f64>| vector.values().map(|w| w * w).sum::<f64>().sqrt();
    let dot: f64 = u.iter().filter_map(|(gram, w)| Some(w * v.get(gram)?)).sum();
    let lengths = length(u) * length(v);
    if lengths > 0.0 { dot / lengths } else { 0.0 }
}

/// Compares with the definition; pairs within a hair of the threshold may fall either way.
fn check(columns: &[Vec<(u32, String)>], strings: &[String], threshold: f64) {
    let records: BTreeSet<u32> = columns.iter().flatten().map(|(record, _)| *record).collect();
    let seeds: Vec<SeedColumn<'_>> = columns
        .iter()
        .map(|values| SeedColumn::new("a", values.iter().map(|(r, text)| (*r, text.as_str()))))
        .collect();
    let index = SeedIndex::build(&seeds);
    let joined = index.join(strings, threshold);
    let mut weigher = Weigher::new(&index);
    for (attribute, values) in (0u32..).zip(columns) {
        let definition = Definition::new(values, records.len());
        let vectors: Vec<_> = values.iter().map(|(_, text)| definition.vector(text)).collect();
        for (at, string) in strings.iter().enumerate() {
            let mut found: BTreeMap<u32, f64> = BTreeMap::new();
            for hit in joined.of(at).iter().filter(|hit| hit.attribute == attribute) {
                for record in index.records(attribute, hit.value) {
                    let best = found.entry(*record).or_insert(0.0);
                    *best = best.max(hit.cosine);
                }
            }
            let vector = definition.vector(string);
            let mut expected: BTreeMap<u32, f64> = BTreeMap::new();
            for ((record, text), other) in values.iter().zip(&vectors) {
                let cosine = cosine(&vector, other);
                assert!((weigher.similarity(attribute, text, string) - cosine).abs() < 1e-9);
                let best = expected.entry(*record).or_insert(0.0);
                *best = best.max(cosine);
            }
            for (record, cosine) in expected {
                match found.get(&record) {
                    Some(hit) => assert!((hit - cosine).abs() < 1e-9, "{string:?} {record}"),
                    None => assert!(cosine < threshold + 1e-9, "{string:?} {record} {cosine}"),
                }
            }
            assert!(found.values().all(|cosine| *cosine >= threshold));
        }
    }
}

/// Few letters, so that words resemble each other; numbers; other scripts.
fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        5 => "[abc]{1,6}", 3 => "[ab]{2,12}", 2 => "[0-3]{1,5}", 1 => "[a0é語]{1,3}"
    ];
    prop::collection::vec(word, 0..6).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn the_join_is_the_brute_force_join(
        first in prop::collection::vec((0u32..30, text()), 0..40),
        second in prop::collection::vec((0u32..30, text()), 0..10),
        strings in prop::collection::vec(text(), 0..12),
        threshold in prop_oneof![Just(0.5), 0.2f64..0.99],
    ) {
        check(&[first, second], &strings, threshold);
    }
}

/// Made-up records and strings, like those of the benchmark.
fn generated(seeds: usize, strings: usize) -> (Vec<Record>, Vec<String>) {
    let mut world = World::new(7);
    let records: Vec<Record> = (0..seeds).map(|_| world.record()).collect();
    let strings = world.strings(&records, strings);
    (records, strings)
}

fn columns(records: &[Record]) -> Vec<SeedColumn<'_>> {
    (0..3)
        .map(|at| SeedColumn::new("a", (0u32..).zip(records.iter().map(|r| r[at].as_str()))))
        .collect()
}

#[test]
fn generated_records_join_as_by_brute_force() {
    let (records, strings) = generated(120, 50);
    let values: Vec<Vec<(u32, String)>> =
        (0..3).map(|at| (0u32..).zip(records.iter().map(|r| r[at].clone())).collect()).collect();
    check(&values, &strings, 0.5);
}

#[test]
fn one_thread_and_many_agree() {
    let (records, strings) = generated(400, 9000);
    let run = |threads: usize| -> Joined {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| SeedIndex::build(&columns(&records)).join(&strings, 0.5))
    };
    let one = run(1);
    assert!(one.matches().len() > 50);
    assert_eq!(one, run(3));
}

#[test]
fn equal_strings_are_joined_once() {
    let (records, _) = generated(50, 0);
    let index = SeedIndex::build(&columns(&records));
    let name = records[17][0].as_str();
    let joined = index.join(&[name, "nothing", name], 0.5);
    assert_eq!(joined.groups(), [0, 1, 0]);
    assert_eq!(joined.of(0), joined.of(2));
    let hit = joined.of(0).iter().find(|hit| index.records(hit.attribute, hit.value).contains(&17));
    assert!((hit.unwrap().cosine - 1.0).abs() < 1e-9);
}

#[test]
fn poor_seeds_match_nothing_and_do_no_harm() {
    let same: Vec<(u32, &str)> = (0..1000).map(|record| (record, "Same Name")).collect();
    let cases: [Vec<(u32, &str)>; 5] = [
        vec![],
        vec![(0, "Only One")],
        same,
        (0..10).map(|record| (record, "")).collect(),
        vec![(0, "-"), (1, " , ")],
    ];
    for values in cases {
        let index = SeedIndex::build(&[SeedColumn::new("name", values.iter().copied())]);
        let joined = index.join(&["Only One", "Same Name", "", "x"], 0.5);
        assert!(joined.matches().is_empty(), "{:?}", values.first());
    }
    assert!(SeedIndex::build(&[]).join(&["x"], 0.5).matches().is_empty());
}

#[test]
fn strings_without_end_are_counted_not_joined() {
    let index = SeedIndex::build(&[SeedColumn::new("name", [(0, "elm road"), (1, "oak lane")])]);
    let long = "elm ".repeat(100_000);
    let joined = index.join(&[long.as_str(), "elm road", &"x".repeat(1_000_000)], 0.5);
    assert_eq!(joined.too_long(), 1);
    assert_eq!((joined.of(0).len(), joined.of(1).len()), (0, 1));
}
