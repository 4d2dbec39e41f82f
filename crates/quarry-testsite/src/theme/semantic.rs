//! Sections, articles, lists and headings: mark-up that says what it means.

use std::fmt::Write as _;

use super::parts::{self, put};
use super::{Skin, specs};
use crate::site::Site;
use crate::text::Esc;
use crate::view::{Card, EntityView, Frame, ListView, Slot};

pub(crate) struct Semantic;

impl Skin for Semantic {
    fn css(&self) -> &'static str {
        CSS
    }

    fn open(&self, out: &mut String, site: &Site, frame: &Frame) {
        put!(
            out,
            "<body>\n<header id=\"site-header\">\n<p id=\"site-name\"><a href=\"/\" rel=\"home\">{}</a></p>\n",
            Esc(&site.name)
        );
        parts::search(out, site, frame);
        out.push_str("<nav aria-label=\"Main\"><ul>");
        parts::links(out, &frame.nav, "<li>", "</li>\n");
        out.push_str("</ul></nav>\n<nav aria-label=\"Account\"><ul>");
        parts::links(out, &frame.account, "<li>", "</li>\n");
        out.push_str("</ul></nav>\n</header>\n");
        if !frame.crumbs.is_empty() {
            out.push_str("<nav aria-label=\"Breadcrumb\"><ol>");
            for crumb in &frame.crumbs {
                out.push_str("<li>");
                parts::crumbs(out, std::slice::from_ref(crumb), "");
                out.push_str("</li>");
            }
            out.push_str("</ol></nav>\n");
        }
        out.push_str("<main>\n");
    }

    fn close(&self, out: &mut String, site: &Site, frame: &Frame) {
        out.push_str("</main>\n<footer>\n<nav aria-label=\"Footer\"><ul>");
        parts::links(out, &frame.footer, "<li>", "</li>\n");
        put!(
            out,
            "</ul></nav>\n<p><small>{} – {}</small></p>\n</footer>\n</body>",
            Esc(&site.name),
            site.slogan
        );
    }

    fn list(&self, out: &mut String, site: &Site, view: &ListView) {
        put!(
            out,
            "<h1>{}</h1>\n<p role=\"status\">{}</p>\n",
            Esc(&view.heading),
            Esc(&view.summary)
        );
        if !view.chosen.is_empty() {
            out.push_str("<ul aria-label=\"Chosen filters\" class=\"chosen\">");
            parts::chosen(out, &view.chosen, "<li>", "</li>\n");
            out.push_str("</ul>\n");
        }
        out.push_str("<section id=\"filters\" aria-label=\"Filters\">\n");
        if let Some(form) = &view.facet_form {
            parts::facet_form(out, form, &view.facets);
        }
        for group in view.facets.iter().filter(|_| view.facet_form.is_none()) {
            put!(out, "<details open><summary>{}</summary>\n<ul>\n", Esc(&group.name));
            for value in &group.values {
                put!(out, "<li><a href=\"{}\">{}</a>", Esc(&value.href), Esc(&value.text));
                if let Some(n) = value.count {
                    put!(out, " <small>{n}</small>");
                }
                out.push_str("</li>\n");
            }
            if let Some(more) = &group.more {
                put!(out, "<li><a href=\"{}\">Show all</a></li>\n", Esc(more));
            }
            out.push_str("</ul></details>\n");
        }
        for ad in &view.advertisements {
            put!(
                out,
                "<aside aria-label=\"Advertisement\"><h4>{}</h4><p>{} <cite>{}</cite></p></aside>\n",
                Esc(&ad.headline),
                Esc(&ad.text),
                Esc(&ad.sponsor)
            );
        }
        out.push_str(
            "</section>\n<section id=\"results\" aria-label=\"Results\">\n<div class=\"switches\">",
        );
        parts::switches(out, view);
        out.push_str("</div>\n");
        self.records(out, site, &view.cards);
        if let Some(pager) = &view.pager {
            out.push_str("<nav aria-label=\"Pages\"><ul>");
            parts::pager(out, pager, "<li>", "</li>");
            out.push_str("</ul></nav>\n");
        }
        out.push_str("</section>\n");
        if !view.promotions.is_empty() {
            out.push_str("<aside id=\"promoted\"><h2>Popular right now</h2>\n<ul>");
            for card in &view.promotions {
                put!(out, "<li><a href=\"{}\">{}</a></li>\n", Esc(&card.href), Esc(card.title()));
            }
            out.push_str("</ul></aside>\n");
        }
    }

    fn records(&self, out: &mut String, site: &Site, cards: &[Card]) {
        let (scope, name, price) =
            (parts::scope(site), parts::prop(site, "name"), parts::prop(site, "price"));
        out.push_str("<ol class=\"results\">\n");
        for card in cards {
            put!(out, "<li><article{scope}>\n");
            if card.picture.is_some() {
                out.push_str("<figure>");
                parts::picture(out, site, card);
                out.push_str("</figure>\n");
            }
            put!(out, "<h3{name}><a href=\"{}\">", Esc(&card.href));
            if let Some(title) = card.unit(Slot::Title) {
                parts::text_of(out, title);
            }
            out.push_str("</a></h3>\n");
            for unit in &card.units {
                match unit.slot {
                    Slot::Title => {}
                    Slot::Badge => {
                        put!(out, "<mark>{}</mark>\n", Esc(&unit.text));
                    }
                    Slot::Maker => {
                        put!(out, "<p>by <cite>{}</cite></p>\n", Esc(&unit.text));
                    }
                    Slot::Fact | Slot::Joined => {
                        out.push_str("<p>");
                        if let Some(label) = &unit.label {
                            put!(out, "{}: ", Esc(label));
                        }
                        out.push_str("<span>");
                        parts::text_of(out, unit);
                        out.push_str("</span></p>\n");
                    }
                    Slot::Teaser => {
                        out.push_str("<blockquote>");
                        parts::text_of(out, unit);
                        out.push_str("</blockquote>\n");
                    }
                    Slot::Rating => {
                        put!(
                            out,
                            "<p><meter min=\"0\" max=\"5\" value=\"{0}\"></meter> <span>{0}</span></p>\n",
                            Esc(&unit.text)
                        );
                    }
                    Slot::Reviews => {
                        put!(out, "<p><small>{}</small></p>\n", Esc(&unit.text));
                    }
                    Slot::OldPrice => {
                        put!(out, "<p>Was <del>{}</del></p>\n", Esc(&unit.text));
                    }
                    Slot::Price if unit.label.is_some() => {
                        put!(out, "<p>Now <ins{price}>{}</ins></p>\n", Esc(&unit.text));
                    }
                    Slot::Price | Slot::Call => {
                        put!(out, "<p><strong{price}>{}</strong></p>\n", Esc(&unit.text));
                    }
                    Slot::Constant => {
                        put!(out, "<p><em>{}</em></p>\n", Esc(&unit.text));
                    }
                }
            }
            for link in card.action.iter().chain(card.compare.iter()) {
                put!(
                    out,
                    "<p><a href=\"{}\" rel=\"nofollow\">{}</a></p>",
                    Esc(&link.href),
                    Esc(&link.text)
                );
            }
            out.push_str("</article></li>\n");
        }
        out.push_str("</ol>\n");
    }

    fn entity(&self, out: &mut String, site: &Site, view: &EntityView) {
        if let Some(line) = &view.only_match {
            put!(out, "<p role=\"status\"><mark>{}</mark></p>\n", Esc(line));
        }
        put!(
            out,
            "<article class=\"entity\"{}>\n<h1{}>{}</h1>\n<figure>",
            parts::scope(site),
            parts::prop(site, "name"),
            Esc(view.card.title())
        );
        parts::picture(out, site, &view.card);
        out.push_str("</figure>\n");
        if let Some(maker) = view.card.unit(Slot::Maker) {
            put!(out, "<p>by <cite>{}</cite></p>\n", Esc(&maker.text));
        }
        if let Some(price) = view.card.unit(Slot::Price) {
            put!(
                out,
                "<p><strong{}>{}</strong></p>\n",
                parts::prop(site, "price"),
                Esc(&price.text)
            );
        }
        put!(out, "<section{}>\n<h2>About</h2>\n<p>", parts::prop(site, "description"));
        for sentence in &view.description {
            put!(out, "{} ", Esc(sentence));
        }
        out.push_str("</p></section>\n<section id=\"facts\">\n");
        specs::specification(out, site.spec.specs, &view.specs);
        out.push_str("</section>\n<ul class=\"actions\">");
        parts::links(out, &view.actions, "<li>", "</li>");
        out.push_str("</ul>\n</article>\n");
        if !view.related.is_empty() {
            out.push_str("<aside id=\"related\"><h2>Related</h2>\n");
            self.records(out, site, &view.related);
            out.push_str("</aside>\n");
        }
    }
}

