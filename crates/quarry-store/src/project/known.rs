//! A cache of request hashes: a small table of hashes in front of the large one on disk:
//! most links of a page point to where the page before it pointed, too.

/// What is known of a request without asking the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Slot {
    hash: u64,
    depth: u32,
    priority: i32,
}

/// A direct-mapped cache: a hash has one place, and the newest one there stays.
#[derive(Debug)]
pub(crate) struct KnownRequests {
    slots: Vec<Slot>,
}

impl KnownRequests {
    /// Room for 2^`bits` requests, 16 bytes each.
    pub(crate) fn new(bits: u32) -> Self {
        Self { slots: vec![Slot::default(); 1 << bits] }
    }

    /// Whether the request is known, and known with no greater depth and priority: then there is
    /// nothing to do.
    pub(crate) fn covers(&self, hash: u64, depth: u32, priority: i32) -> bool {
        let slot = self.slots[self.at(hash)];
        slot.hash == hash && slot.depth <= depth && slot.priority <= priority
    }

    /// Remembers a request with the depth and priority that it has.
    pub(crate) fn remember(&mut self, hash: u64, depth: u32, priority: i32) {
        let at = self.at(hash);
        self.slots[at] = Slot { hash, depth, priority };
    }

    /// Forgets every request.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(Slot::default());
    }

    fn at(&self, hash: u64) -> usize {
        (hash as usize) & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_what_needs_no_change() {
        let mut known = KnownRequests::new(4);
        assert!(!known.covers(17, 5, 0));
        known.remember(17, 2, 0);
        assert!(known.covers(17, 2, 0) && known.covers(17, 9, 7));
        assert!(!known.covers(17, 1, 0), "a lesser depth must reach the database");
        assert!(!known.covers(17, 2, -1), "and so must a lesser priority");
        known.remember(33, 0, 0);
        assert!(!known.covers(17, 2, 0), "the newest hash of a slot stays");
    }
}
