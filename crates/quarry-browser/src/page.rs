//! Takes one page from its request to quiet: a context of its own, its requests answered, its clock advanced, its document read.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::stream::{FuturesUnordered, StreamExt};
use quarry_model::{
    BoxedFuture, Exchange, PartRefusal, PartSource, RenderFailure, RenderJob, Rendered,
};
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;
use url::Url;

use crate::BrowserSettings;
use crate::intercept::{Decision, Paused, answer, fulfilment, pixel};
use crate::pipe::{CommandError, Event, Pipe};

/// The code that reads the page and works its controls, in a world of its own.
const OWN_SCRIPT: &str = include_str!("page.js");
/// The code that runs before the page's scripts.
const FIXED_SCRIPT: &str = include_str!("fixed.js");
/// The byte order mark: the document is UTF-8 whatever the response's header says.
const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";

/// Width and height of the window: high, so that lists which fill as they are scrolled fill soon.
const WINDOW: (u32, u32) = (1_280, 3_000);
/// The page's clock is advanced by so many milliseconds at a time. The page is quiet if it does not change in one step: timers of up to
/// 750 ms are waited for.
const CLOCK_STEP: u64 = 750;
/// For what other threads of the browser do meanwhile, which the page's clock does not govern.
const LOOK_PAUSE: Duration = Duration::from_millis(15);
/// Most time on the page's clock until it counts as restless, in milliseconds.
const MOST_CLOCK: u64 = 20_000;
/// Longest time that the browser itself may take for a command that involves no page.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(15);
/// Our own code waits for the page's scripts, and reads large documents on a busy machine: so many times the time to become quiet.
const OWN_CODE: u32 = 3;
/// Longest time for a page that was told to end its scripts.
const LAST_CHANCE: Duration = Duration::from_secs(3);

/// Why a page was not shown.
#[derive(Debug)]
pub(crate) enum PageError {
    /// Because of the page.
    Failed(RenderFailure),
    /// Because of the browser: another one may do better.
    Browser(String),
}

impl From<CommandError> for PageError {
    fn from(error: CommandError) -> Self {
        Self::Browser(error.to_string())
    }
}

/// Shows a page, in a context of its own that goes with it.
pub(crate) async fn render_page(
    pipe: &Pipe,
    job: RenderJob<'_>,
    parts: &dyn PartSource,
    settings: &BrowserSettings,
) -> Result<Rendered, PageError> {
    let command = |method: &'static str, params: Value| async move {
        let done = tokio::time::timeout(COMMAND_TIMEOUT, pipe.call(None, method, params)).await;
        done.map_err(|_| PageError::Browser(format!("{method} was not answered")))?
            .map_err(PageError::from)
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let context = command("Target.createBrowserContext", json!({})).await?;
    let context = text(&context["browserContextId"]);
    let own = json!({ "behavior": "deny", "browserContextId": context });
    command("Browser.setDownloadBehavior", own).await?;
    let target = json!({ "url": "about:blank", "browserContextId": context });
    let target = text(&command("Target.createTarget", target).await?["targetId"]);
    let attached = json!({ "targetId": target, "flatten": true });
    let session = text(&command("Target.attachToTarget", attached).await?["sessionId"]);
    let shown = match Url::parse(&job.page.request.url) {
        Ok(url) => {
            let events = pipe.listen(&session);
            let mut run = PageRun::new(pipe, &session, target, url, events, job, parts, settings);
            run.show().await
        }
        Err(error) => {
            Err(PageError::Failed(RenderFailure::NoDocument { detail: error.to_string() }))
        }
    };
    pipe.forget(&session);
    // A page that hangs does not keep its context; where that takes too long, the browser hangs.
    let gone =
        command("Target.disposeBrowserContext", json!({ "browserContextId": context })).await;
    match shown {
        Ok(rendered) => {
            if gone.is_err() {
                pipe.kill();
            }
            Ok(rendered)
        }
        Err(PageError::Failed(failure)) => {
            if gone.is_err() {
                pipe.kill();
            }
            Err(PageError::Failed(failure))
        }
        Err(error) => Err(error),
    }
}

