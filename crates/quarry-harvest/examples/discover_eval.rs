//! Evaluates discovery on generated webs in memory, as the DEXTER paper does (§5.1, Figures 7 to 9, Tables 3 and 4).
//!
//! `cargo run --release -p quarry-harvest --example discover_eval -- [--webs 901,902] [--sites 1000]
//! [--categories television,camera] [--rounds 50] [--quick] [--vary] [--prior learned|shipped|none]`
//!
//! `--vary` runs the intersection with each number that was set by hand three tenths smaller and larger, and nothing else.
//! `--prior` says what the home-page filter knows at first: what another category of another web taught it (the default),
//! the prior that ships, or nothing.
#![allow(clippy::print_stdout)]

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::error::Error;
use std::io::{self, BufRead};

use quarry_crawl::CrawlSettings;
use quarry_discover::home::HomePageFilter;
use quarry_discover::provider::{GraphFiles, HostGraph};
use quarry_discover::rank::RankMethod;
use quarry_discover::{
    DiscoverConfig, DiscoveryPorts, Kept, RoundEnd, SiteDiscovery, SiteFacts, SiteLookup,
    SiteSource,
};
use quarry_dom::{Document, Limits, LinkKind};
use quarry_harvest::StopSignal;
use quarry_harvest::discover::{Pace, SampleSettings, SiteSampler};
use quarry_model::{
    Exchange, Failure, Fetched, Fetcher, Headers, LinkProvider, Outcome, PortError, ProviderError,
    Request, Response, SearchProvider, site_of,
};
use quarry_testsite::{Category, SiteRequest as WebRequest, TestWeb, WebSpec};
use url::Url;

/// Known sites to begin with, where they are not varied (Figures 8 and 9).
const SEEDS: usize = 20;
/// Recall of the paper's home-page filter (Table 4).
const PAPERS_HOME_RECALL: f64 = 0.62;
const METHODS: [(RankMethod, &str); 4] = [
    (RankMethod::Search, "search"),
    (RankMethod::Backlinks, "backlinks"),
    (RankMethod::Union, "union"),
    (RankMethod::Intersection, "intersection"),
];

/// The web in memory.
#[derive(Clone, Copy)]
struct InMemory<'a>(&'a TestWeb);

fn respond(web: &TestWeb, url: &str) -> Option<quarry_testsite::SiteResponse> {
    let rest = url.strip_prefix("http://")?;
    let (host, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let target = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
    web.find(host)?;
    Some(web.respond(&WebRequest { host: host.to_owned(), ..WebRequest::get(target) }))
}

impl Fetcher for InMemory<'_> {
    async fn fetch(&self, request: &Request, _: &(dyn Fn(&str) -> bool + Send + Sync)) -> Fetched {
        let Some(answer) = respond(self.0, &request.url) else {
            let failure = Failure::Connect { detail: "nobody is there".to_owned() };
            return Fetched { hops: Vec::new(), outcome: Outcome::Failed(failure) };
        };
        let response = Response {
            status: answer.status,
            headers: Headers(answer.headers),
            body: answer.body,
            ..Response::default()
        };
        Exchange::of(request.clone(), response).into()
    }
}

/// Sites, each looked at once for a category: what a site shows does not depend on who asks.
struct CachedSites<'a> {
    sampler: Box<dyn SiteSource + 'a>,
    homes: BTreeMap<String, SiteFacts>,
    inside: BTreeMap<String, SiteFacts>,
}

impl<'a> CachedSites<'a> {
    fn new(web: &'a TestWeb, category: Category, stop: &'a StopSignal) -> Self {
        let settings = CrawlSettings::new(["http://seed.example/"]);
        let mut settings = SampleSettings::new(settings, Some(category.name().to_owned()));
        settings.pace = Pace::Simulated;
        let make = move |_: &str| Ok::<_, String>(InMemory(web));
        let sampler = Box::new(SiteSampler::new(make, settings, stop));
        Self { sampler, homes: BTreeMap::new(), inside: BTreeMap::new() }
    }
}

