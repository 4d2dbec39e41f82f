//! Are archive files of others read, whole and broken?

use std::io::{Cursor, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use quarry_store::warc::{Captures, ReadLimits, RecordType, WarcProblem, WarcReader};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// A response record of version `version` for `url`.
fn record(version: &str, url: &str, http: &str) -> Vec<u8> {
    format!(
        "WARC/{version}\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n\
         WARC-Date: 2026-11-15T20:00:00Z\r\nWARC-Record-ID: <urn:uuid:{url}>\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    )
    .into_bytes()
}

fn page(n: usize) -> Vec<u8> {
    let text = format!("page {n} ").repeat(50);
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{text}");
    record("1.0", &format!("http://a.example/{n}"), &http)
}

fn pages(n: usize) -> Vec<Vec<u8>> {
    (0..n).map(page).collect()
}

fn reader(bytes: &[u8]) -> WarcReader<Cursor<&[u8]>> {
    limited(bytes, &ReadLimits::default())
}

fn limited<'a>(bytes: &'a [u8], limits: &ReadLimits) -> WarcReader<Cursor<&'a [u8]>> {
    WarcReader::new(Cursor::new(bytes), Path::new("test.warc"), limits).unwrap()
}

/// What reading gives, in short: `0 1 2` are pages, `!word` are issues.
fn summary(bytes: &[u8]) -> String {
    summarise(reader(bytes))
}

fn summarise(reader: WarcReader<Cursor<&[u8]>>) -> String {
    let words: Vec<String> = reader
        .map(|item| match item {
            Ok(record) => record.headers.target().unwrap().rsplit('/').next().unwrap().to_owned(),
            Err(issue) => match issue.problem {
                WarcProblem::Truncated => "!truncated".to_owned(),
                WarcProblem::Corrupt => "!corrupt".to_owned(),
                WarcProblem::Garbage { bytes } => format!("!garbage({bytes})"),
                WarcProblem::BadHeader => "!header".to_owned(),
                WarcProblem::WrongLength { .. } => "!length".to_owned(),
                WarcProblem::TooBig { .. } => "!big".to_owned(),
                WarcProblem::NoOriginal => "!original".to_owned(),
                WarcProblem::Io(error) => panic!("{error}"),
            },
        })
        .collect();
    words.join(" ")
}

#[test]
fn reads_every_way_of_compressing() {
    let plain = pages(4);
    let members: Vec<Vec<u8>> = plain.iter().map(|record| gzip(record)).collect();
    let whole = plain.concat();
    assert_eq!(summary(&whole), "0 1 2 3", "not compressed");
    assert_eq!(summary(&members.concat()), "0 1 2 3", "a member per record");
    assert_eq!(summary(&gzip(&whole)), "0 1 2 3", "one member for all");
    let (head, tail) = whole.split_at(777);
    assert_eq!(summary(&[gzip(head), gzip(tail)].concat()), "0 1 2 3", "members anywhere");
    let two = [gzip(&plain[..2].concat()), gzip(&plain[2..].concat())].concat();
    assert_eq!(summary(&two), "0 1 2 3", "two records per member");
    assert_eq!(summary(b""), "");
    assert_eq!(summary(&gzip(b"")), "");
}

#[test]
fn reads_every_version() {
    for version in ["0.17", "0.18", "1.0", "1.1", "2.0"] {
        let bytes = record(version, "http://a.example/x", "HTTP/1.1 200 OK\r\n\r\nx");
        assert_eq!(summary(&bytes), "x", "{version}");
    }
}

