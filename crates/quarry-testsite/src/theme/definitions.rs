//! Definition lists: records as `dt` with several `dd`, facets as `dl`.

use std::fmt::Write as _;

use super::parts::{self, put};
use super::{Skin, specs};
use crate::site::Site;
use crate::text::Esc;
use crate::view::{Card, EntityView, Frame, ListView, Slot};

pub(crate) struct Definitions;

impl Skin for Definitions {
    fn css(&self) -> &'static str {
        CSS
    }

    fn open(&self, out: &mut String, site: &Site, frame: &Frame) {
        put!(
            out,
            "<body>\n<div id=\"top\"><div id=\"logo\"><a href=\"/\">{}</a><span>{}</span></div>\n",
            Esc(&site.name),
            site.slogan
        );
        parts::search(out, site, frame);
        out.push_str("<div id=\"account\">");
        parts::links(out, &frame.account, "", "\n");
        out.push_str("</div></div>\n<div id=\"menu\">");
        parts::links(out, &frame.nav, "", "\n");
        out.push_str("</div>\n<div id=\"path\">");
        parts::crumbs(out, &frame.crumbs, " » ");
        out.push_str("</div>\n<div id=\"page\">\n");
    }

    fn close(&self, out: &mut String, site: &Site, frame: &Frame) {
        out.push_str("</div>\n<div id=\"foot\">");
        parts::links(out, &frame.footer, "", " · ");
        put!(out, "<span>{}</span></div>\n</body>", Esc(&site.name));
    }

    fn list(&self, out: &mut String, site: &Site, view: &ListView) {
        out.push_str("<div id=\"side\">\n");
        if let Some(form) = &view.facet_form {
            parts::facet_form(out, form, &view.facets);
        } else if !view.facets.is_empty() {
            out.push_str("<dl class=\"narrow\">\n");
            for group in &view.facets {
                put!(out, "<dt>{}</dt>\n", Esc(&group.name));
                for value in &group.values {
                    put!(out, "<dd><a href=\"{}\">{}", Esc(&value.href), Esc(&value.text));
                    if let Some(n) = value.count {
                        put!(out, " ({n})");
                    }
                    out.push_str("</a></dd>\n");
                }
                if let Some(more) = &group.more {
                    put!(out, "<dd class=\"more\"><a href=\"{}\">View more</a></dd>\n", Esc(more));
                }
            }
            out.push_str("</dl>\n");
        }
        put!(
            out,
            "</div>\n<div id=\"list\">\n<h1>{}</h1>\n<p class=\"sum\">{}</p>\n",
            Esc(&view.heading),
            Esc(&view.summary)
        );
        if !view.chosen.is_empty() {
            out.push_str("<p class=\"chosen\">");
            parts::chosen(out, &view.chosen, "<span>", "</span> ");
            out.push_str("</p>\n");
        }
        out.push_str("<p class=\"views\">");
        parts::switches(out, view);
        out.push_str("</p>\n");
        let half = view.cards.len() / 2;
        self.records(out, site, &view.cards[..half]);
        for ad in &view.advertisements {
            put!(
                out,
                "<div class=\"sponsor\"><b>{}</b> {} <i>sponsored by {}</i></div>\n",
                Esc(&ad.headline),
                Esc(&ad.text),
                Esc(&ad.sponsor)
            );
        }
        self.records(out, site, &view.cards[half..]);
        if let Some(pager) = &view.pager {
            out.push_str("<p class=\"pager\">");
            parts::pager(out, pager, "", " ");
            out.push_str("</p>\n");
        }
        out.push_str("</div>\n");
        if !view.promotions.is_empty() {
            out.push_str("<div id=\"hot\"><h2>Hot picks</h2>\n");
            self.records(out, site, &view.promotions);
            out.push_str("</div>\n");
        }
    }

    fn records(&self, out: &mut String, site: &Site, cards: &[Card]) {
        out.push_str("<dl class=\"items\">\n");
        for card in cards {
            put!(out, "<dt><a href=\"{}\">", Esc(&card.href));
            if let Some(title) = card.unit(Slot::Title) {
                parts::text_of(out, title);
            }
            out.push_str("</a>");
            if let Some(badge) = card.unit(Slot::Badge) {
                put!(out, " <sup>{}</sup>", Esc(&badge.text));
            }
            out.push_str("</dt>\n");
            if card.picture.is_some() {
                out.push_str("<dd class=\"pic\">");
                parts::picture(out, site, card);
                out.push_str("</dd>\n");
            }
            for unit in &card.units {
                let class = match unit.slot {
                    Slot::Title | Slot::Badge => continue,
                    Slot::Maker => "maker",
                    Slot::Fact | Slot::Joined => "fact",
                    Slot::Teaser => "teaser",
                    Slot::Rating => "stars",
                    Slot::Reviews => "votes",
                    Slot::OldPrice => "old",
                    Slot::Price | Slot::Call => "price",
                    Slot::Constant => "note",
                };
                put!(out, "<dd class=\"{class}\">");
                match (&unit.label, unit.slot) {
                    (Some(label), Slot::Fact) => {
                        put!(out, "{}: ", Esc(label));
                    }
                    (Some(label), _) => {
                        put!(out, "{} ", Esc(label));
                    }
                    (None, _) => {}
                }
                out.push_str("<span>");
                parts::text_of(out, unit);
                out.push_str("</span></dd>\n");
            }
            for link in card.action.iter().chain(card.compare.iter()) {
                put!(
                    out,
                    "<dd class=\"do\"><a href=\"{}\" rel=\"nofollow\">{}</a></dd>\n",
                    Esc(&link.href),
                    Esc(&link.text)
                );
            }
        }
        out.push_str("</dl>\n");
    }

    fn entity(&self, out: &mut String, site: &Site, view: &EntityView) {
        out.push_str("<div id=\"item\">\n");
        if let Some(line) = &view.only_match {
            put!(out, "<p class=\"sum\"><b>{}</b></p>\n", Esc(line));
        }
        put!(out, "<h1>{}</h1>\n<div class=\"pic\">", Esc(view.card.title()));
        parts::picture(out, site, &view.card);
        out.push_str("</div>\n<dl class=\"head\">\n");
        for slot in [Slot::Maker, Slot::Price, Slot::Rating] {
            if let Some(unit) = view.card.unit(slot) {
                let label = match slot {
                    Slot::Maker => "By",
                    Slot::Price => "Price",
                    _ => "Rated",
                };
                put!(out, "<dt>{label}</dt><dd>{}</dd>\n", Esc(&unit.text));
            }
        }
        out.push_str("</dl>\n<div class=\"text\">");
        for sentence in &view.description {
            put!(out, "{}<br>\n", Esc(sentence));
        }
        out.push_str("</div>\n");
        specs::specification(out, site.spec.specs, &view.specs);
        out.push_str("<p class=\"do\">");
        parts::links(out, &view.actions, "", " ");
        out.push_str("</p>\n");
        if !view.related.is_empty() {
            out.push_str("<h2>Others looked at</h2>\n<ul class=\"others\">");
            for card in &view.related {
                put!(out, "<li><a href=\"{}\">{}</a></li>\n", Esc(&card.href), Esc(card.title()));
            }
            out.push_str("</ul>\n");
        }
        out.push_str("</div>\n");
    }
}

