//! Writes files atomically: to a temporary file in the same folder, then renamed.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::StoreError;

/// Lets `write` fill a file beside `path`, then moves it there; nothing stays behind when it fails.
/// What is no ordinary file (a device, a pipe) cannot be replaced and is written to as it is.
pub(crate) fn whole<E: From<StoreError>>(
    path: &Path,
    write: impl FnOnce(&Path) -> Result<(), E>,
) -> Result<(), E> {
    if fs::metadata(path).is_ok_and(|meta| !meta.is_file() && !meta.is_dir()) {
        return write(path);
    }
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    // Its bytes are on the disk before its name is: a power cut leaves the old file or the new one.
    let place = || -> Result<(), StoreError> {
        let synced = File::open(&partial).and_then(|file| file.sync_all());
        synced.map_err(StoreError::io("sync", path))?;
        fs::rename(&partial, path).map_err(StoreError::io("replace", path))
    };
    let result = write(&partial).and_then(|()| Ok(place()?));
    if result.is_err() {
        // The error that led here is the one to tell.
        let _ = fs::remove_file(&partial);
    }
    result
}

/// Writes these bytes in place of what there was, all or nothing.
pub fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), StoreError> {
    whole(path, |beside| fs::write(beside, &bytes).map_err(StoreError::io("write", path)))
}

/// [`write_whole`] for what only the user may read (mode 0600 where files have modes).
pub fn write_private(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), StoreError> {
    whole(path, |beside| {
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let written = options.open(beside).and_then(|mut file| file.write_all(bytes.as_ref()));
        written.map_err(StoreError::io("write", path))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_whole_or_not_there() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.txt");
        write_whole(&path, "one").unwrap();
        write_whole(&path, "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        let failed: Result<(), StoreError> = whole(&path, |beside| {
            fs::write(beside, "half").unwrap();
            Err(StoreError::io("write", beside)(std::io::Error::other("disk full")))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing stays behind");
        let missing = dir.path().join("no/such/folder.txt");
        assert!(write_whole(&missing, "x").unwrap_err().to_string().contains("folder.txt"));
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_not_replaced() {
        write_whole(Path::new("/dev/null"), "x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
