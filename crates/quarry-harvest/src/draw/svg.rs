//! The picture, as an SVG file that needs nothing else.

use std::fmt::Write as _;

use super::arrows::{Arrow, Piece};
use super::layout::{
    HEADING_SIZE, HEADING_STEP, LABEL_SIZE, LINE_SIZE, LINE_STEP, PAD_X, Placed, TAG_PAD, TAG_SIZE,
    layout,
};
use super::text::{escape, width};
use super::{Graph, GraphEdge, Node, Style};

const MARGIN: f64 = 28.0;
const TITLE_SIZE: f64 = 17.0;
const NOTE_SIZE: f64 = 12.0;
/// Room for title and note above the graph.
const HEAD: f64 = 58.0;
/// The thinnest arrow, and what the heaviest has more.
const THIN: f64 = 1.1;
const MORE: f64 = 1.9;

/// Neutral colours that follow the reader's choice of light or dark.
const CSS: &str = "\
text{font-family:'Helvetica Neue',Helvetica,Arial,'Liberation Sans',system-ui,sans-serif}
.ground{fill:#fafaf9}.title{fill:#1c1f24;font-weight:600}.note{fill:#6b7480}
.box .frame{fill:#fff;stroke:#c6cbd2;stroke-width:1.2}
.box.dashed .frame{fill:#fcfcfb;stroke:#9aa3ae;stroke-dasharray:5 4}
.box.emphasised .frame{fill:#eef4fd;stroke:#3f74c4;stroke-width:1.6}
.box.terminal .frame{fill:#5d6672;stroke:none}.box.terminal .heading{fill:#fff;font-weight:500}
.heading{fill:#1c1f24;font-weight:600}.line{fill:#59626e}
.box .pill{fill:#edeff2;stroke:none}.tag{fill:#59626e}
.box.emphasised .pill{fill:#d9e6fa}
.edge{fill:none;stroke:#8d97a4;stroke-linecap:round}.tip{fill:#8d97a4}
.label{fill:#4a525d;stroke:#fafaf9;stroke-width:4px;stroke-linejoin:round;paint-order:stroke}
@media (prefers-color-scheme:dark){
.ground{fill:#16181b}.title,.heading{fill:#e9ebee}.note,.line,.tag{fill:#a0a9b4}
.box .frame{fill:#1f2226;stroke:#434a53}.box.dashed .frame{fill:#1a1d20;stroke:#66707c}
.box.emphasised .frame{fill:#1b2738;stroke:#6f9fe6}.box.emphasised .pill{fill:#27395a}
.box.terminal .frame{fill:#7d8793}.box.terminal .heading{fill:#16181b}
.box .pill{fill:#2b2f35}.edge{stroke:#6d7682}.tip{fill:#6d7682}
.label{fill:#c3cad2;stroke:#16181b}}";

/// Draws a graph.
pub fn svg(graph: &Graph) -> String {
    let layout = layout(graph);
    let titles = width(&graph.title, TITLE_SIZE).max(width(&graph.note, NOTE_SIZE));
    let wide = (layout.width.max(titles) + 2.0 * MARGIN).ceil();
    let high = (layout.height + HEAD + 2.0 * MARGIN).ceil();
    let mut out = String::new();
    let title = escape(&graph.title);
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" role=\"img\">\n\
         <title>{title}</title>\n<style>{CSS}</style>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7.2\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"tip\" d=\"M0 .6 8 4 0 7.4 1.6 4z\"/></marker></defs>\n\
         <rect class=\"ground\" width=\"{wide}\" height=\"{high}\"/>\n\
         <text class=\"title\" x=\"{MARGIN}\" y=\"{}\" font-size=\"{TITLE_SIZE}\">{title}</text>\n\
         <text class=\"note\" x=\"{MARGIN}\" y=\"{}\" font-size=\"{NOTE_SIZE}\">{}</text>\n",
        MARGIN + 15.0,
        MARGIN + 36.0,
        escape(&graph.note),
    );
    // A graph narrower than its title stands in the middle.
    let left = MARGIN + (wide - 2.0 * MARGIN - layout.width).max(0.0) / 2.0;
    let _ = writeln!(out, "<g transform=\"translate({} {})\">", r(left), r(MARGIN + HEAD));
    for (arrow, edge) in layout.arrows.iter().zip(&graph.edges) {
        draw_arrow(&mut out, graph, edge, arrow);
    }
    for (placed, node) in layout.boxes.iter().zip(&graph.nodes) {
        draw_box(&mut out, node, placed);
    }
    for (arrow, edge) in
        layout.arrows.iter().zip(&graph.edges).filter(|(_, edge)| !edge.label.is_empty())
    {
        let (x, y) = arrow.label;
        let _ = writeln!(
            out,
            "<text class=\"label\" x=\"{}\" y=\"{}\" font-size=\"{LABEL_SIZE}\" text-anchor=\"middle\">{}</text>",
            r(x),
            r(y + LABEL_SIZE * 0.36),
            escape(&edge.label),
        );
    }
    out.push_str("</g>\n</svg>\n");
    out
}

fn draw_arrow(out: &mut String, graph: &Graph, edge: &GraphEdge, arrow: &Arrow) {
    let mut d = format!("M{} {}", r(arrow.start.0), r(arrow.start.1));
    let mut last = arrow.start;
    for piece in &arrow.pieces {
        let to = match *piece {
            Piece::Line(to) => {
                if to != last {
                    let _ = write!(d, "L{} {}", r(to.0), r(to.1));
                }
                to
            }
            Piece::Curve(a, b, to) => {
                let _ = write!(
                    d,
                    "C{} {} {} {} {} {}",
                    r(a.0),
                    r(a.1),
                    r(b.0),
                    r(b.1),
                    r(to.0),
                    r(to.1)
                );
                to
            }
        };
        last = to;
    }
    let weight = edge.weight.clamp(0.0, 1.0);
    let (from, to) = (&graph.nodes[edge.from].heading, &graph.nodes[edge.to].heading);
    let _ = writeln!(
        out,
        "<path class=\"edge\" d=\"{d}\" stroke-width=\"{}\" opacity=\"{}\" marker-end=\"url(#tip)\"><title>{} → {}{}{}</title></path>",
        r(THIN + MORE * weight),
        r(0.55 + 0.45 * weight),
        escape(from),
        escape(to),
        if edge.label.is_empty() { "" } else { ": " },
        escape(&edge.label),
    );
}

fn draw_box(out: &mut String, node: &Node, placed: &Placed) {
    let (class, radius) = match node.style {
        Style::Solid => ("box", 8.0),
        Style::Dashed => ("box dashed", 8.0),
        Style::Emphasised => ("box emphasised", 8.0),
        Style::Terminal => ("box terminal", placed.height / 2.0),
    };
    let whole: Vec<&str> =
        std::iter::once(&node.heading).chain(&node.lines).map(String::as_str).collect();
    let _ = write!(
        out,
        "<g class=\"{class}\" transform=\"translate({} {})\"><title>{}</title><rect class=\"frame\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
        r(placed.x),
        r(placed.y),
        escape(&whole.join(" · ")),
        r(placed.width),
        r(placed.height),
        r(radius),
    );
    let terminal = node.style == Style::Terminal;
    let mut y = placed.pad;
    let (x, anchor) =
        if terminal { (placed.width / 2.0, " text-anchor=\"middle\"") } else { (PAD_X, "") };
    for line in &placed.heading {
        text(out, "heading", (x, y + HEADING_SIZE), HEADING_SIZE, anchor, line);
        y += HEADING_STEP;
    }
    if !placed.heading.is_empty() && !placed.lines.is_empty() {
        y += 3.0;
    }
    for line in &placed.lines {
        text(out, "line", (x, y + LINE_SIZE), LINE_SIZE, anchor, line);
        y += LINE_STEP;
    }
    if !node.tag.is_empty() {
        let wide = width(&node.tag, TAG_SIZE) + 2.0 * TAG_PAD;
        let left = placed.width - PAD_X * 0.75 - wide;
        let _ = write!(
            out,
            "<rect class=\"pill\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"16\" rx=\"8\"/>",
            r(left),
            r(placed.pad),
            r(wide),
        );
        let middle = (left + wide / 2.0, placed.pad + 11.6);
        text(out, "tag", middle, TAG_SIZE, " text-anchor=\"middle\"", &node.tag);
    }
    out.push_str("</g>\n");
}

fn text(out: &mut String, class: &str, (x, y): (f64, f64), size: f64, anchor: &str, line: &str) {
    let _ = write!(
        out,
        "<text class=\"{class}\" x=\"{}\" y=\"{}\" font-size=\"{size}\"{anchor}>{}</text>",
        r(x),
        r(y),
        escape(line),
    );
}

/// A tenth of a pixel is enough.
fn r(number: f64) -> f64 {
    let tenths = (number * 10.0).round() / 10.0;
    if tenths == 0.0 { 0.0 } else { tenths }
}