#[test]
fn a_truncated_file_gives_what_comes_before() {
    let plain = pages(3);
    let members: Vec<Vec<u8>> = plain.iter().map(|record| gzip(record)).collect();
    for cut in [1, 5, 20, members[2].len() - 4] {
        let all = members.concat();
        assert_eq!(summary(&all[..all.len() - cut]), "0 1 !truncated", "cut {cut}");
    }
    let whole = plain.concat();
    assert_eq!(summary(&whole[..whole.len() - 40]), "0 1 !truncated");
    assert_eq!(summary(&whole[..whole.len() - 2]), "0 1 2", "only a line end is missing");
    let last = plain[2].len();
    assert_eq!(summary(&whole[..whole.len() - last + 30]), "0 1 !truncated", "inside the header");
    let one = gzip(&whole);
    assert!(summary(&one[..one.len() - 12]).ends_with("!truncated"));
    let issue =
        reader(&members.concat()[..members.concat().len() - 1]).find_map(Result::err).unwrap();
    assert_eq!(issue.offset, (members[0].len() + members[1].len()) as u64);
    let text = issue.to_string();
    assert!(text.contains("offset ") && text.contains("test.warc"), "{text}");
}

#[test]
fn damage_costs_one_record() {
    let members: Vec<Vec<u8>> = pages(4).iter().map(|record| gzip(record)).collect();
    let mut damaged = members.clone();
    let middle = damaged[1].len() / 2;
    damaged[1][middle] ^= 0xff;
    let found = summary(&damaged.concat());
    assert!(found.starts_with("0 !") && found.ends_with(" 2 3"), "{found}");
    // A checksum that does not fit.
    let mut damaged = members.clone();
    let end = damaged[1].len() - 6;
    damaged[1][end] ^= 0xff;
    assert_eq!(summary(&damaged.concat()), "0 !corrupt 2 3");
    // A member that does not begin like one.
    let mut damaged = members.clone();
    damaged[1][0] = b'x';
    let skipped = damaged[1].len();
    assert_eq!(summary(&damaged.concat()), format!("0 !garbage({skipped}) 2 3"));
}

#[test]
fn garbage_is_passed_over() {
    let plain = pages(3);
    let members: Vec<Vec<u8>> = plain.iter().map(|record| gzip(record)).collect();
    let junk = b"no record\x1f\x8b\x08 at all";
    let bytes = [&members[0], &junk[..], &members[1], &members[2]].concat();
    assert_eq!(summary(&bytes), format!("0 !garbage({}) 1 2", junk.len()));
    let bytes = [&junk[..9], &members.concat()].concat();
    assert_eq!(summary(&bytes), "!garbage(9) 0 1 2");
    let bytes = [&members.concat()[..], b"trailing"].concat();
    assert_eq!(summary(&bytes), "0 1 2 !garbage(8)");
    let padded = [&members[0][..], &[0; 100], &members[1]].concat();
    assert_eq!(summary(&padded), "0 1", "padding is no garbage");

    let line = b"some line\r\nanother WARC/ line\r\n";
    let bytes = [&plain[0], &line[..], &plain[1]].concat();
    assert_eq!(summary(&bytes), "0 !length 1");
    let bytes = [&line[..], &plain[0]].concat();
    assert_eq!(summary(&bytes), format!("!garbage({}) 0", line.len()));
    assert_eq!(summary(b"nothing of the kind"), "!garbage(19)");
}

#[test]
fn a_file_of_beginnings_is_read_to_its_end() {
    // Every place in them looks like the beginning of a member or of a record.
    let magics = b"\x1f\x8b\x08".repeat(20_000);
    let named = b"\x1f\x8b\x08\x08\x01\x01\x01\x01\x01\x03".repeat(6_000);
    let headers = b"WARC/1.0\r\nA: b\r\n".repeat(4_000);
    for bytes in [magics, named, headers] {
        let seen = summary(&bytes);
        assert!(seen.starts_with('!') && !seen.contains(" 0"), "{seen}");
    }
}

fn with_length(record: &[u8], length: &str) -> Vec<u8> {
    let text = String::from_utf8(record.to_vec()).unwrap();
    let start = text.find("Content-Length: ").unwrap();
    let end = start + text[start..].find("\r\n").unwrap();
    format!("{}Content-Length: {length}{}", &text[..start], &text[end..]).into_bytes()
}

