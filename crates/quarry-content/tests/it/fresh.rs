//! How long an answer holds: the cases of RFC 9111, and what must be true of any answer.

use std::time::Duration;

use proptest::prelude::*;
use quarry_content::fresh_until;
use quarry_model::{Headers, Timestamp};

const AT: Timestamp = Timestamp(1_800_000_000_000);
const WEEK: u64 = 7 * 24 * 60 * 60;

/// `Name: value` lines.
fn headers(lines: &str) -> Headers {
    let field = |line: &str| {
        let (name, value) = line.split_once(": ").unwrap();
        (name.to_owned(), value.to_owned())
    };
    Headers(lines.split(" | ").filter(|line| !line.is_empty()).map(field).collect())
}

fn seconds(lines: &str) -> Option<u64> {
    fresh_until(&headers(lines), AT).map(|until| until.since(AT).as_secs())
}

#[test]
fn what_servers_say() {
    for (lines, expect) in [
        ("", None),
        ("Cache-Control: max-age=600", Some(600)),
        ("cache-control: public, MAX-AGE=\"600\" , must-revalidate", Some(600)),
        ("Cache-Control: private | Cache-Control: max-age=5", Some(5)),
        ("Cache-Control: max-age=600 | Age: 100", Some(500)),
        ("Cache-Control: max-age=600 | Age: 600", None),
        ("Cache-Control: max-age=600 | Age: soon", None),
        ("Cache-Control: max-age=0", None),
        ("Cache-Control: max-age=-1", None),
        ("Cache-Control: max-age=ten", None),
        ("Cache-Control: max-age=5, max-age=6", None),
        ("Cache-Control: max-age=31536000", Some(WEEK)),
        ("Cache-Control: max-age=99999999999999999999999", Some(WEEK)),
        ("Cache-Control: no-cache, max-age=600", None),
        ("Cache-Control: no-store", None),
        ("Cache-Control: s-maxage=600", None),
        ("Cache-Control: max-age=600 | Vary: Accept-Encoding", Some(600)),
        ("Cache-Control: max-age=600 | Vary: Accept, *", None),
        ("Cache-Control: max-age=600 | Pragma: no-cache", Some(600)),
        (
            "Pragma: no-cache | Date: Sun, 06 Nov 1994 08:49:37 GMT | Expires: Sun, 06 Nov 1994 09:49:37 GMT",
            None,
        ),
        ("Date: Sun, 06 Nov 1994 08:49:37 GMT | Expires: Sun, 06 Nov 1994 08:50:37 GMT", Some(60)),
        ("Date: Sun, 06 Nov 1994 08:49:37 GMT | Expires: Sun, 06 Nov 1994 08:48:37 GMT", None),
        ("Date: Sun, 06 Nov 1994 08:49:37 GMT | Expires: 0", None),
        ("Expires: Sun, 06 Nov 2094 08:50:37 GMT", None),
        (
            "Cache-Control: max-age=7 | Date: Sun, 06 Nov 1994 08:49:37 GMT | Expires: Sun, 06 Nov 1994 08:50:37 GMT",
            Some(7),
        ),
    ] {
        assert_eq!(seconds(lines), expect, "{lines}");
    }
}

proptest! {
    /// Whatever comes, nothing holds longer than a week, or not at all.
    #[test]
    fn any_fields_are_read(fields in prop::collection::vec(
        (prop::sample::select(vec!["Cache-Control", "Expires", "Date", "Age", "Vary", "Pragma"]), ".{0,40}"), 0..8)
    ) {
        let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        if let Some(until) = fresh_until(&Headers(fields), AT) {
            prop_assert!(until > AT && until.since(AT) <= Duration::from_secs(WEEK));
        }
    }

    /// Age is taken off, a ban on reuse wins, and neither order nor case matters.
    #[test]
    fn max_age_and_age(lifetime in 0u64..WEEK, age in 0u64..WEEK, turn in any::<bool>(), ban in 0usize..3) {
        let ban = ["", "no-cache", "No-Store"][ban];
        let mut directives = vec![format!("max-age={lifetime}"), "Public".to_owned()];
        if !ban.is_empty() {
            directives.push(ban.to_owned());
        }
        if turn {
            directives.reverse();
        }
        let lines = format!("Cache-Control: {} | Age: {age}", directives.join(","));
        let expect = (lifetime > age && ban.is_empty()).then(|| lifetime - age);
        prop_assert_eq!(seconds(&lines), expect);
    }
}
