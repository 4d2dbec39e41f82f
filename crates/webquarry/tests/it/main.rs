//! The real program against generated sites on loopback, and the house rules.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod again;
mod architecture;
mod commands;
mod crash;
mod discover;
mod harvest;
mod hostile;
mod inspect;
mod interchange;
mod library;
mod matching;
mod nothing;
mod old_projects;
mod page_sets;
mod patterns;
mod probing;
mod program;
mod promises;
mod queries;
mod readers;
mod redesign;
mod reference;
mod rendering;
mod shared;
mod stages;
mod survive;
