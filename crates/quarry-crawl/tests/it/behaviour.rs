//! Are links judged by what they return? Small scripted sites with made-up words and hashed class names:
//! nothing on their pages says what a link is for.

use std::fmt::Write as _;

use quarry_crawl::{QueryReport, QuerySettings, StrategyKind, StrategyReport};
use url::Url;

use crate::world::{Answer, World, crawl_with_account, html, plain, status};

const ITEMS: u32 = 60;
const PAGE_SIZE: usize = 10;
const HOST: &str = "https://a.example";

/// How a scripted site differs from a plain one.
#[derive(Debug, Clone, Copy, Default)]
struct Behaviour {
    /// Entity addresses carry the query of the list that shows them.
    carries_query: bool,
    /// An entity without what its address carries is another page.
    needs_query: bool,
    /// Entity addresses stand in a folder of their own for each value.
    own_folders: bool,
    /// Lists say how many entities they have.
    counts: bool,
    /// The list shows only two thirds unless told otherwise.
    is_preset: bool,
    /// The link to the next page says that it leads to the previous one.
    is_reversed: bool,
    /// The facet's links look like navigation, and beside them stands a menu of other lists.
    in_menu: bool,
    /// The facet is a tree of two levels, in which two values have one name.
    is_tree: bool,
}

fn value_of(url: &Url, name: &str) -> Option<u32> {
    url.query_pairs().find(|(key, _)| key == name)?.1.parse().ok()
}

/// The items of a list, in its order: `k` is a facet, `v` an order, `a` takes the restriction away.
fn items(url: &Url, site: Behaviour) -> Vec<u32> {
    let facet = value_of(url, "k");
    let is_open = |n: &u32| !site.is_preset || value_of(url, "a").is_some() || n % 3 != 2;
    let branch = value_of(url, "b");
    let has = |n: &u32| {
        facet.is_none_or(|value| n % 4 == value)
            && branch
                .is_none_or(|branch| if branch < 2 { n % 2 == branch } else { n % 4 == branch - 2 })
    };
    let mut items: Vec<u32> = (0..ITEMS).filter(is_open).filter(has).collect();
    match value_of(url, "v") {
        Some(1) => items.reverse(),
        Some(_) => items.sort_by_key(|n| n * 7 % ITEMS),
        None => {}
    }
    items
}

fn with(url: &Url, name: &str, value: &str) -> String {
    let mut url = url.clone();
    let others: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(key, _)| key != name && key != "s")
        .map(|(key, value)| (key.into_owned(), value.into_owned()))
        .collect();
    url.query_pairs_mut().clear().extend_pairs(others).append_pair(name, value);
    format!("{}?{}", url.path(), url.query().unwrap_or_default())
}

