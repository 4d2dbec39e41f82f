//! The distance of two contexts of data strings. The paper's distance (§4.2): left and right
//! template strings, type and position, each weighted; and the tag path, which the paper leaves to
//! the template strings.

use super::strings::TagToken;
use quarry_value::ValueKind;

/// The weight of the left template string (the paper's K₁).
const LEFT: f64 = 1.0;
/// The weight of the type of value (K₂).
const KIND: f64 = 1.0;
/// The weight of the right template string (K₃).
const RIGHT: f64 = 0.5;
/// The weight of the position in the record (K₄).
const POSITION: f64 = 1.0;
/// The weight of the tag path, which the paper's distance does not have.
const PATH: f64 = 3.0;
/// Clusters further apart than this share of the weights stay apart; from 0.21 to 0.24 the scores are the same within 0.001.
const THRESHOLD: f64 = 0.22;

/// What is known of all strings of one context.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub(crate) left: Vec<TagToken>,
    pub(crate) right: Vec<TagToken>,
    /// Names and classes from the record's root to the string: (name, step).
    pub(crate) path: Vec<(u64, u64)>,
    /// The shares of the kinds of values, in the order of [`KINDS`].
    pub(crate) kinds: [f64; 5],
    /// The average position.
    pub(crate) position: f64,
}

/// The order of kinds in [`Context::kinds`].
pub(crate) const KINDS: [ValueKind; 5] =
    [ValueKind::Text, ValueKind::Number, ValueKind::Date, ValueKind::Price, ValueKind::Link];

/// How far two kinds are from each other: those that a reader could mistake for one another are nearer.
fn kind_distance(one: usize, other: usize) -> f64 {
    match (KINDS[one.min(other)], KINDS[one.max(other)]) {
        (a, b) if a == b => 0.0,
        (ValueKind::Number, ValueKind::Date | ValueKind::Price) => 0.5,
        (ValueKind::Text, ValueKind::Number | ValueKind::Link) => 0.75,
        _ => 1.0,
    }
}

impl Context {
    /// The distance, from 0 to 1, where it is within the threshold. What is cheap comes first: most pairs are too far
    /// apart by kind, position and depth already.
    pub(crate) fn distance_within(&self, other: &Context) -> Option<f64> {
        let sum = LEFT + KIND + RIGHT + POSITION + PATH;
        let most = THRESHOLD * sum;
        let mut distance = POSITION * (self.position - other.position).abs();
        for (one, share) in self.kinds.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            for (two, other_share) in other.kinds.iter().enumerate() {
                distance += KIND * share * other_share * kind_distance(one, two);
            }
        }
        let lengths = (self.path.len(), other.path.len());
        let longest = lengths.0.max(lengths.1).max(1) as f64;
        if distance + PATH * lengths.0.abs_diff(lengths.1) as f64 / longest > most {
            return None;
        }
        distance += PATH * path_distance(&self.path, &other.path);
        if distance > most {
            return None;
        }
        distance += LEFT * tags_distance(&self.left, &other.left);
        distance += RIGHT * tags_distance(&self.right, &other.right);
        (distance <= most).then_some(distance / sum)
    }
}

/// The edit distance of two template strings by the length of the longer one; the same tag with other classes is half
/// a change.
fn tags_distance(one: &[TagToken], other: &[TagToken]) -> f64 {
    edit(one, other, |a, b| {
        if a.name != b.name || a.closes != b.closes {
            1.0
        } else if a.step != b.step {
            0.5
        } else {
            0.0
        }
    })
}

fn path_distance(one: &[(u64, u64)], other: &[(u64, u64)]) -> f64 {
    edit(one, other, |a, b| {
        if a.0 != b.0 {
            1.0
        } else if a.1 != b.1 {
            0.5
        } else {
            0.0
        }
    })
}

fn edit<T>(one: &[T], other: &[T], change: impl Fn(&T, &T) -> f64) -> f64 {
    let longest = one.len().max(other.len());
    if longest == 0 {
        return 0.0;
    }
    let mut row: Vec<f64> = (0..=other.len()).map(|at| at as f64).collect();
    for (line, a) in one.iter().enumerate() {
        let mut corner = row[0];
        row[0] = line as f64 + 1.0;
        for (column, b) in other.iter().enumerate() {
            let changed = corner + change(a, b);
            corner = row[column + 1];
            row[column + 1] = changed.min(row[column] + 1.0).min(corner + 1.0);
        }
    }
    row[other.len()] / longest as f64
}
