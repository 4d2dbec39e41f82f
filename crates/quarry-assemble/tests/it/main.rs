//! Whole tables: generated catalogues, laws, comparisons.

mod cases;
mod changes;
mod generated;
mod laws;
mod link;
#[allow(unreachable_pub, dead_code)]
mod score;
#[allow(unreachable_pub)]
mod views;

use quarry_assemble::{AssembleConfig, Assembly, MemoryEvidence, Typed, assemble};
use quarry_model::{Evidence, EvidenceRole, EvidenceStore, NameOrigin, ValueRow, ValueSource};

/// A row as tests write it: entity, source, attribute, value.
fn row(entity: &str, source: ValueSource, attribute: &str, value: &str) -> ValueRow {
    let page = match source {
        ValueSource::Page | ValueSource::Spec | ValueSource::Embedded | ValueSource::Match => {
            entity
        }
        ValueSource::Facet | ValueSource::List => "/list",
    };
    ValueRow {
        site: "http://shop.test".to_owned(),
        entity: format!("http://shop.test{entity}"),
        entity_kind: String::new(),
        attribute: attribute.to_owned(),
        value: value.to_owned(),
        source,
        page: format!("http://shop.test{page}"),
        path: format!("/html/body/{}/{attribute}", source.as_str()),
        confidence: 0.8,
    }
}

/// The evidence of a row: an attribute `#x` is the unnamed slot x, `title` and `key` are what they say.
fn evidence(row: &ValueRow) -> Evidence {
    let slot = row.attribute.starts_with('#').then(|| row.attribute.clone());
    Evidence {
        site: row.site.clone(),
        entity: row.entity.clone(),
        role: match row.attribute.as_str() {
            "title" => EvidenceRole::Title,
            "key" => EvidenceRole::Key,
            _ => EvidenceRole::Attribute,
        },
        attribute: row.attribute.clone(),
        naming: if slot.is_some() { NameOrigin::Slot } else { NameOrigin::Printed },
        slot,
        value: row.value.clone(),
        source: row.source,
        page: row.page.clone(),
        path: row.path.clone(),
        confidence: row.confidence,
    }
}

/// An assembled table with all its entities.
#[derive(Debug)]
struct Table {
    assembly: Assembly,
    entities: Vec<TableEntity>,
    values: Vec<ValueRow>,
}

#[derive(Debug, PartialEq)]
struct TableEntity {
    id: String,
    address: String,
    also: Vec<String>,
    title: Option<String>,
    cells: Vec<TableCell>,
}

#[derive(Debug, PartialEq)]
struct TableCell {
    column: usize,
    conflict: bool,
    values: Vec<TableValue>,
}

#[derive(Debug, PartialEq)]
struct TableValue {
    text: String,
    confidence: f64,
    typed: Option<Typed>,
    evidence: Vec<Evidence>,
}

impl std::ops::Deref for Table {
    type Target = Assembly;

    fn deref(&self) -> &Assembly {
        &self.assembly
    }
}

fn table(store: &mut dyn EvidenceStore, config: &AssembleConfig) -> Table {
    let assembly = assemble(store, None, config).expect("evidence in memory can be read");
    let (mut entities, mut values) = (Vec::new(), Vec::new());
    let collected = assembly.each_entity(store, &mut |entity| {
        values.extend(entity.rows(&assembly.columns).map(|row| row.row));
        let cells = entity.cells.iter().map(|cell| TableCell {
            column: cell.column,
            conflict: cell.conflict,
            values: cell
                .values
                .iter()
                .map(|value| TableValue {
                    text: value.text.to_owned(),
                    confidence: value.confidence,
                    typed: entity.typed(&assembly.columns[cell.column], value),
                    evidence: entity.evidence(value).cloned().collect(),
                })
                .collect(),
        });
        entities.push(TableEntity {
            id: entity.id.clone(),
            address: entity.address.to_owned(),
            also: entity.also.iter().map(|&address| address.to_owned()).collect(),
            title: entity.title.map(str::to_owned),
            cells: cells.collect(),
        });
        Ok(())
    });
    collected.expect("evidence in memory can be read");
    assert_eq!(entities.len(), assembly.entities);
    Table { assembly, entities, values }
}

fn check(rows: &[ValueRow], test: impl FnOnce(&Table)) {
    let mut store: MemoryEvidence = rows.iter().map(evidence).collect();
    test(&table(&mut store, &AssembleConfig::default()));
}

#[test]
fn evidence_in_memory_is_an_evidence_store() {
    quarry_model::conformance::evidence::check(MemoryEvidence::default);
}
