//! Keeps evidence on disk with bounded memory: a buffer, sorted runs, and a merge of them at every reading.
//!
//! Evidence is appended to a buffer of bytes. A full buffer is sorted by site and canonical address and written to a file, a
//! run. Reading merges all runs and the buffer (external merge sort; Knuth, "The Art of Computer Programming" 3, §5.4), so that all
//! evidence of one entity comes together. What fits the buffer never reaches the disk.

mod buffer;
mod encoding;
mod run;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use quarry_model::{EntityEvidence, Evidence, EvidenceStore, PortError, canonical_address};

use crate::StoreError;
use buffer::Buffer;
use encoding::{Columns, key};
use run::{Groups, RunReader, write_run};

/// Addresses that a buffer reserves at once, in bytes. More is reserved as it fills.
const MAX_RESERVED_BYTES: usize = 256 << 20;

/// Evidence on disk, with a buffer in memory.
pub struct DiskEvidence {
    /// Where the runs go; made when the first one is written, removed at the end.
    folder: PathBuf,
    /// Bytes of evidence in memory.
    buffer_bytes: usize,
    buffer: Buffer,
    columns: Columns,
    runs: Vec<PathBuf>,
    /// The key of an address, and that of the entity it belongs to.
    joined: BTreeMap<Vec<u8>, Vec<u8>>,
    /// Keys of `joined` whose evidence is still under their own key.
    unmoved: bool,
    /// Sites, and the number of runs that what was forgotten of them is in.
    forgotten: Vec<(String, usize)>,
    /// Whether the buffer has evidence that no reading has merged yet.
    has_repetitions: bool,
}

impl DiskEvidence {
    /// An empty store that keeps up to `buffer_bytes` in memory and the rest in `folder`, which is its own: what a killed process
    /// has left there is removed.
    pub fn create(folder: &Path, buffer_bytes: usize) -> Result<Self, StoreError> {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(StoreError::io("remove", folder))?;
        }
        Ok(Self {
            folder: folder.to_owned(),
            // Places in the buffer are numbers of four bytes.
            buffer_bytes: buffer_bytes.min(1 << 31),
            buffer: Buffer::default(),
            columns: Columns::default(),
            runs: Vec::new(),
            joined: BTreeMap::new(),
            unmoved: false,
            forgotten: Vec::new(),
            has_repetitions: false,
        })
    }

    /// How many files hold what did not fit the buffer.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    fn put(&mut self, evidence: &Evidence) -> Result<(), StoreError> {
        let own = key::of(&evidence.site, canonical_address(&evidence.entity));
        let key = self.joined.get(&own).unwrap_or(&own);
        if self.buffer.is_empty() {
            self.buffer = Buffer::with_capacity(self.buffer_bytes.min(MAX_RESERVED_BYTES));
        }
        self.buffer.add(key, |bytes| self.columns.encode(key, evidence, bytes));
        self.has_repetitions = true;
        if self.buffer.len() >= self.buffer_bytes { self.spill() } else { Ok(()) }
    }

    /// Writes the buffer to a run.
    fn spill(&mut self) -> Result<(), StoreError> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        fs::create_dir_all(&self.folder)
            .map_err(StoreError::io("create the folder", &self.folder))?;
        let path = self.folder.join(format!("{:04}.run", self.runs.len() + 1));
        let buffer = std::mem::take(&mut self.buffer);
        write_run(&path, &buffer.sorted(), &mut self.columns)?;
        self.runs.push(path);
        Ok(())
    }

    /// Puts evidence under the keys of the entities that it was joined to.
    fn move_joined(&mut self) -> Result<(), StoreError> {
        if !std::mem::take(&mut self.unmoved) {
            return Ok(());
        }
        self.spill()?;
        // Runs that are written meanwhile hold nothing under a joined key.
        for number in 0..self.runs.len() {
            let mut reader = RunReader::open(&self.runs[number])?;
            while reader.advance()? {
                if !self.joined.contains_key(reader.key()) || self.is_forgotten(number, &reader) {
                    continue;
                }
                let mut moved = Vec::new();
                for evidence in self.columns.decode_all(reader.key(), reader.payload()) {
                    moved.push(evidence.map_err(|error| reader.damaged(error))?);
                }
                moved.iter().try_for_each(|evidence| self.put(evidence))?;
            }
        }
        Ok(())
    }

    /// Merges what the buffer has of the entities of one site, or of all: lists show an entity again and again, and a table takes
    /// several readings. What went to disk is merged by every reading.
    fn merge_buffer(&mut self, site: Option<&str>) -> Result<(), StoreError> {
        if !std::mem::take(&mut self.has_repetitions) || !self.runs.is_empty() {
            return Ok(());
        }
        let buffer = std::mem::take(&mut self.buffer);
        self.buffer = Buffer::with_capacity(buffer.len());
        let sorted = buffer.sorted();
        let mut groups = Groups::new(&sorted);
        while let Some(key) = groups.key() {
            let payload = groups.next_group();
            if site.is_some_and(|site| key::site(key) != site.as_bytes()) {
                self.buffer.add(key, |bytes| payload.iter().for_each(|own| bytes.extend(*own)));
                continue;
            }
            let all = payload.into_iter().flat_map(|own| self.columns.decode_all(key, own));
            let all =
                all.collect::<io::Result<_>>().map_err(StoreError::io("read", &self.folder))?;
            let merged = EntityEvidence::new(&key::site_text(key), all);
            self.buffer.add(key, |bytes| {
                merged.evidence.iter().for_each(|own| self.columns.encode(key, own, bytes));
            });
        }
        Ok(())
    }

    fn is_forgotten(&self, run: usize, reader: &RunReader) -> bool {
        let is_of = |(site, runs): &(String, usize)| {
            run < *runs && key::site(reader.key()) == site.as_bytes()
        };
        self.forgotten.iter().any(is_of)
    }
}

