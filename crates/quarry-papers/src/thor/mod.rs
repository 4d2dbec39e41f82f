//! THOR's search for the answer region (§3.2): single-page filtering, common subtree sets by shape,
//! content similarity inside each set, the minimal subtree. `docs/algorithms/region.md` has figures.

mod cluster;
mod shape;
mod terms;
mod tfidf;

use quarry_dom::{Document, Kind, NodeId, PageIndex};
use quarry_extract::find::{PageInput, PageRecords, RecordsConfig, find_records_in};
use rayon::prelude::*;

pub use self::cluster::thor_clusters;
use self::shape::Shape;
pub use self::shape::ShapeWeights;
use self::terms::StemVocabulary;
use self::tfidf::{mean_similarity, vectors};

/// The paper's settings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ThorConfig {
    /// The parts of the shape distance (§3.2.1).
    pub shape: ShapeWeights,
    /// Sets of subtrees with a higher mean content similarity are static. Default 0.5 (§3.2.1).
    pub max_similarity: f64,
    /// How much the number of dynamic subtrees inside counts in the choice of the minimal subtree,
    /// against its depth. Default 0.5; the paper names both criteria (§3.2.2) and leaves their
    /// balance to a technical report.
    pub inside_weight: f64,
}

impl Default for ThorConfig {
    fn default() -> Self {
        Self { shape: ShapeWeights::default(), max_similarity: 0.5, inside_weight: 0.5 }
    }
}

/// A common subtree set: for each page the subtree most like the prototype's.
struct CommonSet {
    prototype: usize,
    members: Vec<Option<NodeId>>,
}

/// Finds the answer region of each page by THOR; the best list of records inside it gives the records.
pub fn thor_records(
    pages: &[PageInput<'_>],
    config: &RecordsConfig,
    thor: &ThorConfig,
) -> Vec<PageRecords> {
    find_records_in(pages, config, &|cluster| thor_regions(cluster, thor))
}

/// The answer region of each page of one cluster; `None` where a page has nothing like it.
pub fn thor_regions(pages: &[&Document], config: &ThorConfig) -> Vec<Option<NodeId>> {
    let indexes: Vec<PageIndex<'_>> = pages.par_iter().map(|page| PageIndex::new(page)).collect();
    let pages = indexes.as_slice();
    let shapes: Vec<Vec<Shape>> = pages.par_iter().map(|page| candidate_subtrees(page)).collect();
    // The paper takes a random page as prototype; the richest one makes the choice repeatable.
    let most = (0..pages.len()).max_by_key(|&at| (shapes[at].len(), std::cmp::Reverse(at)));
    let Some(prototype) = most else { return Vec::new() };
    let sets = common_sets(&shapes, prototype, &config.shape);
    let terms: Vec<LeafTerms> = leaf_terms(pages);
    let dynamic: Vec<&CommonSet> = {
        let similar = |set: &CommonSet| intra_similarity(pages, &terms, set);
        let keep: Vec<bool> =
            sets.par_iter().map(|set| similar(set) <= config.max_similarity).collect();
        sets.iter().zip(keep).filter(|(_, keep)| *keep).map(|(set, _)| set).collect()
    };
    match minimal(&pages[prototype], &shapes[prototype], &dynamic, config) {
        Some(set) => set.members.clone(),
        None => vec![None; pages.len()],
    }
}

/// Single-page analysis: subtrees with content that are minimal for it and whose root branches.
fn candidate_subtrees(index: &PageIndex<'_>) -> Vec<Shape> {
    let document = index.document;
    let branches = |node: NodeId| {
        let with_content = document.children(node).filter(|&child| index.has_content(child));
        with_content.take(2).count() > 1
    };
    document
        .all()
        .filter(|&node| document.kind(node) == Kind::Element && index.has_content(node))
        .filter(|&node| branches(node))
        .map(|node| Shape::new(document, node))
        .collect()
}

/// Cross-page analysis, step 1: one set for each candidate subtree of the prototype page.
fn common_sets(shapes: &[Vec<Shape>], prototype: usize, weights: &ShapeWeights) -> Vec<CommonSet> {
    let set = |(number, shape): (usize, &Shape)| {
        let nearest = |(page, shapes): (usize, &Vec<Shape>)| {
            if page == prototype {
                return Some(shape.node);
            }
            let mut best: Option<(f64, NodeId)> = None;
            for candidate in shapes {
                let limit = best.map_or(f64::INFINITY, |(distance, _)| distance);
                if let Some(distance) = shape.distance(candidate, weights, limit) {
                    best = Some((distance, candidate.node));
                }
            }
            best.map(|(_, node)| node)
        };
        let members = shapes.iter().enumerate().map(nearest).collect();
        CommonSet { prototype: number, members }
    };
    shapes[prototype].par_iter().enumerate().map(set).collect()
}

/// The terms of a page's leaves, one after the other, and where each leaf's begin.
struct LeafTerms {
    terms: Vec<u32>,
    starts: Vec<usize>,
}

fn leaf_terms(pages: &[PageIndex<'_>]) -> Vec<LeafTerms> {
    let mut vocabulary = StemVocabulary::default();
    let mut page_terms = |index: &PageIndex<'_>| {
        let (mut terms, mut starts) = (Vec::new(), vec![0]);
        for leaf in &index.leaves {
            vocabulary.push_terms(index.document.text(leaf.node), &mut terms);
            starts.push(terms.len());
        }
        LeafTerms { terms, starts }
    };
    pages.iter().map(&mut page_terms).collect()
}

/// Cross-page analysis, step 2: how alike in content the subtrees of a set are.
fn intra_similarity(pages: &[PageIndex<'_>], terms: &[LeafTerms], set: &CommonSet) -> f64 {
    let mut texts: Vec<Vec<u32>> = Vec::with_capacity(set.members.len());
    for ((index, terms), member) in pages.iter().zip(terms).zip(&set.members) {
        if let Some(node) = member {
            let leaves = index.leaf_range(*node);
            texts.push(terms.terms[terms.starts[leaves.start]..terms.starts[leaves.end]].to_vec());
        }
    }
    mean_similarity(&vectors(&texts))
}

/// §3.2.2: the set whose prototype subtree holds many dynamic subtrees and stands deep in the tree.
fn minimal<'s>(
    index: &PageIndex<'_>,
    shapes: &[Shape],
    dynamic: &[&'s CommonSet],
    config: &ThorConfig,
) -> Option<&'s CommonSet> {
    let nodes: Vec<NodeId> = dynamic.iter().map(|set| shapes[set.prototype].node).collect();
    let deepest = dynamic.iter().map(|set| shapes[set.prototype].depth).max()?.max(1) as f64;
    let all = nodes.len() as f64;
    let score = |set: &CommonSet| {
        let shape = &shapes[set.prototype];
        let end = index.document.subtree_end(shape.node);
        let inside = nodes.partition_point(|&node| node < end)
            - nodes.partition_point(|&node| node <= shape.node);
        config.inside_weight * inside as f64 / all
            + (1.0 - config.inside_weight) * shape.depth as f64 / deepest
    };
    let scores: Vec<f64> = dynamic.iter().map(|set| score(set)).collect();
    let best = (0..dynamic.len())
        .max_by(|&one, &other| scores[one].total_cmp(&scores[other]).then(other.cmp(&one)))?;
    Some(dynamic[best])
}
