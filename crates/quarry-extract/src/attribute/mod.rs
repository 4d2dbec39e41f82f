//! Which values of a new site's pages are which attributes, by agreement with records that are known
//! already?
//!
//! P. Gulhane, R. Rastogi, S. Sengamedu, A. Tengli, "Exploiting Content Redundancy for Web Information
//! Extraction", VLDB 2010. [`paper`] is the published algorithm; [`match_site`] goes further. See
//! `docs/algorithms/attribute.md`.

mod choose;
mod columns;
mod confidence;
mod decoy;
mod evidence;
mod exclude;
mod grow;
mod kin;
mod label;
mod leaf;
mod lexicon;
mod link;
pub mod model;
pub mod paper;
mod place;
mod profile;
mod result;
mod rule;
mod seed;
mod tokens;
mod weights;

pub use choose::{Candidate, built_in_weights, candidates, figure_names, match_site};
pub use leaf::Language;
pub use model::{AttributeModel, AttributeRule, LabelKey, Listed, Position};
pub use result::{Field, MatchConfig, Placed, SiteMatch};
pub use seed::{AttributeId, RecordId, SeedDb, SeedIssue, SeedRecord};
