//! Does the search find exactly the supported sets?

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use quarry_simjoin::apriori::{AprioriConfig, FrequentSet, Item, frequent_sets};

/// All supported sets, by trying every set.
fn brute_force(items: &[Item], least: usize) -> BTreeMap<Vec<u32>, usize> {
    let mut found = BTreeMap::new();
    for mask in 1u32..1 << items.len() {
        let set: Vec<u32> = (0..items.len() as u32).filter(|i| mask >> i & 1 == 1).collect();
        let attributes: BTreeSet<u32> = set.iter().map(|i| items[*i as usize].attribute).collect();
        let common = set
            .iter()
            .map(|i| items[*i as usize].pairs.iter().copied().collect::<BTreeSet<_>>())
            .reduce(|a, b| a.intersection(&b).copied().collect())
            .unwrap_or_default();
        let pages: BTreeSet<u32> = common.iter().map(|(_, page)| *page).collect();
        if attributes.len() == set.len() && pages.len() >= least {
            found.insert(set, pages.len());
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn the_sets_are_those_of_brute_force(
        raw in prop::collection::vec((0u32..4, prop::collection::vec((0u32..4, 0u32..6), 0..20)), 0..7),
        least in 1usize..4,
    ) {
        let items: Vec<Item> =
            raw.into_iter().map(|(attribute, pairs)| Item { attribute, pairs }).collect();
        let config = AprioriConfig { min_support: least, ..AprioriConfig::default() };
        let found = frequent_sets(&items, &config);
        let flat: BTreeMap<Vec<u32>, usize> =
            found.levels.iter().flatten().map(|set| (set.items.clone(), set.support)).collect();
        prop_assert_eq!(flat, brute_force(&items, least));
    }
}

#[test]
fn a_full_level_keeps_the_best_and_says_so() {
    let item = |attribute: u32, pages: u32| Item {
        attribute,
        pairs: (0..pages).map(|page| (page, page)).collect(),
    };
    let items = [item(0, 20), item(0, 30), item(1, 25), item(1, 12), item(2, 3)];
    let config = AprioriConfig { min_support: 10, max_sets: 2 };
    let found = frequent_sets(&items, &config);
    assert_eq!(found.dropped, 2);
    assert_eq!(found.best(), Some(&FrequentSet { items: vec![1, 2], support: 25 }));
    assert_eq!(frequent_sets(&[], &config).best(), None);
}
