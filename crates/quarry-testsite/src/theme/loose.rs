//! Records without a box of their own: headings and paragraphs one after another, as blogs and old
//! directories print them.

use std::fmt::Write as _;

use super::parts::{self, put};
use super::{Skin, specs};
use crate::site::Site;
use crate::text::Esc;
use crate::view::{Card, EntityView, Frame, ListView, Slot};

pub(crate) struct Loose;

impl Skin for Loose {
    fn css(&self) -> &'static str {
        CSS
    }

    fn order(&self) -> &'static [Slot] {
        use Slot::*;
        &[
            Title, Badge, Maker, Teaser, Fact, Joined, Rating, Reviews, OldPrice, Price, Call,
            Constant,
        ]
    }

    fn open(&self, out: &mut String, site: &Site, frame: &Frame) {
        put!(
            out,
            "<body>\n<h4 class=\"name\"><a href=\"/\">{}</a></h4>\n<p class=\"nav\">",
            Esc(&site.name)
        );
        parts::links(out, &frame.nav, "", "\n");
        parts::links(out, &frame.account, "", "\n");
        out.push_str("</p>\n");
        parts::search(out, site, frame);
        out.push_str("<p class=\"crumbs\">");
        parts::crumbs(out, &frame.crumbs, " → ");
        out.push_str("</p>\n");
    }

    fn close(&self, out: &mut String, site: &Site, frame: &Frame) {
        out.push_str("<hr class=\"end\">\n<p class=\"foot\">");
        parts::links(out, &frame.footer, "", "\n");
        put!(out, "</p>\n<p class=\"foot\">{}. {}.</p>\n</body>", Esc(&site.name), site.slogan);
    }

    fn list(&self, out: &mut String, site: &Site, view: &ListView) {
        put!(out, "<h1>{}</h1>\n", Esc(&view.heading));
        if !view.chosen.is_empty() {
            out.push_str("<p class=\"chosen\">");
            parts::chosen(out, &view.chosen, "", ", ");
            out.push_str("</p>\n");
        }
        if let Some(form) = &view.facet_form {
            parts::facet_form(out, form, &view.facets);
        }
        for group in view.facets.iter().filter(|_| view.facet_form.is_none()) {
            put!(out, "<p class=\"facet\"><b>{}:</b>\n", Esc(&group.name));
            for value in &group.values {
                put!(out, "<a href=\"{}\">{}</a>", Esc(&value.href), Esc(&value.text));
                if let Some(n) = value.count {
                    put!(out, " ({n})");
                }
                out.push_str(",\n");
            }
            if let Some(more) = &group.more {
                put!(out, "<a href=\"{}\">and more</a>", Esc(more));
            }
            out.push_str("</p>\n");
        }
        put!(out, "<p class=\"sum\">{} ", Esc(&view.summary));
        parts::switches(out, view);
        out.push_str("</p>\n");
        for ad in &view.advertisements {
            put!(
                out,
                "<div class=\"ad\">{}: {} {}</div>\n",
                Esc(&ad.sponsor),
                Esc(&ad.headline),
                Esc(&ad.text)
            );
        }
        out.push_str("<div class=\"entries\">\n");
        self.records(out, site, &view.cards);
        out.push_str("</div>\n");
        if let Some(pager) = &view.pager {
            out.push_str("<p class=\"pages\">");
            parts::pager(out, pager, "", " ");
            out.push_str("</p>\n");
        }
        if !view.promotions.is_empty() {
            out.push_str("<h2>Do not miss</h2>\n<ul>");
            for card in &view.promotions {
                put!(out, "<li><a href=\"{}\">{}</a></li>\n", Esc(&card.href), Esc(card.title()));
            }
            out.push_str("</ul>\n");
        }
    }

    fn records(&self, out: &mut String, site: &Site, cards: &[Card]) {
        for (i, card) in cards.iter().enumerate() {
            if i > 0 {
                out.push_str("<hr>\n");
            }
            put!(out, "<h3><a href=\"{}\">", Esc(&card.href));
            if let Some(title) = card.unit(Slot::Title) {
                parts::text_of(out, title);
            }
            out.push_str("</a>");
            if let Some(badge) = card.unit(Slot::Badge) {
                put!(out, " <i>{}</i>", Esc(&badge.text));
            }
            out.push_str("</h3>\n");
            parts::picture(out, site, card);
            for unit in card.units.iter().filter(|u| matches!(u.slot, Slot::Maker | Slot::Teaser)) {
                out.push_str("<p>");
                if let Some(label) = &unit.label {
                    put!(out, "{} ", Esc(label));
                }
                out.push_str("<span>");
                parts::text_of(out, unit);
                out.push_str("</span></p>\n");
            }
            let rest = card.units.iter().filter(|u| {
                !matches!(u.slot, Slot::Maker | Slot::Teaser | Slot::Title | Slot::Badge)
            });
            out.push_str("<p class=\"meta\">");
            for (i, unit) in rest.enumerate() {
                if i > 0 {
                    out.push_str(" · ");
                }
                if let Some(label) = &unit.label {
                    put!(out, "{}: ", Esc(label));
                }
                let tag = if unit.slot == Slot::Price { "b" } else { "span" };
                put!(out, "<{tag}>");
                parts::text_of(out, unit);
                put!(out, "</{tag}>");
            }
            for link in card.action.iter().chain(card.compare.iter()) {
                put!(
                    out,
                    " · <a href=\"{}\" rel=\"nofollow\">{}</a>",
                    Esc(&link.href),
                    Esc(&link.text)
                );
            }
            out.push_str("</p>\n");
        }
    }

    fn entity(&self, out: &mut String, site: &Site, view: &EntityView) {
        if let Some(line) = &view.only_match {
            put!(out, "<p class=\"sum\"><b>{}</b></p>\n", Esc(line));
        }
        put!(out, "<h1>{}</h1>\n", Esc(view.card.title()));
        parts::picture(out, site, &view.card);
        for slot in [Slot::Maker, Slot::Price] {
            if let Some(unit) = view.card.unit(slot) {
                put!(
                    out,
                    "<p class=\"meta\">{} <b>{}</b></p>\n",
                    Esc(unit.label.as_deref().unwrap_or("")),
                    Esc(&unit.text)
                );
            }
        }
        for sentence in &view.description {
            put!(out, "<p>{}</p>\n", Esc(sentence));
        }
        specs::specification(out, site.spec.specs, &view.specs);
        out.push_str("<p class=\"nav\">");
        parts::links(out, &view.actions, "", "\n");
        out.push_str("</p>\n");
        if !view.related.is_empty() {
            out.push_str("<h2>Nearby on the shelf</h2>\n");
            self.records(out, site, &view.related);
        }
    }
}

