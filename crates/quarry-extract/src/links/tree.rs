//! Trees of links: nested lists in which a link stands before the list of what is below it (the departments of a shop with
//! their categories). All links of a tree are one group.

use std::collections::BTreeMap;

use quarry_dom::NodeId;

use super::anchor::Anchors;

/// Elements between the list of a branch and the branch.
const LEVELS: usize = 4;

/// A tree of links.
pub(super) struct LinkTree {
    /// The element around its topmost list.
    pub(super) container: NodeId,
    /// Its links at the top.
    pub(super) heads: Vec<usize>,
    members: Vec<usize>,
}

/// The trees of a page, and for each link that stands in one the number of its tree.
pub(super) fn trees(anchors: &Anchors<'_>) -> (Vec<LinkTree>, BTreeMap<usize, usize>) {
    let branches = branches(anchors);
    let mut found: BTreeMap<NodeId, LinkTree> = BTreeMap::new();
    if branches.is_empty() {
        return (Vec::new(), BTreeMap::new());
    }
    for (at, anchor) in anchors.list.iter().enumerate().filter(|(_, anchor)| !anchor.taken) {
        let parent = |node: NodeId| anchors.document.parent(node).unwrap_or(NodeId::ROOT);
        let heads_branch = branches.get(&anchor.container) == Some(&at);
        let list = if heads_branch { parent(anchor.container) } else { anchor.container };
        let mut top = list;
        while let Some(branch) = std::iter::once(top)
            .chain(anchors.document.ancestors(top))
            .take(LEVELS)
            .find(|node| branches.contains_key(node))
        {
            top = parent(branch);
        }
        let new = || LinkTree { container: top, heads: Vec::new(), members: Vec::new() };
        let tree = found.entry(top).or_insert_with(new);
        if top == list {
            tree.heads.push(at);
        }
        tree.members.push(at);
    }
    let trees: Vec<LinkTree> =
        found.into_values().filter(|tree| tree.is_of_one_kind(anchors)).collect();
    let mut of_link = BTreeMap::new();
    for (number, tree) in trees.iter().enumerate() {
        of_link.extend(tree.members.iter().map(|&at| (at, number)));
    }
    (trees, of_link)
}

/// Elements that hold a link and below it nothing but links in a list of their own, each with that first link.
fn branches(anchors: &Anchors<'_>) -> BTreeMap<NodeId, usize> {
    let mut branches = BTreeMap::new();
    for (at, anchor) in anchors.list.iter().enumerate() {
        let within = anchors.range_in(anchor.container);
        let mut below = within.clone().skip(1).peekable();
        if within.start == at
            && below.peek().is_some()
            && below.all(|other| anchors.list[other].container != anchor.container)
        {
            branches.insert(anchor.container, at);
        }
    }
    branches
}

impl LinkTree {
    /// Whether all addresses are of one folder, which those at the top stand directly in, or set the same parameters of one
    /// path. A menu of the site leads to other things.
    fn is_of_one_kind(&self, anchors: &Anchors<'_>) -> bool {
        if self.heads.len() < 2 || self.members.len() == self.heads.len() {
            return false;
        }
        let parts = |at: &usize| &anchors.list[*at].parts;
        let names = |at: &usize| {
            let mut names: Vec<&str> =
                parts(at).params.iter().map(|(name, _)| name.as_str()).collect();
            names.sort_unstable();
            names
        };
        let first = parts(&self.heads[0]);
        let is_same =
            |at: &usize| parts(at).origin == first.origin && names(at) == names(&self.heads[0]);
        if !self.members.iter().all(is_same) {
            return false;
        }
        if !first.params.is_empty() {
            return self.members.iter().all(|at| parts(at).segments == first.segments);
        }
        let Some((_, folder)) = first.segments.split_last() else { return false };
        !folder.is_empty()
            && self.members.iter().all(|at| {
                let own = &parts(at).segments;
                own.len() > folder.len() && own.starts_with(folder)
            })
            && self.heads.iter().all(|at| parts(at).segments.len() == folder.len() + 1)
    }
}
