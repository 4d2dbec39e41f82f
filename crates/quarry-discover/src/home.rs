//! The home-page filter: is this a site with products of the category, judged by its home page alone (DEXTER §3.1.3)?
//!
//! The paper trains a classifier on the words of the links of labelled home pages. Here nobody labels: the verdicts of the
//! in-site filter teach it while the discovery runs, from a small prior that ships. Beside words it sees features of the
//! page's template. Words of the category are all the same feature, so that what was learned holds for another category.

use std::collections::BTreeSet;

use quarry_dom::{Document, LinkKind, NodeId, Tag};
use quarry_model::site_of;
use serde::{Deserialize, Serialize};
use url::Url;
use xxhash_rust::xxh3::xxh3_64;

use crate::logistic::{Logistic, ModelError};
use crate::page::CURRENCY_SIGNS;

/// The model that ships: what words and templates of shops' home pages have in common.
const PRIOR: &str = include_str!("home_prior.txt");

/// Words of the links of a home page that count, at most.
const MAX_WORDS: usize = 400;

/// A home page, as the filter sees it: features with values, sorted by name.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct HomePage {
    /// The features of words and template.
    pub features: Vec<(String, f64)>,
    /// Hashes of texts and paths of its links to the own site, the smallest ones: copies have the same.
    #[serde(default)]
    pub links: BTreeSet<u64>,
}

/// Hashes that are kept of the links of a home page.
const MAX_LINKS: usize = 128;
/// Links that two home pages must share to be copies, and the share of the links of both: shops of one maker of shops have the
/// same menus, but other goods.
const COPIED_LINKS: usize = 8;
const COPIED_SHARE: f64 = 0.9;

/// Whether two home pages are those of one site under two names.
#[must_use]
pub fn is_same_home(one: &BTreeSet<u64>, other: &BTreeSet<u64>) -> bool {
    // The smallest hashes of both together are a fair sample of what either links to.
    let union: BTreeSet<u64> = one.union(other).copied().take(MAX_LINKS).collect();
    let shared = union.iter().filter(|link| one.contains(link) && other.contains(link)).count();
    shared >= COPIED_LINKS && shared as f64 >= COPIED_SHARE * union.len() as f64
}

/// Reads the features of a home page. `category` has the words of the wanted category, in lower case.
#[must_use]
pub fn read_home(document: &Document, address: &Url, category: &[String]) -> HomePage {
    let own = site_of(address.as_str());
    let (mut words, mut inside, mut outside) = (BTreeSet::new(), 0u32, 0u32);
    let mut hosts = BTreeSet::new();
    let mut in_category = 0u32;
    let mut own_links = BTreeSet::new();
    for link in document.links(address).iter().filter(|link| link.kind == LinkKind::Anchor) {
        let site = site_of(link.url.as_str());
        if site == own {
            inside += 1;
            let path = &link.url[url::Position::BeforePath..url::Position::AfterQuery];
            own_links.insert(xxh3_64(format!("{path} {}", link.text).as_bytes()));
        } else {
            outside += 1;
            hosts.extend(site);
        }
        let text = link.text.to_lowercase();
        let mut is_category = false;
        for word in text.split(|char: char| !char.is_alphabetic()) {
            if word.chars().count() < 2 {
                continue;
            }
            if is_of_category(word, category) {
                is_category = true;
            } else if words.len() < MAX_WORDS {
                words.insert(word.to_owned());
            }
        }
        in_category += u32::from(is_category);
    }
    let count = |tag: Tag| document.elements(tag).count();
    let text = document.folded_chars(NodeId::ROOT);
    let links = inside + outside;
    let prices = count_prices(&document.folded_text(NodeId::ROOT));
    let template = [
        format!("inside links {}", scale(inside as usize)),
        format!("outside share {}", share(outside, links)),
        format!("outside sites {}", scale(hosts.len())),
        format!("images {}", scale(count(Tag::IMG))),
        format!("prices {}", scale(prices)),
        format!("text per link {}", scale(text / (links.max(1) as usize))),
        format!("forms {}", scale(count(Tag::FORM))),
        format!("paragraphs {}", scale(count(Tag::P))),
        format!("category links {}", scale(in_category as usize)),
    ];
    // Each group of features has the same weight, however many words a page has.
    let weight = 3.0 / (words.len().max(9) as f64).sqrt();
    let mut features: Vec<(String, f64)> =
        words.into_iter().map(|word| (format!("word {word}"), weight)).collect();
    features.extend(template.into_iter().map(|name| (name, 1.0)));
    features.sort_by(|one, other| one.0.cmp(&other.0));
    HomePage { features, links: own_links.into_iter().take(MAX_LINKS).collect() }
}

