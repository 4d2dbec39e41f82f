//! Probes a site's search: finds its search form, sends words that match much, little and nothing, and
//! keeps the results pages (THOR, "Probe, Cluster, and Discover", §2).
//!
//! 1. Pages are read until one has a search form that may be sent.
//! 2. Words are sent in batches: common words of the site's language, words of earlier results (some
//!    frequent, some rare), and nonsense.
//! 3. After a batch the results pages are clustered. Probing ends when no batch brings a new class of
//!    pages, or all words were sent.
//! 4. With `sweep`, words of the results are sent for as long as they lead to new pages.
//!
//! More in `docs/algorithms/probe.md`.

mod choice;
mod facts;
mod result_links;
mod site;
mod words;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{PageView, Proposal};
pub(super) use facts::{ProbeFacts, language, words};
use site::SiteProbe;
pub(super) use words::nonsense;
pub(super) use words::{language as language_of, list as word_list};

/// How search forms are probed.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbeSettings {
    /// Most words to send. Default 100, as in the paper (§2).
    pub words: usize,
    /// Queries that should match nothing, or be refused. Default 10, as in the paper (§2).
    pub nonsense: usize,
    /// Words to send in place of the built-in ones.
    pub own_words: Vec<String>,
    /// Whether words of earlier results are sent, too.
    pub adapt: bool,
    /// Whether selects and radio buttons of the form are varied; else they keep the page's choice.
    pub vary_choices: bool,
    /// Most pages to read in search of a form. Default 20.
    pub pages_for_form: usize,
    /// Fewest results pages before probing may end early. Default 33: three batches.
    pub least: usize,
    /// Results pages in a row without a new class of pages that end it. Default 22: two batches.
    pub steady: usize,
    /// Most further words to send, as long as their results link to new pages. Default 0: the paper
    /// wants every class of results pages, not every result.
    pub sweep: usize,
    /// Whether the pages of results are fetched.
    pub details: bool,
}

impl Default for ProbeSettings {
    fn default() -> Self {
        Self {
            words: 100,
            nonsense: 10,
            own_words: Vec::new(),
            adapt: true,
            vary_choices: false,
            pages_for_form: 20,
            least: 33,
            steady: 22,
            sweep: 0,
            details: false,
        }
    }
}

impl ProbeSettings {
    /// As in the paper: all words of the list and all nonsense.
    #[must_use]
    pub fn paper() -> Self {
        Self { adapt: false, least: usize::MAX, ..Self::default() }
    }
}

/// The report of probing a site.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ProbeReport {
    /// `scheme://host:port`.
    pub host: String,
    /// The search form in words: method, address, field, page, score.
    pub form: Option<String>,
    /// Words of a list that were sent.
    pub listed: usize,
    /// Words of the site's own pages that were sent.
    pub seen: usize,
    /// Nonsense queries that were sent.
    pub nonsense: usize,
    /// Results pages that were read.
    pub answers: usize,
    /// Results pages in each class, the likeliest to hold records first.
    pub classes: Vec<usize>,
    /// Pages of results.
    #[serde(default)]
    pub found: usize,
    /// Why it is over; `None` while it is not.
    pub end: Option<String>,
}

/// The strategy: one probe for each host.
#[derive(Debug)]
pub(crate) struct Probe {
    settings: ProbeSettings,
    sites: BTreeMap<String, SiteProbe>,
}

impl Probe {
    pub(super) fn new(settings: ProbeSettings) -> Self {
        Self { settings, sites: BTreeMap::new() }
    }

    pub(super) fn observe(&mut self, page: &PageView<'_>) {
        let super::PageFacts::Probe(facts) = page.facts else { return };
        let host = page.address.host();
        if !self.sites.contains_key(host) {
            self.sites.insert(host.to_owned(), SiteProbe::default());
        }
        if let Some(site) = self.sites.get_mut(host) {
            site.observe(page, facts, &self.settings);
        }
    }

    pub(super) fn idle(&mut self, propose: &mut dyn FnMut(Proposal<'static>)) {
        for site in self.sites.values_mut() {
            site.idle(&self.settings, propose);
        }
    }

    pub(super) fn progress(&self) -> super::ProbeProgress {
        let mut sum = super::ProbeProgress::default();
        self.sites.values().for_each(|site| sum += site.progress(&self.settings));
        sum
    }

    pub(super) fn report(&self) -> Vec<ProbeReport> {
        self.sites.iter().map(|(host, site)| site.report(host)).collect()
    }
}
