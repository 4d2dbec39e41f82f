//! Locks a project for one writer: a file that the operating system locks for the process, so that a killed one
//! leaves no lock behind.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::StoreError;

/// Held for as long as it lives.
#[derive(Debug)]
pub(super) struct Lock {
    /// Closing it gives the lock back.
    _file: File,
}

impl Lock {
    pub(super) fn take(dir: &Path) -> Result<Self, StoreError> {
        let path = dir.join("quarry.lock");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(StoreError::io("open", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                let pid =
                    file.read_to_string(&mut text).ok().and_then(|_| text.trim().parse().ok());
                return Err(StoreError::Locked { path: dir.to_owned(), pid });
            }
            Err(TryLockError::Error(error)) => return Err(StoreError::io("lock", &path)(error)),
        }
        let mut note = || {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            writeln!(file, "{}", std::process::id())
        };
        note().map_err(StoreError::io("write", &path))?;
        Ok(Self { _file: file })
    }
}
