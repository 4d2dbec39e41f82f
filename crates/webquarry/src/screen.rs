//! Shows progress while it runs: live lines on a terminal, plain log lines otherwise, all
//! on standard error.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use quarry_crawl::StrategyProgress;
use quarry_harvest::progress::{RecentYield, strategy_line};
use quarry_harvest::text::{bytes, seconds, shorten, thousands};
use quarry_harvest::{CrawlStatus, Observer};
use quarry_model::Timestamp;

use crate::args::Global;
use crate::visible::visible;

/// Between two drawings on a terminal.
const REDRAW: Duration = Duration::from_millis(100);
/// Between two log lines in a pipe.
const LOG: Duration = Duration::from_secs(5);
/// Columns of a line.
const WIDTH: usize = 100;
/// Hosts with a line of their own.
const HOSTS: usize = 4;
/// The window over which the rate is measured.
const WINDOW: Duration = Duration::from_secs(10);

#[derive(Debug)]
enum Style {
    NullObserver,
    Lines,
    Live { all: MultiProgress, main: ProgressBar, plan: ProgressBar, hosts: Vec<ProgressBar> },
}

impl Style {
    fn live(all: MultiProgress, hosts: usize) -> Self {
        let line = |template: &str| {
            let bar = ProgressBar::new_spinner();
            bar.set_style(
                ProgressStyle::with_template(template).expect("the template is constant"),
            );
            all.add(bar)
        };
        let main = line("{spinner} {msg}");
        let plan = line("  {msg}");
        let hosts = (0..hosts).map(|_| line("  {msg}")).collect();
        Self::Live { all, main, plan, hosts }
    }
}

/// Standard error, as the user wants it.
#[derive(Debug)]
pub(crate) struct Screen {
    style: Style,
    /// What it is about, where several things run side by side.
    name: Option<String>,
    verbose: u8,
    shown: Option<Timestamp>,
    /// (time, pages) within the window, for the rate.
    history: Vec<(Timestamp, u64)>,
    recent: RecentYield,
}

impl Screen {
    pub(crate) fn new(global: &Global) -> Self {
        let style = if global.quiet {
            Style::NullObserver
        } else if io::stderr().is_terminal() {
            let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(10));
            Style::live(all, HOSTS)
        } else {
            Style::Lines
        };
        Self::of(style, None, global.verbose)
    }

    fn of(style: Style, name: Option<String>, verbose: u8) -> Self {
        let recent = RecentYield::default();
        Self { style, name, verbose, shown: None, history: Vec::new(), recent }
    }

    /// With what it is about before it.
    fn named(&self, text: &str) -> String {
        self.name.as_ref().map_or_else(|| text.to_owned(), |name| format!("{name}: {text}"))
    }

    fn rate(&self, pages: u64, now: Timestamp) -> f64 {
        let Some((at, before)) = self.history.first() else { return 0.0 };
        let span = now.since(*at).as_secs_f64();
        // Another crawl of the same site counts its pages anew.
        if span < 0.2 { 0.0 } else { pages.saturating_sub(*before) as f64 / span }
    }
}

/// Live lines on a terminal, log lines otherwise.
impl Observer for Screen {
    fn line(&self, text: &str) {
        match &self.style {
            Style::NullObserver => {}
            Style::Lines => write_line(&self.named(text)),
            // Drawing above the live lines fails only where standard error is gone.
            Style::Live { all, .. } => {
                all.println(visible(&self.named(text)).as_ref()).unwrap_or_default();
            }
        }
    }

    /// Lines of their own for one of several sites.
    fn beside(&self, name: &str) -> Box<dyn Observer> {
        let style = match &self.style {
            Style::NullObserver => Style::NullObserver,
            Style::Lines => Style::Lines,
            Style::Live { all, .. } => Style::live(all.clone(), 0),
        };
        Box::new(Self::of(style, Some(name.to_owned()), self.verbose))
    }

    /// A live line on a terminal, a log line for those who asked for more.
    fn status(&self, text: &str) {
        match &self.style {
            Style::NullObserver => {}
            Style::Lines => self.detail(&|| text.to_owned()),
            Style::Live { main, .. } => {
                main.set_message(self.named(text));
                main.tick();
            }
        }
    }

