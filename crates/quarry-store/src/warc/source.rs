//! The bytes of an archive file: plain or decompressed, member by member, with positions
//! that can be found again, and a way on after damage.
//!
//! A gzip member that begins with `WARC/` begins a new *stretch*; one that does not goes on with
//! what came before it (a file compressed in blocks). A plain file is one stretch. Records never
//! cross stretches, so that a wrong length in one record does not harm the next.

use std::io::{self, Read, Seek, SeekFrom};

use flate2::{Decompress, FlushDecompress, Status};
use memchr::memmem;

const RAW: usize = 64 * 1024;
const STEP: usize = 32 * 1024;
/// A member shows what it holds within this many bytes, a file name in its header included. Without
/// a bound, a file of nothing but magics would be read to its end from each of them.
const OPENING: usize = 4 * 1024;
const MAGIC: &[u8] = b"\x1f\x8b\x08";

/// Why no more bytes came.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The file ends inside a member.
    Truncated,
    /// A member is damaged.
    Corrupt,
    /// Reading failed.
    Io(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

pub(crate) struct Source<R> {
    input: R,
    /// Bytes of the file that have been read, from `raw_at` on not yet used.
    raw: Vec<u8>,
    raw_at: usize,
    /// Where in the file `raw` begins.
    raw_base: u64,
    gzip: bool,
    inflate: Option<Decompress>,
    /// Content of the stretch, from `out_at` on not yet used.
    out: Vec<u8>,
    out_at: usize,
    /// Where in the file the stretch begins (its first member).
    stretch: u64,
    /// How much of the stretch has been used.
    used: u64,
    /// How much of the stretch comes from members that ended well, checksum and all.
    verified: u64,
    /// Where in the file the last member of the stretch ended.
    member_end: u64,
    /// The stretch has no more bytes than `out` has.
    ended: bool,
    /// The beginning of the next stretch, where that has been seen already.
    next: Option<Head>,
    /// The next member cannot be read: where it stands, and why.
    fault: Option<(u64, Fault)>,
}

/// The beginning of a stretch.
struct Head {
    at: u64,
    bytes: Vec<u8>,
    /// Where its first member ends, if it has been read that far.
    member_end: u64,
}

impl<R: Read + Seek> Source<R> {
    /// From where `input` stands, which is `offset` of its file.
    pub(crate) fn new(input: R, offset: u64) -> io::Result<Self> {
        let mut source = Self {
            input,
            raw: Vec::with_capacity(RAW),
            raw_at: 0,
            raw_base: offset,
            gzip: false,
            inflate: None,
            out: Vec::new(),
            out_at: 0,
            stretch: offset,
            used: 0,
            verified: 0,
            member_end: offset,
            ended: false,
            next: None,
            fault: None,
        };
        while source.raw.len() < RAW && source.read_raw()? {}
        let text = memmem::find(&source.raw, b"WARC/").unwrap_or(usize::MAX);
        let gzip = memmem::find(&source.raw, MAGIC).unwrap_or(usize::MAX);
        source.gzip = gzip < text;
        source.ended = source.gzip;
        Ok(source)
    }

    pub(crate) fn is_gzip(&self) -> bool {
        self.gzip
    }

    /// Where in the file the stretch begins.
    pub(crate) fn stretch(&self) -> u64 {
        self.stretch
    }

    /// How many bytes of the stretch have been used.
    pub(crate) fn used(&self) -> u64 {
        self.used
    }

    /// Where in the file the stretch ended; right only once it has.
    pub(crate) fn member_end(&self) -> u64 {
        self.member_end
    }

    /// The next bytes of the stretch: `n` or more, or all that are left. A fault in a member
    /// concerns every byte of that member, also those that were used already, and none before it.
    pub(crate) fn peek(&mut self, n: usize) -> Result<&[u8], Fault> {
        while self.out.len() - self.out_at < n && !self.ended {
            match self.fill() {
                Ok(()) => {}
                Err(Fault::Io(error)) => return Err(Fault::Io(error)),
                Err(fault) if self.used > self.verified => return Err(fault),
                Err(_) => {
                    // The fault comes again when reading goes on.
                    let sound = (self.verified - self.used) as usize;
                    self.out.truncate(self.out_at + sound);
                    break;
                }
            }
        }
        Ok(&self.out[self.out_at..])
    }

    /// Moves on by `n` bytes, which must have been peeked at.
    pub(crate) fn advance(&mut self, n: usize) {
        self.out_at += n;
        self.used += n as u64;
        debug_assert!(self.out_at <= self.out.len());
        if self.out_at >= 4 * STEP || self.out_at == self.out.len() {
            self.out.drain(..self.out_at);
            self.out_at = 0;
        }
    }

    /// Puts bytes back in front of what comes next.
    pub(crate) fn unread(&mut self, bytes: &[u8]) {
        self.out.splice(..self.out_at, bytes.iter().copied());
        self.out_at = 0;
        self.used -= bytes.len() as u64;
    }

    /// Goes to the next stretch; false where there is none. `skipped` says how many bytes that
    /// are no stretch were passed over.
    pub(crate) fn next_stretch(&mut self, skipped: &mut u64) -> Result<bool, Fault> {
        self.out.clear();
        self.out_at = 0;
        *skipped = 0;
        if !self.gzip {
            return Ok(false);
        }
        while !self.ended {
            self.fill()?;
            self.out.clear();
        }
        if let Some((at, fault)) = self.fault.take() {
            self.stretch = at;
            return Err(fault);
        }
        let head = match self.next.take() {
            Some(head) => head,
            None => match self.search(skipped)? {
                Some(head) => head,
                None => return Ok(false),
            },
        };
        (self.stretch, self.used, self.out, self.ended) = (head.at, 0, head.bytes, false);
        self.verified = 0;
        self.member_end = head.member_end;
        Ok(true)
    }

    /// After a fault: goes back to where the damaged stretch began, from where [`Self::search`]
    /// looks for the next one.
    pub(crate) fn abandon(&mut self) -> io::Result<()> {
        self.out.clear();
        self.out_at = 0;
        self.inflate = None;
        (self.next, self.fault) = (None, None);
        self.ended = true;
        self.seek(self.stretch + 1)
    }

    /// Finds the next member that begins a record.
    fn search(&mut self, skipped: &mut u64) -> Result<Option<Head>, Fault> {
        let mut from = self.raw_position();
        loop {
            self.skip_padding()?;
            let Some(at) = self.find_magic()? else {
                *skipped = self.raw_position() - from;
                return Ok(None);
            };
            match self.open_member() {
                Ok(bytes) if bytes.starts_with(b"WARC/") => {
                    *skipped = at - from;
                    return Ok(Some(Head { at, bytes, member_end: self.member_end }));
                }
                // A member that holds nothing is padding, too.
                Ok(bytes) if bytes.is_empty() && self.inflate.is_none() => {
                    from += self.raw_position() - at;
                }
                Err(Fault::Io(error)) => return Err(Fault::Io(error)),
                Ok(_) | Err(_) => {
                    self.inflate = None;
                    self.seek(at + 1)?;
                }
            }
        }
    }

    /// More content of the stretch into `out`, or `ended`.
    fn fill(&mut self) -> Result<(), Fault> {
        if !self.gzip {
            if self.raw_at == self.raw.len() && !self.read_raw()? {
                self.ended = true;
                self.member_end = self.raw_position();
                return Ok(());
            }
            self.out.extend_from_slice(&self.raw[self.raw_at..]);
            self.raw_at = self.raw.len();
            return Ok(());
        }
        if self.inflate.is_some() {
            let mut out = std::mem::take(&mut self.out);
            let result = self.inflate_some(&mut out, RAW);
            self.out = out;
            return result;
        }
        // Between members: does the next one go on with this stretch?
        self.verified = self.used + (self.out.len() - self.out_at) as u64;
        self.skip_padding()?;
        let at = self.raw_position();
        if !self.raw_starts_with(MAGIC)? {
            self.ended = true;
            return Ok(());
        }
        let end = self.member_end;
        match self.open_member() {
            Ok(bytes) if bytes.starts_with(b"WARC/") => {
                self.ended = true;
                self.next = Some(Head { at, bytes, member_end: self.member_end });
                self.member_end = end;
            }
            Ok(bytes) => self.out.extend_from_slice(&bytes),
            Err(Fault::Io(error)) => return Err(Fault::Io(error)),
            // The next member's fault must not harm the record before it.
            Err(fault) => {
                self.inflate = None;
                self.ended = true;
                self.fault = Some((at, fault));
            }
        }
        Ok(())
    }

    /// Begins to decompress the member at the raw position, enough to see what it is.
    fn open_member(&mut self) -> Result<Vec<u8>, Fault> {
        self.inflate = Some(Decompress::new_gzip(15));
        let mut head = Vec::new();
        while head.len() < 5
            && let Some(inflate) = &self.inflate
        {
            if inflate.total_in() >= OPENING as u64 {
                return Err(Fault::Corrupt);
            }
            self.inflate_some(&mut head, OPENING)?;
        }
        Ok(head)
    }

    /// Decompresses some more, from at most `most` bytes of the file.
    fn inflate_some(&mut self, out: &mut Vec<u8>, most: usize) -> Result<(), Fault> {
        if self.raw_at == self.raw.len() && !self.read_raw()? {
            return Err(Fault::Truncated);
        }
        let Some(inflate) = &mut self.inflate else { return Ok(()) };
        let (before_in, before) = (inflate.total_in(), out.len());
        out.resize(before + STEP, 0);
        let before_out = inflate.total_out();
        let raw = &self.raw[self.raw_at..];
        let raw = &raw[..raw.len().min(most)];
        let status = inflate.decompress(raw, &mut out[before..], FlushDecompress::None);
        out.truncate(before + (inflate.total_out() - before_out) as usize);
        self.raw_at += (inflate.total_in() - before_in) as usize;
        match status {
            Ok(Status::StreamEnd) => {
                self.inflate = None;
                self.member_end = self.raw_position();
                Ok(())
            }
            Ok(Status::Ok | Status::BufError) => Ok(()),
            Err(_) => Err(Fault::Corrupt),
        }
    }

    fn raw_position(&self) -> u64 {
        self.raw_base + self.raw_at as u64
    }

    /// Reads more of the file; false at its end.
    fn read_raw(&mut self) -> io::Result<bool> {
        if self.raw_at == self.raw.len() {
            self.raw_base += self.raw_at as u64;
            self.raw.clear();
            self.raw_at = 0;
        }
        let before = self.raw.len();
        self.raw.resize(before + RAW, 0);
        let read = loop {
            match self.input.read(&mut self.raw[before..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result,
            }
        };
        self.raw.truncate(before + *read.as_ref().unwrap_or(&0));
        Ok(read? > 0)
    }

    fn seek(&mut self, to: u64) -> io::Result<()> {
        if to >= self.raw_base && to <= self.raw_base + self.raw.len() as u64 {
            self.raw_at = (to - self.raw_base) as usize;
            return Ok(());
        }
        self.input.seek(SeekFrom::Start(to))?;
        (self.raw_base, self.raw_at) = (to, 0);
        self.raw.clear();
        Ok(())
    }

    fn raw_starts_with(&mut self, mark: &[u8]) -> io::Result<bool> {
        while self.raw.len() - self.raw_at < mark.len() {
            if !self.read_raw()? {
                return Ok(false);
            }
        }
        Ok(self.raw[self.raw_at..].starts_with(mark))
    }

    /// Zeros and line ends between members mean nothing.
    fn skip_padding(&mut self) -> io::Result<()> {
        loop {
            let rest = &self.raw[self.raw_at..];
            match rest.iter().position(|byte| !matches!(byte, 0 | b'\r' | b'\n')) {
                Some(n) => {
                    self.raw_at += n;
                    return Ok(());
                }
                None => {
                    self.raw_at = self.raw.len();
                    if !self.read_raw()? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Moves the raw position to the next gzip magic.
    fn find_magic(&mut self) -> io::Result<Option<u64>> {
        loop {
            if let Some(n) = memmem::find(&self.raw[self.raw_at..], MAGIC) {
                self.raw_at += n;
                return Ok(Some(self.raw_position()));
            }
            // The magic may begin in the last two bytes.
            let keep = (self.raw.len() - self.raw_at).min(MAGIC.len() - 1);
            self.raw_at = self.raw.len() - keep;
            self.raw.drain(..self.raw_at);
            self.raw_base += self.raw_at as u64;
            self.raw_at = 0;
            if !self.read_raw()? {
                self.raw_at = self.raw.len();
                return Ok(None);
            }
        }
    }
}
