//! Runs one stage over a folder of HTML files and prints its JSON lines, for the scorers.
//!
//! ```text
//! cargo run --release -p quarry-extract --example classify -- cluster FOLDER [--cut DISTANCE] [--dump]
//! cargo run --release -p quarry-extract --example classify -- forms FOLDER --urls FILE.jsonl [--dump]
//! ```
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quarry_dom::{Document, Limits};
use quarry_extract::cluster::{ClusterConfig, PageSignature, cluster_pages};
use quarry_extract::forms::{classify_forms, forms_line};
use rayon::prelude::*;
use url::Url;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [verb, folder, ..] = args.as_slice() else {
        println!("usage: classify cluster|forms FOLDER [--urls FILE.jsonl] [--dump]");
        std::process::exit(2);
    };
    let dump = args.iter().any(|a| a == "--dump");
    let urls = args.iter().position(|a| a == "--urls").map(|at| addresses(&args[at + 1]));
    let pages = files(Path::new(folder));
    match verb.as_str() {
        "cluster" => {
            let cut = args.iter().position(|a| a == "--cut").map(|at| args[at + 1].parse());
            let mut config = ClusterConfig::default();
            config.cut = cut.and_then(Result::ok).unwrap_or(config.cut);
            cluster(&pages, &config, dump);
        }
        _ => forms(&pages, &urls.unwrap_or_default(), dump),
    }
}

fn cluster(pages: &[(String, PathBuf)], config: &ClusterConfig, dump: bool) {
    let signatures: Vec<PageSignature> = pages
        .par_iter()
        .map(|(_, file)| {
            let bytes = std::fs::read(file).expect("the file was listed");
            PageSignature::of(&Document::parse(&bytes, None, &Limits::default()), bytes.len())
        })
        .collect();
    let names: Vec<String> = pages.iter().map(|(name, _)| name.clone()).collect();
    let found = cluster_pages(&signatures, config);
    if dump {
        print!("{}", found.dump(&names));
        return;
    }
    for line in found.lines(&names) {
        println!("{}", serde_json::to_string(&line).expect("plain data"));
    }
}

fn forms(pages: &[(String, PathBuf)], urls: &BTreeMap<String, String>, dump: bool) {
    for (name, file) in pages {
        let bytes = std::fs::read(file).expect("the file was listed");
        let document = Document::parse(&bytes, None, &Limits::default());
        let address = urls.get(name).and_then(|u| Url::parse(u).ok());
        let address = address.unwrap_or_else(|| Url::parse("http://page.invalid/").expect("valid"));
        if dump {
            for form in classify_forms(&document, &document.forms(&address)) {
                print!("{name} {}", form.dump());
            }
            continue;
        }
        let line = forms_line(&document, &address, name);
        println!("{}", serde_json::to_string(&line).expect("plain data"));
    }
}

fn addresses(file: &str) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(file).expect("the file of addresses can be read");
    let rows = text.lines().filter_map(|l| serde_json::from_str::<serde_json::Value>(l).ok());
    rows.filter_map(|row| {
        Some((row.get("file")?.as_str()?.to_owned(), row.get("url")?.as_str()?.to_owned()))
    })
    .collect()
}

/// The HTML files of a folder with their names relative to it.
fn files(folder: &Path) -> Vec<(String, PathBuf)> {
    let (mut found, mut waiting) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(next).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|e| e == "html" || e == "htm" || e == "xhtml") {
                let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
                found.push((name, path));
            }
        }
    }
    found.sort();
    found
}