impl EvidenceStore for DiskEvidence {
    fn add(&mut self, evidence: Evidence) -> Result<(), PortError> {
        Ok(self.put(&evidence)?)
    }

    fn forget_site(&mut self, site: &str) -> Result<(), PortError> {
        self.spill()?;
        self.forgotten.retain(|(other, _)| other != site);
        self.forgotten.push((site.to_owned(), self.runs.len()));
        Ok(())
    }

    fn join(&mut self, site: &str, from: &str, to: &str) -> Result<(), PortError> {
        let (from, to) = (canonical_address(from), canonical_address(to));
        if from != to {
            self.joined.insert(key::of(site, from), key::of(site, to));
            self.unmoved = true;
        }
        Ok(())
    }

    fn each_entity(
        &mut self,
        site: Option<&str>,
        visit: &mut dyn FnMut(EntityEvidence) -> Result<(), PortError>,
    ) -> Result<(), PortError> {
        self.move_joined()?;
        self.merge_buffer(site)?;
        let buffered = self.buffer.sorted();
        let mut groups = Groups::new(&buffered);
        let mut readers =
            self.runs.iter().map(|path| RunReader::open(path)).collect::<Result<Vec<_>, _>>()?;
        // The next key of each run, the least first.
        let mut next: BinaryHeap<Reverse<(Vec<u8>, usize)>> = BinaryHeap::new();
        for (number, reader) in readers.iter_mut().enumerate() {
            if reader.advance()? {
                next.push(Reverse((reader.key().to_vec(), number)));
            }
        }
        loop {
            let run = next.peek().map(|Reverse((key, _))| key.as_slice());
            let Some(key) = run.into_iter().chain(groups.key()).min() else { return Ok(()) };
            let key = key.to_vec();
            let wanted = site.is_none_or(|site| key::site(&key) == site.as_bytes())
                && !self.joined.contains_key(&key);
            let mut evidence = Vec::new();
            while let Some(Reverse((other, number))) = next.peek()
                && *other == key
            {
                let number = *number;
                let reader = &mut readers[number];
                if wanted && !self.is_forgotten(number, reader) {
                    for own in self.columns.decode_all(&key, reader.payload()) {
                        evidence.push(own.map_err(|error| reader.damaged(error))?);
                    }
                }
                next.pop();
                if reader.advance()? {
                    next.push(Reverse((reader.key().to_vec(), number)));
                }
            }
            if groups.key() == Some(key.as_slice()) {
                for payload in groups.next_group().into_iter().filter(|_| wanted) {
                    for own in self.columns.decode_all(&key, payload) {
                        let damaged = StoreError::io("read", &self.folder);
                        evidence.push(own.map_err(damaged)?);
                    }
                }
            }
            if !evidence.is_empty() {
                visit(EntityEvidence::new(&key::site_text(&key), evidence))?;
            }
        }
    }
}

impl Drop for DiskEvidence {
    fn drop(&mut self) {
        if !self.runs.is_empty() {
            // If this fails, the next store in this folder removes it.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}
