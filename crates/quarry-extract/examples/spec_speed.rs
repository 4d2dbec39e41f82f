//! How many product pages per second of processor time, parsing included, on one thread? For `bench/specs.py`. Linux: reads `/proc`.
//!
//! ```text
//! RAYON_NUM_THREADS=1 cargo run --release -p quarry-extract --example spec_speed FOLDER
//! ```
#![allow(clippy::disallowed_methods, clippy::print_stdout)] // An example reads files; the library does not.

#[path = "../../../bench/measure.rs"]
mod measure;

use std::error::Error;
use std::path::{Path, PathBuf};

use measure::cpu_seconds;
use quarry_dom::{Document, Limits};
use quarry_extract::spec::{KnownPairs, SpecConfig, SpecPage, read_specs};

/// Rounds; the best counts.
const ROUNDS: usize = 3;
/// A round goes over the pages so often that ticks of 10 ms do not matter.
const TIMES: usize = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("which folder?")?;
    let mut files = Vec::new();
    list(Path::new(&folder), &mut files)?;
    files.sort();
    let pages = files.iter().map(std::fs::read).collect::<Result<Vec<Vec<u8>>, _>>()?;
    let config = SpecConfig::default();
    let mut best = [f64::MAX; 2];
    let mut pairs = 0;
    for _ in 0..ROUNDS {
        let start = cpu_seconds();
        for bytes in (0..TIMES).flat_map(|_| &pages) {
            std::hint::black_box(Document::parse(bytes, None, &Limits::default()));
        }
        let parsed = cpu_seconds();
        pairs = 0;
        for bytes in (0..TIMES).flat_map(|_| &pages) {
            let document = Document::parse(bytes, None, &Limits::default());
            let page = SpecPage { id: "", document: &document };
            let found = read_specs(&[page], &KnownPairs::default(), &config);
            pairs += found.iter().flatten().map(|spec| spec.pairs.len()).sum::<usize>();
        }
        best = [best[0].min(parsed - start), best[1].min(cpu_seconds() - parsed)];
    }
    let count = (pages.len() * TIMES) as f64;
    let kilobytes = pages.iter().map(Vec::len).sum::<usize>() as f64 / 1e3 / pages.len() as f64;
    println!(
        "{} pages of {kilobytes:.0} kB: {:.1} pages/s, {:.2} ms a page, {:.2} of it parsing; {} pairs",
        pages.len(),
        count / best[1],
        best[1] * 1e3 / count,
        best[0] * 1e3 / count,
        pairs / TIMES
    );
    Ok(())
}

fn list(at: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if at.is_dir() {
        for entry in std::fs::read_dir(at)? {
            list(&entry?.path(), files)?;
        }
    } else if at.extension().is_some_and(|ending| ending == "html" || ending == "htm") {
        files.push(at.to_owned());
    }
    Ok(())
}
