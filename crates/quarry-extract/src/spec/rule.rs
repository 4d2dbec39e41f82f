//! Rules that select the names, or the values, of a site. A rule is a small XPath: by class where
//! there is one, else by the path below the nearest element with an id or a class, cells by their
//! column. Rules by position alone come last (Dalvi et al., robust extraction).

use std::fmt;

use quarry_dom::{Document, NodeId, Tag};
use serde::{Deserialize, Serialize};

/// What all names, or all values, of a site's specifications have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Rule {
    /// The step that the path begins at: `*[@id='specs']`, `table[@class='data']`, or nothing for the root.
    pub anchor: String,
    /// The steps from there to the element around the text.
    pub steps: Vec<String>,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "//{}", self.anchor)?;
        if !self.steps.is_empty() {
            write!(f, "//{}", self.steps.join("/"))?;
        }
        f.write_str("/text()")
    }
}

/// Levels between a text and the element that anchors its rule.
const MAX_LEVELS: usize = 8;

/// The rules that extract a text, the most robust first.
pub(crate) fn rules_for(document: &Document, text: NodeId) -> Vec<Rule> {
    let mut rules = Vec::new();
    let mut steps: Vec<String> = Vec::new();
    for (level, node) in document.ancestors(text).take(MAX_LEVELS).enumerate() {
        if !document.is_element(node) || document.is(node, Tag::BODY) {
            break;
        }
        let mut below: Vec<String> = steps.iter().rev().cloned().collect();
        if let Some(class) =
            document.classes(node).find(|class| !class.bytes().any(|byte| byte.is_ascii_digit()))
        {
            let anchor = format!("{}[@class='{class}']", document.tag_name(node));
            rules.push(Rule { anchor, steps: below.clone() });
        }
        if level > 0
            && let Some(id) = document.id(node)
            && !id.bytes().any(|byte| byte.is_ascii_digit())
        {
            rules
                .push(Rule { anchor: format!("*[@id='{id}']"), steps: std::mem::take(&mut below) });
        }
        steps.push(step(document, node));
    }
    let path: Vec<String> = steps.iter().rev().cloned().collect();
    if let Some((first, rest)) = path.split_first() {
        rules.push(Rule { anchor: first.clone(), steps: rest.to_vec() });
    }
    rules
}

fn step(document: &Document, node: NodeId) -> String {
    let name = document.tag_name(node);
    if document.is(node, Tag::TD) || document.is(node, Tag::TH) {
        let row = document.parent(node).unwrap_or(NodeId::ROOT);
        let cells = document.child_elements(row).take(64).take_while(|&cell| cell < node);
        return format!("{name}[{}]", cells.count() + 1);
    }
    name.to_owned()
}
