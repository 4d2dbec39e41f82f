//! A small web: hundreds of sites told apart by host name, with a search engine, the graph of their links, and the truth of
//! all of it. Shops are generated sites like any other; what is around them are makers, shops without specifications, price
//! comparisons, forums, reviews, blogs, hubs, directories, spam, copies of shops, and popular sites that everybody links to.
//!
//! | question | where |
//! |---|---|
//! | which sites are there, and who links to whom? | `plan` |
//! | what does a site answer? | this file, `pages` for what is not a shop |
//! | what does the search engine answer? | `search` |
//! | how are graph and truth written? | `files` |

mod files;
mod pages;
mod plan;
mod search;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::catalogue::CatalogueEntityId;
use crate::prng::hash;
use crate::site::{Site, SiteRequest, SiteResponse, World};
use crate::vertical::Category;
use crate::view::PageClass;
use crate::write::rewrite_links;

pub use files::{WebProduct, WebTruth};
use search::SearchIndex;
pub use search::WebSearch;

/// What a web is made from. The same specification gives the same bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WebSpec {
    /// Where chance starts.
    pub seed: u64,
    /// How many sites.
    pub sites: usize,
    /// Products of a category that exist at all.
    pub products: usize,
    /// The search engine.
    pub search: WebSearch,
}

impl Default for WebSpec {
    fn default() -> Self {
        Self { seed: 1, sites: 300, products: 320, search: WebSearch::default() }
    }
}

/// What a site is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WebKind {
    /// Sells products of one or several categories, with specifications.
    Shop,
    /// Makes products of one brand, and publishes their specifications.
    Maker,
    /// Sells products without specifications.
    Boutique,
    /// Lists offers of shops for each product.
    Comparison,
    /// People talk about products.
    Forum,
    /// Reviews of products, with a verdict in a table.
    Review,
    /// Posts about anything.
    Blog,
    /// Links to shops of one category.
    Hub,
    /// Links to sites of any kind.
    Directory,
    /// Ids and words without sense, and links to others like it.
    Spam,
    /// A copy of a shop on another host.
    Mirror,
    /// News and networks that everybody links to.
    Popular,
}

/// A site of the web.
#[derive(Debug)]
pub struct WebSite {
    /// Its host name.
    pub host: String,
    /// What it is.
    pub kind: WebKind,
    /// The categories that it is about.
    pub categories: Vec<Category>,
    /// The host that it is a copy of.
    pub mirror_of: Option<String>,
    /// The sites that it links to, by their places.
    pub links: Vec<usize>,
    /// Its name as printed.
    pub(crate) name: String,
    /// The products that it is about, by their places in the world of each category.
    pub(crate) products: Vec<(Category, Vec<u64>)>,
    seed: u64,
    sections: OnceLock<Vec<Section>>,
}

impl WebSite {
    /// Whether it publishes specifications of a category.
    #[must_use]
    pub fn is_relevant(&self, category: Category) -> bool {
        matches!(self.kind, WebKind::Shop | WebKind::Maker) && self.categories.contains(&category)
    }
}

/// A part of a shop: one category, below a prefix where there are several.
#[derive(Debug)]
struct Section {
    prefix: String,
    site: Site,
}

/// A generated web.
///
/// ```
/// use quarry_testsite::{SiteRequest, TestWeb, WebSpec};
/// let web = TestWeb::generate(WebSpec { sites: 60, ..WebSpec::default() });
/// let first = &web.sites()[0];
/// let request = SiteRequest { host: first.host.clone(), ..SiteRequest::get("/") };
/// assert_eq!(web.respond(&request).status, 200);
/// ```
#[derive(Debug)]
pub struct TestWeb {
    spec: WebSpec,
    sites: Vec<WebSite>,
    hosts: BTreeMap<String, usize>,
    /// All products of each category.
    worlds: BTreeMap<Category, Site>,
    index: OnceLock<SearchIndex>,
}

impl TestWeb {
    /// Generates a web.
    #[must_use]
    pub fn generate(spec: WebSpec) -> Self {
        let worlds: BTreeMap<Category, Site> = Category::ALL
            .iter()
            .map(|&category| (category, plan::world(&spec, category)))
            .collect();
        let sites = plan::sites(&spec, &worlds);
        let hosts = sites.iter().enumerate().map(|(at, site)| (site.host.clone(), at)).collect();
        Self { spec, sites, hosts, worlds, index: OnceLock::new() }
    }

    /// The specification that the web was made from.
    #[must_use]
    pub fn spec(&self) -> &WebSpec {
        &self.spec
    }

    /// The sites.
    #[must_use]
    pub fn sites(&self) -> &[WebSite] {
        &self.sites
    }

    /// The site of a host name, with or without `www.`.
    #[must_use]
    pub fn find(&self, host: &str) -> Option<&WebSite> {
        let host = host.split(':').next().unwrap_or(host);
        let host = host.strip_prefix("www.").unwrap_or(host);
        self.hosts.get(host).map(|&at| &self.sites[at])
    }

