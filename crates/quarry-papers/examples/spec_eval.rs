//! The table of the paper's §5.2 again: the heuristic, the same with perfect detection, the wrapper, the hybrid; and
//! `quarry specs FOLDER` without the rest of the program.
//!
//! ```text
//! cargo run --release -p quarry-papers --example spec_eval -- table DATA/screens2023   # labelled shops
//! cargo run --release -p quarry-papers --example spec_eval -- shops                    # generated shops
//! score specs --data DATA/screens2023 --quarry target/release/examples/spec_eval        # prints lines
//! ```
#![allow(clippy::disallowed_methods, clippy::print_stdout)] // An example reads files; the library does not.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use quarry_dom::{Document, Limits};
use quarry_extract::spec::{
    KnownPairs, SpecConfig, SpecPage, apply, candidates, find_specs, induce, normal_name,
    read_specs, specs_line,
};
use quarry_papers::dexter::heuristic_pairs;
use quarry_testsite::{FamilySpec, SiteFamily, SiteRequest, SiteSpec, SpecStyle, Vertical};
use rayon::prelude::*;

type Pairs = BTreeSet<(String, String)>;

struct Page {
    document: Document,
    truth: Vec<(String, String)>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("table") => table(&labelled(Path::new(arguments.get(1).ok_or("which folder?")?))?),
        Some("shops") => {
            for style in SpecStyle::ALL {
                println!("\n{style:?}");
                table(&generated(*style));
            }
        }
        _ => lines(&arguments)?,
    }
    Ok(())
}

