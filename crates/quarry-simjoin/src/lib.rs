//! Similarity joins of strings. Knows nothing of the web.
//!
//! Source: P. Gulhane, R. Rastogi, S. Sengamedu, A. Tengli, "Exploiting Content Redundancy for Web
//! Information Extraction", VLDB 2010. In the order of the paper:
//!
//! - [`SeedIndex`]: the values of known records, their words, q-grams and weights (Appendix A);
//! - [`SeedIndex::join`]: weak similarity (§2.1) between many strings and all values, as an exact join;
//! - [`strong`]: strong similarity (§2.2, Algorithms 1 and 2) between two sets of values;
//! - [`apriori`]: which sets of items are supported by enough pages (§3, Algorithm 3).
//!
//! ```
//! use quarry_simjoin::{SeedColumn, SeedIndex};
//! let names = SeedColumn::new("name", [(0, "Beijing Bites"), (1, "China Club"), (2, "Golden Wok")]);
//! let index = SeedIndex::build(&[names]);
//! let found = index.join(&["Nearest transit", "Beijng Bites"], 0.5);
//! assert!(found.of(0).is_empty());
//! let best = found.of(1)[0];
//! assert_eq!(index.records(best.attribute, best.value), [0]);
//! assert!(best.cosine > 0.8);
//! ```

pub mod apriori;
mod assignment;
mod attribute;
mod candidates;
mod csr;
mod index;
mod intern;
mod join;
mod query;
pub mod strong;
mod text;
mod trigger;
mod worker;

pub use index::{SeedColumn, SeedIndex};
pub use join::{Joined, MAX_WORDS, Match};
pub use query::Weigher;
pub use text::{Q, jaccard, words};
