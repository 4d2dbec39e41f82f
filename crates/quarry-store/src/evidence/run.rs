//! A sorted run: the evidence of each key, keys in order, in one file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use quarry_model::EntityEvidence;

use super::encoding::{Columns, key, put_number};
use crate::StoreError;

/// Memory of a reader of a run, in bytes: large enough that the disk reads in one go, small enough for a hundred runs.
const READ_BYTES: usize = 256 << 10;
/// A key with more bytes of evidence in one run is looked through for repetitions before it is written.
const MANY_BYTES: usize = 16 << 10;

/// Sorted blocks, group by group: those of one key together.
pub(super) struct Groups<'a> {
    rest: &'a [(&'a [u8], &'a [u8])],
}

impl<'a> Groups<'a> {
    pub(super) fn new(sorted: &'a [(&'a [u8], &'a [u8])]) -> Self {
        Self { rest: sorted }
    }

    /// The key of the next group.
    pub(super) fn key(&self) -> Option<&'a [u8]> {
        self.rest.first().map(|(key, _)| *key)
    }

    /// The evidence of the next group.
    pub(super) fn next_group(&mut self) -> Vec<&'a [u8]> {
        let key = self.key();
        let end = self.rest.iter().take_while(|(own, _)| Some(*own) == key).count();
        let (group, rest) = self.rest.split_at(end);
        self.rest = rest;
        group.iter().map(|(_, payload)| *payload).collect()
    }
}

/// Writes sorted blocks to a file.
pub(super) fn write_run(
    path: &Path,
    sorted: &[(&[u8], &[u8])],
    columns: &mut Columns,
) -> Result<(), StoreError> {
    let failed = |error| StoreError::io("write", path)(error);
    let mut out = BufWriter::new(File::create(path).map_err(failed)?);
    let mut groups = Groups::new(sorted);
    let mut head = Vec::new();
    while let Some(key) = groups.key() {
        let mut payload = groups.next_group().concat();
        if payload.len() > MANY_BYTES {
            let all =
                columns.decode_all(key, &payload).collect::<io::Result<_>>().map_err(failed)?;
            payload.clear();
            for evidence in EntityEvidence::new(&key::site_text(key), all).evidence {
                columns.encode(key, &evidence, &mut payload);
            }
        }
        head.clear();
        put_number(key.len(), &mut head);
        head.extend_from_slice(key);
        put_number(payload.len(), &mut head);
        out.write_all(&head).and_then(|()| out.write_all(&payload)).map_err(failed)?;
    }
    out.flush().map_err(failed)
}

/// Reads a run.
pub(super) struct RunReader {
    path: PathBuf,
    file: BufReader<File>,
    key: Vec<u8>,
    payload: Vec<u8>,
}

impl RunReader {
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let file = File::open(path).map_err(StoreError::io("open", path))?;
        let file = BufReader::with_capacity(READ_BYTES, file);
        Ok(Self { path: path.to_owned(), file, key: Vec::new(), payload: Vec::new() })
    }

    /// Goes to the next key; false at the end.
    pub(super) fn advance(&mut self) -> Result<bool, StoreError> {
        self.read().map_err(StoreError::io("read", &self.path))
    }

    fn read(&mut self) -> io::Result<bool> {
        if self.file.fill_buf()?.is_empty() {
            return Ok(false);
        }
        read_text(&mut self.file, &mut self.key)?;
        read_text(&mut self.file, &mut self.payload)?;
        Ok(true)
    }

    pub(super) fn key(&self) -> &[u8] {
        &self.key
    }

    /// The evidence of the key.
    pub(super) fn payload(&self) -> &[u8] {
        &self.payload
    }

    pub(super) fn damaged(&self, error: io::Error) -> StoreError {
        StoreError::io("read", &self.path)(error)
    }
}

fn read_text(file: &mut BufReader<File>, into: &mut Vec<u8>) -> io::Result<()> {
    let mut length = 0_usize;
    for shift in (0..usize::BITS).step_by(7) {
        let mut byte = [0];
        file.read_exact(&mut byte)?;
        length |= usize::from(byte[0] & 0x7f) << shift;
        if byte[0] & 0x80 == 0 {
            break;
        }
    }
    into.clear();
    file.take(length as u64).read_to_end(into)?;
    if into.len() == length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}
