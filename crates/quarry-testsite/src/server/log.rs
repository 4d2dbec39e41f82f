//! The access log, in the common log format.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

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

/// `15/Nov/2026:20:05:10 +0000`, the date of the common log format.
fn date(seconds: u64) -> String {
    let at = UNIX_EPOCH + Duration::from_secs(seconds);
    // `Sun, 15 Nov 2026 20:05:10 GMT`
    let date = httpdate::fmt_http_date(at);
    format!("{}/{}/{}:{} +0000", &date[5..7], &date[8..11], &date[12..16], &date[17..25])
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
