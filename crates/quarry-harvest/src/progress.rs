//! Says how far a crawl's strategy is, in one line: what it knows, what it found, what recent requests were worth, and how much
//! is to go.

use quarry_crawl::{IndexProgress, ProbeProgress, QueryProgress, StrategyProgress};

use crate::text::{seconds, thousands};

/// Requests over which new values are counted: enough that one long list does not decide.
const RECENT: u64 = 30;

/// Characters of a line, at most.
const WIDTH: usize = 100;

/// What the last requests have brought.
#[derive(Debug, Default)]
pub struct RecentYield {
    /// (requests, values), oldest first; the first lies at least [`RECENT`] requests back, if any does.
    points: Vec<(u64, u64)>,
}

impl RecentYield {
    /// Takes the present state and says how many new values a recent request brought.
    pub fn of(&mut self, progress: &StrategyProgress) -> Option<f64> {
        let StrategyProgress::Query(query) = progress else { return None };
        let now = (query.requests, query.values as u64);
        if self.points.last() != Some(&now) {
            self.points.push(now);
        }
        let back = |point: &&(u64, u64)| now.0.saturating_sub(point.0) >= RECENT;
        let old = self.points.iter().take_while(back).count();
        self.points.drain(..old.saturating_sub(1));
        let first = self.points.first()?;
        let requests = now.0.saturating_sub(first.0);
        (requests > 0).then(|| now.1.saturating_sub(first.1) as f64 / requests as f64)
    }
}

/// The line, at most `room` columns wide: what matters least is left out first. `rate` is in requests a
/// second, `budget` in requests.
#[must_use]
pub fn strategy_line(
    progress: &StrategyProgress,
    worth: Option<f64>,
    rate: f64,
    budget: u64,
    room: usize,
) -> Option<String> {
    match progress {
        StrategyProgress::All => None,
        StrategyProgress::Probe(probe) => Some(fit(probing(probe, rate, budget), room)),
        StrategyProgress::Index(index) => Some(fit(walking(index, rate, budget), room)),
        // Nothing has come: pages tell as much.
        StrategyProgress::Query(query) if query.known == 0 => None,
        StrategyProgress::Query(query) => Some(fit(querying(query, worth, rate, budget), room)),
    }
}

/// A part of the line; a lower rank stays longer.
type Part = (u8, String);

fn querying(query: &QueryProgress, worth: Option<f64>, rate: f64, budget: u64) -> Vec<Part> {
    let number = |n: usize| thousands(n as u64);
    let details = query.details as u64 + query.details_left;
    let phase = match query.details_left {
        0 => format!("{} of {} queries", number(query.explored), number(query.known)),
        _ => format!("{} of {} entity pages", number(query.details), thousands(details)),
    };
    let mut parts = vec![
        (0, phase),
        (3, format!("{} entities", number(query.entities))),
        (1, format!("{} values", number(query.values))),
    ];
    if let Some(worth) = worth {
        parts.push((2, format!("{worth:.1} new a request")));
    }
    parts.extend(to_go(query.left, rate, budget));
    parts
}

fn probing(probe: &ProbeProgress, rate: f64, budget: u64) -> Vec<Part> {
    let number = |n: usize| thousands(n as u64);
    if probe.forms == 0 {
        return vec![(0, format!("looking for a search form, {} pages", number(probe.looked)))];
    }
    let mut parts = vec![
        (0, format!("{} queries asked", number(probe.asked))),
        (1, format!("{} answers", number(probe.answers))),
    ];
    // The answers decide when it is over: this is the most it can take.
    let most = to_go(probe.left as u64, rate, budget);
    parts.extend(most.map(|(rank, text)| (rank, text.replace("about", "at most"))));
    parts
}

fn walking(index: &IndexProgress, rate: f64, budget: u64) -> Vec<Part> {
    let number = |n: usize| thousands(n as u64);
    let share = 100.0 * index.targets as f64 / index.pages.max(1) as f64;
    let mut parts = vec![
        (
            0,
            format!(
                "{} targets of {} pages ({share:.0} %)",
                number(index.targets),
                number(index.pages)
            ),
        ),
        (2, format!("{} indexes", number(index.indexes))),
    ];
    parts.extend(to_go(index.left as u64, rate, budget));
    parts
}

