//! Archived pages on disk: the [`PageStore`] port: a row per capture, its bytes in the archive.

use std::path::PathBuf;

use quarry_content::{detect_mime, fresh_until};
use quarry_model::{Capture, Exchange, PageRow, PageStore, Timestamp, Truncation, Validators};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::Project;
use super::frontier::key_hash;
use super::rounds::Held;
use crate::StoreError;
use crate::archive::{Located, file_name};
use crate::warc::{
    CaptureParts, RevisitOf, Sha1Digest, WarcIssue, WarcProblem, exchange_of, read_member,
    restore_decoded,
};

const COLUMNS: &str = "url, fetch_time, status, mime_detected, digest, file, offset, length, key,
     mime_type, redirect, truncated, depth, via";

/// SQL: an answer that decides what is at an address. A refusal or an error does not.
pub(super) const VERDICT: &str = "(status BETWEEN 200 AND 399 OR status IN (404, 410))";

/// SQL: the row that has the body of a row. Rows of 304 answers and of pages that were not requested have no body.
const CONTENT: &str = "CASE WHEN status = 304 OR file = 0 THEN coalesce(base, id) ELSE id END";

/// SQL: of every page its first row and the one that holds now. Pages that the site does not lead to any more are left out.
pub(super) const NEWEST: &str = "SELECT min(id) AS first, coalesce(max(CASE WHEN
     (status BETWEEN 200 AND 399 OR status IN (404, 410)) THEN id END), max(id)) AS newest
     FROM pages WHERE is_page AND retired IS NULL GROUP BY key_hash, coalesce(key, url)";

/// Where the records of a capture stand.
struct Span {
    file: u32,
    offset: u64,
    request: u64,
    response: u64,
    metadata: u64,
    original: Option<i64>,
    /// Length of the record of the page as its scripts left it, which follows the others.
    conversion: u64,
}

