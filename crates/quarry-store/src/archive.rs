//! The page archive: numbered WARC files that are only appended to; their length counts once
//! it is committed.

use std::cell::RefCell;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use quarry_model::Capture;

use crate::StoreError;
use crate::warc::{RecordWriter, RevisitOf, Sha1Digest, WarcIssue, WarcProblem, Written};

/// Bytes that are gathered before they are handed to the system.
const FLUSH_AT: usize = 1 << 20;

/// How archive files are written.
#[derive(Debug, Clone)]
pub struct ArchiveSettings {
    /// A file that has reached this many bytes is followed by a new one. 1 GiB.
    pub rotate_at: u64,
    /// libdeflate's level, 1 to 12. 1: on 50 MB of real pages it ran at 305 MB/s for 20.3 % of
    /// the size, level 6 at 142 MB/s for 18.5 %.
    pub level: u8,
    /// A body of this many bytes or more that was archived before becomes a revisit record. 512:
    /// below, the record that says so is as large as the body.
    pub revisit_from: usize,
    /// What the `warcinfo` record says: `software`, `operator`, `robots`, `http-header-user-agent` …
    pub warcinfo: Vec<(String, String)>,
}

impl Default for ArchiveSettings {
    fn default() -> Self {
        let software = format!("quarry/{}", env!("CARGO_PKG_VERSION"));
        Self {
            rotate_at: 1 << 30,
            level: 1,
            revisit_from: 512,
            warcinfo: vec![("software".to_owned(), software)],
        }
    }
}

/// Where a capture was put.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Located {
    pub(crate) file: u32,
    /// Where the response record begins.
    pub(crate) offset: u64,
    pub(crate) lengths: Written,
}

/// The archive files of a project.
pub(crate) struct Archive {
    dir: PathBuf,
    settings: ArchiveSettings,
    writer: RecordWriter,
    /// Committed length of file 1, 2, …
    lengths: Vec<u64>,
    growing: Option<Growing>,
    /// Files that were left for a new one since the last commit.
    full: Vec<(u32, u64, File)>,
    created: bool,
    reading: RefCell<Option<(u32, File)>>,
}

/// The file that captures are appended to.
struct Growing {
    number: u32,
    file: File,
    flushed: u64,
    pending: Vec<u8>,
}

/// `quarry-00001.warc.gz`.
pub(crate) fn file_name(number: u32) -> String {
    format!("quarry-{number:05}.warc.gz")
}

fn file_number(name: &str) -> Option<u32> {
    let number = name.strip_prefix("quarry-")?.strip_suffix(".warc.gz")?;
    let number = number.parse().ok()?;
    (file_name(number) == name).then_some(number)
}

impl Archive {
    /// The archive in `dir` whose files were committed up to `lengths`.
    pub(crate) fn new(dir: PathBuf, lengths: Vec<u64>, settings: ArchiveSettings) -> Self {
        Self {
            dir,
            writer: RecordWriter::new(settings.level),
            settings,
            lengths,
            growing: None,
            full: Vec::new(),
            created: false,
            reading: RefCell::new(None),
        }
    }

    pub(crate) fn settings(&self) -> &ArchiveSettings {
        &self.settings
    }

    pub(crate) fn path(&self, number: u32) -> PathBuf {
        self.dir.join(file_name(number))
    }

