//! The tables of a harvest as people look at them first: each kind of entities with its columns and its first rows.

use quarry_model::{ColumnRow, EntityRow, EntityState, PortError, TableStore};

use super::crawled::TextTable;
use super::words::{cell_text, column_type, has_kind, kinds_of};
use crate::text::{shorten, thousands};

/// Characters of a cell of a preview, of a title, and of a whole row.
const CELL: usize = 18;
const TITLE: usize = 24;
const WIDTH: usize = 100;

/// The columns and the first rows of one kind of entities.
#[derive(Debug, Clone, Default)]
pub struct KindSection {
    /// The kind; none where a site has entities of one kind only.
    pub kind: Option<String>,
    /// How many entities there are.
    pub entities: u64,
    /// Their columns, with the figures of this kind.
    pub columns: Vec<ColumnRow>,
    /// The first of them, with the cells of these columns.
    pub rows: Vec<EntityRow>,
}

/// The kinds of entities of a harvest, each with at most so many rows; of several kinds fewer are shown of each.
pub fn sections(
    store: &dyn TableStore,
    rows: usize,
    rows_of_kind: usize,
) -> Result<Vec<KindSection>, PortError> {
    let columns = store.columns()?;
    let kinds = kinds_of(&columns);
    if kinds.len() < 2 {
        let (entities, rows) = store.first_entities(rows)?;
        return Ok(vec![KindSection { kind: None, entities, columns, rows }]);
    }
    let places = |kind: &String| -> Vec<usize> {
        (0..columns.len()).filter(|&at| has_kind(&columns[at], kind)).collect()
    };
    let places: Vec<Vec<usize>> = kinds.iter().map(places).collect();
    let begun = kinds.iter().zip(&places).map(|(kind, places)| KindSection {
        kind: Some(kind.clone()),
        columns: places.iter().map(|&at| of_kind(&columns[at], kind)).collect(),
        ..KindSection::default()
    });
    let mut sections: Vec<KindSection> = begun.collect();
    store.each_entity(&mut |mut row| {
        let own = kinds.iter().position(|kind| *kind == row.entity_kind);
        if let Some(own) = own.filter(|_| row.state != EntityState::Removed) {
            let section = &mut sections[own];
            section.entities += 1;
            if section.rows.len() < rows_of_kind {
                let cells = places[own].iter().filter_map(|&at| row.cells.get(at).cloned());
                row.cells = cells.collect();
                section.rows.push(row);
            }
        }
        Ok(())
    })?;
    Ok(sections)
}

/// A column as entities of one kind have it.
fn of_kind(column: &ColumnRow, kind: &str) -> ColumnRow {
    let mut own = column.clone();
    if let Some(of) = column.kinds.iter().find(|of| of.entity_kind == kind) {
        (own.entities, own.fill, own.distinct) = (of.entities, of.fill, of.distinct);
        own.examples.clone_from(&of.examples);
    }
    own
}

impl KindSection {
    /// What the first columns hold.
    #[must_use]
    pub fn described(&self, columns: usize) -> TextTable {
        let rows = self.columns.iter().take(columns).map(|column| {
            let sources: Vec<&str> = column.sources.iter().map(|source| source.as_str()).collect();
            vec![
                shorten(&column.name, 24),
                column_type(column),
                format!("{:.0} %", 100.0 * column.fill),
                thousands(column.distinct),
                sources.join(" "),
                shorten(&column.examples.join(" | "), 30),
            ]
        });
        let rows = rows.collect();
        let header = TextTable::names(&["column", "type", "filled", "values", "from", "examples"]);
        TextTable { header, numbers: vec![2, 3], rows }
    }

    /// The first rows, with as many columns as a line of 100 characters has room for.
    #[must_use]
    pub fn preview(&self) -> TextTable {
        let title = |row: &EntityRow| shorten(row.title.as_deref().unwrap_or(&row.entity), TITLE);
        let mut rows: Vec<Vec<String>> = self.rows.iter().map(|row| vec![title(row)]).collect();
        let mut header = vec!["title".to_owned()];
        let width =
            |cells: &[String]| cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
        let titles: Vec<String> = self.rows.iter().map(title).collect();
        // Each column stands between two blanks.
        let mut room = WIDTH.saturating_sub(width(&titles) + 2);
        for (at, column) in self.columns.iter().enumerate() {
            let name = shorten(&column.name, CELL);
            let cell = |row: &EntityRow| row.cells.get(at).map(|cell| cell_text(cell, CELL));
            let cells: Vec<String> =
                self.rows.iter().map(|row| cell(row).unwrap_or_default()).collect();
            let own = width(&cells).max(name.chars().count()) + 2;
            if own > room {
                break;
            }
            room -= own;
            header.push(name);
            rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
        }
        TextTable { header, numbers: Vec::new(), rows }
    }
}