#[test]
fn a_wrong_length_costs_at_most_one_record() {
    let plain = pages(3);
    for length in ["10", "99999", "400"] {
        let wrong = [plain[0].clone(), with_length(&plain[1], length), plain[2].clone()];
        assert_eq!(summary(&wrong.concat()), "0 1 !length 2", "{length}");
        let members = wrong.map(|record| gzip(&record));
        assert_eq!(summary(&members.concat()), "0 1 !length 2", "{length}, compressed");
    }
    for length in ["x", "", "-1"] {
        let wrong = [plain[0].clone(), with_length(&plain[1], length), plain[2].clone()];
        assert_eq!(summary(&wrong.concat()), "0 !header 2", "{length:?}");
        let members = wrong.map(|record| gzip(&record));
        assert_eq!(summary(&members.concat()), "0 !header 2", "{length:?}, compressed");
    }
}

#[test]
fn line_ends_may_be_missing() {
    let plain = pages(3);
    let stripped: Vec<Vec<u8>> =
        plain.iter().map(|record| record[..record.len() - 4].to_vec()).collect();
    assert_eq!(summary(&stripped.concat()), "0 1 2");
    let members: Vec<Vec<u8>> = stripped.iter().map(|record| gzip(record)).collect();
    assert_eq!(summary(&members.concat()), "0 1 2");
}

#[test]
fn folded_fields_and_line_feeds() {
    let text = "WARC/1.0\nWARC-Type: response\nWARC-Target-URI:\n  http://a.example/x\n\
                X-Long: one\n\ttwo\nContent-Length: 19\n\nHTTP/1.0 200 OK\n\nhi\n\n";
    let record = reader(text.as_bytes()).next().unwrap().unwrap();
    assert_eq!(record.headers.target(), Some("http://a.example/x"));
    assert_eq!(record.headers.get("x-long"), Some("one two"));
    assert_eq!(record.block, b"HTTP/1.0 200 OK\n\nhi");
    assert_eq!(record.kind(), RecordType::Response);
}

#[test]
fn huge_records_are_skipped() {
    let large = "x".repeat(1_000_000);
    let plain = [page(0), record("1.0", "http://a.example/large", &large), page(1)];
    let limits = ReadLimits { block: 10_000, ..ReadLimits::default() };
    let members: Vec<Vec<u8>> = plain.iter().map(|record| gzip(record)).collect();
    assert_eq!(summarise(limited(&plain.concat(), &limits)), "0 !big 1");
    assert_eq!(summarise(limited(&members.concat(), &limits)), "0 !big 1");
}

#[test]
fn places_can_be_found_again() {
    let plain = pages(5);
    let members: Vec<Vec<u8>> = plain.iter().map(|record| gzip(record)).collect();
    let whole = plain.concat();
    let limits = ReadLimits::default();
    for bytes in [whole.clone(), members.concat(), gzip(&whole)] {
        let records: Vec<_> = reader(&bytes).map(Result::unwrap).collect();
        for record in records {
            let again = WarcReader::record_at(
                Cursor::new(&bytes[..]),
                Path::new("test.warc"),
                &limits,
                record.place,
            );
            assert_eq!(again.unwrap(), record);
        }
    }
    let lengths: Vec<u64> =
        reader(&members.concat()).map(|record| record.unwrap().place.length).collect();
    let expect: Vec<u64> = members.iter().map(|member| member.len() as u64).collect();
    assert_eq!(lengths, expect);
}

fn captures(bytes: &[u8]) -> Vec<quarry_store::warc::ArchivedPage> {
    Captures::new(reader(bytes), &ReadLimits::default()).map(Result::unwrap).collect()
}

