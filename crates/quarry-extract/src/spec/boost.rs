//! Scores fragments by how likely they are specifications. Gradient-boosted trees, evaluated from a
//! plain text that `train spec` writes: the sum of one leaf per tree is the log-odds.

use crate::logistic::logistic;
use std::fmt::Write as _;

/// The format of the text.
const VERSION: &str = "1";

/// A node of a tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum TreeNode {
    /// Features below the threshold go to the first node, others to the second.
    Split {
        /// The position of the feature.
        feature: usize,
        /// The threshold.
        below: f32,
        /// Nodes of the same tree, both behind this one.
        to: [usize; 2],
    },
    /// What the tree adds to the log-odds.
    Leaf(f32),
}

/// Trees and what they add up from.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trees {
    /// The log-odds before any tree.
    pub bias: f32,
    /// Trees; the first node of each is its root.
    pub trees: Vec<Vec<TreeNode>>,
}

impl Trees {
    /// The log-odds of a row of features.
    pub fn log_odds(&self, features: &[f32]) -> f32 {
        self.trees.iter().map(|tree| leaf(tree, features)).sum::<f32>() + self.bias
    }

    /// The probability that goes with log-odds.
    pub fn probability(log_odds: f32) -> f64 {
        logistic(f64::from(log_odds))
    }

    /// Reads what [`Trees::to_text`] writes; `#` begins a comment.
    ///
    /// # Errors
    /// Says which line is wrong, and why.
    pub fn parse(text: &str, names: &[&str]) -> Result<Self, String> {
        let mut found = Self::default();
        let mut version = None;
        for (number, line) in text.lines().enumerate() {
            let wrong = |why: &str| format!("line {}: {why}: '{line}'", number + 1);
            let mut words = line.split_whitespace();
            let Some(word) = words.next().filter(|word| !word.starts_with('#')) else { continue };
            let rest: Vec<&str> = words.collect();
            match (word, &rest[..]) {
                ("version", [at]) => version = Some(*at),
                ("bias", [at]) => found.bias = at.parse().map_err(|_| wrong("not a number"))?,
                ("tree", []) => found.trees.push(Vec::new()),
                ("leaf", [value]) => {
                    let value = value.parse().map_err(|_| wrong("not a number"))?;
                    found.push(TreeNode::Leaf(value)).ok_or_else(|| wrong("no tree yet"))?;
                }
                ("split", [name, below, left, right]) => {
                    let feature = names.iter().position(|known| known == name);
                    let node = TreeNode::Split {
                        feature: feature.ok_or_else(|| wrong("no such feature"))?,
                        below: below.parse().map_err(|_| wrong("not a number"))?,
                        to: [left, right].map(|to| to.parse().unwrap_or(usize::MAX)),
                    };
                    found.push(node).ok_or_else(|| wrong("no tree yet"))?;
                }
                _ => return Err(wrong("neither tree, split, leaf, bias nor version")),
            }
        }
        if version != Some(VERSION) {
            return Err(format!("only version {VERSION} of the trees can be read"));
        }
        match found.trees.iter().all(|tree| is_sound(tree)) {
            true => Ok(found),
            false => Err("a split leads back or nowhere".to_owned()),
        }
    }

    fn push(&mut self, node: TreeNode) -> Option<()> {
        self.trees.last_mut()?.push(node);
        Some(())
    }

    /// The text that [`Trees::parse`] reads.
    pub fn to_text(&self, names: &[&str]) -> String {
        let mut text = format!("version {VERSION}\nbias {}\n", self.bias);
        for tree in &self.trees {
            text.push_str("tree\n");
            for node in tree {
                let written = match node {
                    TreeNode::Leaf(value) => writeln!(text, "leaf {value}"),
                    TreeNode::Split { feature, below, to: [left, right] } => {
                        writeln!(text, "split {} {below} {left} {right}", names[*feature])
                    }
                };
                written.expect("a string takes everything");
            }
        }
        text
    }
}

fn leaf(tree: &[TreeNode], features: &[f32]) -> f32 {
    let mut at = 0;
    loop {
        match tree[at] {
            TreeNode::Leaf(value) => return value,
            TreeNode::Split { feature, below, to } => {
                at = to[usize::from(features[feature] >= below)];
            }
        }
    }
}

/// Splits lead forwards only, and to nodes that are there.
fn is_sound(tree: &[TreeNode]) -> bool {
    !tree.is_empty()
        && tree.iter().enumerate().all(|(at, node)| match node {
            TreeNode::Leaf(_) => true,
            TreeNode::Split { to, .. } => to.iter().all(|&to| to > at && to < tree.len()),
        })
}
