//! How does a query graph look?
//!
//! The query for everything stands at the left, what narrows it to the right (query-centric crawling, Definition 3.1): an
//! attribute, then a box per query with the number of its entities. Above so many queries that nobody could follow the
//! arrows, all queries of one set of attributes share a box.

use std::collections::{BTreeMap, BTreeSet};

use quarry_crawl::query::{QueryGraph, QueryNode, QueryState};

use super::{Direction, Edge, Graph, Node, Style};
use crate::printer::thousands;

/// Values that a box of many queries names.
const NAMED: usize = 4;

/// Draws the graphs of a project: every query, or if there are more than `most`, every set of attributes.
pub(crate) fn queries(graphs: &[QueryGraph], most: usize) -> Graph {
    let counted = |graph: &QueryGraph| graph.queries.iter().filter(|q| shown(q)).count();
    let count: usize = graphs.iter().map(counted).sum();
    let sum = |of: fn(&QueryGraph) -> usize| thousands(graphs.iter().map(of).sum::<usize>() as u64);
    let collapsed = count > most;
    let roots: Vec<&str> = graphs.iter().filter_map(root).collect();
    let how = if collapsed {
        "a box per set of attributes · arrows: queries that narrow another"
    } else {
        "numbers: entities of the answer · dashed: not all of them were seen"
    };
    let mut graph = Graph {
        title: format!("Queries of {}", roots.join(", ")),
        note: format!(
            "{} queries, {} entities, {} values · {how}",
            thousands(count as u64),
            sum(|graph| graph.entities().len()),
            sum(QueryGraph::count_values),
        ),
        direction: Direction::Right,
        nodes: Vec::new(),
        edges: Vec::new(),
    };
    for (number, own) in graphs.iter().enumerate() {
        let part = if collapsed { collapse(own) } else { every(own) };
        let first = graph.nodes.len();
        graph.nodes.extend(part.nodes.into_iter().map(|node| match number {
            0 => node,
            _ => Node { id: format!("{number}.{}", node.id), ..node },
        }));
        let moved = |edge: Edge| Edge { from: edge.from + first, to: edge.to + first, ..edge };
        graph.edges.extend(part.edges.into_iter().map(moved));
    }
    graph
}

fn root(graph: &QueryGraph) -> Option<&str> {
    graph.queries.first().map(|query| query.request.as_str())
}

fn shown(query: &QueryNode) -> bool {
    QueryGraph::counts(query)
}

/// Nodes and edges of one graph.
#[derive(Default)]
struct Part {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

/// Every query in a box of its own, the values of an attribute behind a box with its name.
fn every(graph: &QueryGraph) -> Part {
    let mut part = Part::default();
    let whole = graph.entities().len().max(1) as f64;
    let mut place: BTreeMap<u32, usize> = BTreeMap::new();
    // Queries below the same query, by the attribute that they add.
    let mut below: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
    for (id, query) in graph.queries.iter().enumerate().filter(|(_, query)| shown(query)) {
        let id = id as u32;
        place.insert(id, part.nodes.len());
        part.nodes.push(query_box(graph, id, query));
        for parent in graph.parents(query) {
            if let Some(attribute) = added(graph, parent, query) {
                below.entry((parent, attribute)).or_default().push(id);
            }
        }
    }
    for ((parent, attribute), children) in below {
        let Some(&from) = place.get(&parent) else { continue };
        let name = graph.attributes()[attribute as usize].clone();
        let weight = |query: u32| graph.queries[query as usize].answers.len() as f64 / whole;
        let (from, label) = if let [_] = children.as_slice() {
            (from, name)
        } else {
            let hub = part.nodes.len();
            let style = Style::Terminal;
            let id = format!("{parent}.{attribute}");
            part.nodes.push(Node { id, heading: name, tag: String::new(), lines: vec![], style });
            let label = format!("{} values", children.len());
            // Without weight: an attribute stands beside its values, not beside what they narrow.
            part.edges.push(Edge { from, to: hub, label, weight: 0.0 });
            (hub, String::new())
        };
        for child in children {
            let to = place[&child];
            part.edges.push(Edge { from, to, label: label.clone(), weight: weight(child) });
        }
    }
    part
}

/// The attribute that a query adds to one of its parents.
fn added(graph: &QueryGraph, parent: u32, query: &QueryNode) -> Option<u32> {
    let known = &graph.queries[parent as usize].predicates;
    let new = query.predicates.iter().find(|predicate| !known.contains(predicate))?;
    Some(graph.predicates()[*new as usize].attribute)
}

fn query_box(graph: &QueryGraph, id: u32, query: &QueryNode) -> Node {
    let everything = query.predicates.is_empty();
    // Below one query, the rest can be read from there.
    let parents: Vec<u32> = graph.parents(query);
    let told = match parents.as_slice() {
        [parent] if shown(&graph.queries[*parent as usize]) => {
            &graph.queries[*parent as usize].predicates[..]
        }
        _ => &[],
    };
    let new = query.predicates.iter().filter(|predicate| !told.contains(predicate));
    let values: Vec<&str> =
        new.map(|&predicate| graph.predicates()[predicate as usize].value.as_str()).collect();
    let found = query.answers.len() as u64;
    let mut lines = Vec::new();
    match query.claimed() {
        Some(claimed) if claimed != found && !everything => {
            lines.push(format!("the site says {}", thousands(claimed)));
        }
        _ => {}
    }
    if query.state == QueryState::Asked && !everything {
        lines.push("not read to its end".to_owned());
    }
    let style = match query.state {
        _ if everything => Style::Emphasised,
        QueryState::Short | QueryState::Asked => Style::Dashed,
        QueryState::Whole | QueryState::Offered | QueryState::Dropped => Style::Solid,
    };
    let entities = if everything { graph.entities().len() as u64 } else { found };
    let heading = if everything { "everything".to_owned() } else { values.join(" · ") };
    Node { id: id.to_string(), heading, tag: thousands(entities), lines, style }
}

/// The queries of one set of attributes.
#[derive(Default)]
struct Group<'a> {
    queries: Vec<&'a QueryNode>,
    entities: BTreeSet<u32>,
    /// How many of the queries narrow one of another group.
    from: BTreeMap<Vec<u32>, usize>,
}