const CSS: &str = "\
html{font:17px/1.6 Charter,'Bitstream Charter',Cambria,serif;background:#fffdf8}
body{max-width:760px;margin:0 auto;padding:30px 24px}
.name{font-size:2rem;margin:0;letter-spacing:-.02em}.name a{text-decoration:none;color:hsl(var(--hue),40%,25%)}
.nav a{margin-right:16px}.crumbs{font-size:.8rem;color:#888}
.search input{width:70%}
.facet{font-size:.86rem;margin:.3em 0;color:#666}
.sum{font-size:.85rem;color:#666;border-top:1px solid #ddd;border-bottom:1px solid #ddd;padding:6px 0}
.switch{margin-left:14px}.switch a,.switch strong{margin-left:6px}
.ad{background:#f3efe4;padding:8px 14px;font-size:.85rem}
h3{margin:.6em 0 .2em;font-size:1.25rem}h3 i{font-size:.8rem;color:#a33}
.entries p{margin:.2em 0}.meta{font-size:.88rem;color:#555}
.entries img,.entries svg{float:right;width:130px;margin:0 0 8px 18px}
hr{border:0;border-top:1px solid #e8e2d4;clear:both}
.specs{border-collapse:collapse}.specs th,.specs td{text-align:left;padding:4px 22px 4px 0;border-bottom:1px solid #eee}
div.specs .row{display:flex;gap:20px}div.specs .k{width:180px;color:#777}
.refine{background:#f6f2e8;padding:14px 18px}
.pages{text-align:center}.foot{font-size:.8rem;color:#888}.foot a{margin-right:14px}
.prose{max-width:none}
";