fn list(url: &Url, site: Behaviour) -> Answer {
    let items = items(url, site);
    let from = value_of(url, "s").unwrap_or(0) as usize;
    let shown = &items[from.min(items.len())..items.len().min(from + PAGE_SIZE)];
    let mut page = String::from("<title>Vorn</title><h1 class=c7e1>Vorn</h1>");
    let mut group = |name: &str, key: &str, values: &[&str]| {
        let _ = write!(page, "<div class=f{key}31><h3 class=x20>{name}</h3><ul>");
        for (n, value) in values.iter().enumerate() {
            let _ =
                write!(page, "<li><a href='{}'>{value}</a></li>", with(url, key, &n.to_string()));
        }
        page.push_str("</ul></div>");
    };
    if !site.in_menu {
        group("Borl", "k", &["Fam", "Gost", "Hild", "Immer"]);
    }
    group("Nirt", "v", &["Pel", "Sorn", "Tarv"]);
    if site.is_preset {
        group("Quon", "a", &["Zib"]);
    }
    if site.is_tree {
        page.push_str("<aside><h3>Ulm</h3><ul class=u1>");
        for (head, (name, below)) in
            [("Dorn", [(2, "Esk"), (4, "Gam")]), ("Ferl", [(3, "Esk"), (5, "Hob")])]
                .into_iter()
                .enumerate()
        {
            let _ = write!(page, "<li><a href='/zu?b={head}'>{name}</a><ul>");
            for (value, name) in below {
                let _ = write!(page, "<li><a href='/zu?b={value}'>{name}</a></li>");
            }
            page.push_str("</ul></li>");
        }
        page.push_str("</ul></aside>");
    }
    if site.in_menu {
        page.push_str("<nav class=n1><ul>");
        for n in 0..4 {
            let _ =
                write!(page, "<li><a href='{}'>Fam{n}</a></li>", with(url, "k", &n.to_string()));
        }
        page.push_str("</ul></nav><nav class=n2><ul>");
        for n in 0..4 {
            let _ = write!(page, "<li><a href='/ob/x{n}'>Mul{n}</a></li>");
        }
        page.push_str("</ul></nav>");
    }
    if site.counts {
        let _ = write!(page, "<p>{}-{} of {}</p>", from + 1, from + shown.len(), items.len());
    }
    page.push_str("<ol class=r90>");
    for n in shown {
        let query = url.query().unwrap_or_default().replace('=', "%3D").replace('&', "%26");
        let carried = if site.carries_query { format!("?zz={query}") } else { String::new() };
        let folder = match value_of(url, "k") {
            Some(value) if site.own_folders => format!("/w{value}"),
            _ => "/t".to_owned(),
        };
        let _ = write!(
            page,
            "<li class=e4><h3><a href='{folder}/{n}{carried}'>Item {n} of them</a></h3>\
             <p>Some words about item {n}, which is number {n} here.</p></li>"
        );
    }
    page.push_str("</ol>");
    if from + PAGE_SIZE < items.len() {
        let role = if site.is_reversed { "prev" } else { "next" };
        let mut next = url.clone();
        let others: Vec<(String, String)> = url
            .query_pairs()
            .filter(|(key, _)| key != "s")
            .map(|(key, value)| (key.into_owned(), value.into_owned()))
            .collect();
        next.query_pairs_mut()
            .clear()
            .extend_pairs(others)
            .append_pair("s", &(from + PAGE_SIZE).to_string());
        let target = format!("{}?{}", next.path(), next.query().unwrap_or_default());
        let _ = write!(page, "<p><a rel={role} href='{target}'>\u{203a}</a></p>");
    }
    html(&page)
}

fn other_list(path: &str) -> Answer {
    let first = 1_000 + 10 * path.bytes().last().map_or(0, u32::from);
    let items = (first..first + 8).map(|n| {
        format!(
            "<li class=e4><h3><a href='/t/{n}'>Item {n} of them</a></h3>\
             <p>Some words about item {n}, which is number {n} here.</p></li>"
        )
    });
    let items: String = items.collect();
    html(&format!("<title>Vorn</title><h1 class=c7e1>Vorn</h1><ol class=r90>{items}</ol>"))
}

fn entity(url: &Url, site: Behaviour) -> Answer {
    let n: u32 = url.path().rsplit('/').next().and_then(|n| n.parse().ok()).unwrap_or(0);
    if site.needs_query && url.query().is_none() {
        return html("<title>Vorn</title><h1>Arn</h1><p>Nothing is known of this one here.</p>");
    }
    let context = if site.needs_query { url.query().unwrap_or_default() } else { "" };
    let words: String = (0..40).map(|w| format!("{context}w{}x{w} ", n * 31 + w)).collect();
    html(&format!("<title>Item {n}</title><h1>Item {n} of them</h1><p>{words}</p>"))
}