impl Project {
    fn put_capture(&mut self, capture: &Capture<'_>) -> Result<PageRow, StoreError> {
        let exchange = capture.exchange;
        let response = &exchange.response;
        let digest = Sha1Digest::of(&response.body);
        let id = self.next_page;
        let key = exchange.request.key();
        let held = if self.round.round.number > 1 || response.status == 304 {
            self.held_row(&key).map_err(self.db("read the pages"))?
        } else {
            None
        };
        let original = self.original(capture, held.as_ref(), digest, id);
        let original = original.map_err(self.db("read the pages"))?;
        let revisit = original.as_ref().map(|(_, revisit)| revisit);
        let located = self.archive.append(capture, digest, revisit)?;

        let row = page_row(capture, digest, &located, key.as_ref());
        let (via_text, via_id) = self.via_column(capture.via)?;
        let says = |name: &str| response.headers.get(name).map(str::to_owned);
        let mut validators =
            Validators { etag: says("etag"), last_modified: says("last-modified") };
        let is_rendered_alike = match &held {
            Some(held) if response.status != 304 => {
                let before = self.rendered_document(held.content)?;
                before.as_deref() == response.rendering.as_ref().map(|now| now.document.as_slice())
            }
            _ => true,
        };
        let is_same = match response.status {
            304 => true,
            200..=299 if !is_rendered_alike => false,
            200..=299 => held.as_ref().is_some_and(|held| held.digest == digest.0),
            _ => false,
        };
        let held = held.filter(|_| is_same);
        if let Some(held) = held.as_ref().filter(|_| response.status == 304) {
            validators.etag = validators.etag.or_else(|| held.validators.etag.clone());
            validators.last_modified =
                validators.last_modified.or_else(|| held.validators.last_modified.clone());
        }
        // A 304 answer stands for itself: it says that a page has not changed.
        let original = original.filter(|_| response.status != 304).map(|(page, _)| page);
        let insert = |conn: &Connection| {
            conn.prepare_cached(
                "INSERT INTO pages VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,
                 ?14, ?15, ?16, ?17, ?18, coalesce(?19, ?20), ?21, ?22, ?23, ?24, ?25, ?26, NULL)",
            )?
            .execute(params![
                id,
                key_hash(&key) as i64,
                capture.is_page,
                row.url,
                (*key != row.url).then_some(key.as_ref()),
                row.fetch_time.0,
                row.fetch_status,
                capture.mime_detected,
                row.content_mime_type,
                &digest.0[..],
                located.file,
                located.offset as i64,
                located.lengths.response as i64,
                located.lengths.request as i64,
                located.lengths.metadata as i64,
                row.fetch_redirect,
                row.content_truncated.map(truncation_name),
                capture.depth,
                via_id,
                via_text,
                original,
                response.body.len() as i64,
                validators.etag,
                validators.last_modified,
                fresh_until(&response.headers, exchange.at).map(|until| until.0),
                held.as_ref().map(|held| held.content),
            ])
        };
        insert(&self.conn).map_err(self.db("add a page"))?;
        self.next_page += 1;
        self.tally.pages += u64::from(capture.is_page);
        if let Some(rendering) = &response.rendering {
            let length = located.lengths.conversion as i64;
            let note = |conn: &Connection| {
                conn.prepare_cached("INSERT INTO renderings VALUES (?1, ?2)")?.execute((id, length))
            };
            note(&self.conn).map_err(self.db("add a rendering"))?;
            self.put_parts(capture, &rendering.parts)?;
        }
        Ok(row)
    }

    /// Archives what was fetched for a page: each is found by its request, and none is a page of the site.
    fn put_parts(&mut self, page: &Capture<'_>, parts: &[Exchange]) -> Result<(), StoreError> {
        for part in parts {
            let declared = part.response.headers.get("content-type");
            let mime_detected = detect_mime(part.response.sent_content(), declared);
            let via = Some(page.exchange.request.url.as_str());
            let depth = page.depth;
            let capture = Capture { exchange: part, depth, via, mime_detected, is_page: false };
            self.put_capture(&capture)?;
        }
        Ok(())
    }

    /// The document that the scripts of a page left, if they were run.
    fn rendered_document(&self, id: i64) -> Result<Option<Vec<u8>>, StoreError> {
        let span = self.span("id = ?1", [id]).map_err(self.db("find a page"))?;
        if span.conversion == 0 {
            return Ok(None);
        }
        let rendering = self.read_span(&span)?.response.rendering;
        Ok(rendering.map(|rendering| rendering.document))
    }

    /// The capture that this one repeats, if it does; else it is remembered as page `id`.
    fn original(
        &self,
        capture: &Capture<'_>,
        held: Option<&Held>,
        digest: Sha1Digest,
        id: i64,
    ) -> rusqlite::Result<Option<(i64, RevisitOf)>> {
        let response = &capture.exchange.response;
        if response.status == 304 {
            let Some(held) = held else { return Ok(None) };
            let sql = "SELECT o.id, o.url, o.fetch_time FROM pages p
                       JOIN pages o ON o.id = coalesce(p.original, p.id) WHERE p.id = ?1";
            return self.conn.prepare_cached(sql)?.query_row([held.content], revisit_of).optional();
        }
        // The state of a page is always written as a repetition of the page: no server has sent it.
        let is_state = response.rendering.as_ref().is_some_and(|rendering| rendering.is_state);
        if !is_state && response.body.len() < self.archive.settings().revisit_from {
            return Ok(None);
        }
        let new = self
            .conn
            .prepare_cached("INSERT INTO payloads VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
            .execute((digest.prefix(), id))?;
        if new == 1 {
            return Ok(None);
        }
        self.conn
            .prepare_cached(
                "SELECT p.id, p.url, p.fetch_time FROM payloads d JOIN pages p ON p.id = d.page
                 WHERE d.digest = ?1 AND p.digest = ?2 AND p.original IS NULL",
            )?
            .query_row((digest.prefix(), &digest.0[..]), revisit_of)
            .optional()
    }

    /// The newest capture with this key, or the one that it confirms; `filter` is SQL that is appended to the condition.
    fn newest(&self, key: &str, filter: &str) -> rusqlite::Result<Option<PageRow>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM pages WHERE id = (SELECT {CONTENT} FROM pages
             WHERE key_hash = ?1 AND coalesce(key, url) = ?2 {filter} ORDER BY id DESC LIMIT 1)"
        );
        self.conn
            .prepare_cached(&sql)?
            .query_row((key_hash(key) as i64, key), |row| self.read_row(row))
            .optional()
    }

    /// The newest capture with this request key, whether it is a page of the site or something
    /// else that was archived, such as robots.txt.
    pub fn find_capture(&self, key: &str) -> Result<Option<PageRow>, StoreError> {
        self.newest(key, "").map_err(self.db("find a page"))
    }

    fn read_row(&self, row: &Row<'_>) -> rusqlite::Result<PageRow> {
        let url: String = row.get(0)?;
        let digest: [u8; 20] = row.get(4)?;
        Ok(PageRow {
            fetch_time: Timestamp(row.get(1)?),
            fetch_status: row.get(2)?,
            content_mime_detected: row.get(3)?,
            content_digest: Sha1Digest(digest).to_string(),
            warc_filename: format!("pages/{}", file_name(row.get(5)?)),
            warc_record_offset: row.get::<_, i64>(6)? as u64,
            warc_record_length: row.get::<_, i64>(7)? as u64,
            key: row.get::<_, Option<String>>(8)?.unwrap_or_else(|| url.clone()),
            content_mime_type: row.get(9)?,
            fetch_redirect: row.get(10)?,
            content_truncated: row.get::<_, Option<String>>(11)?.as_deref().and_then(truncation),
            depth: row.get(12)?,
            via: self.via_text(row.get_ref(13)?)?,
            url,
        })
    }

    /// Calls `visit` with every row that `filter` (SQL) lets through, until it fails.
    pub(crate) fn each_row(
        &self,
        filter: &str,
        visit: &mut dyn FnMut(PageRow) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.each_row_of(&format!("SELECT {COLUMNS} FROM pages WHERE {filter} ORDER BY id"), visit)
    }

    fn each_row_of(
        &self,
        sql: &str,
        visit: &mut dyn FnMut(PageRow) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut statement = self.conn.prepare(sql).map_err(self.db("list the pages"))?;
        let mut rows = statement.query([]).map_err(self.db("list the pages"))?;
        while let Some(row) = rows.next().map_err(self.db("list the pages"))? {
            visit(self.read_row(row).map_err(self.db("list the pages"))?)?;
        }
        Ok(())
    }

    /// Calls `visit` with every page once, as it was found last, in the order in which they were first put.
    pub(crate) fn each_page(
        &self,
        visit: &mut dyn FnMut(PageRow) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        if self.round.round.number == 1 {
            return self.each_row("is_page", visit);
        }
        // Of a page that is the same: when it was last found so, and the record that has it.
        let sql = format!(
            "SELECT p.url, r.fetch_time, p.status, p.mime_detected, p.digest, p.file, p.offset,
             p.length, p.key, p.mime_type, p.redirect, p.truncated, r.depth, r.via
             FROM ({NEWEST}) n
             JOIN (SELECT *, {CONTENT} AS content FROM pages) r ON r.id = n.newest
             JOIN pages p ON p.id = r.content ORDER BY n.first"
        );
        self.each_row_of(&sql, visit)
    }

    /// Row and key of each page that is there, was answered with success and holds HTML, in the order in which they were first
    /// put.
    pub(crate) fn html_pages(&self) -> Result<Vec<(i64, String)>, StoreError> {
        let list = || {
            let mut statement = self.conn.prepare(&format!(
                "SELECT p.id, coalesce(p.key, p.url) FROM ({NEWEST}) n
                 JOIN (SELECT id, {CONTENT} AS content FROM pages) r ON r.id = n.newest
                 JOIN pages p ON p.id = r.content
                 WHERE p.status BETWEEN 200 AND 299
                 AND p.mime_detected IN ('text/html', 'application/xhtml+xml') ORDER BY n.first"
            ))?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect::<Result<Vec<_>, _>>()
        };
        list().map_err(self.db("list the pages"))
    }

    /// The pages that the present round has seen, in their order, redirects included: id, and links from a seed.
    pub fn archived_pages(&self) -> Result<Vec<(i64, u32)>, StoreError> {
        let list = || {
            let mut statement = self.conn.prepare(&format!(
                "SELECT {CONTENT}, depth FROM pages WHERE id >= ?1 AND is_page
                 AND (status BETWEEN 300 AND 399
                      OR mime_detected IN ('text/html', 'application/xhtml+xml')) ORDER BY id"
            ))?;
            let first = self.round.first_page;
            let rows = statement.query_map([first], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect::<Result<Vec<_>, _>>()
        };
        list().map_err(self.db("list the pages"))
    }

    /// What was asked and answered, by the id of a page.
    pub fn read_page(&self, id: i64) -> Result<Exchange, StoreError> {
        let span = self.span("id = ?1", [id]).map_err(self.db("find a page"))?;
        self.read_span(&span)
    }

    pub(crate) fn connection(&self) -> (&Connection, PathBuf) {
        (&self.conn, self.db.clone())
    }

    fn span(&self, condition: &str, value: impl rusqlite::Params) -> rusqlite::Result<Span> {
        let sql = format!(
            "SELECT file, offset, request_length, length, metadata_length, original,
             (SELECT r.length FROM renderings r WHERE r.page = pages.id)
             FROM pages WHERE {condition}"
        );
        self.conn.prepare_cached(&sql)?.query_row(value, |row| {
            Ok(Span {
                file: row.get(0)?,
                offset: row.get::<_, i64>(1)? as u64,
                request: row.get::<_, i64>(2)? as u64,
                response: row.get::<_, i64>(3)? as u64,
                metadata: row.get::<_, i64>(4)? as u64,
                original: row.get(5)?,
                conversion: row.get::<_, Option<i64>>(6)?.unwrap_or(0) as u64,
            })
        })
    }

    fn read_span(&self, span: &Span) -> Result<Exchange, StoreError> {
        let start = span.offset - span.request;
        let length = span.request + span.response + span.metadata + span.conversion;
        let bytes = self.archive.read(span.file, start, length)?;
        let (request, rest) = bytes.split_at(span.request as usize);
        let (response, rest) = rest.split_at(span.response as usize);
        let (metadata, conversion) = rest.split_at(span.metadata as usize);
        let damaged = || WarcIssue {
            path: self.archive.path(span.file),
            offset: span.offset,
            problem: WarcProblem::Corrupt,
        };
        let record = |bytes, offset| read_member(bytes, offset).ok_or_else(damaged);
        let parts = CaptureParts {
            request: Some(record(request, start)?),
            response: record(response, span.offset)?,
            metadata: Some(record(metadata, span.offset + span.response)?),
            conversion: match span.conversion {
                0 => None,
                _ => {
                    let offset = span.offset + span.response + span.metadata;
                    Some(record(conversion, offset)?)
                }
            },
        };
        let page = exchange_of(parts, &self.limits).ok_or_else(damaged)?;
        let mut exchange = page.exchange;
        if let Some(original) = span.original {
            let original = self.span("id = ?1", [original]).map_err(self.db("find a page"))?;
            let original = self.read_span(&original)?;
            exchange.response.body = original.response.body;
            restore_decoded(&mut exchange.response, page.decoded_length, &self.limits);
        }
        Ok(exchange)
    }
}

