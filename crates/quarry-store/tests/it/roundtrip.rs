//! Does what is written read back, by both ways of reading?

use std::time::Duration;

use proptest::prelude::*;
use quarry_model::{
    Capture, Exchange, Headers, Method, PageStore, Request, Response, Timestamp, Truncation,
    Validators,
};
use quarry_store::warc::{Captures, ReadLimits, read_warc};

use crate::open;

fn token() -> impl Strategy<Value = String> {
    "[A-Za-z][A-Za-z0-9-]{0,12}".prop_filter("fields with a meaning of their own", |name| {
        let name = name.to_ascii_lowercase();
        let reserved = [
            "content-length",
            "content-encoding",
            "transfer-encoding",
            "if-none-match",
            "if-modified-since",
            "x-archive-orig-content-length",
        ];
        !reserved.contains(&name.as_str())
    })
}

fn headers() -> impl Strategy<Value = Headers> {
    let value = "[!-~\u{e0}-\u{ff}\u{4e00}]( ?[!-~]){0,20}|";
    prop::collection::vec((token(), value), 0..6).prop_map(Headers)
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..3_000),
        Just(b"\r\n\r\nWARC/1.1\r\n\r\n".to_vec()),
        Just(b"0\r\n\r\n".to_vec()),
        (0usize..200_000).prop_map(|n| vec![b'a'; n]),
    ]
}

fn exchange() -> impl Strategy<Value = Exchange> {
    let request = ("[a-z0-9/?&=%._~-]{0,40}", prop::option::of("[ -~]{0,60}"));
    let answer = (
        100u16..600,
        prop::sample::select(&["HTTP/1.0", "HTTP/1.1", "HTTP/2.0"][..]),
        headers(),
        body(),
        prop::sample::select(
            &[None, Some(Truncation::Length), Some(Truncation::Time), Some(Truncation::Disconnect)]
                [..],
        ),
        any::<bool>(),
    );
    let around =
        (headers(), any::<Option<std::net::IpAddr>>(), 0i64..4_000_000_000_000, 0u64..100_000);
    (request, answer, around).prop_map(|((path, post), answer, (sent, remote, at, took))| {
        let (status, version, mut headers, body, truncated, says_length) = answer;
        if says_length {
            headers.0.push(("Content-Length".to_owned(), (body.len() + 7).to_string()));
        }
        Exchange {
            request: Request {
                method: if post.is_some() { Method::Post } else { Method::Get },
                url: format!("http://host.example/{path}"),
                body: post,
                unless: Validators::default(),
            },
            sent,
            response: Response {
                rendering: None,
                status,
                version: version.to_owned(),
                headers,
                body,
                decoded: None,
                truncated,
            },
            remote,
            at: Timestamp(at),
            took: Duration::from_millis(took),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_written_reads_back(exchanges in prop::collection::vec(exchange(), 1..6)) {
        let dir = tempfile::tempdir().unwrap();
        let mut project = open(dir.path());
        let mut rows = Vec::new();
        for (n, exchange) in exchanges.iter().enumerate() {
            let via = (n % 2 == 0).then_some("http://host.example/via");
            rows.push(project.put(&Capture {
                exchange, depth: n as u32, via, mime_detected: "text/plain", is_page: n != 1,
            }).unwrap());
        }
        project.commit().unwrap();
        for (row, exchange) in rows.iter().zip(&exchanges) {
            prop_assert_eq!(&project.read(row).unwrap(), exchange);
        }

        // Anybody's reader finds the same, at the same places.
        let path = dir.path().join(&rows[0].warc_filename);
        let limits = ReadLimits::default();
        let pages: Vec<_> = Captures::new(read_warc(&path, &limits).unwrap(), &limits)
            .collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(pages.len(), rows.len());
        for (n, (page, row)) in pages.iter().zip(&rows).enumerate() {
            prop_assert_eq!(page.place.offset, row.warc_record_offset);
            prop_assert_eq!(page.place.length, row.warc_record_length);
            prop_assert_eq!(page.depth, Some(n as u32));
            prop_assert_eq!(page.is_page, n != 1);
            if page.repeats.is_none() {
                prop_assert_eq!(&page.exchange, &exchanges[n]);
            }
            if let Some(digest) = page.digest {
                prop_assert_eq!(digest.to_string(), row.content_digest.clone());
            }
        }
    }

    #[test]
    fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.warc.gz");
        std::fs::write(&path, &bytes).unwrap();
        let limits = ReadLimits::default();
        let _ = read_warc(&path, &limits).unwrap().count();
        let _ = Captures::new(read_warc(&path, &limits).unwrap(), &limits).count();
    }
}