type Answered = (Paused, Result<Arc<Exchange>, PartRefusal>);

/// A page that is being shown.
pub(crate) struct PageRun<'a> {
    pipe: &'a Pipe,
    session: String,
    frame: String,
    url: Url,
    events: UnboundedReceiver<Event>,
    pub(crate) job: RenderJob<'a>,
    parts: &'a dyn PartSource,
    pub(crate) settings: &'a BrowserSettings,
    /// Requests that are being answered.
    pending: FuturesUnordered<BoxedFuture<'a, Answered>>,
    /// The page's own request was answered.
    is_loaded: bool,
    requests: usize,
    refused: u64,
    /// Grows with whatever the page does on the network.
    activity: u64,
    /// The clock has been advanced as far as it was told.
    has_advanced: bool,
    /// The page's process has ended.
    has_crashed: bool,
    leads: Vec<String>,
    workers: BTreeSet<String>,
    /// The world of our own script.
    world: Option<i64>,
    deadline: Instant,
    /// Activity and changes when the page was last looked at.
    looked: Option<(u64, u64)>,
    pub(crate) limit: Option<&'static str>,
    pub(crate) continued: u32,
    /// Rows of the page's lists.
    pub(crate) rows: u64,
}

impl<'a> PageRun<'a> {
    #[allow(clippy::too_many_arguments)]
    fn new(
        pipe: &'a Pipe,
        session: &str,
        frame: String,
        url: Url,
        events: UnboundedReceiver<Event>,
        job: RenderJob<'a>,
        parts: &'a dyn PartSource,
        settings: &'a BrowserSettings,
    ) -> Self {
        Self {
            pipe,
            session: session.to_owned(),
            frame,
            url,
            events,
            job,
            parts,
            settings,
            pending: FuturesUnordered::new(),
            is_loaded: false,
            requests: 0,
            refused: 0,
            activity: 0,
            has_advanced: false,
            has_crashed: false,
            leads: Vec::new(),
            workers: BTreeSet::new(),
            world: None,
            deadline: Instant::now() + settings.page_timeout,
            looked: None,
            limit: None,
            continued: 0,
            rows: 0,
        }
    }

    async fn show(&mut self) -> Result<Rendered, PageError> {
        self.prepare().await?;
        let navigated = self.call("Page.navigate", json!({ "url": self.url.as_str() })).await?;
        if let Some(error) = navigated["errorText"].as_str() {
            let detail = format!("{error} at {}", self.url);
            return Err(PageError::Failed(RenderFailure::NoDocument { detail }));
        }
        self.settle().await?;
        self.take_steps().await?;
        match self.unfold().await? {
            Some(before) => Ok(before),
            None => self.read().await,
        }
    }

