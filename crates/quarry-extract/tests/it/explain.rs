//! What a person is shown: the reasons in words, and the copy of the page with frames.

use proptest::prelude::*;
use quarry_dom::{Document, Kind, NodeId, Tag};
use quarry_extract::explain::{
    Frame, FrameRole, Note, draw, explain_choice, legend, record_frames,
};
use quarry_extract::find::{PageInput, RecordsConfig, find_records};

use crate::records::{find, shop, snippet, title};

fn answers(page: usize, count: usize) -> String {
    let record = |n: usize| {
        let (title, snippet) = (title(page, n), snippet(page, n));
        format!("<li class='hit'><h3><a href='/{page}/{n}'>{title}</a></h3><p>{snippet}</p></li>")
    };
    format!("<ul class='hits'>{}</ul>", (0..count).map(record).collect::<String>())
}

fn without_spaces(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}

#[test]
fn the_choice_names_winner_runner_up_and_reasons() {
    let pages: Vec<String> = (0..3).map(|page| shop(page, &answers(page, 6 + page))).collect();
    let (documents, found) = find(&pages, &RecordsConfig::default());
    let (_, considered) = find(&pages, &RecordsConfig::considered());
    let text = explain_choice(&documents[1], &found[1], &considered[1]);
    for part in [
        "region 1: ",
        "7 records",
        "each record is one element (li)",
        "once in a record: h3/a (7 of 7), li.hit/p (7 of 7)",
        "share of the page's fresh text in the records",
        "best elsewhere: ",
        "behind the best:",
        "lost by",
        "lists of records were considered",
    ] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
}

#[test]
fn a_page_without_records_says_what_came_closest() {
    let page = "<p>nothing was found</p><ul><li><a href=/a>Home</a><li><a href=/b>Help</a></ul>";
    let pages = [page.to_owned()];
    let (documents, found) = find(&pages, &RecordsConfig::default());
    let (_, considered) = find(&pages, &RecordsConfig::considered());
    let text = explain_choice(&documents[0], &found[0], &considered[0]);
    assert!(text.contains("no region") && text.contains("closest: /html/body/ul"), "{text}");
    let (documents, found) = find(&["<p>lost".to_owned()], &RecordsConfig::considered());
    let text = explain_choice(&documents[0], &found[0], &found[0]);
    assert!(text.contains("nothing repeats"), "{text}");
}

#[test]
fn regions_and_records_have_their_frames() {
    let pages = [shop(1, &answers(1, 5)), shop(2, &answers(2, 4))];
    let (documents, found) = find(&pages, &RecordsConfig::default());
    let copy =
        draw(&documents[0], &record_frames(&found[0]), "page 1", &legend(&documents[0], &found[0]));
    let read = Document::from_html(&copy);
    let framed = |word: &str| -> Vec<NodeId> {
        let said = |node: &NodeId| read.attr(*node, "data-quarry").unwrap_or_default();
        read.all().filter(|node| said(node).split(' ').any(|own| own == word)).collect()
    };
    let answer = framed("answer");
    assert_eq!(answer.len(), 1);
    assert_eq!(read.tag_name(answer[0]), "ul");
    let caption = read.attr(answer[0], "data-quarry-caption").unwrap();
    assert!(caption.starts_with("answer 1: score ") && caption.ends_with("5 records"), "{caption}");
    let mut records = framed("record");
    records.extend(framed("next-record"));
    records.sort_unstable();
    let captions: Vec<&str> =
        records.iter().map(|&node| read.attr(node, "data-quarry-caption").unwrap()).collect();
    assert_eq!(captions, ["1", "2", "3", "4", "5"]);
    assert!(records.iter().all(|&node| read.contains(answer[0], node) && read.is(node, Tag::LI)));
}

