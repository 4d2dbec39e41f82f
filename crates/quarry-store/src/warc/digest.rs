//! Payload digests and record ids: SHA-1 in base 32, as `WARC-Payload-Digest` has it, and record ids.

use std::fmt;

use sha1::{Digest, Sha1};

/// A SHA-1 digest. Prints in base 32, upper case, 32 letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha1Digest(pub [u8; 20]);

impl Sha1Digest {
    /// The digest of some bytes.
    ///
    /// ```
    /// let empty = quarry_store::warc::Sha1Digest::of(b"");
    /// assert_eq!(empty.to_string(), "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
    /// ```
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha1::digest(bytes).into())
    }

    /// The digest of two pieces, one after the other.
    pub(crate) fn of_two(first: &[u8], second: &[u8]) -> Self {
        Self(Sha1::new_with_prefix(first).chain_update(second).finalize().into())
    }

    /// From base 32 (or base 16, which some writers use), with or without `sha1:` before it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = match text.split_once(':') {
            Some((name, rest)) if name.eq_ignore_ascii_case("sha1") => rest,
            Some(_) => return None,
            None => text,
        };
        let upper = text.to_ascii_uppercase();
        let bytes = match upper.len() {
            32 => data_encoding::BASE32.decode(upper.as_bytes()).ok()?,
            40 => data_encoding::HEXUPPER.decode(upper.as_bytes()).ok()?,
            _ => return None,
        };
        Some(Self(bytes.try_into().ok()?))
    }

    /// 64 of its bits, for indexes.
    pub(crate) fn prefix(&self) -> i64 {
        let (head, _) = self.0.split_first_chunk().expect("20 bytes are more than 8");
        i64::from_le_bytes(*head)
    }
}

impl fmt::Display for Sha1Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; 32];
        data_encoding::BASE32.encode_mut(&self.0, &mut text);
        f.write_str(std::str::from_utf8(&text).expect("base 32 is ASCII"))
    }
}

/// A WARC record id: a UUID of version 8 (RFC 9562 §5.8), a function of what it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RecordId(u128);

impl RecordId {
    /// `seed` is 128 bits of hash; `kind` tells the records of one capture apart.
    pub(crate) fn new(seed: u128, kind: u8) -> Self {
        let id = (seed & !0xff) | u128::from(kind);
        Self((id & !(0xf << 76) & !(0x3 << 62)) | (0x8 << 76) | (0x2 << 62))
    }

    /// Appends `<urn:uuid:…>`.
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        let mut hex = [0; 32];
        data_encoding::HEXLOWER.encode_mut(&self.0.to_be_bytes(), &mut hex);
        out.extend_from_slice(b"<urn:uuid:");
        for (i, part) in
            [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].into_iter().enumerate()
        {
            if i > 0 {
                out.push(b'-');
            }
            out.extend_from_slice(part);
        }
        out.push(b'>');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_parse_in_both_bases() {
        let digest = Sha1Digest::of(b"abc");
        assert_eq!(digest.to_string(), "VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
        for text in
            ["sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5", "a9993e364706816aba3e25717850c26c9cd0d89d"]
        {
            assert_eq!(Sha1Digest::parse(text), Some(digest));
        }
        assert_eq!(Sha1Digest::parse("md5:900150983cd24fb0d6963f7d28e17f72"), None);
    }

    #[test]
    fn record_ids_are_uuids() {
        let mut out = Vec::new();
        RecordId::new(u128::MAX, 3).write(&mut out);
        assert_eq!(out, b"<urn:uuid:ffffffff-ffff-8fff-bfff-ffffffffff03>");
    }
}
