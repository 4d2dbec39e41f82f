//! Our tokenizer makes of every input what html5ever's makes of it.

use proptest::prelude::*;

use crate::reference::difference;
use crate::soup::{cases, soup};

fn check(html: &str) {
    assert_eq!(difference(html), None, "{html:?}");
}

#[test]
fn odd_tags() {
    for html in [
        "<",
        "<>",
        "</",
        "</>",
        "</ x>",
        "<1>",
        "<a",
        "<a ",
        "<a b",
        "<a b=",
        "<a b='",
        "<a b='c'",
        "<a b='c'd=e>",
        "<a/b/c>",
        "<a / >",
        "<a b=c/>",
        "<a =b>",
        "<a b = 'c' d = e f>",
        "<a b=>x",
        "<a b='1' B='2' b=3>",
        "<a\0b \0='\0' c=\0>\0",
        "<A HREF=X>y</A>",
        "<br/>x",
        "</br>",
        "<div/>x",
        "<a b=c&amp;d e='&ampf' g=&lt;>",
        "<p\n\tclass\n=\n'x'\n>",
        "</p x='y' />",
        "<a b=\"c\"\"d\">",
    ] {
        check(html);
        check(&format!("{html}x"));
    }
}

#[test]
fn odd_comments_and_doctypes() {
    for html in [
        "<!-->x",
        "<!--->x",
        "<!---->x",
        "<!--a",
        "<!--a-",
        "<!--a--",
        "<!--a--!",
        "<!--a--!>x",
        "<!--a--!b-->x",
        "<!--a--->x",
        "<!--a<!--b-->x",
        "<!--a<!-->x",
        "<!--a<!->b-->x",
        "<!---x-->",
        "<!-",
        "<!->x",
        "<!x>y",
        "<!",
        "<?x>y",
        "<?",
        "</!x>y",
        "<![CDATA[x]]>y",
        "<!--\0-->",
        "<!\0>",
        "<svg><![CDATA[a<b>&amp;]]>x",
        "<svg><![CDATA[a]]",
        "<svg><![CDATA[a]",
        "<svg><![CDATA[\0a\0]]>",
        "<!doctype>x",
        "<!doctype html",
        "<!doctype html>x",
        "<!DOCTYPE HTML PUBLIC \"a\" 'b'>x",
        "<!doctype html system 'about:legacy-compat'>x",
        "<!doctype html public x>y",
        "<!doctypehtml>x",
        "<!doctype html public 'x>y",
        "<!doctype html public 'x'\"y\">z",
        "<!doctype html system>y",
        "<!doctype html x>y",
        "<!doctype html system 'a' b>c",
    ] {
        check(html);
        // Whether a table closes a paragraph shows the quirks mode that a doctype asked for.
        check(&format!("{html}<p><table>"));
    }
}

#[test]
fn odd_texts() {
    for html in [
        "&",
        "&;",
        "&#",
        "&#;",
        "&#x;",
        "&#xZ",
        "&#65",
        "&#x41;",
        "&#0;",
        "&#x110000;",
        "&#x80;",
        "&#xFFFFFFFFFF;",
        "&noti;",
        "&notin;",
        "&amp;amp;",
        "&ampamp",
        "&bogus;",
        "&AMP",
        "a\0b",
        "\0",
        "<title>a&amp;b</title>c",
        "<title>a</titl",
        "<title>a</title",
        "<title>a</title x",
        "<title>\0&\0",
        "<textarea>\n\na</textarea>b",
        "<textarea>&lt;b></TEXTAREA\n>",
        "<style>a</b>c</style >d",
        "<script>a</script/>b",
        "<script>a</scriptx>b</script>c",
        "<script><!--a</script>b",
        "<script><!--<script>a</script>b--></script>c",
        "<script><!--<script>a</script>b</script>c",
        "<script><!--<script>a-->b</script>c",
        "<script><!-->a</script>b",
        "<script><!--->a</script>b",
        "<script><!-<!--<script></script>-->x</script>y",
        "<script><!--<scriptx></script>a",
        "<script><!--<script\u{c}></script\t></script>a",
        "<script>\0</script>",
        "<script><!--<script",
        "<iframe><p></iframe>a",
        "<xmp><p></xmp>a",
        "<noframes><p></noframes>a",
        "<plaintext></plaintext>\0",
        "<noscript><p>a</noscript>b",
        "<head><noscript><p>a</noscript>b",
        "\u{feff}x",
        "x\u{feff}",
        "a\r\nb\rc\n\rd",
        "<pre>\n\nx",
        "<pre>\r\nx",
        "<listing>\n&#10;x",
        "<pre>&#13;x",
    ] {
        check(html);
    }
}

/// The other tree does not know these integration points, so it is no judge of them.
#[test]
fn html_in_mathml() {
    let html = "<math><annotation-xml encoding=TEXT/html><p>x</p></annotation-xml><mi><p>y";
    let document = quarry_dom::Document::from_html(html);
    let body = document.elements(quarry_dom::Tag::BODY).next().unwrap();
    let expected = r#"
body
  math:math
    math:annotation-xml encoding="TEXT/html"
      p
        "x"
    math:mi
      p
        "y"
"#;
    assert_eq!(document.dump_subtree(body), expected.trim_start());
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn soup_gives_the_same_tree(html in soup(40)) {
        prop_assert_eq!(difference(&html), None);
    }

    #[test]
    fn characters_give_the_same_tree(html in "[<>/!a-cA-C&;#x'\"= \\-\0\r\n\\[\\]ps]{0,60}") {
        prop_assert_eq!(difference(&html), None);
    }
}
