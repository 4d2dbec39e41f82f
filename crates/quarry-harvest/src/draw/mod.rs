//! Draws graphs: of queries and of record templates.
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

pub use dot::dot;
pub use query::queries;
pub use svg::svg;
pub use template::templates;

/// A directed graph to be drawn. Cycles are allowed.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    /// What the picture shows.
    pub title: String,
    /// How to read it.
    pub note: String,
    /// Where arrows lead.
    pub direction: Direction,
    /// The boxes.
    pub nodes: Vec<Node>,
    /// The arrows.
    pub edges: Vec<GraphEdge>,
}

/// Where arrows lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// For chains.
    Down,
    /// For trees with many leaves: boxes are wider than high.
    Right,
}

/// A box.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its name in DOT, and where its edges begin and end; each once in a graph.
    pub id: String,
    /// The first line, in bold.
    pub heading: String,
    /// A word at the right of the heading, such as a type; may be empty.
    pub tag: String,
    /// Further lines.
    pub lines: Vec<String>,
    /// How it is drawn.
    pub style: Style,
}

/// How a box is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// With a full border.
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
pub struct GraphEdge {
    /// The number of the box that it begins at.
    pub from: usize,
    /// The number of the box that it leads to.
    pub to: usize,
    /// What stands beside it; may be empty.
    pub label: String,
    /// 0 to 1: drawn thin to thick.
    pub weight: f64,
}

#[cfg(test)]
mod tests;