impl SiteSource for CachedSites<'_> {
    fn home_pages(&mut self, sites: &[SiteLookup]) -> Vec<SiteFacts> {
        let new = sites.iter().filter(|site| !self.homes.contains_key(&site.site));
        let new: Vec<SiteLookup> = new.cloned().collect();
        let facts = self.sampler.home_pages(&new);
        self.homes.extend(new.into_iter().map(|site| site.site).zip(facts));
        sites.iter().map(|site| self.homes[&site.site].clone()).collect()
    }

    fn examine(&mut self, sites: &[SiteLookup]) -> Vec<SiteFacts> {
        let new = sites.iter().filter(|site| !self.inside.contains_key(&site.site));
        let new: Vec<SiteLookup> = new.cloned().collect();
        let facts = self.sampler.examine(&new);
        self.inside.extend(new.into_iter().map(|site| site.site).zip(facts));
        sites.iter().map(|site| self.inside[&site.site].clone()).collect()
    }
}

/// The web's search engine, without a socket.
struct Engine<'a>(&'a TestWeb);

impl SearchProvider for Engine<'_> {
    fn name(&self) -> &str {
        "generated"
    }

    fn search(
        &mut self,
        queries: &[String],
        limit: usize,
    ) -> Result<Vec<Vec<String>>, ProviderError> {
        let found = |query: &String| self.0.search(query).into_iter().take(limit).collect();
        Ok(queries.iter().map(found).collect())
    }
}

struct GraphText {
    vertices: String,
    edges: String,
}

impl GraphText {
    fn of(web: &TestWeb) -> Self {
        let (vertices, edges) = web.graph();
        let vertices = vertices.iter().enumerate().map(|(id, host)| format!("{id}\t{host}\n"));
        let edges = edges.iter().map(|(from, to)| format!("{from}\t{to}\n"));
        Self { vertices: vertices.collect(), edges: edges.collect() }
    }
}

impl GraphFiles for &GraphText {
    fn vertices(&self) -> io::Result<Box<dyn BufRead + '_>> {
        Ok(Box::new(self.vertices.as_bytes()))
    }

    fn edges(&self) -> io::Result<Box<dyn BufRead + '_>> {
        Ok(Box::new(self.edges.as_bytes()))
    }
}

fn precision(accepted: usize, right: usize) -> Option<f64> {
    (accepted > 0).then(|| right as f64 / accepted as f64)
}

/// One category of one web.
struct Case<'a> {
    web: &'a TestWeb,
    category: Category,
    graph: GraphText,
    sites: CachedSites<'a>,
    /// Relevant sites, the largest first.
    relevant: Vec<&'a str>,
    prior: HomePageFilter,
}

/// What came of a discovery.
#[derive(Default, Clone)]
struct Found {
    accepted: usize,
    right: usize,
    /// By round: accepted and right so far.
    rounds: Vec<(usize, usize)>,
    site_requests: u64,
    queries: usize,
    names: BTreeSet<String>,
    /// What was accepted wrongly: its kind, and why it was accepted.
    wrong: Vec<String>,
}

impl Found {
    /// `None` where nothing was accepted: then there is nothing to be wrong or right.
    fn precision(&self) -> Option<f64> {
        precision(self.accepted, self.right)
    }
}

