//! Asks a search service over a fetcher, and keeps what has been used of its quota.

use std::time::Duration;

use quarry_discover::provider::{ApiAnswer, ApiPort, Quota};
use quarry_model::{Fetcher, Outcome, Request, Timestamp};
use tokio::runtime::Runtime;

use crate::HarvestError;
use crate::crawl::now;
use crate::observer::StopSignal;

/// A service over a fetcher.
pub struct FetchPort<'a, F> {
    fetcher: F,
    runtime: Runtime,
    stop: StopSignal,
    keep: Box<dyn FnMut(&Quota) + 'a>,
}

impl<'a, F: Fetcher> FetchPort<'a, F> {
    /// A service that `fetcher` reaches; `keep` is given the quota whenever it changes.
    ///
    /// # Errors
    /// When the network runtime does not start.
    pub fn new(
        fetcher: F,
        stop: &StopSignal,
        keep: impl FnMut(&Quota) + 'a,
    ) -> Result<Self, HarvestError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|source| HarvestError::Runtime { source })?;
        Ok(Self { fetcher, runtime, stop: stop.clone(), keep: Box::new(keep) })
    }
}

impl<F: Fetcher> ApiPort for FetchPort<'_, F> {
    fn now(&self) -> Timestamp {
        now()
    }

    fn wait(&mut self, pause: Duration) -> bool {
        let stop = &self.stop;
        self.runtime.block_on(async {
            tokio::select! { () = tokio::time::sleep(pause) => {} () = stop.stopped() => {} }
        });
        !self.stop.is_stopped()
    }

    fn get(&mut self, url: &str) -> Result<ApiAnswer, String> {
        let request = Request::get(url);
        let stay = |_: &str| false;
        match self.runtime.block_on(self.fetcher.fetch(&request, &stay)).outcome {
            Outcome::Response(exchange) => {
                let response = &exchange.response;
                let retry_after = response.headers.get("retry-after").and_then(|v| v.parse().ok());
                Ok(ApiAnswer {
                    status: response.status,
                    retry_after,
                    body: response.content().to_vec(),
                })
            }
            Outcome::Failed(failure) => Err(failure.to_string()),
        }
    }

    fn keep_quota(&mut self, quota: &Quota) {
        (self.keep)(quota);
    }
}
