//! Do other programs read our archives, and do we read theirs? With the real ones: `warcio`, which
//! `QUARRY_WARCIO` names, and `wget`, from `QUARRY_WGET` or the search path.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use quarry_store::warc::{ReadLimits, RecordType, Sha1Digest, WarcRecord, read_warc};
use quarry_testsite::{FacetStyle, Fault, Faults, Server, SiteRequest, SiteSpec};
use serde_json::Value;

use crate::program::{Folder, Ran, crawl, front, pages, run, serve};

/// A shop whose every link may be followed: other programs know nothing of carts.
fn plain_shop() -> SiteSpec {
    let mut spec = SiteSpec { entities: 30, ..SiteSpec::preset("shop").unwrap() };
    spec.facets.style = FacetStyle::None;
    spec.traps.actions = false;
    spec.traps.forms = false;
    spec
}

/// The program that the variable names.
pub(crate) fn named(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn warcio() -> Option<PathBuf> {
    // Not from the search path: a version manager leaves a stand-in there for what is not installed.
    let found = named("QUARRY_WARCIO");
    if found.is_none() {
        needed("set QUARRY_WARCIO to test with warcio");
    }
    found
}

fn wget() -> Option<PathBuf> {
    let found = named("QUARRY_WGET").or_else(|| {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|folder| folder.join("wget")).find(|file| file.is_file())
    });
    if found.is_none() {
        skipped("set QUARRY_WGET to test with wget");
    }
    found
}

/// Says that a test needs a program that `.ci/run` installs: there, it fails without.
pub(crate) fn needed(why: &str) {
    assert!(std::env::var_os("CI").is_none(), "{why}");
    skipped(why);
}

/// Tells whoever reads the output of the tests.
#[expect(clippy::print_stderr, reason = "the test has no other way to say so")]
pub(crate) fn skipped(why: &str) {
    eprintln!("skipped: {why}");
}

#[track_caller]
pub(crate) fn succeed(command: &mut Command) -> Output {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{out}\n{err}");
    output
}

/// Address and payload digest of pages.
type Pages = BTreeMap<String, Sha1Digest>;

/// What a project has, by its table of pages.
fn exported(project: &Path) -> Pages {
    let rows = pages(project).into_iter();
    rows.map(|(url, _, digest)| (url, Sha1Digest::parse(&digest).unwrap())).collect()
}

/// Rows of the table of pages.
fn rows(project: &Path) -> Vec<Value> {
    run(["export", "-p", project.to_str().unwrap(), "--table", "pages"]).ended(0).lines()
}

/// The HTML pages of an archive with the digests that its writer gave them.
fn written(file: &Path) -> Pages {
    let records = read_warc(file, &ReadLimits::default()).unwrap();
    let records = records.map(|record| record.unwrap_or_else(|issue| panic!("{issue}")));
    let pages = records.filter(|record| record.kind() == RecordType::Response && is_page(record));
    pages
        .map(|record| {
            let digest = record.headers.get("WARC-Payload-Digest").unwrap();
            let url = record.headers.target().unwrap().to_owned();
            (url, Sha1Digest::parse(digest).unwrap())
        })
        .collect()
}

fn is_page(record: &WarcRecord) -> bool {
    let head = record.block.split(|byte| *byte == b'\n').take_while(|line| line.len() > 1);
    let head: Vec<String> = head.map(|line| String::from_utf8_lossy(line).to_lowercase()).collect();
    head[0].contains(" 200 ") && head.iter().any(|line| line.starts_with("content-type: text/html"))
}

/// Crawls an archive instead of the site.
fn replay(url: &str, archive: &Path, project: &Path) -> Ran {
    run(crawl(url, project, &["--sitemaps", "false", "--replay", archive.to_str().unwrap()]))
}

/// The archive files of a project.
fn archive(project: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(project.join("pages")).unwrap();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "gz"))
        .collect();
    files.sort();
    files
}

