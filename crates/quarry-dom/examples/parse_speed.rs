//! How fast is parsing, and does it agree with `scraper`? Reads HTML files (folders recursively),
//! holds them in memory and measures parse + full walk + text of all nodes per CPU-second, for
//! this crate and for `scraper`, in turn, in one process.
//!
//! ```text
//! cargo run --release -p quarry-dom --example parse_speed -- FOLDER…            speeds and heap
//! cargo run --release -p quarry-dom --example parse_speed -- --check FOLDER…    compare the trees
//! cargo run --release -p quarry-dom --example parse_speed -- --only quarry FOLDER…    to profile
//! ```
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::time::Instant;

use quarry_dom::{Document, Kind, Limits, NodeId};
use scraper::Html;

#[path = "../tests/it/reference.rs"]
#[allow(unreachable_pub)]
mod reference;

/// Parses a page, walks it and reads its text.
type Measured = fn(&[u8]) -> usize;

/// Rounds over all pages; the best one counts.
const ROUNDS: usize = 5;

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let check = take_flag(&mut args, "--check");
    let only = args.iter().position(|arg| arg == "--only").map(|at| {
        args.remove(at);
        args.remove(at)
    });
    let mut files = Vec::new();
    for arg in &args {
        collect(Path::new(arg), &mut files);
    }
    files.sort();
    let pages: Vec<(PathBuf, Vec<u8>)> = files
        .into_iter()
        .filter_map(|path| Some((path.clone(), std::fs::read(path).ok()?)))
        .collect();
    let bytes: usize = pages.iter().map(|(_, page)| page.len()).sum();
    println!("{} pages, {:.1} MB", pages.len(), bytes as f64 / 1e6);
    if check {
        return compare(&pages);
    }
    heap(&pages);
    let measured: [(&str, Measured); 2] = [("quarry", quarry), ("scraper", scraper)];
    let mut speeds = Vec::new();
    for (name, parse) in measured {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let best = (0..ROUNDS).map(|_| seconds(&pages, parse)).fold(f64::MAX, f64::min);
        let speed = bytes as f64 / 1e6 / best;
        println!("{name:>8} {speed:7.1} MB/s");
        speeds.push(speed);
    }
    if let [quarry, scraper] = speeds[..] {
        println!("   ratio {:7.2}", quarry / scraper);
    }
}

fn take_flag(args: &mut Vec<String>, flag: &str) -> bool {
    let before = args.len();
    args.retain(|arg| arg != flag);
    args.len() < before
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if let Ok(entries) = std::fs::read_dir(path) {
        for entry in entries.flatten() {
            collect(&entry.path(), files);
        }
    } else if path.extension().is_some_and(|e| {
        ["html", "htm", "xhtml", "testhtml"].iter().any(|known| e.eq_ignore_ascii_case(known))
    }) {
        files.push(path.to_owned());
    }
}

/// One thread does nothing but this, so on an idle core wall time is CPU time; on a busy machine
/// the best of several rounds comes near it.
fn seconds(pages: &[(PathBuf, Vec<u8>)], parse: Measured) -> f64 {
    let start = cpu_seconds();
    let mut sum = 0;
    for (_, page) in pages {
        sum += parse(page);
    }
    std::hint::black_box(sum);
    cpu_seconds() - start
}

/// CPU time of this process where the system tells it, else the time of day.
fn cpu_seconds() -> f64 {
    // Linux: nanoseconds on CPU are the first number here.
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = stat.and_then(|stat| stat.split(' ').next()?.parse::<f64>().ok());
    thread_local!(static START: Instant = Instant::now());
    nanos.map_or_else(|| START.with(|start| start.elapsed().as_secs_f64()), |nanos| nanos / 1e9)
}

fn quarry(page: &[u8]) -> usize {
    let document = Document::parse(page, None, &Limits::default());
    let mut sum = 0;
    for node in document.all() {
        match document.kind(node) {
            Kind::Element => sum += document.tag_name(node).len() + document.attrs(node).count(),
            Kind::Text => sum += document.text(node).len(),
            Kind::Document | Kind::Comment => {}
        }
    }
    sum + document.folded_len(NodeId::ROOT)
}

fn scraper(page: &[u8]) -> usize {
    let document = Html::parse_document(&String::from_utf8_lossy(page));
    let mut sum = 0;
    for node in document.tree.nodes() {
        match node.value() {
            scraper::Node::Element(element) => {
                sum += element.name().len() + element.attrs().count();
            }
            scraper::Node::Text(text) => sum += text.len(),
            _ => {}
        }
    }
    sum + document
        .root_element()
        .text()
        .map(|text| text.split_whitespace().map(str::len).sum::<usize>())
        .sum::<usize>()
}

fn heap(pages: &[(PathBuf, Vec<u8>)]) {
    let (mut total, mut bytes, mut worst) = (0, 0, (0.0, Path::new("")));
    let mut over = 0;
    for (path, page) in pages {
        let heap = Document::parse(page, None, &Limits::default()).heap_bytes();
        let ratio = heap as f64 / page.len().max(1) as f64;
        total += heap;
        bytes += page.len();
        over += usize::from(ratio > 4.0);
        if ratio > worst.0 {
            worst = (ratio, path);
        }
    }
    println!(
        "heap {:.2} x input, worst page {:.2} x ({}), over 4 x: {over}",
        total as f64 / bytes.max(1) as f64,
        worst.0,
        worst.1.display()
    );
}

/// Compares every tree with the one that html5ever's own tokenizer and `scraper` make of the page.
fn compare(pages: &[(PathBuf, Vec<u8>)]) {
    let mut different = 0;
    for (path, page) in pages {
        if let Some(difference) = reference::difference(&String::from_utf8_lossy(page)) {
            println!("{}: {difference}", path.display());
            different += 1;
        }
    }
    println!("{different} of {} differ", pages.len());
}
