//! Who asked for what? The access log, in the common log format.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// One request as the log has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// GET, HEAD or POST.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// The status that was sent; 0 when nothing was.
    pub status: u16,
    /// Length of the body that was meant to be sent.
    pub bytes: usize,
    /// The `User-Agent` field.
    pub agent: String,
    /// The body of a POST.
    pub body: String,
    /// The trap that the request stepped into.
    pub violation: Option<&'static str>,
    /// Milliseconds since the beginning of 1970.
    pub at: u64,
}

impl LogLine {
    pub(crate) fn now() -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        since.as_millis() as u64
    }
}

impl fmt::Display for LogLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, target, status, bytes, agent, .. } = self;
        let agent = agent.replace('"', "'");
        let date = date(self.at / 1000);
        write!(
            f,
            "127.0.0.1 - - [{date}] \"{method} {target} HTTP/1.1\" {status} {bytes} \"-\" \"{agent}\""
        )?;
        if let Some(trap) = self.violation {
            write!(f, " violation={trap}")?;
        }
        Ok(())
    }
}

/// `15/Nov/2026:20:05:10 +0000`. Days to dates as in Howard Hinnant's "chrono-compatible low-level
/// date algorithms".
fn date(seconds: u64) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (days, clock) = (seconds / 86_400, seconds % 86_400);
    let z = days + 719_468;
    let era = z / 146_097;
    let doe = z % 146_097;
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + era * 400 + u64::from(month <= 2);
    format!(
        "{day:02}/{}/{year}:{:02}:{:02}:{:02} +0000",
        MONTHS[(month - 1) as usize],
        clock / 3600,
        clock / 60 % 60,
        clock % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_in_the_common_format() {
        assert_eq!(date(0), "01/Jan/1970:00:00:00 +0000");
        assert_eq!(date(1_709_210_096), "29/Feb/2024:12:34:56 +0000");
        let line = LogLine {
            method: "GET".into(),
            target: "/a?b=1".into(),
            status: 200,
            bytes: 12,
            agent: "q\"x".into(),
            body: String::new(),
            violation: Some("logout"),
            at: 0,
        };
        assert_eq!(
            line.to_string(),
            "127.0.0.1 - - [01/Jan/1970:00:00:00 +0000] \"GET /a?b=1 HTTP/1.1\" 200 12 \"-\" \"q'x\" violation=logout"
        );
    }
}