#[test]
fn warcio_reads_ours() {
    let Some(warcio) = warcio() else { return };
    let folder = Folder::new();
    let mut spec = plain_shop();
    // Pages that are all the same, to be archived once.
    spec.faults = Faults::one("/shoe/*s-1*", Fault::Soft404);
    let server = serve(spec);
    let project = folder.join("shop");
    let flags = ["--warc-size", "32KB", "--quiet"];
    run(crawl(&front(&server), &project, &flags)).ended(0);
    let files = archive(&project);
    assert!(files.len() > 1, "the archive has several files");

    let mut indexed: BTreeMap<(String, u64), (String, Sha1Digest)> = BTreeMap::new();
    let mut revisits: BTreeSet<String> = BTreeSet::new();
    for file in &files {
        let checked = succeed(Command::new(&warcio).args(["check", "-v"]).arg(file));
        let said = String::from_utf8(checked.stdout).unwrap();
        assert!(said.contains("digest pass"), "{said}");
        let fields = "offset,warc-type,warc-target-uri,warc-payload-digest";
        let index = succeed(Command::new(&warcio).args(["index", "-f", fields]).arg(file));
        for line in String::from_utf8(index.stdout).unwrap().lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let text = |name: &str| line[name].as_str().unwrap().to_owned();
            if matches!(line["warc-type"].as_str(), Some("response" | "revisit")) {
                let name = file.file_name().unwrap().to_str().unwrap().to_owned();
                let digest = Sha1Digest::parse(&text("warc-payload-digest")).unwrap();
                let place = (name, text("offset").parse().unwrap());
                if text("warc-type") == "revisit" {
                    revisits.insert(text("warc-target-uri"));
                }
                indexed.insert(place, (text("warc-target-uri"), digest));
            }
        }
    }
    let rows = rows(&project);
    assert!(rows.len() > 40, "{} pages", rows.len());
    assert!(revisits.len() > 5, "{revisits:?}");
    for (n, row) in rows.iter().enumerate() {
        let (name, offset) = place(row);
        let url = row["url"].as_str().unwrap();
        let digest = Sha1Digest::parse(row["content_digest"].as_str().unwrap()).unwrap();
        let found = indexed.remove(&(name.clone(), offset));
        assert_eq!(found, Some((url.to_owned(), digest)), "{name} at {offset}");
        if n % 10 == 0 && !revisits.contains(url) {
            let file = project.join("pages").join(&name);
            assert_eq!(payload(&warcio, &file, offset), body(&server, url), "{url}");
        }
    }
    // Beside the pages there are only the requests that are about none.
    for (url, _) in indexed.values() {
        let known = ["/robots.txt", "/sitemap.xml", "/no-such-page-"];
        assert!(known.iter().any(|part| url.contains(part)), "{url}");
    }
}

/// In which file, and where in it, a row's record stands.
fn place(row: &Value) -> (String, u64) {
    let name = Path::new(row["warc_filename"].as_str().unwrap()).file_name().unwrap();
    (name.to_str().unwrap().to_owned(), row["warc_record_offset"].as_u64().unwrap())
}

fn payload(warcio: &Path, file: &Path, offset: u64) -> String {
    let mut command = Command::new(warcio);
    let output = succeed(command.args(["extract", "--payload"]).arg(file).arg(offset.to_string()));
    String::from_utf8(output.stdout).unwrap()
}

/// What the site answers, without the network.
fn body(server: &Server, url: &str) -> String {
    let target = url.strip_prefix(server.url()).unwrap();
    server.site().respond(&SiteRequest::get(target)).text()
}

#[test]
fn wgets_are_read() {
    let Some(wget) = wget() else { return };
    for (ending, more) in [("warc.gz", None), ("warc", Some("--no-warc-compression"))] {
        let folder = Folder::new();
        let server = serve(plain_shop());
        let url = front(&server);
        let name = folder.join("site");
        let mut command = Command::new(&wget);
        command.args(["-q", "-r", "-l", "2", "--follow-tags=a", "--no-config", "--no-proxy"]);
        command.arg(format!("--warc-file={}", name.display())).args(more);
        command.arg("-P").arg(folder.join("mirror")).arg(&url);
        succeed(&mut command);
        let file = folder.join(&format!("site.{ending}"));
        let expect = written(&file);
        assert!(expect.len() > 30, "{} pages", expect.len());
        let asked = server.requests();

        let project = folder.join("read");
        let ran = replay(&url, &file, &project);
        // Pages further away than wget went are not in its archive.
        assert!(ran.status < 2, "{}", ran.err);
        assert!(!ran.err.contains("damaged"), "{}", ran.err);
        assert_eq!(server.requests(), asked, "a replay asked the server");
        assert_eq!(exported(&project), expect);

        let half = cut(&file, std::fs::metadata(&file).unwrap().len() / 2);
        let project = folder.join("half");
        let ran = replay(&url, &half, &project);
        assert!(ran.status < 2, "{}", ran.err);
        assert!(ran.err.contains("the archive has a damaged place"), "{}", ran.err);
        let got = exported(&project);
        assert!(got.len() > 10 && got.len() < expect.len(), "{} pages", got.len());
        assert!(got.iter().all(|(url, digest)| expect.get(url) == Some(digest)));
    }
}

/// Writes the pages named as arguments with warcio: a request, a response and a page that comes
/// twice (a revisit); prints address and payload digest of each.
const SCRIPT: &str = r#"
import io, sys, urllib.request
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

