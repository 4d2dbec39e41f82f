//! Learns which parts of entity addresses say only from which list an entity was reached: a few pages are
//! requested with and without such a part and compared.
//!
//! 1. A list whose entity links all carry a parameter, or stand in a folder, that those of the first
//!    list have not (or with another value) raises the question.
//! 2. One entity is requested with the part and without it, and another entity without it. If leaving
//!    the part out changes far less than taking another entity does, it is not part of identity.
//!    `rel=canonical` of the first page is a witness, too.
//! 3. The verdict holds for the site; lists that wait for it are then read.

use std::collections::BTreeSet;

use quarry_model::Request;

use super::explore::Exploration;
use super::requests::{FetchedPage, NEXT_PAGE, Task};
use super::state::SiteState;
use crate::query::{EntityIdentity, QueryId};

/// The difference that a part of the address makes may be this share of the difference between two
/// entities: pages say where one came from, in a line or two.
const CONTEXT_DIFFERENCE: f64 = 0.25;

/// What entity addresses may carry of the list that shows them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Context {
    /// Parameters of these names.
    Parameters(BTreeSet<String>),
    /// The path before the entity's own part, and what stands there for entities of the first list.
    Folder { from: String, to: String },
}

impl Context {
    /// The identity with this part left out of addresses, too.
    fn added_to(&self, identity: &EntityIdentity) -> EntityIdentity {
        let mut identity = identity.clone();
        match self {
            Self::Parameters(names) => identity.parameters.extend(names.iter().cloned()),
            Self::Folder { from, to } => {
                identity.folders.insert(from.clone(), to.clone());
            }
        }
        identity
    }

    fn name(&self) -> String {
        match self {
            Self::Parameters(names) => {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                format!("parameter {}", names.join(", "))
            }
            Self::Folder { from, .. } => format!("folder {from}"),
        }
    }
}

/// The pages that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ComparedPage {
    /// An entity as the list links to it.
    Full,
    /// The same entity without the part in question.
    Bare,
    /// Another entity without it.
    Other,
}

/// A comparison under way.
#[derive(Debug)]
struct Comparison {
    context: Context,
    /// The address without the part in question.
    bare_address: String,
    full: Option<FetchedPage>,
    bare: Option<FetchedPage>,
    other: Option<FetchedPage>,
}

impl Comparison {
    fn is_complete(&self) -> bool {
        self.full.is_some() && self.bare.is_some() && self.other.is_some()
    }

    /// Whether leaving the part out shows the same entity, and the evidence.
    fn verdict(&self) -> (bool, String) {
        let name = self.context.name();
        let (Some(full), Some(bare), Some(other)) = (&self.full, &self.bare, &self.other) else {
            return (
                false,
                format!("{name}: pages without it cannot be had, so it is part of identity"),
            );
        };
        let own = full.facts.sketch.similarity(&bare.facts.sketch);
        let others = bare.facts.sketch.similarity(&other.facts.sketch);
        let is_canonical = full.facts.canonical.as_deref() == Some(self.bare_address.as_str());
        let is_same =
            is_canonical || (1.0 - own <= CONTEXT_DIFFERENCE * (1.0 - others) && others < 1.0);
        let so = if is_same { "not part of identity" } else { "part of identity" };
        let evidence = format!(
            "{name}: {so} (with and without it {own:.2} of the text is the same, of two entities {others:.2})"
        );
        (is_same, evidence)
    }
}

/// What is known and being found out about identity.
#[derive(Debug, Default)]
pub(super) struct IdentityState {
    comparison: Option<Comparison>,
    /// Lists that wait for the verdict, with their requests.
    waiting: Vec<(String, FetchedPage, Task)>,
    rejected: BTreeSet<Context>,
    /// A folder was found not to be part of identity: so are the folders of other lists.
    folders_vary: bool,
    /// A folder was found to be part of identity: those of other lists are not compared.
    folders_matter: bool,
    /// Folders of lists none of whose entities is known from another folder so far: nothing asks whether they matter.
    unasked: BTreeSet<Context>,
    /// The own parts of known entities' addresses, and how many entities were looked at for them.
    own_parts: (BTreeSet<String>, usize),
    /// What was decided, and why.
    pub(super) evidence: Vec<String>,
}

impl IdentityState {
    /// Whether a page of the root list waits for a verdict.
    pub(super) fn holds_root(&self) -> bool {
        let is_root =
            |task: &Task| matches!(task, Task::List { query, .. } if *query == QueryId::ROOT);
        self.waiting.iter().any(|(_, _, task)| is_root(task))
    }
}

