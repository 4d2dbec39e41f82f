//! Writes WARC files: one gzip member per record, as the standard advises. It is
//! written here and not by Quarry's own writer, so that Quarry's reader meets a file by somebody
//! else, and with fixed dates and ids, so that the same site gives the same bytes.

use std::io::{self, Write};

use data_encoding::BASE32;
use sha1::{Digest as _, Sha1};

use crate::prng::hash;
use crate::site::SiteResponse;

const DATE: &str = "2026-01-15T08:00:00Z";

/// Writes response records.
pub(crate) struct WarcWriter<W> {
    out: W,
    seed: u64,
    records: u64,
}

impl<W: Write> WarcWriter<W> {
    /// Begins with a `warcinfo` record.
    pub(crate) fn new(out: W, seed: u64) -> io::Result<Self> {
        let mut writer = Self { out, seed, records: 0 };
        let info = b"software: quarry-testsite\r\nformat: WARC File Format 1.1\r\n";
        writer.record("warcinfo", "application/warc-fields", &[], info)?;
        Ok(writer)
    }

    /// Adds the response of an address.
    pub(crate) fn response(&mut self, url: &str, response: &SiteResponse) -> io::Result<()> {
        let mut block = format!("HTTP/1.1 {} {}\r\n", response.status, "OK").into_bytes();
        for (name, value) in &response.headers {
            write!(block, "{name}: {value}\r\n")?;
        }
        write!(block, "Content-Length: {}\r\n\r\n", response.body.len())?;
        block.extend_from_slice(&response.body);
        let digest = format!("sha1:{}", BASE32.encode(&Sha1::digest(&response.body)));
        let fields = [("WARC-Target-URI", url), ("WARC-Payload-Digest", digest.as_str())];
        self.record("response", "application/http; msgtype=response", &fields, &block)
    }

    /// The output, complete.
    pub(crate) fn finish(self) -> io::Result<W> {
        Ok(self.out)
    }

    fn record(
        &mut self,
        kind: &str,
        content_type: &str,
        fields: &[(&str, &str)],
        block: &[u8],
    ) -> io::Result<()> {
        let (a, b) = (hash(self.seed, "warc", self.records), hash(self.seed, "id", self.records));
        self.records += 1;
        let id = format!(
            "{:08x}-{:04x}-4{:03x}-8{:03x}-{:012x}",
            a >> 32,
            a >> 16 & 0xffff,
            a & 0xfff,
            b >> 48 & 0xfff,
            b & 0xffff_ffff_ffff
        );
        let mut record = format!(
            "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{id}>\r\nWARC-Date: {DATE}\r\n"
        )
        .into_bytes();
        for (name, value) in fields {
            write!(record, "{name}: {value}\r\n")?;
        }
        write!(record, "Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n", block.len())?;
        record.extend_from_slice(block);
        record.extend_from_slice(b"\r\n\r\n");
        self.out.write_all(&crate::site::gzip(&record))
    }
}
