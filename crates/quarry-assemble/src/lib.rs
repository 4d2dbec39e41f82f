//! Assembles evidence into one table: entities, and columns merged where they say the same.
//!
//! [`assemble`] takes all evidence, from facets, list records, pages, specifications and matched attributes, and decides one
//! table: columns with names and types, made of the columns of the sources. [`Assembly::each_entity`] then gives the entities one by one, each
//! with all that was found of it. See `docs/algorithms/assemble.md`. [`TableComparison`] says what changed between two harvests. [`link`] finds the things
//! that entities of several sites are.
//!
//! ```
//! use quarry_assemble::{AssembleConfig, MemoryEvidence, assemble};
//! use quarry_model::conformance::evidence::evidence;
//! use quarry_model::{Evidence, EvidenceStore, ValueSource};
//!
//! let mut store = MemoryEvidence::default();
//! for n in 0..12 {
//!     let (page, brand) = (format!("/p/{n}"), format!("{} Works", ["North", "South", "East"][n % 3]));
//!     let spec = evidence("http://shop.test", &page, "Manufacturer", &brand);
//!     let facet = Evidence { source: ValueSource::Facet, path: "/html/body/a".into(), ..spec.clone() };
//!     store.add(Evidence { attribute: "Brand".to_owned(), ..facet })?;
//!     store.add(spec)?;
//! }
//! let table = assemble(&mut store, None, &AssembleConfig::default())?;
//! assert_eq!(table.columns.len(), 1);
//! assert_eq!(table.columns[0].name, "Brand");
//! table.each_entity(&mut store, &mut |entity| {
//!     assert!(entity.cells[0].values[0].confidence > 0.9);
//!     Ok(())
//! })?;
//! # Ok::<(), quarry_model::PortError>(())
//! ```

mod agreement;
mod assembly;
mod cell;
mod changes;
mod column;
mod entity;
mod groups;
mod hash;
mod index;
mod kind;
pub mod link;
mod memory;
mod merge;
mod parsed;
mod rules;
mod sketch;
mod survey;
mod titles;
mod unit;

pub use agreement::Agreement;
pub use assembly::{AssembleConfig, Assembly, assemble};
pub use cell::{Cell, CellValue};
pub use changes::{ColumnFate, TableComparison};
pub use column::{Column, ColumnName, Merge};
pub use entity::{Entity, Row, entity_id};
pub use kind::{Typed, ValueType};
pub use memory::MemoryEvidence;
pub use merge::{MIN_SHARED, MergeConfig, MergeReason};
pub use rules::{ColumnRules, RuledType};