/// One JSON line for each page of a folder.
fn lines(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let mut files: Vec<(String, PathBuf)> = Vec::new();
    for folder in arguments.iter().filter(|argument| *argument != "specs") {
        list(Path::new(folder), Path::new(folder), &mut files)?;
    }
    files.sort();
    let documents = files.par_iter().map(|(_, file)| parse(file)).collect::<Result<Vec<_>, _>>()?;
    let both = files.iter().zip(&documents);
    let pages: Vec<SpecPage<'_>> =
        both.map(|((id, _), document)| SpecPage { id, document }).collect();
    let found = read_specs(&pages, &KnownPairs::default(), &SpecConfig::default());
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for (page, specs) in pages.iter().zip(&found) {
        serde_json::to_writer(&mut out, &specs_line(page.document, page.id, specs))?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn list(root: &Path, at: &Path, files: &mut Vec<(String, PathBuf)>) -> std::io::Result<()> {
    if at.is_dir() {
        for entry in std::fs::read_dir(at)? {
            list(root, &entry?.path(), files)?;
        }
    } else if at.extension().is_some_and(|ending| ending == "html" || ending == "htm") {
        let id = at.strip_prefix(root).unwrap_or(at).display().to_string();
        let id = if id.is_empty() {
            at.file_name().unwrap_or_default().to_string_lossy().into_owned()
        } else {
            id
        };
        files.push((id, at.to_owned()));
    }
    Ok(())
}

fn parse(file: &Path) -> std::io::Result<Document> {
    let bytes = std::fs::read(file)?;
    let kind = (!bytes.is_ascii() && std::str::from_utf8(&bytes).is_ok())
        .then_some("text/html; charset=utf-8");
    Ok(Document::parse(&bytes, kind, &Limits::default()))
}

/// The shops of a folder with `specs.jsonl`.
fn labelled(data: &Path) -> Result<BTreeMap<String, Vec<Page>>, Box<dyn Error>> {
    let mut shops: BTreeMap<String, Vec<Page>> = BTreeMap::new();
    for line in std::fs::read_to_string(data.join("specs.jsonl"))?.lines() {
        let row: serde_json::Value = serde_json::from_str(line)?;
        let pairs = row["pairs"].as_array().map(Vec::as_slice).unwrap_or_default();
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        let truth: Vec<(String, String)> =
            pairs.iter().map(|pair| (text(&pair[0]), text(&pair[1]))).collect();
        if truth.len() > 2 {
            let document = parse(&data.join(text(&row["page"])))?;
            shops.entry(text(&row["shop"])).or_default().push(Page { document, truth });
        }
    }
    Ok(shops)
}

/// Shops of one style over one world: each knows the others' pairs.
fn generated(style: SpecStyle) -> BTreeMap<String, Vec<Page>> {
    let base = SiteSpec {
        specs: style,
        vertical: Vertical::Electronics,
        entities: 40,
        seed: 77,
        ..SiteSpec::default()
    };
    let spec = FamilySpec { base, sites: 3, vary_format: false, ..FamilySpec::default() };
    let mut family = SiteFamily::generate(&spec);
    family.sites.truncate(3);
    let shops = family.sites.iter().enumerate().map(|(number, shop)| {
        let pages = shop.truth().take(12).map(|truth| {
            let answer = shop.respond(&SiteRequest::get(truth.url.clone()));
            let document = Document::parse(
                answer.text().as_bytes(),
                Some("text/html; charset=utf-8"),
                &Limits::default(),
            );
            Page { document, truth: truth.specs }
        });
        (format!("shop {number}"), pages.collect())
    });
    shops.collect()
}

fn keys<'p>(pairs: impl Iterator<Item = (&'p str, &'p str)>) -> Pairs {
    pairs
        .map(|(name, value)| (normal_name(name), normal_name(value)))
        .filter(|(n, v)| !n.is_empty() && !v.is_empty())
        .collect()
}

/// Precision and recall of each way, mean over shops.
fn table(shops: &BTreeMap<String, Vec<Page>>) {
    let names = [
        "paper's heuristic",
        "  perfect detection",
        "rows",
        "  perfect detection",
        "wrapper",
        "hybrid",
    ];
    let mut sums = [[0.0_f64; 2]; 6];
    for (shop, pages) in shops {
        let mut known = KnownPairs::default();
        for other in shops.iter().filter(|(name, _)| *name != shop).flat_map(|(_, pages)| pages) {
            for (name, value) in &other.truth {
                known.add(name, value);
            }
        }
        let ids: Vec<String> = (0..pages.len()).map(|number| number.to_string()).collect();
        let both = pages.iter().zip(&ids);
        let inputs: Vec<SpecPage<'_>> =
            both.map(|(page, id)| SpecPage { id, document: &page.document }).collect();
        let config = SpecConfig::default();
        let found = find_specs(&inputs, &config);
        let hybrid = read_specs(&inputs, &known, &config);
        let all = candidates(&inputs);
        let documents: Vec<&Document> = pages.iter().map(|page| &page.document).collect();
        let wrapper = induce(&documents, &known);
        for (at, sum) in sums.iter_mut().enumerate() {
            let (mut out, mut right, mut wanted) = (0, 0, 0);
            for (number, page) in pages.iter().enumerate() {
                let truth = keys(page.truth.iter().map(|(n, v)| (n.as_str(), v.as_str())));
                let document = &page.document;
                let perfect = || {
                    all[number].iter().filter(|candidate| {
                        let own = keys(
                            candidate.pairs.iter().map(|p| (p.name.as_str(), p.value.as_str())),
                        );
                        own.intersection(&truth).count() * 2 >= own.len()
                    })
                };
                let by_paper = |node| {
                    let pairs = heuristic_pairs(document, node);
                    keys(pairs.iter().map(|p| (p.name.as_str(), p.value.as_str())))
                };
                let of_specs = |specs: &[quarry_extract::spec::Spec]| {
                    keys(
                        specs
                            .iter()
                            .flat_map(|spec| &spec.pairs)
                            .map(|p| (p.name.as_str(), p.value.as_str())),
                    )
                };
                let got: Pairs = match at {
                    0 => found[number].iter().flat_map(|spec| by_paper(spec.node)).collect(),
                    1 => perfect().flat_map(|candidate| by_paper(candidate.node)).collect(),
                    2 => of_specs(&found[number]),
                    3 => perfect()
                        .flat_map(|c| {
                            keys(c.pairs.iter().map(|p| (p.name.as_str(), p.value.as_str())))
                        })
                        .collect(),
                    4 => of_specs(
                        &wrapper
                            .as_ref()
                            .and_then(|wrapper| apply(document, wrapper))
                            .into_iter()
                            .collect::<Vec<_>>(),
                    ),
                    _ => of_specs(&hybrid[number]),
                };
                out += got.len();
                right += got.intersection(&truth).count();
                wanted += truth.len();
            }
            sum[0] += right as f64 / out.max(1) as f64;
            sum[1] += right as f64 / wanted.max(1) as f64;
        }
    }
    println!("| way | P | R |\n|---|---|---|");
    let count = shops.len().max(1) as f64;
    for (name, [p, r]) in names.iter().zip(sums) {
        println!("| {name} | {:.2} | {:.2} |", p / count, r / count);
    }
}
