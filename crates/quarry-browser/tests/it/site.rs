//! A site in memory, and a browser to show it with.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use quarry_browser::{BrowserSettings, Chromium};
use quarry_model::{
    BoxedFuture, Exchange, Headers, PageStep, PartKind, PartRefusal, PartSource, RenderFailure,
    RenderJob, Rendered, Renderer, Request, Response, StepKind, Timestamp,
};

/// The browser of this machine; none where there is none, which continuous integration does not accept.
#[allow(clippy::print_stderr, reason = "a skipped test says so")]
pub(crate) fn browser(settings: BrowserSettings) -> Option<Chromium> {
    match Chromium::new(settings) {
        Ok(browser) => Some(browser),
        Err(error) if std::env::var_os("CI").is_some() => panic!("{error}"),
        Err(error) => {
            eprintln!("skipped: {error}");
            None
        }
    }
}

/// Answers by path, and what was asked.
#[derive(Default)]
pub(crate) struct Site {
    answers: BTreeMap<String, (&'static str, String)>,
    pub(crate) asked: Mutex<Vec<String>>,
}

impl Site {
    pub(crate) fn new(page: &str) -> Self {
        Self::default().with("/", "text/html; charset=utf-8", page)
    }

    pub(crate) fn with(mut self, path: &str, kind: &'static str, body: &str) -> Self {
        self.answers.insert(path.to_owned(), (kind, body.to_owned()));
        self
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    fn answer(&self, url: &str) -> Option<Exchange> {
        let path = url.strip_prefix("http://site.test")?;
        let (kind, body) = self.answers.get(path)?;
        let headers = Headers(vec![("Content-Type".to_owned(), (*kind).to_owned())]);
        let body = body.clone().into_bytes();
        let response = Response { status: 200, headers, body, ..Response::default() };
        let mut exchange = Exchange::of(Request::get(url), response);
        exchange.at = Timestamp(1_790_000_000_000);
        Some(exchange)
    }

    /// Shows the page after these steps, each `kind.group=value`.
    pub(crate) async fn show(
        &self,
        browser: &Chromium,
        steps: &[&str],
    ) -> Result<Rendered, RenderFailure> {
        let page = self.answer("http://site.test/").unwrap();
        let steps: Vec<PageStep> = steps.iter().map(|step| parse(step)).collect();
        let mut address = url::Url::parse("http://site.test/").unwrap();
        for PageStep { kind, group, value } in &steps {
            let name = format!("quarry.{}.{group}", kind.as_str());
            address.query_pairs_mut().append_pair(&name, value);
        }
        let (address, clock) = (address.as_str(), page.at);
        let job =
            RenderJob { page: &page, address, steps: &steps, clock, seed: 7, idle_rows: None };
        browser.render(job, self).await
    }

    /// The document as text.
    pub(crate) async fn html(&self, browser: &Chromium, steps: &[&str]) -> String {
        String::from_utf8(self.show(browser, steps).await.unwrap().document).unwrap()
    }
}

fn parse(step: &str) -> PageStep {
    let (control, value) = step.split_once('=').unwrap();
    let (kind, group) = control.split_once('.').unwrap();
    let kind = StepKind::parse(kind).unwrap();
    PageStep { kind, group: group.to_owned(), value: value.to_owned() }
}

impl PartSource for Site {
    fn get(
        &self,
        request: Request,
        _: PartKind,
    ) -> BoxedFuture<'_, Result<Arc<Exchange>, PartRefusal>> {
        self.asked.lock().unwrap().push(request.key().into_owned());
        let answer = self.answer(&request.url).map(Arc::new).ok_or(PartRefusal::Failed);
        Box::pin(async move { answer })
    }
}
