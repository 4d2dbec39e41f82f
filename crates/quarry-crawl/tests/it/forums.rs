//! Are the topics of a forum its entities, whichever of its lists one begins with? Small scripted sites with made-up words and
//! hashed class names. The pages of topics list people, the links of whose names stand in the records of the list, too.

use std::fmt::Write as _;

use quarry_crawl::{QueryReport, QuerySettings, StrategyKind, StrategyReport};
use url::Url;

use crate::world::{Answer, World, crawl_with_account, html, plain, status};

const TOPICS: u32 = 50;
const PAGE_SIZE: u32 = 10;
const SEED: &str = "https://a.example/zu/3/";

/// What the records of the list link to beside their topics.
#[derive(Debug, Clone, Copy)]
struct Forum {
    /// The list itself, as that of their value.
    links_back: bool,
    /// Who has written last, and who has begun.
    names_people: bool,
}

fn person(n: u32) -> String {
    format!("<a class=a1 href='/po/{}'>Quam{}</a>", n % 7, n % 7)
}

fn list(url: &Url, forum: Forum) -> Answer {
    let page: u32 = url.query_pairs().find_map(|(_, n)| n.parse().ok()).unwrap_or(1);
    let mut text = String::from("<h1>Vorn</h1><div class=t7>");
    for n in (page - 1) * PAGE_SIZE..page * PAGE_SIZE {
        let _ = write!(text, "<div class=e4><h3><a href='/to/{n}'>Borl {n} of them</a></h3>");
        if forum.links_back {
            let _ = write!(text, "<p class=c1><a href='/zu/3/'>Fam</a></p>");
        }
        if forum.names_people {
            let _ = write!(text, "<p class=c2>{}</p><p class=c3>{}</p>", person(n), person(n * 5));
        }
        let _ = write!(text, "<p>Some words about {n}, which is number {n} here.</p></div>");
    }
    text.push_str("</div><p>");
    for n in (1..=TOPICS / PAGE_SIZE).filter(|n| *n != page) {
        let _ = write!(text, "<a href='/zu/3/?s={n}'>{n}</a> ");
    }
    html(&(text + "</p>"))
}

fn topic(n: u32) -> Answer {
    let mut text = format!("<title>Borl {n}</title><h1>Borl {n} of them</h1><ol class=r2>");
    for reply in 0..4 {
        let who = person(n + reply * 3);
        let _ = write!(text, "<li class=q9><h4>{who}</h4><p>Words {n} and {reply} of it.</p></li>");
    }
    html(&(text + "</ol>"))
}

fn crawl(forum: Forum) -> QueryReport {
    let mut settings = plain(&[SEED]);
    let query = QuerySettings { look: true, ..QuerySettings::default() };
    settings.strategy = StrategyKind::Query(query);
    let mut world = World::new().script(move |address, _| {
        let url = Url::parse(address).ok()?;
        let n = url.path().rsplit('/').next().and_then(|n| n.parse().ok()).unwrap_or(0);
        Some(match url.path() {
            "/zu/3/" => list(&url, forum),
            path if path.starts_with("/to/") => topic(n),
            path if path.starts_with("/po/") => html(&format!("<h1>Quam{n}</h1><p>Words</p>")),
            _ => status(404),
        })
    });
    let (_, report) = crawl_with_account(&mut world, settings);
    let StrategyReport::Query(mut sites) = report else { panic!("another strategy: {report:?}") };
    sites.remove(0)
}

#[test]
fn topics_are_no_lists_of_the_people_who_wrote_to_them() {
    for (links_back, names_people) in [(true, false), (false, true), (true, true)] {
        let report = crawl(Forum { links_back, names_people });
        assert!(report.attributes.is_empty(), "{links_back} {names_people}: {report:#?}");
        let is_said = |line: &String| line.contains("no list of lists");
        assert!(report.decisions.iter().any(is_said), "{report:#?}");
    }
}
