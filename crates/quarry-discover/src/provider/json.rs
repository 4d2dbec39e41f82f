//! Any search service that answers a GET with JSON: SearXNG, Brave Search, or what a user describes by the template of an
//! address and the path of the results.

use std::collections::BTreeSet;
use std::time::Duration;

use quarry_model::{ProviderError, SearchProvider, Timestamp};
use serde_json::Value;

use super::quota::{Permit, Quota};

/// How a service is asked and where its answer has the addresses.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonApi {
    /// What it is called.
    pub name: String,
    /// The address of a request: `{query}` stands for the query, `{page}` for the number of the page.
    pub url: String,
    /// Where addresses stand in the answer: keys, `[]` for every element of a list (`web.results[].url`).
    pub path: String,
    /// The number of the first page.
    pub first_page: u32,
    /// Pages of a query, at most; without `{page}` in the address there is one.
    pub max_pages: u32,
}

impl JsonApi {
    /// A SearXNG instance. Its administrator must have allowed `json` among `search.formats`.
    #[must_use]
    pub fn searxng(base: &str) -> Self {
        let base = base.trim_end_matches('/');
        Self {
            name: format!("searxng {base}"),
            url: format!("{base}/search?q={{query}}&format=json&pageno={{page}}"),
            path: "results[].url".to_owned(),
            first_page: 1,
            max_pages: 10,
        }
    }

    /// Brave's web search. Its key goes in the header field `X-Subscription-Token`, which is the port's business.
    #[must_use]
    pub fn brave(base: &str) -> Self {
        let base = base.trim_end_matches('/');
        Self {
            name: "brave".to_owned(),
            url: format!("{base}/res/v1/web/search?q={{query}}&count=20&offset={{page}}"),
            path: "web.results[].url".to_owned(),
            first_page: 0,
            max_pages: 10,
        }
    }

    /// A service described as `ADDRESS#PATH`, as in `https://s.example/?q={query}&p={page}#hits[].link`.
    ///
    /// # Errors
    /// What is missing in the description.
    pub fn template(text: &str) -> Result<Self, String> {
        let (url, path) = text.rsplit_once('#').ok_or_else(|| {
            format!("'{text}' does not say where results stand; end it with #results[].url")
        })?;
        if !url.contains("{query}") {
            return Err(format!("'{url}' has no {{query}} in it"));
        }
        if path.is_empty() {
            return Err(format!("'{text}' has no path after #, as in #results[].url"));
        }
        let name = quarry_model::site_of(url)
            .ok_or_else(|| format!("'{url}' is not an address; begin it with https://"))?;
        let (url, path) = (url.to_owned(), path.to_owned());
        Ok(Self { name, url, path, first_page: 1, max_pages: 10 })
    }

    fn address(&self, query: &str, page: u32) -> String {
        let query: String = url::form_urlencoded::byte_serialize(query.as_bytes()).collect();
        self.url.replace("{query}", &query).replace("{page}", &page.to_string())
    }
}

/// An answer of a service.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ApiAnswer {
    /// The status code.
    pub status: u16,
    /// Seconds after which to try again, where the service says so.
    pub retry_after: Option<u64>,
    /// The body, decoded.
    pub body: Vec<u8>,
}

/// The outside of a service: network, clock, and the memory of its quota.
pub trait ApiPort {
    /// The time.
    fn now(&self) -> Timestamp;

    /// Waits; false where it was told to stop meanwhile.
    fn wait(&mut self, pause: Duration) -> bool;

    /// Sends a GET.
    ///
    /// # Errors
    /// Why no answer came.
    fn get(&mut self, url: &str) -> Result<ApiAnswer, String>;

    /// Keeps what has been used.
    fn keep_quota(&mut self, quota: &Quota);
}

/// A search service that answers with JSON.
pub struct JsonSearch<P> {
    api: JsonApi,
    quota: Quota,
    port: P,
    requests: u64,
}

/// Attempts at a request that is refused for the moment.
const ATTEMPTS: u32 = 4;
/// Longest pause that a service may ask for before the discovery is put off.
const LONGEST_WAIT: Duration = Duration::from_secs(120);
/// Pause after a refusal that names none.
const REFUSAL_PAUSE: u64 = 5;

impl<P: ApiPort> JsonSearch<P> {
    /// A service with its quota and its outside.
    pub fn new(api: JsonApi, quota: Quota, port: P) -> Self {
        Self { api, quota, port, requests: 0 }
    }

    fn unavailable(&self, detail: impl Into<String>) -> ProviderError {
        ProviderError::Unavailable { provider: self.api.name.clone(), detail: detail.into() }
    }

    /// Waits until a request may be sent.
    fn permitted(&mut self) -> Result<(), ProviderError> {
        loop {
            match self.quota.ask(self.port.now()) {
                Permit::Now => {
                    self.port.keep_quota(&self.quota);
                    return Ok(());
                }
                Permit::After(pause) if pause <= LONGEST_WAIT => {
                    if !self.port.wait(pause) {
                        return Err(self.unavailable("interrupted while waiting"));
                    }
                }
                Permit::After(pause) => {
                    let until = self.port.now().plus(pause);
                    return Err(ProviderError::Quota { provider: self.api.name.clone(), until });
                }
                Permit::UsedUp(until) => {
                    return Err(ProviderError::Quota { provider: self.api.name.clone(), until });
                }
            }
        }
    }

