//! Laws: the order of evidence does not matter, none is lost, every column of a source is in one column; a sample decides as the
//! whole does.

use std::collections::BTreeSet;

use proptest::prelude::*;
use quarry_assemble::{AssembleConfig, MemoryEvidence};
use quarry_model::{ValueRow, ValueSource};

use crate::{Table, evidence, row, table};

fn source() -> impl Strategy<Value = ValueSource> {
    prop_oneof![
        Just(ValueSource::Facet),
        Just(ValueSource::List),
        Just(ValueSource::Page),
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

fn shown(table: &Table) -> String {
    format!("{}\n{:#?}\n{:#?}\n{:#?}", table.dump(), table.columns, table.entities, table.values)
}

fn assembled<T>(rows: &[ValueRow], look: impl FnOnce(&Table) -> T) -> T {
    let mut store: MemoryEvidence = rows.iter().map(evidence).collect();
    // Slots that tell of the query stay: nothing is to be lost.
    let config = AssembleConfig { max_varying_share: 2.0, ..AssembleConfig::default() };
    look(&table(&mut store, &config))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_order_of_evidence_does_not_matter((rows, turned) in rows().prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle()))) {
        prop_assert_eq!(assembled(&rows, shown), assembled(&turned, shown));
    }

    #[test]
    fn no_value_is_lost_and_none_invented(rows in rows()) {
        assembled(&rows, |table| {
            let cells = table.entities.iter().flat_map(|entity| &entity.cells);
            let kept: BTreeSet<_> = cells
                .flat_map(|cell| &cell.values)
                .flat_map(|value| &value.evidence)
                .map(|own| (own.source, own.attribute.clone(), own.entity.clone(), own.value.clone()))
                .collect();
            // A dash, or nothing at all, says nothing.
            for row in rows.iter().filter(|row| !matches!(row.value.as_str(), "" | "-")) {
                let own = (row.source, row.attribute.clone(), row.entity.clone(), row.value.clone());
                // Of equal ones the first three stay, in whatever spelling of the address.
                let slash = format!("{}/", own.2.trim_end_matches('/'));
                let spelt = (own.0, own.1.clone(), slash.clone(), own.3.clone());
                let plain = (own.0, own.1.clone(), slash.trim_end_matches('/').to_owned(), own.3.clone());
                assert!(kept.contains(&own) || kept.contains(&spelt) || kept.contains(&plain), "{row:?}");
            }
            for row in &table.values {
                let of = |own: &&ValueRow| own.source == row.source && own.value.contains(&row.value);
                assert!(rows.iter().find(of).is_some(), "{row:?}");
            }
        });
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
}

#[test]
fn threads_do_not_matter() {
    let seen = crate::views::views(
        quarry_testsite::Vertical::Shoes,
        60,
        5,
        crate::views::Noise { missing: 0.2, wrong: 0.05 },
    );
    let store: MemoryEvidence = seen.iter().map(crate::views::LabelledEvidence::evidence).collect();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| shown(&table(&mut store.clone(), &AssembleConfig::default())))
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn a_sample_decides_as_the_whole_does() {
    let seen = crate::views::views(
        quarry_testsite::Vertical::Shoes,
        1_500,
        5,
        crate::views::Noise { missing: 0.2, wrong: 0.03 },
    );
    let store: MemoryEvidence = seen.iter().map(crate::views::LabelledEvidence::evidence).collect();
    let with = |sample_bytes: usize| {
        let config = AssembleConfig { sample_bytes, ..AssembleConfig::default() };
        table(&mut store.clone(), &config)
    };
    let (whole, sampled) = (with(usize::MAX), with(4 << 20));
    let about = |table: &Table| -> Vec<_> {
        let columns = table.columns.iter();
        columns
            .map(|c| (c.name.clone(), c.names.clone(), c.kind, c.list, c.entities, c.distinct))
            .collect()
    };
    assert_eq!(about(&whole), about(&sampled));
    assert_eq!(whole.entities, sampled.entities);
}
