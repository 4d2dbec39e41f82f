//! One test binary for the crate.
#![allow(clippy::unwrap_used)]

mod conformance;
mod crash;
mod facts;
mod foreign;
mod input;
#[cfg(feature = "postgres")]
mod postgres;
mod project;
mod replay;
mod rounds;
mod roundtrip;
mod tables;

use std::path::Path;

use quarry_model::PageStore;
use quarry_store::{Project, StoreSettings};

/// A project in `dir`, open for writing.
fn open(dir: &Path) -> Project {
    Project::create_or_open(dir, &StoreSettings::default()).unwrap()
}

/// The addresses of a project's pages, in their order.
fn urls(project: &Project) -> Vec<String> {
    let mut urls = Vec::new();
    project.each(&mut |row| urls.push(row.url)).unwrap();
    urls
}

/// An error with its causes, as a user would see it.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
