//! Joins the records of an archive file into exchanges: a response with the request and the
//! metadata that stand near it, put back together.

use std::collections::VecDeque;
use std::io::{Read, Seek};
use std::time::Duration;

use quarry_content::{Coding, decode};
use quarry_model::{Exchange, Headers, Rendering, Request, Response, Timestamp, Truncation};

use super::header::parse_fields;
use super::http::{dechunk, parse_message, parse_request, parse_status, restore_length};
use super::writer::{RENDER_BROWSER, RENDER_CLOCK, RENDER_SEED, RENDER_STATE};
use super::{ReadLimits, RecordPlace, RecordType, Sha1Digest, WarcIssue, WarcReader, WarcRecord};

/// How many requests are remembered until their response comes.
const REMEMBERED: usize = 64;

/// What a revisit record repeats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Original {
    /// Its address (`WARC-Refers-To-Target-URI`, or else the record's own).
    pub url: String,
    /// Its date, if the record says it.
    pub date: Option<Timestamp>,
    /// The digest of its payload.
    pub digest: Option<Sha1Digest>,
}

/// An exchange as an archive file has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivedPage {
    /// What was asked and what came. The body is empty where `repeats` says so.
    pub exchange: Exchange,
    /// Where the response stands.
    pub place: RecordPlace,
    /// Where the request stands, if the file has it.
    pub request_place: Option<RecordPlace>,
    /// Where the page stands as its scripts left it, if they were run.
    pub conversion_place: Option<RecordPlace>,
    /// `WARC-Payload-Digest`, as its writer computed it.
    pub digest: Option<Sha1Digest>,
    /// The body is that of an earlier capture.
    pub repeats: Option<Original>,
    /// The address of the page that the link stood on.
    pub via: Option<String>,
    /// Links from a seed.
    pub depth: Option<u32>,
    /// How long the body was once decoded, if its writer says so.
    pub decoded_length: Option<u64>,
    /// False for what its writer says is no page of the site, such as robots.txt.
    pub is_page: bool,
}

/// The records that one exchange is told by.
#[derive(Debug)]
pub(crate) struct CaptureParts {
    pub(crate) response: WarcRecord,
    pub(crate) request: Option<WarcRecord>,
    pub(crate) metadata: Option<WarcRecord>,
    /// The page as its scripts left it.
    pub(crate) conversion: Option<WarcRecord>,
}

/// The exchanges of an archive file, in the order of their responses, and what was wrong between
/// them.
pub struct Captures<R> {
    records: WarcReader<R>,
    limits: ReadLimits,
    /// Requests whose response has not come: their writer puts them first.
    requests: VecDeque<WarcRecord>,
    /// The response whose companions may still come.
    open: Option<CaptureParts>,
    waiting: VecDeque<Result<ArchivedPage, WarcIssue>>,
}

impl<R: Read + Seek> Captures<R> {
    /// Groups the records of `records`.
    #[must_use]
    pub fn new(records: WarcReader<R>, limits: &ReadLimits) -> Self {
        Self {
            records,
            limits: *limits,
            requests: VecDeque::new(),
            open: None,
            waiting: VecDeque::new(),
        }
    }

    fn take(&mut self, record: WarcRecord) {
        match record.kind() {
            RecordType::Response | RecordType::Revisit | RecordType::Resource => {
                self.close();
                let request = self.requests.iter().position(|r| belong_together(r, &record));
                let request = request.and_then(|at| self.requests.remove(at));
                self.open = Some(CaptureParts {
                    response: record,
                    request,
                    metadata: None,
                    conversion: None,
                });
            }
            RecordType::Request => match &mut self.open {
                Some(parts)
                    if parts.request.is_none() && belong_together(&record, &parts.response) =>
                {
                    parts.request = Some(record);
                }
                _ => {
                    if self.requests.len() == REMEMBERED {
                        self.requests.pop_front();
                    }
                    self.requests.push_back(record);
                }
            },
            RecordType::Metadata => {
                if let Some(parts) = &mut self.open
                    && parts.metadata.is_none()
                    && belong_together(&record, &parts.response)
                {
                    parts.metadata = Some(record);
                }
            }
            RecordType::Conversion => {
                if let Some(parts) = &mut self.open
                    && parts.conversion.is_none()
                    && record.headers.id("WARC-Refers-To").is_some()
                    && belong_together(&record, &parts.response)
                {
                    parts.conversion = Some(record);
                }
            }
            RecordType::Warcinfo | RecordType::Other => {}
        }
    }

