//! The crate's tests, in one binary.
#![allow(clippy::unwrap_used)]

mod actions;
mod addresses;
mod behaviour;
mod budgets;
mod failures;
mod folders;
mod forums;
mod generated;
mod indexing;
mod links;
mod memory_frontier;
mod missing_pages;
mod politeness;
mod probing;
mod querying;
mod redirects;
mod restart;
mod robots_in_the_crawl;
mod robots_rules;
mod scopes;
mod search_sites;
mod shops;
mod sitemaps;
mod sitemaps_in_the_crawl;
mod traps;
mod triples;
mod world;