const CSS: &str = "\
html{font:15px/1.45 'Trebuchet MS',Tahoma,sans-serif;background:#eef0f2}
#top{background:hsl(var(--hue),35%,22%);color:#fff;padding:16px 30px;display:flex;gap:30px;align-items:center}
#logo{flex:1}#logo a{color:#fff;font-size:1.6rem;font-weight:700;text-decoration:none}#logo span{margin-left:14px;opacity:.7;font-size:.85rem}
#account a{color:#fff;font-size:.85rem;margin-left:12px}
#menu{background:hsl(var(--hue),35%,32%);padding:8px 30px}#menu a{color:#fff;margin-right:22px;text-decoration:none}
#path{padding:10px 30px;font-size:.8rem;color:#777}
#page{padding:0 30px 30px;display:flex;flex-wrap:wrap;gap:24px}
#page>*{flex:1 1 100%}
#side{flex:0 0 210px!important}#list{flex:1 1 500px!important;background:#fff;padding:8px 26px 20px;border-radius:4px}
#item{background:#fff;padding:10px 30px 26px;border-radius:4px}
#hot{flex:0 0 210px!important;font-size:.85rem}#hot .pic{display:none}
.narrow dt{font-weight:700;margin-top:12px;border-bottom:1px solid #ccc}
.narrow dd{margin:2px 0 0 6px;font-size:.88rem}.narrow a{text-decoration:none}
.items{margin:0}.items dt{font-size:1.1rem;font-weight:700;margin-top:18px;padding-top:12px;border-top:1px solid #e3e6e9}
.items dd{margin:1px 0 1px 150px;font-size:.9rem}
.items dd.pic{float:left;margin:6px 0 0;width:130px}
.items dt{clear:left}.items dd.price{font-weight:700;font-size:1.05rem}.items dd.old span{text-decoration:line-through}
.items dd.teaser{color:#666}.items dd.note{color:#2a7d3f}
sup{color:#c0392b;font-size:.7rem}
.sum,.views{font-size:.85rem;color:#666;margin:4px 0}.views .switch{margin-right:20px}.switch a,.switch strong{margin-left:6px}
.chosen span{background:hsl(var(--hue),30%,90%);padding:1px 8px}
.sponsor{clear:left;background:#fff9e6;border:1px solid #f1e2b0;padding:8px 12px;margin:16px 0;font-size:.88rem}
.pager{clear:left;padding-top:20px;text-align:center}
#item .pic{float:right;width:360px;margin:0 0 16px 24px}#item .pic img,#item .pic svg{width:100%}
.head dt{float:left;width:70px;color:#777}.head dd{margin-left:80px}
.specs{border-collapse:collapse}.specs th,.specs td{text-align:left;padding:4px 20px 4px 0;border-bottom:1px dotted #bbb}
div.specs .row{display:flex;border-bottom:1px dotted #bbb;padding:4px 0}div.specs .k{width:190px;color:#666}
dl.specs dt{float:left;clear:left;width:190px;color:#666}dl.specs dd{margin:0 0 4px 200px}
.do a{font-size:.85rem}
#foot{padding:20px 30px;font-size:.85rem;color:#777}
";
