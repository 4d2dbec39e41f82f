//! Which hosts have work? Counts per host, kept in memory so that asking is free.

use std::collections::BTreeMap;

use quarry_model::{HostWork, Timestamp};

/// The queued entries of one host.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct HostQueue {
    /// Its row in `hosts`.
    pub(super) id: i64,
    /// Entries that may be leased at once.
    pub(super) ready: u64,
    /// Entries that were put back and wait.
    pub(super) waiting: u64,
    /// When the first of those is due.
    pub(super) first_due: i64,
}

/// Every host of the frontier.
#[derive(Debug, Default)]
pub(super) struct Hosts {
    by_name: BTreeMap<String, usize>,
    by_id: BTreeMap<i64, usize>,
    queues: Vec<HostQueue>,
}

impl Hosts {
    pub(super) fn get(&self, name: &str) -> Option<&HostQueue> {
        self.by_name.get(name).map(|&at| &self.queues[at])
    }

    pub(super) fn by_id(&mut self, id: i64) -> Option<&mut HostQueue> {
        self.by_id.get(&id).map(|&at| &mut self.queues[at])
    }

    pub(super) fn insert(&mut self, name: String, id: i64) {
        self.by_name.insert(name, self.queues.len());
        self.by_id.insert(id, self.queues.len());
        self.queues.push(HostQueue { id, ..HostQueue::default() });
    }

    /// The hosts that have queued entries, in order of name.
    pub(super) fn work(&self) -> Vec<HostWork> {
        let queued = self.by_name.iter().map(|(name, &at)| (name, &self.queues[at]));
        queued
            .filter(|(_, queue)| queue.ready + queue.waiting > 0)
            .map(|(name, queue)| HostWork {
                host: name.clone(),
                queued: queue.ready + queue.waiting,
                due: Timestamp(if queue.ready > 0 { 0 } else { queue.first_due }),
            })
            .collect()
    }
}
