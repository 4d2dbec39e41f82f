//! How much does each piece of evidence weigh?

use super::Evidence;

/// Weights of the evidence.
pub const WEIGHTS: Evidence = Evidence {
    records: 1.0,
    chars: 1.0,
    leaves: 0.5,
    coverage: 4.0,
    linked: -1.0,
    stale: -2.0,
    regular: 2.0,
    fields: 1.0,
    single: 2.0,
    distinct: 2.0,
    purity: 1.0,
    with_link: 1.0,
    with_image: 0.2,
    with_heading: 0.5,
    uneven: -1.0,
    votes: 0.5,
    before: -0.5,
    furniture: -0.7,
    answers: 0.3,
    own_furniture: -0.5,
    own_answers: 0.5,
    same_look: 1.0,
    with_control: -0.3,
    depth: 0.0,
    runs: -0.5,
};