/// Whether a word is one of the category, a plural ending aside.
pub(crate) fn is_of_category(word: &str, category: &[String]) -> bool {
    let stem = |word: &str| -> String { word.trim_end_matches('s').to_owned() };
    category.iter().any(|own| stem(own) == stem(word))
}

/// The words of a category's name.
#[must_use]
pub fn category_words(name: &str) -> Vec<String> {
    let lower = name.to_lowercase();
    let words = lower.split(|char: char| !char.is_alphabetic()).filter(|word| word.len() > 1);
    words.map(str::to_owned).collect()
}

/// A number on a coarse scale: 0, 1, 2, 4, 8 …
fn scale(number: usize) -> usize {
    if number == 0 { 0 } else { 1 << number.ilog2() }
}

fn share(part: u32, whole: u32) -> &'static str {
    match (4 * part).checked_div(whole.max(1)) {
        Some(0) if part == 0 => "none",
        Some(0) => "below a quarter",
        Some(1) => "below a half",
        Some(_) => "a half or more",
        None => "none",
    }
}

/// Amounts with a sign of a currency right before or after them.
fn count_prices(text: &str) -> usize {
    let mut count = 0;
    let mut chars = text.chars().peekable();
    let mut last = ' ';
    while let Some(char) = chars.next() {
        if CURRENCY_SIGNS.contains(&char) {
            let next = chars.peek().copied().unwrap_or(' ');
            count += usize::from(next.is_ascii_digit() || last.is_ascii_digit());
        }
        if !char.is_whitespace() {
            last = char;
        }
    }
    count
}

/// The filter: a model, and the sites that it let through or stopped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HomePageFilter {
    model: Logistic,
    stopped: u64,
    /// Home pages of relevant sites, the latest last: what is stopped is compared with them.
    relevant: Vec<HomePage>,
}

/// What the filter says of a home page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HomeVerdict {
    /// The probability that the site is relevant.
    pub probability: f64,
    /// Whether the site is looked at more closely.
    pub passes: bool,
    /// Whether it passes only to see whether the filter is wrong; what comes of it counts for several.
    pub is_audit: bool,
}

impl HomeVerdict {
    /// What an example counts: one that was looked at although it was stopped stands for half of those that were not.
    #[must_use]
    pub fn importance(&self, config: &HomePageConfig) -> f64 {
        if self.is_audit { config.audit_every as f64 / 2.0 } else { 1.0 }
    }
}

/// Home pages of relevant sites that are kept.
const MAX_RELEVANT: usize = 60;

/// What the home-page filter decides by. The numbers were set by hand; `discover_eval --vary` says what each is worth
/// (docs/algorithms/discover.md, "What depends on numbers set by hand").
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HomePageConfig {
    /// Share of the relevant sites seen so far that may be less likely than what is stopped. Default 0.04.
    pub lost_share: f64,
    /// Log-odds that a page may be below them: those were learned, this one was not. Default 0.5.
    pub margin: f64,
    /// Above this probability a site is never stopped. Default 0.4.
    pub sure_probability: f64,
    /// Relevant sites that must have been seen before the filter stops anything. Default 8.
    pub min_relevant: usize,
    /// One of so many stopped sites is looked at nevertheless. Default 8.
    pub audit_every: u64,
}

impl Default for HomePageConfig {
    fn default() -> Self {
        Self {
            lost_share: 0.04,
            margin: 0.5,
            sure_probability: 0.4,
            min_relevant: 8,
            audit_every: 8,
        }
    }
}

impl Default for HomePageFilter {
    /// The filter that ships.
    fn default() -> Self {
        let weights = PRIOR.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
            let (weight, name) = line.split_once(' ')?;
            Some((name, weight.parse().ok()?))
        });
        let (bias, weights): (Vec<(&str, f64)>, Vec<_>) =
            weights.partition(|(name, _): &(&str, f64)| *name == "bias");
        let bias = bias.first().map_or(0.0, |(_, weight)| *weight);
        Self { model: Logistic::with_prior(bias, weights), stopped: 0, relevant: Vec::new() }
    }
}

impl HomePageFilter {
    /// A filter that knows nothing yet.
    #[must_use]
    pub fn without_prior() -> Self {
        Self { model: Logistic::with_prior(0.0, []), stopped: 0, relevant: Vec::new() }
    }

    /// Judges a home page.
    pub fn judge(&mut self, page: &HomePage, config: &HomePageConfig) -> HomeVerdict {
        let probability = self.model.probability(&page.features);
        let odds = self.model.odds(&page.features);
        let stops = match self.cut(config) {
            Some(cut) => odds < cut - config.margin && probability < config.sure_probability,
            None => false,
        };
        self.stopped += u64::from(stops);
        let is_audit = stops && self.stopped.is_multiple_of(config.audit_every);
        HomeVerdict { probability, passes: !stops || is_audit, is_audit }
    }

