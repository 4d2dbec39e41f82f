//! Is the kind of content found?

use quarry_content::detect_mime;

#[test]
fn detects_kinds() {
    fn check(content: &[u8], declared: &str, expect: &str) {
        let declared = (!declared.is_empty()).then_some(declared);
        let found = detect_mime(content, declared);
        assert_eq!(found, expect, "{:?} declared {declared:?}", String::from_utf8_lossy(content));
    }
    check(b"", "", "text/plain");
    check(b"", "text/html; charset=utf-8", "text/html");
    check(b"  <!DOCTYPE html><p>", "", "text/html");
    check(b"<!-- x --><!-- y -->\n<html>", "", "text/html");
    check(b"<div class=x>", "", "text/html");
    check(b"<divine>", "", "text/plain");
    check(b"\xef\xbb\xbf<html>", "", "text/html");
    check(b"\xff\xfe<\0h\0t\0m\0l\0>\0", "", "text/html");
    check(b"hello", "TEXT/HTML", "text/html");
    check(b"<html>", "text/plain", "text/plain");
    check(b"<?xml version='1.0'?><html xmlns='x'>", "", "application/xhtml+xml");
    check(b"<?xml version='1.0'?><html xmlns='x'>", "text/html", "text/html");
    check(b"<html xmlns='x'>", "application/xhtml+xml", "application/xhtml+xml");
    check(b"<?xml version='1.0'?><rss version='2.0'>", "text/html", "application/rss+xml");
    check(b"<?xml version='1.0'?><!-- c --><a:feed >", "", "application/atom+xml");
    check(b"<?xml version='1.0'?><urlset >", "text/xml", "application/xml");
    check(b"<svg width='1'>", "", "image/svg+xml");
    check(b"<!DOCTYPE svg PUBLIC ''><svg >", "image/svg+xml", "image/svg+xml");
    check(b"{\"a\":1}", "", "application/json");
    check(b"[ 1, 2]", "", "application/json");
    check(b"{curly}", "", "text/plain");
    check(b"x", "application/json;charset=utf-8", "application/json");
    check(b"a{}", "text/css", "text/css");
    check(b"var a", "application/x-javascript", "text/javascript");
    check(b"%PDF-1.4", "text/html", "application/pdf");
    check(b"\x89PNG\r\n\x1a\n....", "", "image/png");
    check(b"RIFF....WEBPVP8 ", "", "image/webp");
    check(b"RIFF", "", "text/plain");
    check(b"\x1f\x8b\x08\0", "text/html", "application/gzip");
    check(b"PK\x03\x04", "", "application/zip");
    check(b"\0\0\0\x20ftypisom", "", "video/mp4");
    check(b"\x01\x02\x03", "", "application/octet-stream");
    check(b"\x01\x02\x03", "text/html", "application/octet-stream");
    check("caf\u{e9} \u{4e2d}".as_bytes(), "", "text/plain");
}

#[test]
fn a_page_with_a_stray_control_byte_is_one() {
    let page = b"<html><body>\x01<p>A page with one byte that no text has, as old databases print them.</p>\x0b</body>";
    assert_eq!(detect_mime(page, Some("text/html; charset=utf-8")), "text/html");
    assert_eq!(detect_mime(page, None), "application/octet-stream");
    // Mostly binary stays binary whatever it is called.
    let binary: Vec<u8> = (0..200).map(|n| (n % 16) as u8).collect();
    assert_eq!(detect_mime(&binary, Some("text/html")), "application/octet-stream");
}
