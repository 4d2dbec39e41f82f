//! One file per verb. Each takes its arguments, does the work and says how it ended.

pub(crate) mod check;
pub(crate) mod cluster;
pub(crate) mod config;
pub(crate) mod crawl;
pub(crate) mod demo;
pub(crate) mod discover;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod extract;
pub(crate) mod forms;
pub(crate) mod graph;
pub(crate) mod harvest;
pub(crate) mod inspect;
pub(crate) mod link;
pub(crate) mod links;
pub(crate) mod match_sites;
pub(crate) mod records;
pub(crate) mod report;
pub(crate) mod shell;
pub(crate) mod specs;
pub(crate) mod template;