fn crawl(site: Behaviour) -> (QueryReport, usize) {
    let mut settings = plain(&[&format!("{HOST}/zu")]);
    settings.strategy = StrategyKind::Query(QuerySettings::default());
    let mut world = World::new().script(move |address, _| {
        let url = Url::parse(address).ok()?;
        Some(match url.path() {
            "/zu" => list(&url, site),
            // The same template with entities that the list does not have.
            path if path.starts_with("/ob/") => other_list(path),
            path if path.starts_with("/t/") || path.starts_with("/w") => entity(&url, site),
            _ => status(404),
        })
    });
    let (_, report) = crawl_with_account(&mut world, settings);
    let StrategyReport::Query(mut sites) = report else { panic!("another strategy: {report:?}") };
    (sites.remove(0), world.asked_pages().len())
}

/// All entities, each with its one value of the only facet.
#[track_caller]
fn check(site: Behaviour) -> QueryReport {
    let (report, requests) = crawl(site);
    let names: Vec<&str> = report.attributes.iter().map(|a| a.name.as_str()).collect();
    assert_eq!(names, ["Borl"], "{report:#?}");
    assert_eq!(report.entities, ITEMS as usize, "{report:#?}");
    assert_eq!(report.attributes[0].pairs, ITEMS as usize, "{report:#?}");
    // The list, the lists of four values, and some to learn what the links mean.
    assert!(requests <= 6 + 8 + 20, "{requests} requests, {report:#?}");
    report
}

#[test]
fn orders_are_views_and_subsets_are_facets() {
    check(Behaviour::default());
    check(Behaviour { counts: true, ..Behaviour::default() });
}

#[test]
fn what_an_address_carries_of_its_list_is_not_identity() {
    let report = check(Behaviour { carries_query: true, counts: true, ..Behaviour::default() });
    assert!(report.decisions.iter().any(|line| line.contains("zz: not part")), "{report:#?}");
    check(Behaviour { carries_query: true, ..Behaviour::default() });
    check(Behaviour { own_folders: true, counts: true, ..Behaviour::default() });
}

#[test]
fn what_changes_the_page_is_identity() {
    let site =
        Behaviour { carries_query: true, needs_query: true, counts: true, ..Behaviour::default() };
    let (report, _) = crawl(site);
    assert!(report.decisions.iter().any(|line| line.contains("zz: part of")), "{report:#?}");
}

#[test]
fn a_list_that_is_restricted_by_default_is_widened() {
    let report = check(Behaviour { is_preset: true, counts: true, ..Behaviour::default() });
    assert!(report.decisions[0].contains("restricted by default"), "{report:#?}");
}

#[test]
fn a_menu_of_parts_of_the_list_is_a_facet_and_one_of_other_lists_is_not() {
    for counts in [true, false] {
        let site = Behaviour { in_menu: true, counts, ..Behaviour::default() };
        let (report, requests) = crawl(site);
        let facets: Vec<(&str, usize)> =
            report.attributes.iter().map(|a| (a.name.as_str(), a.pairs)).collect();
        assert_eq!(facets, [("k", ITEMS as usize)], "{report:#?}");
        assert!(requests <= 6 + 8 + 24, "{requests} requests, {report:#?}");
    }
}

#[test]
fn a_link_to_the_previous_page_leads_on_from_the_first() {
    check(Behaviour { is_reversed: true, counts: true, ..Behaviour::default() });
    check(Behaviour { is_reversed: true, ..Behaviour::default() });
}

#[test]
fn all_branches_of_a_tree_are_one_facet_and_equal_names_are_two_values() {
    let (report, _) = crawl(Behaviour { is_tree: true, ..Behaviour::default() });
    let facets: Vec<(&str, usize, usize)> =
        report.attributes.iter().map(|a| (a.name.as_str(), a.values, a.pairs)).collect();
    // Of six values two have one name; each entity has one of either level.
    let expected = [("Ulm", 5, 2 * ITEMS as usize), ("Borl", 4, ITEMS as usize)];
    assert_eq!(facets, expected, "{report:#?}");
}
