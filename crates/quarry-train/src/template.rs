//! Fits the detectors of decorative tags and template texts. From labelled records: a tag inside a
//! labelled cell, with more of the cell around it, is decorative; a text that belongs to no cell is
//! template.

mod fit;
mod generated;
mod report;
mod truth;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use quarry_dom::{Document, Limits, NodeId};
use quarry_extract::find::{PageInput, RecordsConfig, find_records};
use quarry_extract::template::network::Detector;
use quarry_extract::template::samples::{TextExample, tag_examples, text_examples};
use quarry_extract::template::{RecordInput, TemplateConfig, decorative, texts};
use quarry_testsite::Vertical;
use rayon::prelude::*;

use fit::{Sample, Shape, fit};
use truth::{Row, Stream, claim_all, key_chars, rows};

/// Labelled pages to learn from.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folders of labelled pages: `records.jsonl` and the pages it names.
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// Write `decorative.txt` and `texts.txt` into this folder.
    #[arg(long, value_name = "DIR")]
    write: Option<PathBuf>,
}

/// A site's labelled pages, parsed, with its records.
struct Site {
    number: usize,
    category: String,
    documents: Vec<Document>,
    /// Page and nodes of each record, and its labelled text.
    records: Vec<(usize, Vec<NodeId>, Stream)>,
}

const TAGS: Shape = Shape {
    inputs: decorative::PAPER_FEATURES + decorative::MORE_FEATURES,
    hidden: 4,
    prior: decorative::PAPER_FEATURES - 1,
};
const TEXTS: Shape = Shape {
    inputs: texts::PAPER_FEATURES + texts::MORE_FEATURES,
    hidden: 3,
    prior: texts::PAPER_FEATURES - 1,
};

/// Kinds of data that generated sites are about.
const VERTICALS: [Vertical; 6] = [
    Vertical::Books,
    Vertical::Electronics,
    Vertical::Homes,
    Vertical::Recipes,
    Vertical::Restaurants,
    Vertical::Shoes,
];

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut by_site: BTreeMap<(String, String), Vec<(PathBuf, Row)>> = BTreeMap::new();
    for data in &args.data {
        for row in rows(data)? {
            let file = data.join(&row.page);
            by_site
                .entry((data.display().to_string(), row.site.clone()))
                .or_default()
                .push((file, row));
        }
    }
    let by_site: Vec<Vec<(PathBuf, Row)>> = by_site.into_values().collect();
    let sites: Vec<Site> = by_site
        .par_iter()
        .enumerate()
        .map(|(number, rows)| read(number, rows))
        .collect::<Result<_>>()?;
    println!(
        "{} sites, {} labelled records found",
        sites.len(),
        sites.iter().map(|site| site.records.len()).sum::<usize>()
    );
    let tags: Vec<Sample> = sites.par_iter().flat_map_iter(tag_samples).collect();
    report::report(
        "decorative tags, the paper's features",
        &tags,
        Shape { inputs: decorative::PAPER_FEATURES, ..TAGS },
    );
    report::report("decorative tags", &tags, TAGS);
    let detector = fit(&tags.iter().collect::<Vec<_>>(), TAGS);
    let config = TemplateConfig { tags: detector.clone(), ..TemplateConfig::default() };
    let generated: Vec<Site> = generated::sites(&VERTICALS)
        .into_par_iter()
        .enumerate()
        .map(|(number, pages)| generated_site(sites.len() + number, pages))
        .collect();
    let of = |sites: &[Site]| -> Vec<Sample> {
        sites.par_iter().flat_map_iter(|site| text_samples(site, &config)).collect()
    };
    let (labelled, known) = (of(&sites), of(&generated));
    report::report("template texts, labelled pages", &labelled, TEXTS);
    report::report("template texts, generated sites", &known, TEXTS);
    report::across("template texts, generated to labelled", &known, &labelled, TEXTS);
    let texts: Vec<Sample> = labelled.into_iter().chain(known).collect();
    report::report(
        "template texts, the paper's features",
        &texts,
        Shape { inputs: texts::PAPER_FEATURES, ..TEXTS },
    );
    report::report("template texts", &texts, TEXTS);
    if let Some(folder) = &args.write {
        write(folder, "decorative.txt", &detector)?;
        write(folder, "texts.txt", &fit(&texts.iter().collect::<Vec<_>>(), TEXTS))?;
    }
    Ok(())
}

fn write(folder: &std::path::Path, name: &str, detector: &Detector) -> Result<()> {
    let file = folder.join(name);
    std::fs::write(&file, detector.to_text())
        .with_context(|| format!("cannot write {}", file.display()))
}

fn read(number: usize, rows: &[(PathBuf, Row)]) -> Result<Site> {
    let mut documents = Vec::with_capacity(rows.len());
    for (file, _) in rows {
        let bytes = std::fs::read(file)
            .with_context(|| format!("cannot read the page {}", file.display()))?;
        documents.push(Document::parse(&bytes, None, &Limits::default()));
    }
    let labelled: Vec<(&str, &[Vec<String>])> =
        rows.iter().map(|(_, row)| (row.page.as_str(), row.records.as_slice())).collect();
    let records = labelled_records(&documents, &labelled);
    let category = rows.first().map_or(String::new(), |(_, row)| row.category.clone());
    Ok(Site { number, category, documents, records })
}

