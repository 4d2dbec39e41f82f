//! Is a coded body undone within its limit, and alike however it is cut into pieces?

use quarry_content::{Coding, DecodeProgress, Decoder, decode, detect_mime};

use crate::split_line;

/// The limit where the first line does not name one.
const LIMIT: usize = 64 << 10;
/// The largest limit that the first line can name: enough for any window, and still quick.
const MOST: usize = 1 << 20;

/// The first line is a `Content-Encoding`, in which a number is the limit; the rest is the body.
pub fn content(data: &[u8]) {
    let (line, body) = split_line(data);
    let codings = Coding::parse([line.as_str()]);
    let number = line.split(',').find_map(|word| word.trim().parse::<usize>().ok());
    let limit = number.unwrap_or(LIMIT).min(MOST);

    let whole = decode(&codings, body, limit);
    assert!(whole.bytes.len() <= limit);
    if codings.is_empty() {
        assert_eq!(whole.bytes, &body[..body.len().min(limit)]);
    }
    let _ = detect_mime(&whole.bytes, Some(&line));
    let _ = detect_mime(body, None);

    let mut seed =
        body.iter().fold(limit, |sum, &byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
    let mut decoder = Decoder::new(&codings, limit);
    let mut rest = body;
    while !rest.is_empty() {
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        let (piece, later) = rest.split_at((1 + (seed >> 33) % 64).min(rest.len()));
        let progress = decoder.push(piece);
        assert!(decoder.len() <= limit);
        assert!(progress != DecodeProgress::Full || decoder.len() == limit || codings.len() > 1);
        rest = later;
    }
    let pieces = decoder.finish();
    assert_eq!(pieces.bytes, whole.bytes, "cut into pieces it says something else");
    assert_eq!(pieces.truncated, whole.truncated);
    // How it is worded is the engine's business, and depends on where a piece ends.
    assert_eq!(pieces.problem.is_some(), whole.problem.is_some());
}
