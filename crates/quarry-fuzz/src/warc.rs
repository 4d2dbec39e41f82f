//! Does the archive reader come to the end of any file, and find again what it found?

use std::io::Cursor;
use std::path::Path;

use quarry_store::warc::{Captures, ReadLimits, WarcReader};

/// Deflate cannot do better: a byte of the file holds no more of a record than this.
const EXPANSION: usize = 1_032;

const LIMITS: ReadLimits = ReadLimits { block: 64 << 10, header: 4 << 10, decoded: 64 << 10 };

/// The bytes are the file, compressed or not.
pub fn warc(data: &[u8]) {
    let path = Path::new("fuzz.warc");
    let reader = || WarcReader::new(Cursor::new(data), path, &LIMITS).expect("memory can be read");
    let (mut found, mut last) = (0, None);
    for record in reader() {
        found += 1;
        assert!(found <= data.len() * EXPANSION + 2, "more records and issues than bytes");
        let record = match record {
            Ok(record) => record,
            Err(issue) => {
                assert!(issue.offset <= data.len() as u64, "{issue}");
                continue;
            }
        };
        let _ = record.kind();
        let place = record.place;
        assert!(record.block.len() as u64 <= LIMITS.block);
        assert!(place.offset + place.length <= data.len() as u64, "{place:?}");
        assert!(last < Some((place.offset, place.inner)), "{place:?} is not behind {last:?}");
        last = Some((place.offset, place.inner));
        let again = WarcReader::record_at(Cursor::new(data), path, &LIMITS, place);
        let again = again.unwrap_or_else(|issue| panic!("{place:?} is not found again: {issue}"));
        assert_eq!(again, record);
    }
    for page in Captures::new(reader(), &LIMITS).flatten() {
        let response = &page.exchange.response;
        assert!(response.body.len() as u64 <= LIMITS.block);
        assert!(response.decoded.as_ref().is_none_or(|body| body.len() <= LIMITS.decoded));
    }
}
