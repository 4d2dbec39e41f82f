//! How much does each piece of evidence weigh?

use super::Evidence;

/// The weighed sum at which a list is as likely an answer as not. Right lists of the labelled
/// collections have 14.7 and more, pages without answers mostly 11.
const EVEN: f64 = 14.0;
/// How much more makes it e times as likely.
const SPREAD: f64 = 2.0;

/// How likely a list of this weighed sum is an answer, from 0 to 1.
pub(crate) fn probability(sum: f64) -> f64 {
    1.0 / (1.0 + ((EVEN - sum) / SPREAD).exp())
}

/// The weights, fitted by maximum likelihood of the best list of each page (softmax over the page's
/// lists) with a strong pull towards round numbers chosen by hand; `docs/algorithms/region.md` has
/// the figures for fitting on one half of the sites and testing on the other. `nested` is not
/// weighed: it only tells a single record from a box around a list.
pub const WEIGHTS: Evidence = Evidence {
    records: 1.3,
    chars: 0.6,
    thin: -2.5,
    coverage: 4.3,
    linked: -1.0,
    stale: -2.6,
    regular: 0.7,
    fields: 0.3,
    distinct: 4.6,
    purity: 3.3,
    with_link: 0.6,
    with_heading: 1.0,
    uneven: -1.3,
    votes: 0.5,
    before: -1.1,
    furniture: -0.6,
    answers: 0.9,
    own_furniture: -1.6,
    runs: -1.0,
    nested: 0.0,
    targets: 0.9,
    repeats: -1.7,
    support: 3.0,
};
