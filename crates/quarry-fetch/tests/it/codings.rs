//! Are bodies kept as sent, and understood?

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use quarry_fetch::FetchSettings;
use quarry_model::Truncation;

use crate::server::{Server, fetcher, get, local, reply};

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

async fn response(coding: &str, body: &[u8], settings: FetchSettings) -> quarry_model::Response {
    let fields = format!("Content-Encoding: {coding}\r\n");
    let server = Server::once(reply("200 OK", &fields, body)).await;
    let response = get(&fetcher(settings), &server.url("/")).await.response;
    assert_eq!(response.headers.get("content-encoding"), Some(coding), "the field is kept");
    response
}

#[tokio::test]
async fn bodies_are_kept_as_sent_and_decoded() {
    let text = b"hello".as_slice();
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
    zlib.write_all(text).unwrap();
    let mut raw = DeflateEncoder::new(Vec::new(), Compression::fast());
    raw.write_all(text).unwrap();
    let mut garbage = gzip(text);
    garbage.extend_from_slice(b"\0\0trailing garbage");
    let members = [gzip(b"hel"), gzip(b"lo")].concat();
    let cases: [(&str, Vec<u8>); 10] = [
        ("gzip", gzip(text)),
        ("x-gzip", gzip(text)),
        ("gzip", members),
        ("gzip", garbage),
        ("deflate", zlib.finish().unwrap()),
        ("deflate", raw.finish().unwrap()),
        ("br", b"\x0b\x02\x80hello\x03".to_vec()),
        ("zstd", b"\x28\xb5\x2f\xfd\x20\x05\x29\0\0hello".to_vec()),
        ("gzip, gzip", gzip(&gzip(text))),
        ("gzip, identity", gzip(text)),
    ];
    for (coding, body) in cases {
        let response = response(coding, &body, local()).await;
        assert_eq!(response.body, body, "{coding}");
        assert_eq!(response.decoded.as_deref(), Some(text), "{coding}");
        assert_eq!(response.truncated, None, "{coding}");
    }
}

#[tokio::test]
async fn what_needs_no_decoding_is_not_held_twice() {
    for coding in ["identity", "utf-8", "something-new"] {
        let response = response(coding, b"hello", local()).await;
        assert_eq!((response.decoded.as_deref(), response.content()), (None, &b"hello"[..]));
    }
    let empty = response("gzip", b"", local()).await;
    assert_eq!((empty.decoded, empty.truncated), (None, None));
}

#[tokio::test]
async fn a_bomb_stops_at_the_limit() {
    let limit = 100_000;
    let zeros = vec![0; 20 << 20];
    for (coding, bomb) in [("gzip", gzip(&zeros)), ("gzip, gzip", gzip(&gzip(&zeros)))] {
        let settings = FetchSettings { max_body_bytes: limit, ..local() };
        let response = response(coding, &bomb, settings).await;
        assert_eq!(response.truncated, Some(Truncation::Length), "{coding}");
        assert_eq!(response.decoded.as_ref().map(Vec::len), Some(limit), "{coding}");
        assert!(response.body.len() <= bomb.len().min(limit), "{coding}");
        // What the archive keeps means the same when it is decoded again.
        let headers = &response.headers;
        let again = quarry_content::decode_body(headers, &response.body, limit).unwrap();
        assert_eq!(Some(again.bytes), response.decoded, "{coding}");
    }
}

#[tokio::test]
async fn a_coded_body_that_ends_early_keeps_its_beginning() {
    let text: Vec<u8> = (0..50_000_u32).flat_map(|i| i.to_string().into_bytes()).collect();
    let whole = gzip(&text);
    let response = response("gzip", &whole[..whole.len() / 2], local()).await;
    assert_eq!(response.truncated, Some(Truncation::Disconnect));
    let decoded = response.decoded.unwrap();
    assert!(decoded.len() > 1_000 && text.starts_with(&decoded));
}

#[tokio::test]
async fn a_broken_coding_keeps_all_bytes_as_sent() {
    let text: Vec<u8> = (0..50_000_u32).flat_map(|i| i.to_string().into_bytes()).collect();
    let mut body = gzip(&text);
    let middle = body.len() / 2;
    body[middle..middle + 64].fill(0xff);
    let response = response("gzip", &body, local()).await;
    assert_eq!(response.body, body, "the body came whole");
    assert!(response.decoded.unwrap().len() > 1_000);
}
