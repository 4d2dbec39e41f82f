//! Opens files of lines, compressed or not.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

/// Bytes that are read at once.
const BUFFER: usize = 1 << 18;

/// The lines of a file; one whose name ends in `.gz` is decompressed, member after member.
///
/// # Errors
/// When the file cannot be opened.
pub fn open_lines(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let file = BufReader::with_capacity(BUFFER, File::open(path).map_err(named)?);
    Ok(match path.extension().is_some_and(|ending| ending == "gz") {
        true => Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(file))),
        false => Box::new(file),
    })
}
