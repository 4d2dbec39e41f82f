//! Reads the specifications of products: attribute names with values. Specifications are found
//! among the tables, lists and pairs of a page, and read as names and values (DEXTER §4).
//!
//! | question | where |
//! |---|---|
//! | pages in, specifications out | [`read_specs`]; by rows alone [`find_specs`] |
//! | learn once, read later pages | [`learn_specs`], [`extract_specs`] |
//! | names and values of other sites | [`KnownPairs`], [`induce`] |
//! | embedded data, product ids | [`embedded_specs`], [`product_ids`], [`vote_ids`] |
//! | as lines of JSON | [`specs_line`] |

mod agreement;
mod boost;
mod boxes;
mod consistency;
mod embedded;
mod features;
mod find;
mod fragment;
mod function;
mod hybrid;
mod ids;
mod known;
mod line;
mod model;
mod nested;
mod normal;
mod numbered;
mod outline;
mod pair;
mod printed;
mod row;
mod rule;
mod runs;
mod section;
mod shared;
mod site;
mod subject;
mod table;
mod texts;
mod turned;
mod union;
mod value_texts;
mod words;
mod wrapper;

pub use boost::{TreeNode, Trees};
pub use consistency::PairRules;
pub use embedded::embedded_specs;
pub use features::SpecFeatures;
pub use find::{
    Spec, SpecCandidate, SpecConfig, SpecMethod, SpecPage, SpecPair, candidates, find_specs,
    support,
};
pub use hybrid::read_specs;
pub use ids::{IdKind, ProductId, product_id, product_ids, vote_ids};
pub use known::KnownPairs;
pub use line::{PairLine, SpecLine, SpecsLine, specs_line};
pub use model::{FragmentPlace, SPEC_MODEL_VERSION, SpecModel, extract_specs, learn_specs};
pub use normal::{meaning, normal_name};
pub use printed::PrintedNames;
pub use rule::Rule;
pub use texts::SpecTexts;
pub use wrapper::{Wrapper, apply, induce};
