//! Mark-up that all themes share: the head, forms, pictures, paging and small pages.

use std::fmt::Write as _;

use crate::site::Site;
use crate::spec::{PagingStyle, Pictures, SearchForm};
use crate::text::Esc;
use crate::view::{
    Card, Chosen, FacetGroup, FormTarget, Frame, HomeView, Link, ListView, Pager, TextView, Unit,
};

/// Appends formatted text.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {
        // Writing to a string cannot fail.
        let _ = write!($out, $($arg)*);
    };
}
pub(crate) use put;

/// Rules that every theme starts from.
pub(crate) const CSS: &str = "\
*{box-sizing:border-box}
html{font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:#222;background:#fff}
body{margin:0}
a{color:hsl(var(--hue),55%,34%)}
img,svg{max-width:100%;height:auto;display:block}
button,input,select{font:inherit;padding:.35em .6em;border:1px solid #bbb;border-radius:4px;background:#fff}
button{background:hsl(var(--hue),45%,38%);border-color:hsl(var(--hue),45%,30%);color:#fff;cursor:pointer}
fieldset{border:0;padding:0;margin:0 0 1em}
legend{font-weight:600;padding:0}
h1{font-size:1.7rem;line-height:1.2;margin:.4em 0}
h2{font-size:1.25rem;margin:1.2em 0 .5em}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:12px;padding:0;list-style:none}
.tiles a{display:block;padding:18px 14px;background:hsl(var(--hue),30%,94%);border-radius:8px;text-decoration:none;font-weight:600}
.newsletter{margin:2.5em 0 1em;padding:1.2em 1.4em;background:hsl(var(--hue),25%,95%);border-radius:8px}
.calendar td{padding:.3em .7em;border:1px solid #ddd;text-align:right}
.values{columns:3;padding-left:1.2em}
.prose{max-width:44em}
.prose form p label{display:inline-block;min-width:6em}
";

/// From the beginning to `</head>`.
pub(crate) fn head(out: &mut String, frame: &Frame) {
    put!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<link rel=\"stylesheet\" href=\"/assets/site.css\">\n",
        Esc(&frame.title)
    );
    if let Some(canonical) = &frame.canonical {
        put!(out, "<link rel=\"canonical\" href=\"{}\">\n", Esc(canonical));
    }
    if let Some(data) = &frame.json_ld {
        put!(out, "<script type=\"application/ld+json\">{data}</script>\n");
    }
    out.push_str("</head>\n");
}

/// ` itemprop="…"` where the site has microdata.
pub(crate) fn prop(site: &Site, name: &str) -> String {
    if site.spec.markup.microdata { format!(" itemprop=\"{name}\"") } else { String::new() }
}

/// ` itemscope itemtype="…"` where the site has microdata.
pub(crate) fn scope(site: &Site) -> String {
    if site.spec.markup.microdata {
        format!(" itemscope itemtype=\"https://schema.org/{}\"", site.definition.schema)
    } else {
        String::new()
    }
}

/// The picture of a record.
pub(crate) fn picture(out: &mut String, site: &Site, card: &Card) {
    match (card.picture, site.spec.markup.pictures) {
        (Some(base), Pictures::Files) => {
            put!(
                out,
                "<img src=\"/img/{base}.svg\" alt=\"{}\" width=\"160\" height=\"120\">",
                Esc(card.title())
            );
        }
        (Some(base), Pictures::Inline) => out.push_str(&site.picture(base)),
        (_, _) => {}
    }
}

/// A unit's text with its decoration.
pub(crate) fn text_of(out: &mut String, unit: &Unit) {
    match &unit.html {
        Some(html) => out.push_str(html),
        None => {
            put!(out, "{}", Esc(&unit.text));
        }
    }
}

/// Links with something between them.
pub(crate) fn links(out: &mut String, links: &[Link], before: &str, after: &str) {
    for link in links {
        put!(out, "{before}<a href=\"{}\">{}</a>{after}", Esc(&link.href), Esc(&link.text));
    }
}

/// Breadcrumbs as plain links with a separator; the last is where we are.
pub(crate) fn crumbs(out: &mut String, crumbs: &[Link], separator: &str) {
    for (i, crumb) in crumbs.iter().enumerate() {
        if i > 0 {
            out.push_str(separator);
        }
        if crumb.href.is_empty() {
            put!(out, "<span>{}</span>", Esc(&crumb.text));
        } else {
            put!(out, "<a href=\"{}\">{}</a>", Esc(&crumb.href), Esc(&crumb.text));
        }
    }
}

/// The search form of the site.
pub(crate) fn search(out: &mut String, site: &Site, frame: &Frame) {
    let method = match site.spec.search.form {
        SearchForm::Get => "get",
        SearchForm::Post => "post",
        SearchForm::None => return,
    };
    put!(
        out,
        "<form class=\"search\" role=\"search\" action=\"/search\" method=\"{method}\">\
         <input type=\"search\" name=\"{}\" value=\"{}\" placeholder=\"Search {}\" aria-label=\"Search\">\
         <button type=\"submit\">Search</button></form>\n",
        Esc(&site.spec.search.field),
        Esc(&frame.keywords),
        site.definition.noun.1
    );
}

fn hidden(out: &mut String, form: &FormTarget) {
    for (name, value) in &form.hidden {
        put!(out, "<input type=\"hidden\" name=\"{}\" value=\"{}\">", Esc(name), Esc(value));
    }
}

/// Facets as a form with selects and checkboxes.
pub(crate) fn facet_form(out: &mut String, form: &FormTarget, groups: &[FacetGroup]) {
    put!(
        out,
        "<form class=\"refine\" action=\"{}\" method=\"{}\">\n",
        Esc(&form.action),
        form.method
    );
    hidden(out, form);
    for group in groups {
        let count = |n: Option<usize>| n.map_or_else(String::new, |n| format!(" ({n})"));
        if group.several {
            put!(out, "<fieldset><legend>{}</legend>\n", Esc(&group.name));
            for value in &group.values {
                put!(
                    out,
                    "<label><input type=\"checkbox\" name=\"{}\" value=\"{}\"{}> {}{}</label><br>\n",
                    group.key,
                    value.slug,
                    if value.chosen { " checked" } else { "" },
                    Esc(&value.text),
                    count(value.count)
                );
            }
            out.push_str("</fieldset>\n");
        } else {
            put!(
                out,
                "<p><label for=\"f-{0}\">{1}</label><br>\n<select id=\"f-{0}\" name=\"{0}\">\
                 <option value=\"\">Any</option>\n",
                group.key,
                Esc(&group.name)
            );
            for value in &group.values {
                put!(
                    out,
                    "<option value=\"{}\"{}>{}{}</option>\n",
                    value.slug,
                    if value.chosen { " selected" } else { "" },
                    Esc(&value.text),
                    count(value.count)
                );
            }
            out.push_str("</select></p>\n");
        }
    }
    out.push_str("<button type=\"submit\">Apply filters</button>\n</form>\n");
}

/// What was chosen, each with a link that takes it away.
pub(crate) fn chosen(out: &mut String, chosen: &[Chosen], before: &str, after: &str) {
    for c in chosen {
        put!(out, "{before}<span>{}: {}</span>", Esc(&c.attribute), Esc(&c.value));
        if let Some(href) = &c.remove {
            put!(out, " <a href=\"{}\" title=\"Remove\">×</a>", Esc(href));
        }
        out.push_str(after);
    }
}

/// Sort orders, page sizes and exports in one line.
pub(crate) fn switches(out: &mut String, view: &ListView) {
    for (name, switches) in [("Sort by", &view.sorts), ("Per page", &view.sizes)] {
        if switches.is_empty() {
            continue;
        }
        put!(out, "<span class=\"switch\"><span>{name}:</span>");
        for s in switches {
            if s.current {
                put!(out, " <strong>{}</strong>", Esc(&s.link.text));
            } else {
                put!(out, " <a href=\"{}\">{}</a>", Esc(&s.link.href), Esc(&s.link.text));
            }
        }
        out.push_str("</span>\n");
    }
    if !view.exports.is_empty() {
        out.push_str("<span class=\"switch\">Export:");
        links(out, &view.exports, " ", "");
        out.push_str("</span>\n");
    }
}

/// The way to the other pages; `item` and `end` surround each link.
pub(crate) fn pager(out: &mut String, pager: &Pager, item: &str, end: &str) {
    if let Some(form) = &pager.form {
        put!(out, "<form action=\"{}\" method=\"{}\">", Esc(&form.action), form.method);
        hidden(out, form);
        for (number, _) in &pager.pages {
            let here = if *number == pager.current { " disabled" } else { "" };
            put!(
                out,
                "{item}<button type=\"submit\" name=\"{}\" value=\"{number}\"{here}>{number}</button>{end}",
                form.button
            );
        }
        out.push_str("</form>\n");
        return;
    }
    if let Some(prev) = &pager.prev {
        put!(out, "{item}<a href=\"{}\" rel=\"prev\">Previous</a>{end}\n", Esc(prev));
    }
    let mut last = 0;
    for (number, href) in &pager.pages {
        if *number > last + 1 {
            put!(out, "{item}<span>…</span>{end}\n");
        }
        last = *number;
        if *number == pager.current {
            put!(out, "{item}<span aria-current=\"page\">{number}</span>{end}\n");
        } else {
            put!(out, "{item}<a href=\"{}\">{number}</a>{end}\n", Esc(href));
        }
    }
    if let Some(next) = &pager.next {
        let text = if pager.style == PagingStyle::LoadMore { "Load more" } else { "Next" };
        let rel = if pager.style == PagingStyle::LoadMore { "" } else { " rel=\"next\"" };
        put!(out, "{item}<a href=\"{}\"{rel}>{text}</a>{end}\n", Esc(next));
    }
}

/// The home page.
pub(crate) fn home(
    out: &mut String,
    site: &Site,
    view: &HomeView,
    records: &dyn Fn(&mut String, &[Card]),
) {
    put!(
        out,
        "<section class=\"hero\"><h1>{}</h1>\n<p>{}</p></section>\n",
        Esc(&view.heading),
        Esc(&view.lead)
    );
    if !view.tiles.is_empty() {
        out.push_str("<ul class=\"tiles\">");
        links(out, &view.tiles, "<li>", "</li>");
        out.push_str("</ul>\n");
    }
    if !view.featured.is_empty() {
        put!(out, "<h2>{}</h2>\n", Esc(&view.featured_heading));
        records(out, &view.featured);
    }
    if view.newsletter {
        put!(
            out,
            "<form class=\"newsletter\" action=\"/newsletter\" method=\"post\">\
             <strong>Letters from {}</strong> <label for=\"nl\">Your e-mail address</label> \
             <input id=\"nl\" type=\"email\" name=\"email\"> <button type=\"submit\">Subscribe</button></form>\n",
            Esc(&site.name)
        );
    }
}

/// A page of text.
pub(crate) fn text(out: &mut String, _site: &Site, view: &TextView) {
    put!(out, "<div class=\"prose\"><h1>{}</h1>\n", Esc(&view.heading));
    for paragraph in &view.paragraphs {
        put!(out, "<p>{}</p>\n", Esc(paragraph));
    }
    if let Some((year, month)) = view.days {
        put!(out, "<table class=\"calendar\"><caption>{month:02}/{year}</caption>\n");
        for week in 0..4 {
            out.push_str("<tr>");
            for day in 1..=7 {
                put!(out, "<td>{}</td>", week * 7 + day);
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</table>\n");
    }
    if let Some(form) = &view.form {
        out.push_str(form);
    }
    if !view.links.is_empty() {
        out.push_str("<ul>\n");
        links(out, &view.links, "<li>", "</li>\n");
        out.push_str("</ul>\n");
    }
    out.push_str("</div>\n");
}

/// All values of a facet.
pub(crate) fn values(out: &mut String, heading: &str, group: &FacetGroup) {
    put!(out, "<h1>{}</h1>\n<h2>{}</h2>\n<ul class=\"values\">\n", Esc(heading), Esc(&group.name));
    for value in &group.values {
        put!(out, "<li><a href=\"{}\">{}</a>", Esc(&value.href), Esc(&value.text));
        if let Some(n) = value.count {
            put!(out, " ({n})");
        }
        out.push_str("</li>\n");
    }
    out.push_str("</ul>\n");
}
