//! A crawl of something that is not the web: the engine decides, a fetcher of one's own answers. Here a site in memory; it
//! could as well be a browser, a queue or a folder.
//!
//! `cargo run --release -p quarry-crawl --example custom_fetcher`
#![allow(clippy::print_stdout)]

use std::error::Error;

use quarry_crawl::{
    CrawlSettings, Engine, MemoryFrontier, QuerySettings, Step, StrategyKind, read_answer,
};
use quarry_model::{Exchange, Fetched, Fetcher, Headers, Request, Response, Timestamp};
use quarry_testsite::{Site, SiteRequest, SiteSpec};

/// Where the site in memory is said to be.
const ORIGIN: &str = "http://shop.example";

struct InMemory(Site);

impl Fetcher for InMemory {
    /// `may_follow` is for fetchers that follow redirects; what this one is answered, it hands on.
    async fn fetch(
        &self,
        request: &Request,
        _may_follow: &(dyn Fn(&str) -> bool + Send + Sync),
    ) -> Fetched {
        let target = request.url.strip_prefix(ORIGIN).unwrap_or("/");
        let answer = match &request.body {
            Some(body) => self.0.respond(&SiteRequest::post(target, body)),
            None => self.0.respond(&SiteRequest::get(target)),
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

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let fetcher = InMemory(Site::generate(SiteSpec::preset("d1-homes")?));
    let mut settings = CrawlSettings::new([format!("{ORIGIN}{}", fetcher.0.root())]);
    settings.strategy = StrategyKind::Query(QuerySettings::default());

    let mut engine = Engine::new(settings)?;
    let reader = engine.reader();
    let mut frontier = MemoryFrontier::default();
    // Time is a value: what the engine wants to wait for is over at once.
    let mut now = Timestamp(0);
    engine.start(&mut frontier, now)?;
    loop {
        let reaction = match engine.next(&mut frontier, now)? {
            Step::Fetch(ticket) => {
                let gate = ticket.gate.clone();
                let may_follow = move |url: &str| gate.allows(url);
                let fetched = fetcher.fetch(&ticket.request, &may_follow).await;
                engine.observe(&mut frontier, read_answer(&ticket, fetched, &reader), now)?
            }
            Step::Settled(reaction) => *reaction,
            Step::WaitUntil(at) => {
                now = at;
                continue;
            }
            // Busy: it waits for answers. Here each is taken in at once. Recall: what an archive has; there is none.
            Step::Busy | Step::Recall(_) | Step::Done(_) => break,
        };
        // A `PageStore` would keep these; `quarry_store::Project` does.
        for capture in reaction.captures.iter().filter(|capture| capture.is_page) {
            println!("{} {}", capture.exchange.response.status, capture.exchange.request.url);
        }
    }
    println!("over after {} s of its time", now.0 / 1000);
    for graph in engine.query_graphs() {
        println!("{} values of {} entities", graph.values().count(), graph.entities().len());
    }
    Ok(())
}
