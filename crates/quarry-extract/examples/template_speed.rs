//! How does mining grow with the number of records? Generated records, 100 to 10,000 of one site; or, with a folder of
//! HTML files a site, the time of each site's first ten pages after parsing. All work is done on one thread, and its
//! processor time is taken, so that other programs do not count.
//!
//! ```text
//! cargo run --release -p quarry-extract --example template_speed [PAGES_FOLDER]
//! ```
#![allow(clippy::disallowed_methods)] // An example reads files and the clock; the library does not.

use std::error::Error;
use std::io::Write as _;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

use quarry_dom::{Document, Limits, NodeId, Tag};
use quarry_extract::find::{PageInput, RecordsConfig, find_records};
use quarry_extract::template::{RecordInput, TemplateConfig, extract, learn, mine};

/// Runs of each site; the fastest one counts.
const RUNS: usize = 3;

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build()?.install(run)
}

fn run() -> Result<(), Box<dyn Error + Send + Sync>> {
    let config = TemplateConfig::default();
    let mut out = std::io::stdout().lock();
    if let Some(folder) = std::env::args().nth(1) {
        let mut sites: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
        sites.sort_by_key(std::fs::DirEntry::file_name);
        let mut times: Vec<f64> = Vec::new();
        for site in sites {
            let (records, ms) = site_ms(&site.path(), &config)?;
            let name = site.file_name();
            writeln!(out, "{:<32} {records:>5} records {ms:>8.1} ms", name.to_string_lossy())?;
            times.push(ms);
        }
        times.sort_by(f64::total_cmp);
        let median = times.get(times.len() / 2).copied().unwrap_or(0.0);
        let most = times.last().copied().unwrap_or(0.0);
        writeln!(out, "median {median:.1} ms, most {most:.1} ms")?;
        return Ok(());
    }
    writeln!(out, "{:>8} {:>10} {:>14}", "records", "ms", "µs a record")?;
    for count in [100, 300, 1_000, 3_000, 10_000] {
        let document = document(count);
        let nodes: Vec<[NodeId; 1]> = document.elements(Tag::LI).map(|item| [item]).collect();
        let records: Vec<RecordInput<'_>> =
            nodes.iter().map(|nodes| RecordInput { document: &document, nodes }).collect();
        let start = processor_ms();
        let template = mine(&records, &config);
        let ms = processor_ms() - start;
        assert_eq!(template.records, count);
        writeln!(out, "{count:>8} {ms:>10.1} {:>14.1}", ms * 1e3 / count as f64)?;
    }
    Ok(())
}

/// The processor time of this thread in milliseconds; time on the clock where the system does not say.
fn processor_ms() -> f64 {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e3,
        |nanoseconds| nanoseconds / 1e6,
    )
}

/// The pages of a site, repeated up to ten: records, and the time to mine and to extract, records being found already.
fn site_ms(
    folder: &Path,
    config: &TemplateConfig,
) -> Result<(usize, f64), Box<dyn Error + Send + Sync>> {
    let mut files: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    files.sort_by_key(std::fs::DirEntry::file_name);
    let files: Vec<_> = files.iter().cycle().take(10).collect();
    let mut documents = Vec::new();
    for file in files {
        documents.push(Document::parse(&std::fs::read(file.path())?, None, &Limits::default()));
    }
    let ids: Vec<String> = (0..documents.len()).map(|at| at.to_string()).collect();
    let pages: Vec<PageInput<'_>> = documents
        .iter()
        .zip(&ids)
        .map(|(document, id)| PageInput { id, document, cluster: None })
        .collect();
    let found = find_records(&pages, &RecordsConfig::default());
    let records = found.iter().flat_map(|page| &page.regions).map(|region| region.records.len());
    let records = records.sum();
    let references: Vec<&Document> = documents.iter().collect();
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = processor_ms();
        let model = learn(&references, &found, config);
        for (document, found) in documents.iter().zip(&found) {
            std::hint::black_box(extract(document, found, &model));
        }
        best = best.min(processor_ms() - start);
    }
    Ok((records, best))
}

/// A page of records with optional parts, tags, a labelled line and a text with highlighted words.
fn document(count: usize) -> Document {
    let mut html = String::from("<ul>");
    for at in 0..count {
        html.push_str(&format!("<li><h3><a href='/{at}'>Thing number {at}</a></h3>"));
        if at % 3 == 0 {
            html.push_str("<span class=badge>New</span>");
        }
        html.push_str(&format!(
            "<p class=about>Some <b>words {}</b> about it and its use</p>",
            at % 97
        ));
        for tag in 0..at % 5 {
            html.push_str(&format!("<a class=tag href='/t{tag}'>tag {tag}</a>"));
        }
        html.push_str(&format!(
            "<dl><dt>Weight:</dt><dd>{} kg</dd><dt>Made:</dt><dd>{} May 2024</dd></dl><b>${at}.50</b></li>",
            at % 50,
            at % 28 + 1
        ));
    }
    Document::from_html(&html)
}
