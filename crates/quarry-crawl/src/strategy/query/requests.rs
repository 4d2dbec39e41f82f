//! The requests of an exploration: what each one is for, which are unanswered, which are still to be
//! handed to the engine.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use quarry_model::Request;

use super::facts::QueryFacts;
use super::identity::ComparedPage;
use crate::Address;
use crate::query::{AttributeId, QueryId};
use crate::strategy::Proposal;

/// Priority of further pages of a list. They are requested before new queries, so that the pages of
/// one list are close in time.
pub(super) const NEXT_PAGE: i32 = -1;

/// A page that was fetched and read.
#[derive(Debug, Clone)]
pub(super) struct FetchedPage {
    /// Its address; for a posted form, the key of the request.
    pub(super) name: String,
    /// Links from a seed.
    pub(super) depth: u32,
    pub(super) facts: Arc<QueryFacts>,
}

/// Pages that were read for one purpose and may be needed for another, by request.
#[derive(Debug, Default)]
pub(super) struct KeptPages {
    /// Pages read before any facet was found, and supposed entity pages that are lists.
    pub(super) read: BTreeMap<String, FetchedPage>,
    /// Pages to hand out again after a restart from another root page.
    pub(super) reusable: BTreeMap<String, FetchedPage>,
}

impl KeptPages {
    /// The page that a request brought.
    pub(super) fn find(&self, request: &Request) -> Option<FetchedPage> {
        let address = Address::normalise(&request.url).ok()?;
        let key = Request::get(address.as_str()).key().into_owned();
        self.read.get(&key).cloned()
    }
}

/// A request that is to be handed to the engine.
#[derive(Debug)]
pub(super) struct Outgoing {
    pub(super) key: String,
    pub(super) proposal: Proposal<'static>,
}

/// What a request is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Task {
    /// The seed.
    Root,
    /// The list of all entities with more entities a page.
    LargerRoot,
    /// The n-th page of a query, from 1.
    List { query: QueryId, page: u32 },
    /// The values of an attribute that a query's page did not show.
    MoreValues { query: QueryId, attribute: AttributeId },
    /// The results of a keyword search.
    Keyword { query: QueryId },
    /// An entity's own page; `sampled` if its text is compared with the facet values.
    EntityPage { sampled: bool },
    /// A further page of a hub.
    HubPage,
    /// A list that all lists of a hub may narrow.
    CommonList,
    /// A page that shows whether a part of an entity's address belongs to its identity.
    Compare(ComparedPage),
    /// The root list without one of its restrictions.
    Lift,
    /// What a link leads to that several records of the root list share.
    SharedLink,
    /// The own page of a record of the root list, to see whether it is a list.
    RecordPage,
}

impl Task {
    /// Whether nothing links to what is asked for, as far as is known: it may be refused or missing.
    fn is_guess(&self) -> bool {
        matches!(self, Self::CommonList | Self::Lift | Self::Compare(ComparedPage::Bare))
    }
}

/// The requests of one exploration.
#[derive(Debug)]
pub(super) struct Requests {
    root_key: String,
    pending: BTreeMap<String, Task>,
    outgoing: VecDeque<Outgoing>,
    /// Links from a seed to the root page.
    pub(super) root_depth: u32,
    /// Requests that brought a page.
    pub(super) answered: u64,
}

impl Requests {
    /// The seed has been requested.
    pub(super) fn new(root_key: String) -> Self {
        Self {
            pending: BTreeMap::from([(root_key.clone(), Task::Root)]),
            root_key,
            outgoing: VecDeque::new(),
            root_depth: 0,
            answered: 0,
        }
    }

    /// Nothing is pending any more, and the count goes on.
    pub(super) fn restarted(&self) -> Self {
        let (root_key, answered) = (self.root_key.clone(), self.answered);
        Self { pending: BTreeMap::new(), answered, ..Self::new(root_key) }
    }

    pub(super) fn root_key(&self) -> &str {
        &self.root_key
    }

    pub(super) fn is_pending(&self, key: &str) -> bool {
        self.pending.contains_key(key)
    }

    pub(super) fn any_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Entities' own pages that have not come yet.
    pub(super) fn pending_entity_pages(&self) -> u64 {
        let is_detail = |task: &&Task| matches!(task, Task::EntityPage { .. });
        self.pending.values().filter(is_detail).count() as u64
    }

    pub(super) fn any_outgoing(&self) -> bool {
        !self.outgoing.is_empty()
    }

    pub(super) fn next_outgoing(&mut self) -> Option<Outgoing> {
        self.outgoing.pop_front()
    }

    /// Whether it is still open which page of the list of all entities is the best to begin with.
    pub(super) fn awaits_root(&self) -> bool {
        let is_root = |task: &Task| match task {
            Task::Root | Task::LargerRoot | Task::Lift => true,
            Task::List { query, .. } => *query == QueryId::ROOT,
            _ => false,
        };
        self.pending.values().any(is_root)
    }

    /// Adds a request. False if the same request is pending, or its address cannot be read.
    pub(super) fn send(&mut self, request: &Request, task: Task, priority: i32) -> bool {
        let Ok(address) = Address::normalise(&request.url) else { return false };
        let body = request.body.clone();
        let depth = self.root_depth + 1;
        let (address, is_guess) = (Cow::Owned(address), task.is_guess());
        let proposal = Proposal { address, body, depth, priority, is_guess };
        let key = proposal.request().key().into_owned();
        if self.pending.contains_key(&key) || key == self.root_key {
            return false;
        }
        self.pending.insert(key.clone(), task);
        self.outgoing.push_back(Outgoing { key, proposal });
        true
    }

    /// What the request with this key was for, now that its page has come.
    pub(super) fn answer(&mut self, key: &str) -> Option<Task> {
        let task = self.pending.remove(key)?;
        self.answered += 1;
        Some(task)
    }

    /// What was requested and never came.
    pub(super) fn give_up(&mut self) -> Vec<Task> {
        std::mem::take(&mut self.pending).into_values().collect()
    }
}