#[test]
fn wget_quirks() {
    // Brackets around the address, chunks left in the body, request first.
    let asked = "POST /f HTTP/1.1\r\nHost: a.example\r\nUser-Agent: Wget/1\r\n\r\nq=1&r=2";
    let request = format!(
        "WARC/1.0\r\nWARC-Type: request\r\nWARC-Target-URI: <http://a.example/f>\r\n\
        WARC-Record-ID: <urn:uuid:1>\r\nContent-Length: {}\r\n\r\n{asked}\r\n\r\n",
        asked.len()
    );
    let http = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/html\r\n\r\n\
        5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n";
    let response = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: <http://a.example/f>\r\n\
        WARC-Record-ID: <urn:uuid:2>\r\nWARC-Concurrent-To: <urn:uuid:1>\r\n\
        WARC-IP-Address: 192.0.2.1\r\nWARC-Date: 2026-11-15T20:00:00Z\r\nContent-Length: {}\r\n\r\n\
        {http}\r\n\r\n",
        http.len()
    );
    let bytes = [gzip(request.as_bytes()), gzip(response.as_bytes())].concat();
    let pages = captures(&bytes);
    assert_eq!(pages.len(), 1);
    let exchange = &pages[0].exchange;
    assert_eq!(exchange.request, quarry_model::Request::post("http://a.example/f", "q=1&r=2"));
    assert_eq!(exchange.sent.get("user-agent"), Some("Wget/1"));
    assert_eq!(exchange.response.body, b"hello world");
    assert_eq!(exchange.response.headers.get("transfer-encoding"), None);
    assert_eq!(exchange.remote, "192.0.2.1".parse().ok());
    assert_eq!(exchange.at.to_string(), "2026-11-15T20:00:00.000Z");
}

#[test]
fn what_is_no_exchange_is_left_out() {
    let dns = record("1.0", "dns:a.example", "20261115 a.example. 1 IN A 192.0.2.1");
    let other = record("1.0", "http://a.example/x", "<html>no status line</html>");
    let resource = String::from_utf8(record("1.0", "http://a.example/r", "<p>as it is")).unwrap();
    let resource = resource.replace("Type: response", "Type: resource");
    let log = resource.replace("http://a.example/r", "metadata://gnu.org/software/wget/warc/x.log");
    let bytes = [&dns[..], &other, resource.as_bytes(), log.as_bytes(), &page(1)].concat();
    let found: Vec<String> =
        captures(&bytes).into_iter().map(|page| page.exchange.request.url).collect();
    assert_eq!(found, ["http://a.example/r", "http://a.example/1"]);
}

#[test]
fn content_codings_are_undone() {
    let packed = gzip(b"<p>packed");
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
    let mut bytes = format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/p\r\n\
        Content-Length: {}\r\n\r\n{head}",
        head.len() + packed.len()
    )
    .into_bytes();
    bytes.extend_from_slice(&packed);
    bytes.extend_from_slice(b"\r\n\r\n");
    let page = &captures(&bytes)[0];
    assert_eq!(page.exchange.response.body, packed);
    assert_eq!(page.exchange.response.content(), b"<p>packed");
}

proptest! {
    /// The law of damage: whatever happens to one member costs that one record.
    #[test]
    fn a_damaged_member_costs_one_record(
        which in 0usize..6,
        flips in prop::collection::vec((any::<prop::sample::Index>(), 1u8..), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut members: Vec<Vec<u8>> = pages(6).iter().map(|record| gzip(record)).collect();
        let damaged = &mut members[which];
        for (at, mask) in flips {
            let at = at.index(damaged.len());
            damaged[at] ^= mask;
        }
        if let Some(cut) = cut {
            let cut = cut.index(damaged.len());
            damaged.truncate(cut);
        }
        let found: Vec<String> = reader(&members.concat())
            .filter_map(Result::ok)
            .filter_map(|record| record.headers.target().map(str::to_owned))
            .filter(|url| url != &format!("http://a.example/{which}"))
            .collect();
        let expect: Vec<String> = (0..6)
            .filter(|n| *n != which)
            .map(|n| format!("http://a.example/{n}"))
            .collect();
        prop_assert_eq!(found, expect);
    }

    /// Nothing that stands in an uncompressed file can make reading stop or fail.
    #[test]
    fn damaged_text_is_read_to_its_end(
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..400), 0..4),
    ) {
        let mut bytes = pages(6).concat();
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        for (at, length) in cuts {
            let at = at.index(bytes.len());
            let end = bytes.len().min(at + length);
            bytes.drain(at..end);
            if bytes.is_empty() {
                break;
            }
        }
        let items = reader(&bytes).count();
        prop_assert!(items <= 40, "{items} records and issues");
        let _ = Captures::new(reader(&bytes), &ReadLimits::default()).count();
    }
}
