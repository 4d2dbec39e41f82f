//! Runs the scripts of pages that need it: decides for which pages, fetches what their scripts ask for by the rules of the
//! crawl, and shows the states of pages that have no address of their own.

mod behind;
mod compare;
mod parts;
mod policy;
mod state;
mod unfilled;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quarry_crawl::{Purpose, Ticket};
use quarry_dom::{Document, Limits};
use quarry_model::{
    Exchange, Failure, Fetched, Fetcher, Headers, Outcome, PageStep, RenderFailure, RenderJob,
    Renderer, Rendering, Request, Response,
};
use xxhash_rust::xxh3::xxh3_64;

use super::now;
pub(crate) use behind::path;
pub(super) use behind::{ShownData, endpoint};
use parts::{PageParts, SiteParts};
pub use policy::RenderMode;
use policy::{Choice, Policy, RowsTried};
use state::PageState;
use unfilled::UnfilledPages;

/// Whether the scripts of pages are run, and by whom.
#[derive(Debug, Clone, Default)]
pub struct RenderSettings {
    /// For which pages.
    pub mode: RenderMode,
    /// Who runs them; nobody where there is no browser.
    pub renderer: Option<Arc<dyn Renderer>>,
    /// What to say where scripts would be needed and nobody can run them.
    pub missing: String,
}

/// The renderings of one site over a session.
pub(super) struct SiteRendering {
    settings: RenderSettings,
    parts: SiteParts,
    policy: Mutex<Policy>,
    notes: Mutex<RenderNotes>,
    /// What was found out about the data behind pages since the last time, and all before.
    data: Mutex<Vec<ShownData>>,
    known_data: Mutex<Vec<ShownData>>,
    /// Words of data that pages hold.
    words: Mutex<Vec<String>>,
}

