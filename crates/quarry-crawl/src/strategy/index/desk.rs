//! What was asked, and what is still out? Requests go out in waves; a wave is read when all of it has
//! come, in the order of asking. So the walk is the same however fast answers come, and after a
//! restart, when the archived pages are shown again.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use quarry_model::Request;

use super::sight::Sight;
use crate::Address;
use crate::strategy::Proposal;

/// Requests of a wave at the most: enough to keep several connections busy, few enough to be held in
/// memory.
const WAVE: usize = 200;

/// A page as it was read.
#[derive(Debug, Clone)]
pub(super) struct Page {
    pub(super) address: String,
    pub(super) depth: u32,
    pub(super) sight: Arc<Sight>,
}

/// A request of the present wave.
#[derive(Debug)]
pub(super) struct Asked<T> {
    key: String,
    /// As it was asked, before redirects.
    pub(super) address: String,
    pub(super) task: T,
    proposal: Option<Proposal<'static>>,
}

/// Requests in and out.
#[derive(Debug)]
pub(super) struct Desk<T> {
    /// Keys of all requests ever made.
    known: BTreeSet<String>,
    wave: Vec<Asked<T>>,
    out: BTreeSet<String>,
    /// Pages that have come and were not read yet; after a restart also some that nobody has asked
    /// for yet.
    shelf: BTreeMap<String, Page>,
}

impl<T> Default for Desk<T> {
    fn default() -> Self {
        Self {
            known: BTreeSet::new(),
            wave: Vec::new(),
            out: BTreeSet::new(),
            shelf: BTreeMap::new(),
        }
    }
}

impl<T> Desk<T> {
    /// Puts a page on the shelf.
    pub(super) fn put(&mut self, key: String, page: Page) {
        self.out.remove(&key);
        self.shelf.insert(key, page);
    }

    /// Marks what needs no request.
    pub(super) fn know(&mut self, key: &str) {
        self.known.insert(key.to_owned());
        self.shelf.remove(key);
    }

    /// Puts a page back that was read for another purpose: it may be asked for once more.
    pub(super) fn put_back(&mut self, key: &str, page: Page) {
        self.known.remove(key);
        self.shelf.insert(key.to_owned(), page);
    }

    pub(super) fn room(&self) -> usize {
        WAVE.saturating_sub(self.wave.len())
    }

    pub(super) fn is_idle(&self) -> bool {
        self.wave.is_empty()
    }

    /// Whether all of the wave has come.
    pub(super) fn is_complete(&self) -> bool {
        self.out.is_empty()
    }

    pub(super) fn knows(&self, key: &str) -> bool {
        self.known.contains(key)
    }

    /// Adds a request to the wave, unless it was made before.
    pub(super) fn ask(&mut self, request: &Request, task: T, depth: u32) -> bool {
        let Ok(address) = Address::normalise(&request.url) else { return false };
        let plain = address.as_str().to_owned();
        let proposal = Proposal {
            address: Cow::Owned(address),
            body: request.body.clone(),
            depth,
            priority: 0,
        };
        let key = proposal.request().key().into_owned();
        if !self.known.insert(key.clone()) {
            return false;
        }
        if !self.shelf.contains_key(&key) {
            self.out.insert(key.clone());
        }
        self.wave.push(Asked { key, address: plain, task, proposal: Some(proposal) });
        true
    }

    /// Proposes what was not yet proposed and has not come.
    pub(super) fn send(&mut self, propose: &mut dyn FnMut(Proposal<'static>)) -> bool {
        let mut sent = false;
        for asked in &mut self.wave {
            if let Some(proposal) = asked.proposal.take()
                && self.out.contains(&asked.key)
            {
                sent = true;
                propose(proposal);
            }
        }
        sent
    }

    /// Ends the wave: what was asked, in its order, with the pages that came.
    pub(super) fn collect(&mut self) -> Vec<(Asked<T>, Option<Page>)> {
        self.out.clear();
        let wave = std::mem::take(&mut self.wave);
        wave.into_iter()
            .map(|asked| {
                let page = self.shelf.remove(&asked.key);
                (asked, page)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn page(address: &str) -> Page {
        Page { address: address.to_owned(), depth: 1, sight: Arc::new(Sight::default()) }
    }

    proptest! {
        /// A wave is read in the order of asking, however its pages come, and nothing is asked twice.
        #[test]
        fn the_order_of_arrival_does_not_matter(
            wanted in prop::collection::vec(0_u8..20, 1..12),
            arrival in prop::collection::vec(0_u8..20, 0..30),
        ) {
            let address = |n: u8| format!("https://a.example/{n}");
            let mut desk: Desk<u8> = Desk::default();
            let mut order: Vec<u8> = Vec::new();
            for n in wanted {
                let new = desk.ask(&Request::get(address(n)), n, 1);
                prop_assert_eq!(new, !order.contains(&n));
                if new {
                    order.push(n);
                }
            }
            let mut sent = 0;
            desk.send(&mut |_| sent += 1);
            prop_assert_eq!(sent, order.len());
            for n in &arrival {
                desk.put(address(*n), page(&address(*n)));
            }
            prop_assert_eq!(desk.is_complete(), order.iter().all(|n| arrival.contains(n)));
            let wave = desk.collect();
            let tasks: Vec<u8> = wave.iter().map(|(asked, _)| asked.task).collect();
            prop_assert_eq!(&tasks, &order);
            for (asked, page) in &wave {
                prop_assert_eq!(page.is_some(), arrival.contains(&asked.task));
            }
            prop_assert!(desk.is_idle());
        }
    }
}
