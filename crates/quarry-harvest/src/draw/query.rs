//! Turns a query graph into boxes and arrows.
//!
//! The query for everything stands at the left, what narrows it to the right (query-centric crawling, Definition 3.1): an
//! attribute, then a box per query with the number of its entities. Above so many queries that nobody could follow the
//! arrows, all queries of one set of attributes share a box.

use std::collections::{BTreeMap, BTreeSet};

use quarry_crawl::query::{AttributeId, EntityId, QueryGraph, QueryId, QueryNode, QueryState};

use super::{Direction, Graph, GraphEdge, Node, Style};
use crate::text::thousands;

/// Values that a box of many queries names.
const NAMED: usize = 4;

/// Draws the graphs of a project: every query, or if there are more than `most`, every set of attributes.
pub fn queries(graphs: &[QueryGraph], most: usize) -> Graph {
    let counted = |graph: &QueryGraph| graph.queries.iter().filter(|q| q.is_answered()).count();
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
        let moved =
            |edge: GraphEdge| GraphEdge { from: edge.from + first, to: edge.to + first, ..edge };
        graph.edges.extend(part.edges.into_iter().map(moved));
    }
    graph
}

fn root(graph: &QueryGraph) -> Option<&str> {
    graph.queries.first().map(|query| query.request.as_str())
}

/// Nodes and edges of one graph.
#[derive(Default)]
struct Part {
    nodes: Vec<Node>,
    edges: Vec<GraphEdge>,
}

/// Every query in a box of its own, the values of an attribute behind a box with its name.
fn every(graph: &QueryGraph) -> Part {
    let mut part = Part::default();
    let whole = graph.entities().len().max(1) as f64;
    let mut place: BTreeMap<QueryId, usize> = BTreeMap::new();
    // Queries below the same query, by the attribute that they add.
    let mut below: BTreeMap<(QueryId, AttributeId), Vec<QueryId>> = BTreeMap::new();
    for (id, query) in graph.queries().filter(|(_, query)| query.is_answered()) {
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
        let name = graph.attribute_name(attribute).to_owned();
        let weight = |query: QueryId| graph[query].answers.len() as f64 / whole;
        let (from, label) = if let [_] = children.as_slice() {
            (from, name)
        } else {
            let hub = part.nodes.len();
            let style = Style::Terminal;
            let id = format!("{}.{}", parent.0, attribute.0);
            part.nodes.push(Node { id, heading: name, tag: String::new(), lines: vec![], style });
            let label = format!("{} values", children.len());
            // Without weight: an attribute stands beside its values, not beside what they narrow.
            part.edges.push(GraphEdge { from, to: hub, label, weight: 0.0 });
            (hub, String::new())
        };
        for child in children {
            let to = place[&child];
            part.edges.push(GraphEdge { from, to, label: label.clone(), weight: weight(child) });
        }
    }
    part
}

/// The attribute that a query adds to one of its parents.
fn added(graph: &QueryGraph, parent: QueryId, query: &QueryNode) -> Option<AttributeId> {
    let known = &graph[parent].predicates;
    let new = query.predicates.iter().find(|predicate| !known.contains(predicate))?;
    Some(graph[*new].attribute)
}

fn query_box(graph: &QueryGraph, id: QueryId, query: &QueryNode) -> Node {
    let everything = query.predicates.is_empty();
    // Below one query, the rest can be read from there.
    let parents = graph.parents(query);
    let told = match parents.as_slice() {
        [parent] if graph[*parent].is_answered() => &graph[*parent].predicates[..],
        _ => &[],
    };
    let new = query.predicates.iter().filter(|predicate| !told.contains(predicate));
    let values: Vec<&str> = new.map(|&predicate| graph[predicate].value.as_str()).collect();
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
    Node { id: id.0.to_string(), heading, tag: thousands(entities), lines, style }
}

/// The queries of one set of attributes.
#[derive(Default)]
struct Group<'a> {
    queries: Vec<&'a QueryNode>,
    entities: BTreeSet<EntityId>,
    /// How many of the queries narrow one of another group.
    from: BTreeMap<Vec<AttributeId>, usize>,
}

/// One box for all queries of a set of attributes.
fn collapse(graph: &QueryGraph) -> Part {
    let attributes = |query: &QueryNode| -> Vec<AttributeId> {
        let ids = query.predicates.iter().map(|&p| graph[p].attribute);
        let mut ids: Vec<AttributeId> = ids.collect();
        ids.sort_unstable();
        ids
    };
    let mut groups: BTreeMap<Vec<AttributeId>, Group<'_>> = BTreeMap::new();
    for query in graph.queries.iter().filter(|query| query.is_answered()) {
        let group = groups.entry(attributes(query)).or_default();
        group.queries.push(query);
        group.entities.extend(query.answers.iter().map(|answer| answer.entity));
        for parent in graph.parents(query) {
            let parent = &graph[parent];
            if parent.is_answered() {
                *group.from.entry(attributes(parent)).or_default() += 1;
            }
        }
    }
    let place: BTreeMap<&Vec<AttributeId>, usize> = groups.keys().zip(0..).collect();
    let largest = groups.values().flat_map(|group| group.from.values()).max().copied().unwrap_or(1);
    let mut part = Part::default();
    for (ids, group) in &groups {
        part.nodes.push(group_box(graph, ids, group));
        for (parent, &count) in &group.from {
            let (from, to) = (place[parent], place[ids]);
            let weight = count as f64 / largest as f64;
            part.edges.push(GraphEdge { from, to, label: thousands(count as u64), weight });
        }
    }
    part
}

fn group_box(graph: &QueryGraph, attributes: &[AttributeId], group: &Group<'_>) -> Node {
    let names: Vec<&str> = attributes.iter().map(|&id| graph.attribute_name(id)).collect();
    let everything = names.is_empty();
    let count = group.queries.len() as u64;
    let entities = if everything { graph.entities().len() } else { group.entities.len() } as u64;
    let mut lines = vec![format!("{} entities", thousands(entities))];
    if let [_] = attributes {
        let mut largest = group.queries.clone();
        largest.sort_by_key(|query| std::cmp::Reverse(query.answers.len()));
        let values = largest.iter().take(NAMED).filter_map(|query| query.predicates.first());
        let values: Vec<&str> = values.map(|&p| graph[p].value.as_str()).collect();
        let more = if largest.len() > NAMED { ", …" } else { "" };
        lines.push(format!("{}{more}", values.join(", ")));
    }
    let open = |query: &&&QueryNode| matches!(query.state, QueryState::Short | QueryState::Asked);
    let short = group.queries.iter().filter(open).count() as u64;
    if short > 0 && !everything {
        lines.push(format!("{} not seen to their end", thousands(short)));
    }
    let id = attributes.iter().map(|id| id.0.to_string()).collect::<Vec<_>>().join("+");
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
