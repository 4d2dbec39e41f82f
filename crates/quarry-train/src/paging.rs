//! Fits the weights that tell paging links from others. `train paging DATA…`: every series of numbers and
//! every other candidate link of a labelled page is a lesson; features are given with hosts and with
//! whole data sets left out.
//!
//! ```text
//! cargo run --profile quick -p quarry-train -- paging DATA/autopager DATA/pagers -o weights.txt
//! ```

mod fit;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use quarry_dom::{Document, Limits};
use quarry_extract::links::{LINK_FEATURES, PagingCandidates, PagingWeights};
use rayon::prelude::*;
use serde::Deserialize;
use url::Url;

use fit::{Lesson, fit};

/// Labelled pages to learn from.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folders with `links.jsonl` (a line per page: `page, url, links: {address: roles}`) and the pages that it names
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,
    /// Parts of the hosts that are each left out once
    #[arg(long, default_value_t = 10)]
    folds: usize,
    /// How strongly weights are pulled towards those set by hand
    #[arg(long, default_value_t = 0.15)]
    pull: f64,
    /// Print the pages that are not right with their host left out
    #[arg(long)]
    errors: bool,
    /// Where to write the weights [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Deserialize)]
struct LabelLine {
    page: String,
    url: String,
    links: BTreeMap<String, Vec<String>>,
}

struct Page {
    set: usize,
    host: String,
    name: String,
    own: String,
    truth: BTreeSet<String>,
    candidates: PagingCandidates,
}

fn read(set: usize, folder: &Path) -> Result<Vec<Page>> {
    let file = folder.join("links.jsonl");
    let text = std::fs::read_to_string(&file)
        .with_context(|| format!("cannot read {}", file.display()))?;
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines.par_iter().map(|line| page(set, folder, serde_json::from_str(line)?)).collect()
}

fn page(set: usize, folder: &Path, line: LabelLine) -> Result<Page> {
    let bytes = std::fs::read(folder.join(&line.page))
        .with_context(|| format!("cannot read {}", line.page))?;
    let address = Url::parse(&line.url)?;
    let document = Document::parse(&bytes, None, &Limits::default());
    let mut own = address.clone();
    own.set_fragment(None);
    let plain =
        |text: &String| Url::parse(text).map_or_else(|_| text.clone(), |url| url.to_string());
    Ok(Page {
        set,
        host: address.host_str().unwrap_or_default().to_owned(),
        name: line.page,
        own: own.to_string(),
        truth: line.links.keys().map(plain).collect(),
        candidates: PagingCandidates::of(&document, &address),
    })
}

/// Of a host: links that are right, found, and labelled.
#[derive(Default, Clone, Copy)]
struct Counts {
    hit: usize,
    found: usize,
    truth: usize,
}

impl Counts {
    fn f1(self) -> f64 {
        2.0 * self.hit as f64 / (self.found + self.truth).max(1) as f64
    }
}

/// What a lesson of a host with so many paging links counts: links of each host count the same together.
fn share(truth: usize) -> f64 {
    /// A host with fewer links counts as if it had so many: one link is a weak witness.
    const FEWEST: f64 = 4.0;
    1.0 / (truth as f64).max(FEWEST)
}

fn learn(pages: &[&Page], prior: &PagingWeights, pull: f64) -> PagingWeights {
    let mut truths: BTreeMap<&str, usize> = BTreeMap::new();
    for page in pages {
        *truths.entry(&page.host).or_default() += page.truth.len();
    }
    let is_paging = |page: &Page, targets: &[&str]| {
        let others: Vec<&&str> = targets.iter().filter(|target| ***target != page.own).collect();
        let hits = others.iter().filter(|target| page.truth.contains(***target)).count();
        (!others.is_empty()).then_some((hits as f64 / others.len() as f64, others.len()))
    };
    let mut lessons = Vec::new();
    for page in pages {
        for lesson in page.candidates.series_lessons() {
            if let Some((right, links)) = is_paging(page, &lesson.targets) {
                let counts = share(truths[page.host.as_str()]) * links as f64;
                lessons.push(Lesson { features: lesson.features, right, counts });
            }
        }
    }
    let series = fit(&lessons, &prior.series, pull);
    let partial = PagingWeights::of(&series, &[]);
    let mut lessons = Vec::new();
    let no_word = LINK_FEATURES.iter().position(|name| *name == "no-word").unwrap_or(0);
    for page in pages {
        let all = page.candidates.link_lessons(&partial);
        let mut worded: BTreeSet<&str> = all
            .iter()
            .filter(|lesson| lesson.features[no_word] == 0.0)
            .flat_map(|lesson| lesson.targets.iter().copied())
            .collect();
        for lesson in page.candidates.series_lessons() {
            worded.extend(lesson.targets);
        }
        for lesson in all {
            // A label is an address: a logo that leads there is not paging.
            if lesson.features[no_word] == 1.0 && worded.contains(lesson.targets[0]) {
                continue;
            }
            if let Some((right, _)) = is_paging(page, &lesson.targets) {
                let counts = share(truths[page.host.as_str()]);
                lessons.push(Lesson { features: lesson.features, right, counts });
            }
        }
    }
    PagingWeights::of(&series, &fit(&lessons, &prior.link, pull))
}

