//! Lays out a graph: where each box and each arrow goes.
//!
//! Boxes are measured and put on layers (`layers`), ordered (`order`) and placed (`place`); then arrows find their way and labels a free
//! spot. All of it is computed across and along the layers, and turned at the end if arrows lead to the right.

use super::arrows::{Arrow, Piece, Point, around, ports, put_labels, route};
use super::layers::{Layered, layered};
use super::order::reduce_crossings;
use super::place::place;
use super::text::{width, wrap};
use super::{Direction, Graph, GraphEdge, Node, Style};

pub(super) const HEADING_SIZE: f64 = 13.0;
pub(super) const LINE_SIZE: f64 = 11.5;
pub(super) const TAG_SIZE: f64 = 10.0;
pub(super) const LABEL_SIZE: f64 = 10.5;
pub(super) const HEADING_STEP: f64 = 17.0;
pub(super) const LINE_STEP: f64 = 15.0;
pub(super) const PAD_X: f64 = 12.0;
pub(super) const PAD_Y: f64 = 10.0;
const TIGHT_PAD_Y: f64 = 6.0;
pub(super) const TAG_PAD: f64 = 6.0;
/// Text in a box is broken at this width.
const MAX_TEXT: f64 = 210.0;
const MIN_TEXT: f64 = 60.0;
const MAX_HEADING_LINES: usize = 2;
const MAX_LINES_EACH: usize = 2;
/// Free space beside boxes and beside arrows that pass them.
const BOX_GAP: f64 = 26.0;
const BEND_GAP: f64 = 14.0;
const DENSE_GAP: f64 = 8.0;
/// More boxes than this on one layer are a crowd.
const CROWD: usize = 30;
/// Boxes without arrows stand in rows at least this long.
const MIN_ROW: f64 = 720.0;
/// Between layers: at least, and more where arrows go far aside, so that they are not too flat.
const LAYER_GAP: f64 = 40.0;
const FLATNESS: f64 = 0.14;
const MAX_EXTRA_GAP: f64 = 90.0;

