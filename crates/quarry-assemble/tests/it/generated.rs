//! Are the columns of generated catalogues merged right?

use quarry_testsite::Vertical;

use crate::score::score;
use crate::views::{Noise, views};

/// The share of attributes that must come out as one column of their own.
const MERGED_RIGHT: f64 = 0.95;

#[test]
fn columns_with_other_names_and_formats_are_merged() {
    let (mut shared, mut right) = (0, 0);
    for (vertical, noise) in Vertical::ALL.iter().flat_map(|vertical| {
        let clean = Noise { missing: 0.0, wrong: 0.0 };
        [(*vertical, clean), (*vertical, Noise { missing: 0.2, wrong: 0.03 })]
    }) {
        let found = score(&views(vertical, 120, 7, noise));
        assert!(found.wrong.is_empty(), "{vertical:?} {noise:?}: {:#?}", found.wrong);
        shared += found.shared;
        right += found.right;
    }
    assert!(shared > 80, "{shared}");
    assert!(
        f64::from(right as u32) >= MERGED_RIGHT * f64::from(shared as u32),
        "{right} of {shared}"
    );
}

#[test]
fn half_of_the_values_missing_never_mix_columns() {
    let noise = Noise { missing: 0.5, wrong: 0.06 };
    for seed in 1..3 {
        let found = score(&views(Vertical::Restaurants, 150, seed, noise));
        assert!(found.wrong.is_empty(), "{:#?}", found.wrong);
    }
}

#[test]
fn few_entities_never_mix_columns() {
    for vertical in Vertical::ALL {
        for entities in [2, 8] {
            let found = score(&views(*vertical, entities, 3, Noise { missing: 0.1, wrong: 0.0 }));
            assert!(found.wrong.is_empty(), "{vertical:?} {entities}: {:#?}", found.wrong);
        }
    }
}
