//! Every stage that reads pages, on every kind of page that is made to be slow: four times the page may not take much more
//! than four times the time.

use quarry_dom::{Document, Limits};
use quarry_extract::cluster::PageSignature;
use quarry_extract::detail::learn_details;
use quarry_extract::embedded::embedded_things;
use quarry_extract::find::{PageInput, RecordsConfig, find_records};
use quarry_extract::forms::{Submission, classify_forms};
use quarry_extract::links::read_links;
use quarry_extract::site::{SitePage, SiteReader, learn_site};
use quarry_extract::spec::{SpecConfig, SpecPage, find_specs};
use quarry_extract::template::{TemplateConfig, site};
use url::Url;

use crate::growth::{MOST, TIMES, running};

/// Elements of the smaller page.
const SMALL: usize = 2_000;
/// A ratio that looks bad is measured again so often, each time with larger pages: some work begins at a size, and other work
/// on the machine disturbs caches. What grows with the square looks bad each time.
const TRIES: u32 = 3;
/// Nanoseconds below which a run says nothing.
const LEAST: f64 = 2e6;

/// A kind of page: its name, what stands before and behind its elements, and the element with a number.
type Kind = (&'static str, &'static str, &'static str, fn(usize) -> String);

const KINDS: &[Kind] = &[
    ("anchors", "<div>", "</div>", |n| format!("<a href='/item/{n}'>Item {n}</a>")),
    ("cards", "<ul>", "</ul>", |n| {
        format!(
            "<li class=c{n}><a href=/i/{n}><img src=/p{n}><b>Thing {n}</b></a><i>{n}.99 EUR</i></li>"
        )
    }),
    ("rows", "<table>", "</table>", |n| format!("<tr><th>Name {n}<td>Value {n}<td>{n}</tr>")),
    ("cells of one row", "<table><tr>", "</table>", |n| format!("<td>Cell {n}</td>")),
    ("tables", "", "", |n| format!("<table><tr><td>Name {n}<td>Value {n}</table>")),
    ("nested", "", "", |n| format!("<div>Text {n}")),
    ("nested lists", "<ul>", "", |n| format!("<li>Item {n}<ul>")),
    ("open formats", "<body>", "", |n| format!("<p><b>{n}</p>")),
    ("lines", "<p>", "</p>", |n| format!("Name {n}: Value {n}<br>")),
    ("terms", "<dl>", "</dl>", |n| format!("<dt>Name {n}</dt><dd>Value {n}</dd>")),
    ("headings", "", "", |n| {
        format!("<h{}>Heading {n}</h{}><p>Text {n}</p>", n % 6 + 1, n % 6 + 1)
    }),
    ("selects", "<form action=/s>", "</form>", |n| {
        format!("<select name=s{n}><option value=1>One<option value=2>Two</select>")
    }),
    ("options", "<form action=/s><select name=s>", "</select></form>", |n| {
        format!("<option value={n}>Option {n}")
    }),
    ("radios", "<form action=/s><fieldset>", "</fieldset></form>", |n| {
        format!("<div><input type=radio name=r{n} value=1><span>One</span></div>")
    }),
    ("boxes", "<form action=/s>", "</form>", |n| {
        format!("<h3>H{n}</h3><label><input type=checkbox name=b value={n}> Choice {n} (3)</label>")
    }),
    ("labels", "<form action=/s>", "</form>", |n| {
        format!("<label for=i{n}>Label {n}</label><input id=i{n} name=f{n}>")
    }),
    ("forms", "", "", |n| format!("<form action=/s{n}><input name=q><input type=submit></form>")),
    ("pages", "<nav>", "</nav>", |n| {
        format!("<a href='?page={n}'>{n}</a> <a href='?page={n}'>next</a>")
    }),
    ("facets", "", "", |n| {
        format!("<h4>Facet {n}</h4><a href='?f{n}=1'>One (3)</a> <a href='?f{n}=2'>Two (4)</a>")
    }),
    ("microdata", "", "", |n| {
        format!(
            "<div itemscope itemtype=http://schema.org/Product><i itemprop=name>N {n}</i><i itemprop=sku>{n}</i></div>"
        )
    }),
    ("nested microdata", "", "", |n| {
        format!("<div itemscope itemprop=part><i itemprop=name>N {n}</i>")
    }),
    ("references", "<div itemscope itemref='a0 a1 a2'></div>", "", |n| {
        format!("<div id=a{n} itemscope itemref='a{}'><i itemprop=name>N {n}</i></div>", n + 1)
    }),
    ("linked data", "<script type=application/ld+json>[0", "]</script>", |n| {
        format!(
            ",{{\"@type\":\"Product\",\"@id\":\"#{n}\",\"name\":\"N {n}\",\"isRelatedTo\":{{\"@id\":\"#{}\"}}}}",
            n + 1
        )
    }),
    ("state of scripts", "<script>window.__STATE__=[0", "]</script>", |n| {
        format!(",{{\"id\":{n},\"name\":\"Thing {n}\"}}")
    }),
    ("scripts", "", "", |n| {
        format!("<script>var a{n} = {{\"id\": {n}, \"list\": [{n}]}};</script>")
    }),
    ("style sheet", "<style>", "</style>", |n| {
        format!(".c{n} .d{n} {{ display: none }} .e{n} {{ color: red }}")
    }),
    ("style sheets", "", "", |n| {
        format!("<style>.c{n} {{ display: none }}</style><i class=c{n}>{n}</i>")
    }),
    ("classes", "<p class='", "'>Text</p>", |n| format!("c{n} ")),
    ("attributes", "<p ", ">Text</p>", |n| format!("data-a{n}=v{n} ")),
    ("words", "<p>", "</p>", |n| format!("word{n} ")),
    ("numbers", "<p>", "</p>", |n| format!("{n},")),
    ("entities", "<p>", "</p>", |_| "&lt;&ampx;".to_owned()),
    ("hidden", "", "", |n| {
        format!("<div hidden>Text {n}</div><div style='display:none'>More {n}</div>")
    }),
    ("described", "", "", |n| {
        format!("<div aria-labelledby='l{n} l0'><a href=?x={n}>x</a></div><i id=l{n}>L{n}</i>")
    }),
    ("grids by role", "<div role=grid>", "</div>", |n| {
        format!("<div role=row><div role=gridcell>A {n}</div><div role=gridcell>{n}</div></div>")
    }),
];

fn html(kind: &Kind, count: usize, page: usize) -> String {
    let (_, before, behind, element) = kind;
    // Pages of a site differ in their elements.
    let body: String = (0..count).map(|n| element(n + page)).collect();
    format!("<title>Page {page}</title><h1>Thing {page}</h1>{before}{body}{behind}")
}

/// How the time grows with the size, from larger and larger pages until it looks good.
fn ratios(time: &dyn Fn(usize) -> f64) -> Vec<f64> {
    let mut found = Vec::new();
    for step in 0..TRIES {
        let small = SMALL * TIMES.pow(step);
        let ratio = time(small * TIMES) / time(small).max(LEAST);
        found.push(ratio);
        if ratio < MOST {
            break;
        }
    }
    found
}

fn check(prepare: impl Fn(&str) -> Document, read: impl Fn(&[&Document]) + Sync, pages: usize) {
    let one_thread =
        rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of one thread");
    let mut slow = Vec::new();
    for kind in KINDS {
        let time = |count: usize| {
            let documents: Vec<Document> =
                (0..pages).map(|page| prepare(&html(kind, count, page))).collect();
            let documents: Vec<&Document> = documents.iter().collect();
            one_thread.install(|| {
                let before = running();
                read(&documents);
                running() - before
            })
        };
        let ratios = ratios(&time);
        if ratios.iter().all(|ratio| *ratio >= MOST) {
            slow.push(format!("{}: {TIMES} times the page, {ratios:.1?} times the time", kind.0));
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

fn parsed(html: &str) -> Document {
    Document::from_html(html)
}

fn address() -> Url {
    Url::parse("https://shop.example/list").expect("an address")
}

#[test]
fn parsing() {
    for kind in KINDS {
        let time = |count: usize| {
            let text = html(kind, count, 0);
            let before = running();
            drop(Document::parse(text.as_bytes(), None, &Limits::default()));
            running() - before
        };
        let ratios = ratios(&time);
        assert!(ratios.iter().any(|ratio| *ratio < MOST), "{}: {ratios:.1?}", kind.0);
    }
}

#[test]
fn links() {
    check(parsed, |pages| drop(read_links(pages[0], &address())), 1);
}

#[test]
fn forms() {
    let read = |pages: &[&Document]| {
        let forms = pages[0].forms(&address());
        drop(classify_forms(pages[0], &forms));
        forms.iter().filter_map(Submission::of).for_each(|form| drop(form.request("word", &[])));
    };
    check(parsed, read, 1);
}

#[test]
fn records_and_templates() {
    let read = |pages: &[&Document]| {
        let inputs = [PageInput { id: "page", document: pages[0], cluster: None }];
        let found = find_records(&inputs, &RecordsConfig::default());
        drop(site::learn(&[pages[0]], &found, &TemplateConfig::default()));
    };
    check(parsed, read, 1);
}

#[test]
fn specifications() {
    let config = SpecConfig::default();
    let read = |pages: &[&Document]| {
        drop(find_specs(&[SpecPage { id: "page", document: pages[0] }], &config));
    };
    check(parsed, read, 1);
}

#[test]
fn embedded_data() {
    check(parsed, |pages| drop(embedded_things(pages[0])), 1);
}

#[test]
fn details() {
    check(parsed, |pages| drop(learn_details(pages)), 3);
}

/// Learning and reading a site of two pages that look alike.
#[test]
fn sites() {
    let address = address();
    let read = |documents: &[&Document]| {
        let ids = ["a", "b"].into_iter().zip(documents);
        let page = |(id, &document)| SitePage { id, address: &address, document };
        let pages: Vec<SitePage<'_>> = ids.map(page).collect();
        let model = learn_site(&pages);
        let reader = SiteReader::new(&model);
        pages.iter().for_each(|page| drop(reader.read(page)));
    };
    check(parsed, read, 2);
}

#[test]
fn signatures() {
    check(parsed, |pages| drop(PageSignature::of(pages[0], 1_000)), 1);
}