/// Mean over the hosts with paging of F1 of the links of a set of pages.
fn score<'p>(
    pages: impl Iterator<Item = &'p Page>,
    weights: &PagingWeights,
    errors: bool,
) -> Vec<f64> {
    let mut hosts: BTreeMap<&str, Counts> = BTreeMap::new();
    for page in pages {
        let mut found = page.candidates.chosen(weights);
        found.remove(page.own.as_str());
        let hit = found.iter().filter(|target| page.truth.contains(**target)).count();
        let counts = hosts.entry(&page.host).or_default();
        counts.hit += hit;
        counts.found += found.len();
        counts.truth += page.truth.len();
        if errors && (hit < found.len() || hit < page.truth.len()) {
            println!("{} {}", page.name, page.own);
            for target in page.truth.iter().filter(|target| !found.contains(target.as_str())) {
                println!("   missed {target}");
            }
            for target in found.iter().filter(|target| !page.truth.contains(**target)) {
                println!("   wrong  {target}");
            }
        }
    }
    hosts.values().filter(|counts| counts.truth > 0).map(|counts| counts.f1()).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let folds = args.folds.max(2);
    let prior =
        PagingWeights::parse(include_str!("paging/prior.txt")).map_err(anyhow::Error::msg)?;
    let mut pages = Vec::new();
    for (set, folder) in args.data.iter().enumerate() {
        pages.extend(read(set, folder)?);
    }
    let hosts: BTreeSet<&str> = pages.iter().map(|page| page.host.as_str()).collect();
    let fold_of: BTreeMap<&str, usize> =
        hosts.iter().enumerate().map(|(at, host)| (*host, at % folds)).collect();
    let all: Vec<&Page> = pages.iter().collect();
    let weights = learn(&all, &prior, args.pull);
    let left_out: Vec<PagingWeights> = (0..folds)
        .into_par_iter()
        .map(|fold| {
            let rest: Vec<&Page> =
                pages.iter().filter(|page| fold_of[page.host.as_str()] != fold).collect();
            learn(&rest, &prior, args.pull)
        })
        .collect();
    println!(
        "mean over hosts of F1 of paging links: set by hand, seen, host left out, data set left out"
    );
    for (set, folder) in args.data.iter().enumerate() {
        let own = || pages.iter().filter(|page| page.set == set);
        let others: Vec<&Page> = pages.iter().filter(|page| page.set != set).collect();
        let by_hand = mean(&score(own(), &prior, false));
        let seen = mean(&score(own(), &weights, false));
        let mut hosts = Vec::new();
        for (fold, weights) in left_out.iter().enumerate() {
            let part = own().filter(|page| fold_of[page.host.as_str()] == fold);
            hosts.extend(score(part, weights, args.errors));
        }
        let crossed = if others.is_empty() {
            f64::NAN
        } else {
            mean(&score(own(), &learn(&others, &prior, args.pull), args.errors))
        };
        println!(
            "{:<24} {by_hand:.4}  {seen:.4}  {:.4}  {crossed:.4}",
            folder.display(),
            mean(&hosts)
        );
    }
    let text = format!(
        "# What each feature of a series of numbers and of a link beside it weighs.\n\
         # Made by `train paging` with a pull of {}; docs/algorithms/links.md has the features.\n{}",
        args.pull,
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