impl PageStore for Project {
    type Error = StoreError;

    fn put(&mut self, capture: &Capture<'_>) -> Result<PageRow, StoreError> {
        self.change(|project| project.put_capture(capture))
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.commit_all()?;
        // Pages are on disk before others are told that they need not be asked.
        self.shared.as_mut().map_or(Ok(()), |shared| shared.commit())
    }

    fn each(&self, visit: &mut dyn FnMut(PageRow)) -> Result<(), StoreError> {
        self.each_row("is_page AND file > 0", &mut |row| {
            visit(row);
            Ok(())
        })
    }

    fn find(&self, key: &str) -> Result<Option<PageRow>, StoreError> {
        self.newest(key, "AND is_page").map_err(self.db("find a page"))
    }

    fn read(&self, row: &PageRow) -> Result<Exchange, StoreError> {
        let file = row.warc_filename.strip_prefix("pages/quarry-");
        let file = file.and_then(|name| name.strip_suffix(".warc.gz")?.parse::<u32>().ok());
        let place = (key_hash(&row.key) as i64, file.unwrap_or(0), row.warc_record_offset as i64);
        let span = self
            .span("key_hash = ?1 AND file = ?2 AND offset = ?3", place)
            .map_err(self.db("find a page"))?;
        self.read_span(&span)
    }
}

