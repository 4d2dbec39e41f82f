//! Generated sites, crawled in process: what was asked, what came, what the strategy says of it.

use std::time::Duration;

use quarry_crawl::query::QueryGraph;
use quarry_crawl::{
    CrawlSettings, Engine, MemoryFrontier, Step, Stop, StrategyKind, StrategyReport, read_answer,
};
use quarry_model::{Exchange, Fetched, Headers, Method, Outcome, Request, Response, Timestamp};
use quarry_testsite::{PageClass, Site, SiteRequest};

/// 2026-11-15T20:00:00Z.
const START: Timestamp = Timestamp(1_794_772_800_000);

/// Where the sites stand.
pub(crate) const ROOT: &str = "http://127.0.0.1:9";

/// A crawl of one site, which may be killed and gone on with.
pub(crate) struct Crawl<'a> {
    site: &'a Site,
    settings: CrawlSettings,
    pub(crate) frontier: MemoryFrontier,
    /// Pages in the order of archiving, with their depth.
    pub(crate) archive: Vec<(Exchange, u32)>,
    /// Every request on the wire with the kind of page that came.
    pub(crate) asked: Vec<(Request, PageClass)>,
    pub(crate) report: StrategyReport,
    pub(crate) graphs: Vec<QueryGraph>,
    /// Traps that were stepped into.
    pub(crate) violations: Vec<&'static str>,
}

impl<'a> Crawl<'a> {
    pub(crate) fn new(site: &'a Site, strategy: StrategyKind) -> Self {
        let mut settings = CrawlSettings::new([format!("{ROOT}{}", site.root())]);
        settings.strategy = strategy;
        settings.probe_missing = false;
        Self {
            site,
            settings,
            frontier: MemoryFrontier::default(),
            archive: Vec::new(),
            asked: Vec::new(),
            report: StrategyReport::All,
            graphs: Vec::new(),
            violations: Vec::new(),
        }
    }

    /// A crawl that begins at another page than the list of everything.
    pub(crate) fn from(site: &'a Site, path: &str, strategy: StrategyKind) -> Self {
        let mut crawl = Self::new(site, strategy);
        crawl.settings.seeds = vec![format!("{ROOT}{path}")];
        crawl
    }

    /// Runs a session of at most so many requests; the session is then dropped, as in a crash. True
    /// once nothing is left to ask.
    pub(crate) fn run(&mut self, most: usize) -> bool {
        let mut engine = Engine::new(self.settings.clone()).unwrap();
        let (mut now, mut sent) = (START, 0);
        engine.start(&mut self.frontier, now).unwrap();
        let reader = engine.reader();
        for (exchange, depth) in &self.archive {
            if let Some(page) = reader.recall(exchange, &exchange.request.url, *depth) {
                engine.recall(&mut self.frontier, &page).unwrap();
            }
        }
        loop {
            match engine.next(&mut self.frontier, now).unwrap() {
                Step::Fetch(_) if sent == most => return false,
                Step::Fetch(ticket) => {
                    sent += 1;
                    let allows = |url: &str| ticket.gate.allows(url);
                    let fetched = self.fetch(&ticket.request, &allows, now);
                    let observation = read_answer(&ticket, fetched, &reader);
                    let reaction = engine.observe(&mut self.frontier, observation, now).unwrap();
                    let pages = reaction.captures.into_iter().filter(|capture| capture.is_page);
                    self.archive.extend(pages.map(|page| (page.exchange, page.depth)));
                }
                Step::WaitUntil(at) => now = at,
                Step::Settled(_) => {}
                Step::Recall(_) => unreachable!("a frontier in memory has no archive"),
                Step::Busy => unreachable!("every answer comes at once"),
                Step::Done(stop) => {
                    assert_eq!(stop, Stop::Finished);
                    self.report = engine.report();
                    self.graphs = engine.query_graphs().into_iter().cloned().collect();
                    return true;
                }
            }
        }
    }

    fn fetch(&mut self, first: &Request, allows: &dyn Fn(&str) -> bool, now: Timestamp) -> Fetched {
        let mut hops = Vec::new();
        let mut request = first.clone();
        loop {
            let exchange = self.exchange(&request, now);
            let target = exchange.response.location().and_then(|to| {
                Some(url::Url::parse(&request.url).ok()?.join(to).ok()?.to_string())
            });
            match target {
                Some(target) if allows(&target) => {
                    hops.push(exchange);
                    request = Request::get(target);
                }
                _ => return Fetched { hops, outcome: Outcome::Response(Box::new(exchange)) },
            }
        }
    }

    fn exchange(&mut self, request: &Request, at: Timestamp) -> Exchange {
        let target = request.url.strip_prefix(ROOT).unwrap().to_owned();
        let answer = self.site.respond(&SiteRequest {
            method: request.method.as_str().to_owned(),
            body: if request.method == Method::Post {
                request.body.clone().unwrap()
            } else {
                String::new()
            },
            count: self.asked.len() as u64,
            ..SiteRequest::get(target)
        });
        self.asked.push((request.clone(), answer.class));
        self.violations.extend(answer.violation);
        let response = Response {
            rendering: None,
            status: answer.status,
            version: "HTTP/1.1".to_owned(),
            headers: Headers(answer.headers),
            body: answer.body,
            decoded: None,
            truncated: None,
        };
        let request = request.clone();
        let took = Duration::from_millis(5);
        Exchange { request, sent: Headers::default(), response, remote: None, at, took }
    }

    /// Kinds of pages that came, each once.
    pub(crate) fn classes(&self) -> Vec<PageClass> {
        let mut classes: Vec<PageClass> = Vec::new();
        for (_, class) in &self.asked {
            if !classes.contains(class) {
                classes.push(*class);
            }
        }
        classes
    }
}