fn generated_site(number: usize, pages: Vec<generated::Page>) -> Site {
    let documents: Vec<Document> =
        pages.iter().map(|page| Document::from_html(&page.html)).collect();
    let labelled: Vec<(&str, &[Vec<String>])> =
        pages.iter().map(|page| (page.name.as_str(), page.records.as_slice())).collect();
    let records = labelled_records(&documents, &labelled);
    Site { number, category: "generated".to_owned(), documents, records }
}

/// The records that are found on pages (their name and labelled records) and hold a labelled one.
fn labelled_records(
    documents: &[Document],
    labelled: &[(&str, &[Vec<String>])],
) -> Vec<(usize, Vec<NodeId>, Stream)> {
    let pages: Vec<PageInput<'_>> = documents
        .iter()
        .zip(labelled)
        .map(|(document, (id, _))| PageInput { id, document, cluster: None })
        .collect();
    let mut records = Vec::new();
    for (page, found) in find_records(&pages, &RecordsConfig::default()).into_iter().enumerate() {
        let Some(region) = found.regions.into_iter().next() else { continue };
        let mut streams: Vec<Stream> = region
            .records
            .iter()
            .map(|record| Stream::new(&documents[page], &record.nodes))
            .collect();
        let claimed = claim_all(&mut streams, labelled[page].1);
        for ((record, stream), claimed) in region.records.into_iter().zip(streams).zip(claimed) {
            if claimed {
                records.push((page, record.nodes, stream));
            }
        }
    }
    records
}

impl Site {
    fn inputs(&self) -> (Vec<RecordInput<'_>>, Vec<&Document>) {
        let records = self
            .records
            .iter()
            .map(|(page, nodes, _)| RecordInput { document: &self.documents[*page], nodes });
        (records.collect(), self.documents.iter().collect())
    }

    /// The labelled text that a node of a page belongs to.
    fn stream(&self, page: usize, node: NodeId) -> Option<&Stream> {
        let document = &self.documents[page];
        let own = |nodes: &[NodeId]| nodes.iter().any(|&root| document.contains(root, node));
        self.records
            .iter()
            .find(|(other, nodes, _)| *other == page && own(nodes))
            .map(|(_, _, stream)| stream)
    }
}

/// Whether an element embellishes a part of a cell: what is around it belongs to the same cell.
fn is_decorative(document: &Document, stream: &Stream, node: NodeId) -> bool {
    let range = stream.range(document, node);
    let cell = |at: Option<usize>| at.and_then(|at| stream.cells.get(at).copied().flatten());
    let before = cell(range.start.checked_sub(1));
    let behind = cell(Some(range.end));
    if range.is_empty() {
        return before.is_some() && before == behind;
    }
    let (first, last) = (cell(Some(range.start)), cell(Some(range.end - 1)));
    let inside = first.is_some() && stream.cells[range.clone()].iter().all(|cell| *cell == first);
    inside && (before == first || behind == last)
}

fn tag_samples(site: &Site) -> Vec<Sample> {
    let (records, documents) = site.inputs();
    let mut samples = Vec::new();
    for example in tag_examples(&records, &documents) {
        let (mut positive, mut all) = (0usize, 0usize);
        for &(page, node) in &example.nodes {
            let Some(stream) = site.stream(page, node) else { continue };
            positive += usize::from(is_decorative(&site.documents[page], stream, node));
            all += 1;
        }
        samples.push(Sample {
            site: site.number,
            category: site.category.clone(),
            names: vec![example.sample.name.clone()],
            features: example.sample.features.to_vec(),
            positive: 2 * positive > all,
            weight: (1.0 + all as f64).ln(),
        });
    }
    samples
}

fn text_samples(site: &Site, config: &TemplateConfig) -> Vec<Sample> {
    let (records, documents) = site.inputs();
    let mut samples = Vec::new();
    for example in text_examples(&records, &documents, config) {
        let text = &example.sample.text;
        let names = texts::tokens(text).into_iter().map(|token| text[token].to_lowercase());
        let Some(positive) = is_template(site, &example) else { continue };
        samples.push(Sample {
            site: site.number,
            category: site.category.clone(),
            names: names.collect(),
            features: example.sample.features.to_vec(),
            positive,
            weight: 1.0,
        });
    }
    samples
}

/// Whether most occurrences of a text belong to no cell. Strings without any cell say nothing: they may be data that
/// nobody labelled. `None` where there are only such.
fn is_template(site: &Site, example: &TextExample) -> Option<bool> {
    let text = &example.sample.text;
    let (mut outside, mut all) = (0usize, 0usize);
    for (page, nodes, string) in &example.strings {
        let (Some(&first), Some(at)) = (nodes.first(), string.find(text.as_str())) else {
            continue;
        };
        let Some(stream) = site.stream(*page, first) else { continue };
        let begin = stream.nodes.partition_point(|&node| node < first);
        let whole = stream.cells.get(begin..begin + key_chars(string).count()).unwrap_or_default();
        if whole.iter().all(Option::is_none) {
            continue;
        }
        let start = begin + key_chars(&string[..at]).count();
        let end = start + key_chars(text).count();
        let cells = stream.cells.get(start..end).unwrap_or_default();
        let free = cells.iter().filter(|cell| cell.is_some()).count() * 2 < cells.len();
        // Labels have no punctuation around them: only between two cells is it a separator.
        let before = whole[..start - begin].iter().rev().flatten().next();
        let behind = whole[(end - begin).min(whole.len())..].iter().flatten().next();
        let parts = before.is_some() && behind.is_some() && before != behind;
        outside += usize::from(free && (parts || text.chars().any(char::is_alphanumeric)));
        all += 1;
    }
    (all > 0).then_some(2 * outside > all)
}
