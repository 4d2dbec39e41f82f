//! Renders pages with one browser, a few at a time; a browser that dies or hangs is replaced, and its page is tried once more.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use quarry_model::{BoxedFuture, PartSource, RenderFailure, RenderJob, Rendered, Renderer};
use serde_json::json;
use tokio::sync::{Mutex, Semaphore};

use crate::launch::find_browser;
use crate::page::{PageError, render_page};
use crate::pipe::Pipe;

/// What one page may use.
#[derive(Debug, Clone)]
pub struct BrowserSettings {
    /// The program; the system's Chromium if none is named.
    pub program: Option<PathBuf>,
    /// Pages at the same time. 2, as many as the cores of a small machine.
    pub pages: usize,
    /// Longest time for a page to become quiet, waiting for the network aside. 10 s.
    pub quiet_timeout: Duration,
    /// Longest time for a page with everything that is done to it. 300 s.
    pub page_timeout: Duration,
    /// Most requests of one page, what the archive has included. 5,000: a list of 1,600 entries that fetches a file for each.
    pub requests: usize,
    /// Most bytes of a document. 16 MB.
    pub document_bytes: usize,
    /// Most presses of a button for more, and most windows scrolled. 400.
    pub continuations: u32,
    /// Pages after which a browser is replaced: what they leave in its memory goes with it. 500.
    pub pages_per_browser: u32,
}

impl Default for BrowserSettings {
    fn default() -> Self {
        Self {
            program: None,
            pages: 2,
            quiet_timeout: Duration::from_secs(10),
            page_timeout: Duration::from_secs(300),
            requests: 5_000,
            document_bytes: 16 << 20,
            continuations: 400,
            pages_per_browser: 500,
        }
    }
}

/// Longest time that a browser may take to start and to say its name.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// A browser that runs, and how many pages it has shown.
struct Running {
    pipe: Arc<Pipe>,
    name: String,
    pages: u32,
}

/// The [`Renderer`] over Chromium. Starts the browser with the first page.
pub struct Chromium {
    settings: BrowserSettings,
    program: PathBuf,
    running: Mutex<Option<Running>>,
    permits: Semaphore,
}

impl std::fmt::Debug for Chromium {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chromium").field("program", &self.program).finish_non_exhaustive()
    }
}

impl Chromium {
    /// A renderer with these settings. Starts nothing yet.
    ///
    /// # Errors
    /// Where there is no browser on the machine.
    pub fn new(settings: BrowserSettings) -> Result<Self, crate::LaunchError> {
        let program = find_browser(settings.program.as_deref())?;
        let permits = Semaphore::new(settings.pages.max(1));
        Ok(Self { settings, program, running: Mutex::new(None), permits })
    }

    /// Ends the browser, whatever it does; the next page starts another.
    pub async fn kill(&self) {
        if let Some(running) = &*self.running.lock().await {
            running.pipe.kill();
        }
    }

    /// The browser that runs, or a new one.
    async fn browser(&self) -> Result<(Arc<Pipe>, String), RenderFailure> {
        let mut running = self.running.lock().await;
        if let Some(own) = running.as_mut()
            && !own.pipe.has_ended()
            && own.pages < self.settings.pages_per_browser
        {
            own.pages += 1;
            return Ok((Arc::clone(&own.pipe), own.name.clone()));
        }
        // Pages that the old one still shows hold it until they are done.
        *running = None;
        let no_browser = |detail: String| RenderFailure::NoBrowser { detail };
        let pipe = Pipe::open(&self.program).map_err(|error| no_browser(error.to_string()))?;
        let version = pipe.call(None, "Browser.getVersion", json!({}));
        let version = tokio::time::timeout(START_TIMEOUT, version).await;
        let name = match version {
            Ok(Ok(version)) => version["product"].as_str().unwrap_or("Chromium").to_owned(),
            Ok(Err(error)) => {
                return Err(no_browser(format!("{} started, but {error}", self.program.display())));
            }
            Err(_) => {
                return Err(no_browser(format!("{} does not answer", self.program.display())));
            }
        };
        let pipe = Arc::new(pipe);
        *running = Some(Running { pipe: Arc::clone(&pipe), name: name.clone(), pages: 1 });
        Ok((pipe, name))
    }

    async fn attempt(
        &self,
        job: RenderJob<'_>,
        parts: &dyn PartSource,
    ) -> Result<Rendered, RenderFailure> {
        let mut last = String::new();
        for _ in 0..2 {
            let (pipe, name) = self.browser().await?;
            match render_page(&pipe, job, parts, &self.settings).await {
                Ok(rendered) => return Ok(Rendered { browser: name, ..rendered }),
                Err(PageError::Failed(failure)) => return Err(failure),
                Err(PageError::Browser(detail)) => {
                    pipe.kill();
                    last = detail;
                }
            }
        }
        Err(RenderFailure::Died { detail: last })
    }
}

impl Renderer for Chromium {
    fn render<'a>(
        &'a self,
        job: RenderJob<'a>,
        parts: &'a dyn PartSource,
    ) -> BoxedFuture<'a, Result<Rendered, RenderFailure>> {
        Box::pin(async move {
            // The semaphore is never closed.
            let _permit = self.permits.acquire().await;
            self.attempt(job, parts).await
        })
    }
}