    fn close(&mut self) {
        if let Some(parts) = self.open.take()
            && let Some(page) = exchange_of(parts, &self.limits)
        {
            self.waiting.push_back(Ok(page));
        }
    }
}

impl<R: Read + Seek> Iterator for Captures<R> {
    type Item = Result<ArchivedPage, WarcIssue>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(page) = self.waiting.pop_front() {
                return Some(page);
            }
            match self.records.next() {
                Some(Ok(record)) => self.take(record),
                Some(Err(issue)) => {
                    self.close();
                    self.waiting.push_back(Err(issue));
                }
                None => {
                    self.close();
                    return self.waiting.pop_front();
                }
            }
        }
    }
}

/// Either names the other as captured with it, or, where neither names any, both have the same
/// address.
fn belong_together(record: &WarcRecord, response: &WarcRecord) -> bool {
    let id = |r: &WarcRecord| r.headers.id("WARC-Record-ID").map(str::to_owned);
    let companions = |r: &WarcRecord| -> Vec<String> {
        let named = r.headers.0.iter().filter(|(name, _)| {
            name.eq_ignore_ascii_case("WARC-Concurrent-To")
                || name.eq_ignore_ascii_case("WARC-Refers-To")
        });
        named.map(|(_, v)| v.trim_matches(['<', '>']).to_owned()).collect()
    };
    let (of_record, of_response) = (companions(record), companions(response));
    if of_record.is_empty() && of_response.is_empty() {
        return record.headers.target() == response.headers.target();
    }
    id(response).is_some_and(|id| of_record.contains(&id))
        || id(record).is_some_and(|id| of_response.contains(&id))
}

/// Puts an exchange back together; `None` where the record tells of none (a DNS answer, a file
/// that the crawler added).
pub(crate) fn exchange_of(parts: CaptureParts, limits: &ReadLimits) -> Option<ArchivedPage> {
    let CaptureParts { response: record, request, metadata, conversion } = parts;
    let url = record.headers.target()?.to_owned();
    if !(url.starts_with("http://") || url.starts_with("https://")) {
        return None;
    }
    let mut response = match record.kind() {
        RecordType::Resource => resource(&record),
        _ => http_response(&record)?,
    };
    let notes = metadata.map(|record| Headers(parse_fields(&record.block))).unwrap_or_default();
    let number = |name| notes.get(name).and_then(|value| value.parse::<u64>().ok());

    let repeats = (record.kind() == RecordType::Revisit).then(|| repeated(&record, &url)).flatten();
    // Before WARC 1.1 a revisit record was said to be truncated for want of a body.
    if repeats.is_some() && record.version != "WARC/1.1" {
        response.truncated = None;
    }
    let decoded_length = number("decodedLength");
    if repeats.is_none() {
        restore_decoded(&mut response, decoded_length, limits);
    }

    let conversion_place = conversion.as_ref().map(|record| record.place);
    response.rendering = conversion.map(rendering);

    let at = record.headers.get("WARC-Date").and_then(parse_date).unwrap_or_default();
    let remote = record.headers.get("WARC-IP-Address").and_then(|ip| ip.parse().ok());
    let request_place = request.as_ref().map(|record| record.place);
    let (request, sent) = match &request {
        Some(record) => {
            let message = parse_message(&record.block);
            (parse_request(&url, &message), message.headers)
        }
        None => (Request::get(url), Headers::default()),
    };
    Some(ArchivedPage {
        exchange: Exchange {
            request,
            sent,
            response,
            remote,
            at,
            took: Duration::from_millis(number("fetchTimeMs").unwrap_or(0)),
        },
        place: record.place,
        request_place,
        conversion_place,
        digest: record.headers.get("WARC-Payload-Digest").and_then(Sha1Digest::parse),
        repeats,
        via: notes.get("via").map(str::to_owned),
        depth: number("depth").and_then(|depth| u32::try_from(depth).ok()),
        decoded_length,
        is_page: notes.get("isPage") != Some("no"),
    })
}

/// The body as meant, from the body as sent; cut where it had been cut, if that is known.
pub(crate) fn restore_decoded(response: &mut Response, length: Option<u64>, limits: &ReadLimits) {
    let codings = Coding::of(&response.headers);
    let length = length.and_then(|length| usize::try_from(length).ok());
    let limit = length.map_or(limits.decoded, |length| length.min(limits.decoded));
    response.decoded = (!codings.is_empty()).then(|| decode(&codings, &response.body, limit).bytes);
}

