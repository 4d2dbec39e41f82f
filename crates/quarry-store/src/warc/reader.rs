//! Reads the records of an archive file by any writer. Damaged places are skipped and reported, and what
//! follows them is read.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use libdeflater::Decompressor;
use memchr::memmem;

use super::header::{parse_fields, to_text};
use super::source::{Fault, Source};
use super::{RecordPlace, WarcHeaders, WarcIssue, WarcProblem, WarcRecord};
use crate::StoreError;

/// How much of a record is read.
#[derive(Debug, Clone, Copy)]
pub struct ReadLimits {
    /// The largest block in bytes; larger records are skipped and reported. 256 MiB.
    pub block: u64,
    /// The largest header in bytes. 256 KiB.
    pub header: usize,
    /// The largest body after decoding, in bytes; larger ones are cut there. 256 MiB.
    pub decoded: usize,
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self { block: 256 << 20, header: 256 << 10, decoded: 256 << 20 }
    }
}

/// Opens an archive file, `.warc` or `.warc.gz`, to read its records one by one.
///
/// ```no_run
/// use quarry_store::warc::{ReadLimits, read_warc};
///
/// for record in read_warc("crawl.warc.gz".as_ref(), &ReadLimits::default())? {
///     match record {
///         Ok(record) => println!("{:?} {:?}", record.kind(), record.headers.target()),
///         Err(issue) => eprintln!("{issue}"),
///     }
/// }
/// # Ok::<(), quarry_store::StoreError>(())
/// ```
pub fn read_warc(path: &Path, limits: &ReadLimits) -> Result<WarcReader<File>, StoreError> {
    let file = File::open(path).map_err(StoreError::io("open", path))?;
    WarcReader::new(file, path, limits).map_err(StoreError::io("read", path))
}

/// The records of an archive file, in their order, and what was wrong between them.
pub struct WarcReader<R> {
    source: Source<R>,
    path: PathBuf,
    limits: ReadLimits,
    issues: VecDeque<WarcIssue>,
    /// What is skipped after a fault is part of that issue.
    after_fault: bool,
    /// The source stands at the first byte of a record.
    at_record: bool,
    over: bool,
}

impl<R: Read + Seek> WarcReader<R> {
    /// Reads from the beginning. `path` is for messages only.
    pub fn new(input: R, path: &Path, limits: &ReadLimits) -> std::io::Result<Self> {
        Self::at(input, path, limits, 0)
    }

    fn at(input: R, path: &Path, limits: &ReadLimits, offset: u64) -> std::io::Result<Self> {
        Ok(Self {
            source: Source::new(input, offset)?,
            path: path.to_owned(),
            limits: *limits,
            issues: VecDeque::new(),
            after_fault: false,
            at_record: false,
            over: false,
        })
    }

    /// The record at a place that an earlier reader of the same file gave.
    pub fn record_at(
        mut input: R,
        path: &Path,
        limits: &ReadLimits,
        place: RecordPlace,
    ) -> Result<WarcRecord, WarcIssue> {
        let issue = |problem| WarcIssue { path: path.to_owned(), offset: place.offset, problem };
        let io = |error| issue(WarcProblem::Io(error));
        input.seek(SeekFrom::Start(place.offset)).map_err(io)?;
        let mut reader = Self::at(input, path, limits, place.offset).map_err(io)?;
        reader.skip_into(place.inner).map_err(|_| issue(WarcProblem::Corrupt))?;
        match reader.next() {
            Some(Ok(record)) if record.place.offset == place.offset => Ok(record),
            Some(Err(found)) => Err(found),
            Some(Ok(_)) | None => Err(issue(WarcProblem::Corrupt)),
        }
    }

    fn skip_into(&mut self, mut inner: u64) -> Result<(), Fault> {
        if self.source.is_gzip() && inner > 0 {
            self.source.next_stretch(&mut 0)?;
        }
        while inner > 0 {
            let got = self.source.peek(1)?.len();
            if got == 0 {
                return Err(Fault::Truncated);
            }
            let step = inner.min(got as u64);
            self.source.advance(step as usize);
            inner -= step;
        }
        Ok(())
    }

    fn report(&mut self, offset: u64, problem: WarcProblem) {
        self.issues.push_back(WarcIssue { path: self.path.clone(), offset, problem });
    }

    /// Where the next byte stands, as far as that can be said.
    fn offset(&self) -> u64 {
        let within = if self.source.is_gzip() { 0 } else { self.source.used() };
        self.source.stretch() + within
    }

    fn place(&self) -> RecordPlace {
        let inner = if self.source.is_gzip() { self.source.used() } else { 0 };
        RecordPlace { offset: self.offset(), inner, length: 0 }
    }