    fn page(&mut self, query: &str, number: u32) -> Result<Vec<String>, ProviderError> {
        let address = self.api.address(query, number);
        for _ in 0..ATTEMPTS {
            self.permitted()?;
            self.requests += 1;
            let answer = self.port.get(&address).map_err(|why| self.unavailable(why))?;
            match answer.status {
                200 => return self.addresses(&answer.body),
                429 | 503 => {
                    let pause = Duration::from_secs(answer.retry_after.unwrap_or(REFUSAL_PAUSE));
                    self.quota.rest_until(self.port.now().plus(pause));
                    self.port.keep_quota(&self.quota);
                }
                401 | 403 => {
                    return Err(self.unavailable(format!(
                        "refused with status {}: check the key, and for SearXNG that its settings.yml \
                         allows `json` among search.formats",
                        answer.status
                    )));
                }
                status => return Err(self.unavailable(format!("answered with status {status}"))),
            }
        }
        Err(self.unavailable("refuses again and again; try later"))
    }

    fn addresses(&self, body: &[u8]) -> Result<Vec<String>, ProviderError> {
        let malformed = |detail: String| {
            let provider = self.api.name.clone();
            ProviderError::Malformed { provider, detail }
        };
        let value: Value = serde_json::from_slice(body).map_err(|error| {
            malformed(format!("not JSON ({error}); it may be a page for people"))
        })?;
        if !value.is_object() && !value.is_array() {
            return Err(malformed("neither an object nor a list".to_owned()));
        }
        let found = at_path(&value, &self.api.path);
        let is_address = |text: &&str| text.starts_with("http://") || text.starts_with("https://");
        Ok(found
            .iter()
            .filter_map(|value| value.as_str())
            .filter(is_address)
            .map(str::to_owned)
            .collect())
    }
}

impl<P: ApiPort> SearchProvider for JsonSearch<P> {
    fn name(&self) -> &str {
        &self.api.name
    }

    fn requests(&self) -> u64 {
        self.requests
    }

    fn search(
        &mut self,
        queries: &[String],
        limit: usize,
    ) -> Result<Vec<Vec<String>>, ProviderError> {
        let pages = if self.api.url.contains("{page}") { self.api.max_pages } else { 1 };
        let mut answers = Vec::new();
        for query in queries {
            let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
            for page in 0..pages {
                let before = found.len();
                let addresses = self.page(query, self.api.first_page + page)?;
                found.extend(addresses.into_iter().filter(|url| seen.insert(url.clone())));
                // A page without anything new is the last one.
                if found.len() == before || found.len() >= limit {
                    break;
                }
            }
            found.truncate(limit);
            answers.push(found);
        }
        Ok(answers)
    }
}

