//! Orders the boxes of each layer so that few arrows cross.
//!
//! Barycentre sweeps: each layer is sorted by the mean place of its neighbours on the layer before, down and up in turn; the
//! order with the fewest crossings is kept (Sugiyama, Tagawa and Toda, 1981).

use super::layers::Layered;

/// Sweeps down and up. More seldom gain anything.
const SWEEPS: usize = 24;

pub(super) fn reduce_crossings(graph: &mut Layered) {
    let vertices = graph.layer.len();
    let mut above = vec![Vec::new(); vertices];
    let mut below = vec![Vec::new(); vertices];
    for &(from, to, _) in &graph.pieces {
        above[to].push(from);
        below[from].push(to);
    }
    let mut layers = graph.layers.clone();
    let mut fewest = crossings(&layers, &below, vertices);
    for sweep in 0..SWEEPS {
        if fewest == 0 {
            break;
        }
        let down = sweep % 2 == 0;
        let neighbours = if down { &above } else { &below };
        let mut place = places(&layers, vertices);
        let count = layers.len();
        for step in 0..count {
            let at = if down { step } else { count - 1 - step };
            sort_layer(&mut layers[at], neighbours, &place);
            for (here, &vertex) in layers[at].iter().enumerate() {
                place[vertex] = here;
            }
        }
        let now = crossings(&layers, &below, vertices);
        if now < fewest {
            fewest = now;
            graph.layers.clone_from(&layers);
        }
    }
}

fn sort_layer(layer: &mut [usize], neighbours: &[Vec<usize>], place: &[usize]) {
    let mean = |vertex: usize| {
        let near = &neighbours[vertex];
        if near.is_empty() {
            return place[vertex] as f64;
        }
        near.iter().map(|&n| place[n] as f64).sum::<f64>() / near.len() as f64
    };
    layer.sort_by(|&a, &b| mean(a).total_cmp(&mean(b)));
}

fn places(layers: &[Vec<usize>], vertices: usize) -> Vec<usize> {
    let mut place = vec![0; vertices];
    for layer in layers {
        for (at, &vertex) in layer.iter().enumerate() {
            place[vertex] = at;
        }
    }
    place
}

/// Pairs of arrow pieces that cross, counted with a Fenwick tree per layer.
fn crossings(layers: &[Vec<usize>], below: &[Vec<usize>], vertices: usize) -> usize {
    let place = places(layers, vertices);
    let mut sum = 0;
    for (layer, next) in layers.iter().zip(layers.iter().skip(1)) {
        let mut tree = vec![0_usize; next.len() + 1];
        let mut seen = 0;
        for &vertex in layer {
            let mut ends: Vec<usize> = below[vertex].iter().map(|&to| place[to]).collect();
            ends.sort_unstable();
            for &end in &ends {
                let mut at = end + 1;
                let mut not_right = 0;
                while at > 0 {
                    not_right += tree[at];
                    at &= at - 1;
                }
                sum += seen - not_right;
            }
            for end in ends {
                let mut at = end + 1;
                while at < tree.len() {
                    tree[at] += 1;
                    at += at & at.wrapping_neg();
                }
                seen += 1;
            }
        }
    }
    sum
}
