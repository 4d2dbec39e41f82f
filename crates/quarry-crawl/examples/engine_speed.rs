//! How long does the engine take per page? A site of small pages with 20 links each, on the frontier
//! in memory, with and without parsing.
//!
//! `cargo run --release -p quarry-crawl --example engine_speed [PAGES]`
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use std::time::{Duration, Instant};

use quarry_crawl::{CrawlSettings, Engine, MemoryFrontier, Step, read_answer};
use quarry_dom::{Document, Limits};
use quarry_model::{Exchange, Fetched, Headers, Outcome, Response, Timestamp};

fn page(n: u64, pages: u64) -> Vec<u8> {
    let mut html = format!("<!doctype html><title>Product {n}</title><h1>Product {n}</h1><nav>");
    for menu in 0..10 {
        html.push_str(&format!("<a href=\"/category/{menu}?sort=name\">Category {menu}</a> "));
    }
    html.push_str("</nav><p>A product of solid oak with two drawers and brass handles.</p><ul>");
    for k in 0..10 {
        let to = (n * 10 + k + 1) % pages;
        html.push_str(&format!("<li><a href=\"/product/{to}/solid-oak-desk\">Desk {to}</a></li>"));
    }
    html.push_str("</ul><p>Delivery in three days. Returns within thirty.</p>");
    html.into_bytes()
}

fn main() {
    let pages: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let mut settings = CrawlSettings::new(["http://127.0.0.1:8080/product/0/solid-oak-desk"]);
    settings.politeness.obey_robots = false;
    settings.politeness.per_host = 8;
    let mut engine = Engine::new(settings).expect("the settings are good");
    let mut frontier = MemoryFrontier::default();
    let reader = engine.reader();
    let now = Timestamp(0);
    let [mut next, mut read, mut parse, mut observe]: [Vec<Duration>; 4] = Default::default();
    engine.start(&mut frontier, now).expect("memory does not fail");
    loop {
        let start = Instant::now();
        let step = engine.next(&mut frontier, now).expect("memory does not fail");
        next.push(start.elapsed());
        match step {
            Step::Fetch(ticket) => {
                let number = ticket.request.url.split('/').nth(4).and_then(|n| n.parse().ok());
                let body = page(number.unwrap_or(0), pages);
                let start = Instant::now();
                let document = Document::parse(&body, Some("text/html"), &Limits::default());
                std::hint::black_box(&document);
                drop(document);
                parse.push(start.elapsed());
                let headers = Headers(vec![("Content-Type".to_owned(), "text/html".to_owned())]);
                let response = Response { status: 200, headers, body, ..Response::default() };
                let exchange = Exchange {
                    request: ticket.request.clone(),
                    sent: Headers::default(),
                    response,
                    remote: None,
                    at: now,
                    took: Duration::ZERO,
                };
                let outcome = Outcome::Response(Box::new(exchange));
                let fetched = Fetched { hops: Vec::new(), outcome };
                let start = Instant::now();
                let observation = read_answer(&ticket, fetched, &reader);
                read.push(start.elapsed());
                let start = Instant::now();
                let reaction =
                    engine.observe(&mut frontier, observation, now).expect("memory does not fail");
                observe.push(start.elapsed());
                std::hint::black_box(reaction);
            }
            Step::Settled(_) => {}
            Step::WaitUntil(_) | Step::Busy | Step::Recall(_) | Step::Done(_) => break,
        }
    }
    // Medians: other work on the machine does not count.
    let done = observe.len();
    let [next, read, parse, observe] = [next, read, parse, observe].map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64() * 1e6
    });
    println!("{done} pages; microseconds per page (median):");
    println!("  next          {next:6.2}");
    println!("  read_answer   {read:6.2}, of which parsing {parse:.2}");
    println!("  observe       {observe:6.2}");
    println!("  without parse {:6.2}", next + read + observe - parse);
}