    /// Cuts what lies behind the committed lengths and removes files of which nothing was
    /// committed. Returns how many bytes that took away.
    pub(crate) fn cut(&self) -> Result<u64, StoreError> {
        let mut cut = 0;
        for (number, &expected) in (1..).zip(&self.lengths) {
            let path = self.path(number);
            let found = match fs::metadata(&path) {
                Ok(metadata) => metadata.len(),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    return Err(StoreError::ArchiveMissing { path });
                }
                Err(error) => return Err(StoreError::io("look at", &path)(error)),
            };
            if found < expected {
                return Err(StoreError::ArchiveShort { path, expected, found });
            }
            if found > expected {
                let file = OpenOptions::new().write(true).open(&path);
                let file = file.map_err(StoreError::io("open", &path))?;
                file.set_len(expected).map_err(StoreError::io("cut", &path))?;
                file.sync_all().map_err(StoreError::io("sync", &path))?;
                cut += found - expected;
            }
        }
        for (number, length) in self.files()? {
            if number as usize > self.lengths.len() {
                let path = self.path(number);
                fs::remove_file(&path).map_err(StoreError::io("remove", &path))?;
                cut += length;
            }
        }
        Ok(cut)
    }

    /// Number and length of every file of the archive in the folder, committed or not.
    pub(crate) fn files(&self) -> Result<Vec<(u32, u64)>, StoreError> {
        let read = StoreError::io("read the folder", &self.dir);
        let mut files = Vec::new();
        let entries = fs::read_dir(&self.dir).and_then(|entries| {
            entries
                .map(|entry| entry.and_then(|e| Ok((e.file_name(), e.metadata()?.len()))))
                .collect::<Result<Vec<_>, _>>()
        });
        for (name, length) in entries.map_err(read)? {
            if let Some(number) = name.to_str().and_then(file_number) {
                files.push((number, length));
            }
        }
        files.sort_unstable();
        Ok(files)
    }

    /// Appends a capture. It is on disk after [`Archive::sync`].
    pub(crate) fn append(
        &mut self,
        capture: &Capture<'_>,
        digest: Sha1Digest,
        revisit: Option<&RevisitOf>,
    ) -> Result<Located, StoreError> {
        self.make_room(capture)?;
        let dir = &self.dir;
        let growing = self.growing.as_mut().expect("there is a growing file once there is room");
        let start = growing.flushed + growing.pending.len() as u64;
        let lengths = self.writer.capture(
            capture,
            digest,
            revisit,
            (growing.number, start),
            &mut growing.pending,
        );
        if growing.pending.len() >= FLUSH_AT {
            growing.flush(dir)?;
        }
        Ok(Located { file: growing.number, offset: start + lengths.request, lengths })
    }

    /// Sees to it that there is a file to append to.
    fn make_room(&mut self, capture: &Capture<'_>) -> Result<(), StoreError> {
        if let Some(growing) = &mut self.growing {
            if growing.flushed + (growing.pending.len() as u64) < self.settings.rotate_at {
                return Ok(());
            }
            growing.flush(&self.dir)?;
            if let Some(full) = self.growing.take() {
                self.full.push((full.number, full.flushed, full.file));
            }
        }
        let last = self.lengths.len() as u32;
        let has_room = self.lengths.last().is_some_and(|&n| n < self.settings.rotate_at);
        if self.full.is_empty() && has_room {
            let path = self.path(last);
            let mut file = OpenOptions::new()
                .append(true)
                .open(&path)
                .map_err(StoreError::io("open", &path))?;
            let flushed = file.seek(SeekFrom::End(0)).map_err(StoreError::io("read", &path))?;
            self.growing = Some(Growing { number: last, file, flushed, pending: Vec::new() });
            return Ok(());
        }
        let number = self.full.last().map_or(last, |(number, _, _)| *number) + 1;
        let path = self.path(number);
        let file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .open(&path)
            .map_err(StoreError::io("create", &path))?;
        self.created = true;
        let mut pending = Vec::with_capacity(FLUSH_AT + FLUSH_AT / 4);
        let fields = &self.settings.warcinfo;
        self.writer.warcinfo(&file_name(number), capture.exchange.at, fields, &mut pending);
        self.growing = Some(Growing { number, file, flushed: 0, pending });
        Ok(())
    }

    /// Brings every appended byte to the disk. Returns number and length of the files that grew:
    /// what is to be committed, and then told to [`Archive::committed`].
    pub(crate) fn sync(&mut self) -> Result<Vec<(u32, u64)>, StoreError> {
        let mut grown = Vec::new();
        for (number, length, file) in self.full.drain(..) {
            let path = self.dir.join(file_name(number));
            file.sync_data().map_err(StoreError::io("sync", &path))?;
            grown.push((number, length));
        }
        if let Some(growing) = &mut self.growing {
            let before = self.lengths.get(growing.number as usize - 1).copied().unwrap_or(0);
            growing.flush(&self.dir)?;
            if growing.flushed > before {
                let path = self.dir.join(file_name(growing.number));
                growing.file.sync_data().map_err(StoreError::io("sync", &path))?;
                grown.push((growing.number, growing.flushed));
            }
        }
        if self.created {
            sync_folder(&self.dir)?;
            self.created = false;
        }
        Ok(grown)
    }

    /// The lengths that [`Archive::sync`] gave are committed.
    pub(crate) fn committed(&mut self, grown: &[(u32, u64)]) {
        for &(number, length) in grown {
            let at = number as usize - 1;
            if at >= self.lengths.len() {
                self.lengths.resize(at + 1, 0);
            }
            self.lengths[at] = length;
        }
    }

    /// Bytes of a file, written or still pending.
    pub(crate) fn read(
        &self,
        number: u32,
        offset: u64,
        length: u64,
    ) -> Result<Vec<u8>, StoreError> {
        let path = self.path(number);
        let short = || WarcIssue { path: path.clone(), offset, problem: WarcProblem::Truncated };
        if let Some(growing) = &self.growing
            && growing.number == number
            && offset >= growing.flushed
        {
            let start = (offset - growing.flushed) as usize;
            let bytes = growing.pending.get(start..).and_then(|rest| rest.get(..length as usize));
            return Ok(bytes.ok_or_else(short)?.to_vec());
        }
        let mut reading = self.reading.borrow_mut();
        if reading.as_ref().is_none_or(|(open, _)| *open != number) {
            let file = File::open(&path).map_err(StoreError::io("open", &path))?;
            *reading = Some((number, file));
        }
        let (_, file) = reading.as_mut().expect("just opened");
        file.seek(SeekFrom::Start(offset)).map_err(StoreError::io("read", &path))?;
        let mut bytes = Vec::with_capacity(length as usize);
        let read = file.take(length).read_to_end(&mut bytes);
        read.map_err(StoreError::io("read", &path))?;
        if (bytes.len() as u64) < length {
            return Err(short().into());
        }
        Ok(bytes)
    }
}

impl Growing {
    fn flush(&mut self, dir: &Path) -> Result<(), StoreError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let path = || dir.join(file_name(self.number));
        self.file
            .write_all(&self.pending)
            .map_err(|error| StoreError::io("write", &path())(error))?;
        self.flushed += self.pending.len() as u64;
        self.pending.clear();
        // One large page must not keep its memory for ever.
        self.pending.shrink_to(2 * FLUSH_AT);
        Ok(())
    }
}

/// Makes the names in a folder last.
pub(crate) fn sync_folder(dir: &Path) -> Result<(), StoreError> {
    // Elsewhere a folder cannot be opened as a file, and its entries last anyway.
    if cfg!(unix) {
        let folder = File::open(dir).map_err(StoreError::io("open", dir))?;
        folder.sync_all().map_err(StoreError::io("sync", dir))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_numbers() {
        assert_eq!(file_name(7), "quarry-00007.warc.gz");
        assert_eq!(file_number("quarry-00007.warc.gz"), Some(7));
        assert_eq!(file_number("quarry-123456.warc.gz"), Some(123_456));
        for other in ["quarry-7.warc.gz", "other-00007.warc.gz", "quarry-00007.warc", "index.cdxj"]
        {
            assert_eq!(file_number(other), None, "{other}");
        }
    }
}
