//! The graph as text for Graphviz.

use std::fmt::Write as _;

use super::{Direction, Graph, Style};

/// Writes a graph in the DOT language.
pub fn dot(graph: &Graph) -> String {
    let mut out = String::new();
    let direction = if graph.direction == Direction::Down { "TB" } else { "LR" };
    let _ = write!(
        out,
        "digraph {} {{\n  rankdir={direction};\n  label={};\n  labelloc=t;\n  \
         node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=11];\n  \
         edge [fontname=\"Helvetica\", fontsize=9, color=\"#8d97a4\"];\n",
        quoted(&graph.title),
        quoted(&graph.note),
    );
    for node in &graph.nodes {
        let style = match node.style {
            Style::Solid => "",
            Style::Dashed => ", style=\"rounded,dashed\"",
            Style::Emphasised => ", penwidth=2, color=\"#3f74c4\"",
            Style::Terminal => ", shape=oval",
        };
        let tag = if node.tag.is_empty() { String::new() } else { format!(" [{}]", node.tag) };
        let lines: Vec<String> = std::iter::once(format!("{}{tag}", node.heading))
            .chain(node.lines.iter().cloned())
            .collect();
        let _ =
            writeln!(out, "  {} [label={}{style}];", quoted(&node.id), quoted(&lines.join("\n")));
    }
    for edge in &graph.edges {
        let _ = writeln!(
            out,
            "  {} -> {} [label={}, weight={}, penwidth={:.2}];",
            quoted(&graph.nodes[edge.from].id),
            quoted(&graph.nodes[edge.to].id),
            quoted(&edge.label),
            1 + (edge.weight.clamp(0.0, 1.0) * 9.0).round() as u32,
            1.0 + 2.0 * edge.weight.clamp(0.0, 1.0),
        );
    }
    out.push_str("}\n");
    out
}

/// A quoted string of DOT: quotes and backslashes escaped, line ends as `\n`, no control characters.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
