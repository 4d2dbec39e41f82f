//! What does the user see while it runs? Live lines on a terminal, plain log lines otherwise, all
//! on standard error.

mod strategy;

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use quarry_crawl::StrategyProgress;
use quarry_model::Timestamp;

use crate::args::Global;
use crate::printer::{bytes, seconds, shorten, thousands};
use strategy::Yield;

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

/// What a crawl can say about itself at one moment.
#[derive(Debug, Clone, Default)]
pub(crate) struct Glance {
    pub(crate) pages: u64,
    pub(crate) bytes: u64,
    pub(crate) queued: u64,
    pub(crate) in_flight: usize,
    pub(crate) failed: u64,
    /// Pages after which the budget ends the crawl, counted from the same zero as `pages`.
    pub(crate) limit: u64,
    /// How far the strategy is, in its own terms.
    pub(crate) strategy: StrategyProgress,
    /// Host and what it is doing, busiest first.
    pub(crate) hosts: Vec<(String, String)>,
}

#[derive(Debug)]
enum Style {
    Silent,
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
    recent: Yield,
}

impl Screen {
    pub(crate) fn new(global: &Global) -> Self {
        let style = if global.quiet {
            Style::Silent
        } else if io::stderr().is_terminal() {
            let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(10));
            Style::live(all, HOSTS)
        } else {
            Style::Lines
        };
        Self::of(style, None, global.verbose)
    }

    fn of(style: Style, name: Option<String>, verbose: u8) -> Self {
        let recent = Yield::default();
        Self { style, name, verbose, shown: None, history: Vec::new(), recent }
    }

    /// Lines of their own for one of several things that run side by side.
    pub(crate) fn beside(&self, name: &str) -> Self {
        let style = match &self.style {
            Style::Silent => Style::Silent,
            Style::Lines => Style::Lines,
            Style::Live { all, .. } => Style::live(all.clone(), 0),
        };
        Self::of(style, Some(name.to_owned()), self.verbose)
    }

    /// With what it is about before it.
    fn named(&self, text: &str) -> String {
        self.name.as_ref().map_or_else(|| text.to_owned(), |name| format!("{name}: {text}"))
    }

    /// A line that everybody should see.
    pub(crate) fn say(&self, text: &str) {
        match &self.style {
            Style::Silent => {}
            Style::Lines => write_line(&self.named(text)),
            // Drawing above the live lines fails only where standard error is gone.
            Style::Live { all, .. } => all.println(self.named(text)).unwrap_or_default(),
        }
    }

    /// What is being done now: a live line on a terminal, a log line for those who asked for more.
    pub(crate) fn note(&self, text: &str) {
        match &self.style {
            Style::Silent => {}
            Style::Lines => self.detail(1, || text.to_owned()),
            Style::Live { main, .. } => {
                main.set_message(self.named(text));
                main.tick();
            }
        }
    }

    /// A line for those who asked for more: 1 for `-v`, 2 for `-vv`.
    pub(crate) fn detail(&self, level: u8, text: impl FnOnce() -> String) {
        if self.verbose >= level {
            self.say(&text());
        }
    }

    /// Whether it is time to show something again. The last state is always worth a log line.
    pub(crate) fn is_due(&self, now: Timestamp, is_over: bool) -> bool {
        let pause = match self.style {
            Style::Silent => return false,
            Style::Lines if is_over => return true,
            Style::Lines => LOG,
            Style::Live { .. } => REDRAW,
        };
        self.shown.is_none_or(|shown| now.since(shown) >= pause)
    }

    /// Shows where the crawl stands.
    pub(crate) fn show(&mut self, glance: &Glance, now: Timestamp) {
        self.shown = Some(now);
        self.history.retain(|(at, _)| now.since(*at) <= WINDOW);
        self.history.push((now, glance.pages));
        let rate = self.rate(glance.pages, now);
        let worth = self.recent.of(&glance.strategy);
        let plan = |room| {
            let budget = glance.limit.saturating_sub(glance.pages);
            strategy::line(&glance.strategy, worth, rate, budget, room)
        };
        match &self.style {
            Style::Silent => {}
            Style::Lines => {
                let mut line = format!("{} ", clock(now));
                let failed = failed(glance);
                match plan(WIDTH - line.len() - failed.len()) {
                    Some(plan) => line.push_str(&(plan + &failed)),
                    None => line.push_str(&summary(glance, rate)),
                }
                write_line(&self.named(&line));
            }
            Style::Live { main, plan: bar, hosts, .. } => {
                main.set_message(self.named(&summary(glance, rate)));
                main.tick();
                bar.set_message(plan(WIDTH - 2).unwrap_or_default());
                for (index, bar) in hosts.iter().enumerate() {
                    let more = glance.hosts.len().saturating_sub(HOSTS);
                    let text = match glance.hosts.get(index) {
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
    pub(crate) fn clear(&mut self) {
        if let Style::Live { all, main, plan, hosts } = &self.style {
            main.finish_and_clear();
            plan.finish_and_clear();
            hosts.iter().for_each(ProgressBar::finish_and_clear);
            if self.name.is_none() {
                all.clear().unwrap_or_default();
            }
        }
    }

    fn rate(&self, pages: u64, now: Timestamp) -> f64 {
        let Some((at, before)) = self.history.first() else { return 0.0 };
        let span = now.since(*at).as_secs_f64();
        if span < 0.2 { 0.0 } else { (pages - before) as f64 / span }
    }
}

fn summary(glance: &Glance, rate: f64) -> String {
    let remaining = glance.queued.min(glance.limit.saturating_sub(glance.pages));
    // A strategy asks more than is queued by now, and says so itself.
    let by_queue = glance.strategy == StrategyProgress::All;
    let eta = if by_queue && rate > 0.0 && remaining > 0 {
        format!(", {} to go", seconds(remaining as f64 / rate))
    } else {
        String::new()
    };
    let failed = failed(glance);
    format!(
        "{} pages, {}, {rate:.1} pages/s, {} queued, {} in flight{failed}{eta}",
        thousands(glance.pages),
        bytes(glance.bytes),
        thousands(glance.queued),
        glance.in_flight,
    )
}

fn failed(glance: &Glance) -> String {
    match glance.failed {
        0 => String::new(),
        failed => format!(", {} failed", thousands(failed)),
    }
}

fn clock(now: Timestamp) -> String {
    let (_, _, _, hour, minute, second, _) = now.civil();
    format!("{hour:02}:{minute:02}:{second:02}Z")
}

/// Writes a line to standard error. A standard error that is gone leaves nobody to tell.
pub(crate) fn write_line(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glance_in_one_line() {
        let glance = Glance {
            pages: 1_200,
            bytes: 5 << 20,
            queued: 300,
            in_flight: 3,
            limit: 10_000,
            failed: 2,
            ..Glance::default()
        };
        assert_eq!(
            summary(&glance, 10.0),
            "1,200 pages, 5.0 MB, 10.0 pages/s, 300 queued, 3 in flight, 2 failed, 30.0 s to go"
        );
    }
}