/// A page as its scripts left it.
fn rendering(record: WarcRecord) -> Box<Rendering> {
    let number = |name| record.headers.get(name).and_then(|value| value.parse::<i64>().ok());
    let seed = record.headers.get(RENDER_SEED).and_then(|value| value.parse().ok());
    Box::new(Rendering {
        clock: Timestamp(number(RENDER_CLOCK).unwrap_or_default()),
        seed: seed.unwrap_or_default(),
        browser: record.headers.get(RENDER_BROWSER).unwrap_or_default().to_owned(),
        is_state: record.headers.get(RENDER_STATE).is_some(),
        parts: Vec::new(),
        document: record.block,
    })
}

fn resource(record: &WarcRecord) -> Response {
    let kind = record.headers.get("Content-Type").map(str::to_owned);
    Response {
        status: 200,
        version: "HTTP/1.1".to_owned(),
        headers: Headers(kind.map(|kind| ("Content-Type".to_owned(), kind)).into_iter().collect()),
        body: record.block.clone(),
        decoded: None,
        truncated: truncation(record),
        rendering: None,
    }
}

fn http_response(record: &WarcRecord) -> Option<Response> {
    let message = parse_message(&record.block);
    let (status, mut version) = parse_status(&message.start)?;
    if let Some(protocol) = record.headers.get("WARC-Protocol") {
        match protocol {
            "h2" | "h2c" => "HTTP/2.0".clone_into(&mut version),
            "h3" => "HTTP/3.0".clone_into(&mut version),
            _ => {}
        }
    }
    let mut headers = message.headers;
    restore_length(&mut headers);
    let mut body = None;
    if headers.all("transfer-encoding").any(|v| v.to_ascii_lowercase().contains("chunked")) {
        body = dechunk(message.body);
        headers.0.retain(|(name, _)| !name.eq_ignore_ascii_case("transfer-encoding"));
    }
    let body = body.unwrap_or_else(|| message.body.to_vec());
    let truncated = truncation(record);
    Some(Response { status, version, headers, body, decoded: None, truncated, rendering: None })
}

fn truncation(record: &WarcRecord) -> Option<Truncation> {
    record.headers.get("WARC-Truncated").map(|reason| match reason {
        "length" => Truncation::Length,
        "time" => Truncation::Time,
        _ => Truncation::Disconnect,
    })
}

/// What a revisit record repeats; `None` where it stands for itself (a 304 answer).
fn repeated(record: &WarcRecord, url: &str) -> Option<Original> {
    let profile = record.headers.get("WARC-Profile").unwrap_or_default();
    if profile.contains("server-not-modified") {
        return None;
    }
    Some(Original {
        url: record.headers.id("WARC-Refers-To-Target-URI").unwrap_or(url).to_owned(),
        date: record.headers.get("WARC-Refers-To-Date").and_then(parse_date),
        digest: record.headers.get("WARC-Payload-Digest").and_then(Sha1Digest::parse),
    })
}

/// `2026-11-15T20:00:00Z`, with or without a fraction of a second.
pub(crate) fn parse_date(text: &str) -> Option<Timestamp> {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let mut number = || numbers.next()?.parse::<i64>().ok();
    let (year, month, day) = (number()?, number()?, number()?);
    let (hour, minute, second) =
        (number().unwrap_or(0), number().unwrap_or(0), number().unwrap_or(0));
    let fraction: String =
        numbers.next().unwrap_or("0").chars().chain("000".chars()).take(3).collect();
    let in_range = (0..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && hour < 25
        && minute < 61
        && second < 62;
    if !in_range {
        return None;
    }
    let millis = ((hour * 60 + minute) * 60 + second) * 1_000 + fraction.parse::<i64>().ok()?;
    Some(Timestamp(Timestamp::from_date(year, month, day).0 + millis))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_they_are_printed() {
        for millis in [0, 951_782_400_000, 1_794_772_800_123, 4_102_444_799_999] {
            let at = Timestamp(millis);
            assert_eq!(parse_date(&at.to_string()), Some(at));
        }
        assert_eq!(parse_date("2026-11-15T20:00:00Z"), Some(Timestamp(1_794_772_800_000)));
        assert_eq!(parse_date("2026-11-15T20:00:00.123456Z"), Some(Timestamp(1_794_772_800_123)));
        assert_eq!(parse_date("2026-13-15T20:00:00Z"), None);
        assert_eq!(parse_date("yesterday"), None);
    }
}
