//! Turns the user's settings into those of a crawl and of the fetcher.

use std::path::Path;

use anyhow::{Context, Result, bail};
use quarry_crawl::{
    Budget, CrawlSettings, IndexSettings, Politeness, ProbeSettings, QuerySettings, Reach, Retry,
    Scope, seed,
};
use quarry_fetch::FetchSettings;
use quarry_harvest::CrawlJob;
use quarry_harvest::crawl::REQUESTS_PER_PAGE;

use super::Job;
use super::render::render_settings;
use crate::config::{NofollowFlag, ScopeName};

impl Job {
    pub(crate) fn crawl_job(&self) -> Result<CrawlJob> {
        let settings = &self.settings;
        let reach = match settings.scope {
            ScopeName::Host => Reach::Host,
            ScopeName::Domain => Reach::Domain,
            ScopeName::Prefix => Reach::Prefix,
            ScopeName::Any => Reach::Any,
        };
        let replaying = !self.replay.is_empty();
        let crawl = CrawlSettings {
            scope: Scope {
                reach,
                include: settings.include.clone(),
                exclude: settings.exclude.clone(),
                depth: Some(settings.depth),
            },
            budget: Budget {
                pages: Some(settings.limit),
                requests: Some(match settings.max_requests {
                    0 => settings.limit.saturating_mul(REQUESTS_PER_PAGE),
                    most => most,
                }),
                bytes: Some(settings.max_bytes.0),
                time: Some(settings.max_time.0),
                ..Budget::default()
            },
            politeness: Politeness {
                obey_robots: settings.robots && !replaying,
                // An archive needs no rest.
                delay: if replaying { std::time::Duration::ZERO } else { settings.delay.0 },
                no_delay_on_loopback: self.default_delay,
                per_host: count(settings.per_host, "per_host")?,
                max_in_flight: count(settings.concurrency, "concurrency")?,
                ..Politeness::default()
            },
            retry: Retry { attempts: settings.retries.max(1), ..Retry::default() },
            sitemaps: settings.sitemaps,
            follow_nofollow: settings.nofollow != NofollowFlag::Links,
            obey_page_nofollow: settings.nofollow != NofollowFlag::Ignore,
            follow_actions: settings.follow_actions,
            obey_owner_notices: settings.obey_notices,
            probe_missing: !replaying,
            user_agent: settings.user_agent.clone(),
            ..CrawlSettings::new(self.seeds.clone())
        };
        Ok(CrawlJob {
            settings: crawl,
            strategy: settings.strategy.name(),
            query: QuerySettings {
                keywords: words_in(&settings.keywords)?,
                every_detail: settings.details,
                ..QuerySettings::default()
            },
            index: IndexSettings {
                category: Some(settings.category.trim().to_owned()).filter(|name| !name.is_empty()),
                words: settings.examples.clone(),
                ..IndexSettings::default()
            },
            probe: ProbeSettings {
                words: settings.probes,
                nonsense: settings.nonsense,
                own_words: words_in(&settings.words)?,
                vary_choices: settings.vary_choices,
                sweep: settings.sweep,
                details: settings.details,
                ..ProbeSettings::default()
            },
            again: self.again,
            commit_every: settings.commit_every.0,
            render: render_settings(settings),
            record: serde_json::to_string(&settings.without_secrets())
                .context("cannot print the settings")?,
        })
    }

    pub(crate) fn fetch_settings(&self) -> Result<FetchSettings> {
        let settings = &self.settings;
        let headers = settings
            .headers
            .iter()
            .map(|field| match field.split_once(':') {
                Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
                None => bail!("'{field}' is not a header field; write -H 'Name: value'"),
            })
            .collect::<Result<Vec<_>>>()?;
        let extra_roots = match settings.ca_file.as_os_str().is_empty() {
            true => Vec::new(),
            false => std::fs::read(&settings.ca_file).with_context(|| {
                format!("cannot read the certificates in {}", settings.ca_file.display())
            })?,
        };
        Ok(FetchSettings {
            user_agent: settings.user_agent.clone(),
            headers,
            credential_hosts: seed::secret_origins(&self.seeds),
            logins: self.logins.clone(),
            proxy: Some(settings.proxy.clone()).filter(|proxy| !proxy.is_empty()),
            connect_timeout: settings.connect_timeout.0,
            first_byte_timeout: settings.first_byte_timeout.0,
            body_timeout: settings.body_timeout.0,
            max_body_bytes: usize::try_from(settings.max_body.0).unwrap_or(usize::MAX),
            allowed_private_hosts: self
                .seeds
                .iter()
                .flat_map(|seed| seed::named_ports(seed))
                .collect(),
            extra_roots,
            max_idle_per_host: settings.per_host,
            ..FetchSettings::default()
        })
    }
}

/// The words of a file, one a line; none where no file is named.
fn words_in(path: &Path) -> Result<Vec<String>> {
    if path.as_os_str().is_empty() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(path).with_context(|| {
        format!("cannot read the words in {}, one a line in UTF-8", path.display())
    })?;
    let words: Vec<String> =
        text.lines().map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    if words.is_empty() {
        bail!("{} has no words; write one a line", path.display());
    }
    Ok(words)
}

fn count(value: usize, name: &str) -> Result<u32> {
    match u32::try_from(value) {
        Ok(value) if value > 0 => Ok(value),
        _ => bail!("{name} must be at least 1"),
    }
}
