//! Finds the attributes of a new site's pages by agreement with records that are known already.
//!
//! P. Gulhane, R. Rastogi, S. Sengamedu, A. Tengli, "Exploiting Content Redundancy for Web Information
//! Extraction", VLDB 2010. The published algorithm is in `quarry-papers`; [`match_site`] goes further. See
//! `docs/algorithms/attribute.md`.

mod choose;
pub(crate) mod columns;
mod confidence;
mod decoy;
mod domain;
mod evidence;
mod exclude;
mod grow;
mod label;
pub(crate) mod leaf;
mod lexicon;
mod link;
pub mod model;
mod page_pieces;
mod place;
mod profile;
mod result;
mod rule;
mod seed;
mod tokens;
mod weights;

pub use choose::{ColumnCandidate, built_in_weights, candidates, figure_names, match_site};
pub use leaf::LocatorKind;
pub use model::{AttributeModel, AttributeRule, LabelKey, ListGrouping, Locator};
pub use result::{Field, MatchConfig, Placed, SiteMatch};
pub use seed::{SeedAttributeId, SeedDb, SeedIssue, SeedRecord, SeedRecordId};
