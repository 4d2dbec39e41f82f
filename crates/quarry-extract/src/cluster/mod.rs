//! Clusters the pages of a site by template. Pages with a list of answers, with one answer, with
//! none and with an error come apart, and the clusters are ranked by how likely they hold answers
//! (THOR, "Probe, Cluster, and Discover", §3.1).
//!
//! ```
//! use quarry_dom::Document;
//! use quarry_extract::cluster::{ClusterConfig, PageSignature, cluster_pages};
//!
//! let lists = (3..9).map(|n| format!("<h1>Found</h1><ol>{}</ol>", "<li><b>a</b> <i>1</i>".repeat(n)));
//! let nothing = (3..9).map(|n| format!("<p class=sorry>Nothing found for {n}</p>"));
//! let pages: Vec<PageSignature> = lists
//!     .chain(nothing)
//!     .map(|html| PageSignature::of(&Document::from_html(&html), html.len()))
//!     .collect();
//! let found = cluster_pages(&pages, &ClusterConfig::default());
//! assert_eq!(found.assignment, [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
//! assert_eq!(found.clusters[0].rank, 1);
//! ```
//!
//! How: `docs/algorithms/cluster.md`.

mod kmeans;
mod line;
mod linkage;
mod rank;
mod signature;
mod vectors;

use serde::{Deserialize, Serialize};

pub use kmeans::{KMeansConfig, Partition, k_means};
pub use line::ClusterLine;
pub use rank::Criteria;
pub use signature::{Bag, PageSignature};
pub use vectors::{Vectors, Weighting};

/// How pages are clustered.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterConfig {
    /// The weight that what all pages share keeps, where what half of them have weighs 1.
    pub base: f64,
    /// Divided by the number of pages, what every feature weighs in addition. 5 pages of one
    /// template with optional parts stay together, 50 of two come apart.
    pub prior: f64,
    /// The number of clusters is learned from at most this many different pages.
    pub sample: usize,
    /// Groups of pages are one cluster when their mean distance (1 − cosine) is at most this. From
    /// 0.1 to 0.2 generated sites score alike; an error page is about 0.25 from a page without a
    /// match.
    pub cut: f64,
    /// A site has a handful of templates. Where the cut leaves more clusters than this, pages
    /// differ in what they say and not in how they are made, and the nearest clusters are joined.
    /// Few pages have fewer templates: no more than the square root of their number.
    pub most: usize,
    /// Clusters farther apart than this are never joined, however many there are.
    pub farthest: f64,
    /// Rounds of k-means over all pages, at most.
    pub rounds: usize,
}

impl Default for ClusterConfig {
    fn default() -> Self {
        Self {
            base: 0.05,
            prior: 12.0,
            sample: 800,
            cut: 0.15,
            most: 12,
            farthest: 0.6,
            rounds: KMeansConfig::default().rounds,
        }
    }
}

/// Pages in ranked clusters.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Clustering {
    /// The cluster of each page, in the order of the pages.
    pub assignment: Vec<usize>,
    /// The clusters, best rank first.
    pub clusters: Vec<PageCluster>,
    /// Mean cosine between a page and the centre of its cluster (§3.1.4).
    pub similarity: f64,
}

/// A cluster of pages.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PageCluster {
    /// 1 for the cluster that most likely holds answers.
    pub rank: usize,
    /// How many pages it has.
    pub pages: usize,
    /// What the rank follows from: larger is more likely.
    pub score: f64,
    /// What the score follows from.
    pub criteria: Criteria,
}

/// Clusters the pages of a site. The result does not depend on the order of the pages: the page at
/// place `i`, wherever that is, gets the same cluster.
#[must_use]
pub fn cluster_pages(pages: &[PageSignature], config: &ClusterConfig) -> Clustering {
    if pages.is_empty() {
        return Clustering { similarity: 1.0, ..Clustering::default() };
    }
    let bags: Vec<&Bag> = pages.iter().map(|page| &page.paths).collect();
    let weighting = Weighting::Information { base: config.base, prior: config.prior };
    let (groups, similarity) =
        group_bags(&bags, weighting, |vectors, times| part(vectors, times, config));
    Clustering { similarity, ..rank_groups(pages, &groups) }
}

/// Weighs the bags of pages and lets `partition` group them; gives the group of each page and the mean
/// cosine between a page and the centre of its group. `partition` sees rows and how many pages each
/// stands for, in an order that does not depend on the order of the pages.
pub fn group_bags(
    pages: &[&Bag],
    weighting: Weighting,
    partition: impl Fn(&Vectors, &[u32]) -> Partition,
) -> (Vec<usize>, f64) {
    // Equal pages are one row that counts several times; rows in the order of their content.
    let mut order: Vec<usize> = (0..pages.len()).collect();
    order.sort_by(|a, b| pages[*a].cmp(pages[*b]));
    let (mut bags, mut times, mut row_of) = (Vec::<&Bag>::new(), Vec::new(), vec![0; pages.len()]);
    for page in order {
        if bags.last().is_none_or(|last| *last != pages[page]) {
            bags.push(pages[page]);
            times.push(0u32);
        }
        *times.last_mut().expect("a row was pushed") += 1;
        row_of[page] = bags.len() - 1;
    }
    let vectors = Vectors::of_bags(&bags, &times, weighting);
    let found = partition(&vectors, &times);
    let groups = row_of.iter().map(|row| found.groups[*row] as usize).collect();
    (groups, found.similarity)
}

/// Finds the number of groups on a sample, then puts every row into one.
fn part(vectors: &Vectors, times: &[u32], config: &ClusterConfig) -> Partition {
    let places = kmeans::sample(vectors.len(), config.sample.max(1));
    let pages: u64 = times.iter().map(|t| u64::from(*t)).sum();
    let most = config.most.min((pages as f64).sqrt().ceil() as usize);
    let cut = linkage::Cut { distance: config.cut, most, farthest: config.farthest };
    let row_times: Vec<u32> = places.iter().map(|at| times[*at]).collect();
    let mut seeds = linkage::link(&vectors.select(&places), &row_times, cut);
    for row in seeds.iter_mut().flatten() {
        *row = places[*row];
    }
    kmeans::refine(vectors, times, &seeds, config.rounds)
}

/// Ranks groups of pages that were made in any way and numbers them by rank; `groups[i]` is the
/// group of page `i`. The internal similarity is left at 0.
#[must_use]
pub fn rank_groups(pages: &[PageSignature], groups: &[usize]) -> Clustering {
    let count = groups.iter().map(|group| group + 1).max().unwrap_or(0);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (page, group) in groups.iter().enumerate() {
        members[*group].push(page);
    }
    let criteria: Vec<Criteria> =
        members.iter().map(|m| Criteria::of(m.iter().map(|page| &pages[*page]))).collect();
    let scores = rank::scores(&criteria);
    let mut order: Vec<usize> = (0..count).filter(|group| !members[*group].is_empty()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    let mut number = vec![0; count];
    let mut clusters = Vec::with_capacity(order.len());
    for (place, group) in order.into_iter().enumerate() {
        number[group] = place;
        clusters.push(PageCluster {
            rank: place + 1,
            pages: members[group].len(),
            score: scores[group],
            criteria: criteria[group].clone(),
        });
    }
    Clustering {
        assignment: groups.iter().map(|group| number[*group]).collect(),
        clusters,
        similarity: 0.0,
    }
}
