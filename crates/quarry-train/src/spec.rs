//! Fits the trees that tell specifications from other fragments. `train spec --labelled DATA…
//! --negative DATA…`: every candidate of a labelled page is compared with the labels; trees learn
//! to tell those that agree from those that do not, as many of the one as of the other (paper
//! §5.2).
//!
//! ```text
//! cargo run --release -p quarry-train -- spec --labelled DATA/screens2023 DATA/swde \
//!     --negative DATA/aql_serps DATA/autopager DATA/testbed2017 -o crates/quarry-extract/src/spec/trees.txt
//! ```

mod data;
mod fit;
mod pipeline;
mod report;
mod vectors;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use quarry_extract::spec::{SpecCandidate, SpecFeatures, SpecPage, SpecPair, Trees, candidates};
use rayon::prelude::*;

pub(crate) use data::key;
use data::{Page, Site, Truth};
use fit::{FitConfig, Sample, fit};

/// Labelled pages to learn from.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folders with `specs.jsonl` or `openie_labels-*.jsonl` and the pages that they name
    #[arg(long, required_unless_present = "vectors", value_name = "DATA", num_args = 1..)]
    labelled: Vec<PathBuf>,
    /// Folders of pages without specifications
    #[arg(long, value_name = "DATA", num_args = 0..)]
    negative: Vec<PathBuf>,
    /// Instead: cross-validate on the files of vectors in this folder
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,
    /// Parts of the negative pages that are each left out once; labelled sites are left out one by one
    #[arg(long, default_value_t = 4)]
    folds: usize,
    /// Trees
    #[arg(long, default_value_t = FitConfig::default().trees)]
    trees: usize,
    /// Splits from a root to a leaf
    #[arg(long, default_value_t = FitConfig::default().depth)]
    depth: usize,
    /// The weight of a copy of each fragment whose words and class names say nothing, as on sites in other languages or with
    /// hashed class names; 0 for none
    #[arg(long, default_value_t = 1.0)]
    blind: f64,
    /// What is left out together when the trees are measured
    #[arg(long, value_enum, default_value_t = LeftOut::Site)]
    leave_out: LeftOut,
    /// Print the candidates of this site that are judged wrongly when it is left out
    #[arg(long, value_name = "SITE")]
    show: Option<String>,
    /// Where to write the trees [default: nowhere]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What no tree has seen that is measured on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum LeftOut {
    /// A site.
    Site,
    /// All sites about one kind of thing: films, players.
    Vertical,
    /// A whole data set.
    Collection,
}

/// A candidate, which of its pairs agree with labels, and which labels it answers.
struct Judged {
    sample: Sample,
    place: u64,
    pairs: Vec<(String, String)>,
    right: usize,
    answered: Vec<usize>,
    /// Too few agree to be a specification, too many to be none.
    unclear: bool,
}

/// A site looked at in one way: all pages together, or each alone.
struct View {
    collection: String,
    site: String,
    alone: bool,
    /// Sites with the same number are left out together.
    fold: usize,
    /// Per page: labels, and candidates.
    pages: Vec<(usize, Vec<Judged>)>,
}

/// The share of a candidate's pairs that agree with labels, from which on it is a specification.
const MOSTLY: f64 = 0.5;
/// The share up to which it is none.
const HARDLY: f64 = 0.1;

pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(folder) = &args.vectors {
        return vectors::run(folder);
    }
    let mut sites: Vec<Site> = Vec::new();
    for data in &args.labelled {
        sites.extend(data::labelled(data)?);
    }
    for data in &args.labelled {
        let more = data::weak(data, &sites)?;
        sites.extend(more);
    }
    sites.extend(data::shops());
    let labelled = sites.len();
    for data in &args.negative {
        sites.extend(data::negatives(data, 400)?);
    }
    let mut views: Vec<View> = Vec::new();
    let mut folds_of: BTreeMap<String, usize> = BTreeMap::new();
    let mut fold_of_site: Vec<usize> = Vec::new();
    for (number, site) in sites.iter().enumerate() {
        let fold = if number < labelled {
            let next = folds_of.len();
            *folds_of.entry(fold_name(site, args.leave_out)).or_insert(next)
        } else {
            NEGATIVE + number % args.folds.max(2)
        };
        fold_of_site.push(fold);
        views.extend(look(site, fold));
    }
    weigh(&mut views);
    let config = FitConfig { trees: args.trees, depth: args.depth, ..FitConfig::default() };
    let mut folds: Vec<usize> = views.iter().map(|view| view.fold).collect();
    folds.sort_unstable();
    folds.dedup();
    println!("{} views, {} folds", views.len(), folds.len());
    let fitted: Vec<Trees> = folds
        .par_iter()
        .map(|&fold| fit(&samples(&views, |view| view.fold != fold, args.blind), config))
        .collect();
    let trees_of = |view: &View| {
        let at = folds.binary_search(&view.fold).expect("every fold was fitted");
        &fitted[at]
    };
    report::table(&views, trees_of);
    let trees_at = |site: usize| {
        let at = folds.binary_search(&fold_of_site[site]).expect("every fold was fitted");
        &fitted[at]
    };
    pipeline::table(&sites[..labelled], trees_at);
    if let Some(site) = &args.show {
        report::show(&views, site, trees_of);
    }
    if let Some(file) = &args.output {
        let trees = fit(&samples(&views, |_| true, args.blind), config);
        let text = format!(
            "# Trees that tell specifications from other fragments; made by `train spec`, docs/algorithms/spec.md has the features.\n{}",
            trees.to_text(SpecFeatures::NAMES)
        );
        std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

/// Folds of pages without specifications begin here.
const NEGATIVE: usize = 100_000;

/// Sites with the same name are left out together.
fn fold_name(site: &Site, leave_out: LeftOut) -> String {
    let vertical = || site.name.split('-').next().unwrap_or_default().to_owned();
    match leave_out {
        LeftOut::Site if site.weak => "weak".to_owned(),
        // A style of generated shops is left out as a whole.
        LeftOut::Site if site.collection.starts_with("generated") => site.collection.clone(),
        LeftOut::Site => format!("{} {}", site.collection, site.name),
        LeftOut::Vertical if site.collection == "swde" || site.weak => vertical(),
        LeftOut::Vertical => format!("{} {}", site.collection, site.name),
        // Sites of which only values are labelled belong to the data set of those with names.
        LeftOut::Collection if site.weak => "swde".to_owned(),
        LeftOut::Collection => site.collection.split(' ').next().unwrap_or_default().to_owned(),
    }
}

/// Features that rest on words or on class names.
const WORDED: &[&str] = &[
    "spec_words",
    "attribute_words",
    "other_words",
    "name_role",
    "value_role",
    "called_spec",
    "called_boilerplate",
    "heading_spec",
    "page_product",
];

/// The fragments to learn from, each also as it would look without known words and class names.
fn samples(views: &[View], which: impl Fn(&View) -> bool, blind: f64) -> Vec<Sample> {
    let chosen = views.iter().filter(|view| which(view));
    let judged = chosen.flat_map(|view| view.pages.iter().flat_map(|(_, judged)| judged));
    let mut samples: Vec<Sample> =
        judged.filter(|judged| !judged.unclear).map(|judged| judged.sample.clone()).collect();
    if blind > 0.0 {
        let blinded = samples.iter().map(|sample| {
            let named = SpecFeatures::NAMES.iter().zip(&sample.features);
            let feature = |(name, feature): (&&str, &f32)| {
                if WORDED.contains(name) { 0.0 } else { *feature }
            };
            let features = named.map(feature).collect();
            Sample { features, positive: sample.positive, weight: sample.weight * blind }
        });
        let blinded: Vec<Sample> = blinded.collect();
        samples.extend(blinded);
    }
    samples
}

/// A site with all its pages together and, where it has several, with some pages alone.
fn look(site: &Site, fold: usize) -> Vec<View> {
    let view = |alone: bool, pages: Vec<(usize, Vec<Judged>)>| View {
        collection: site.collection.clone(),
        site: site.name.clone(),
        alone,
        fold,
        pages,
    };
    let judged = |pages: &[&Page]| -> Vec<(usize, Vec<Judged>)> {
        let inputs: Vec<SpecPage<'_>> =
            pages.iter().map(|page| SpecPage { id: &page.id, document: &page.document }).collect();
        let found = candidates(&inputs);
        let both = pages.iter().zip(found);
        both.map(|(page, found)| {
            let truth = &page.truth;
            let judge = |candidate| {
                if site.weak { judge_weakly(candidate, truth) } else { judge(candidate, truth) }
            };
            (truth.len(), found.into_iter().map(judge).collect())
        })
        .collect()
    };
    let all: Vec<&Page> = site.pages.iter().collect();
    let mut views = vec![view(all.len() == 1, judged(&all))];
    if all.len() > 1 {
        let step = all.len().div_ceil(12);
        let alone = all.iter().step_by(step).flat_map(|&page| judged(&[page])).collect();
        views.push(view(true, alone));
    }
    views
}

fn judge(candidate: SpecCandidate, truth: &[Truth]) -> Judged {
    let keys = |pair: &SpecPair| (key(&pair.name), key(&pair.value));
    let mut pairs: Vec<(String, String)> = candidate.pairs.iter().map(keys).collect();
    pairs.sort();
    pairs.dedup();
    pairs.retain(|(name, value)| !name.is_empty() && !value.is_empty());
    let mut answered = Vec::new();
    let (mut right, mut alike) = (0, 0);
    for (name, value) in &pairs {
        let named = || truth.iter().enumerate().filter(|(_, (names, _))| names.contains(name));
        let same: Vec<usize> =
            named().filter(|(_, (_, wanted))| wanted == value).map(|(at, _)| at).collect();
        right += usize::from(!same.is_empty());
        answered.extend(same);
        alike += usize::from(named().any(|(_, (_, wanted))| {
            wanted.contains(value.as_str()) || value.contains(wanted.as_str())
        }));
    }
    let share = alike as f64 / pairs.len().max(1) as f64;
    let sample =
        Sample { features: candidate.features.values(), positive: share >= MOSTLY, weight: 0.0 };
    let unclear = pairs.is_empty() || (HARDLY..MOSTLY).contains(&share) && share > 0.0;
    Judged { sample, place: candidate.place, pairs, right, answered, unclear }
}

/// Where only some values are labelled, a fragment with a labelled value under a name like the attribute's, or with values of
/// two attributes, is a specification; of others nothing is known.
fn judge_weakly(candidate: SpecCandidate, truth: &[Truth]) -> Judged {
    let mut judged = judge(candidate, &[]);
    let mut attributes: std::collections::BTreeSet<&std::collections::BTreeSet<String>> =
        std::collections::BTreeSet::new();
    let mut named = false;
    for (name, value) in &judged.pairs {
        for (names, _) in truth.iter().filter(|(_, wanted)| wanted == value) {
            attributes.insert(names);
            named |= names.iter().any(|part| name.contains(part.as_str()));
        }
    }
    judged.sample.positive = attributes.len() > 1 || named;
    judged.unclear = !judged.sample.positive;
    judged
}

/// Every site counts alike, and specifications as much as other fragments; large fragments more than small ones.
fn weigh(views: &mut [View]) {
    for view in views.iter_mut() {
        let size = |judged: &Judged| (judged.pairs.len() as f64).sqrt().min(6.0);
        for positive in [true, false] {
            let own = |judged: &&mut Judged| judged.sample.positive == positive && !judged.unclear;
            let all = view.pages.iter_mut().flat_map(|(_, judged)| judged.iter_mut());
            let total: f64 = all.filter(own).map(|judged| size(judged)).sum();
            let all = view.pages.iter_mut().flat_map(|(_, judged)| judged.iter_mut());
            for judged in all.filter(own) {
                judged.sample.weight = size(judged) / total;
            }
        }
    }
    // Pages without specifications have no positive ones; together they are three tenths of the negative weight.
    let sum = |views: &[View], positive: bool, labelled: bool| -> f64 {
        let chosen = views.iter().filter(|view| (view.fold < NEGATIVE) == labelled);
        let judged = chosen.flat_map(|view| view.pages.iter().flat_map(|(_, judged)| judged));
        let own = judged.filter(|judged| judged.sample.positive == positive && !judged.unclear);
        own.map(|judged| judged.sample.weight).sum()
    };
    let positive = sum(views, true, true);
    let (labelled, negative) = (sum(views, false, true), sum(views, false, false));
    for view in views.iter_mut() {
        let factor = if view.fold < NEGATIVE {
            0.7 * positive / labelled
        } else {
            0.3 * positive / negative
        };
        for judged in view.pages.iter_mut().flat_map(|(_, judged)| judged.iter_mut()) {
            if !judged.sample.positive {
                judged.sample.weight *= factor;
            }
        }
    }
}
