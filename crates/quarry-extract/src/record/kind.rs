//! Tells which lists have records of one kind: fields that most records of one have, most records of the
//! other have as well, wherever on the page they stand.

use quarry_dom::NodeId;

use crate::page::RatedPage;

/// Two lists are of one kind if this share of the fields of the one with fewer is in the other.
const KINDS_AGREE: f64 = 0.6;
/// A field belongs to the kind if this share of a list's records has it.
const MIN_FIELD_SHARE: f64 = 0.5;

/// The fields that most records of a list have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RecordKind {
    /// The hash of the name of the records' first element.
    name: u64,
    /// The path of the records' first element.
    path: u64,
    /// Sorted.
    fields: Vec<u64>,
}

impl RecordKind {
    /// The kind of records given by their nodes.
    pub(crate) fn of<'r>(
        page: &RatedPage<'_>,
        records: impl ExactSizeIterator<Item = &'r [NodeId]>,
    ) -> Self {
        let enough = MIN_FIELD_SHARE * records.len() as f64;
        let mut all: Vec<u64> = Vec::new();
        let mut first = None;
        for nodes in records {
            let mut fields: Vec<u64> = nodes
                .iter()
                .flat_map(|&root| {
                    page.leaves_of(root).iter().map(move |leaf| page.field_in(leaf, root))
                })
                .collect();
            fields.sort_unstable();
            fields.dedup();
            all.extend(fields);
            first = first.or(nodes.first().copied());
        }
        all.sort_unstable();
        let same = all.chunk_by(|one, other| one == other);
        let common = same.filter(|same| same.len() as f64 >= enough).map(|same| same[0]);
        Self {
            name: first.map_or(0, |node| page.name(node)),
            path: first.map_or(0, |node| page.path(node).0),
            fields: common.collect(),
        }
    }

    /// Whether both are of one kind.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        let (one, two) = (&self.fields, &other.fields);
        let shared = one.iter().filter(|field| two.binary_search(field).is_ok()).count();
        self.name == other.name
            && shared > 0
            && shared as f64 >= KINDS_AGREE * one.len().min(two.len()) as f64
    }
}

/// For each list, best first, the position of the best list of its kind.
pub(crate) fn templates(kinds: &[RecordKind]) -> Vec<usize> {
    let mut templates: Vec<usize> = Vec::with_capacity(kinds.len());
    for (at, kind) in kinds.iter().enumerate() {
        let known = (0..at).find(|&other| {
            templates[other] == other && kinds[other].path == kind.path && kinds[other].agrees(kind)
        });
        templates.push(known.unwrap_or(at));
    }
    templates
}