    /// Turns a fault into an issue and finds the way on.
    fn recover(&mut self, fault: Fault) {
        let offset = self.offset();
        match fault {
            Fault::Truncated => self.report(offset, WarcProblem::Truncated),
            Fault::Corrupt => self.report(offset, WarcProblem::Corrupt),
            Fault::Io(error) => {
                self.over = true;
                return self.report(offset, WarcProblem::Io(error));
            }
        }
        self.after_fault = true;
        if let Err(error) = self.source.abandon() {
            self.over = true;
            self.report(offset, WarcProblem::Io(error));
        }
    }

    /// Moves to the next record's first byte; false where there is none.
    fn find_record(&mut self) -> Result<bool, Fault> {
        loop {
            self.skip_blanks()?;
            let head = self.source.peek(5)?;
            if head.starts_with(b"WARC/") {
                return Ok(true);
            }
            if head.is_empty() {
                let end = self.source.member_end();
                let mut skipped = 0;
                let found = self.source.next_stretch(&mut skipped)?;
                if skipped > 0 && !self.after_fault {
                    let offset = if found { self.source.stretch() - skipped } else { end };
                    self.report(offset, garbage(skipped));
                }
                self.after_fault = false;
                if !found {
                    return Ok(false);
                }
                continue;
            }
            let offset = self.offset();
            let skipped = self.skip_garbage()?;
            self.report(offset, garbage(skipped));
        }
    }

    fn skip_blanks(&mut self) -> Result<(), Fault> {
        loop {
            let rest = self.source.peek(1)?;
            let blanks = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n' | 0)).count();
            let all = blanks == rest.len();
            self.source.advance(blanks);
            if blanks == 0 || !all {
                return Ok(());
            }
        }
    }

    /// Skips to the next line that begins with `WARC/`, or to the end of the stretch.
    fn skip_garbage(&mut self) -> Result<u64, Fault> {
        let mut skipped = 0;
        loop {
            let rest = self.source.peek(16 * 1024)?;
            if let Some(at) = memmem::find(rest, b"\nWARC/") {
                self.source.advance(at + 1);
                return Ok(skipped + at as u64 + 1);
            }
            let ended = rest.len() < 16 * 1024;
            let step = if ended { rest.len() } else { rest.len() - 5 };
            self.source.advance(step);
            skipped += step as u64;
            if ended {
                return Ok(skipped);
            }
        }
    }

    /// The header, with the empty line after it; `None` where it has no end within the limit.
    fn read_header(&mut self) -> Result<Option<(String, WarcHeaders)>, Fault> {
        let mut want = 1024;
        loop {
            let rest = self.source.peek(want)?;
            // More may be at hand than was asked for; looking at all of it for every start of a
            // header would take time quadratic in it.
            if let Some(end) = header_end(&rest[..rest.len().min(want)]) {
                if end > self.limits.header {
                    return Ok(None);
                }
                let line_end = memchr::memchr(b'\n', rest).unwrap_or(end);
                let version = to_text(rest[..line_end].trim_ascii());
                let fields = parse_fields(&rest[line_end + 1..end]);
                self.source.advance(end);
                return Ok(Some((version, WarcHeaders(fields))));
            }
            if rest.len() < want || want > self.limits.header {
                return Ok(None);
            }
            want *= 4;
        }
    }

    /// Reads the record that begins here; `None` where it is damaged.
    fn read_record(&mut self) -> Result<Option<WarcRecord>, Fault> {
        let mut place = self.place();
        let header = self.read_header()?;
        let endless = header.is_none();
        let length = header.as_ref().and_then(|(_, headers)| headers.content_length());
        let (Some((version, headers)), Some(length)) = (header, length) else {
            let at_end = endless && !self.source.is_gzip() && self.rest_is_short()?;
            let skipped = self.skip_garbage()?;
            let problem = if at_end { WarcProblem::Truncated } else { WarcProblem::BadHeader };
            // If there is nothing to skip, a fault has taken the header, and will be told.
            if !endless || skipped > 0 {
                self.report(place.offset, problem);
            }
            return Ok(None);
        };
        if length > self.limits.block {
            self.skip_block(length)?;
            let limit = self.limits.block;
            self.report(place.offset, WarcProblem::TooBig { length, limit });
            return Ok(None);
        }
        let mut block = self.read_block(length)?;
        let found = block.len() as u64;
        if found == length && self.at_record_end()? {
            self.finish_place(&mut place);
            return Ok(Some(WarcRecord { version, headers, block, place }));
        }
        // The length is wrong. A record that begins inside the block ends this one.
        let mut more = 0;
        if let Some(at) = self.embedded_record(&block)? {
            let tail = block.split_off(at);
            self.source.unread(&tail);
            let end = block.strip_suffix(b"\r\n\r\n").or(block.strip_suffix(b"\n\n"));
            block.truncate(end.map_or(at, <[u8]>::len));
        } else if found < length && !self.source.is_gzip() {
            self.report(place.offset, WarcProblem::Truncated);
            return Ok(None);
        } else if found == length {
            more = self.skip_garbage()?;
        }
        let found = block.len() as u64 + more;
        self.report(place.offset, WarcProblem::WrongLength { declared: length, found });
        self.finish_place(&mut place);
        Ok(Some(WarcRecord { version, headers, block, place }))
    }

