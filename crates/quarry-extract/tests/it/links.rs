//! Are the links of a page told apart? Small pages by hand, generated sites against their truth, and
//! laws that hold for any page.

use proptest::prelude::*;
use quarry_dom::Document;
use quarry_extract::links::{
    AttributeSource, LinkMap, PageKind, PagingRole, SeenPage, page_kinds, read_links,
};
use quarry_testsite::{PagingStyle, Site, SiteSpec, Theme, UrlStyle};
use url::Url;

use crate::links_score::{Tally, sample, score};

fn read(html: &str, address: &str) -> LinkMap {
    read_links(&Document::from_html(html), &Url::parse(address).expect("an address"))
}

/// What counts as found, over all sites together, and on each.
const FLOOR: f64 = 0.99;
const KINDS_FLOOR: f64 = 0.98;
/// One page of a small site may be wrong.
const SITE_FLOOR: f64 = 0.9;

fn check(specs: Vec<(String, SiteSpec)>, pages: usize) {
    let mut sums: Vec<(&'static str, Tally)> = Vec::new();
    for (name, spec) in specs {
        let site = Site::generate(spec);
        let found = score(&site, &sample(&site, pages));
        for (what, tally, wrong) in found.rows {
            assert!(
                tally.precision() >= SITE_FLOOR && tally.recall() >= SITE_FLOOR,
                "{name}, {what}: {tally:?} {wrong:?}"
            );
            match sums.iter_mut().find(|(known, _)| *known == what) {
                Some((_, sum)) => sum.join(tally),
                None => sums.push((what, tally)),
            }
        }
    }
    for (what, sum) in sums {
        let floor = if what == "kinds" { KINDS_FLOOR } else { FLOOR };
        assert!(sum.precision() >= floor && sum.recall() >= floor, "{what}: {sum:?}");
    }
}

fn preset(name: &str, seed: u64) -> (String, SiteSpec) {
    let spec = SiteSpec::preset(name).expect("a known preset");
    let entities = spec.entities.min(150);
    (name.to_owned(), SiteSpec { seed: spec.seed + 1000 * seed, entities, ..spec })
}

#[test]
fn presets_are_read_right() {
    let names = [
        "shop",
        "d1-homes",
        "d2-recipes",
        "d3-restaurants",
        "d4-shoes",
        "d5-electronics",
        "d6-phones",
        "h-tree",
        "books",
        "f1-get-form",
        "f2-post-form",
        "records",
    ];
    check(names.iter().zip(0..).map(|(name, seed)| preset(name, seed)).collect(), 6);
}

#[test]
fn themes_and_addresses_are_read_right() {
    let mut specs = Vec::new();
    for (at, &theme) in Theme::ALL.iter().enumerate() {
        for (nth, &urls) in UrlStyle::ALL.iter().enumerate() {
            let (_, mut spec) = preset("shop", (at * 3 + nth) as u64);
            (spec.theme, spec.urls, spec.entities) = (theme, urls, 90);
            spec.paging.style = PagingStyle::ALL[(at + nth) % PagingStyle::ALL.len()];
            spec.paging.sizes = vec![20, 40, 80];
            spec.facets.max_values = if at % 2 == 0 { 5 } else { 0 };
            spec.facets.counts = nth != 1;
            specs.push((format!("{theme:?} {urls:?}"), spec));
        }
    }
    check(specs, 4);
}

#[test]
fn values_behind_more_are_facets_too() {
    let (_, mut spec) = preset("shop", 3);
    spec.facets.max_values = 4;
    let site = Site::generate(spec);
    let page = |path: &str| {
        let text = site.respond(&quarry_testsite::SiteRequest::get(path)).text();
        read(&text, &format!("http://site.example{path}"))
    };
    let root = page(&site.root());
    let facets: Vec<_> = root.facets().collect();
    let more: Vec<_> = facets.iter().flat_map(|f| &f.links).filter(|link| link.more).collect();
    assert!(more.len() >= 3, "{facets:?}");
    for facet in facets.iter().filter(|facet| facet.links.iter().any(|link| link.more)) {
        let more = facet.links.iter().find(|link| link.more).unwrap();
        let all = page(more.href.strip_prefix("http://site.example").unwrap());
        let same = all.facets().find(|other| other.attribute == facet.attribute).unwrap();
        assert!(same.links.len() > 4 && same.links.iter().all(|link| link.count.is_some()));
    }
}

#[test]
fn paging_is_told_from_what_looks_like_it() {
    let list = |around: &str| {
        let item = |n: u32| {
            format!(
                "<li><h3><a href='/item/{n}'>Item number {n}</a></h3><p>It costs {n}.99 today</p></li>"
            )
        };
        let items: String = (1..=6).map(item).collect();
        read(&format!("<ul>{items}</ul>{around}"), "http://a.example/list?c=3")
    };
    let roles = |map: &LinkMap| -> Vec<(PagingRole, Option<u32>)> {
        map.pagination.iter().map(|link| (link.role, link.number)).collect()
    };
    let numbered = list(
        "<p>1 <a href='?c=3&start=10'>2</a> <a href='?c=3&start=20'>3</a> <a href='?c=3&start=10'>»</a>",
    );
    assert_eq!(
        roles(&numbered),
        [(PagingRole::Page, Some(2)), (PagingRole::Page, Some(3)), (PagingRole::Next, None)]
    );
    for around in [
        "<p>Show: <a href='?c=3&n=10'>10</a> <a href='?c=3&n=20'>20</a></p>",
        "<h3>Year</h3><a href='?c=3&y=2001'>2001</a> <a href='?c=3&y=2002'>2002</a>",
        "<h3>Size</h3><a href='?c=3&s=38'>38</a> <a href='?c=3&s=39'>39</a>",
        "<p><a href='/news/article-on-foxes'>Next</a></p>",
        "<div class=calendar><a href='?d=1'>1</a> <a href='?d=2'>2</a> <a href='?d=3'>3</a></div>",
    ] {
        assert_eq!(roles(&list(around)), [], "{around}");
    }
    assert_eq!(roles(&list("<a href='?c=3&after=x81'>Weiter</a>")), [(PagingRole::Next, None)]);
    assert_eq!(roles(&list("<a rel=prev href='?c=3&p=0'>zurück</a>")), [(PagingRole::Prev, None)]);
    // Numbers that are read aloud and shown, and arrows that fonts of icons draw.
    let aloud = "<a href='?c=3&p=2'><i>Page 2</i> <b>2</b></a> <a href='?c=3&p=3'><i>Page 3</i> <b>3</b></a>";
    let pages = [(PagingRole::Page, Some(2)), (PagingRole::Page, Some(3))];
    assert_eq!(roles(&list(aloud)), pages);
    let icon = "<p><a href='?c=3&p=2'><i class=icons>chevron_right</i></a></p>";
    assert_eq!(roles(&list(icon)), [(PagingRole::Next, None)]);
    // Where one came from is lost on the way, and something else is added.
    let tracked =
        "<p><a href='/list?c=3&ei=zvz4Y&start=10&sa=N' aria-label='Next page'>Next &gt;</a></p>";
    assert_eq!(roles(&list(tracked)), [(PagingRole::Next, None)]);
}

#[test]
fn a_number_that_leads_where_a_title_leads_is_a_count() {
    let post = |n: u32| {
        format!(
            "<div class=post><h3><a href='/post/{n}'>A long title of a post, number {n}</a></h3><p>Words about it, \
             more words and a last one.</p><p class=page-meta><a href='/post/{n}#comments'>{}</a></p></div>",
            n + 1
        )
    };
    let posts: String = (1..=6).map(post).collect();
    let pager = "<p>All of the posts of this blog, oldest ones last.</p><p>1 <a href='/page/2'>2</a> <a href='/page/3'>3</a></p>";
    let map = read(&format!("{posts}{pager}"), "http://a.example/");
    let found: Vec<&str> = map.pagination.iter().map(|link| link.href.as_str()).collect();
    assert_eq!(found, ["http://a.example/page/2", "http://a.example/page/3"]);
    assert!(map.record_pagination.is_empty());
}

#[test]
fn groups_are_named_by_what_stands_above() {
    let name = |html: &str| {
        let map = read(html, "http://a.example/list");
        let facet =
            map.groups.iter().max_by(|a, b| a.facet_score.total_cmp(&b.facet_score)).unwrap();
        (facet.attribute.clone().unwrap_or_default(), facet.attribute_from)
    };
    let links = "<a href='?b=1'>Acme</a> (3)<br><a href='?b=2'>Bolt</a> (4)";
    let heading = AttributeSource::Heading;
    for (html, source) in [
        (format!("<h4>Brand</h4><div>{links}</div>"), heading),
        (format!("<fieldset><legend>Brand:</legend>{links}</fieldset>"), heading),
        (format!("<details><summary>Brand (2)</summary>{links}</details>"), heading),
        (format!("<p><b>Brand:</b> {links}</p>"), AttributeSource::TextBefore),
        (format!("<div><div>Brand</div><div>{links}</div></div>"), AttributeSource::TextBefore),
        (format!("<section aria-label=Brand>{links}</section>"), AttributeSource::Aria),
        (format!("<h4><a href=/brands>Brand</a></h4>{links}"), heading),
    ] {
        assert_eq!(name(&html), ("Brand".to_owned(), source), "{html}");
    }
    assert_eq!(name(links), ("b".to_owned(), AttributeSource::UrlKey));
    // A landmark's label says what the navigation is for.
    let menu = format!("<nav aria-label=Main>{links}</nav>");
    assert_eq!(name(&menu), ("b".to_owned(), AttributeSource::UrlKey));
}

/// A list of ten things with a menu, every link with this at its end.
fn marked(mark: &str) -> String {
    let item = |n: u32| {
        format!(
            "<li><a href='/thing/{n}{mark}'>The thing number {n}</a><p>Costs {n}.50 now</p></li>"
        )
    };
    let items: String = (0..10).map(item).collect();
    format!(
        "<p><a href='/about{mark}'>About us</a> <a href='/help{mark}'>Help</a></p><ul>{items}</ul>"
    )
}

#[test]
fn what_every_link_of_a_page_carries_says_nothing() {
    let address = "http://a.example/list";
    let (plain, with) = (read(&marked(""), address), read(&marked("?sid=08bd58c0fc37"), address));
    let hrefs = |map: &LinkMap| -> Vec<String> {
        map.entities.iter().map(|entity| entity.href.clone()).collect()
    };
    assert_eq!(hrefs(&plain).len(), 10);
    assert_eq!(hrefs(&plain), hrefs(&with));
}

#[test]
fn the_name_of_the_host_does_not_matter() {
    let paths = |port: u16| -> Vec<String> {
        let map = read(&marked(""), &format!("http://127.0.0.1:{port}/list"));
        map.entities.iter().map(|entity| entity.path.clone()).collect()
    };
    let first = paths(4000);
    assert!((4001..4040).all(|port| paths(port) == first));
}

#[test]
fn a_page_alone_has_a_kind() {
    let item = |n: u32| {
        format!("<li><a href='/thing/{n}'>The thing number {n}</a><p>Costs {n}.50 now</p></li>")
    };
    let items: String = (1..=8).map(item).collect();
    let list = read(&format!("<ul>{items}</ul>"), "http://a.example/things");
    let thing = read(
        &format!("<h1>Thing</h1><p>About it.</p><h2>Related</h2><ul>{items}</ul>"),
        "http://a.example/thing/77",
    );
    let addresses =
        ["http://a.example/things", "http://a.example/thing/77"].map(|a| Url::parse(a).unwrap());
    let seen = [
        SeenPage { address: Some(&addresses[0]), map: &list },
        SeenPage { address: Some(&addresses[1]), map: &thing },
    ];
    assert_eq!(page_kinds(&seen), [PageKind::List, PageKind::Entity]);
    assert_eq!(page_kinds(&seen[..1]), [PageKind::List]);
}

/// Ten records with words of no language, and what stands below them.
fn foreign_list(below: &str) -> String {
    let record = |n: u32| {
        format!(
            "<div><h3><a href='/irka/{}'>Vuqan {n} tez olmu</a></h3><p>Gi {n} tiv axen, mo pelu {n} hadroz.</p></div>",
            n * 37
        )
    };
    let records: String = (1..=10).map(record).collect();
    format!(
        "<div id=m>{records}<p>{below}</p></div><p><a href='/zol'>Zol</a> <a href='/'>Fimk</a></p>"
    )
}

#[test]
fn steps_to_other_pages_need_no_known_word() {
    let paths = |below: &str, address: &str| -> Vec<String> {
        let map = read(&foreign_list(below), address);
        map.pagination.iter().map(|link| link.href.replace("http://a.example", "")).collect()
    };
    let both = "<a href='/gim/page/2'>Qorun</a> <a href='/gim/page/4'>Velam</a>";
    assert_eq!(paths(both, "http://a.example/gim/page/3"), ["/gim/page/2", "/gim/page/4"]);
    let first = "<a href='/gim'>Qorun</a> <a href='/gim?page=3'>Velam</a>";
    assert_eq!(paths(first, "http://a.example/gim?page=2"), ["/gim", "/gim?page=3"]);
    assert_eq!(paths("<a href='/gim?page=2'>Velam</a>", "http://a.example/gim"), ["/gim?page=2"]);
    let arabic = "<b>١</b> <a href='/gim?p=2'>٢</a> <a href='/gim?p=3'>٣</a>";
    assert_eq!(paths(arabic, "http://a.example/gim"), ["/gim?p=2", "/gim?p=3"]);
    // A switch that is on, and what stands beside a tab, lead to no other page of the list.
    let switches = "<a href='/gim?drim=1'>Drim</a> <a href='/gim?zaf=2'>Zaf olmu</a>";
    assert_eq!(paths(switches, "http://a.example/gim"), [""; 0]);
    let tabs = "<a href='/gim?zaf=1'>Orvan</a> <a href='/gim?zaf=3'>Keluz</a>";
    assert_eq!(paths(tabs, "http://a.example/gim?zaf=2"), [""; 0]);
    let months = "<a href='/gim/2016/01'>Januq</a> <a href='/gim/2016/03'>Mirz</a>";
    assert_eq!(paths(months, "http://a.example/gim/2016/02"), [""; 0]);
}

proptest! {
    /// Every link is told to be one thing: no address is both a facet value and a way to another page,
    /// order, size or export; addresses have no fragment.
    #[test]
    fn a_link_is_one_thing(rows in proptest::collection::vec((0u8..9, 0u8..5, 1u32..60), 0..40)) {
        let texts = ["2", "Next", "Acme (3)", "Price: low to high", "CSV", "×", "48 per page", "A title of some length", "more…"];
        let mut html = String::from("<h3>Brand</h3>");
        for (text, key, value) in rows {
            let key = ["page", "sort", "brand", "per_page", "format"][usize::from(key)];
            html += &format!("<li><a href='?{key}={value}#x'>{}</a></li>", texts[usize::from(text)]);
        }
        let map = read(&html, "http://a.example/list?c=1");
        let others = map.pagination.iter().map(|l| &l.href)
            .chain(map.sorts.iter().map(|l| &l.href))
            .chain(map.sizes.iter().map(|l| &l.href))
            .chain(map.exports.iter().map(|l| &l.href));
        for href in others {
            prop_assert!(!href.contains('#'));
        }
        for group in &map.groups {
            prop_assert!((0.0..=1.0).contains(&group.facet_score) && !group.links.is_empty());
        }
    }

    /// Whatever the bytes, reading ends and gives the same twice.
    #[test]
    fn any_page_can_be_read(html in "(<(a href='[?/a-z=0-9]{0,8}'|li|ul|h3|td|form|select|b)>|</(a|li|ul|td|form)>|[a-z0-9 ():,]{1,9}){0,60}") {
        let one = read(&html, "http://a.example/x/y?z=1");
        prop_assert_eq!(one, read(&html, "http://a.example/x/y?z=1"));
    }
}

/// "2000 gost" beside the numbers of 39 pages with 52 rows each; a year or the size of a page beside them is no total.
#[test]
fn a_number_that_fits_the_numbers_of_pages_is_the_total() {
    let row = |n: usize| {
        format!("<li><h3><a href='/zib/{n}'>Gost {n}</a></h3><p>Borl of gost {n}</p></li>")
    };
    let rows: String = (0..52).map(row).collect();
    let pages: String = (2..=39).map(|n| format!("<a href='?p={n}'>{n}</a> ")).collect();
    let total = |beside: &str| {
        let html = format!("<ul>{rows}</ul><p class=z><b>1</b> {pages} {beside}</p>");
        read(&html, "http://h/zib/").total
    };
    assert_eq!(total("2000 gost"), Some(2000));
    assert_eq!(total("<i>2.000 gost</i>"), Some(2000));
    assert_eq!(total("2000 gost</p><p>47 films"), Some(2000), "whatever else has a number");
    assert_eq!(total("2100 gost"), None, "39 pages of 52 hold 2,028 at the most");
    assert_eq!(total("gost 1976"), None, "38 pages are enough for these");
    assert_eq!(total("2000 gost, 52 borl"), None, "which one?");
    assert_eq!(total(""), None);
    // "40" above the list looks like the number of a page, too: what stands between is no pager.
    let sizes = format!("<h3>Zib</h3><a href='?p=40'>40</a><ul>{rows}</ul><p>{pages} 2054</p>");
    assert_eq!(read(&sizes, "http://h/zib/").total, None);
}

#[test]
fn a_number_that_further_pages_contradict_is_no_total() {
    let rows: String = (0..20)
        .map(|n| {
            format!("<li><h3><a href='/item/{n}'>Thing {n}</a></h3><p>About thing {n}</p></li>")
        })
        .collect();
    let page = |pager: &str| format!("<p>20 items</p><ul>{rows}</ul><nav>{pager}</nav>");
    let alone = read(&page(""), "http://h/list");
    assert_eq!((alone.entities.len(), alone.total), (20, Some(20)));
    let paged = page(
        "<a href='/list?page=2'>2</a> <a href='/list?page=3'>3</a> <a href='/list?page=2'>Next</a>",
    );
    assert_eq!(read(&paged, "http://h/list").total, None);
}

#[test]
fn a_set_of_boxes_is_called_by_the_text_before_it() {
    let boxes = |name: &str| -> String {
        let one = |n: usize| {
            format!(
                "<div><label><input type=checkbox name={name} value=v{n}> Fam {name} {n}</label></div>"
            )
        };
        (0..4).map(one).collect()
    };
    let html = format!(
        "<form method=get><p><label>Gost:</label><div>{}</div></p><b>Plirn</b><div>{}</div>{}<button>Vel</button></form>",
        boxes("aq"),
        boxes("bq"),
        boxes("cq"),
    );
    let map = read(&html, "http://h/list");
    let names: Vec<Option<&str>> =
        map.forms[0].controls.iter().map(|control| control.label.as_deref()).collect();
    assert_eq!(names, [Some("Gost"), Some("Plirn"), None]);
    let tried: Vec<bool> =
        map.forms[0].controls.iter().map(quarry_extract::links::FacetControl::may_narrow).collect();
    assert_eq!(tried, [true, true, false]);
}

#[test]
fn a_tree_of_links_is_one_group() {
    let item = |href: &str, name: &str, below: &str| {
        format!("<li><a href='{href}'>{name}</a>{below}</li>")
    };
    let tree = |at: &dyn Fn(&str) -> String| {
        let branch = |name: &str, below: &[&str]| {
            let below: String =
                below.iter().map(|own| item(&at(&format!("{name}/{own}")), own, "")).collect();
            item(&at(name), name, &format!("<ul>{below}</ul>"))
        };
        let branches = branch("dorn", &["esk", "gam"]) + &branch("ferl", &["esk", "hob"]);
        let records: String = (0..9)
            .map(|n| format!("<li><h3><a href='/t/{n}'>Item {n}</a></h3><p>Words of {n}.</p></li>"))
            .collect();
        let text = format!(
            "<aside><h4>Ulm</h4><ul>{branches}{}</ul></aside><ol>{records}</ol>",
            item(&at("ip"), "ip", "")
        );
        read(&text, "https://a.example/x/")
    };
    let group = |map: &LinkMap| -> Vec<usize> {
        map.groups.iter().map(|group| group.links.len()).collect()
    };
    let map = tree(&|name| format!("/x/kin/{name}"));
    assert_eq!(group(&map), [7]);
    assert_eq!(map.groups[0].attribute.as_deref(), Some("Ulm"));
    assert!(map.groups[0].facet_score > 0.5, "{:?}", map.groups[0]);
    let map = tree(&|name| format!("/x?kin={}", name.replace('/', "-")));
    assert_eq!(group(&map), [7]);
    // The menu of a site leads to different things.
    let map = tree(&|name| format!("/{name}"));
    assert!(group(&map).len() > 1, "{:?}", group(&map));
}
