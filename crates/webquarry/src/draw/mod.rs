//! How does a graph look?
//!
//! Boxes with a few lines of text and arrows between them, as DOT for Graphviz or as an SVG picture that
//! needs nothing else. The picture is laid out in layers (Sugiyama, Tagawa and Toda, 1981): see `layout`.
//! The same graph gives the same bytes.

mod arrows;
mod dot;
mod layers;
mod layout;
mod order;
mod place;
mod query;
mod svg;
mod template;
mod text;

pub(crate) use dot::dot;
pub(crate) use query::queries;
pub(crate) use svg::svg;
pub(crate) use template::templates;

/// A directed graph to be drawn. Cycles are allowed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Graph {
    /// What the picture shows.
    pub(crate) title: String,
    /// How to read it.
    pub(crate) note: String,
    pub(crate) direction: Direction,
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
}

/// Where arrows lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// For chains.
    Down,
    /// For trees with many leaves: boxes are wider than high.
    Right,
}

/// A box.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    /// Its name in DOT, and where its edges begin and end; each once in a graph.
    pub(crate) id: String,
    /// The first line, in bold.
    pub(crate) heading: String,
    /// A word at the right of the heading, such as a type; may be empty.
    pub(crate) tag: String,
    /// Further lines.
    pub(crate) lines: Vec<String>,
    pub(crate) style: Style,
}

/// How a box is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Solid,
    /// For what is not always there.
    Dashed,
    /// For what matters most.
    Emphasised,
    /// A small round box, for a beginning or an end.
    Terminal,
}

/// An arrow between two boxes, by their place in the list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) label: String,
    /// 0 to 1: drawn thin to thick.
    pub(crate) weight: f64,
}

#[cfg(test)]
mod tests;
