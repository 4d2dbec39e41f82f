//! Places each box on its layer.
//!
//! Every vertex wants to be at the weighted mean of its neighbours. With the order and the distances of a layer given, the places with
//! the least squared deviation are an isotonic regression, solved exactly by pooling adjacent violators. A few sweeps
//! settle the picture; then long arrows are made straight where there is room.

use super::layers::Layered;

const SWEEPS: usize = 32;
/// A piece between two bends pulls harder than one between boxes, so that long arrows are straight (Gansner and
/// others, 1993, section 4.1: 1, 2 and 8).
const PULLS: [f64; 3] = [1.0, 2.0, 8.0];
/// Even an arrow of weight 0 pulls.
const LEAST_PULL: f64 = 0.1;
/// A vertex without neighbours on one side stays about where it is.
const INERTIA: f64 = 0.05;

/// The middle of each vertex across the layers, given each vertex's extent and the gap beside it.
pub(super) fn place(graph: &Layered, nodes: usize, extent: &[f64], gap: &[f64]) -> Vec<f64> {
    let mut near: [Vec<Vec<(usize, f64)>>; 2] =
        [vec![Vec::new(); extent.len()], vec![Vec::new(); extent.len()]];
    for &(from, to, weight) in &graph.pieces {
        let bends = usize::from(from >= nodes) + usize::from(to >= nodes);
        let pull = PULLS[bends] * weight.max(LEAST_PULL);
        near[0][to].push((from, pull));
        near[1][from].push((to, pull));
    }
    let apart = |a: usize, b: usize| (extent[a] + extent[b]) / 2.0 + gap[a].max(gap[b]);
    let mut x = vec![0.0; extent.len()];
    for layer in &graph.layers {
        let mut at = 0.0;
        for (i, &vertex) in layer.iter().enumerate() {
            if i > 0 {
                at += apart(layer[i - 1], vertex);
            }
            x[vertex] = at;
        }
        let middle = at / 2.0;
        layer.iter().for_each(|&vertex| x[vertex] -= middle);
    }
    let count = graph.layers.len();
    for sweep in 0..SWEEPS {
        let both = sweep >= SWEEPS / 2;
        for step in 0..count {
            let down = sweep % 2 == 0;
            let layer = &graph.layers[if down { step } else { count - 1 - step }];
            let wishes: Vec<(f64, f64)> = layer
                .iter()
                .map(|&vertex| {
                    let (mut sum, mut weight) = (x[vertex] * INERTIA, INERTIA);
                    for (side, near) in near.iter().enumerate() {
                        if both || (side == 0) == down {
                            for &(other, pull) in &near[vertex] {
                                sum += x[other] * pull;
                                weight += pull;
                            }
                        }
                    }
                    (sum / weight, weight)
                })
                .collect();
            let steps: Vec<f64> = layer.windows(2).map(|pair| apart(pair[0], pair[1])).collect();
            for (&vertex, place) in layer.iter().zip(nearest_apart(&wishes, &steps)) {
                x[vertex] = place;
            }
        }
    }
    straighten(graph, &apart, &mut x);
    x
}

/// The places nearest to the wishes (place, weight), in their order and at least these steps apart.
fn nearest_apart(wishes: &[(f64, f64)], steps: &[f64]) -> Vec<f64> {
    // Blocks of vertices pushed together: mean wish, weight, members.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    let mut shift = 0.0;
    let mut shifts = Vec::with_capacity(wishes.len());
    for (i, &(wish, weight)) in wishes.iter().enumerate() {
        shift += if i > 0 { steps[i - 1] } else { 0.0 };
        shifts.push(shift);
        let mut block = (wish - shift, weight, 1);
        while let Some(&(mean, before, members)) = blocks.last()
            && mean > block.0
        {
            let sum = before + block.1;
            block = ((mean * before + block.0 * block.1) / sum, sum, members + block.2);
            blocks.pop();
        }
        blocks.push(block);
    }
    let means = blocks.iter().flat_map(|&(mean, _, members)| std::iter::repeat_n(mean, members));
    means.zip(shifts).map(|(mean, shift)| mean + shift).collect()
}

/// Puts the bends of an arrow into one line, as far as the free space on each layer allows, and likewise the boxes of
/// a chain, each of which leads mostly to the next.
fn straighten(graph: &Layered, apart: &impl Fn(usize, usize) -> f64, x: &mut [f64]) {
    let mut at = vec![0; x.len()];
    for layer in &graph.layers {
        for (i, &vertex) in layer.iter().enumerate() {
            at[vertex] = i;
        }
    }
    let room = |vertex: usize, x: &[f64]| {
        let layer = &graph.layers[graph.layer[vertex]];
        let i = at[vertex];
        let low = if i == 0 { f64::MIN } else { x[layer[i - 1]] + apart(layer[i - 1], vertex) };
        let high = layer.get(i + 1).map_or(f64::MAX, |&next| x[next] - apart(vertex, next));
        (low, high)
    };
    let bends = graph.routes.iter().filter(|route| route.len() > 2);
    let bends = bends.map(|route| route[1..route.len() - 1].to_vec());
    let lines: Vec<Vec<usize>> = chains(graph, x.len()).into_iter().chain(bends).collect();
    for line in lines.iter().chain(&lines) {
        let mut start = 0;
        while start < line.len() {
            let (mut low, mut high) = (f64::MIN, f64::MAX);
            let mut end = start;
            while end < line.len() {
                let (l, h) = room(line[end], x);
                if l.max(low) > h.min(high) {
                    break;
                }
                (low, high) = (l.max(low), h.min(high));
                end += 1;
            }
            // A vertex without any room stays where it is.
            let run = &line[start..end.max(start + 1)];
            if end > start {
                let mean = run.iter().map(|&vertex| x[vertex]).sum::<f64>() / run.len() as f64;
                let place = mean.max(low).min(high);
                run.iter().for_each(|&vertex| x[vertex] = place);
            }
            start += run.len();
        }
    }
}

/// Paths on which every piece weighs more than all others out of its upper end, and into its lower end, together.
fn chains(graph: &Layered, vertices: usize) -> Vec<Vec<usize>> {
    let mut out = vec![0.0; vertices];
    let mut into = vec![0.0; vertices];
    for &(from, to, weight) in &graph.pieces {
        out[from] += weight;
        into[to] += weight;
    }
    let mut followed: Vec<Option<usize>> = vec![None; vertices];
    for &(from, to, weight) in &graph.pieces {
        if 2.0 * weight > out[from] && 2.0 * weight > into[to] {
            followed[from] = Some(to);
        }
    }
    let next = |vertex: usize| followed[vertex];
    let mut inner = vec![false; vertices];
    (0..vertices).filter_map(next).for_each(|to| inner[to] = true);
    let starts = (0..vertices).filter(|&vertex| !inner[vertex] && next(vertex).is_some());
    starts
        .map(|start| std::iter::successors(Some(start), |&vertex| next(vertex)).collect())
        .collect()
}