    /// Where in a block another record begins; its first bytes may be the block's last.
    fn embedded_record(&mut self, block: &[u8]) -> Result<Option<usize>, Fault> {
        if let Some(at) = find_record_start(block) {
            return Ok(Some(at));
        }
        let start = block.len().saturating_sub(16);
        let mut window = block[start..].to_vec();
        let after = self.source.peek(16)?;
        window.extend_from_slice(&after[..after.len().min(16)]);
        let at = find_record_start(&window).map(|at| start + at);
        Ok(at.filter(|&at| at < block.len()))
    }

    fn rest_is_short(&mut self) -> Result<bool, Fault> {
        let limit = self.limits.header;
        Ok(self.source.peek(limit)?.len() < limit)
    }

    fn read_block(&mut self, length: u64) -> Result<Vec<u8>, Fault> {
        let mut block = Vec::with_capacity(length.min(1 << 20) as usize);
        while (block.len() as u64) < length {
            let rest = self.source.peek(1)?;
            if rest.is_empty() {
                break;
            }
            let step = rest.len().min((length - block.len() as u64) as usize);
            block.extend_from_slice(&rest[..step]);
            self.source.advance(step);
        }
        Ok(block)
    }

    fn skip_block(&mut self, mut length: u64) -> Result<(), Fault> {
        while length > 0 {
            let rest = self.source.peek(1)?.len() as u64;
            if rest == 0 {
                return Ok(());
            }
            let step = rest.min(length);
            self.source.advance(step as usize);
            length -= step;
        }
        Ok(())
    }

    /// Whether the stretch ends here, or another record follows, after line ends at most.
    fn at_record_end(&mut self) -> Result<bool, Fault> {
        let rest = self.source.peek(64)?;
        let rest = &rest[..rest.len().min(64)];
        let after = rest.iter().position(|byte| !matches!(byte, b'\r' | b'\n' | 0));
        Ok(match after {
            None => true,
            Some(at) => b"WARC/".starts_with(&rest[at..rest.len().min(at + 5)]),
        })
    }

    /// The length that the record takes in the file.
    fn finish_place(&self, place: &mut RecordPlace) {
        if !self.source.is_gzip() {
            place.length = self.source.stretch() + self.source.used() - place.offset;
        } else if place.inner == 0 {
            place.length = self.source.member_end().saturating_sub(place.offset);
        }
    }
}

fn garbage(bytes: u64) -> WarcProblem {
    WarcProblem::Garbage { bytes }
}

/// Where the block begins: after the first empty line.
fn header_end(text: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'\n', text).find_map(|at| match &text[at + 1..] {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    })
}

/// Where a record begins: after an empty line.
fn find_record_start(block: &[u8]) -> Option<usize> {
    memmem::find_iter(block, b"\nWARC/").map(|at| at + 1).find(|&at| {
        let before = &block[..at];
        (before.ends_with(b"\r\n\r\n") || before.ends_with(b"\n\n"))
            && block.get(at + 5).is_none_or(u8::is_ascii_digit)
    })
}

impl<R: Read + Seek> Iterator for WarcReader<R> {
    type Item = Result<WarcRecord, WarcIssue>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(issue) = self.issues.pop_front() {
                return Some(Err(issue));
            }
            if self.over {
                return None;
            }
            let step = if std::mem::take(&mut self.at_record) {
                self.read_record()
            } else {
                // What was found on the way to the record comes before it.
                self.find_record().map(|found| {
                    (self.at_record, self.over) = (found, !found);
                    None
                })
            };
            match step {
                // If there is an issue with it, that comes next.
                Ok(Some(record)) => return Some(Ok(record)),
                Ok(None) => {}
                Err(fault) => self.recover(fault),
            }
        }
    }
}

/// The record in one gzip member that this program wrote, or `None` if it is damaged. Whole and at
/// once, which takes a tenth of the time that [`WarcReader`] takes.
pub(crate) fn read_member(member: &[u8], offset: u64) -> Option<WarcRecord> {
    let (_, size) = member.split_last_chunk()?;
    let size = u32::from_le_bytes(*size) as usize;
    // Deflate cannot do better than 1032 to 1, so a larger size is damage.
    if size / 1032 > member.len() {
        return None;
    }
    let mut record = vec![0; size];
    let length = Decompressor::new().gzip_decompress(member, &mut record).ok()?;
    let start = header_end(record.get(..length)?)?;
    let line_end = memchr::memchr(b'\n', &record)?;
    let version = to_text(record[..line_end].trim_ascii());
    let headers = WarcHeaders(parse_fields(&record[line_end + 1..start]));
    let end = start.checked_add(usize::try_from(headers.content_length()?).ok()?)?;
    if !version.starts_with("WARC/") || end > length {
        return None;
    }
    record.truncate(end);
    record.drain(..start);
    let place = RecordPlace { offset, inner: 0, length: member.len() as u64 };
    Some(WarcRecord { version, headers, block: record, place })
}
