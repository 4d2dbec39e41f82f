//! What a discovery keeps between sites and rounds, as plain data: enough to go on after any interruption, and to explain
//! each site.

use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::spec::ProductId;
use serde::{Deserialize, Serialize};

use crate::home::HomePageFilter;
use crate::in_site::Vocabulary;
use crate::page::ProductPage;

/// The version of the stored form.
pub const STATE_VERSION: u32 = 1;

/// A site that is known to be relevant: a seed, or one that passed the filters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KnownSite {
    /// The address of its home page.
    pub url: String,
    /// The round that found it; 0 for a seed.
    pub round: u32,
    /// The ids that it prints.
    pub ids: Vec<ProductId>,
    /// Hashes of its product pages, for finding copies.
    pub fingerprints: BTreeSet<u64>,
    /// Hashes of the links of its home page, for the same.
    #[serde(default)]
    pub home_links: BTreeSet<u64>,
}

/// A site that is to be judged in this round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SiteCandidate {
    /// The site.
    pub site: String,
    /// What it is ranked by.
    pub score: f64,
    /// The share of the ids that lead to it.
    pub search: Option<f64>,
    /// The weighted share of the hubs that link to it.
    pub backlinks: Option<f64>,
}

/// What was found out about a site: a line of `quarry discover`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SiteLine {
    /// The site: its host name.
    pub site: String,
    /// What it was ranked by, from 0 to 1.
    pub score: f64,
    /// The share of the ids that lead to it; null where it was not found by search.
    pub search: Option<f64>,
    /// The weighted share of the hubs that link to it; null where it was not found by backlinks.
    pub backlinks: Option<f64>,
    /// The probability that it is relevant by its home page; null where that could not be had.
    pub home_page: Option<f64>,
    /// Whether it has specifications of the category; null where it was not looked into.
    pub in_site: Option<bool>,
    /// The round that judged it.
    pub round: u32,
    /// Why, in words.
    pub reason: String,
    /// Whether it is relevant.
    pub relevant: bool,
    /// The address of its home page.
    pub url: String,
    /// Ids that led to it, some of them.
    pub ids: Vec<String>,
    /// Hubs that link to it, some of them.
    pub hubs: Vec<String>,
    /// Pages that were looked at, and those among them with specifications of the category.
    pub pages: (u64, u64),
}

/// What providers said: asked once, and kept.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct WebFacts {
    /// The pages that each query returned, one for each site.
    pub searched: BTreeMap<String, Vec<String>>,
    /// The hubs that link to each known site.
    pub backlinks: BTreeMap<String, Vec<String>>,
    /// The sites that each hub links to.
    pub forward: BTreeMap<String, Vec<String>>,
}

/// Everything else that a discovery keeps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiscoveryState {
    /// The version of the stored form.
    pub version: u32,
    /// The name of the category, where one was given.
    pub category: Option<String>,
    /// The last round that was begun, from 1.
    pub round: u32,
    /// Relevant sites.
    pub known: BTreeMap<String, KnownSite>,
    /// Ids that were given rather than found.
    pub given_ids: Vec<ProductId>,
    /// The sites that were judged, in the order in which they were.
    pub judged: Vec<SiteLine>,
    /// The sites that are still to be judged in this round, best first.
    pub pending: Vec<SiteCandidate>,
    /// The product pages of sites that were not relevant by what was known when they were judged: they are judged again.
    pub undecided: BTreeMap<String, Vec<ProductPage>>,
    /// Hashes of the links of their home pages, for finding copies.
    #[serde(default)]
    pub undecided_links: BTreeMap<String, BTreeSet<u64>>,
    /// Terms of relevant and of other sites.
    pub vocabulary: Vocabulary,
    /// What the home-page filter has learned.
    pub filter: HomePageFilter,
    /// Requests to sites so far.
    pub site_requests: u64,
}

impl Default for DiscoveryState {
    fn default() -> Self {
        Self {
            version: STATE_VERSION,
            category: None,
            round: 0,
            known: BTreeMap::new(),
            given_ids: Vec::new(),
            judged: Vec::new(),
            pending: Vec::new(),
            undecided: BTreeMap::new(),
            undecided_links: BTreeMap::new(),
            vocabulary: Vocabulary::default(),
            filter: HomePageFilter::default(),
            site_requests: 0,
        }
    }
}