    /// Answers a request to the host that it names. A host that is none of the web's is the search engine.
    #[must_use]
    pub fn respond(&self, request: &SiteRequest) -> SiteResponse {
        let Some(site) = self.find(&request.host) else { return self.search_page(request) };
        if site.kind == WebKind::Mirror
            && let Some(original) = site.mirror_of.as_deref().and_then(|host| self.find(host))
        {
            return self.shop(original, request);
        }
        match site.kind {
            WebKind::Shop | WebKind::Maker | WebKind::Mirror => self.shop(site, request),
            _ => self.other(site, request),
        }
    }

    /// The parts of a shop, generated when they are first needed.
    fn sections<'a>(&self, site: &'a WebSite) -> &'a [Section] {
        site.sections.get_or_init(|| {
            let several = site.products.len() > 1;
            let section = |(number, (category, bases)): (usize, &(Category, Vec<u64>))| {
                let seed = hash(site.seed, "section", number as u64);
                let prefix = match several {
                    true => format!("/{}", category.name()),
                    false => String::new(),
                };
                let site = plan::shop(&self.spec, site, seed, *category, bases);
                Section { prefix, site }
            };
            site.products.iter().enumerate().map(section).collect()
        })
    }

    fn shop(&self, site: &WebSite, request: &SiteRequest) -> SiteResponse {
        let sections = self.sections(site);
        // Links are added to pages, so that they are not compressed before.
        let plain = SiteRequest { gzip: false, ..request.clone() };
        let (path, _) = request.target.split_once('?').unwrap_or((&request.target, ""));
        if let [only] = sections {
            let mut response = only.site.respond(&plain);
            if path == "/" {
                self.add_partners(site, &mut response);
            }
            return response;
        }
        if path == "/" {
            return page(200, self.department_store(site, sections));
        }
        if path == "/robots.txt" {
            let rules = "User-agent: *\nDisallow: /cart\nDisallow: /login\n";
            return text(200, "text/plain; charset=utf-8", rules.to_owned());
        }
        let below = |section: &&Section| {
            request
                .target
                .strip_prefix(&section.prefix)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
        };
        let Some(section) = sections.iter().find(below) else {
            return page(404, self.frame(site, "Not found", "<p>There is no such page.</p>"));
        };
        let rest = &request.target[section.prefix.len()..];
        let target = if rest.starts_with('/') { rest.to_owned() } else { format!("/{rest}") };
        let mut response = section.site.respond(&SiteRequest { target, ..plain });
        let moved = |href: &str| -> Option<String> {
            let is_own = href.starts_with('/') && !href.starts_with("//");
            is_own.then(|| format!("{}{href}", section.prefix))
        };
        if let Some((_, to)) = response.headers.iter_mut().find(|(name, _)| name == "Location")
            && let Some(new) = moved(to)
        {
            *to = new;
        }
        if response.header("Content-Type").is_some_and(|kind| kind.starts_with("text/html")) {
            // The name of the shop leads to its own front page.
            let to = |href: &str| if href == "/" { None } else { moved(href) };
            response.body = rewrite_links(&response.text(), to).into_bytes();
        }
        response
    }

    /// The addresses of product pages of a shop with their ids: path, EAN, MPN and model.
    fn product_pages(&self, site: &WebSite) -> Vec<(String, Vec<String>)> {
        let mut all = Vec::new();
        for section in self.sections(site) {
            let catalogue = section.site.catalogue();
            for entity in catalogue.entities() {
                let path = format!("{}{}", section.prefix, section.site.entity_url(entity));
                all.push((path, ids_of(&section.site, entity)));
            }
        }
        all
    }

    /// The site that has all products of a category.
    fn world(&self, category: Category) -> &Site {
        &self.worlds[&category]
    }
}

/// The ids of a product as a site prints them.
fn ids_of(site: &Site, entity: CatalogueEntityId) -> Vec<String> {
    let catalogue = site.catalogue();
    let names = ["EAN", "MPN", "Model"].into_iter().filter_map(|name| catalogue.find(name));
    names.flat_map(|attribute| catalogue.printed(attribute, entity)).collect()
}

fn page(status: u16, html: String) -> SiteResponse {
    text(status, "text/html; charset=utf-8", html)
}

fn text(status: u16, kind: &str, body: String) -> SiteResponse {
    SiteResponse {
        status,
        headers: vec![("Content-Type".to_owned(), kind.to_owned())],
        body: body.into_bytes(),
        class: PageClass::Info,
        fault: None,
        violation: None,
    }
}

/// The world of a category, as `Site::from_definition` takes it.
fn world_of(spec: &WebSpec, category: Category) -> World {
    World { seed: hash(spec.seed, category.name(), 0), entities: spec.products }
}
