//! Forms: what they are taken for, what is sent, and what never is.

use proptest::prelude::*;
use quarry_dom::Document;
use quarry_extract::forms::{
    FormKind, classify_forms, forms_line, is_safe_to_submit, query_control, submission,
};
use quarry_model::Method;
use quarry_testsite::{PageClass, SearchForm, Site, SiteRequest};
use url::Url;

use super::probed::specs;

fn address() -> Url {
    Url::parse("https://shop.example/list?page=2").expect("a valid address")
}

/// Checks what the forms of a page are taken for; `+` marks those that may be sent.
#[track_caller]
fn check(html: &str, expect: &str) {
    let page = Document::from_html(html);
    let found = classify_forms(&page, &page.forms(&address()));
    let found: Vec<String> = found
        .iter()
        .map(|f| format!("{}{}", f.kind.as_str(), if f.safe { "+" } else { "" }))
        .collect();
    assert_eq!(found.join(" "), expect, "{html}");
}

#[test]
fn searches() {
    check("<form action=/search><input name=q><button>Go</button></form>", "search+");
    check("<form role=search><input name=x></form>", "search+");
    check("<form action=/s method=post><input type=search name=term></form>", "search+");
    check("<form><input name=s><input type=submit value=Suchen></form>", "search+");
    check(
        "<form action=/recherche><input name=mots placeholder='Rechercher un produit'></form>",
        "search+",
    );
    check("<form action=/find.php><input name=keyword value='Поиск…'></form>", "search+");
    check(
        "<form method=post action=/x><input name=kw title=検索><input type=image alt=検索></form>",
        "search+",
    );
    check("<form><label for=a>搜索</label><input id=a name=wd></form>", "search+");
    check("<form action=/ara><input name=kelime placeholder='Ürün ara'></form>", "search+");
    check(
        "<form id=hotelSearch action=/hotels><select name=city><option>A</select>\
         <select name=stars><option>1</select><button>Search</button></form>",
        "search+",
    );
    check(
        "<form action=/cse><input type=hidden name=cx value=1><input name=q><input type=submit name=sa></form>",
        "search+",
    );
}

#[test]
fn refinements() {
    check("<form><select name=sortBy><option>Price<option>Name</select></form>", "refine+");
    check(
        "<form class=filters><input type=checkbox name=brand value=a><input type=checkbox name=brand value=b>\
         <button>Apply filters</button></form>",
        "refine+",
    );
    check(
        "<form method=post class=filters><select name=color><option>Red</select><button>Filter</button></form>",
        "refine+",
    );
    check(
        "<form method=post class=filters><select name=color><option>Red</select><input name=note>\
         <button>Filter</button></form>",
        "refine",
    );
}

#[test]
fn logins() {
    check(
        "<form method=post action=/login><input name=user><input type=password name=pw></form>",
        "login",
    );
    check(
        "<form><input name=email type=email><input type=password name=p><button>Anmelden</button></form>",
        "login",
    );
    check(
        "<form method=post action=/register><input name=first_name><input name=email>\
         <input type=password name=p1><input type=password name=p2></form>",
        "other",
    );
}

#[test]
fn others() {
    check(
        "<form action=/newsletter method=post><input type=email name=email><button>Subscribe</button></form>",
        "other",
    );
    check("<form action=/newsletter><input name=email><button>OK</button></form>", "other");
    check(
        "<form method=post action=/cart/add><input name=qty value=1><button>Add to cart</button></form>",
        "other",
    );
    check(
        "<form action=/cart/add><input name=qty value=1><button>Add to cart</button></form>",
        "other",
    );
    check(
        "<form method=post action=/contact><input name=name><textarea name=message></textarea></form>",
        "other",
    );
    check("<form method=post enctype=multipart/form-data><input type=file name=f></form>", "other");
    check("<form><select name=currency><option>EUR</select></form>", "other+");
    check("<form></form>", "other+");
    check("<form action='javascript:void(0)'><input name=q></form>", "search");
    check("<form method=dialog><input name=q></form>", "search");
    check("", "");
    check("<input name=q>", "");
}

