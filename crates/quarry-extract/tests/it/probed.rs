//! Generated search sites and what they answer: each asked as a prober would ask, with words from
//! its own pages, words of the language, nonsense, and queries that it cannot carry out.

use quarry_dom::{Document, NodeId};
use quarry_testsite::{
    FacetStyle, OneMatch, PageClass, SearchForm, Site, SiteRequest, SiteSpec, SpecStyle, Theme,
    Vertical,
};

/// An answer page.
pub struct Answer {
    pub address: String,
    pub html: String,
    pub class: PageClass,
    /// The texts of each record of a list.
    pub records: Vec<Vec<String>>,
}

/// Specifications of search sites, as many as asked for: every vertical and theme, the knobs that
/// change answer pages turned in all ways.
pub fn specs(count: u64) -> Vec<SiteSpec> {
    const MATCHES: [OneMatch; 3] = [OneMatch::Redirect, OneMatch::Page, OneMatch::List];
    const FACETS: [FacetStyle; 4] =
        [FacetStyle::Links, FacetStyle::GetForm, FacetStyle::None, FacetStyle::PostForm];
    let at = |list: usize, seed: u64, by: u64| (seed / by) as usize % list;
    (0..count)
        .map(|seed| {
            let mut spec = SiteSpec { seed: 1000 + seed, entities: 150, ..SiteSpec::default() };
            spec.vertical = Vertical::ALL[at(Vertical::ALL.len(), seed, 1)];
            spec.theme = Theme::ALL[at(Theme::ALL.len(), seed, 1)];
            spec.specs = SpecStyle::ALL[at(SpecStyle::ALL.len(), seed, 1)];
            spec.search.one_match = MATCHES[at(3, seed, 2)];
            spec.search.form = if seed % 4 == 3 { SearchForm::Post } else { SearchForm::Get };
            spec.search.required = seed % 5 == 4;
            spec.facets.style = FACETS[at(4, seed, 3)];
            spec.listing.disjunctive = seed % 2 == 1;
            spec.listing.decorated = seed % 3 == 1;
            spec.listing.advertisements = [0, 0, 2][at(3, seed, 1)];
            spec.listing.promotions = [0, 3][at(2, seed, 3)];
            spec.listing.joined = seed % 4 == 2;
            spec.markup.microdata = seed % 6 == 5;
            spec.paging.size = [10, 20, 48][at(3, seed, 4)];
            spec
        })
        .collect()
}

/// Asks a site `words` words of its own and of the language, ten nonsense words, and five queries
/// that are errors. The same word is asked once.
pub fn probe(site: &Site, words: usize) -> Vec<Answer> {
    let queries = vocabulary(site, words)
        .into_iter()
        .chain((0..10).map(|i| format!("xq{i}zvk{}", (b'a' + i) as char)))
        .chain(["*", "a", "%", "\"", "x"].map(str::to_owned));
    queries.map(|query| ask(site, &query)).collect()
}

/// Words of the site's first lists, rare and frequent ones, and some that it may not have.
fn vocabulary(site: &Site, count: usize) -> Vec<String> {
    const COMMON: [&str; 12] = [
        "house", "green", "water", "music", "small", "garden", "winter", "paper", "light", "stone",
        "river", "orange",
    ];
    let mut seen: Vec<String> = Vec::new();
    let list = if site.spec().search.required { String::new() } else { site.root() };
    let entities = site.catalogue().entities().step_by(7).map(|e| site.entity_url(e));
    for target in entities.chain(Some(list).filter(|list| !list.is_empty())) {
        let document = Document::from_html(&site.respond(&SiteRequest::get(target)).text());
        let text = document.folded_text(NodeId::ROOT).to_lowercase();
        seen.extend(
            text.split(|c: char| !c.is_alphanumeric())
                .filter(|w| w.chars().count() > 3)
                .map(str::to_owned),
        );
    }
    seen.extend((1..9).filter_map(|n| site.search_word(n)).map(str::to_owned));
    seen.sort();
    seen.dedup();
    let step = (seen.len() / count.max(1)).max(1);
    let mut words: Vec<String> = seen.into_iter().step_by(step).take(count).collect();
    words.extend(COMMON.map(str::to_owned));
    words.sort();
    words.dedup();
    words
}

fn ask(site: &Site, query: &str) -> Answer {
    let search = &site.spec().search;
    let encoded: String = url::form_urlencoded::byte_serialize(query.as_bytes()).collect();
    let pair = format!("{}={encoded}", search.field);
    let mut address = format!("/search?{pair}");
    let mut request = if search.form == SearchForm::Post {
        SiteRequest::post("/search", pair)
    } else {
        SiteRequest::get(&address)
    };
    let mut response = site.respond(&request);
    if let Some(to) = response.header("Location").map(str::to_owned) {
        request = SiteRequest::get(&to);
        response = site.respond(&request);
        address = to;
    }
    let records = site.page_truth(&request).records;
    Answer { address, html: response.text(), class: response.class, records }
}

/// Weighted, normalised entropy of clusters (THOR §3.1.4): 0 is pure, 1 is random.
pub fn entropy(assigned: &[(usize, PageClass)]) -> f64 {
    let mut classes: Vec<PageClass> = assigned.iter().map(|a| a.1).collect();
    classes.sort();
    classes.dedup();
    if classes.len() < 2 {
        return 0.0;
    }
    let clusters = assigned.iter().map(|a| a.0 + 1).max().unwrap_or(0);
    let mut total = 0.0;
    for cluster in 0..clusters {
        let inside: Vec<PageClass> =
            assigned.iter().filter(|a| a.0 == cluster).map(|a| a.1).collect();
        for class in &classes {
            let n = inside.iter().filter(|c| *c == class).count() as f64;
            if n > 0.0 {
                total -= n / assigned.len() as f64 * (n / inside.len() as f64).ln();
            }
        }
    }
    total / (classes.len() as f64).ln()
}
