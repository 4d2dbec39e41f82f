//! `quarry crawl`: fetches a site into a project folder, or goes on doing so.

use std::path::Path;

use anyhow::Result;
use quarry_crawl::{BudgetKind, Stop};
use quarry_harvest::crawl::{outcome, read_strategy_report};
use quarry_harvest::report::TextTable;
use quarry_harvest::report::asked_again;
use quarry_harvest::text::{bytes, seconds, thousands};
use quarry_harvest::{JobOutcome, Observer, RecrawlPolicy};
use quarry_model::RunReport;

use crate::args::{CrawlArgs, Global};
use crate::config::{FILE, Layer};
use crate::interrupt;
use crate::job::{Job, folder_of};
use crate::printer::Printer;
use crate::screen::Screen;

pub(crate) fn run(global: &Global, args: CrawlArgs, printer: &mut Printer) -> Result<JobOutcome> {
    let folder = match args.project {
        Some(folder) => folder,
        None => folder_of(&args.urls)?,
    };
    let layers = (Layer::default(), args.settings.clone());
    let (mut job, file) = Job::new(global, folder, args.urls, layers, args.replay)?;
    job.again = if args.again { RecrawlPolicy::IfOver } else { RecrawlPolicy::Never };
    if let Some(url) = args.frontier {
        job.share(url, args.pause_per)?;
    }
    if args.dry_run {
        return describe(&job, printer);
    }
    job.keep_settings(args.settings, file)?;
    let mut screen = Screen::new(global);
    let outcome = job.run(&interrupt::listen()?, &mut screen);
    screen.finish();
    let (stop, project) = outcome?;
    let counts = project.report()?;
    printer.crawled(&job.folder, &counts, &read_strategy_report(&project)?)?;
    if let Some(again) = &counts.again {
        screen.line(&asked_again(again));
    }
    screen.line(&why(stop, &counts, &job.folder));
    Ok(outcome::ending(stop, &counts))
}

/// Says what a crawl would do.
fn describe(job: &Job, printer: &mut Printer) -> Result<JobOutcome> {
    job.crawl_job()?.check()?;
    job.fetch_settings()?;
    let settings = &job.settings;
    let exists = job.folder.join(FILE).exists();
    let list = |patterns: &[String]| match patterns {
        [] => "none".to_owned(),
        patterns => patterns.join("  "),
    };
    let rows = [
        ("begin at", job.seeds.join("  ")),
        ("strategy", format!("{:?}", settings.strategy).to_lowercase()),
        ("scope", format!("{:?}", settings.scope).to_lowercase()),
        ("include", list(&settings.include)),
        ("exclude", list(&settings.exclude)),
        (
            "budget",
            format!(
                "{} pages, {}, {}, depth {}",
                thousands(settings.limit),
                bytes(settings.max_bytes.0),
                seconds(settings.max_time.0.as_secs_f64()),
                settings.depth
            ),
        ),
        (
            "politeness",
            format!(
                "{} at a time per host, {} apart, robots.txt {}",
                settings.per_host,
                settings.delay,
                if settings.robots { "obeyed" } else { "ignored" }
            ),
        ),
        ("user agent", settings.user_agent.clone()),
        (
            "project",
            format!(
                "{} ({})",
                job.folder.display(),
                if exists { "exists, would go on" } else { "would be made" }
            ),
        ),
    ];
    printer.text_table(TextTable::facts(rows.into()))?;
    Ok(JobOutcome::Done)
}

/// Why the crawl is over and what the user can do next.
fn why(stop: Stop, counts: &RunReport, folder: &Path) -> String {
    let folder = folder.display();
    let left = thousands(counts.queued);
    match stop {
        Stop::Finished if counts.queued > 0 => format!(
            "done, but {left} addresses of hosts that are left alone are still queued; \
             `quarry report -p {folder}` says why, `quarry crawl -p {folder}` tries again"
        ),
        Stop::Finished => {
            format!("done: nothing is left to ask; `quarry report -p {folder}` has the counts")
        }
        Stop::Budget(kind) => {
            let flag = match kind {
                BudgetKind::Pages => "limit",
                BudgetKind::Requests => "max-requests",
                BudgetKind::Bytes => "max-bytes",
                BudgetKind::Time => "max-time",
            };
            format!(
                "done: --{flag} is used up, {left} addresses are still queued; a higher one goes on"
            )
        }
        Stop::Interrupted => format!(
            "interrupted, {left} addresses are still queued; `quarry crawl -p {folder}` goes on"
        ),
    }
}
