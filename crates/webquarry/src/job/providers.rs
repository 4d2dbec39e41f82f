//! Opens the providers that a discovery asks: services over the network, files of Common Crawl, pages of one's own.

use std::io::{self, BufRead};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use quarry_crawl::seed::named_ports;
use quarry_discover::provider::{
    GraphFiles, HostGraph, JsonApi, JsonSearch, LineFile, Quota, UrlIndex,
};
use quarry_fetch::{FetchSettings, HttpFetcher};
use quarry_harvest::StopSignal;
use quarry_harvest::discover::{FetchPort, index_pages};
use quarry_model::{LinkProvider, ModelStore, SearchProvider};
use quarry_store::{Project, open_input, open_lines};

/// The variables that name a SearXNG instance and hold Brave's key.
const SEARXNG_URL: &str = "QUARRY_SEARXNG_URL";
const BRAVE_KEY: &str = "BRAVE_SEARCH_API_KEY";
const BRAVE: &str = "https://api.search.brave.com";
/// Requests to Brave in 30 days: what its free plan allows.
const BRAVE_MONTH: u64 = 2_000;

const PROVIDERS: &str = "discover needs a search service or a link graph; name one or several with --provider:
  searxng=URL             a SearXNG instance, also by $QUARRY_SEARXNG_URL
  brave                   Brave Search, with its key in $BRAVE_SEARCH_API_KEY
  template=ADDRESS#PATH   any service that answers with JSON: template='https://s.example/?q={query}&p={page}#hits[].url'
  graph=VERTICES,EDGES    files of Common Crawl's host-level web graph (.txt or .txt.gz)
  urls=FILE               a file of Common Crawl's URL index (CDXJ lines, also .gz)
  pages=PATH              pages of your own: a project, WARC files, a folder of HTML
SearXNG on this machine, with JSON allowed:
  mkdir searxng && printf 'use_default_settings: true\\nserver: {secret_key: change-me}\\nsearch: {formats: [html, json]}\\n' > searxng/settings.yml
  docker run --rm -d -p 8888:8080 -v \"$PWD/searxng:/etc/searxng\" searxng/searxng
  quarry discover … --provider searxng=http://127.0.0.1:8888";

/// What a discovery asks.
#[derive(Default)]
pub(crate) struct Providers<'a> {
    pub(crate) search: Vec<Box<dyn SearchProvider + 'a>>,
    pub(crate) links: Vec<Box<dyn LinkProvider + 'a>>,
}

struct Lines(PathBuf);

impl LineFile for Lines {
    fn lines(&self) -> io::Result<Box<dyn BufRead + '_>> {
        open_lines(&self.0)
    }
}

struct Graph {
    vertices: PathBuf,
    edges: PathBuf,
}

impl GraphFiles for Graph {
    fn vertices(&self) -> io::Result<Box<dyn BufRead + '_>> {
        open_lines(&self.vertices)
    }

    fn edges(&self) -> io::Result<Box<dyn BufRead + '_>> {
        open_lines(&self.edges)
    }
}

/// Opens the providers that were named; without any, those that the environment names.
pub(crate) fn open<'a>(
    named: &[String],
    settings: &FetchSettings,
    project: &'a Project,
    stop: &StopSignal,
) -> Result<Providers<'a>> {
    let mut named = named.to_vec();
    if named.is_empty() {
        named.extend(std::env::var(SEARXNG_URL).ok().map(|url| format!("searxng={url}")));
        named.extend(std::env::var(BRAVE_KEY).ok().map(|_| "brave".to_owned()));
    }
    let mut providers = Providers::default();
    for text in &named {
        let (kind, rest) = text.split_once('=').unwrap_or((text, ""));
        match kind {
            "searxng" if !rest.is_empty() => {
                let quota = Quota::new(Duration::from_millis(200), None, 24);
                let api = JsonApi::searxng(rest);
                providers.search.push(service(api, quota, Vec::new(), settings, project, stop)?);
            }
            "brave" => {
                let key = std::env::var(BRAVE_KEY)
                    .with_context(|| format!("put the key of Brave Search into ${BRAVE_KEY}"))?;
                let quota = Quota::new(Duration::from_millis(1_100), Some(BRAVE_MONTH), 24 * 30);
                let api = JsonApi::brave(if rest.is_empty() { BRAVE } else { rest });
                let key = vec![("X-Subscription-Token".to_owned(), key)];
                providers.search.push(service(api, quota, key, settings, project, stop)?);
            }
            "template" => {
                let api = JsonApi::template(rest).map_err(anyhow::Error::msg)?;
                let quota = Quota::new(Duration::from_secs(1), None, 24);
                providers.search.push(service(api, quota, Vec::new(), settings, project, stop)?);
            }
            "graph" => {
                let (vertices, edges) = rest
                    .split_once(',')
                    .context("write the files of a graph as graph=VERTICES,EDGES")?;
                let graph = Graph { vertices: existing(vertices)?, edges: existing(edges)? };
                providers.links.push(Box::new(HostGraph::new("web graph", graph)));
            }
            "urls" => {
                let files = vec![Lines(existing(rest)?)];
                providers.search.push(Box::new(UrlIndex::new("URL index", files)));
            }
            "pages" => {
                let index = index_pages(rest, &open_input(&[existing(rest)?], None)?)?;
                providers.search.push(Box::new(index.clone()));
                providers.links.push(Box::new(index));
            }
            _ => bail!("'{text}' is not a provider\n{PROVIDERS}"),
        }
    }
    if providers.search.is_empty() && providers.links.is_empty() {
        bail!("{PROVIDERS}");
    }
    Ok(providers)
}

fn existing(path: &str) -> Result<PathBuf> {
    let found = PathBuf::from(path);
    if !found.exists() {
        bail!("there is no file or folder '{path}'");
    }
    Ok(found)
}

/// A service that answers with JSON. What was used of its quota is kept in the project.
fn service<'a>(
    api: JsonApi,
    quota: Quota,
    headers: Vec<(String, String)>,
    settings: &FetchSettings,
    project: &'a Project,
    stop: &StopSignal,
) -> Result<Box<dyn SearchProvider + 'a>> {
    let name: String =
        api.name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let file = format!("quota-{name}.json");
    let before = ModelStore::read_model(project, &file)?;
    let quota = match before.and_then(|text| serde_json::from_str(&text).ok()) {
        Some(before) => quota.going_on(&before),
        None => quota,
    };
    // The user named the service, not its proxy: what is set for sites does not hold for it.
    let own = FetchSettings {
        headers,
        credential_hosts: std::iter::once(api.url.as_str())
            .filter_map(quarry_model::site_of)
            .collect(),
        logins: std::collections::BTreeMap::new(),
        proxy: None,
        allowed_private_hosts: named_ports(&api.url.replace(['{', '}'], "")).into_iter().collect(),
        ..settings.clone()
    };
    let keep = move |quota: &Quota| {
        // A quota that is not kept is counted anew; the next write says what is wrong with the disk.
        let _ =
            serde_json::to_string(quota).map(|text| ModelStore::write_model(project, &file, &text));
    };
    let port = FetchPort::new(HttpFetcher::new(own)?, stop, keep)?;
    Ok(Box::new(JsonSearch::new(api, quota, port)))
}
