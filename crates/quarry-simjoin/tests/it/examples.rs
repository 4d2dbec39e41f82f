//! The worked examples of the paper, number for number: 1.1, 2.1 and B.1, on the data of Figure 1.

use quarry_simjoin::apriori::{AprioriConfig, FrequentSet, Item, frequent_sets};
use quarry_simjoin::strong::{StrongConfig, WeakPair, align, strong_similarity};
use quarry_simjoin::{SeedColumn, SeedIndex, Weigher, jaccard, words};
use std::collections::BTreeSet;

const R1: &str = "120 Lexington Avenue New York, NY 10016";
const R2: &str = "312 W 34th Street New York, NY 10001";
const P1: &str = "120 Lexington Ave (between 28th and 29th St) New York, NY 10016";
const P2: &str = "312 W 34th St (between 8th and 9th Ave) New York, NY 10001";
const TRANSIT1: &str = "Lexington Ave New York, NY";
const TRANSIT2: &str = "Penn Station New York, NY";

/// Jaccard similarity of bags of words, as in Example 1.1.
fn by_words(a: &str, b: &str) -> (usize, usize) {
    let (a, b): (BTreeSet<_>, BTreeSet<_>) =
        (words(a).into_iter().collect(), words(b).into_iter().collect());
    (a.intersection(&b).count(), a.union(&b).count())
}

fn index() -> SeedIndex {
    let names = SeedColumn::new("name", [(1, "Beijing Bites"), (2, "China Club")]);
    let addresses = SeedColumn::new("address", [(1, R1), (2, R2)]);
    SeedIndex::build(&[names, addresses])
}

#[test]
fn example_1_1_words_alone_mislead() {
    assert_eq!(by_words(R1, P1), (6, 13));
    assert_eq!(by_words(R1, TRANSIT1), (4, 8));
    assert_eq!(by_words("Beijing Bites", "Beijng Bites"), (1, 3));
    assert_eq!(by_words("China Club", "China Club"), (2, 2));
    // Without the line "(between …)" it is 6 of 8, the 3/4 of section 1.4.
    assert_eq!(by_words(R1, "120 Lexington Ave New York, NY 10016"), (6, 8));
}

#[test]
fn appendix_a_grams_see_through_a_typing_error() {
    // "beijing bites" and "bejing bites": more than 2/3.
    let common = 6 + 7;
    let all = 9 + 8 - 6 + 7;
    assert!(f64::from(common) / f64::from(all) > 2.0 / 3.0);
    assert_eq!(jaccard("beijing", "bejing"), 6.0 / 11.0);
    assert_eq!(jaccard("bites", "bites"), 1.0);
}

#[test]
fn example_2_1_addresses_share_a_pattern() {
    let first = align(R1, P1);
    assert_eq!(first.pattern_text(), "1 0 3 1 0 3");
    assert_eq!(first.u_segments, 3);
    assert_eq!(first.u_matching, "120 lexington new york ny 10016");
    assert_eq!(first.v_matching, "120 lexington new york ny 10016");
    let second = align(R2, P2);
    assert_eq!(second.pattern_text(), "1 0 3 1 0 3");
    assert_eq!(second.u_matching, "312 w 34th new york ny 10001");

    let index = index();
    let mut weigher = Weigher::new(&index);
    let mut pair = |u, v| WeakPair { u, v, cosine: weigher.similarity(1, u, v) };
    let pairs = [pair(R1, P1), pair(R2, P2)];
    assert!(pairs.iter().all(|pair| pair.cosine < 1.0));
    for found in strong_similarity(&index, 1, &pairs, &StrongConfig::default()) {
        assert!((found.similarity - 1.0).abs() < 1e-12, "{found:?}");
        assert_eq!((found.boosted, found.distinct), (true, 2));
    }
}

#[test]
fn example_2_1_transit_stations_are_not_boosted() {
    let found = align(R1, TRANSIT1);
    assert_eq!(found.pattern_text(), "0 1 0 3 0 2 0 4");
    assert_eq!(found.u_matching, "lexington new york ny");
    let index = index();
    let mut weigher = Weigher::new(&index);
    let mut pairs = Vec::new();
    for u in [R1, R2] {
        for v in [TRANSIT1, TRANSIT2] {
            pairs.push(WeakPair { u, v, cosine: weigher.similarity(1, u, v) });
        }
    }
    let config = StrongConfig { support: 0.3, ..StrongConfig::default() };
    let found = strong_similarity(&index, 1, &pairs, &config);
    for (found, pair) in found.iter().zip(&pairs) {
        assert_eq!((found.boosted, found.distinct), (false, 1), "{found:?}");
        assert_eq!(found.similarity, pair.cosine);
    }
    let others: Vec<&str> = found[1..].iter().map(|found| found.pattern.as_str()).collect();
    assert_eq!(others, ["0 2 0 0 2"; 3]);
}

#[test]
fn similar_patterns_support_each_other_when_asked() {
    let index = index();
    let texts: Vec<(String, String)> = (0..10)
        .map(|at| {
            let extra = if at % 2 == 0 { "" } else { " today" };
            (format!("{at} elm road"), format!("{at} elm{extra}"))
        })
        .collect();
    let pairs: Vec<WeakPair<'_>> =
        texts.iter().map(|(u, v)| WeakPair { u, v, cosine: 0.6 }).collect();
    let boosted = |edits| {
        let config = StrongConfig { support: 0.8, pattern_edits: edits };
        let found = strong_similarity(&index, 1, &pairs, &config);
        found.iter().filter(|found| found.boosted).count()
    };
    assert_eq!((boosted(0), boosted(1)), (0, 10));
}

#[test]
fn example_b_1_positions_of_name_and_address() {
    let (name, address) = (0, 1);
    let item = |attribute, pairs: &[(u32, u32)]| Item { attribute, pairs: pairs.to_vec() };
    let items = [
        item(name, &[(1, 1), (2, 2)]),    // (name, 1)
        item(name, &[(2, 1), (1, 2)]),    // (name, 4)
        item(address, &[(1, 1), (2, 2)]), // (address, 2)
        item(address, &[(1, 1)]),         // (address, 3)
    ];
    let found =
        frequent_sets(&items, &AprioriConfig { min_support: 1, ..AprioriConfig::default() });
    assert_eq!(found.levels[0].len(), 4);
    let s1 = FrequentSet { items: vec![0, 2], support: 2 };
    let s2 = FrequentSet { items: vec![0, 3], support: 1 };
    assert_eq!(found.levels[1], [s1.clone(), s2]);
    assert_eq!(found.levels.len(), 2);
    assert_eq!(found.best(), Some(&s1));
}