/// The values at a path: keys by dots, `[]` for every element, `[2]` for one.
fn at_path<'a>(value: &'a Value, path: &str) -> Vec<&'a Value> {
    let mut found = vec![value];
    for part in path.split('.').filter(|part| !part.is_empty()) {
        let (key, brackets) = part.split_at(part.find('[').unwrap_or(part.len()));
        if !key.is_empty() {
            found = found.into_iter().filter_map(|value| value.get(key)).collect();
        }
        for index in brackets.split(['[', ']']).enumerate().filter(|(at, _)| at % 2 == 1) {
            found = match index.1.parse::<usize>() {
                Ok(number) => found.into_iter().filter_map(|value| value.get(number)).collect(),
                Err(_) => found.into_iter().filter_map(Value::as_array).flatten().collect(),
            };
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    #[test]
    fn values_at_paths() {
        let value: Value =
            serde_json::from_str(r#"{"a":{"list":[{"u":1},{"u":2},{"v":3}]},"rows":[["x","y"]]}"#)
                .unwrap();
        let check = |path: &str, expect: &str| {
            assert_eq!(serde_json::to_string(&at_path(&value, path)).unwrap(), expect, "{path}");
        };
        check("a.list[].u", "[1,2]");
        check("a.list[1].u", "[2]");
        check("rows[][]", r#"["x","y"]"#);
        check("nothing[].here", "[]");
    }

    #[test]
    fn templates_say_what_is_missing() {
        let api = JsonApi::template("https://s.example/?q={query}&p={page}#hits[].link").unwrap();
        assert_eq!((api.name.as_str(), api.path.as_str()), ("s.example", "hits[].link"));
        assert_eq!(api.address("\"A B\"", 2), "https://s.example/?q=%22A+B%22&p=2");
        for wrong in ["https://s.example/?q={query}", "https://s.example/#x", "s.example/{query}#x"]
        {
            assert!(JsonApi::template(wrong).is_err(), "{wrong}");
        }
    }

    /// Answers in the order in which they are given; its clock moves when it waits.
    #[derive(Clone)]
    struct Recorded {
        answers: Rc<RefCell<Vec<ApiAnswer>>>,
        asked: Rc<RefCell<Vec<String>>>,
        now: Rc<RefCell<Timestamp>>,
    }

    impl ApiPort for Recorded {
        fn now(&self) -> Timestamp {
            *self.now.borrow()
        }
        fn wait(&mut self, pause: Duration) -> bool {
            let later = self.now().plus(pause);
            *self.now.borrow_mut() = later;
            true
        }
        fn get(&mut self, url: &str) -> Result<ApiAnswer, String> {
            self.asked.borrow_mut().push(url.to_owned());
            Ok(self.answers.borrow_mut().remove(0))
        }
        fn keep_quota(&mut self, _: &Quota) {}
    }

    fn recorded(answers: &[(u16, &str)]) -> Recorded {
        let answer = |(status, body): &(u16, &str)| ApiAnswer {
            status: *status,
            retry_after: Some(30),
            body: body.as_bytes().to_vec(),
        };
        Recorded {
            answers: Rc::new(RefCell::new(answers.iter().map(answer).collect())),
            asked: Rc::default(),
            now: Rc::new(RefCell::new(Timestamp(0))),
        }
    }

    /// The documented form of Brave's answers, shortened.
    const BRAVE: &str = r#"{"type":"search","query":{"original":"4006381333931","more_results_available":true},
        "mixed":{"type":"mixed","main":[{"type":"web","index":0,"all":false}]},
        "web":{"type":"search","results":[
        {"title":"Stabilo","url":"https://shop.example/p/1","is_source_local":false,"description":"…","page_age":"2026-01-01T00:00:00","profile":{"name":"Shop","url":"https://shop.example/p/1","long_name":"shop.example"},"language":"en","family_friendly":true,"type":"search_result","subtype":"generic","meta_url":{"scheme":"https","netloc":"shop.example","hostname":"shop.example","path":"› p"}},
        {"title":"Other","url":"https://other.example/x","type":"search_result"}]}}"#;

    #[test]
    fn brave_is_asked_page_by_page_and_waits_when_told_to() {
        let port = recorded(&[(429, ""), (200, BRAVE), (200, r#"{"web":{"results":[]}}"#)]);
        let quota = Quota::new(Duration::from_secs(1), Some(2_000), 24 * 30);
        let api = JsonApi::brave("https://api.search.brave.com");
        let mut brave = JsonSearch::new(api, quota, port.clone());
        let found = brave.search(&["4006381333931".to_owned()], 100).unwrap();
        assert_eq!(found, [["https://shop.example/p/1", "https://other.example/x"]]);
        assert_eq!(brave.requests(), 3);
        assert!(port.now() >= Timestamp(31_000), "it waited as it was told: {}", port.now());
        let asked = port.asked.borrow();
        assert!(asked[1].ends_with("?q=4006381333931&count=20&offset=0"), "{asked:?}");
        assert!(asked[2].ends_with("&offset=1"), "{asked:?}");
    }

    /// The pages of the conformance suite as SearXNG answers: two results on a page.
    struct Conforming;

    impl ApiPort for Conforming {
        fn now(&self) -> Timestamp {
            Timestamp(0)
        }
        fn wait(&mut self, _: Duration) -> bool {
            true
        }
        fn get(&mut self, url: &str) -> Result<ApiAnswer, String> {
            let url = url::Url::parse(url).map_err(|error| error.to_string())?;
            let param = |name: &str| {
                url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
            };
            let query = param("q").unwrap_or_default();
            let page: usize = param("pageno").unwrap_or_default().parse().map_err(|_| "pageno")?;
            assert_eq!(param("format").as_deref(), Some("json"));
            let results: Vec<Value> = quarry_model::conformance::provider::PAGES
                .iter()
                .filter(|(_, ids)| ids.contains(&query.as_str()))
                .skip(2 * (page - 1))
                .take(2)
                .map(|(url, _)| serde_json::json!({"url": url, "title": "", "engine": "test"}))
                .collect();
            let body = serde_json::json!({"query": query, "results": results, "answers": []});
            Ok(ApiAnswer { status: 200, retry_after: None, body: body.to_string().into_bytes() })
        }
        fn keep_quota(&mut self, _: &Quota) {}
    }

    #[test]
    fn it_keeps_the_promises_of_search_providers() {
        let quota = Quota::new(Duration::ZERO, None, 24);
        let api = JsonApi::searxng("http://127.0.0.1:8888");
        let mut search = JsonSearch::new(api, quota, Conforming);
        quarry_model::conformance::provider::check_search(&mut search);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let fails = |answer: (u16, &str)| {
            let quota = Quota::new(Duration::ZERO, None, 24);
            let api = JsonApi::searxng("http://127.0.0.1:8888/");
            let mut search = JsonSearch::new(api, quota, recorded(&[answer]));
            search.search(&["x".to_owned()], 10).unwrap_err().to_string()
        };
        assert!(fails((403, "")).contains("search.formats"));
        assert!(fails((200, "<html>")).contains("not JSON"));
        assert!(fails((500, "")).contains("status 500"));
    }
}