    /// With `-v`.
    fn detail(&self, text: &dyn Fn() -> String) {
        if self.verbose >= 1 {
            self.line(&text());
        }
    }

    fn is_due(&self, now: Timestamp, is_over: bool) -> bool {
        let pause = match self.style {
            Style::NullObserver => return false,
            Style::Lines if is_over => return true,
            Style::Lines => LOG,
            Style::Live { .. } => REDRAW,
        };
        self.shown.is_none_or(|shown| now.since(shown) >= pause)
    }

    fn progress(&mut self, progress: &CrawlStatus, now: Timestamp) {
        self.shown = Some(now);
        self.history.retain(|(at, _)| now.since(*at) <= WINDOW);
        self.history.push((now, progress.pages));
        let rate = self.rate(progress.pages, now);
        let worth = self.recent.of(&progress.strategy);
        let plan = |room| {
            let budget = progress.limit.saturating_sub(progress.pages);
            strategy_line(&progress.strategy, worth, rate, budget, room)
        };
        match &self.style {
            Style::NullObserver => {}
            Style::Lines => {
                let mut line = format!("{} ", clock(now));
                let failed = failed(progress);
                match plan(WIDTH - line.len() - failed.len()) {
                    Some(plan) => line.push_str(&(plan + &failed)),
                    None => line.push_str(&summary(progress, rate)),
                }
                write_line(&self.named(&line));
            }
            Style::Live { main, plan: bar, hosts, .. } => {
                main.set_message(self.named(&summary(progress, rate)));
                main.tick();
                bar.set_message(plan(WIDTH - 2).unwrap_or_default());
                for (index, bar) in hosts.iter().enumerate() {
                    let more = progress.hosts.len().saturating_sub(HOSTS);
                    let text = match progress.hosts.get(index) {
                        Some(_) if index == HOSTS - 1 && more > 0 => {
                            format!("… and {} more hosts", more + 1)
                        }
                        Some((host, state)) => format!("{:<48} {state}", shorten(host, 48)),
                        None => String::new(),
                    };
                    bar.set_message(text);
                }
            }
        }
    }

    /// Takes the live lines away, so that what follows starts on a clean line.
    fn finish(&mut self) {
        if let Style::Live { all, main, plan, hosts } = &self.style {
            main.finish_and_clear();
            plan.finish_and_clear();
            hosts.iter().for_each(ProgressBar::finish_and_clear);
            if self.name.is_none() {
                all.clear().unwrap_or_default();
            }
        }
    }
}

fn summary(progress: &CrawlStatus, rate: f64) -> String {
    let remaining = progress.queued.min(progress.limit.saturating_sub(progress.pages));
    // A strategy asks more than is queued by now, and says so itself.
    let by_queue = progress.strategy == StrategyProgress::All;
    let eta = if by_queue && rate > 0.0 && remaining > 0 {
        format!(", {} to go", seconds(remaining as f64 / rate))
    } else {
        String::new()
    };
    let failed = failed(progress);
    format!(
        "{} pages, {}, {rate:.1} pages/s, {} queued, {} in flight{failed}{eta}",
        thousands(progress.pages),
        bytes(progress.bytes),
        thousands(progress.queued),
        progress.in_flight,
    )
}

fn failed(progress: &CrawlStatus) -> String {
    match progress.failed {
        0 => String::new(),
        failed => format!(", {} failed", thousands(failed)),
    }
}

fn clock(now: Timestamp) -> String {
    let (_, _, _, hour, minute, second, _) = now.civil();
    format!("{hour:02}:{minute:02}:{second:02}Z")
}

/// Writes a line to standard error. Failures are ignored: there is no other place to report them.
pub(crate) fn write_line(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", visible(text));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_in_one_line() {
        let progress = CrawlStatus {
            pages: 1_200,
            bytes: 5 << 20,
            queued: 300,
            in_flight: 3,
            limit: 10_000,
            failed: 2,
            ..CrawlStatus::default()
        };
        assert_eq!(
            summary(&progress, 10.0),
            "1,200 pages, 5.0 MB, 10.0 pages/s, 300 queued, 3 in flight, 2 failed, 30.0 s to go"
        );
    }
}
