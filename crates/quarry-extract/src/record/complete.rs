//! Adds records that were missed: the record without a price, the promoted one, the alternate row:
//! siblings of found records that are built like them belong to the list, too.

use std::collections::BTreeMap;

use quarry_dom::NodeId;

use crate::page::RatedPage;

/// A sibling is built like the records if this share of the fields of the smaller one of the two
/// agrees: its own fields or those that the records have in common.
const FIELDS_AGREE: f64 = 0.5;
/// The same with classes left aside; more is asked for, because paths alone say less.
const PATHS_AGREE: f64 = 0.7;
/// A field is common if this share of the records has it.
const MIN_FIELD_SHARE: f64 = 0.6;

/// The fields and paths of a node's leaves, sorted, without repeats.
struct Build {
    node: NodeId,
    fields: Vec<u64>,
    paths: Vec<u64>,
}

/// Completes lists of one page; remembers how children are built.
pub(crate) struct Completer<'f, 'a> {
    page: &'f RatedPage<'a>,
    children: BTreeMap<NodeId, Vec<Build>>,
}

impl<'f, 'a> Completer<'f, 'a> {
    pub(crate) fn new(page: &'f RatedPage<'a>) -> Self {
        Self { page, children: BTreeMap::new() }
    }

    /// `roots` and their siblings that are built like them, in document order.
    pub(crate) fn complete(&mut self, roots: &[NodeId]) -> Vec<NodeId> {
        let document = self.page.document;
        let mut parents: Vec<NodeId> =
            roots.iter().map(|&root| document.parent(root).unwrap_or(NodeId::ROOT)).collect();
        parents.sort_unstable();
        parents.dedup();
        for &parent in &parents {
            self.children.entry(parent).or_insert_with(|| builds(self.page, parent));
        }
        let builds: Vec<&Build> =
            parents.iter().filter_map(|parent| self.children.get(parent)).flatten().collect();
        let own: Vec<&Build> = builds
            .iter()
            .filter(|build| roots.binary_search(&build.node).is_ok())
            .copied()
            .collect();
        let fields = common(own.iter().map(|build| build.fields.as_slice()));
        let paths = common(own.iter().map(|build| build.paths.as_slice()));
        let Some(&first) = roots.first() else { return Vec::new() };
        let name = document.tag_name(first);
        let look = self.common_look(roots);
        let mut all: Vec<NodeId> = roots.to_vec();
        for build in builds {
            if document.tag_name(build.node) == name
                && (look == Some(self.page.style(build.node).0)
                    || overlap(&build.fields, &fields) >= FIELDS_AGREE
                    || jaccard(&build.paths, &paths) >= PATHS_AGREE)
            {
                all.push(build.node);
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl Completer<'_, '_> {
    /// The look of most roots, where it has a class: authors give one class to one kind of thing.
    fn common_look(&self, roots: &[NodeId]) -> Option<u64> {
        let document = self.page.document;
        let classed = roots.iter().filter(|&&root| document.classes(root).next().is_some());
        let mut looks: Vec<u64> = classed.map(|&root| self.page.style(root).0).collect();
        looks.sort_unstable();
        let most = looks.chunk_by(|one, other| one == other).max_by_key(|looks| looks.len())?;
        (most.len() * 2 > roots.len()).then_some(most[0])
    }
}

fn builds(page: &RatedPage<'_>, parent: NodeId) -> Vec<Build> {
    let children = page.document.children(parent).filter(|&child| page.has_content(child));
    children
        .map(|node| {
            let leaves = page.leaves_of(node);
            let fields = leaves.iter().map(|leaf| page.field(leaf));
            let paths = leaves.iter().map(|leaf| page.path(leaf.element).0);
            Build { node, fields: set(fields), paths: set(paths) }
        })
        .collect()
}

fn set(items: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut items: Vec<u64> = items.collect();
    items.sort_unstable();
    items.dedup();
    items
}

/// The items that most of the sets have.
fn common<'s>(sets: impl Iterator<Item = &'s [u64]>) -> Vec<u64> {
    let mut count = 0.0;
    let mut items: Vec<u64> = Vec::new();
    for set in sets {
        count += 1.0;
        items.extend_from_slice(set);
    }
    items.sort_unstable();
    let same = items.chunk_by(|one, other| one == other);
    same.filter(|same| same.len() as f64 >= MIN_FIELD_SHARE * count).map(|same| same[0]).collect()
}

fn shared(one: &[u64], other: &[u64]) -> usize {
    one.iter().filter(|item| other.binary_search(item).is_ok()).count()
}

fn overlap(one: &[u64], other: &[u64]) -> f64 {
    shared(one, other) as f64 / one.len().min(other.len()).max(1) as f64
}

fn jaccard(one: &[u64], other: &[u64]) -> f64 {
    let shared = shared(one, other);
    shared as f64 / (one.len() + other.len() - shared).max(1) as f64
}
