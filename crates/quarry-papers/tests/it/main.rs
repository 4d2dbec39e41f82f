//! The crate's tests, in one binary.
#![allow(clippy::unwrap_used, dead_code, unreachable_pub)]

#[path = "../../../quarry-crawl/tests/it/generated.rs"]
mod generated;
#[path = "../../../quarry-extract/tests/it/probed.rs"]
mod probed;
mod query;
mod redundancy;
mod site_web;
mod specs;
mod thor;
#[path = "../../../quarry-crawl/tests/it/triples.rs"]
mod triples;
