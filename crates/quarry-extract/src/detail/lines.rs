//! Pieces of running text: the words between the links of a paragraph are no values, wherever they stand.

use quarry_dom::{Document, NodeId, Tag};

use crate::attribute::leaf::Leaf;

/// A line of more characters, made of several texts, is running text.
const PROSE_CHARS: usize = 120;
/// A text with this share of its line's characters is the line, not a piece of it.
const MIN_LINE_SHARE: f64 = 0.5;

/// For each text of a page, whether it is a piece of a long line. A line goes on until a block or a `br`.
pub(super) fn prose(document: &Document, leaves: &[Leaf]) -> Vec<bool> {
    let mut found = Vec::with_capacity(leaves.len());
    let mut first = 0;
    for at in 1..=leaves.len() {
        let ends = at == leaves.len() || is_break(document, leaves[at - 1].node, leaves[at].node);
        if ends {
            let line = &leaves[first..at];
            let chars = |leaf: &Leaf| leaf.text.chars().count();
            let all: usize = line.iter().map(chars).sum();
            let is_piece = |leaf: &Leaf| {
                all > PROSE_CHARS && (chars(leaf) as f64) < MIN_LINE_SHARE * all as f64
            };
            found.extend(line.iter().map(is_piece));
            first = at;
        }
    }
    found
}

/// Whether a line ends between two neighbouring texts.
fn is_break(document: &Document, one: NodeId, next: NodeId) -> bool {
    let block = |node: NodeId| {
        document.ancestors(node).find(|&up| document.tag(up).is_some_and(Tag::is_block))
    };
    let between = (one.0 + 1..next.0).map(NodeId);
    block(one) != block(next) || between.into_iter().any(|node| document.is(node, Tag::BR))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribute::leaf::leaves;

    #[test]
    fn words_between_links_are_prose_and_lines_of_facts_are_not() {
        let long = "was born in a town that had at the time some twelve thousand inhabitants and";
        let document = Document::from_html(&format!(
            "<p>He {long} <a>Rome</a> {long} went to <a>Paris</a></p>
             <td>Height: <b>6 ft</b><br>Weight: <b>205</b><br>{long}</td>"
        ));
        let leaves = leaves(&document);
        let prose = prose(&document, &leaves);
        let of = |text: &str| {
            let at = leaves.iter().position(|leaf| leaf.text == text).expect("the text is there");
            prose[at]
        };
        assert!(of("Rome") && of("Paris"));
        assert!(!of("6 ft") && !of("205"));
    }
}
