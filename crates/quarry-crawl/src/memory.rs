//! A frontier in memory: the [`Frontier`] for tests, dry runs and crawls that
//! need no resume. Every operation is O(log n).

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use quarry_model::{
    Added, Candidate, End, Entry, EntryId, Frontier, FrontierCounts, HostRecord, HostWork,
    Timestamp,
};
use xxhash_rust::xxh3::xxh3_128;

/// A frontier in memory.
///
/// ```
/// use quarry_crawl::MemoryFrontier;
/// use quarry_model::{Candidate, Frontier, Request, Timestamp};
///
/// let mut frontier = MemoryFrontier::default();
/// let host = "https://shop.example".to_owned();
/// let request = Request::get("https://shop.example/");
/// frontier.add(&[Candidate { request, host, ..Candidate::default() }]).unwrap();
/// assert!(frontier.lease("https://shop.example", Timestamp(0)).unwrap().is_some());
/// ```
#[derive(Debug, Clone, Default)]
pub struct MemoryFrontier {
    /// Request key (its 128-bit hash) to index into `slots`.
    known: BTreeMap<u128, usize>,
    slots: Vec<Slot>,
    queues: BTreeMap<String, Queue>,
    hosts: BTreeMap<String, HostRecord>,
    counts: FrontierCounts,
}

#[derive(Debug, Clone)]
struct Slot {
    candidate: Candidate,
    attempts: u32,
    due: Timestamp,
    state: State,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Queued,
    Leased,
    Ended(End),
}

/// The queued entries of one host: those seen to be due in lease order, the others by due time.
#[derive(Debug, Clone, Default)]
struct Queue {
    ready: BTreeSet<(i32, u32, usize)>,
    waiting: BTreeSet<(Timestamp, usize)>,
}

impl Queue {
    fn len(&self) -> usize {
        self.ready.len() + self.waiting.len()
    }
}

/// Entries that were never put back are due since the beginning of time.
const AT_ONCE: Timestamp = Timestamp(0);

impl MemoryFrontier {
    /// How the entry of a request key ended, if it is known and has.
    #[must_use]
    pub fn end_of(&self, key: &str) -> Option<&End> {
        match &self.slots[*self.known.get(&xxh3_128(key.as_bytes()))?].state {
            State::Ended(end) => Some(end),
            State::Queued | State::Leased => None,
        }
    }

    /// Every candidate ever accepted, in order of arrival, with its end if it has one.
    pub fn entries(&self) -> impl Iterator<Item = (&Candidate, Option<&End>)> {
        self.slots.iter().map(|slot| {
            let end = match &slot.state {
                State::Ended(end) => Some(end),
                State::Queued | State::Leased => None,
            };
            (&slot.candidate, end)
        })
    }

    fn enqueue(&mut self, index: usize) {
        let slot = &self.slots[index];
        let queue = match self.queues.get_mut(&slot.candidate.host) {
            Some(queue) => queue,
            None => self.queues.entry(slot.candidate.host.clone()).or_default(),
        };
        if slot.due <= AT_ONCE {
            queue.ready.insert((slot.candidate.priority, slot.candidate.depth, index));
        } else {
            queue.waiting.insert((slot.due, index));
        }
    }

    fn dequeue(&mut self, index: usize) {
        let slot = &self.slots[index];
        let host = &slot.candidate.host;
        let Some(queue) = self.queues.get_mut(host) else { return };
        queue.ready.remove(&(slot.candidate.priority, slot.candidate.depth, index));
        queue.waiting.remove(&(slot.due, index));
        if queue.len() == 0 {
            self.queues.remove(host);
        }
    }

    fn insert(&mut self, candidate: Candidate, key: u128, state: State) -> usize {
        let index = self.slots.len();
        self.slots.push(Slot { candidate, attempts: 0, due: AT_ONCE, state });
        self.known.insert(key, index);
        index
    }

    fn leased(&mut self, id: EntryId) -> Option<usize> {
        let index = usize::try_from(id.0).ok()?;
        (self.slots.get(index)?.state == State::Leased).then_some(index)
    }
}

impl Frontier for MemoryFrontier {
    type Error = Infallible;