/// A box with its text, in lines, at its place.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    /// Between its upper side and the text.
    pub(super) pad: f64,
    pub(super) heading: Vec<String>,
    pub(super) lines: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Layout {
    pub(super) boxes: Vec<Placed>,
    pub(super) arrows: Vec<Arrow>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Boxes without arrows stand in rows below the others.
pub(super) fn layout(graph: &Graph) -> Layout {
    let mut place = vec![None; graph.nodes.len()];
    for edge in &graph.edges {
        place[edge.from] = Some(0);
        place[edge.to] = Some(0);
    }
    let linked: Vec<usize> = (0..place.len()).filter(|&node| place[node].is_some()).collect();
    linked.iter().enumerate().for_each(|(at, &node)| place[node] = Some(at));
    let at = |node: usize| place[node].unwrap_or(0);
    let edges = graph.edges.iter();
    let edges =
        edges.map(|edge| GraphEdge { from: at(edge.from), to: at(edge.to), ..edge.clone() });
    let part = Graph {
        nodes: linked.iter().map(|&node| graph.nodes[node].clone()).collect(),
        edges: edges.collect(),
        ..graph.clone()
    };
    let mut layout = layout_linked(&part);
    let mut boxes = std::mem::take(&mut layout.boxes).into_iter();
    let row = layout.width.max(MIN_ROW);
    let (mut x, mut y, mut next) = (0.0, layout.height + LAYER_GAP, 0.0_f64);
    if linked.is_empty() {
        y = 0.0;
    }
    for (node, place) in graph.nodes.iter().zip(&place) {
        let placed = match place {
            Some(_) => boxes.next(),
            None => None,
        };
        let placed = placed.unwrap_or_else(|| {
            let mut placed = measure(node, false);
            if x > 0.0 && x + placed.width > row {
                (x, y) = (0.0, next);
            }
            (placed.x, placed.y) = (x, y);
            x += placed.width + BOX_GAP;
            next = next.max(y + placed.height + BOX_GAP);
            layout.width = layout.width.max(placed.x + placed.width);
            layout.height = layout.height.max(placed.y + placed.height);
            placed
        });
        layout.boxes.push(placed);
    }
    layout
}

fn layout_linked(graph: &Graph) -> Layout {
    let down = graph.direction == Direction::Down;
    let mut layers = layered(graph.nodes.len(), &graph.edges);
    reduce_crossings(&mut layers);
    let boxes_of = |layer: &Vec<usize>| layer.iter().filter(|&&v| v < graph.nodes.len()).count();
    let dense = layers.layers.iter().map(boxes_of).max().unwrap_or(0) > CROWD;
    let mut boxes: Vec<Placed> = graph.nodes.iter().map(|node| measure(node, dense)).collect();
    let vertices = layers.layer.len();
    let mut extent = vec![0.0; vertices];
    let mut depth = vec![0.0; vertices];
    let bend_gap = if dense { DENSE_GAP } else { BEND_GAP };
    let mut gap = vec![bend_gap; vertices];
    for (i, placed) in boxes.iter().enumerate() {
        (extent[i], depth[i]) =
            if down { (placed.width, placed.height) } else { (placed.height, placed.width) };
        gap[i] = if down { BOX_GAP } else { bend_gap };
    }
    let mut across = place(&layers, boxes.len(), &extent, &gap);
    let edges = across.iter().zip(&extent);
    let left = edges.map(|(middle, extent)| middle - extent / 2.0).fold(f64::MAX, f64::min);
    across.iter_mut().for_each(|middle| *middle -= left);
    let bands = bands(graph, &layers, &across, &depth);
    // Where each vertex begins and ends along the way: boxes in the middle of a row, or at the left of a column.
    let ends: Vec<(f64, f64)> = (0..vertices)
        .map(|vertex| {
            let (low, high) = bands[layers.layer[vertex]];
            match (vertex < boxes.len(), down) {
                (false, _) => (low, high),
                (true, true) => {
                    ((low + high - depth[vertex]) / 2.0, (low + high + depth[vertex]) / 2.0)
                }
                (true, false) => (low, low + depth[vertex]),
            }
        })
        .collect();
    for (i, placed) in boxes.iter_mut().enumerate() {
        let along = ends[i].0;
        let side = across[i] - extent[i] / 2.0;
        (placed.x, placed.y) = if down { (side, along) } else { (along, side) };
    }
    let ports = ports(graph, &layers, &across, &extent);
    let mut arrows: Vec<Arrow> = (0..graph.edges.len())
        .map(|edge| route(edge, &layers, &bands, &ends, &across, &ports[edge]))
        .collect();
    for (arrow, edge) in arrows.iter_mut().zip(&graph.edges) {
        if edge.from == edge.to {
            *arrow = around(&boxes[edge.from]);
        } else if !down {
            arrow.turn();
        }
    }
    put_labels(graph, &boxes, &mut arrows);
    let (width, height) = size(&boxes, &arrows, graph);
    Layout { boxes, arrows, width, height }
}

/// In a crowd, boxes show their heading only.
fn measure(node: &Node, dense: bool) -> Placed {
    let tag =
        if node.tag.is_empty() { 0.0 } else { width(&node.tag, TAG_SIZE) + 2.0 * TAG_PAD + 8.0 };
    let bold = 1.06;
    let heading =
        wrap(&node.heading, HEADING_SIZE * bold, (MAX_TEXT - tag).max(MIN_TEXT), MAX_HEADING_LINES);
    let shown: &[String] = if dense { &[] } else { &node.lines };
    let lines: Vec<String> =
        shown.iter().flat_map(|line| wrap(line, LINE_SIZE, MAX_TEXT, MAX_LINES_EACH)).collect();
    let headings = heading.iter().map(|line| width(line, HEADING_SIZE * bold) + tag);
    let widest =
        headings.chain(lines.iter().map(|line| width(line, LINE_SIZE))).fold(0.0, f64::max);
    let least = if node.style == Style::Terminal { 0.0 } else { MIN_TEXT };
    let text = heading.len() as f64 * HEADING_STEP + lines.len() as f64 * LINE_STEP;
    let pad = if node.style == Style::Terminal || dense { TIGHT_PAD_Y } else { PAD_Y };
    let between = if heading.is_empty() || lines.is_empty() { 0.0 } else { 3.0 };
    let width = widest.max(least) + 2.0 * PAD_X;
    Placed { x: 0.0, y: 0.0, width, height: text + between + 2.0 * pad, pad, heading, lines }
}

/// Where each layer begins and ends along the way of the arrows.
fn bands(graph: &Graph, layers: &Layered, across: &[f64], depth: &[f64]) -> Vec<(f64, f64)> {
    let mut aside = vec![0.0_f64; layers.layers.len()];
    for &(from, to, _) in &layers.pieces {
        let step = &mut aside[layers.layer[from]];
        *step = step.max((across[from] - across[to]).abs());
    }
    let label = |edge: &GraphEdge| width(&edge.label, LABEL_SIZE);
    let longest = if graph.direction == Direction::Down {
        0.0
    } else {
        graph.edges.iter().map(label).fold(0.0, f64::max)
    };
    let mut at = 0.0;
    let mut bands = Vec::with_capacity(layers.layers.len());
    for (layer, aside) in layers.layers.iter().zip(aside) {
        let thick = layer.iter().map(|&vertex| depth[vertex]).fold(0.0, f64::max);
        bands.push((at, at + thick));
        at += thick + LAYER_GAP + longest + (aside * FLATNESS).min(MAX_EXTRA_GAP);
    }
    bands
}

fn size(boxes: &[Placed], arrows: &[Arrow], graph: &Graph) -> (f64, f64) {
    let mut far: Point = (0.0, 0.0);
    let mut see = |(x, y): Point| far = (far.0.max(x), far.1.max(y));
    boxes.iter().for_each(|b| see((b.x + b.width, b.y + b.height)));
    for (arrow, edge) in arrows.iter().zip(&graph.edges) {
        see((arrow.label.0 + width(&edge.label, LABEL_SIZE) / 2.0, arrow.label.1));
        for piece in &arrow.pieces {
            match *piece {
                Piece::Line(to) => see(to),
                Piece::Curve(a, b, to) => [a, b, to].into_iter().for_each(&mut see),
            }
        }
    }
    far
}
