//! How much does each piece of evidence weigh?

use super::Evidence;

/// Weights of the evidence.
pub const WEIGHTS: Evidence = Evidence {
    records: 1.2,
    chars: 0.7,
    thin: -2.2,
    coverage: 4.7,
    linked: -1.0,
    stale: -2.5,
    regular: 0.8,
    fields: 0.3,
    distinct: 4.0,
    purity: 2.4,
    with_link: 1.0,
    with_heading: 0.9,
    uneven: -1.0,
    votes: 0.6,
    before: -0.6,
    furniture: -0.6,
    answers: 0.7,
    own_furniture: -1.3,
    runs: -1.1,
    nested: 0.0,
    targets: 1.0,
    repeats: -1.5,
    support: 2.0,
};
