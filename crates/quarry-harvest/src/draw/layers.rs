//! Assigns each box to a layer, and each arrow to the layers that it goes through.
//!
//! Arrows that close a cycle are turned around for the layout; layers are longest paths; an arrow over several layers
//! gets a bend on each layer between.

use super::GraphEdge;

/// With more bends than this, arrows over several layers go without: the picture is past reading anyway.
const MAX_BENDS: usize = 20_000;

/// The vertices of the layout: first the boxes, then the bends.
#[derive(Debug)]
pub(super) struct Layered {
    /// The layer of each vertex.
    pub(super) layer: Vec<usize>,
    /// The vertices of each layer, in drawing order.
    pub(super) layers: Vec<Vec<usize>>,
    /// Pieces of arrows from one layer to the next: upper vertex, lower vertex, weight.
    pub(super) pieces: Vec<(usize, usize, f64)>,
    /// For each edge the vertices that it passes, from its upper to its lower end; none for a loop.
    pub(super) routes: Vec<Vec<usize>>,
    /// Whether the edge was turned around.
    pub(super) turned: Vec<bool>,
}

pub(super) fn layered(nodes: usize, edges: &[GraphEdge]) -> Layered {
    let turned = turned(nodes, edges);
    let ends: Vec<(usize, usize)> = edges
        .iter()
        .zip(&turned)
        .map(|(edge, turned)| if *turned { (edge.to, edge.from) } else { (edge.from, edge.to) })
        .collect();
    let mut layer = longest_paths(nodes, &ends);
    let spans = ends.iter().map(|&(from, to)| layer[to].saturating_sub(layer[from] + 1));
    let bend = spans.sum::<usize>() <= MAX_BENDS;
    let mut routes = Vec::with_capacity(edges.len());
    let mut pieces = Vec::new();
    for (edge, &(from, to)) in edges.iter().zip(&ends) {
        if from == to {
            routes.push(Vec::new());
            continue;
        }
        let mut route = vec![from];
        if bend {
            for between in layer[from] + 1..layer[to] {
                route.push(layer.len());
                layer.push(between);
            }
        }
        route.push(to);
        if bend || layer[to] == layer[from] + 1 {
            pieces.extend(route.windows(2).map(|pair| (pair[0], pair[1], edge.weight)));
        }
        routes.push(route);
    }
    let mut layers = vec![Vec::new(); layer.iter().max().map_or(0, |last| last + 1)];
    for vertex in depth_first(layer.len(), nodes, &pieces) {
        layers[layer[vertex]].push(vertex);
    }
    Layered { layer, layers, pieces, routes, turned }
}

/// Which edges lead back to a box from which they were reached, depth first in the order given.
fn turned(nodes: usize, edges: &[GraphEdge]) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut out = vec![Vec::new(); nodes];
    let mut entered = vec![false; nodes];
    for (at, edge) in edges.iter().enumerate() {
        out[edge.from].push(at);
        entered[edge.to] |= edge.from != edge.to;
    }
    let mut turned = vec![false; edges.len()];
    let mut state = vec![State::New; nodes];
    // Boxes that nothing leads to first: they are the beginnings.
    let roots = (0..nodes).filter(|&n| !entered[n]).chain((0..nodes).filter(|&n| entered[n]));
    for root in roots {
        if state[root] != State::New {
            continue;
        }
        state[root] = State::Open;
        let mut path = vec![(root, 0)];
        while let Some((node, next)) = path.last_mut() {
            let Some(&edge) = out[*node].get(*next) else {
                state[*node] = State::Done;
                path.pop();
                continue;
            };
            *next += 1;
            let to = edges[edge].to;
            match state[to] {
                State::Open => turned[edge] = true,
                State::Done => {}
                State::New => {
                    state[to] = State::Open;
                    path.push((to, 0));
                }
            }
        }
    }
    turned
}

/// The longest path to each box; a box that nothing leads to stands right above the first one it leads to.
fn longest_paths(nodes: usize, ends: &[(usize, usize)]) -> Vec<usize> {
    let mut out = vec![Vec::new(); nodes];
    let mut waiting = vec![0_usize; nodes];
    for &(from, to) in ends.iter().filter(|(from, to)| from != to) {
        out[from].push(to);
        waiting[to] += 1;
    }
    let entered: Vec<bool> = waiting.iter().map(|&count| count > 0).collect();
    let mut layer = vec![0_usize; nodes];
    let mut ready: std::collections::VecDeque<usize> =
        (0..nodes).filter(|&n| !entered[n]).collect();
    while let Some(node) = ready.pop_front() {
        for &to in &out[node] {
            layer[to] = layer[to].max(layer[node] + 1);
            waiting[to] -= 1;
            if waiting[to] == 0 {
                ready.push_back(to);
            }
        }
    }
    for node in (0..nodes).filter(|&n| !entered[n]) {
        if let Some(first) = out[node].iter().map(|&to| layer[to]).min() {
            layer[node] = first.saturating_sub(1);
        }
    }
    layer
}

/// All vertices, each before those first reached from it, the heaviest way first.
fn depth_first(vertices: usize, nodes: usize, pieces: &[(usize, usize, f64)]) -> Vec<usize> {
    let mut out: Vec<Vec<(usize, f64)>> = vec![Vec::new(); vertices];
    let mut entered = vec![false; vertices];
    for &(from, to, weight) in pieces {
        out[from].push((to, weight));
        entered[to] = true;
    }
    for next in &mut out {
        next.sort_by(|a, b| a.1.total_cmp(&b.1));
    }
    let mut seen = vec![false; vertices];
    let mut found = Vec::with_capacity(vertices);
    let roots = (0..nodes).filter(|&n| !entered[n]).chain((0..vertices).filter(|&v| entered[v]));
    for root in roots {
        let mut stack = vec![root];
        while let Some(vertex) = stack.pop() {
            if !std::mem::replace(&mut seen[vertex], true) {
                found.push(vertex);
                stack.extend(out[vertex].iter().map(|&(to, _)| to));
            }
        }
    }
    found
}
