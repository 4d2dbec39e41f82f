//! What changed between two harvests?

use std::collections::BTreeMap;

use quarry_assemble::{TableComparison, Typed, ValueType};
use quarry_model::ValueSource::{Facet, List, Spec};
use quarry_model::{
    ColumnKind, ColumnRow, EntityCell, EntityRow, EntityState, EvidenceRole, ValueRow,
};

use crate::{Table, check, row};

/// A harvest as it is kept.
struct Harvest {
    columns: Vec<ColumnRow>,
    entities: Vec<EntityRow>,
}

fn harvest(rows: &[ValueRow]) -> Harvest {
    let mut kept = Harvest { columns: Vec::new(), entities: Vec::new() };
    check(rows, |table| {
        let attributes: Vec<usize> = (0..table.columns.len())
            .filter(|at| table.columns[*at].role == EvidenceRole::Attribute)
            .collect();
        kept.columns = attributes.iter().map(|&at| column(table, at)).collect();
        kept.entities = table
            .entities
            .iter()
            .map(|entity| EntityRow {
                id: entity.id.clone(),
                site: "http://shop.test".to_owned(),
                entity: entity.address.clone(),
                entity_kind: String::new(),
                other_ids: Vec::new(),
                title: entity.title.clone(),
                state: EntityState::New,
                cells: attributes
                    .iter()
                    .map(|at| {
                        let cell = entity.cells.iter().find(|cell| cell.column == *at);
                        match cell.and_then(|cell| cell.values[0].typed.clone()) {
                            Some(Typed::Number(number)) => EntityCell::Number(number),
                            Some(Typed::Boolean(yes)) => EntityCell::Boolean(yes),
                            Some(Typed::Date(text) | Typed::Text(text)) => EntityCell::Text(text),
                            None => EntityCell::Null,
                        }
                    })
                    .collect(),
            })
            .collect();
    });
    kept
}

fn column(table: &Table, at: usize) -> ColumnRow {
    let column = &table.columns[at];
    let (kind, unit) = match column.kind {
        ValueType::Number { unit } => (ColumnKind::Number, unit),
        ValueType::Price { currency } => (ColumnKind::Price, Some(currency)),
        _ => (ColumnKind::Text, None),
    };
    ColumnRow {
        name: column.name.clone(),
        kind,
        unit: unit.map(str::to_owned),
        list: column.list,
        entities: 0,
        fill: 0.0,
        distinct: 0,
        conflicts: 0,
        sources: Vec::new(),
        names: Vec::new(),
        printed: column.names.iter().filter(|n| n.printed).map(|n| n.name.clone()).collect(),
        examples: Vec::new(),
        merged: Vec::new(),
        kinds: Vec::new(),
    }
}

fn compare(old: &Harvest, new: &Harvest) -> (TableComparison, Vec<(String, EntityState)>) {
    let known: BTreeMap<&str, &EntityRow> =
        old.entities.iter().map(|entity| (entity.id.as_str(), entity)).collect();
    let mut comparison = TableComparison::new(old.columns.clone(), new.columns.clone());
    if comparison.is_open() {
        for entity in &new.entities {
            if let Some(old) = known.get(entity.id.as_str()) {
                comparison.observe(old, entity);
            }
        }
        comparison.decide();
    }
    let states = new.entities.iter().map(|entity| {
        let state = comparison.state(known.get(entity.id.as_str()).copied(), entity);
        (entity.entity.trim_start_matches("http://shop.test").to_owned(), state)
    });
    let states = states.collect();
    (comparison, states)
}

#[test]
fn entities_are_new_same_or_changed() {
    let old = harvest(&[
        row("/1", Spec, "Price", "$5.00"),
        row("/1", Spec, "Brand", "Norva"),
        row("/2", Spec, "Price", "$6.00"),
        row("/3", Spec, "Price", "$7.00"),
        row("/4/", List, "title", "Lamp"),
    ]);
    let new = harvest(&[
        // Another format, another case: nothing changed.
        row("/1", Spec, "Price", "$ 5.0"),
        row("/1", Spec, "BRAND", "norva"),
        row("/2", Spec, "Price", "$6.50"),
        row("/4", List, "title", "Big lamp"),
        row("/5", Facet, "Brand", "Tarn"),
    ]);
    let (comparison, states) = compare(&old, &new);
    let expected = [
        ("/1", EntityState::Same),
        ("/2", EntityState::Changed),
        ("/4", EntityState::Changed),
        ("/5", EntityState::New),
    ];
    assert_eq!(states, expected.map(|(address, state)| (address.to_owned(), state)));
    assert_eq!(comparison.known, 3);
    let changed: Vec<(&str, usize)> =
        comparison.changed.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    assert_eq!(changed, [("Price", 1), ("title", 1)]);
}

#[test]
fn a_column_under_another_name_is_known_by_its_values() {
    let makers = ["Norva", "Tarn", "Vell", "Oskar", "Imber"];
    let rows = |name: &str| {
        let row = |(n, maker): (usize, &&str)| row(&format!("/{n}"), Spec, name, maker);
        let weights =
            (0..5).map(|n| self::row(&format!("/{n}"), Spec, "Weight", &format!("{n} kg")));
        makers.iter().enumerate().map(row).chain(weights).collect::<Vec<_>>()
    };
    let (old, new) = (harvest(&rows("Maker")), harvest(&rows("Built by")));
    let (comparison, states) = compare(&old, &new);
    assert!(states.iter().all(|(_, state)| *state == EntityState::Same));
    let fates = comparison.column_fates();
    let names: Vec<(&[String], &[String])> =
        fates.iter().map(|fate| (&*fate.before, &*fate.now)).collect();
    let (maker, built) = (["Maker".to_owned()], ["Built by".to_owned()]);
    assert!(names.contains(&(&maker, &built)), "{names:?}");
    assert_eq!(names.len(), 2);
}

#[test]
fn a_column_that_came_as_a_whole_is_no_change_of_entities() {
    let rows = |with: bool| {
        let weights = (0..6).map(|n| row(&format!("/{n}"), Spec, "Weight", &format!("{n} kg")));
        let sizes = (0..6).map(|n| row(&format!("/{n}"), Spec, "Size", &format!("{n} m")));
        weights.chain(sizes.filter(|_| with)).collect::<Vec<_>>()
    };
    let (comparison, states) = compare(&harvest(&rows(false)), &harvest(&rows(true)));
    assert!(states.iter().all(|(_, state)| *state == EntityState::Same), "{states:?}");
    assert_eq!(comparison.column_fates().len(), 2);
}