    /// The log-odds that nearly all relevant pages reach, by what the model knows now; `None` while few are known.
    fn cut(&self, config: &HomePageConfig) -> Option<f64> {
        if self.relevant.len() < config.min_relevant {
            return None;
        }
        let odds = self.relevant.iter().map(|page| self.model.odds(&page.features));
        let mut odds: Vec<f64> = odds.collect();
        odds.sort_by(f64::total_cmp);
        odds.get((config.lost_share * odds.len() as f64) as usize).copied()
    }

    /// Learns what the in-site filter said of a site; `importance` is above 1 where it stands for others that were stopped.
    pub fn learn(&mut self, page: &HomePage, is_relevant: bool, importance: f64) {
        if is_relevant {
            self.relevant.push(page.clone());
            let surplus = self.relevant.len().saturating_sub(MAX_RELEVANT);
            self.relevant.drain(..surplus);
        }
        self.model.learn(&page.features, is_relevant, importance);
    }

    /// The features that count most for this page, for explanations.
    #[must_use]
    pub fn explain<'a>(&self, page: &'a HomePage, most: usize) -> Vec<(&'a str, f64)> {
        self.model.strongest(&page.features, most)
    }

    /// Sites that it has learned from: all, and the relevant ones.
    #[must_use]
    pub fn examples(&self) -> (u64, u64) {
        self.model.examples()
    }

    /// As text.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.model.to_text()
    }

    /// Reads what [`Self::to_text`] wrote: what one discovery learned, as the prior of another.
    ///
    /// # Errors
    /// When it is of another version or a line means nothing.
    pub fn from_text(text: &str) -> Result<Self, ModelError> {
        Ok(Self { model: Logistic::from_text(text)?, stopped: 0, relevant: Vec::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> HomePage {
        let document = Document::from_html(html);
        let address = Url::parse("http://shop.example/").unwrap();
        read_home(&document, &address, &category_words("Televisions"))
    }

    #[test]
    fn words_of_links_and_the_template() {
        let home = page(
            "<p>Welcome</p><a href='/tv'>TV &amp; Television</a><a href='/cart'>Cart</a>\
             <a href='http://other.example/'>Friends</a><img src=a><p>from $12.00</p>",
        );
        let names: Vec<&str> = home.features.iter().map(|(name, _)| name.as_str()).collect();
        for expect in [
            "word cart",
            "word friends",
            "word tv",
            "category links 1",
            "images 1",
            "prices 1",
            "outside share below a half",
            "inside links 2",
        ] {
            assert!(names.contains(&expect), "{expect} in {names:?}");
        }
        assert!(!names.contains(&"word television"), "a word of the category is not a word");
    }

    #[test]
    fn it_learns_from_verdicts_what_to_stop() {
        let shop = page("<a href=/c>Cart</a><a href=/t>Televisions</a><a href=/o>Orders</a>");
        let forum = page("<a href=/t>Threads</a><a href=/m>Members</a><a href=/l>Log in</a>");
        let (mut filter, config) = (HomePageFilter::default(), HomePageConfig::default());
        for _ in 0..20 {
            filter.learn(&shop, true, 1.0);
            filter.learn(&forum, false, 1.0);
        }
        assert!(filter.judge(&shop, &config).passes);
        let stopped = (0..16).filter(|_| !filter.judge(&forum, &config).passes).count();
        assert_eq!(stopped, 14, "two of sixteen are looked at nevertheless");
        assert!(filter.judge(&forum, &config).probability < 0.2);
        let read = HomePageFilter::from_text(&filter.to_text()).unwrap();
        assert_eq!(read.model, filter.model);
    }

    #[test]
    fn the_prior_can_be_read() {
        let shop = page("<a href=/c>Cart</a><a href=/b>Brands</a><a href=/t>Televisions</a>");
        let forum = page("<a href=/t>Threads</a><a href=/m>Members</a>");
        let (mut filter, config) = (HomePageFilter::default(), HomePageConfig::default());
        let (shop, forum) = (filter.judge(&shop, &config), filter.judge(&forum, &config));
        assert!(shop.probability > forum.probability);
    }

    #[test]
    fn copies_have_the_links_of_the_original() {
        let shop = |goods: std::ops::Range<u32>| {
            let links = goods.map(|id| format!("<a href='/p/{id}'>Item {id}</a>"));
            page(&format!(
                "<a href=/cart>Cart</a><a href=/help>Help</a>{}",
                links.collect::<String>()
            ))
        };
        let original = shop(0..300).links;
        assert_eq!(original.len(), MAX_LINKS);
        assert!(is_same_home(&original, &shop(0..303).links));
        assert!(!is_same_home(&original, &shop(150..450).links), "some goods are the same");
        assert!(!is_same_home(&shop(0..0).links, &shop(0..0).links), "a menu says little");
    }
}