fn revisit_of(row: &Row<'_>) -> rusqlite::Result<(i64, RevisitOf)> {
    Ok((row.get(0)?, RevisitOf { url: row.get(1)?, at: Timestamp(row.get(2)?) }))
}

fn page_row(capture: &Capture<'_>, digest: Sha1Digest, located: &Located, key: &str) -> PageRow {
    let exchange = capture.exchange;
    let response = &exchange.response;
    PageRow {
        url: exchange.request.url.clone(),
        fetch_time: exchange.at,
        fetch_status: response.status,
        content_mime_detected: capture.mime_detected.to_owned(),
        content_digest: digest.to_string(),
        warc_filename: format!("pages/{}", file_name(located.file)),
        warc_record_offset: located.offset,
        warc_record_length: located.lengths.response,
        key: key.to_owned(),
        content_mime_type: response.headers.get("content-type").map(str::to_owned),
        fetch_redirect: response.location().map(str::to_owned),
        content_truncated: response.truncated,
        depth: capture.depth,
        via: capture.via.map(str::to_owned),
    }
}

pub(crate) fn truncation_name(truncation: Truncation) -> &'static str {
    match truncation {
        Truncation::Length => "length",
        Truncation::Time => "time",
        Truncation::Disconnect => "disconnect",
    }
}

fn truncation(name: &str) -> Option<Truncation> {
    match name {
        "length" => Some(Truncation::Length),
        "time" => Some(Truncation::Time),
        "disconnect" => Some(Truncation::Disconnect),
        _ => None,
    }
}
