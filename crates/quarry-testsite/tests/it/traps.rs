//! Traps are there, and stepping into one is counted.

use quarry_testsite::{PageClass, Robots, Server, Site, SiteRequest};

use crate::{get, links, parse, small, titles};

#[test]
fn actions_are_violations() {
    let site = Site::generate(small("traps"));
    for (target, name) in [
        ("/cart/add/3", Some("add-to-cart")),
        ("/wishlist/add/3", Some("add-to-wishlist")),
        ("/account/logout", Some("logout")),
        ("/admin/delete/3", Some("delete")),
        ("/export/list.csv", Some("export")),
        ("/shoes", None),
        ("/cart", None),
        ("/login", None),
    ] {
        assert_eq!(get(&site, target).violation, name, "{target}");
    }
    let login = site.respond(&SiteRequest::post("/login", "user=a&password=b"));
    assert_eq!(login.violation, Some("login"));
}

#[test]
fn endless_things_have_no_end() {
    let site = Site::generate(small("traps"));
    let strip =
        |link: &str| link.replace("&sid=", "?sid=").split("?sid=").next().unwrap().to_owned();
    let follow = |start: &str, mark: &str| {
        let mut target = start.to_owned();
        for step in 0..50 {
            let response = get(&site, &target);
            assert_eq!((response.status, response.class), (200, PageClass::Service), "{target}");
            let mut next = links(&parse(&response), &target).into_iter().map(|l| strip(&l));
            let last = next.rfind(|l| l.contains(mark));
            target = last.unwrap_or_else(|| panic!("{step} {target}"));
        }
        target
    };
    assert!(follow("/calendar/2026/1", "/calendar/").contains("/20"));
    assert!(follow("/compare?ids=1", "/compare").len() > 100);
    assert!(follow("/guide/", "more/").len() > 200);
    let far = site.page_truth(&SiteRequest::get("/shoes?page=1000"));
    assert!(far.next.is_some() && !far.entities.is_empty());
}

#[test]
fn session_ids_differ_from_visit_to_visit_and_stay_within_one() {
    let site = Site::generate(small("traps"));
    let sid = |request: &SiteRequest| {
        let page = parse(&site.respond(request));
        let link = links(&page, "/").into_iter().find(|l| l.contains("sid=")).unwrap();
        link.split("sid=").nth(1).unwrap().to_owned()
    };
    let first = sid(&SiteRequest::get("/"));
    let second = sid(&SiteRequest { count: 1, ..SiteRequest::get("/") });
    assert_ne!(first, second);
    assert_eq!(sid(&SiteRequest::get(format!("/?sid={first}"))), first);
    let known = titles(&site);
    let url = known.keys().next().unwrap();
    assert_eq!(get(&site, &format!("{url}?sid={first}")).class, PageClass::Entity);
}

#[test]
fn the_server_counts_violations() {
    let server = Server::start(Site::generate(small("shop")), None).unwrap();
    crate::wire::ask(&server, "/shoes");
    crate::wire::ask(&server, "/cart/add/1");
    let log: Vec<String> = server.log().iter().map(ToString::to_string).collect();
    assert_eq!(log.len(), 2);
    assert!(log[0].contains("\"GET /shoes HTTP/1.1\" 200 "), "{}", log[0]);
    assert!(log[1].ends_with(" violation=add-to-cart"));
    assert_eq!(server.violations().len(), 1);
    assert_eq!(server.requests(), 2);
}

#[test]
fn robots_in_every_form() {
    for (robots, status, text) in [
        (Robots::Allow, 200, "Disallow: /cart\n"),
        (Robots::DisallowAll, 200, "Disallow: /\n"),
        (Robots::DisallowEntities, 200, "Disallow: /shoe/\n"),
        (Robots::Missing, 404, ""),
        (Robots::Forbidden, 403, ""),
        (Robots::Error, 500, ""),
        (Robots::Html, 200, "<h1>"),
        (Robots::Huge, 200, "Disallow: /cart\n"),
    ] {
        let mut spec = small("shop");
        spec.protocol.robots = robots;
        spec.protocol.crawl_delay = 3;
        let response = get(&Site::generate(spec), "/robots.txt");
        assert_eq!(response.status, status, "{robots:?}");
        assert!(response.text().contains(text), "{robots:?}");
        let ruled = status == 200 && robots != Robots::Html;
        assert_eq!(response.text().contains("Crawl-delay: 3"), ruled);
        assert_eq!(response.body.len() > 512 * 1024, robots == Robots::Huge);
    }
}
