//! Routes arrows between boxes, and places their labels.

use super::Graph;
use super::layers::Layered;
use super::layout::{LABEL_SIZE, Placed};
use super::text::width;

const PORT_STEP: f64 = 16.0;
const LABEL_PAD: f64 = 3.0;

pub(super) type Point = (f64, f64);

/// An arrow: where it starts, and pieces that are straight (one point) or curved (two controls and a point).
#[derive(Debug)]
pub(super) struct Arrow {
    pub(super) start: Point,
    pub(super) pieces: Vec<Piece>,
    /// The middle of its label.
    pub(super) label: Point,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Piece {
    Line(Point),
    Curve(Point, Point, Point),
}

/// Where each edge leaves its upper box and enters its lower one: side by side in the order of their ways, the heaviest in
/// the middle.
pub(super) fn ports(
    graph: &Graph,
    layers: &Layered,
    across: &[f64],
    extent: &[f64],
) -> Vec<[f64; 2]> {
    let mut ports = vec![[0.0; 2]; graph.edges.len()];
    let mut ends: [Vec<Vec<usize>>; 2] =
        [vec![Vec::new(); graph.nodes.len()], vec![Vec::new(); graph.nodes.len()]];
    for (edge, route) in layers.routes.iter().enumerate() {
        if let (Some(&first), Some(&last)) = (route.first(), route.last()) {
            ends[0][first].push(edge);
            ends[1][last].push(edge);
        }
    }
    for (side, ends) in ends.iter_mut().enumerate() {
        for (node, edges) in ends.iter_mut().enumerate() {
            let next = |edge: usize| {
                let route = &layers.routes[edge];
                across[if side == 0 { route[1] } else { route[route.len() - 2] }]
            };
            edges.sort_by(|&a, &b| next(a).total_cmp(&next(b)).then(a.cmp(&b)));
            let weight = |at: &usize| graph.edges[edges[*at]].weight;
            let heaviest = (0..edges.len()).rev().max_by(|a, b| weight(a).total_cmp(&weight(b)));
            let middle = match heaviest {
                Some(one) if (0..edges.len()).all(|at| at == one || weight(&at) < weight(&one)) => {
                    one as f64
                }
                _ => (edges.len() as f64 - 1.0) / 2.0,
            };
            let step = PORT_STEP.min(extent[node] * 0.8 / edges.len().max(1) as f64);
            let most = (extent[node] / 2.0 - 8.0).max(0.0);
            for (at, &edge) in edges.iter().enumerate() {
                let offset = (at as f64 - middle) * step;
                ports[edge][side] = across[node] + offset.clamp(-most, most);
            }
        }
    }
    ports
}

/// The way of an edge: straight through layers, curved between them.
pub(super) fn route(
    edge: usize,
    layers: &Layered,
    bands: &[(f64, f64)],
    ends: &[(f64, f64)],
    across: &[f64],
    ports: &[f64; 2],
) -> Arrow {
    let route = &layers.routes[edge];
    let mut arrow = Arrow { start: (0.0, 0.0), pieces: Vec::new(), label: (0.0, 0.0) };
    let (Some(&first), Some(&last)) = (route.first(), route.last()) else { return arrow };
    let mut x = ports[0];
    arrow.start = (x, ends[first].1);
    let mut points = vec![arrow.start];
    for &vertex in &route[1..] {
        // Out of the layer that the way is in, over the gap, into the next layer.
        let above = bands[layers.layer[vertex] - 1].1.max(points[points.len() - 1].1);
        let (low, high) = bands[layers.layer[vertex]];
        let to = if vertex == last { ports[1] } else { across[vertex] };
        let from = (x, above);
        arrow.pieces.push(Piece::Line(from));
        let half = f64::midpoint(above, low);
        arrow.pieces.push(Piece::Curve((x, half), (to, half), (to, low)));
        let end = if vertex == last { ends[vertex].0 } else { high };
        arrow.pieces.push(Piece::Line((to, end)));
        points.push((to, end));
        x = to;
    }
    if layers.turned[edge] {
        arrow.reverse();
    }
    arrow
}

/// A loop at the right side of a box.
pub(super) fn around(placed: &Placed) -> Arrow {
    let right = placed.x + placed.width;
    let (top, bottom) = (placed.y + placed.height * 0.3, placed.y + placed.height * 0.7);
    let far = right + 30.0;
    let curve = Piece::Curve((far, top), (far, bottom), (right, bottom));
    Arrow { start: (right, top), pieces: vec![curve], label: (0.0, 0.0) }
}

impl Arrow {
    pub(super) fn turn(&mut self) {
        let turned = |(x, y): Point| (y, x);
        self.start = turned(self.start);
        for piece in &mut self.pieces {
            *piece = match *piece {
                Piece::Line(to) => Piece::Line(turned(to)),
                Piece::Curve(a, b, to) => Piece::Curve(turned(a), turned(b), turned(to)),
            };
        }
    }

    fn reverse(&mut self) {
        let mut from = self.start;
        let mut pieces = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            let (reversed, to) = match *piece {
                Piece::Line(to) => (Piece::Line(from), to),
                Piece::Curve(a, b, to) => (Piece::Curve(b, a, from), to),
            };
            pieces.push(reversed);
            from = to;
        }
        pieces.reverse();
        (self.start, self.pieces) = (from, pieces);
    }

    /// Points where a label may stand, the best first: on curves, near their middle.
    fn spots(&self) -> Vec<Point> {
        let mut curves = Vec::new();
        let mut from = self.start;
        for piece in &self.pieces {
            match *piece {
                Piece::Line(to) => from = to,
                Piece::Curve(a, b, to) => {
                    curves.push((from, a, b, to));
                    from = to;
                }
            }
        }
        let mut spots = Vec::new();
        for t in [0.5, 0.38, 0.62, 0.26, 0.74] {
            spots.extend(curves.iter().map(|&(p, a, b, q)| {
                let s: f64 = 1.0 - t;
                let mix = |p: f64, a: f64, b: f64, q: f64| {
                    s * s * s * p + 3.0 * s * s * t * a + 3.0 * s * t * t * b + t * t * t * q
                };
                (mix(p.0, a.0, b.0, q.0), mix(p.1, a.1, b.1, q.1))
            }));
        }
        spots
    }
}

/// Gives each label the first spot on its arrow where it covers no box and no other label.
pub(super) fn put_labels(graph: &Graph, boxes: &[Placed], arrows: &mut [Arrow]) {
    let mut taken: Vec<[f64; 4]> =
        boxes.iter().map(|b| [b.x, b.y, b.x + b.width, b.y + b.height]).collect();
    for (arrow, edge) in arrows.iter_mut().zip(&graph.edges) {
        if edge.label.is_empty() {
            continue;
        }
        let (w, h) =
            (width(&edge.label, LABEL_SIZE) / 2.0 + LABEL_PAD, LABEL_SIZE / 2.0 + LABEL_PAD);
        let area = |(x, y): Point| [x - w, y - h, x + w, y + h];
        let apart = |a: &[f64; 4], b: &[f64; 4]| {
            a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3]
        };
        let spots = arrow.spots();
        let free = spots.iter().find(|&&spot| taken.iter().all(|other| apart(other, &area(spot))));
        if let Some(&spot) = free.or(spots.first()) {
            arrow.label = spot;
            taken.push(area(spot));
        }
    }
}
