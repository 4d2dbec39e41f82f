//! The algorithms of the five papers as published, to be compared with what Quarry does instead.
//!
//! Only `--method paper` of the program's verbs and the evaluation examples call this crate. Where a
//! listing is silent or cannot be meant as printed, the opening of the file says what was done.
//!
//! | paper | module | verb | figures |
//! |---|---|---|---|
//! | THOR: answer regions (§3.2) | [`thor`] | `quarry records --method paper` | `docs/algorithms/region.md` |
//! | query-centric crawling: offline and online query graph (§4) | [`query`] | | `docs/algorithms/query-paper.md` |
//! | content redundancy: FINDATTRPOS (Algorithm 3) | [`redundancy`] | `quarry match --method paper` | `docs/algorithms/attribute.md` |
//! | DEXTER: heuristic extraction (§4.2) | [`dexter`] | `quarry specs --method paper` | `docs/algorithms/spec.md` |
//!
//! The template miner (KDD 2007) is not here: Quarry follows its steps, with networks of more features.

pub mod dexter;
pub mod query;
pub mod redundancy;
pub mod thor;
