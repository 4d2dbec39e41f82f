//! Are pages found in every kind of input?

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use quarry_model::conformance::page_store::{capture, page};
use quarry_model::{Capture, PageStore};
use quarry_store::{Input, StoreError, open_input};

use crate::{chain, open};

fn input(path: &Path) -> Result<Input, StoreError> {
    open_input(&[path.to_owned()], None)
}

fn ids(input: &Input) -> Vec<&str> {
    input.ids().collect()
}

fn write(path: PathBuf, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_folder_of_html_files() {
    let dir = tempfile::tempdir().unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), Compression::default());
    gz.write_all(b"<p>packed").unwrap();
    write(dir.path().join("b.html"), b"<p>b");
    write(dir.path().join("sub/deep/a.HTM"), b"<p>a");
    write(dir.path().join("sub/c.xhtml.gz"), &gz.finish().unwrap());
    write(dir.path().join("a.testhtml"), b"<p>t");
    write(dir.path().join("style.css"), b"p {}");
    write(dir.path().join("page.gz"), b"");
    let list = dir.path().join("urls.jsonl");
    fs::write(&list, "{\"file\": \"b.html\", \"url\": \"http://a.example/b\", \"more\": 1}\n\n")
        .unwrap();
    let input = open_input(&[dir.path().to_owned()], Some(&list)).unwrap();
    assert_eq!(ids(&input), ["a.testhtml", "b.html", "sub/c.xhtml.gz", "sub/deep/a.HTM"]);
    let pages: Vec<_> = input.pages().map(Result::unwrap).collect();
    assert_eq!(pages[1].bytes, b"<p>b");
    assert_eq!(pages[1].url.as_deref(), Some("http://a.example/b"));
    assert_eq!((pages[2].bytes.as_slice(), &pages[2].url), (&b"<p>packed"[..], &None));
    assert_eq!(input.get("sub/deep/a.HTM").unwrap().unwrap().bytes, b"<p>a");
    assert_eq!(input.get("nothing").unwrap(), None);
}

#[test]
fn a_project_and_its_archive_give_the_same_pages() {
    let dir = tempfile::tempdir().unwrap();
    let mut project = open(dir.path());
    let mut put = |url: &str, body: &[u8], status: u16, mime_detected: &str, is_page: bool| {
        let mut exchange = page(url, body);
        exchange.response.status = status;
        if mime_detected != "text/html" {
            exchange.response.headers.0[0].1 = mime_detected.to_owned();
        }
        let capture = Capture { mime_detected, is_page, ..capture(&exchange) };
        project.put(&capture).unwrap();
    };
    put("http://a.example/2", b"<p>two", 200, "text/html", true);
    put("http://a.example/1", b"<p>one", 200, "text/html", true);
    put("http://a.example/gone", b"<p>gone", 404, "text/html", true);
    put("http://a.example/x.json", b"{}", 200, "application/json", true);
    put("http://a.example/sitemap", b"<p>map", 200, "text/html", false);
    put("http://a.example/2", b"<p>two, newer", 200, "text/html", true);
    project.commit().unwrap();
    drop(project);
    let warc = dir.path().join("pages/quarry-00001.warc.gz");
    for path in [dir.path(), warc.as_path(), &dir.path().join("pages")] {
        let input = input(path).unwrap();
        assert_eq!(ids(&input), ["http://a.example/2", "http://a.example/1"], "{path:?}");
        let pages: Vec<_> = input.pages().map(Result::unwrap).collect();
        assert_eq!(pages[0].bytes, b"<p>two, newer");
        assert_eq!(pages[0].url.as_deref(), Some("http://a.example/2"));
        assert_eq!(pages[0].content_type.as_deref(), Some("text/html; charset=utf-8"));
        assert_eq!(input.get("http://a.example/1").unwrap().as_ref(), Some(&pages[1]));
        assert!(input.issues().is_empty());
    }
}

#[test]
fn what_is_no_input_is_told() {
    fn check(result: Result<Input, StoreError>, words: &str) {
        let text = chain(&result.err().expect("an error"));
        assert!(text.contains(words), "{text:?} does not say {words:?}");
    }
    let dir = tempfile::tempdir().unwrap();
    check(input(&dir.path().join("missing.html")), "cannot open");
    check(input(dir.path()), "no pages in");
    write(dir.path().join("x.pdf"), b"%PDF");
    check(input(&dir.path().join("x.pdf")), "is not an input");
    write(dir.path().join("x.warc"), b"");
    check(input(&dir.path().join("x.warc")), "no pages in");
    write(dir.path().join("a/x.html"), b"");
    write(dir.path().join("b/x.html"), b"");
    let both = [dir.path().join("a"), dir.path().join("b")];
    check(open_input(&both, None), "two inputs have a page called x.html");
    write(dir.path().join("list"), b"{\"file\": \"x\", \"url\": \"y\"}\n{\"file\": 1}");
    check(open_input(&both[..1], Some(&dir.path().join("list"))), "line 2 of");
}
