//! Which values belong to one entity, and which columns say the same?
//!
//! [`assemble`] takes every sighting of every value, from facets, list records, specifications and matched attributes, and gives
//! one table: entities with stable ids, columns with types, cells with all that was said of them. See
//! `docs/algorithms/assemble.md`. [`compare`] says what changed between two harvests. From pages to a table: `examples/library_harvest.rs`.
//!
//! ```
//! use quarry_assemble::{AssembleConfig, Says, Sighting, Naming, assemble};
//! use quarry_model::ValueSource;
//!
//! let brands: Vec<String> = (b'a'..=b'l').map(|letter| format!("{} Works", char::from(letter))).collect();
//! let pages: Vec<String> = (0..12).map(|n| format!("http://shop.test/p/{n}")).collect();
//! let seen = |n: usize, name, source, page| Sighting {
//!     site: "http://shop.test",
//!     entity: &pages[n],
//!     says: Says::Attribute { name, naming: Naming::Printed, slot: None },
//!     value: &brands[n],
//!     source,
//!     page,
//!     path: "/html/body",
//!     confidence: 0.9,
//! };
//! let mut sightings = Vec::new();
//! for n in 0..12 {
//!     sightings.push(seen(n, "Brand", ValueSource::Facet, "http://shop.test/list"));
//!     sightings.push(seen(n, "Manufacturer", ValueSource::Spec, &pages[n]));
//! }
//! let table = assemble(&sightings, &AssembleConfig::default());
//! assert_eq!(table.columns.len(), 1);
//! assert_eq!(table.columns[0].name, "Brand");
//! assert!(table.entities[0].cells[0].values[0].confidence > 0.98);
//! ```

mod agreement;
mod assembly;
mod cell;
mod changes;
mod column;
mod hash;
mod index;
mod kind;
mod merge;
mod said;
mod same;
mod sighting;
mod unit;

pub use agreement::Agreement;
pub use assembly::{AssembleConfig, Assembly, Entity, Row, assemble};
pub use cell::{Cell, CellValue};
pub use changes::{
    Change, ColumnChange, ColumnFate, EntityChange, Snapshot, SnapshotColumn, SnapshotEntity,
    compare, compare_columns,
};
pub use column::{Column, ColumnName, Merge};
pub use index::Role;
pub use kind::{Typed, ValueType};
pub use merge::{MIN_SHARED, MergeConfig, Why};
pub use sighting::{Naming, Says, Sighting};
