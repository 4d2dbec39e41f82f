//! Requests are sent in batches; a batch is read when all of its pages have come, in the order of the
//! requests. So the walk is the same however fast answers come, and after a
//! restart, when the archived pages are shown again.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quarry_model::Request;

use super::facts::IndexFacts;
use crate::Address;
use crate::strategy::Proposal;

/// Requests of a batch at the most: enough to keep several connections busy, few enough for
/// their pages to be held in memory.
const MAX_REQUESTS: usize = 200;

/// A page that was fetched and read.
#[derive(Debug, Clone)]
pub(super) struct FetchedPage {
    pub(super) address: String,
    pub(super) depth: u32,
    pub(super) facts: Arc<IndexFacts>,
}

/// A request of the present batch.
#[derive(Debug)]
pub(super) struct Asked<T> {
    key: String,
    /// Before redirects.
    pub(super) address: String,
    pub(super) task: T,
    proposal: Option<Proposal<'static>>,
}

/// The requests of the present batch, and the pages that have come.
#[derive(Debug)]
pub(super) struct RequestBatch<T> {
    /// Keys of all requests ever made.
    known: BTreeSet<String>,
    requests: Vec<Asked<T>>,
    unanswered: BTreeSet<String>,
    /// Pages that have come and were not read yet; after a restart also some that were not yet
    /// requested.
    unclaimed_pages: BTreeMap<String, FetchedPage>,
}

impl<T> Default for RequestBatch<T> {
    fn default() -> Self {
        Self {
            known: BTreeSet::new(),
            requests: Vec::new(),
            unanswered: BTreeSet::new(),
            unclaimed_pages: BTreeMap::new(),
        }
    }
}

impl<T> RequestBatch<T> {
    /// Adds a page that has come.
    pub(super) fn put(&mut self, key: String, page: FetchedPage) {
        self.unanswered.remove(&key);
        self.unclaimed_pages.insert(key, page);
    }

    /// Marks a request as made elsewhere.
    pub(super) fn know(&mut self, key: &str) {
        self.known.insert(key.to_owned());
        self.unclaimed_pages.remove(key);
    }

    /// Puts back a page that was read for another purpose: it may be requested once more.
    pub(super) fn put_back(&mut self, key: &str, page: FetchedPage) {
        self.known.remove(key);
        self.unclaimed_pages.insert(key.to_owned(), page);
    }

    pub(super) fn room(&self) -> usize {
        MAX_REQUESTS.saturating_sub(self.requests.len())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// Whether all of the batch has come.
    pub(super) fn is_complete(&self) -> bool {
        self.unanswered.is_empty()
    }

    pub(super) fn knows(&self, key: &str) -> bool {
        self.known.contains(key)
    }

    /// Adds a request to the batch, unless it was made before.
    pub(super) fn ask(&mut self, request: &Request, task: T, depth: u32) -> bool {
        let Ok(address) = Address::normalise(&request.url) else { return false };
        let plain = address.as_str().to_owned();
        let proposal = Proposal {
            address: Cow::Owned(address),
            body: request.body.clone(),
            depth,
            priority: 0,
            is_guess: false,
        };
        let key = proposal.request().key().into_owned();
        if !self.known.insert(key.clone()) {
            return false;
        }
        if !self.unclaimed_pages.contains_key(&key) {
            self.unanswered.insert(key.clone());
        }
        self.requests.push(Asked { key, address: plain, task, proposal: Some(proposal) });
        true
    }

    /// Proposes requests that were not yet proposed and whose pages have not come.
    pub(super) fn send(&mut self, propose: &mut dyn FnMut(Proposal<'static>)) -> bool {
        let mut sent = false;
        for asked in &mut self.requests {
            if let Some(proposal) = asked.proposal.take()
                && self.unanswered.contains(&asked.key)
            {
                sent = true;
                propose(proposal);
            }
        }
        sent
    }

    /// Ends the batch: its requests in order, with the pages that came.
    pub(super) fn collect(&mut self) -> Vec<(Asked<T>, Option<FetchedPage>)> {
        self.unanswered.clear();
        let requests = std::mem::take(&mut self.requests);
        requests
            .into_iter()
            .map(|asked| {
                let page = self.unclaimed_pages.remove(&asked.key);
                (asked, page)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn page(address: &str) -> FetchedPage {
        FetchedPage {
            address: address.to_owned(),
            depth: 1,
            facts: Arc::new(IndexFacts::default()),
        }
    }

    proptest! {
        /// A batch is read in the order of its requests, however its pages come, and nothing is asked twice.
        #[test]
        fn the_order_of_arrival_does_not_matter(
            wanted in prop::collection::vec(0_u8..20, 1..12),
            arrival in prop::collection::vec(0_u8..20, 0..30),
        ) {
            let address = |n: u8| format!("https://a.example/{n}");
            let mut batch: RequestBatch<u8> = RequestBatch::default();
            let mut order: Vec<u8> = Vec::new();
            for n in wanted {
                let new = batch.ask(&Request::get(address(n)), n, 1);
                prop_assert_eq!(new, !order.contains(&n));
                if new {
                    order.push(n);
                }
            }
            let mut sent = 0;
            batch.send(&mut |_| sent += 1);
            prop_assert_eq!(sent, order.len());
            for n in &arrival {
                batch.put(address(*n), page(&address(*n)));
            }
            prop_assert_eq!(batch.is_complete(), order.iter().all(|n| arrival.contains(n)));
            let answers = batch.collect();
            let tasks: Vec<u8> = answers.iter().map(|(asked, _)| asked.task).collect();
            prop_assert_eq!(&tasks, &order);
            for (asked, page) in &answers {
                prop_assert_eq!(page.is_some(), arrival.contains(&asked.task));
            }
            prop_assert!(batch.is_empty());
        }
    }
}