    fn add(&mut self, candidates: &[Candidate]) -> Result<Added, Infallible> {
        let mut added = Added::default();
        for candidate in candidates {
            let key = xxh3_128(candidate.request.key().as_bytes());
            if let Some(&index) = self.known.get(&key) {
                added.known += 1;
                let old = &self.slots[index].candidate;
                let lesser = (old.priority.min(candidate.priority), old.depth.min(candidate.depth));
                if self.slots[index].state == State::Queued && lesser != (old.priority, old.depth) {
                    self.dequeue(index);
                    let slot = &mut self.slots[index];
                    (slot.candidate.priority, slot.candidate.depth) = lesser;
                    self.enqueue(index);
                }
            } else {
                added.new += 1;
                self.counts.queued += 1;
                let index = self.insert(candidate.clone(), key, State::Queued);
                self.enqueue(index);
            }
        }
        Ok(added)
    }

    fn lease(&mut self, host: &str, now: Timestamp) -> Result<Option<Entry>, Infallible> {
        let Some(queue) = self.queues.get_mut(host) else { return Ok(None) };
        while let Some(&(due, index)) = queue.waiting.first().filter(|(due, _)| *due <= now) {
            let candidate = &self.slots[index].candidate;
            queue.waiting.remove(&(due, index));
            queue.ready.insert((candidate.priority, candidate.depth, index));
        }
        let Some((_, _, index)) = queue.ready.pop_first() else { return Ok(None) };
        if queue.len() == 0 {
            self.queues.remove(host);
        }
        self.counts.queued -= 1;
        self.counts.leased += 1;
        let slot = &mut self.slots[index];
        slot.state = State::Leased;
        Ok(Some(Entry {
            id: EntryId(index as i64),
            candidate: slot.candidate.clone(),
            attempts: slot.attempts,
            fresh_until: None,
        }))
    }

    fn finish(&mut self, id: EntryId, end: &End) -> Result<(), Infallible> {
        if let Some(index) = self.leased(id) {
            self.slots[index].state = State::Ended(end.clone());
            self.counts.leased -= 1;
            match end {
                End::Done => self.counts.done += 1,
                End::Skipped(_) => self.counts.skipped += 1,
                End::Failed(_) => self.counts.failed += 1,
            }
        }
        Ok(())
    }

    fn put_back(&mut self, id: EntryId, due: Timestamp, attempted: bool) -> Result<(), Infallible> {
        if let Some(index) = self.leased(id) {
            let slot = &mut self.slots[index];
            slot.due = due;
            slot.attempts += u32::from(attempted);
            slot.state = State::Queued;
            self.counts.leased -= 1;
            self.counts.queued += 1;
            self.enqueue(index);
        }
        Ok(())
    }

    fn claim(&mut self, candidate: &Candidate) -> Result<bool, Infallible> {
        let key = xxh3_128(candidate.request.key().as_bytes());
        match self.known.get(&key).copied() {
            None => {
                self.insert(candidate.clone(), key, State::Ended(End::Done));
            }
            Some(index) if self.slots[index].state == State::Queued => {
                self.dequeue(index);
                self.slots[index].state = State::Ended(End::Done);
                self.counts.queued -= 1;
            }
            Some(_) => return Ok(false),
        }
        self.counts.done += 1;
        Ok(true)
    }

    fn work(&self) -> Result<Vec<HostWork>, Infallible> {
        let work = self.queues.iter().map(|(host, queue)| {
            let due = match queue.waiting.first() {
                Some((due, _)) if queue.ready.is_empty() => *due,
                _ => AT_ONCE,
            };
            HostWork { host: host.clone(), queued: queue.len() as u64, due }
        });
        Ok(work.collect())
    }

    fn counts(&self) -> Result<FrontierCounts, Infallible> {
        Ok(self.counts)
    }

    fn release_leases(&mut self) -> Result<u64, Infallible> {
        let mut released = 0;
        for index in 0..self.slots.len() {
            if self.slots[index].state == State::Leased {
                self.slots[index].state = State::Queued;
                self.enqueue(index);
                released += 1;
            }
        }
        self.counts.leased -= released;
        self.counts.queued += released;
        Ok(released)
    }

    fn host(&self, host: &str) -> Result<Option<HostRecord>, Infallible> {
        Ok(self.hosts.get(host).cloned())
    }

    fn save_host(&mut self, record: &HostRecord) -> Result<(), Infallible> {
        self.hosts.insert(record.host.clone(), record.clone());
        Ok(())
    }
}
