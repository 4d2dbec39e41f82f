//! Counts what could not be had: addresses that a line of robots.txt refuses, and answers that are no pages, by host.

use std::collections::BTreeMap;

use quarry_model::{Fetched, Outcome};

/// What could not be had from a host.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refusal {
    /// Its robots.txt refuses addresses by this line.
    Robots {
        /// `scheme://host:port`.
        host: String,
        /// As it is written, `Disallow: /cart`.
        line: String,
    },
    /// It answered requests with this error status.
    Status {
        /// `scheme://host:port`.
        host: String,
        /// 400 or above.
        status: u16,
    },
    /// It did not answer.
    Failed {
        /// `scheme://host:port`.
        host: String,
    },
    /// Not even its robots.txt could be had, so that nothing was asked.
    Unreachable {
        /// `scheme://host:port`.
        host: String,
        /// What came of asking for robots.txt.
        why: String,
    },
}

/// How often each was met.
pub type Refusals = BTreeMap<Refusal, u64>;

/// Counts an answer that is no page.
pub(super) fn count(refusals: &mut Refusals, host: &str, fetched: &Fetched) {
    let host = host.to_owned();
    let refusal = match &fetched.outcome {
        Outcome::Response(exchange) if exchange.response.status >= 400 => {
            Refusal::Status { host, status: exchange.response.status }
        }
        Outcome::Response(_) => return,
        Outcome::Failed(_) => Refusal::Failed { host },
    };
    *refusals.entry(refusal).or_default() += 1;
}