impl Exploration {
    /// Whether a list has to wait until it is known what its entity addresses carry. Requests the pages
    /// to compare if nobody has.
    pub(super) fn waits_for_identity(
        &mut self,
        key: &str,
        page: &FetchedPage,
        task: &Task,
    ) -> bool {
        let state = &mut self.state;
        let links = &state.lists.entity_links;
        let Some(context) = links.context(&page.facts, &state.graph.identity) else { return false };
        let is_folder = matches!(context, Context::Folder { .. });
        if state.identity.rejected.contains(&context)
            || (is_folder && state.identity.folders_matter)
        {
            return false;
        }
        if is_folder && state.identity.folders_vary {
            accept(state, &context);
            return false;
        }
        // Lists that no list of all holds may well have nothing in common: a topic stands in the folder of its forum.
        if is_folder && state.graph[QueryId::ROOT].answers.is_empty() && !state.shares_parts(page) {
            state.identity.unasked.insert(context);
            return false;
        }
        let begins = state.identity.comparison.is_none();
        if begins && !begin(state, context, page) {
            return false;
        }
        state.identity.waiting.push((key.to_owned(), page.clone(), task.clone()));
        true
    }

    /// Takes a page that is compared.
    pub(super) fn take_compared(&mut self, role: ComparedPage, page: &FetchedPage) {
        let Some(comparison) = &mut self.state.identity.comparison else { return };
        let place = match role {
            ComparedPage::Full => &mut comparison.full,
            ComparedPage::Bare => &mut comparison.bare,
            ComparedPage::Other => &mut comparison.other,
        };
        *place = Some(page.clone());
        if comparison.is_complete() {
            self.settle_identity();
        }
    }

    /// Decides by what has come, and reads the lists that waited.
    pub(super) fn settle_identity(&mut self) {
        let state = &mut self.state;
        let Some(comparison) = state.identity.comparison.take() else { return };
        let (is_same, evidence) = comparison.verdict();
        state.identity.evidence.push(evidence);
        if is_same {
            accept(state, &comparison.context);
            if matches!(comparison.context, Context::Folder { .. }) {
                state.identity.folders_vary = true;
                let unasked = std::mem::take(&mut state.identity.unasked);
                unasked.iter().for_each(|context| accept(state, context));
            }
        } else {
            state.identity.folders_matter |= matches!(comparison.context, Context::Folder { .. });
            state.identity.rejected.insert(comparison.context);
        }
        for (key, page, task) in std::mem::take(&mut state.identity.waiting) {
            // Its addresses may carry another part.
            if !self.waits_for_identity(&key, &page, &task) {
                self.read(&key, &page, task);
            }
        }
    }
}

impl SiteState {
    /// Whether the page's entities include one that is known from another folder, by the last part of its address.
    fn shares_parts(&mut self, page: &FetchedPage) -> bool {
        let (known, looked_at) = &mut self.identity.own_parts;
        let entities = self.graph.entities();
        if entities.len() < *looked_at {
            (*known, *looked_at) = (BTreeSet::new(), 0);
        }
        known.extend(entities[*looked_at..].iter().map(|address| own_part(address).to_owned()));
        *looked_at = entities.len();
        let identity = &self.graph.identity;
        let is_new =
            |address: &str| self.graph.entities.find(&identity.canonical(address)).is_none();
        let mut shown = self.lists.entity_links.at_places(&page.facts);
        shown.any(|link| known.contains(own_part(&link.address)) && is_new(&link.address))
    }
}

/// What stands behind the last folder of an address.
fn own_part(address: &str) -> &str {
    let path = address.split(['?', '#']).next().unwrap_or(address).trim_end_matches('/');
    path.rsplit_once('/').map_or(path, |(_, own)| own)
}

/// Leaves a part of addresses out of identity.
fn accept(state: &mut SiteState, context: &Context) {
    state.graph.identity = context.added_to(&state.graph.identity);
    state.join_entities();
}

/// Requests the pages to compare. False if there are none.
fn begin(state: &mut SiteState, context: Context, page: &FetchedPage) -> bool {
    let identity = context.added_to(&state.graph.identity);
    let links = &state.lists.entity_links;
    let changed: Vec<(&str, String)> = links
        .at_places(&page.facts)
        .map(|link| (link.address.as_str(), identity.canonical(&link.address).into_owned()))
        .filter(|(full, bare)| full != bare)
        .collect();
    let Some((full, bare)) = changed.first().cloned() else { return false };
    let known =
        state.graph.entities().iter().map(|address| identity.canonical(address).into_owned());
    let mut others = changed.iter().map(|(_, bare)| bare.clone()).chain(known);
    let Some(other) = others.find(|other| *other != bare) else { return false };
    let pages = [
        (ComparedPage::Full, full),
        (ComparedPage::Bare, bare.as_str()),
        (ComparedPage::Other, other.as_str()),
    ];
    for (role, address) in pages {
        if !state.requests.send(&Request::get(address), Task::Compare(role), NEXT_PAGE) {
            // What is on its way for another purpose will come; what cannot be asked is given up.
            state.identity.evidence.push(format!("{address} could not be asked for a comparison"));
        }
    }
    state.identity.comparison =
        Some(Comparison { context, bare_address: bare, full: None, bare: None, other: None });
    true
}
