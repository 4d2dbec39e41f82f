//! Every theme gives sound HTML for every kind of page.

use quarry_testsite::{
    FacetStyle, Listing, PagingStyle, Pictures, Site, SiteRequest, SiteSpec, SpecStyle, Theme,
    Vertical,
};

use crate::{get, parse};

fn spec(theme: Theme, vertical: Vertical) -> SiteSpec {
    let mut spec = SiteSpec { theme, vertical, entities: 60, ..SiteSpec::default() };
    spec.listing = Listing {
        promotions: 2,
        advertisements: 2,
        disjunctive: true,
        decorated: true,
        false_records: 0.1,
        ..Listing::default()
    };
    spec.markup.json_ld = true;
    spec.markup.microdata = true;
    spec
}

/// Tags are closed in the order in which they were opened, and quotes are where they belong.
fn check_balanced(html: &str, context: &str) {
    const VOID: [&str; 7] = ["meta", "link", "img", "input", "br", "hr", "!DOCTYPE"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let end = at + rest[at..].find('>').unwrap_or_else(|| panic!("{context}: no > after <"));
        let tag = &rest[at + 1..end];
        let name = tag.split([' ', '\n']).next().unwrap();
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{context}: </{name}>");
        } else if !VOID.contains(&name) && !tag.ends_with('/') {
            open.push(name);
            assert_eq!(tag.matches('"').count() % 2, 0, "{context}: <{tag}>");
        }
        rest = &rest[end + 1..];
        if name == "script" {
            rest = &rest[rest.find("</script>").unwrap()..];
        }
    }
    assert_eq!(open, Vec::<&str>::new(), "{context}");
}

#[test]
fn pages_are_balanced_in_every_theme_and_vertical() {
    for theme in Theme::ALL {
        for vertical in Vertical::ALL {
            let site = Site::generate(spec(*theme, *vertical));
            let entity = site.truth().next().unwrap().url;
            let targets = [
                "/".to_owned(),
                site.root(),
                entity,
                "/about".to_owned(),
                "/login".to_owned(),
                "/no-such-page".to_owned(),
                "/search?q=zzzzqq".to_owned(),
                "/search?q=".to_owned(),
                format!("/search?q={}", site.search_word(3).unwrap()),
            ];
            for target in targets {
                let response = get(&site, &target);
                check_balanced(&response.text(), &format!("{theme:?} {vertical:?} {target}"));
                let page = parse(&response);
                assert!(page.title().is_some_and(|t| !t.is_empty()));
            }
        }
    }
}

#[test]
fn every_specification_style_prints_every_pair() {
    for style in SpecStyle::ALL {
        let site =
            Site::generate(SiteSpec { specs: *style, ..spec(Theme::Cards, Vertical::Phones) });
        for truth in site.truth().take(20) {
            let response = get(&site, &truth.url);
            check_balanced(&response.text(), &format!("{style:?}"));
            let page = parse(&response);
            let text = page.folded_text(page.all().next().unwrap());
            for (name, value) in truth.specs {
                assert!(text.contains(&name) && text.contains(&value), "{style:?} {name} {value}");
            }
        }
    }
}

#[test]
fn forms_offer_every_facet_value() {
    for style in [FacetStyle::GetForm, FacetStyle::PostForm] {
        for theme in Theme::ALL {
            let mut spec = spec(*theme, Vertical::Books);
            spec.facets.style = style;
            let site = Site::generate(spec);
            let html = get(&site, "/books").text();
            check_balanced(&html, &format!("{theme:?} {style:?}"));
            let method = if style == FacetStyle::GetForm { "get" } else { "post" };
            assert!(html.contains(&format!("action=\"/books\" method=\"{method}\"")));
            let truth = site.truth().next().unwrap();
            let format = truth.attributes["Format"].texts()[0].clone();
            let body = format!("format={}", format.to_lowercase());
            let answer = if style == FacetStyle::GetForm {
                site.page_truth(&SiteRequest::get(format!("/books?{body}")))
            } else {
                // The address alone must not do it.
                let all = site.page_truth(&SiteRequest::get(format!("/books?{body}")));
                assert_eq!(all.query, []);
                site.page_truth(&SiteRequest::post("/books", body))
            };
            assert_eq!(answer.query, [("Format".to_owned(), format)]);
            assert!(answer.entities.contains(&truth.url) || answer.next.is_some());
        }
    }
}

#[test]
fn posted_pages_are_turned_by_buttons() {
    let mut spec = spec(Theme::Classic, Vertical::Books);
    spec.facets.style = FacetStyle::PostForm;
    spec.paging.size = 5;
    let site = Site::generate(spec);
    let first = site.respond(&SiteRequest::post("/books", "format=paperback")).text();
    assert!(first.contains("<input type=\"hidden\" name=\"format\" value=\"paperback\">"));
    assert!(first.contains("name=\"page\" value=\"2\""));
    let two = site.page_truth(&SiteRequest::post("/books", "format=paperback&page=2"));
    let one = site.page_truth(&SiteRequest::post("/books", "format=paperback"));
    assert_eq!(one.entities.len(), 5);
    assert!(two.entities.iter().all(|e| !one.entities.contains(e)));
}

#[test]
fn every_paging_style_is_drawn_in_every_theme() {
    for theme in Theme::ALL {
        for style in PagingStyle::ALL {
            let mut spec = spec(*theme, Vertical::Shoes);
            spec.paging.style = *style;
            let site = Site::generate(spec);
            let html = get(&site, "/shoes").text();
            check_balanced(&html, &format!("{theme:?} {style:?}"));
            let mark = match style {
                PagingStyle::Numbered | PagingStyle::NextOnly => "page=2",
                PagingStyle::LoadMore => "Load more",
                PagingStyle::Offset => "start=20",
                PagingStyle::Keyset => "after=",
                PagingStyle::Buttons => "<button type=\"submit\" name=\"page\" value=\"2\">",
            };
            assert!(html.contains(mark), "{theme:?} {style:?}");
        }
    }
}

#[test]
fn pictures_can_stand_in_the_page() {
    for (pictures, mark) in [(Pictures::Inline, "<svg "), (Pictures::Files, "<img src=\"/img/")] {
        let mut spec = spec(Theme::Cards, Vertical::Homes);
        spec.markup.pictures = pictures;
        assert!(get(&Site::generate(spec), "/homes").text().contains(mark));
    }
}
