//! Prints what `quarry links` prints, without building the whole program: for the scorer while the
//! rules are worked on.
//!
//! `links_lines links FOLDER --urls FILE.jsonl`

#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use std::collections::BTreeMap;
use std::error::Error;
use std::time::Instant;

use quarry_dom::{Document, Limits};
use quarry_extract::find::{PageInput, RecordsConfig, find_records};
use quarry_extract::links::{
    LinkMap, SeenPage, links_line, page_kinds, read_links, read_site_links,
};
use serde::Deserialize;
use url::Url;

#[derive(Deserialize)]
struct Address {
    file: String,
    url: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    let folder = args.get(2).ok_or("usage: links_lines links FOLDER --urls FILE")?;
    let urls = args.iter().position(|arg| arg == "--urls").and_then(|at| args.get(at + 1));
    let urls = urls.ok_or("--urls is missing")?;
    let mut pages: BTreeMap<String, Url> = BTreeMap::new();
    for line in std::fs::read_to_string(urls)?.lines() {
        let address: Address = serde_json::from_str(line)?;
        pages.insert(address.file, Url::parse(&address.url)?);
    }
    let mut documents: Vec<Document> = Vec::new();
    let (mut bytes, mut spent, mut records) = (0, 0.0, 0.0);
    let is_timed = args.iter().any(|arg| arg == "--time");
    for (file, url) in &pages {
        let html = std::fs::read(format!("{folder}/{file}"))?;
        let document = Document::parse(&html, None, &Limits::default());
        if !is_timed {
            documents.push(document);
            continue;
        }
        let start = Instant::now();
        std::hint::black_box(read_links(&document, url));
        spent += start.elapsed().as_secs_f64();
        bytes += html.len();
        let start = Instant::now();
        let page = PageInput { id: "", document: &document, cluster: None };
        find_records(&[page], &RecordsConfig::default());
        records += start.elapsed().as_secs_f64();
    }
    if is_timed {
        let per = |spent: f64| spent * 1e3 / (bytes as f64 / 1e5);
        let (links, records) = (per(spent), per(records));
        println!(
            "{} pages, {bytes} bytes; a page of 100 KB: {links:.2} ms, of it records {records:.2}",
            pages.len()
        );
        return Ok(());
    }
    let inputs: Vec<(&Document, &Url)> = documents.iter().zip(pages.values()).collect();
    let maps: Vec<LinkMap> = read_site_links(&inputs);
    let seen: Vec<SeenPage<'_>> =
        pages.values().zip(&maps).map(|(url, map)| SeenPage { address: Some(url), map }).collect();
    let kinds = page_kinds(&seen);
    for ((file, kind), map) in pages.keys().zip(kinds).zip(maps) {
        println!("{}", serde_json::to_string(&links_line(file, kind, map))?);
    }
    Ok(())
}