impl Case<'_> {
    fn is_relevant(&self, host: &str) -> bool {
        self.web.find(host).is_some_and(|site| site.is_relevant(self.category))
    }

    fn seeds(&self, many: usize) -> Vec<String> {
        self.relevant.iter().take(many).map(|&host| host.to_owned()).collect()
    }

    fn begin(&mut self, seeds: usize) -> SiteDiscovery {
        let mut discovery = SiteDiscovery::default();
        discovery.state.category = Some(self.category.name().to_owned());
        discovery.state.filter = self.prior.clone();
        for site in self.seeds(seeds) {
            let url = Some(format!("http://{site}/"));
            let request = [SiteLookup { site: site.clone(), url, hits: Vec::new() }];
            let home = self.sites.home_pages(&request).remove(0);
            let inside = self.sites.examine(&request).remove(0);
            let facts = SiteFacts { home: home.home, url: home.url, ..inside };
            discovery.add_seed(&site, &facts);
        }
        discovery.state.site_requests = 0;
        discovery
    }

    fn run(
        &mut self,
        config: &DiscoverConfig,
        seeds: usize,
        rounds: u32,
    ) -> (Found, SiteDiscovery) {
        let mut discovery = self.begin(seeds);
        let mut found = Found::default();
        for _ in 0..rounds {
            let mut search: [Box<dyn SearchProvider + '_>; 1] = [Box::new(Engine(self.web))];
            let mut links: [Box<dyn LinkProvider + '_>; 1] =
                [Box::new(HostGraph::new("graph", &self.graph))];
            let mut ports = DiscoveryPorts {
                search: &mut search,
                links: &mut links,
                sites: &mut self.sites,
                keep: &mut |_: &SiteDiscovery, _: Kept| Ok::<(), PortError>(()),
                stopped: &|| false,
            };
            let end = discovery.run_round(config, &mut ports);
            let end = end.unwrap_or_else(|error| panic!("{error}"));
            let accepted: Vec<String> = discovery.found().map(|line| line.site.clone()).collect();
            let right = accepted.iter().filter(|site| self.is_relevant(site)).count();
            found.rounds.push((accepted.len(), right));
            (found.accepted, found.right) = (accepted.len(), right);
            found.names = accepted.into_iter().collect();
            if end != RoundEnd::Over {
                break;
            }
        }
        found.site_requests = discovery.state.site_requests;
        found.queries = discovery.web.searched.len();
        let wrong = discovery.found().filter(|line| !self.is_relevant(&line.site));
        found.wrong = wrong
            .filter_map(|line| {
                let site = self.web.find(&line.site)?;
                let what = match &site.mirror_of {
                    Some(original) if discovery.state.known.contains_key(original) => {
                        format!("copy of the known {original}")
                    }
                    Some(original) => format!("copy of {original}"),
                    None => format!("{:?} {:?}", site.kind, site.categories),
                };
                Some(format!("{what}: {}", line.reason))
            })
            .take(6)
            .collect();
        (found, discovery)
    }

    /// Relevant sites that any provider could ever name, were all relevant sites known: by an id that two of them print, or
    /// by a hub that links to two of them.
    fn reachable(&mut self) -> BTreeSet<String> {
        let mut named: BTreeSet<String> = BTreeSet::new();
        let mut ids = BTreeSet::new();
        for host in self.relevant.clone() {
            let request = [SiteLookup {
                site: host.to_owned(),
                url: Some(format!("http://{host}/")),
                hits: Vec::new(),
            }];
            for page in &self.sites.examine(&request)[0].products {
                ids.extend(page.ids.iter().cloned());
            }
        }
        for id in ids.iter().filter(|id| quarry_discover::ids::is_searchable(id)) {
            let found = self.web.search(&quarry_discover::ids::query_of(id));
            named.extend(found.iter().filter_map(|url| site_of(url)));
        }
        let places: BTreeMap<&str, usize> = self
            .web
            .sites()
            .iter()
            .enumerate()
            .map(|(at, site)| (site.host.as_str(), at))
            .collect();
        let known: BTreeSet<usize> = self.relevant.iter().map(|host| places[host]).collect();
        for site in self.web.sites() {
            if site.links.iter().filter(|to| known.contains(to)).count() >= 2 {
                named.extend(site.links.iter().map(|&to| self.web.sites()[to].host.clone()));
            }
        }
        named.retain(|site| self.is_relevant(site));
        named
    }

    /// A breadth-first crawl of the web from the same seeds: relevant sites with two product pages, after so many requests.
    fn breadth_first(&self, seeds: usize, requests: u64) -> usize {
        let own = self.seeds(seeds);
        let mut queue: VecDeque<String> =
            own.iter().map(|site| format!("http://{site}/")).collect();
        let mut seen: BTreeSet<String> = queue.iter().cloned().collect();
        let mut pages: BTreeMap<String, u32> = BTreeMap::new();
        let mut sent = 0;
        while let Some(url) = queue.pop_front() {
            if sent >= requests {
                break;
            }
            sent += 1;
            let Some(answer) = respond(self.web, &url).filter(|answer| answer.status == 200) else {
                continue;
            };
            let Ok(base) = Url::parse(&url) else { continue };
            let document = Document::parse(&answer.body, None, &Limits::default());
            if let Some(site) = site_of(&url)
                && answer.class == quarry_testsite::PageClass::Entity
                && self.is_relevant(&site)
            {
                *pages.entry(site).or_default() += 1;
            }
            for link in document.links(&base) {
                let mut to = link.url;
                to.set_fragment(None);
                if link.kind == LinkKind::Anchor
                    && to.scheme() == "http"
                    && seen.insert(to.to_string())
                {
                    queue.push_back(to.to_string());
                }
            }
        }
        pages.iter().filter(|(site, count)| **count >= 2 && !own.contains(site)).count()
    }
}

fn config(method: RankMethod, filters: (bool, bool), top: usize) -> DiscoverConfig {
    let (home_page_filter, in_site_filter) = filters;
    DiscoverConfig {
        method,
        home_page_filter,
        in_site_filter,
        top,
        parallel: 2,
        ..DiscoverConfig::default()
    }
}

const FILTERS: [((bool, bool), &str); 4] = [
    ((false, false), "none"),
    ((true, false), "home page"),
    ((false, true), "in site"),
    ((true, true), "both"),
];

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The mean of those that are there, with so many digits.
fn text_of_mean(values: impl Iterator<Item = Option<f64>>, digits: usize) -> String {
    let values: Vec<f64> = values.flatten().collect();
    if values.is_empty() {
        return format!("{:>1$}", "–", digits + 2);
    }
    format!("{:.digits$}", mean(values.into_iter()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str, default: &str| -> String {
        let at = args.iter().position(|arg| arg == name);
        at.and_then(|at| args.get(at + 1)).map_or_else(|| default.to_owned(), Clone::clone)
    };
    let quick = args.iter().any(|arg| arg == "--quick");
    let sites: usize = option("--sites", "1000").parse()?;
    let rounds: u32 = option("--rounds", "50").parse()?;
    let seeds: Vec<u64> =
        option("--webs", "901,902").split(',').map(str::parse).collect::<Result<_, _>>()?;
    let categories: Vec<Category> = option("--categories", "television,camera")
        .split(',')
        .map(|name| serde_json::from_value(name.into()))
        .collect::<Result<_, _>>()?;
    let stop = StopSignal::default();

    let prior = match option("--prior", "learned").as_str() {
        "learned" => learned_prior(sites.min(300), &stop)?,
        "shipped" => HomePageFilter::default(),
        "none" => HomePageFilter::without_prior(),
        other => return Err(format!("{other:?} is no prior: learned, shipped or none").into()),
    };

    let webs: Vec<TestWeb> = seeds
        .iter()
        .map(|&seed| TestWeb::generate(WebSpec { seed, sites, ..WebSpec::default() }))
        .collect();
    let mut cases: Vec<Case<'_>> = Vec::new();
    for web in &webs {
        for &category in &categories {
            cases.push(case(web, category, prior.clone(), &stop));
        }
    }
    for (case, seed) in
        cases.iter().zip(seeds.iter().flat_map(|seed| categories.iter().map(move |_| seed)))
    {
        println!(
            "web {seed}, {}: {} relevant of {} sites",
            case.category.name(),
            case.relevant.len(),
            sites
        );
    }

    if args.iter().any(|arg| arg == "--vary") {
        vary(&mut cases, rounds);
        return Ok(());
    }
    println!(
        "\n|S| = {SEEDS}, K = 10, both filters (Figures 8 and 9): precision / relevant sites found, by round"
    );
    let steps: Vec<u32> =
        [1, 5, 10, 15, 20, 30, 40, 50].into_iter().filter(|&r| r <= rounds).collect();
    println!("{:14} {}", "", steps.iter().map(|r| format!("{r:>10}")).collect::<String>());
    for (method, name) in METHODS {
        let runs: Vec<(Found, SiteDiscovery)> = cases
            .iter_mut()
            .map(|case| case.run(&config(method, (true, true), 10), SEEDS, rounds))
            .collect();
        let at = |round: u32| {
            let place = |found: &Found| {
                found.rounds.get(round as usize - 1).or(found.rounds.last()).copied()
            };
            let values: Vec<(usize, usize)> =
                runs.iter().filter_map(|(found, _)| place(found)).collect();
            let precision =
                text_of_mean(values.iter().map(|(all, right)| precision(*all, *right)), 2);
            let right = mean(values.iter().map(|(_, right)| *right as f64));
            format!("{precision:>5}/{right:<4.0}")
        };
        println!(
            "{name:14} {}",
            steps.iter().map(|&r| format!("{:>10}", at(r))).collect::<String>()
        );
        if method == RankMethod::Intersection {
            summary(&mut cases, &runs);
        }
    }
    for (filters, name) in FILTERS {
        let runs: Vec<Found> = cases
            .iter_mut()
            .map(|case| case.run(&config(RankMethod::Intersection, filters, 10), SEEDS, rounds).0)
            .collect();
        let requests: f64 =
            mean(runs.iter().map(|f| f.site_requests as f64 / f.right.max(1) as f64));
        println!(
            "intersection, filter {name:10} P {}, {:.0} relevant, {requests:.1} requests to sites for each",
            text_of_mean(runs.iter().map(Found::precision), 3),
            mean(runs.iter().map(|found| found.right as f64)),
        );
    }
    if quick {
        return Ok(());
    }
    let (ks, sizes) = ([10, 20, 40, 60, 80, 100], [10, 20, 30, 50, 70]);
    for (title, filters) in
        [("no filter", (false, false)), ("home page", (true, false)), ("both", (true, true))]
    {
        println!("\nI = 1, {title} (Figure 7): precision by K with |S| = 50 | by |S| with K = 20");
        for (method, name) in METHODS {
            let mut line = format!("{name:14}");
            for k in ks {
                let values = cases.iter_mut().map(|case| {
                    case.run(&config(method, filters, k), 50.min(case.relevant.len() / 2), 1)
                        .0
                        .precision()
                });
                line += &format!(" {:>4}", text_of_mean(values, 2));
            }
            line += " |";
            for size in sizes {
                let values = cases
                    .iter_mut()
                    .map(|case| case.run(&config(method, filters, 20), size, 1).0.precision());
                line += &format!(" {:>4}", text_of_mean(values, 2));
            }
            println!("{line}");
        }
    }
    Ok(())
}

/// What the home-page filter learns from another category of another web.
fn learned_prior(sites: usize, stop: &StopSignal) -> Result<HomePageFilter, Box<dyn Error>> {
    let other = TestWeb::generate(WebSpec { seed: 77, sites, ..WebSpec::default() });
    let mut teacher = case(&other, Category::Headphone, HomePageFilter::default(), stop);
    let (_, learned) = teacher.run(&config(RankMethod::Intersection, (true, true), 10), SEEDS, 15);
    Ok(HomePageFilter::from_text(&learned.state.filter.to_text())?)
}

/// A number that was set by hand: its name, and how to multiply it.
type HandSet = (&'static str, fn(&mut DiscoverConfig, f64));

const HAND_SET: &[HandSet] = &[
    ("nothing", |_, _| {}),
    ("in site: max_term", |config, by| config.in_site.max_term *= by),
    ("in site: smoothing", |config, by| config.in_site.smoothing *= by),
    ("in site: base_share", |config, by| config.in_site.base_share *= by),
    ("in site: few_others", |config, by| config.in_site.few_others *= by),
    ("in site: min_score", |config, by| config.in_site.min_score *= by),
    ("in site: contradiction", |config, by| config.in_site.contradiction *= by),
    ("in site: alike_share", |config, by| config.in_site.alike_share *= by),
    ("in site: copied_share", |config, by| config.in_site.copied_share *= by),
    ("home page: lost_share", |config, by| config.home_page.lost_share *= by),
    ("home page: margin", |config, by| config.home_page.margin *= by),
    ("home page: sure_probability", |config, by| config.home_page.sure_probability *= by),
    ("home page: min_relevant", |config, by| {
        config.home_page.min_relevant = (config.home_page.min_relevant as f64 * by) as usize;
    }),
    ("home page: audit_every", |config, by| {
        config.home_page.audit_every = (config.home_page.audit_every as f64 * by) as u64;
    }),
];

/// The intersection with both filters, each number set by hand three tenths smaller and larger.
fn vary(cases: &mut [Case<'_>], rounds: u32) {
    println!("\nP, R of the reachable, requests for each relevant site: means | the least P and R");
    let reachable: Vec<BTreeSet<String>> = cases
        .iter_mut()
        .map(|case| {
            let seeds = case.seeds(SEEDS);
            let mut reachable = case.reachable();
            reachable.retain(|site| !seeds.contains(site));
            reachable
        })
        .collect();
    for (name, multiply) in HAND_SET {
        for by in [0.7, 1.3] {
            let mut config = config(RankMethod::Intersection, (true, true), 10);
            multiply(&mut config, by);
            let mut figures: Vec<(f64, f64, f64)> = Vec::new();
            for (case, reachable) in cases.iter_mut().zip(&reachable) {
                let (found, _) = case.run(&config, SEEDS, rounds);
                let met = found.names.intersection(reachable).count();
                let recall = met as f64 / reachable.len().max(1) as f64;
                let cost = found.site_requests as f64 / found.right.max(1) as f64;
                figures.push((found.precision().unwrap_or(0.0), recall, cost));
            }
            let least = |of: fn(&(f64, f64, f64)) -> f64| {
                figures.iter().map(of).min_by(f64::total_cmp).unwrap_or_default()
            };
            println!(
                "{name:30} × {by}: P {:.3} R {:.3} {:6.1} | P {:.3} R {:.3}",
                mean(figures.iter().map(|own| own.0)),
                mean(figures.iter().map(|own| own.1)),
                mean(figures.iter().map(|own| own.2)),
                least(|own| own.0),
                least(|own| own.1),
            );
            if *name == "nothing" {
                break;
            }
        }
    }
}

fn case<'a>(
    web: &'a TestWeb,
    category: Category,
    prior: HomePageFilter,
    stop: &'a StopSignal,
) -> Case<'a> {
    let mut relevant: Vec<(std::cmp::Reverse<usize>, &str)> = web
        .truth()
        .zip(web.sites())
        .filter(|(truth, _)| truth.relevant.contains(&category))
        .map(|(truth, site)| (std::cmp::Reverse(truth.products), site.host.as_str()))
        .collect();
    relevant.sort_unstable();
    let relevant = relevant.into_iter().map(|(_, host)| host).collect();
    let sites = CachedSites::new(web, category, stop);
    Case { web, category, graph: GraphText::of(web), sites, relevant, prior }
}

/// Recall, cost, and the filters on all sites of the web (Table 4).
fn summary(cases: &mut [Case<'_>], runs: &[(Found, SiteDiscovery)]) {
    for (case, (found, discovery)) in cases.iter_mut().zip(runs) {
        let seeds: BTreeSet<String> = case.seeds(SEEDS).into_iter().collect();
        let reachable = case.reachable();
        let wanted = reachable.difference(&seeds).count();
        let met = found.names.iter().filter(|site| reachable.contains(*site)).count();
        let requests = found.site_requests + found.queries as u64 * 3;
        let by_breadth = case.breadth_first(SEEDS, requests);
        println!(
            "   {}: P {}, R {:.3} of {wanted} reachable ({} relevant); {requests} requests, {:.1} for each; \
             breadth first finds {by_breadth} with as many",
            case.category.name(),
            text_of_mean(std::iter::once(found.precision()), 3),
            met as f64 / wanted.max(1) as f64,
            case.relevant.len() - SEEDS.min(case.relevant.len()),
            requests as f64 / found.right.max(1) as f64,
        );
        for wrong in &found.wrong {
            println!("   wrong {wrong}");
        }
        for site in reachable.difference(&seeds).filter(|site| !found.names.contains(*site)) {
            let line = discovery.state.judged.iter().find(|line| line.site == *site);
            println!(
                "   missed {site}: {}",
                line.map_or("never among the best", |line| &line.reason)
            );
        }
        filters(case, &seeds, discovery);
    }
}

/// What each filter says of every site of the web, with what it has learned.
fn filters(case: &mut Case<'_>, seeds: &BTreeSet<String>, discovery: &SiteDiscovery) {
    let config = config(RankMethod::Intersection, (true, true), 10);
    let mut filter = discovery.state.filter.clone();
    let mut by_odds: Vec<(f64, bool)> = Vec::new();
    let mut table: BTreeMap<(bool, bool), (u32, u32)> = BTreeMap::new();
    for site in case.web.sites().iter().filter(|site| !seeds.contains(&site.host)) {
        let request = [SiteLookup {
            site: site.host.clone(),
            url: Some(format!("http://{}/", site.host)),
            hits: Vec::new(),
        }];
        let home = case.sites.home_pages(&request).remove(0);
        let inside = case.sites.examine(&request).remove(0);
        let by_home = home.home.is_some_and(|page| {
            let verdict = filter.judge(&page, &config.home_page);
            by_odds.push((verdict.probability, site.is_relevant(case.category)));
            verdict.passes && !verdict.is_audit
        });
        let mut alone = discovery.clone();
        let was_known = alone.state.known.remove(&site.host).is_some();
        let by_inside =
            alone.judges(&config, &inside.products) && (was_known || !inside.products.is_empty());
        let cell = table.entry((by_home, by_inside)).or_default();
        if site.is_relevant(case.category) { cell.0 += 1 } else { cell.1 += 1 }
    }
    let all: u32 = table.values().map(|(right, _)| right).sum();
    let scored = |of: &dyn Fn(bool, bool) -> bool| {
        let cells = table.iter().filter(|((home, inside), _)| of(*home, *inside));
        let (right, wrong) = cells.fold((0, 0), |sum, (_, cell)| (sum.0 + cell.0, sum.1 + cell.1));
        format!(
            "P {:.2} R {:.2}",
            f64::from(right) / f64::from((right + wrong).max(1)),
            f64::from(right) / f64::from(all.max(1))
        )
    };
    // The likeliest sites up to the recall that the paper's filter has.
    by_odds.sort_by(|one, other| other.0.total_cmp(&one.0));
    let enough = (PAPERS_HOME_RECALL * f64::from(all)).ceil() as usize;
    let (mut taken, mut right) = (0, 0);
    for (_, relevant) in &by_odds {
        if right >= enough {
            break;
        }
        taken += 1;
        right += usize::from(*relevant);
    }
    println!(
        "   all sites (Table 4): home page {} (P {:.2} at R {PAPERS_HOME_RECALL}); in site {}; both {}",
        scored(&|home, _| home),
        right as f64 / taken.max(1) as f64,
        scored(&|_, inside| inside),
        scored(&|home, inside| home && inside)
    );
}