fn to_go(left: u64, rate: f64, budget: u64) -> Option<Part> {
    let left = left.min(budget);
    let time =
        if rate > 0.0 { format!(" ({})", seconds(left as f64 / rate)) } else { String::new() };
    (left > 0).then(|| (1, format!("about {} requests{time} to go", thousands(left))))
}

fn fit(mut parts: Vec<Part>, room: usize) -> String {
    loop {
        let texts: Vec<&str> = parts.iter().map(|(_, text)| text.as_str()).collect();
        let line = texts.join(", ");
        let worst = parts.iter().map(|(rank, _)| *rank).max().unwrap_or(0);
        if line.chars().count() <= room.min(WIDTH) || worst == 0 {
            return line;
        }
        parts.retain(|(rank, _)| *rank != worst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(scale: u64) -> StrategyProgress {
        let many = scale as usize;
        StrategyProgress::Query(QueryProgress {
            known: 61 * many,
            explored: 34 * many,
            entities: 312 * many,
            values: 1_240 * many,
            requests: 80 * scale,
            left: 45 * scale,
            ..QueryProgress::default()
        })
    }

    #[test]
    fn a_crawl_by_queries_in_one_line() {
        let rate = 45.0 / 46.0;
        let all = "34 of 61 queries, 312 entities, 1,240 values, 8.2 new a request, about 5 requests (5.1 s) to go";
        assert_eq!(strategy_line(&query(1), Some(8.2), rate, 5, 100).as_deref(), Some(all));
        let some =
            "34 of 61 queries, 1,240 values, 18.2 new a request, about 45 requests (46.0 s) to go";
        assert_eq!(strategy_line(&query(1), Some(18.2), rate, 1_000, 90).as_deref(), Some(some));
        let details = StrategyProgress::Query(QueryProgress {
            known: 61,
            details: 40,
            details_left: 1_160,
            left: 1_160,
            ..QueryProgress::default()
        });
        let text = strategy_line(&details, None, 116.0, 10_000, 100);
        let expected =
            "40 of 1,200 entity pages, 0 entities, 0 values, about 1,160 requests (10.0 s) to go";
        assert_eq!(text.as_deref(), Some(expected));
        let start = StrategyProgress::Query(QueryProgress { known: 1, ..QueryProgress::default() });
        let text = strategy_line(&start, None, 0.0, 10, 90);
        assert_eq!(text.as_deref(), Some("0 of 1 queries, 0 entities, 0 values"));
        assert_eq!(strategy_line(&StrategyProgress::All, None, 1.0, 10, 90), None);
    }

    #[test]
    fn lines_fit() {
        for scale in [1, 1_000, 1_000_000, 1_000_000_000] {
            for room in [40, 90, 98] {
                let text = strategy_line(&query(scale), Some(18.2), 0.1, u64::MAX, room).unwrap();
                assert!(text.len() <= room, "{text}");
            }
        }
    }

    #[test]
    fn a_probe_in_one_line() {
        let probe = |forms, asked| {
            let probe = ProbeProgress { looked: 3, forms, asked, answers: 20, left: 110 - asked };
            strategy_line(&StrategyProgress::Probe(probe), None, 1.0, 1_000, 90).unwrap()
        };
        assert_eq!(probe(0, 0), "looking for a search form, 3 pages");
        let text = "22 queries asked, 20 answers, at most 88 requests (1 min 28 s) to go";
        assert_eq!(probe(1, 22), text);
    }

    #[test]
    fn only_recent_requests_tell_what_they_are_worth() {
        let at = |requests, values| {
            StrategyProgress::Query(QueryProgress { requests, values, ..QueryProgress::default() })
        };
        let mut recent = RecentYield::default();
        assert_eq!(recent.of(&at(10, 100)), None);
        assert_eq!(recent.of(&at(20, 300)), Some(20.0));
        assert_eq!(recent.of(&at(60, 300)), Some(0.0), "what came before request 20 is forgotten");
        assert_eq!(recent.of(&at(80, 500)), Some(200.0 / 60.0), "at least 30 requests back");
        assert_eq!(recent.of(&at(90, 500)), Some(200.0 / 30.0));
    }
}
