//! Are codings undone, whole and broken, in one piece and in many?

use std::io::Write;

use flate2::Compression;
use proptest::prelude::*;
use quarry_content::{Coding, DecodeProgress, Decoded, Decoder, decode, decode_body};
use quarry_model::{Headers, Truncation};

const LIMIT: usize = 1 << 20;

fn encode(coding: Coding, bytes: &[u8]) -> Vec<u8> {
    match coding {
        Coding::Gzip => {
            let mut out = flate2::write::GzEncoder::new(Vec::new(), Compression::default());
            out.write_all(bytes).unwrap();
            out.finish().unwrap()
        }
        Coding::Deflate => {
            let mut out = flate2::write::ZlibEncoder::new(Vec::new(), Compression::default());
            out.write_all(bytes).unwrap();
            out.finish().unwrap()
        }
        Coding::Brotli => {
            let mut out = Vec::new();
            let params = brotli::enc::BrotliEncoderParams { quality: 4, ..Default::default() };
            brotli::BrotliCompress(&mut &bytes[..], &mut out, &params).unwrap();
            out
        }
        Coding::Zstd => zstd::encode_all(bytes, 1).unwrap(),
    }
}

fn raw_deflate(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::DeflateEncoder::new(Vec::new(), Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

const ALL: [Coding; 4] = [Coding::Gzip, Coding::Deflate, Coding::Brotli, Coding::Zstd];

fn whole(bytes: &[u8]) -> Decoded {
    Decoded { bytes: bytes.to_vec(), ..Decoded::default() }
}

#[test]
fn undoes_what_servers_send() {
    fn check(codings: &[Coding], body: &[u8], expect: &[u8]) {
        assert_eq!(decode(codings, body, LIMIT), whole(expect), "{codings:?}");
    }
    let text = b"All work and no play makes Jack a dull boy. ".repeat(500);
    check(&[], &text, &text);
    for coding in ALL {
        check(&[coding], b"", b"");
        check(&[coding], &encode(coding, b""), b"");
        check(&[coding], &encode(coding, &text), &text);
        check(&[coding], &[&encode(coding, &text)[..], b"\r\n  trailing"].concat(), &text);
        for outer in ALL {
            check(&[coding, outer], &encode(outer, &encode(coding, &text)), &text);
        }
    }
    check(&[Coding::Deflate], &raw_deflate(&text), &text);
    for coding in [Coding::Gzip, Coding::Zstd] {
        let two = [encode(coding, b"one, "), encode(coding, b"two")].concat();
        check(&[coding], &two, b"one, two");
    }
}

#[test]
fn a_body_that_is_not_coded_is_taken_as_it_is() {
    for (coding, body) in
        [(Coding::Gzip, &b"<html>plain</html>"[..]), (Coding::Zstd, b"plain"), (Coding::Gzip, b"<")]
    {
        let decoded = decode(&[coding], body, LIMIT);
        assert_eq!((decoded.bytes.as_slice(), decoded.truncated), (body, None));
        assert!(decoded.problem.unwrap().contains("taken as it is"));
    }
}

#[test]
fn a_cut_body_gives_what_there_is() {
    let text: Vec<u8> = (0..60_000u32).flat_map(|n| n.to_string().into_bytes()).collect();
    for coding in ALL {
        let body = encode(coding, &text);
        let decoded = decode(&[coding], &body[..body.len() - 9], LIMIT);
        assert_eq!(decoded.truncated, Some(Truncation::Disconnect), "{coding:?}");
        assert!(decoded.bytes.len() > 10_000 && text.starts_with(&decoded.bytes), "{coding:?}");
    }
    let decoded = decode(&[Coding::Gzip], b"\x1f", LIMIT);
    assert_eq!(decoded.truncated, Some(Truncation::Disconnect));
}

#[test]
fn a_corrupt_body_gives_what_there_is() {
    let text: Vec<u8> = (0..90_000u32).flat_map(|n| n.to_string().into_bytes()).collect();
    for coding in ALL {
        let mut body = encode(coding, &text);
        let middle = body.len() / 2;
        body[middle..middle + 64].fill(0xff);
        let decoded = decode(&[coding], &body, LIMIT);
        // The other two have no checksum here.
        if let Coding::Gzip | Coding::Deflate = coding {
            assert_eq!(decoded.bytes[..10_000], text[..10_000], "{coding:?}");
            let problem = decoded.problem.expect("corruption is noticed");
            assert!(problem.starts_with(coding.as_str()), "{problem}");
        }
    }
}

#[test]
fn a_bomb_stops_at_the_limit() {
    let zeros = vec![0u8; 64 << 20];
    for coding in ALL {
        let bomb = encode(coding, &zeros);
        let twice = encode(Coding::Gzip, &bomb);
        for (codings, body) in [(vec![coding], &bomb), (vec![coding, Coding::Gzip], &twice)] {
            let decoded = decode(&codings, body, 100_000);
            assert_eq!(decoded.bytes.len(), 100_000);
            assert_eq!(decoded.truncated, Some(Truncation::Length));
        }
    }
    // Exactly the limit is not more than the limit.
    assert_eq!(decode(&[Coding::Gzip], &encode(Coding::Gzip, b"abc"), 3), whole(b"abc"));
    let many = [Coding::Gzip; 40];
    assert!(decode(&many, b"x", 10).problem.unwrap().contains("content codings"));
}

#[test]
fn push_says_when_it_has_enough() {
    let mut decoder = Decoder::new(&[Coding::Gzip], 10);
    let body = encode(Coding::Gzip, &[7; 1000]);
    assert_eq!(decoder.push(&body[..5]), DecodeProgress::More);
    assert_eq!(decoder.push(&body[5..]), DecodeProgress::Full);
    assert_eq!(decoder.push(b"more"), DecodeProgress::Full);
    assert_eq!(decoder.len(), 10);
}

#[test]
fn headers_say_whether_there_is_a_coding() {
    let headers = |value: &str| Headers(vec![("Content-Encoding".into(), value.into())]);
    assert_eq!(decode_body(&headers("identity"), b"x", LIMIT), None);
    let body = encode(Coding::Brotli, b"x");
    assert_eq!(decode_body(&headers("br"), &body, LIMIT), Some(whole(b"x")));
}

proptest! {
    #[test]
    fn pieces_do_not_matter(
        bytes in prop::collection::vec(any::<u8>(), 0..5_000),
        stack in prop::collection::vec(prop::sample::select(&ALL[..]), 0..3),
        cuts in prop::collection::vec(1usize..200, 1..20),
    ) {
        let body = stack.iter().fold(bytes.clone(), |body, coding| encode(*coding, &body));
        let mut decoder = Decoder::new(&stack, LIMIT);
        let (mut rest, mut cuts) = (&body[..], cuts.iter().cycle());
        while !rest.is_empty() {
            let (piece, tail) = rest.split_at(rest.len().min(*cuts.next().unwrap()));
            decoder.push(piece);
            rest = tail;
        }
        prop_assert_eq!(decoder.finish(), whole(&bytes));
    }

    #[test]
    fn pieces_do_not_matter_to_a_corrupt_body(
        bytes in prop::collection::vec(0u8..4, 0..20_000),
        stack in prop::collection::vec(prop::sample::select(&ALL[..]), 1..3),
        piece in 1usize..6_000,
        limit in 0usize..40_000,
        flip in any::<prop::sample::Index>(),
    ) {
        let mut body = stack.iter().fold(bytes, |body, coding| encode(*coding, &body));
        let at = flip.index(body.len());
        body[at] ^= 0x41;
        let mut decoder = Decoder::new(&stack, limit);
        for piece in body.chunks(piece) {
            decoder.push(piece);
        }
        let (pieces, whole) = (decoder.finish(), decode(&stack, &body, limit));
        prop_assert_eq!((pieces.bytes, pieces.truncated), (whole.bytes, whole.truncated));
    }

    #[test]
    fn never_panics_and_never_passes_the_limit(
        bytes in prop::collection::vec(any::<u8>(), 0..2_000),
        stack in prop::collection::vec(prop::sample::select(&ALL[..]), 1..3),
        limit in 0usize..500,
        flip in any::<prop::sample::Index>(),
    ) {
        let _ = decode(&stack, &bytes, limit);
        let mut body = stack.iter().fold(bytes, |body, coding| encode(*coding, &body));
        let at = flip.index(body.len());
        body[at] ^= 0x41;
        prop_assert!(decode(&stack, &body, limit).bytes.len() <= limit);
    }
}

#[test]
fn a_decoder_may_move_between_threads() {
    fn check<T: Send>() {}
    check::<Decoder>();
}
