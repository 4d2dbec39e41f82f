//! Fits the weights of the region evidence. `train region DATA…`: every list of records that is
//! considered on a labelled page is scored against the labels; the weights make the best one of
//! each page most likely.
//!
//! ```text
//! cargo run --release -p quarry-train -- region DATA/testbed2017 DATA/aql_serps DATA/courts DATA/nexteval -o weights.txt
//! ```

mod fit;
mod labels;
mod matching;
mod overlap;

use std::path::PathBuf;

use anyhow::{Context, Result};
use quarry_dom::{Document, Limits};
use quarry_extract::find::{PageInput, PageRecords, RecordsConfig, Region, find_records};
use quarry_extract::lines::record_text;
use quarry_extract::region::RegionEvidence;
use quarry_extract::region::rank::Weights;
use rayon::prelude::*;

use fit::{Choice, FitConfig, fit};
use labels::{LabelledSite, PageLabels};
use matching::{Matcher, Output, f1};
use overlap::LeafIndex;

/// Labelled pages to learn from.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folders with `records.jsonl` and the pages that it names
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,
    /// Parts of the sites that are each left out once
    #[arg(long, default_value_t = 5)]
    folds: usize,
    /// How strongly weights are pulled towards those set by hand; several are compared, the best is used
    #[arg(long, value_name = "PULL", value_delimiter = ',', default_values_t = [0.03, 0.1, 0.3])]
    pull: Vec<f64>,
    /// Lists whose F1 is less than the best by no more than this are as good
    #[arg(long, default_value_t = 0.1)]
    as_good: f64,
    /// Rank the lists that the shipped weights found instead of finding them anew: quick, but what other pages say of a list stays
    /// as the shipped weights said it
    #[arg(long)]
    quick: bool,
    /// Where to write the weights [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A site, its part, and what its pages let one choose from.
struct Site {
    labelled: LabelledSite,
    fold: usize,
    choices: Vec<Choice>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let folds = args.folds.max(2);
    let mut sites = Vec::new();
    for data in &args.data {
        for (number, labelled) in labels::read(data)?.into_iter().enumerate() {
            sites.push(Site { labelled, fold: number % folds, choices: Vec::new() });
        }
    }
    let shipped = Weights::default();
    sites.par_iter_mut().try_for_each(|site| -> Result<()> {
        site.choices = choices(&site.labelled, &shipped)?;
        Ok(())
    })?;
    let pages: usize = sites.iter().map(|site| site.choices.len()).sum();
    println!("{} sites, {pages} pages with a list to choose", sites.len());
    let collections: Vec<&str> = collections(&sites);
    let report = |name: &str, weights: &(dyn Fn(&Site) -> Weights + Sync)| {
        report(name, &collections, &sites, args.quick, weights)
    };
    println!("macro F1 of the first list   {}", collections.join("  "));
    report("shipped", &|_| shipped)?;
    let prior = Weights::parse(include_str!("region/prior.txt")).map_err(anyhow::Error::msg)?;
    report("set by hand", &|_| prior)?;
    let mut best = (f64::MIN, args.pull.first().copied().unwrap_or(0.01));
    for &pull in &args.pull {
        let config = FitConfig {
            prior: prior.evidence,
            pull,
            as_good: args.as_good,
            ..FitConfig::default()
        };
        let fitted: Vec<Weights> = (0..folds)
            .into_par_iter()
            .map(|fold| fit(chosen(&sites, |site| site.fold != fold), &config))
            .collect();
        let mean = report(&format!("left out, pull {pull}"), &|site| fitted[site.fold])?;
        if mean > best.0 {
            best = (mean, pull);
        }
    }
    let config = FitConfig {
        prior: prior.evidence,
        pull: best.1,
        as_good: args.as_good,
        ..FitConfig::default()
    };
    let fitted: Vec<Weights> = collections
        .par_iter()
        .map(|&out| fit(chosen(&sites, |site| site.labelled.collection != out), &config))
        .collect();
    let own = |site: &Site| collections.iter().position(|&name| name == site.labelled.collection);
    report(&format!("data set left out, pull {}", best.1), &|site| {
        own(site).map_or(shipped, |at| fitted[at])
    })?;
    let config = FitConfig {
        prior: prior.evidence,
        pull: best.1,
        as_good: args.as_good,
        ..FitConfig::default()
    };
    let weights = fit(chosen(&sites, |_| true), &config);
    report(&format!("seen, pull {}", best.1), &|_| weights)?;
    let text = format!(
        "# What each feature of the evidence weighs, and the weighed sum at which a list is as likely an answer as not.\n\
         # Made by `train region` with a pull of {}; docs/algorithms/region.md has the features.\n{}",
        best.1,
        weights.to_text()
    );
    match &args.output {
        Some(file) => {
            std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
        }
        None => {
            print!("{text}");
            Ok(())
        }
    }
}

fn collections(sites: &[Site]) -> Vec<&str> {
    let mut names: Vec<&str> = sites.iter().map(|site| site.labelled.collection.as_str()).collect();
    names.dedup();
    names
}

fn chosen(sites: &[Site], which: impl Fn(&Site) -> bool) -> Vec<&[Choice]> {
    sites.iter().filter(|site| which(site)).map(|site| site.choices.as_slice()).collect()
}