/// What was rendered in a session.
#[derive(Debug, Clone, Default)]
pub(super) struct RenderNotes {
    /// To be said.
    lines: Vec<String>,
    /// Pages and states that were rendered.
    pub(super) rendered: u64,
    /// Pages that were not, because their data was asked for instead.
    pub(super) saved: u64,
    /// Pages that could not be.
    failures: BTreeMap<String, u64>,
    /// Pages with scripts, where nobody could run these.
    unfilled: UnfilledPages,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SiteRendering {
    pub(super) fn new(settings: &RenderSettings, product: &str, obey_robots: bool) -> Self {
        Self {
            settings: settings.clone(),
            parts: SiteParts::new(product, obey_robots),
            policy: Mutex::new(Policy::new(settings.mode)),
            notes: Mutex::default(),
            data: Mutex::default(),
            known_data: Mutex::default(),
            words: Mutex::default(),
        }
    }

    /// What was found out about the data behind pages since the last time.
    pub(super) fn take_data(&self) -> Vec<ShownData> {
        std::mem::take(&mut lock(&self.data))
    }

    /// Whether a page was rendered since the last time that shows records of its data.
    pub(super) fn has_new_records(&self) -> bool {
        lock(&self.data).iter().any(|shown| shown.records.is_some())
    }

    /// Keeps what was taken.
    pub(super) fn keep_data(&self, seen: Vec<ShownData>) {
        lock(&self.known_data).extend(seen);
    }

    /// All that was found out about the data behind pages.
    pub(super) fn known_data(&self) -> Vec<ShownData> {
        let known = lock(&self.known_data);
        known.iter().chain(lock(&self.data).iter()).cloned().collect()
    }

    /// Words that the data of the first page with data has: worth typing into its search field.
    pub(super) fn words(&self) -> Vec<String> {
        lock(&self.words).clone()
    }

    /// Counts pages that were not rendered because their data was asked for.
    pub(super) fn note_saved(&self, renderings: u64) {
        lock(&self.notes).saved += renderings;
    }

    /// Whether pages may be rendered at all.
    pub(super) fn is_on(&self) -> bool {
        self.settings.mode != RenderMode::Never && self.settings.renderer.is_some()
    }

    /// What is to be said since the last time.
    pub(super) fn take_lines(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.notes).lines)
    }

    /// What was rendered so far.
    pub(super) fn notes(&self) -> RenderNotes {
        lock(&self.notes).clone()
    }

    /// The state of a page that this request names, if it names one.
    pub(super) fn state_of(request: &Request) -> Option<PageState> {
        request.url.contains(quarry_model::STATE_PREFIX).then(|| PageState::parse(&request.url))?
    }

    /// Shows a state of a page. Nothing is sent to its address.
    pub(super) async fn show_state<F: Fetcher>(
        &self,
        state: &PageState,
        ticket: &Ticket,
        fetcher: &F,
    ) -> Fetched {
        let failed = |detail: String| Fetched {
            hops: Vec::new(),
            outcome: Outcome::Failed(Failure::NotRendered { detail }),
        };
        let Some(renderer) = &self.settings.renderer else {
            return failed(self.settings.missing.clone());
        };
        let parts = PageParts::new(fetcher, ticket, &self.parts);
        let page = match parts.page(&state.page).await {
            Ok(page) => page,
            Err(_) => return failed(format!("{} could not be fetched", state.page)),
        };
        let address = &ticket.request.url;
        let began = now();
        let want = WantedState { address, steps: &state.steps, idle_rows: None };
        let rendered = self.render(&**renderer, &page, &want, &parts).await;
        let response = match rendered {
            Ok((rendering, _)) => {
                let data = ShownData::of(address, &rendering.document, &page, &parts);
                lock(&self.data).extend(data);
                Response {
                    rendering: Some(Box::new(Rendering { is_state: true, ..rendering })),
                    ..page.response.clone()
                }
            }
            // A choice that the page does not offer in this state: there is no such list.
            Err(RenderFailure::NoSuchControl { .. }) => Response {
                status: 404,
                rendering: Some(Box::new(Rendering {
                    is_state: true,
                    parts: parts.take(),
                    ..Rendering::default()
                })),
                ..page.response.clone()
            },
            Err(failure) => return failed(failure.to_string()),
        };
        let request = Request { unless: Default::default(), ..ticket.request.clone() };
        let took = now().since(began);
        let exchange =
            Exchange { request, sent: Headers::default(), response, remote: None, at: began, took };
        exchange.into()
    }

    /// Runs the scripts of a page that was fetched, if that is worth it.
    pub(super) async fn complete<F: Fetcher>(
        &self,
        fetched: &mut Fetched,
        ticket: &Ticket,
        fetcher: &F,
    ) {
        let Outcome::Response(exchange) = &mut fetched.outcome else { return };
        if self.settings.mode == RenderMode::Never || !is_candidate(exchange, ticket) {
            return;
        }
        // A replay brings what was rendered then.
        let archived = exchange.response.rendering.take();
        let sketch = compare::PageSketch::of(&exchange.request.url, exchange.response.content());
        let choice = match sketch.runs_scripts {
            true => lock(&self.policy).choose(&sketch),
            false => Choice::Plain,
        };
        let Choice::Render(template) = choice else {
            lock(&self.notes).unfilled.add_as_sent(&sketch);
            return;
        };
        let Some(renderer) = &self.settings.renderer else {
            exchange.response.rendering = archived;
            if exchange.response.rendering.is_none() {
                lock(&self.notes).unfilled.add(template, &sketch);
                self.say_unfilled(false);
            }
            return;
        };
        let parts = PageParts::new(fetcher, ticket, &self.parts);
        let page: &Exchange = exchange;
        let idle_rows = lock(&self.policy).idle_rows(template);
        let want = WantedState { address: &page.request.url, steps: &[], idle_rows };
        let rendered = self.render(&**renderer, page, &want, &parts).await;
        match rendered {
            Ok((rendering, tried)) => {
                lock(&self.policy).note_rows(template, tried);
                if lock(&self.words).is_empty() {
                    *lock(&self.words) = behind::words(&parts.data());
                }
                let after = compare::PageSketch::of(&page.request.url, &rendering.document);
                let choices = lock(&self.policy).choices_to_try(template, &sketch, &after);
                let (mut in_vain, mut are_redundant) = (0, true);
                for choice in &choices {
                    are_redundant =
                        self.is_redundant(choice, &after, &**renderer, page, ticket, fetcher).await;
                    if !are_redundant {
                        break;
                    }
                    in_vain += 1;
                }
                if !choices.is_empty() {
                    lock(&self.policy).note_choices(template, in_vain, are_redundant);
                }
                let verdict = lock(&self.policy).learn(template, &sketch, &after);
                lock(&self.notes).lines.extend(verdict.line);
                if verdict.is_used {
                    let address = &exchange.request.url;
                    let data = ShownData::of(address, &rendering.document, exchange, &parts);
                    lock(&self.data).extend(data);
                    self.parts.remember(&exchange.request.url, Arc::new((**exchange).clone()));
                    exchange.response.rendering = Some(Box::new(rendering));
                } else {
                    // What was fetched is archived with the page all the same.
                    self.parts.unclaimed(rendering.parts);
                }
            }
            Err(RenderFailure::NoBrowser { .. }) if archived.is_some() => {
                exchange.response.rendering = archived;
            }
            Err(failure) => {
                self.parts.unclaimed(parts.take());
                let mut notes = lock(&self.notes);
                let times = notes.failures.entry(failure.to_string()).or_default();
                *times += 1;
                if *times == 1 {
                    let url = &exchange.request.url;
                    notes.lines.push(format!("{url} is read as it was sent: {failure}"));
                }
            }
        }
    }

    /// Whether nothing comes of this choice that the page does not have already: the page stays as it is, goes to an address
    /// that it links to, or to one that lists the same and more.
    async fn is_redundant<F: Fetcher>(
        &self,
        choice: &str,
        before: &compare::PageSketch,
        renderer: &dyn Renderer,
        page: &Exchange,
        ticket: &Ticket,
        fetcher: &F,
    ) -> bool {
        let Some(state) = PageState::parse(choice) else { return true };
        let parts = PageParts::new(fetcher, ticket, &self.parts);
        let want = WantedState { address: choice, steps: &state.steps, idle_rows: None };
        let rendered = self.render(renderer, page, &want, &parts).await;
        let Ok((rendering, _)) = rendered else {
            self.parts.unclaimed(parts.take());
            return true;
        };
        let after = compare::PageSketch::of(&page.request.url, &rendering.document);
        self.parts.unclaimed(rendering.parts);
        if after.shows_the_same(before)
            || (after.leads == before.leads && after.keeps_all_of(before))
        {
            return true;
        }
        let Some(lead) = after.leads_away_from(before) else { return false };
        // A select that loads another page: with all that this one lists, it is the size of the list, or its first page again.
        let answer = parts.page(lead).await;
        self.parts.unclaimed(parts.take());
        let sent = compare::PageSketch::of(&page.request.url, page.response.sent_content());
        answer.is_ok_and(|answer| {
            compare::PageSketch::of(lead, answer.response.sent_content()).shows_all_of(&sent)
        })
    }

    /// Parts of pages whose renderings were not kept, to be archived.
    pub(super) fn take_unclaimed(&self) -> Vec<Exchange> {
        self.parts.take_unclaimed()
    }

    async fn render<F: Fetcher>(
        &self,
        renderer: &dyn Renderer,
        page: &Exchange,
        want: &WantedState<'_>,
        parts: &PageParts<'_, F>,
    ) -> Result<(Rendering, RowsTried), RenderFailure> {
        let (clock, seed) = (page.at, xxh3_64(page.request.url.as_bytes()));
        let WantedState { address, steps, idle_rows } = *want;
        let job = RenderJob { page, address, steps, clock, seed, idle_rows };
        let rendered = renderer.render(job, parts).await?;
        lock(&self.notes).rendered += 1;
        let tried = RowsTried { rows: rendered.rows, has_more: rendered.continued > 0 };
        let rendering = Rendering {
            document: rendered.document,
            clock,
            seed,
            browser: rendered.browser,
            parts: parts.take(),
            is_state: false,
        };
        Ok((rendering, tried))
    }

    /// Says once that pages need scripts which nobody can run.
    fn say_unfilled(&self, is_end: bool) {
        let mut notes = lock(&self.notes);
        if notes.unfilled.is_news(is_end) {
            let line =
                format!("this site's pages are filled by scripts: {}", self.settings.missing);
            notes.lines.push(line);
        }
    }

    /// How many pages need scripts that nobody could run, at the end of a crawl.
    pub(super) fn count_unfilled(&self) -> u64 {
        self.say_unfilled(true);
        lock(&self.notes).unfilled.count()
    }
}

/// The state in which a page is wanted.
struct WantedState<'a> {
    address: &'a str,
    steps: &'a [PageStep],
    /// As in [`RenderJob::idle_rows`].
    idle_rows: Option<u64>,
}

/// Whether an answer is a page with scripts.
fn is_candidate(exchange: &Exchange, ticket: &Ticket) -> bool {
    let response = &exchange.response;
    let declared = response.headers.get("content-type").unwrap_or_default();
    let is_html = declared.is_empty() || declared.contains("html");
    ticket.purpose == Purpose::Page
        && is_html
        && (200..300).contains(&response.status)
        && compare::has_scripts(response.sent_content())
}

/// Parses a page.
fn document(content: &[u8]) -> Document {
    Document::parse(content, Some("text/html"), &Limits::default())
}

/// Longest wait for a host's turn.
const MAX_PAUSE: Duration = Duration::from_secs(60);
