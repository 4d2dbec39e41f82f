//! Does a crawl end where entities stand in a folder below the list that they were reached from? Their pages list things of their
//! own and have links that look like facets; what their addresses have in common is the list that the crawl has begun with.

use std::fmt::Write as _;

use quarry_crawl::{QuerySettings, StrategyKind, StrategyReport};
use url::Url;

use crate::world::{Answer, World, crawl_with_account, html, plain, status};

const SEED: &str = "https://a.example/zu?ka=ho";

/// Links that look like the values of a facet and return the page that they stand on.
fn forms(address: &str) -> String {
    let links =
        ["vim", "tos", "ral"].map(|form| format!("<li><a href='{address}?ka={form}'>{form}</a>"));
    format!("<h3>Form</h3><ul>{}</ul>", links.concat())
}

fn list() -> Answer {
    let mut text = forms("/zu") + "<div class=t7>";
    for n in 0..12 {
        let _ = write!(
            text,
            "<div class=e4><h4><a href='/zu/{n}'>Borl {n} of them</a></h4><p>Words about {n}.</p></div>"
        );
    }
    html(&(text + "</div>"))
}

fn entity(n: u32) -> Answer {
    let mut text = format!(
        "<title>Borl {n}</title><h1>Borl {n} of them</h1>{}<ol class=r2>",
        forms(&format!("/zu/{n}"))
    );
    for part in 0..4 {
        let _ = write!(
            text,
            "<li class=q9><h4><a href='/po/{n}{part}'>Part {part} of {n}</a></h4><p>Words of {part}.</p></li>"
        );
    }
    html(&(text + "</ol>"))
}

#[test]
fn a_list_below_which_its_entities_stand_is_begun_with_once() {
    let mut settings = plain(&[SEED]);
    settings.strategy =
        StrategyKind::Query(QuerySettings { plain_lists: true, ..QuerySettings::default() });
    let mut world = World::new().script(|address, _| {
        let url = Url::parse(address).ok()?;
        let n = url.path().rsplit('/').next().and_then(|n| n.parse().ok());
        Some(match (url.path(), n) {
            ("/zu", _) => list(),
            (path, Some(n)) if path.starts_with("/zu/") => entity(n),
            (path, Some(n)) if path.starts_with("/po/") => html(&format!("<h1>Part {n}</h1>")),
            _ => status(404),
        })
    });
    let (_, report) = crawl_with_account(&mut world, settings);
    let StrategyReport::Query(reports) = report else { panic!("a report of queries") };
    assert_eq!(reports[0].entities, 12, "{reports:#?}");
}
