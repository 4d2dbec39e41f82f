//! Which encoding is taken, and who said so.

use quarry_dom::CharsetSource::{ByteOrderMark, Detected, Header, Meta};
use quarry_dom::{CharsetSource, Document, Limits, NodeId};

fn check(bytes: &[u8], content_type: Option<&str>, name: &str, source: CharsetSource, text: &str) {
    let document = Document::parse(bytes, content_type, &Limits::default());
    let charset = document.charset();
    let shown = String::from_utf8_lossy(bytes);
    assert_eq!((charset.name(), charset.source()), (name, source), "{shown}");
    assert_eq!(document.folded_text(NodeId::ROOT), text, "{shown}");
}

#[test]
fn the_byte_order_mark_comes_first() {
    check(b"\xef\xbb\xbf\xc3\xa9", Some("text/html; charset=latin1"), "UTF-8", ByteOrderMark, "é");
    check(b"\xff\xfee\x00\xe9\x00", None, "UTF-16LE", ByteOrderMark, "eé");
    check(b"\xfe\xff\x00e\x00\xe9", Some("text/html"), "UTF-16BE", ByteOrderMark, "eé");
}

#[test]
fn then_the_header() {
    let page = b"<meta charset=utf-8>\xe9";
    check(page, Some("text/html; charset=ISO-8859-1"), "windows-1252", Header, "é");
    check(page, Some("text/html;Charset=\"latin1\" ; x=y"), "windows-1252", Header, "é");
    check(b"\xcf\xf0\xe8", Some("text/html; charset=windows-1251"), "windows-1251", Header, "При");
    check(
        b"<meta charset=utf-8>\xc3\xa9",
        Some("text/html; charset=none-such"),
        "UTF-8",
        Meta,
        "é",
    );
    check(b"<meta charset=utf-8>\xc3\xa9", Some("charset"), "UTF-8", Meta, "é");
}

#[test]
fn then_meta() {
    check(b"<meta charset=latin1>\xe9", None, "windows-1252", Meta, "é");
    check(b"<META CHARSET='windows-1251' />\xcf", None, "windows-1251", Meta, "П");
    let pragma = "<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>";
    check(&[pragma.as_bytes(), b"\xf0"].concat(), None, "KOI8-R", Meta, "П");
    let turned = "<meta content=\"text/html; charset = 'koi8-r'\" http-equiv=\"content-type\">";
    check(&[turned.as_bytes(), b"\xf0"].concat(), None, "KOI8-R", Meta, "П");
    check(b"<?xml version='1.0' encoding=\"koi8-r\"?><p>\xf0", None, "KOI8-R", Meta, "П");
    // Nobody who can write ASCII writes UTF-16.
    check("<meta charset=utf-16le>é".as_bytes(), None, "UTF-8", Meta, "é");
    check(b"<meta charset=x-user-defined>\xe9", None, "windows-1252", Meta, "é");
    check(
        b"<a title='<meta charset=koi8-r>'><meta charset=latin1>\xe9",
        None,
        "windows-1252",
        Meta,
        "é",
    );
    check(
        b"<!-- <meta charset=koi8-r> --><meta charset=latin1>\xe9",
        None,
        "windows-1252",
        Meta,
        "é",
    );
    check(b"<!--><meta charset=latin1>\xe9", None, "windows-1252", Meta, "é");
    check(b"<meta charset=latin1 charset=koi8-r>\xe9", None, "windows-1252", Meta, "é");
}

#[test]
fn then_the_bytes() {
    check("é".as_bytes(), None, "UTF-8", Detected, "é");
    check(b"ascii", None, "UTF-8", Detected, "ascii");
    check(b"", None, "UTF-8", Detected, "");
    check(
        b"Le caf\xe9 est tr\xe8s bon, merci beaucoup",
        None,
        "windows-1252",
        Detected,
        "Le café est très bon, merci beaucoup",
    );
    let (russian, ..) =
        encoding_rs::WINDOWS_1251.encode("Привет, как дела? Сегодня хорошая погода.");
    check(&russian, None, "windows-1251", Detected, "Привет, как дела? Сегодня хорошая погода.");
    let (japanese, ..) =
        encoding_rs::SHIFT_JIS.encode("これは日本語のページです。よろしくお願いします。");
    check(
        &japanese,
        None,
        "Shift_JIS",
        Detected,
        "これは日本語のページです。よろしくお願いします。",
    );
    // Not said in a way that counts.
    check(
        "<meta name=x content='text/html; charset=koi8-r'>é".as_bytes(),
        None,
        "UTF-8",
        Detected,
        "é",
    );
    check("<meta charset=none-such>é".as_bytes(), None, "UTF-8", Detected, "é");
    let late = format!("{}<meta charset=koi8-r>é", " ".repeat(1024));
    check(late.as_bytes(), None, "UTF-8", Detected, "é");
}

#[test]
fn a_page_that_was_cut_inside_a_character_is_still_what_it_was() {
    let limits = Limits { bytes: 3, ..Limits::default() };
    let document = Document::parse("éé".as_bytes(), None, &limits);
    assert_eq!(document.charset().name(), "UTF-8");
    assert!(document.cut().bytes);
    assert!(document.charset().malformed());
}
