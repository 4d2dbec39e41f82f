//! Laws: the order of sightings does not matter, none is lost, every column of a source is in one column.

use std::collections::BTreeMap;

use proptest::prelude::*;
use quarry_assemble::{AssembleConfig, Assembly, assemble};
use quarry_model::{ValueRow, ValueSource};

use crate::{row, sighting};

fn source() -> impl Strategy<Value = ValueSource> {
    prop_oneof![
        Just(ValueSource::Facet),
        Just(ValueSource::List),
        Just(ValueSource::Spec),
        Just(ValueSource::Match)
    ]
}

/// Rows of few entities, names and values, so that everything meets everything.
fn rows() -> impl Strategy<Value = Vec<ValueRow>> {
    let names = prop_oneof![
        Just("Brand"),
        Just("brand:"),
        Just("Maker"),
        Just("Size"),
        Just("#1"),
        Just("#2"),
        Just("title"),
        Just("key"),
        Just("")
    ];
    let values = prop_oneof![
        Just("Norva"),
        Just("NORVA"),
        Just("Tarn"),
        Just("Norva, Tarn"),
        Just("27 in"),
        Just("27\""),
        Just("68.6 cm"),
        Just("$5"),
        Just("5"),
        Just("yes"),
        Just(""),
        Just("-"),
        Just("2024-03-12"),
        Just("12 March 2024"),
        Just("AB-1234")
    ];
    let one = (0..12_u32, source(), names, values, 0..4_u32, 0.0..=1.0_f64);
    let one = one.prop_map(|(entity, source, name, value, page, confidence)| {
        let slash = if entity % 5 == 0 && page == 1 { "/" } else { "" };
        let mut row = row(&format!("/p/{entity}{slash}"), source, name, value);
        row.page.push_str(&format!("?page={page}"));
        row.confidence = confidence;
        row
    });
    proptest::collection::vec(one, 0..160)
}

fn shown(table: &Assembly<'_>) -> String {
    let rows: Vec<String> = table.values().map(|row| format!("{:?}", row.row)).collect();
    format!("{}\n{:#?}\n{}", table.dump(), table.columns, rows.join("\n"))
        + &serde_json::to_string(&table.entities).expect("plain data")
}

fn assembled<T>(rows: &[ValueRow], look: impl FnOnce(&Assembly<'_>) -> T) -> T {
    let sightings: Vec<_> = rows.iter().map(sighting).collect();
    look(&assemble(&sightings, &AssembleConfig::default()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_order_of_sightings_does_not_matter((rows, turned) in rows().prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle()))) {
        prop_assert_eq!(assembled(&rows, shown), assembled(&turned, shown));
    }

    #[test]
    fn no_sighting_is_lost_and_none_invented(rows in rows()) {
        let place = |row: &ValueRow| (row.source, row.page.clone(), row.path.clone());
        let mut before: BTreeMap<_, Vec<String>> = BTreeMap::new();
        for row in &rows {
            before.entry(place(row)).or_default().push(row.value.clone());
        }
        let mut after: BTreeMap<_, Vec<String>> = BTreeMap::new();
        assembled(&rows, |table| {
            let mut seen = vec![false; rows.len()];
            for value in table.entities.iter().flat_map(|e| &e.cells).flat_map(|c| &c.values) {
                value.sightings().for_each(|at| seen[at] = true);
            }
            assert!(seen.iter().all(|seen| *seen));
            for row in table.values() {
                after.entry(place(&row.row)).or_default().push(row.row.value.clone());
            }
        });
        for (place, values) in &before {
            let after = &after[place];
            for value in values {
                let items: Vec<&str> = value.split(", ").collect();
                prop_assert!(after.contains(value) || items.iter().all(|i| after.iter().any(|a| a == i)), "{value}");
            }
            prop_assert!(after.len() >= values.len());
            for value in after {
                prop_assert!(values.iter().any(|whole| whole.contains(value.as_str())), "{value}");
            }
        }
    }

    #[test]
    fn every_column_of_a_source_is_in_one_column(rows in rows()) {
        assembled(&rows, |table| {
            let mut all: Vec<_> = table.columns.iter().flat_map(|column| &column.names).collect();
            let count = all.len();
            all.sort();
            all.dedup();
            assert_eq!(all.len(), count);
            let mut names: Vec<&str> = table.columns.iter().map(|c| c.name.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), table.columns.len());
            // A group of n columns is held together by n - 1 merges.
            assert!(table.columns.iter().all(|c| c.merged.len() + 1 == c.names.len()));
        });
    }

    #[test]
    fn confidence_is_a_share_and_values_are_ranked(rows in rows()) {
        assembled(&rows, |table| {
            for cell in table.entities.iter().flat_map(|entity| &entity.cells) {
                assert!(cell.values.iter().all(|value| (0.0..1.0).contains(&value.confidence)));
                let said = cell.values.iter().filter(|value| !value.text.is_empty());
                assert!(said.map(|value| -value.confidence).is_sorted());
                let list = table.columns[cell.column].list;
                assert!(!cell.conflict || !list && cell.values.len() > 1);
            }
        });
    }

    #[test]
    fn a_harvest_compared_with_itself_is_the_same(rows in rows()) {
        assembled(&rows, |table| {
            let snapshot = table.snapshot();
            let changes = quarry_assemble::compare(&snapshot, &snapshot);
            assert_eq!(changes.len(), table.entities.len());
            assert!(changes.iter().all(|c| c.change == quarry_assemble::Change::Same));
        });
    }
}

#[test]
fn threads_do_not_matter() {
    let seen = crate::views::views(
        quarry_testsite::Vertical::Shoes,
        60,
        5,
        crate::views::Noise { missing: 0.2, wrong: 0.05 },
    );
    let sightings: Vec<_> = seen.iter().map(crate::views::Seen::sighting).collect();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| shown(&assemble(&sightings, &AssembleConfig::default())))
    };
    assert_eq!(on(1), on(3));
}
