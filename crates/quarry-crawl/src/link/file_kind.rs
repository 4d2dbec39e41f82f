//! Recognises addresses of files that are not pages, by their endings: images, media, archives, programs, fonts, style
//! sheets, office files. Data exports (`.json`, `.csv`, `.xml`) and feeds are no pages either: what
//! they hold stands on pages, and sitemaps and feeds are found by other ways. `.txt` and unknown
//! extensions are asked.

use crate::Address;

/// Extensions of files that are no pages, in lower case and sorted.
const NOT_PAGES: [&str; 113] = [
    "3gp",
    "7z",
    "aac",
    "ai",
    "apk",
    "appx",
    "asc",
    "atom",
    "avi",
    "avif",
    "bin",
    "bmp",
    "bz2",
    "cab",
    "crx",
    "css",
    "csv",
    "dat",
    "deb",
    "dll",
    "dmg",
    "doc",
    "docx",
    "dot",
    "dwg",
    "eot",
    "eps",
    "epub",
    "exe",
    "flac",
    "flv",
    "geojson",
    "gif",
    "gpx",
    "gz",
    "heic",
    "ico",
    "ics",
    "img",
    "ipa",
    "iso",
    "jar",
    "jp2",
    "jpe",
    "jpeg",
    "jpg",
    "js",
    "json",
    "jsonld",
    "kml",
    "kmz",
    "less",
    "log",
    "m3u8",
    "m4a",
    "m4v",
    "map",
    "mdb",
    "mid",
    "mjs",
    "mkv",
    "mobi",
    "mov",
    "mp3",
    "mp4",
    "mpeg",
    "mpg",
    "msi",
    "odp",
    "ods",
    "odt",
    "ogg",
    "ogv",
    "opus",
    "otf",
    "parquet",
    "pdf",
    "pkg",
    "png",
    "pps",
    "ppt",
    "pptx",
    "ps",
    "psd",
    "rar",
    "rdf",
    "rpm",
    "rss",
    "rtf",
    "scss",
    "sig",
    "sql",
    "sqlite",
    "svg",
    "swf",
    "tar",
    "tgz",
    "tif",
    "tiff",
    "torrent",
    "ttf",
    "vcf",
    "wav",
    "webm",
    "webmanifest",
    "webp",
    "wma",
    "wmv",
    "woff",
    "woff2",
    "xls",
    "xlsx",
    "zip",
];

/// The longest of them.
const LONGEST: usize = 11;

pub(super) fn is_not_a_page(address: &Address) -> bool {
    let path = address.path();
    let name = path.rsplit('/').next().unwrap_or_default();
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    if stem.is_empty() || extension.is_empty() || extension.len() > LONGEST {
        return false;
    }
    let mut buffer = [0_u8; LONGEST];
    let lower = &mut buffer[..extension.len()];
    lower.copy_from_slice(extension.as_bytes());
    lower.make_ascii_lowercase();
    let lower: &[u8] = lower;
    NOT_PAGES.binary_search_by(|known| known.as_bytes().cmp(lower)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_fits() {
        assert!(NOT_PAGES.is_sorted());
        assert!(NOT_PAGES.iter().all(|extension| extension.len() <= LONGEST));
    }
}
