//! Writes a CDXJ index beside the archive files, as pywb and other
//! replay tools read it: one line per capture, sorted by address and time.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use quarry_model::Timestamp;
use rusqlite::functions::FunctionFlags;
use serde::Serialize;

use crate::archive::file_name;
use crate::warc::Sha1Digest;
use crate::whole::whole;
use crate::{Project, StoreError, surt};

/// The JSON part of a line. Numbers are strings, as in the indexes of others.
#[derive(Serialize)]
struct Line<'a> {
    url: &'a str,
    mime: &'a str,
    status: String,
    digest: String,
    length: String,
    offset: String,
    filename: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'a str>,
    #[serde(rename = "requestBody", skip_serializing_if = "Option::is_none")]
    request_body: Option<&'a str>,
}

impl Project {
    /// Writes `pages/index.cdxj` for everything that is committed, and says where it is. The file
    /// is replaced at once, when it is whole. SQLite sorts, on disk if it must.
    pub fn write_cdxj(&self) -> Result<PathBuf, StoreError> {
        let path = self.dir().join("pages/index.cdxj");
        whole(&path, |partial| self.write_partial(partial)).map(|()| path)
    }

    fn write_partial(&self, partial: &Path) -> Result<(), StoreError> {
        let file = File::create(partial).map_err(StoreError::io("create", partial))?;
        let mut out = BufWriter::new(file);
        self.write_lines(&mut out, partial)?;
        let file =
            out.into_inner().map_err(|e| StoreError::io("write", partial)(e.into_error()))?;
        file.sync_all().map_err(StoreError::io("sync", partial))
    }

    fn write_lines(&self, out: &mut dyn Write, path: &Path) -> Result<(), StoreError> {
        let (conn, db) = self.connection();
        let read = |error| StoreError::db("index the pages", &db)(error);
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
        conn.create_scalar_function("cdxj_key", 3, flags, |context| {
            let (url, key, time): (String, Option<String>, i64) =
                (context.get(0)?, context.get(1)?, context.get(2)?);
            Ok(sort_key(&url, key.as_deref(), Timestamp(time)))
        })
        .map_err(read)?;
        let mut statement = conn
            .prepare(
                "SELECT cdxj_key(url, key, fetch_time) AS k, url, key, mime_detected, status,
                 digest, length, offset, file, original FROM pages WHERE file > 0 ORDER BY k, id",
            )
            .map_err(read)?;
        let mut rows = statement.query([]).map_err(read)?;
        while let Some(row) = rows.next().map_err(read)? {
            let line = || -> rusqlite::Result<String> {
                let (url, key): (String, Option<String>) = (row.get(1)?, row.get(2)?);
                let body = key.as_deref().and_then(|key| post_body(&url, key));
                let mime: String = row.get(3)?;
                // A 304 answer is one, too.
                let revisit =
                    row.get::<_, Option<i64>>(9)?.is_some() || row.get::<_, u16>(4)? == 304;
                let json = Line {
                    url: &url,
                    mime: if revisit { "warc/revisit" } else { &mime },
                    status: row.get::<_, u16>(4)?.to_string(),
                    digest: format!("sha1:{}", Sha1Digest(row.get(5)?)),
                    length: row.get::<_, i64>(6)?.to_string(),
                    offset: row.get::<_, i64>(7)?.to_string(),
                    filename: file_name(row.get(8)?),
                    method: body.map(|_| "POST"),
                    request_body: body,
                };
                let json = serde_json::to_string(&json)
                    .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
                Ok(format!("{} {json}\n", row.get::<_, String>(0)?))
            };
            let line = line().map_err(read)?;
            out.write_all(line.as_bytes()).map_err(StoreError::io("write", path))?;
        }
        Ok(())
    }
}

/// SURT and time. The body of a POST becomes part of the address, as replay tools do it.
fn sort_key(url: &str, key: Option<&str>, at: Timestamp) -> String {
    let time = at.compact();
    match key.and_then(|key| post_body(url, key)) {
        Some(body) => {
            let mark = if url.contains('?') { '&' } else { '?' };
            format!("{} {time}", surt(&format!("{url}{mark}__wb_method=POST&{body}")))
        }
        None => format!("{} {time}", surt(url)),
    }
}

/// The body of the POST that has this key.
fn post_body<'a>(url: &str, key: &'a str) -> Option<&'a str> {
    key.strip_prefix("POST ")?.strip_prefix(url)?.strip_prefix(' ')
}