/// Finds records with the weights for each site; prints the macro F1 of each collection, gives their mean.
fn report(
    name: &str,
    collections: &[&str],
    sites: &[Site],
    quick: bool,
    weights: &(dyn Fn(&Site) -> Weights + Sync),
) -> Result<f64> {
    let scores: Vec<f64> = sites
        .par_iter()
        .map(|site| match quick {
            true => Ok(ranked_f1(&site.choices, &weights(site))),
            false => site_f1(&site.labelled, &weights(site)),
        })
        .collect::<Result<Vec<f64>>>()?;
    let mut means = Vec::new();
    for collection in collections {
        let own: Vec<f64> = sites
            .iter()
            .zip(&scores)
            .filter(|(site, _)| site.labelled.collection == *collection)
            .map(|(_, score)| *score)
            .collect();
        means.push(own.iter().sum::<f64>() / own.len() as f64);
    }
    let features: Vec<String> = means.iter().map(|mean| format!("{mean:.4}")).collect();
    println!("{name:<28} {}", features.join("  "));
    Ok(means.iter().sum::<f64>() / means.len() as f64)
}

/// The pages of a site as they are parsed.
fn parsed(site: &LabelledSite) -> Result<Vec<Document>> {
    let mut documents = Vec::with_capacity(site.pages.len());
    for page in &site.pages {
        let bytes = std::fs::read(&page.file)
            .with_context(|| format!("cannot read {}", page.file.display()))?;
        documents.push(Document::parse(&bytes, None, &Limits::default()));
    }
    Ok(documents)
}

/// What is found on the pages of a site with these settings.
fn found(site: &LabelledSite, documents: &[Document], config: &RecordsConfig) -> Vec<PageRecords> {
    let inputs: Vec<PageInput<'_>> = site
        .pages
        .iter()
        .zip(documents)
        .map(|(page, document)| PageInput { id: &page.id, document, cluster: None })
        .collect();
    find_records(&inputs, config)
}

/// For each list of a page: how many records agree with the labels, how many there are, how many are labelled.
fn judged(document: &Document, labels: &PageLabels, lists: &[Region]) -> Vec<(f64, usize, usize)> {
    match labels {
        PageLabels::Records(labels) => {
            let truths = labels::on_page(document, labels);
            let mut matcher = Matcher::new(&truths);
            let judge = |list: &Region| {
                let outputs: Vec<usize> = list
                    .records
                    .iter()
                    .map(|record| matcher.add(&record.nodes, || output(document, record)))
                    .collect();
                (matcher.matched(&outputs) as f64, outputs.len(), truths.len())
            };
            lists.iter().map(judge).collect()
        }
        PageLabels::List(list) => {
            let index = LeafIndex::new(document, list);
            let judge = |list: &Region| {
                let (shared, found) = index.overlap(&list.records);
                (shared, found, index.wanted())
            };
            lists.iter().map(judge).collect()
        }
    }
}

/// Every list considered on each labelled page, with its F1.
fn choices(site: &LabelledSite, weights: &Weights) -> Result<Vec<Choice>> {
    let config = RecordsConfig { weights: *weights, ..RecordsConfig::considered() };
    let documents = parsed(site)?;
    let mut choices = Vec::new();
    for ((page, document), labelled) in
        found(site, &documents, &config).iter().zip(&documents).zip(&site.pages)
    {
        let Some(labels) = &labelled.labels else { continue };
        let judged = judged(document, labels, &page.regions);
        let lists = page.regions.iter().zip(judged);
        let lists = lists.map(|(region, (matched, out, wanted))| {
            (region.evidence.values(), f1(matched, out, wanted))
        });
        choices.push(Choice { lists: lists.collect() });
    }
    Ok(choices)
}

fn output(document: &Document, record: &quarry_extract::find::RecordSpan) -> Output {
    Output {
        text: labels::key(&record_text(document, record)),
        paths: record.nodes.iter().map(|&node| labels::plain_path(&document.xpath(node))).collect(),
    }
}

/// Mean F1 of the list that the weights rank first on each page.
fn ranked_f1(choices: &[Choice], weights: &Weights) -> f64 {
    let sum = |list: &(Vec<f64>, f64)| weights.sum(&RegionEvidence::of(&list.0));
    let first = |choice: &Choice| {
        let best = choice.lists.iter().max_by(|one, other| sum(one).total_cmp(&sum(other)));
        best.map_or(0.0, |list| list.1)
    };
    choices.iter().map(first).sum::<f64>() / choices.len().max(1) as f64
}

/// F1 of the first list of each page, over all labelled pages of the site.
fn site_f1(site: &LabelledSite, weights: &Weights) -> Result<f64> {
    let config = RecordsConfig {
        weights: *weights,
        max_regions: 1,
        min_score: 0.0,
        ..RecordsConfig::default()
    };
    let documents = parsed(site)?;
    let (mut matched, mut out, mut wanted) = (0.0, 0, 0);
    for ((page, document), labelled) in
        found(site, &documents, &config).iter().zip(&documents).zip(&site.pages)
    {
        let Some(labels) = &labelled.labels else { continue };
        if let Some(first) = judged(document, labels, &page.regions).first() {
            matched += first.0;
            out += first.1;
            wanted += first.2;
        } else if let PageLabels::Records(labels) = labels {
            wanted += labels.len();
        }
    }
    Ok(f1(matched, out, wanted))
}