out, compress, urls = sys.argv[1], sys.argv[2] == "gzip", sys.argv[3:]
with open(out, "wb") as file:
    writer = WARCWriter(file, gzip=compress, warc_version="1.0")
    writer.write_record(writer.create_warcinfo_record(out, {"software": "warcio"}))
    for number, url in enumerate(urls):
        request = urllib.request.Request(url)
        if number % 2:
            request.add_header("Accept-Encoding", "gzip")
        with urllib.request.urlopen(request) as answer:
            fields, body = answer.getheaders(), answer.read()
        sent = StatusAndHeaders(f"GET {answer.url} HTTP/1.1", [("Host", request.host)], is_http_request=True)
        writer.write_record(writer.create_warc_record(url, "request", http_headers=sent))
        head = StatusAndHeaders("200 OK", fields, protocol="HTTP/1.1")
        record = writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=head)
        writer.write_record(record)
        digest = record.rec_headers.get_header("WARC-Payload-Digest")
        print(url, digest)
        if number == 0:
            date = record.rec_headers.get_header("WARC-Date")
            writer.write_record(writer.create_revisit_record(url, digest, url, date, http_headers=head))
"#;

#[test]
fn warcios_are_read() {
    let Some(warcio) = warcio() else { return };
    let python = warcio.with_file_name("python");
    if !python.is_file() {
        skipped(&format!("there is no python beside {}", warcio.display()));
        return;
    }
    for (ending, form) in [("warc.gz", "gzip"), ("warc", "plain")] {
        let folder = Folder::new();
        let server = serve(plain_shop());
        let url = front(&server);
        let site = server.site();
        let first = site.truth().take(12).map(|line| format!("{}{}", server.url(), line.url));
        let urls: Vec<String> = std::iter::once(url.clone()).chain(first).collect();
        let file = folder.join(&format!("theirs.{ending}"));
        let mut command = Command::new(&python);
        command.args(["-c", SCRIPT]).arg(&file).arg(form).args(&urls);
        let output = succeed(command.env_remove("http_proxy").env_remove("HTTP_PROXY"));
        let printed = String::from_utf8(output.stdout).unwrap();
        let expect: Pages = printed
            .lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(url, digest)| (url.to_owned(), Sha1Digest::parse(digest).unwrap()))
            .collect();
        assert_eq!(expect.len(), urls.len(), "{printed}");

        let asked = server.requests();
        let project = folder.join("read");
        let ran = replay(&url, &file, &project);
        assert!(ran.status < 2, "{}", ran.err);
        assert!(!ran.err.contains("damaged"), "{}", ran.err);
        assert_eq!(server.requests(), asked, "a replay asked the server");
        assert_eq!(exported(&project), expect);
    }
}

/// A copy that ends after so many bytes.
fn cut(file: &Path, length: u64) -> PathBuf {
    let bytes = std::fs::read(file).unwrap();
    let copy = file.with_file_name(format!("cut-{}", file.file_name().unwrap().to_str().unwrap()));
    std::fs::write(&copy, &bytes[..usize::try_from(length).unwrap()]).unwrap();
    copy
}

#[test]
fn a_cut_archive_is_read_up_to_the_cut() {
    let folder = Folder::new();
    let server = serve(plain_shop());
    let url = front(&server);
    let project = folder.join("whole");
    // One at a time and by links only: what leads to a page stands before it.
    let flags = ["--limit", "40", "--per-host", "1", "--sitemaps", "false", "--quiet"];
    run(crawl(&url, &project, &flags)).ended(0);
    let files = archive(&project);
    assert_eq!(files.len(), 1);

    let mut rows = rows(&project);
    rows.sort_by_key(|row| place(row).1);
    let (before, after) = rows.split_at(25);
    let inside = place(&after[0]).1 + after[0]["warc_record_length"].as_u64().unwrap() / 2;
    let ran = replay(&url, &cut(&files[0], inside), &folder.join("cut"));
    assert!(ran.status < 2, "{}", ran.err);
    assert!(ran.err.contains("the archive has a damaged place"), "{}", ran.err);
    assert!(ran.err.contains("the file ends inside this record"), "{}", ran.err);
    let urls = |rows: &[Value]| -> BTreeSet<String> {
        rows.iter().map(|row| row["url"].as_str().unwrap().to_owned()).collect()
    };
    let read = exported(&folder.join("cut"));
    assert_eq!(read.keys().cloned().collect::<BTreeSet<_>>(), urls(before));
    let whole = exported(&project);
    assert!(read.iter().all(|(url, digest)| whole[url] == *digest));
}
