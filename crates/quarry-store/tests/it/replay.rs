//! Does a replay answer as the site did?

use quarry_content::detect_mime;
use quarry_model::conformance::fetcher;
use quarry_model::{Capture, Exchange, Fetcher, Outcome, PageStore, Request};
use quarry_store::ReplayFetcher;
use quarry_store::warc::ReadLimits;

use crate::open;

const BASE: &str = "http://site.example";

fn archive(dir: &std::path::Path, exchanges: &[Exchange]) {
    let mut project = open(dir);
    for (n, exchange) in exchanges.iter().enumerate() {
        let mime_detected = detect_mime(exchange.response.content(), None);
        let is_page = n % 3 != 0;
        project.put(&Capture { exchange, depth: 0, via: None, mime_detected, is_page }).unwrap();
    }
    project.commit().unwrap();
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

#[test]
fn both_archives_are_fetchers() {
    let dir = tempfile::tempdir().unwrap();
    archive(dir.path(), &fetcher::fixtures(BASE));
    let from_project = ReplayFetcher::from_project(dir.path()).unwrap();
    block_on(fetcher::check(&from_project, BASE));
    let files = [dir.path().join("pages/quarry-00001.warc.gz")];
    let from_files = ReplayFetcher::from_warc(&files, &ReadLimits::default()).unwrap();
    block_on(fetcher::check(&from_files, BASE));
    assert!(from_files.issues().is_empty());
}

#[test]
fn repetitions_have_their_body() {
    use quarry_model::conformance::page_store::page;
    let dir = tempfile::tempdir().unwrap();
    let body = b"<p>the same again".repeat(100);
    let exchanges = [page("http://site.example/1", &body), page("http://site.example/2", &body)];
    archive(dir.path(), &exchanges);
    let files = [dir.path().join("pages/quarry-00001.warc.gz")];
    for replay in [
        ReplayFetcher::from_project(dir.path()).unwrap(),
        ReplayFetcher::from_warc(&files, &ReadLimits::default()).unwrap(),
    ] {
        let request = Request::get("http://site.example/2");
        let fetched = block_on(replay.fetch(&request, &|_| true));
        let Outcome::Response(exchange) = fetched.outcome else { panic!("it is archived") };
        assert_eq!(exchange.response.body, body);
        assert_eq!(exchange.request.url, "http://site.example/2");
    }
}