    async fn prepare(&mut self) -> Result<(), PageError> {
        let attach =
            json!({ "autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true });
        self.call("Target.setAutoAttach", attach).await?;
        let everything = json!({ "patterns": [{ "urlPattern": "*", "requestStage": "Request" }] });
        self.call("Fetch.enable", everything).await?;
        self.call("Page.enable", json!({})).await?;
        let fixed = FIXED_SCRIPT
            .replace("__CLOCK__", &self.job.clock.0.to_string())
            .replace("__SEED__", &(self.job.seed as u32).to_string());
        self.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": fixed })).await?;
        self.resize(WINDOW.1).await?;
        self.call("Emulation.setTimezoneOverride", json!({ "timezoneId": "UTC" })).await?;
        let clock = json!({
            "policy": "pause", "initialVirtualTime": self.job.clock.0 as f64 / 1_000.0,
        });
        self.call("Emulation.setVirtualTimePolicy", clock).await?;
        Ok(())
    }

    /// Gives the window another height.
    pub(crate) async fn resize(&mut self, height: u32) -> Result<(), PageError> {
        let window = json!({
            "width": WINDOW.0, "height": height, "deviceScaleFactor": 1, "mobile": false,
        });
        self.call("Emulation.setDeviceMetricsOverride", window).await.map(drop)
    }

    /// Sends a command to the page and waits for it, answering its requests meanwhile.
    async fn call(&mut self, method: &str, params: Value) -> Result<Value, PageError> {
        let timeout = self.settings.quiet_timeout;
        match self.call_within(method, params, timeout).await {
            Some(done) => done,
            None => {
                let detail = format!("{method} was not answered");
                Err(PageError::Failed(RenderFailure::NoDocument { detail }))
            }
        }
    }

    /// The same; `None` if it takes too long, waiting for the network aside.
    async fn call_within(
        &mut self,
        method: &str,
        params: Value,
        timeout: Duration,
    ) -> Option<Result<Value, PageError>> {
        let (pipe, session) = (self.pipe, self.session.clone());
        let mut done = std::pin::pin!(pipe.call(Some(&session), method, params));
        let mut since = Instant::now();
        loop {
            tokio::select! {
                biased;
                Some(event) = self.events.recv() => self.take(event),
                Some(answered) = self.pending.next(), if !self.pending.is_empty() => {
                    self.answer(answered);
                    since = Instant::now();
                }
                done = &mut done => {
                    return Some(done.map_err(|error| match error {
                        CommandError::Refused(words) if self.has_crashed => {
                            let detail = format!("the page crashed the browser: {words}");
                            PageError::Failed(RenderFailure::NoDocument { detail })
                        }
                        CommandError::Refused(words) => {
                            let detail = format!("{method}: {words}");
                            PageError::Failed(RenderFailure::NoDocument { detail })
                        }
                        CommandError::Ended => PageError::Browser(error.to_string()),
                    }));
                }
                () = tokio::time::sleep(timeout.saturating_sub(since.elapsed())) => {
                    if self.has_crashed || self.pending.is_empty() || Instant::now() > self.deadline {
                        return None;
                    }
                    since = Instant::now();
                }
            }
        }
    }

    /// Lets events and answers come for so long.
    async fn pause(&mut self, time: Duration) {
        let mut over = std::pin::pin!(tokio::time::sleep(time));
        loop {
            tokio::select! {
                biased;
                Some(event) = self.events.recv() => self.take(event),
                Some(answered) = self.pending.next(), if !self.pending.is_empty() => {
                    self.answer(answered);
                }
                () = &mut over => return,
            }
        }
    }

    fn take(&mut self, event: Event) {
        let Event { session, method, params } = event;
        match method.as_str() {
            "Fetch.requestPaused" => {
                self.activity += 1;
                if let Some(paused) = Paused::of(&session, &params) {
                    self.decide(paused);
                }
            }
            "Emulation.virtualTimeBudgetExpired" => self.has_advanced = true,
            "Page.javascriptDialogOpening" => {
                let no = json!({ "accept": false });
                self.pipe.tell(Some(&session), "Page.handleJavaScriptDialog", no);
            }
            "Target.attachedToTarget" => {
                let Some(child) = params["sessionId"].as_str() else { return };
                self.activity += 1;
                if params["targetInfo"]["type"] == "worker" {
                    self.workers.insert(child.to_owned());
                }
            }
            "Target.detachedFromTarget" => {
                self.workers.remove(params["sessionId"].as_str().unwrap_or_default());
            }
            "Inspector.targetCrashed" => self.has_crashed = true,
            _ => {}
        }
    }

    fn decide(&mut self, paused: Paused) {
        let mut decision = paused.decide(&self.frame, &self.url, self.is_loaded);
        if matches!(decision, Decision::Ask(_)) {
            self.requests += 1;
            if self.requests > self.settings.requests {
                self.limit.get_or_insert("requests");
                decision = Decision::Refuse;
            }
        }
        let pipe = self.pipe;
        match decision {
            Decision::Page => {
                self.is_loaded = true;
                let response = &self.job.page.response;
                let page = fulfilment(&paused.id, response, response.sent_content());
                pipe.tell(Some(&paused.session), "Fetch.fulfillRequest", page);
            }
            Decision::Pixel => {
                pipe.tell(Some(&paused.session), "Fetch.fulfillRequest", pixel(&paused.id));
            }
            Decision::Leads => {
                // A state of the page is shown at the page's own address.
                if self.leads.len() < 20 && !self.leads.contains(&paused.url) {
                    self.leads.push(paused.url.clone());
                }
                self.refuse(&paused, "Aborted");
            }
            Decision::Refuse => {
                self.refused += 1;
                self.refuse(&paused, "BlockedByClient");
            }
            Decision::Ask(kind) => {
                let (parts, clock) = (self.parts, self.job.clock);
                self.pending.push(Box::pin(async move {
                    let part = parts.get(paused.request(clock), kind).await;
                    (paused, part)
                }));
            }
        }
    }

    fn refuse(&self, paused: &Paused, reason: &str) {
        let refusal = json!({ "requestId": paused.id, "errorReason": reason });
        self.pipe.tell(Some(&paused.session), "Fetch.failRequest", refusal);
    }

    fn answer(&mut self, (paused, part): Answered) {
        self.activity += 1;
        match answer(&paused.id, &part) {
            Some(answer) => {
                self.pipe.tell(Some(&paused.session), "Fetch.fulfillRequest", answer);
            }
            None => {
                self.refused += 1;
                self.refuse(&paused, "Failed");
            }
        }
    }

    /// Runs our own code in the page. Scripts that do not end are ended.
    pub(crate) async fn evaluate(&mut self, code: &str) -> Result<Value, PageError> {
        let timeout = self.settings.quiet_timeout * OWN_CODE;
        if let Some(value) = self.evaluate_within(code, timeout).await {
            return value;
        }
        self.limit.get_or_insert("time");
        self.pipe.tell(Some(&self.session), "Runtime.terminateExecution", json!({}));
        match self.evaluate_within(code, LAST_CHANCE).await {
            Some(value) => value,
            None => Err(PageError::Failed(RenderFailure::NoDocument {
                detail: "its scripts do not end".to_owned(),
            })),
        }
    }

    async fn evaluate_within(
        &mut self,
        code: &str,
        timeout: Duration,
    ) -> Option<Result<Value, PageError>> {
        let world = match self.world {
            Some(world) => world,
            None => {
                let own = json!({ "frameId": self.frame, "worldName": "quarry" });
                let made = self.call_within("Page.createIsolatedWorld", own, timeout).await?;
                let world = match made {
                    Ok(made) => made["executionContextId"].as_i64().unwrap_or_default(),
                    Err(error) => return Some(Err(error)),
                };
                let script = json!({ "expression": OWN_SCRIPT, "contextId": world });
                if let Err(error) = self.call_within("Runtime.evaluate", script, timeout).await? {
                    return Some(Err(error));
                }
                self.world = Some(world);
                world
            }
        };
        let asked = json!({ "expression": code, "contextId": world, "returnByValue": true });
        let done = self.call_within("Runtime.evaluate", asked, timeout).await?;
        Some(done.and_then(|mut done| match done.get("exceptionDetails") {
            Some(exception) => {
                let words = exception["exception"]["description"].as_str();
                let detail = format!("{code:.40}: {}", words.unwrap_or("an exception"));
                Err(PageError::Failed(RenderFailure::NoDocument { detail }))
            }
            None => Ok(done["result"]["value"].take()),
        }))
    }

    /// Advances the page's clock by one step, as fast as the page allows.
    async fn advance(&mut self) -> Result<(), PageError> {
        self.has_advanced = false;
        let step = json!({
            "policy": "pauseIfNetworkFetchesPending",
            "budget": CLOCK_STEP,
            "maxVirtualTimeTaskStarvationCount": 1_000,
        });
        let timeout = self.settings.quiet_timeout * OWN_CODE;
        match self.call_within("Emulation.setVirtualTimePolicy", step, timeout).await {
            Some(done) => done.map(drop)?,
            None => {
                self.limit.get_or_insert("time");
                self.pipe.tell(Some(&self.session), "Runtime.terminateExecution", json!({}));
                return Ok(());
            }
        }
        let mut since = Instant::now();
        while !self.has_advanced {
            if !self.pending.is_empty() {
                since = Instant::now();
            }
            if since.elapsed() > self.settings.quiet_timeout || Instant::now() > self.deadline {
                self.limit.get_or_insert("time");
                self.pipe.tell(Some(&self.session), "Runtime.terminateExecution", json!({}));
                return Ok(());
            }
            if self.has_crashed {
                let detail = "the page crashed".to_owned();
                return Err(PageError::Failed(RenderFailure::NoDocument { detail }));
            }
            if self.pipe.has_ended() {
                return Err(PageError::Browser(CommandError::Ended.to_string()));
            }
            self.step().await;
        }
        Ok(())
    }

    /// Takes the next event or answer, or waits a moment.
    async fn step(&mut self) {
        tokio::select! {
            biased;
            Some(event) = self.events.recv() => self.take(event),
            Some(answered) = self.pending.next(), if !self.pending.is_empty() => {
                self.answer(answered);
            }
            () = tokio::time::sleep(Duration::from_millis(100)) => {}
        }
    }

    /// Waits until workers have done what they were told so far: they answer when they are idle.
    async fn await_workers(&mut self) {
        let workers: Vec<String> = self.workers.iter().cloned().collect();
        for worker in workers {
            let pipe = self.pipe;
            let idle = json!({ "expression": "1" });
            let mut done = std::pin::pin!(pipe.call(Some(&worker), "Runtime.evaluate", idle));
            let until = Instant::now() + self.settings.quiet_timeout.min(LAST_CHANCE);
            loop {
                tokio::select! {
                    biased;
                    Some(event) = self.events.recv() => self.take(event),
                    Some(answered) = self.pending.next(), if !self.pending.is_empty() => {
                        self.answer(answered);
                    }
                    _ = &mut done => break,
                    () = tokio::time::sleep(until.saturating_duration_since(Instant::now())) => break,
                }
            }
        }
    }

    /// Waits until neither network nor document changes.
    pub(crate) async fn settle(&mut self) -> Result<(), PageError> {
        let mut clock = 0;
        let mut since = Instant::now();
        loop {
            while !self.pending.is_empty() && Instant::now() < self.deadline {
                self.step().await;
                since = Instant::now();
            }
            self.advance().await?;
            self.await_workers().await;
            let changes = self.evaluate("quarry.mutations()").await?.as_u64().unwrap_or_default();
            let now = Some((self.activity, changes));
            // What is done to the page between two waits shows in the number of changes, too.
            if now == self.looked && self.pending.is_empty() {
                return Ok(());
            }
            self.looked = now;
            clock += CLOCK_STEP;
            if clock > MOST_CLOCK || self.is_late(since) {
                self.limit.get_or_insert("time");
                return Ok(());
            }
            self.pause(LOOK_PAUSE).await;
        }
    }

    /// Whether the time for the page, or for its becoming quiet, is over.
    pub(crate) fn is_late(&self, since: Instant) -> bool {
        Instant::now() > self.deadline || since.elapsed() > self.settings.quiet_timeout
    }

    /// Reads the document.
    pub(crate) async fn read(&mut self) -> Result<Rendered, PageError> {
        let allowed = self.safe_controls().await?;
        let code = format!(
            "quarry.snapshot({}, {}, {}, {})",
            json!(self.job.address),
            json!(allowed),
            self.settings.document_bytes,
            json!(self.leads),
        );
        let mut read = self.evaluate(&code).await?;
        let Value::String(html) = read["html"].take() else {
            let detail = "it cannot be read".to_owned();
            return Err(PageError::Failed(RenderFailure::NoDocument { detail }));
        };
        if read["cut"] == true {
            self.limit.get_or_insert("size");
        }
        let mut document = UTF8_MARK.to_vec();
        document.extend_from_slice(html.as_bytes());
        Ok(Rendered {
            document,
            browser: String::new(),
            refused: self.refused,
            limit: self.limit,
            continued: self.continued,
            rows: self.rows,
        })
    }
}
