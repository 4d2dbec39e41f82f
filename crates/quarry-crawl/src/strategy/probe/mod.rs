//! What does a site answer when it is asked? Finds its search form, asks it for words that match
//! much, little and nothing, and keeps the answers (THOR, "Probe, Cluster, and Discover", §2).
//!
//! 1. Pages are looked at until one has a search form that may be sent.
//! 2. Words are asked in waves: common words of the site's language, words that stood on earlier
//!    answers (some frequent, some rare), and nonsense.
//! 3. After a wave the answers are clustered. When no wave brings a new class of pages any more, or
//!    everything was asked, it is over.
//!
//! 4. Who wants all that can be found sweeps on: words of the answers are asked for as long as that leads to new pages.
//!
//! More in `docs/algorithms/probe.md`.

mod choice;
mod found;
mod sight;
mod site;
mod words;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{PageView, Proposal};
pub(super) use sight::{Sight, language, words};
use site::SiteProbe;
pub(super) use words::nonsense;
pub(super) use words::{language as language_of, list as word_list};

/// How search forms are probed.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbeSettings {
    /// Words to ask for at the most. Default 100, as in the paper (§2).
    pub words: usize,
    /// Queries that should match nothing, or be refused. Default 10, as in the paper (§2).
    pub nonsense: usize,
    /// Words to ask for in place of the built-in ones.
    pub own_words: Vec<String>,
    /// Whether words that stood on earlier answers are asked for, too.
    pub adapt: bool,
    /// Whether selects and radio buttons of the form are varied; else they keep the page's choice.
    pub vary_choices: bool,
    /// Pages to look at in search of a form. Default 20.
    pub pages_for_form: usize,
    /// Fewest answers before probing may end early. Default 33: three waves.
    pub least: usize,
    /// So many answers in a row without a new class of pages end it. Default 22: two waves.
    pub steady: usize,
    /// Further words to ask for at the most, as long as their answers link to pages not met before. Default 0: the paper wants to
    /// see every class of answers, not everything that can be found.
    pub sweep: usize,
    /// Whether the pages that answers link to are fetched.
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
    /// The paper's own way: words of the list and nonsense, all of them.
    #[must_use]
    pub fn paper() -> Self {
        Self { adapt: false, least: usize::MAX, ..Self::default() }
    }
}

/// What came of probing a site.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ProbeAccount {
    /// `scheme://host:port`.
    pub host: String,
    /// The search form in words: method, address, field, page, score.
    pub form: Option<String>,
    /// Words asked for that came from a list.
    pub listed: usize,
    /// Words asked for that stood on pages of the site.
    pub seen: usize,
    /// Nonsense asked for.
    pub nonsense: usize,
    /// Answers that were read.
    pub answers: usize,
    /// The number of answers in each class of pages, the likeliest to hold records first.
    pub classes: Vec<usize>,
    /// Pages that answers link to, and few others do.
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
        let super::Sight::Probe(sight) = page.sight else { return };
        let host = page.address.host();
        if !self.sites.contains_key(host) {
            self.sites.insert(host.to_owned(), SiteProbe::default());
        }
        if let Some(site) = self.sites.get_mut(host) {
            site.observe(page, sight, &self.settings);
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

    pub(super) fn account(&self) -> Vec<ProbeAccount> {
        self.sites.iter().map(|(host, site)| site.account(host)).collect()
    }
}
