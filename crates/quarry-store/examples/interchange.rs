//! Do others understand our archives, and we theirs? Writes one exchange of every kind into a
//! project, or lists the pages of archive files (or of a project) with their digests.
//!
//! ```text
//! cargo run -p quarry-store --example interchange -- write DIR   # then: warcio check DIR/pages/*
//! cargo run -p quarry-store --example interchange -- list FILE…
//! ```

#![allow(clippy::print_stdout)]

use std::path::Path;

use quarry_model::PageStore;
use quarry_model::conformance::page_store::{capture, exchanges, page};
use quarry_store::warc::{Captures, ReadLimits, Sha1Digest, read_warc};
use quarry_store::{Project, StoreError, StoreSettings};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["write", dir] => write(Path::new(dir))?,
        ["list", ref files @ ..] if !files.is_empty() => {
            files.iter().try_for_each(|file| list(Path::new(file)))?;
        }
        _ => return Err("usage: interchange write DIR | list FILE…".into()),
    }
    Ok(())
}

fn write(dir: &Path) -> Result<(), StoreError> {
    let mut project = Project::create_or_open(dir, &StoreSettings::default())?;
    for exchange in exchanges() {
        project.put(&capture(&exchange))?;
    }
    let body = b"the same at two addresses. ".repeat(100);
    project.put(&capture(&page("https://shop.example/same/1", &body)))?;
    project.put(&capture(&page("https://shop.example/same/2", &body)))?;
    let mut unchanged = page("https://shop.example/same/1", b"");
    unchanged.response.status = 304;
    project.put(&capture(&unchanged))?;
    project.commit()?;
    println!("{}", project.write_cdxj()?.display());
    Ok(())
}

fn list(file: &Path) -> Result<(), StoreError> {
    if file.is_dir() {
        let project = Project::open_read_only(file, &StoreSettings::default())?;
        return project.each(&mut |row| {
            println!("{} {} {}", row.fetch_status, row.content_digest, row.key);
        });
    }
    let limits = ReadLimits::default();
    for page in Captures::new(read_warc(file, &limits)?, &limits) {
        match page {
            Ok(page) => {
                let exchange = &page.exchange;
                let body = Sha1Digest::of(&exchange.response.body);
                let declared = page.digest.map_or_else(|| "-".to_owned(), |d| d.to_string());
                let what = match (&page.repeats, declared == body.to_string()) {
                    (Some(original), _) => format!("repeats {}", original.url),
                    (None, true) => "same digest".to_owned(),
                    (None, false) => format!("declared {declared}"),
                };
                let status = exchange.response.status;
                println!("{status} {body} {} {what}", exchange.request.key());
            }
            Err(issue) => println!("! {issue}"),
        }
    }
    Ok(())
}