#[test]
fn a_line_says_what_the_contract_promises() {
    let page = Document::from_html(
        "<form action=/find><label>Find <input name=q></label><select name=c><option value=1>One</select></form>",
    );
    let line = serde_json::to_value(forms_line(&page, &address(), "a.html")).unwrap();
    let expect = serde_json::json!({"page": "a.html", "forms": [{
        "index": 0, "kind": "search", "score": line["forms"][0]["score"], "method": "get",
        "action": "https://shop.example/find", "query": "q", "safe": true, "fields": [
            {"name": "q", "type": "text", "label": "Find", "options": []},
            {"name": "c", "type": "select", "label": line["forms"][0]["fields"][1]["label"],
             "options": [{"value": "1", "label": "One"}]}]}]});
    assert_eq!(line, expect);
}

/// On every generated site the search form is found, sent, and answered by a search.
#[test]
fn generated_sites_are_asked_through_their_form() {
    for spec in specs(14) {
        let site = Site::generate(spec);
        let home = Document::from_html(&site.respond(&SiteRequest::get("/")).text());
        let address = Url::parse("http://localhost/").unwrap();
        let forms = home.forms(&address);
        let found = classify_forms(&home, &forms);
        let searches: Vec<usize> =
            found.iter().filter(|f| f.kind == FormKind::Search).map(|f| f.index).collect();
        assert_eq!(searches.len(), 1, "{:?} {found:?}", site.spec().theme);
        let form = &forms[searches[0]];
        assert!(found[searches[0]].safe);
        assert_eq!(query_control(form).unwrap().name, site.spec().search.field);
        for (word, class) in [("zzqxv", PageClass::NoMatch), ("*", PageClass::Error)] {
            let request = submission(form, word, &[]).unwrap();
            let url = Url::parse(&request.url).unwrap();
            let target = &url[url::Position::BeforePath..];
            let response = match request.method {
                Method::Get => site.respond(&SiteRequest::get(target)),
                Method::Post => site.respond(&SiteRequest::post(target, request.body.unwrap())),
            };
            assert_eq!(response.class, class, "{target}");
            assert_eq!(request.method == Method::Post, site.spec().search.form == SearchForm::Post);
        }
        let login = site.respond(&SiteRequest::get("/login")).text();
        let login = Document::from_html(&login);
        let kinds = classify_forms(&login, &login.forms(&address));
        assert!(kinds.iter().any(|f| f.kind == FormKind::Login && !f.safe));
    }
}

fn any_form() -> impl Strategy<Value = String> {
    let kinds = prop::sample::select(vec![
        "text", "search", "password", "file", "hidden", "email", "checkbox", "submit", "number",
    ]);
    let names = prop::sample::select(vec!["q", "email", "qty", "user", "search", "s", "x", ""]);
    let control = (kinds, names).prop_map(|(k, n)| format!("<input type={k} name='{n}' value=v>"));
    let method = prop::sample::select(vec!["get", "post", "dialog", ""]);
    let action =
        prop::sample::select(vec!["/search", "/cart", "/login", "", "mailto:a@b", "/x?y=1"]);
    (method, action, prop::collection::vec(control, 0..6))
        .prop_map(|(m, a, c)| format!("<form method='{m}' action='{a}'>{}</form>", c.concat()))
}

proptest! {
    #[test]
    fn nothing_that_could_change_something_is_sent(html in any_form()) {
        let page = Document::from_html(&html);
        let forms = page.forms(&address());
        let found = &classify_forms(&page, &forms)[0];
        prop_assert!((0.0..=1.0).contains(&found.score));
        prop_assert_eq!(found.safe, is_safe_to_submit(&page, &forms[0]));
        if found.safe {
            prop_assert!(!html.contains("type=password") && !html.contains("type=file"));
            // By POST only what searches, or narrows a list by choices alone.
            let takes_text = ["text", "search", "email", "number"]
                .iter()
                .any(|kind| html.contains(&format!("type={kind} ")));
            let narrows = found.kind == FormKind::Refine && !takes_text;
            prop_assert!(
                !html.contains("method='post'") || found.kind == FormKind::Search || narrows
            );
            let request = submission(&forms[0], "word", &[]).expect("a safe form can be sent");
            prop_assert!(request.url.starts_with("https://shop.example/"));
        }
    }
}