#[test]
fn a_text_gets_an_element_of_its_own() {
    let page = Document::from_html("<p>one<br>two &lt;three&gt;</p>");
    let node = page.all().filter(|&node| page.kind(node) == Kind::Text).nth(1).unwrap();
    let frame = |caption: &str| Frame { node, shade: FrameRole::Unit, caption: caption.into() };
    let copy = draw(&page, &[frame("a\"b"), frame("c")], "", &[]);
    let expected = "<p>one<br><span data-quarry=\"unit unit\" data-quarry-caption=\"a&quot;b · c\">\
        two &lt;three&gt;</span></p>";
    assert!(copy.contains(expected), "{copy}");
}

#[test]
fn styles_and_embedded_pictures_stay_links_lead_nowhere() {
    let page = Document::from_html(
        "<head><style>b{color:red;background:url(http://t.example/x)}</style>\
         <link rel=stylesheet href=http://t.example/a.css><base href=http://t.example/>\
         <meta http-equiv=refresh content='0;url=http://t.example/'></head>\
         <body style='margin:0' onload=run()><b style='color:blue'>b</b>\
         <a href='http://t.example/1'>link</a><img src='data:image/gif;base64,R0' alt=dot>\
         <img src=http://t.example/p.png alt=far><form action=/buy><input name=q value=v></form>\
         <svg viewBox='0 0 1 1' onclick=x()><path d='M0 0'/><script>y()</script>\
         <foreignObject><div>in</div></foreignObject></svg>",
    );
    let copy = draw(&page, &[], "title", &[]);
    for kept in [
        "b{color:red;background:no-url(http://t.example/x)}",
        "<body style=\"margin:0\">",
        "<b style=\"color:blue\">b</b>",
        "<a title=\"http://t.example/1\">link</a>",
        "<img src=\"data:image/gif;base64,R0\" alt=\"dot\">",
        "<img alt=\"far\">",
        "<div><input value=\"v\"></div>",
        "<svg viewBox=\"0 0 1 1\"><path d=\"M0 0\"></path>in</svg>",
    ] {
        assert!(copy.contains(kept), "{kept} is missing:\n{copy}");
    }
    assert_harmless(&copy);
}

/// Fails where something of the copy could run, load or lead anywhere.
#[track_caller]
fn assert_harmless(copy: &str) {
    let policy = copy.find("Content-Security-Policy").expect("the policy is there");
    assert!(copy.find("<style").is_none_or(|style| policy < style));
    let read = Document::from_html(copy);
    for node in read.all().filter(|&node| read.is_element(node)) {
        let name = read.tag_name(node);
        let forbidden = [
            "script",
            "iframe",
            "frame",
            "frameset",
            "object",
            "embed",
            "applet",
            "base",
            "link",
            "form",
            "audio",
            "video",
            "source",
            "use",
            "image",
            "animate",
            "set",
            "foreignObject",
            "template",
        ];
        assert!(!forbidden.contains(&name), "<{name}> in\n{copy}");
        for (attribute, value) in read.attrs(node) {
            let picture = name == "img" && attribute == "src" && value.starts_with("data:image/");
            let addresses = [
                "href",
                "src",
                "srcset",
                "srcdoc",
                "action",
                "formaction",
                "background",
                "poster",
                "ping",
            ];
            assert!(!attribute.starts_with("on"), "{attribute} in\n{copy}");
            let here = name == "a" && attribute == "href" && value.starts_with('#');
            assert!(picture || here || !addresses.contains(&attribute), "{attribute} in\n{copy}");
            let policy = value == "Content-Security-Policy";
            assert!(attribute != "http-equiv" || policy, "{attribute}={value} in\n{copy}");
            assert!(attribute != "style" || !fetches(value), "{value}");
        }
        if name == "style" {
            assert!(!fetches(&read.text_content(node)), "{copy}");
        }
    }
}

