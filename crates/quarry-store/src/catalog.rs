//! Catalogues the pages of WARC files: the offset of each, found by reading the files once, so
//! that each page can then be read from where it stands.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;

use quarry_content::detect_mime;
use quarry_model::{Exchange, Timestamp};

use crate::StoreError;
use crate::warc::{
    ArchivedPage, CaptureParts, Captures, Original, ReadLimits, RecordPlace, Sha1Digest, WarcIssue,
    WarcProblem, WarcReader, exchange_of, read_warc, restore_decoded,
};

/// A capture in one of the files.
#[derive(Debug, Clone)]
pub(crate) struct Capture {
    pub(crate) key: String,
    pub(crate) at: Timestamp,
    pub(crate) status: u16,
    /// False where its writer marked it as not being a page of the site.
    pub(crate) is_page: bool,
    /// The kind of content, found by looking at it. For a repetition, that of the original.
    pub(crate) mime: &'static str,
    file: usize,
    response: RecordPlace,
    request: Option<RecordPlace>,
    /// The page as its scripts left it.
    conversion: Option<RecordPlace>,
    decoded_length: Option<u64>,
    /// The capture whose body this one has, too.
    original: Option<usize>,
}

/// The captures of some archive files, in the order of the files.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    files: Vec<PathBuf>,
    captures: Vec<Capture>,
    /// The first capture of a request key, and the newest.
    places: BTreeMap<String, (usize, usize)>,
    limits: ReadLimits,
    /// What was wrong with the files.
    pub(crate) issues: Vec<WarcIssue>,
}

impl Catalog {
    /// Reads the files through once.
    pub(crate) fn scan(files: &[PathBuf], limits: &ReadLimits) -> Result<Self, StoreError> {
        let mut catalog = Self { files: files.to_vec(), limits: *limits, ..Self::default() };
        let mut by_digest: BTreeMap<Sha1Digest, usize> = BTreeMap::new();
        let mut by_address: BTreeMap<(String, Timestamp), usize> = BTreeMap::new();
        let mut repetitions: Vec<(usize, Original)> = Vec::new();
        for (file, path) in files.iter().enumerate() {
            for page in Captures::new(read_warc(path, limits)?, limits) {
                let page = match page {
                    Ok(page) => page,
                    Err(WarcIssue { problem: WarcProblem::Io(source), .. }) => {
                        return Err(StoreError::io("read", path)(source));
                    }
                    Err(issue) => {
                        catalog.issues.push(issue);
                        continue;
                    }
                };
                let number = catalog.captures.len();
                match &page.repeats {
                    Some(original) => repetitions.push((number, original.clone())),
                    None => {
                        let response = &page.exchange.response;
                        let digest = page.digest.unwrap_or_else(|| Sha1Digest::of(&response.body));
                        by_digest.entry(digest).or_insert(number);
                        let address = (page.exchange.request.url.clone(), page.exchange.at);
                        by_address.entry(address).or_insert(number);
                    }
                }
                catalog.captures.push(capture(&page, file));
            }
        }
        for (number, original) in repetitions {
            let dated = original.date.and_then(|at| by_address.get(&(original.url.clone(), at)));
            let same = original.digest.and_then(|digest| by_digest.get(&digest));
            match dated.or(same) {
                Some(&found) => {
                    catalog.captures[number].original = Some(found);
                    catalog.captures[number].mime = catalog.captures[found].mime;
                }
                None => {
                    let lost = &mut catalog.captures[number];
                    lost.key.clear();
                    let path = catalog.files[lost.file].clone();
                    let (offset, problem) = (lost.response.offset, WarcProblem::NoOriginal);
                    catalog.issues.push(WarcIssue { path, offset, problem });
                }
            }
        }
        for (number, capture) in catalog.captures.iter().enumerate() {
            if capture.key.is_empty() {
                continue;
            }
            let (_, newest) = catalog.places.entry(capture.key.clone()).or_insert((number, number));
            let before = &catalog.captures[*newest];
            if before.at <= capture.at && (is_verdict(capture.status) || !is_verdict(before.status))
            {
                *newest = number;
            }
        }
        Ok(catalog)
    }

    /// The newest capture of a request key.
    pub(crate) fn find(&self, key: &str) -> Option<&Capture> {
        self.places.get(key).map(|&(_, newest)| &self.captures[newest])
    }

    /// The newest capture of every request key, in the order in which they were first captured.
    pub(crate) fn newest(&self) -> Vec<&Capture> {
        let mut places: Vec<(usize, usize)> = self.places.values().copied().collect();
        places.sort_unstable();
        places.into_iter().map(|(_, newest)| &self.captures[newest]).collect()
    }

    /// The exchange behind a capture, body included.
    pub(crate) fn read(&self, capture: &Capture) -> Result<Exchange, StoreError> {
        let path = &self.files[capture.file];
        let record = |place| {
            let file = File::open(path).map_err(StoreError::io("open", path))?;
            Ok::<_, StoreError>(WarcReader::record_at(file, path, &self.limits, place)?)
        };
        let parts = CaptureParts {
            response: record(capture.response)?,
            request: capture.request.map(record).transpose()?,
            metadata: None,
            conversion: capture.conversion.map(record).transpose()?,
        };
        let page = exchange_of(parts, &self.limits).ok_or_else(|| WarcIssue {
            path: path.clone(),
            offset: capture.response.offset,
            problem: WarcProblem::Corrupt,
        })?;
        let mut exchange = page.exchange;
        if let Some(original) = capture.original {
            exchange.response.body = self.read(&self.captures[original])?.response.body;
        }
        if capture.original.is_some() || capture.decoded_length.is_some() {
            restore_decoded(&mut exchange.response, capture.decoded_length, &self.limits);
        }
        Ok(exchange)
    }
}

/// Whether an answer decides what is at an address. A 304 confirms what was there; a refusal or an error decides nothing.
fn is_verdict(status: u16) -> bool {
    matches!(status, 200..=303 | 305..=399 | 404 | 410)
}

fn capture(page: &ArchivedPage, file: usize) -> Capture {
    let exchange = &page.exchange;
    let declared = exchange.response.headers.get("content-type");
    Capture {
        key: exchange.request.key().into_owned(),
        at: exchange.at,
        status: exchange.response.status,
        is_page: page.is_page,
        mime: detect_mime(exchange.response.content(), declared),
        file,
        response: page.place,
        request: page.request_place,
        conversion: page.conversion_place,
        decoded_length: page.decoded_length,
        original: None,
    }
}
