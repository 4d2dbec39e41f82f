//! Tag soup for property tests: pieces of mark-up in any order, most of them wrong.

use proptest::prelude::*;
use proptest::test_runner::Config;

/// So many cases, or as many as `PROPTEST_CASES` says: with a million of them, and `--release`,
/// the property tests are the crate's fuzzing.
pub fn cases(cases: u32) -> Config {
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => Config::default(),
        None => Config::with_cases(cases),
    }
}

/// Not among them: `<pre>` or `<listing>` without their newline, because html5ever forgets that the
/// newline is no content where a parse error comes between (it takes the error for a token); nor
/// MathML's integration points, which the other tree does not know.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    "text", " ", "\n", "a & b", "é", "\u{a0}", "\0", "\r\n", "\r", "x<y", "<", "</", "</>", "<!", "<?xml ?>", "&", "&amp;", "&amp", "&notit;", "&#x", "&#x41;", "&#128;", "&lt",
    "<div>", "</div>", "<p>", "</p>", "<p class='a b' id=x>", "<span>", "</span>", "<b>", "</b>", "<b x=1>", "<i>", "</i>", "<a href='/x'>", "</a>", "<a>", "<font size=1>", "</font>", "<nobr>", "</nobr>",
    "<ul>", "<li>", "</li>", "</ul>", "<dl><dt>", "<dd>", "</dl>", "<h1>", "</h1>", "<h2>", "</h3>", "<br>", "</br>", "<br/>", "<hr>", "<img src=x alt='y'>", "<image>", "<input type=hidden>", "<input type=text name=q>",
    "<table>", "</table>", "<tr>", "</tr>", "<td>", "</td>", "<th>", "<tbody>", "</tbody>", "<thead>", "<caption>", "</caption>", "<col>", "<colgroup>",
    "<form>", "</form>", "<form action=/a>", "<select>", "</select>", "<option>", "<option selected>", "<optgroup label=g>", "<textarea>\n", "</textarea>", "<button>", "</button>", "<label for=x>", "</label>", "<fieldset>", "<legend>",
    "<script>", "</script>", "<script><!--", "-->", "--!>", "<style>", "</style>", "<title>", "</title>", "</title", "</TITLE >", "<noscript>", "</noscript>", "<template>", "</template>", "<iframe>", "</iframe>", "<xmp>", "<plaintext>",
    "<!-- c -->", "<!-->", "<!--->", "<!--", "<!---", "<!-- -- -->", "<!-- <!-- -->", "<!doctype html>", "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 3.2//EN\">", "<!doctype", "<!doctype html system 'x' y>", "<![CDATA[", "]]>",
    "<html lang=en>", "<html x=1>", "<head>", "</head>", "<body class=z>", "</body>", "</html>", "<frameset>", "<frame>", "<base href=/b/>", "<meta charset=utf-8>",
    "<svg>", "</svg>", "<svg viewbox='0'>", "<path d='M0'/>", "<g>", "<foreignObject>", "</foreignobject>", "<desc>", "<svg:x xlink:href=y>", "<math>", "</math>", "<mi>", "<annotation-xml>", "<mglyph>", "<malignmark>",
    "<my-card data-Long-Name=v>", "</my-card>", "<a/b>", "<x y='1' y=\"2\" Z>", "<div a=>", "<div a=b/>", "<div a='&copy=1&amp;2'>", "<div =x>", "<div \"=y>", "<div a", "<div a='", "<x[1]>", "<DIV CLASS=Up>", "<applet>", "</applet>", "<marquee>", "<object>", "</object>", "<center>", "<pre>\n", "<listing>\n", "<ruby>a<rt>b<rp>c",
    "<div hidden>", "<div style='display:none'>", "<em>", "</em>", "<strong>", "</strong>", "<u>", "</u>", "<s>", "<tt>", "<code>", "<small>", "<big>", "<nav>", "<main>", "<section>", "</section>", "<dialog>", "<details><summary>", "<selectedcontent>", "<wbr>", "<keygen>", "<isindex>", "<rb>", "<rtc>",
];

/// Up to `len` pieces.
pub fn soup(len: usize) -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(PIECES), 0..len).prop_map(|p| p.concat())
}