const CSS: &str = "\
html{font:17px/1.55 Georgia,'Iowan Old Style',serif;background:#fdfcf9}
header,main,footer,nav[aria-label=Breadcrumb]{max-width:1120px;margin:0 auto;padding:0 24px}
#site-header{display:flex;flex-wrap:wrap;gap:6px 28px;align-items:center;padding-top:22px;border-bottom:3px double hsl(var(--hue),30%,60%)}
#site-name{font-size:1.9rem;font-weight:700;margin:0;flex:1}
#site-name a{text-decoration:none}
nav ul,nav ol{list-style:none;padding:0;margin:8px 0;display:flex;flex-wrap:wrap;gap:6px 20px}
nav[aria-label=Main]{flex-basis:70%}
nav[aria-label=Breadcrumb]{font-size:.85rem}
nav[aria-label=Breadcrumb] li+li::before{content:'/ ';color:#999}
nav[aria-label=Pages] ul{justify-content:center;margin-top:24px}
main{display:grid;grid-template-columns:240px 1fr;gap:0 40px;padding-bottom:40px}
main>*{grid-column:1/-1}
#filters{grid-column:1}#results{grid-column:2}
#filters ul{list-style:none;padding-left:14px;margin:4px 0 14px;font-size:.92rem}
summary{font-weight:700}
#filters small{color:#888}
aside[aria-label=Advertisement]{border-left:4px solid #ddd;padding-left:12px;font-size:.85rem;color:#666}
.chosen{list-style:none;padding:0;display:flex;gap:16px}
.switches{font-size:.85rem;display:flex;gap:26px;flex-wrap:wrap}
.results{list-style:none;padding:0}
.results article{display:grid;grid-template-columns:130px 1fr;gap:0 20px;padding:16px 0;border-bottom:1px solid #e4ded2}
.results figure{grid-row:1/12;margin:0}
.results article>*{grid-column:2}.results figure{grid-column:1!important}
.results h3{margin:0;font-size:1.15rem}
.results p{margin:1px 0;font-size:.92rem}
.results blockquote{margin:4px 0;color:#555;font-size:.92rem}
mark{background:hsl(var(--hue),70%,90%);justify-self:start;padding:0 6px;font-size:.8rem}
ins{text-decoration:none;font-weight:700}
.entity figure{float:right;width:380px;max-width:50%;margin:0 0 20px 32px}
.entity figure img,.entity figure svg{width:100%}
.specs{border-collapse:collapse}
.specs th,.specs td{text-align:left;padding:5px 18px 5px 0;border-bottom:1px solid #e4ded2;vertical-align:top}
div.specs .row{display:grid;grid-template-columns:200px 1fr;border-bottom:1px solid #e4ded2;padding:5px 0}
dl.specs{display:grid;grid-template-columns:200px 1fr;gap:4px}dl.specs dt{font-weight:700}dl.specs dd{margin:0}
.actions{list-style:none;padding:0;display:flex;gap:20px}
#related .results{display:grid;grid-template-columns:1fr 1fr;gap:0 40px}
.hero{padding:20px 0}
footer{border-top:3px double hsl(var(--hue),30%,60%);font-size:.9rem}
@media(max-width:800px){#filters,#results{grid-column:1/-1}}
";