/// Whether a style fetches something that is not embedded.
fn fetches(css: &str) -> bool {
    let css = css.to_lowercase().replace("no-url(", "");
    css.contains("@import") || css.contains("url(") && !css.contains("url(data:")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn copies_are_harmless_and_say_the_same(soup in soup(), framed in prop::collection::vec(0usize..80, 0..6)) {
        let page = Document::from_html(&soup);
        let frames: Vec<Frame> = framed
            .iter()
            .map(|&at| NodeId((at % page.len()) as u32))
            .map(|node| Frame { node, shade: FrameRole::Record, caption: "<b onx=y>&\"'".into() })
            .collect();
        let node = frames.first().map(|frame| frame.node);
        let note = Note { shade: FrameRole::Answer, text: "the answer".into(), node };
        let copy = draw(&page, &frames, "the copy", &[note]);
        assert_harmless(&copy);
        let read = Document::from_html(&copy);
        let expected = without_spaces(&page.folded_text(NodeId::ROOT)) + "thecopytheanswer";
        prop_assert_eq!(without_spaces(&read.folded_text(NodeId::ROOT)), expected, "{}", copy);
    }

    #[test]
    fn explaining_never_fails(soup in soup()) {
        let page = Document::from_html(&soup);
        let inputs = [PageInput { id: "a", document: &page, cluster: None }];
        let found = find_records(&inputs, &RecordsConfig::default());
        let considered = find_records(&inputs, &RecordsConfig::considered());
        prop_assert!(explain_choice(&page, &found[0], &considered[0]).starts_with("a: cluster 0"));
        prop_assert_eq!(legend(&page, &found[0]).len(), found[0].regions.len());
        draw(&page, &record_frames(&considered[0]), "", &[]);
    }
}

/// Tag soup with everything in it that runs, loads or leads somewhere.
fn soup() -> impl Strategy<Value = String> {
    #[rustfmt::skip]
    let piece = prop_oneof![
        prop::sample::select(vec![
            "<ul>", "<li>", "</li>", "</ul>", "<table>", "<tr>", "<td>", "</td>", "</tr>", "</table>", "<div>", "</div>",
            "<p>", "</p>", "<a href='javascript:x()'>", "</a>", "<b onclick=x()>", "</b>", "<br>", "<select><option>",
            "</select>", "<textarea>", "</textarea>", "<title>", "</title>", "<pre>", "</pre>", "<my-card onx=1>",
        ]).prop_map(str::to_owned),
        prop::sample::select(vec![
            "<script>x()</script>", "<script src=http://x/>", "<iframe src=x srcdoc='<p>'>", "</iframe>", "<object data=x>",
            "</object>", "<embed src=x>", "<form action=x>", "</form>", "<input type=image src=x onfocus=y autofocus>",
            "<meta http-equiv=refresh content='0;url=x'>", "<base href=http://x/>", "<link rel=stylesheet href=x>",
            "<img src=http://x/y onerror=z srcset='a 1x'>", "<video src=x>", "</video>", "<noscript>", "</noscript>",
            "<style>@import 'x';p{background: url(http://x)}</style>", "<p style='background: url(http://x)'>",
            "<svg onload=x()>", "<svg><script>", "</svg>", "<use href='#x'>", "<foreignObject>", "<animate onbegin=x>",
            "<math>", "<mtext>", "<annotation-xml encoding='text/html'>", "</math>", "<style>", "</style>",
            "<template>", "</template>", "<xmp>", "</xmp>", "<body onload=x>", "<html onclick=y>", "<frameset onload=x>",
            "<button formaction=x>", "<marquee onstart=x>", "<!--", "-->", "<![CDATA[", "]]>", "&lt;script&gt;x&lt;/script&gt;",
            "<mglyph>", "<svg><style><img src=x onerror=y>", "<title><img src=x onerror=y></title>", "<desc>", "<body background=x>",
        ]).prop_map(str::to_owned),
        "[a-z]{3,9} ",
    ];
    prop::collection::vec(piece, 1..60).prop_map(|pieces| pieces.concat())
}