/// One box for all queries of a set of attributes.
fn collapse(graph: &QueryGraph) -> Part {
    let attributes = |query: &QueryNode| -> Vec<u32> {
        let ids = query.predicates.iter().map(|&p| graph.predicates()[p as usize].attribute);
        let mut ids: Vec<u32> = ids.collect();
        ids.sort_unstable();
        ids
    };
    let mut groups: BTreeMap<Vec<u32>, Group<'_>> = BTreeMap::new();
    for query in graph.queries.iter().filter(|query| shown(query)) {
        let group = groups.entry(attributes(query)).or_default();
        group.queries.push(query);
        group.entities.extend(query.answers.iter().map(|answer| answer.entity));
        for parent in graph.parents(query) {
            let parent = &graph.queries[parent as usize];
            if shown(parent) {
                *group.from.entry(attributes(parent)).or_default() += 1;
            }
        }
    }
    let place: BTreeMap<&Vec<u32>, usize> = groups.keys().zip(0..).collect();
    let largest = groups.values().flat_map(|group| group.from.values()).max().copied().unwrap_or(1);
    let mut part = Part::default();
    for (ids, group) in &groups {
        part.nodes.push(group_box(graph, ids, group));
        for (parent, &count) in &group.from {
            let (from, to) = (place[parent], place[ids]);
            let weight = count as f64 / largest as f64;
            part.edges.push(Edge { from, to, label: thousands(count as u64), weight });
        }
    }
    part
}

fn group_box(graph: &QueryGraph, attributes: &[u32], group: &Group<'_>) -> Node {
    let names: Vec<&str> =
        attributes.iter().map(|&id| graph.attributes()[id as usize].as_str()).collect();
    let everything = names.is_empty();
    let count = group.queries.len() as u64;
    let entities = if everything { graph.entities().len() } else { group.entities.len() } as u64;
    let mut lines = vec![format!("{} entities", thousands(entities))];
    if let [_] = attributes {
        let mut largest = group.queries.clone();
        largest.sort_by_key(|query| std::cmp::Reverse(query.answers.len()));
        let values = largest.iter().take(NAMED).filter_map(|query| query.predicates.first());
        let values: Vec<&str> =
            values.map(|&p| graph.predicates()[p as usize].value.as_str()).collect();
        let more = if largest.len() > NAMED { ", …" } else { "" };
        lines.push(format!("{}{more}", values.join(", ")));
    }
    let open = |query: &&&QueryNode| matches!(query.state, QueryState::Short | QueryState::Asked);
    let short = group.queries.iter().filter(open).count() as u64;
    if short > 0 && !everything {
        lines.push(format!("{} not seen to their end", thousands(short)));
    }
    let id = attributes.iter().map(u32::to_string).collect::<Vec<_>>().join("+");
    Node {
        id: format!("set {id}"),
        heading: if everything { "everything".to_owned() } else { names.join(" + ") },
        tag: if count == 1 {
            "1 query".to_owned()
        } else {
            format!("{} queries", thousands(count))
        },
        lines,
        style: match everything {
            true => Style::Emphasised,
            false if short * 2 > count => Style::Dashed,
            false => Style::Solid,
        },
    }
}
