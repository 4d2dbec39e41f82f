//! A grid of cards: `div`s with block-element class names, as shops of the 2020s have them.

use std::fmt::Write as _;

use super::parts::{self, put};
use super::{Skin, specs};
use crate::site::Site;
use crate::text::Esc;
use crate::view::{Card, EntityView, Frame, ListView, Slot};

pub(crate) struct Cards;

impl Skin for Cards {
    fn css(&self) -> &'static str {
        CSS
    }

    fn order(&self) -> &'static [Slot] {
        use Slot::*;
        &[
            Badge, Title, Maker, Fact, Joined, Teaser, Rating, Reviews, OldPrice, Price, Call,
            Constant,
        ]
    }

    fn open(&self, out: &mut String, site: &Site, frame: &Frame) {
        put!(
            out,
            "<body>\n<header class=\"header\"><div class=\"header__bar\">\
             <a class=\"header__logo\" href=\"/\">{}</a>\n",
            Esc(&site.name)
        );
        parts::search(out, site, frame);
        out.push_str("<div class=\"header__account\">");
        parts::links(out, &frame.account, "", " ");
        out.push_str("</div></div>\n<nav class=\"header__nav\">");
        parts::links(out, &frame.nav, "", "\n");
        out.push_str("</nav></header>\n");
        if !frame.crumbs.is_empty() {
            out.push_str("<div class=\"breadcrumb\">");
            parts::crumbs(out, &frame.crumbs, " <span class=\"breadcrumb__sep\">›</span> ");
            out.push_str("</div>\n");
        }
        out.push_str("<main class=\"main\">\n");
    }

    fn close(&self, out: &mut String, site: &Site, frame: &Frame) {
        out.push_str("</main>\n<footer class=\"footer\"><div class=\"footer__links\">");
        parts::links(out, &frame.footer, "", "\n");
        put!(
            out,
            "</div><p class=\"footer__note\">© 2026 {}. {}.</p></footer>\n</body>",
            Esc(&site.name),
            site.slogan
        );
    }

    fn list(&self, out: &mut String, site: &Site, view: &ListView) {
        out.push_str("<div class=\"layout\">\n<aside class=\"sidebar\">\n");
        if let Some(form) = &view.facet_form {
            parts::facet_form(out, form, &view.facets);
        } else {
            for group in &view.facets {
                put!(
                    out,
                    "<div class=\"facet\"><h3 class=\"facet__title\">{}</h3>\n<ul class=\"facet__list\">\n",
                    Esc(&group.name)
                );
                for value in &group.values {
                    put!(
                        out,
                        "<li class=\"facet__item\"><a class=\"facet__link\" href=\"{}\">{}</a>",
                        Esc(&value.href),
                        Esc(&value.text)
                    );
                    if let Some(n) = value.count {
                        put!(out, " <span class=\"facet__count\">({n})</span>");
                    }
                    out.push_str("</li>\n");
                }
                out.push_str("</ul>\n");
                if let Some(more) = &group.more {
                    put!(out, "<a class=\"facet__more\" href=\"{}\">More…</a>\n", Esc(more));
                }
                out.push_str("</div>\n");
            }
        }
        for ad in &view.advertisements {
            put!(
                out,
                "<div class=\"ad\"><span class=\"ad__mark\">Advertisement</span><strong>{}</strong>\
                 <p>{}</p><small>{}</small></div>\n",
                Esc(&ad.headline),
                Esc(&ad.text),
                Esc(&ad.sponsor)
            );
        }
        put!(out, "</aside>\n<div class=\"content\">\n<h1>{}</h1>\n", Esc(&view.heading));
        if !view.chosen.is_empty() {
            out.push_str("<div class=\"chips\">");
            parts::chosen(out, &view.chosen, "<span class=\"chip\">", "</span>\n");
            out.push_str("</div>\n");
        }
        put!(
            out,
            "<div class=\"toolbar\"><span class=\"toolbar__count\">{}</span>\n",
            Esc(&view.summary)
        );
        parts::switches(out, view);
        out.push_str("</div>\n");
        if !view.promotions.is_empty() {
            out.push_str(
                "<div class=\"promo\"><h2 class=\"promo__title\">Recommended for you</h2>\n",
            );
            self.records(out, site, &view.promotions);
            out.push_str("</div>\n");
        }
        self.records(out, site, &view.cards);
        if let Some(pager) = &view.pager {
            out.push_str("<div class=\"pagination\">\n");
            parts::pager(out, pager, "<span class=\"pagination__item\">", "</span>");
            out.push_str("</div>\n");
        }
        out.push_str("</div>\n</div>\n");
    }

    fn records(&self, out: &mut String, site: &Site, cards: &[Card]) {
        let (scope, name, price) =
            (parts::scope(site), parts::prop(site, "name"), parts::prop(site, "price"));
        out.push_str("<div class=\"grid\">\n");
        for card in cards {
            put!(out, "<div class=\"card\"{scope}>");
            if let Some(badge) = card.unit(Slot::Badge) {
                put!(out, "<span class=\"card__badge\">{}</span>", Esc(&badge.text));
            }
            put!(out, "<a class=\"card__media\" href=\"{}\">", Esc(&card.href));
            parts::picture(out, site, card);
            out.push_str("</a>\n<div class=\"card__body\">");
            if let Some(title) = card.unit(Slot::Title) {
                put!(out, "<a class=\"card__title\" href=\"{}\"{name}>", Esc(&card.href));
                parts::text_of(out, title);
                out.push_str("</a>\n");
            }
            for unit in &card.units {
                let class = match unit.slot {
                    Slot::Badge | Slot::Title => continue,
                    Slot::Maker => "card__maker",
                    Slot::Fact | Slot::Joined => "card__fact",
                    Slot::Teaser => "card__teaser",
                    Slot::Rating => "card__stars",
                    Slot::Reviews => "card__reviews",
                    Slot::OldPrice => "card__old",
                    Slot::Price | Slot::Call => "card__price",
                    Slot::Constant => "card__stock",
                };
                put!(out, "<div class=\"{class}\">");
                match (&unit.label, unit.slot) {
                    (Some(label), Slot::Fact) => {
                        put!(out, "<span class=\"card__label\">{}:</span> ", Esc(label));
                    }
                    (Some(label), _) => {
                        put!(out, "<span class=\"card__label\">{}</span> ", Esc(label));
                    }
                    (None, _) => {}
                }
                let prop = if unit.slot == Slot::Price { price.as_str() } else { "" };
                put!(out, "<span{prop}>");
                parts::text_of(out, unit);
                out.push_str("</span></div>\n");
            }
            out.push_str("</div>");
            if card.action.is_some() || card.compare.is_some() {
                out.push_str("<div class=\"card__foot\">");
                for link in card.action.iter().chain(card.compare.iter()) {
                    put!(
                        out,
                        "<a class=\"button\" href=\"{}\" rel=\"nofollow\">{}</a>",
                        link.href,
                        Esc(&link.text)
                    );
                }
                out.push_str("</div>");
            }
            out.push_str("</div>\n");
        }
        out.push_str("</div>\n");
    }

    fn entity(&self, out: &mut String, site: &Site, view: &EntityView) {
        if let Some(line) = &view.only_match {
            put!(out, "<div class=\"notice\"><strong>{}</strong></div>\n", Esc(line));
        }
        put!(out, "<div class=\"product\"{}>\n<div class=\"product__media\">", parts::scope(site));
        parts::picture(out, site, &view.card);
        put!(
            out,
            "</div>\n<div class=\"product__info\"><h1 class=\"product__title\"{}>{}</h1>\n",
            parts::prop(site, "name"),
            Esc(view.card.title())
        );
        for (slot, class) in [(Slot::Maker, "product__maker"), (Slot::Price, "product__price")] {
            if let Some(unit) = view.card.unit(slot) {
                let label = unit.label.as_deref().unwrap_or("");
                put!(
                    out,
                    "<p class=\"{class}\">{} <span>{}</span></p>\n",
                    Esc(label),
                    Esc(&unit.text)
                );
            }
        }
        out.push_str("<div class=\"product__actions\">");
        parts::links(out, &view.actions, "", "\n");
        put!(out, "</div>\n<div class=\"product__text\"{}>", parts::prop(site, "description"));
        for sentence in &view.description {
            put!(out, "<p>{}</p>", Esc(sentence));
        }
        out.push_str("</div></div></div>\n<div class=\"product__specs\">\n");
        specs::specification(out, site.spec.specs, &view.specs);
        out.push_str("</div>\n");
        if !view.related.is_empty() {
            out.push_str("<section class=\"related\"><h2>You may also like</h2>\n");
            self.records(out, site, &view.related);
            out.push_str("</section>\n");
        }
    }
}

const CSS: &str = "\
body{background:#fafafa}
.header{background:#fff;border-bottom:1px solid #e5e5e5}
.header__bar{max-width:1240px;margin:0 auto;padding:14px 20px;display:flex;gap:24px;align-items:center}
.header__logo{font:700 1.5rem Georgia,serif;text-decoration:none;color:hsl(var(--hue),50%,28%)}
.header .search{flex:1;display:flex}
.header .search input{flex:1;border-radius:20px 0 0 20px;padding-left:1.1em}
.header .search button{border-radius:0 20px 20px 0}
.header__account a{margin-left:14px;font-size:.9rem;text-decoration:none}
.header__nav{max-width:1240px;margin:0 auto;padding:0 20px 10px;display:flex;gap:22px;flex-wrap:wrap}
.header__nav a{text-decoration:none;font-weight:600;color:#333}
.breadcrumb{max-width:1240px;margin:14px auto 0;padding:0 20px;font-size:.85rem;color:#777}
.main{max-width:1240px;margin:0 auto;padding:10px 20px 40px}
.hero{background:linear-gradient(110deg,hsl(var(--hue),45%,88%),hsl(calc(var(--hue) + 40),45%,94%));border-radius:14px;padding:44px 40px;margin:16px 0 24px}
.hero h1{font:700 2.4rem Georgia,serif;margin:0 0 8px}
.layout{display:grid;grid-template-columns:230px 1fr;gap:32px}
.facet{margin-bottom:18px}
.facet__title{font-size:.95rem;margin:0 0 6px}
.facet__list{list-style:none;padding:0;margin:0;font-size:.9rem}
.facet__link{text-decoration:none}
.facet__count{color:#999;font-size:.8rem}
.facet__more{font-size:.85rem}
.chips{margin-bottom:8px}
.chip{display:inline-block;background:hsl(var(--hue),40%,92%);border-radius:14px;padding:2px 12px;margin-right:8px;font-size:.85rem}
.chip a{text-decoration:none;font-weight:700}
.toolbar{display:flex;gap:24px;flex-wrap:wrap;font-size:.85rem;color:#666;border-bottom:1px solid #e5e5e5;padding-bottom:10px;margin-bottom:16px}
.switch a,.switch strong{margin-left:8px}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(205px,1fr));gap:18px}
.card{position:relative;background:#fff;border:1px solid #e8e8e8;border-radius:10px;overflow:hidden;display:flex;flex-direction:column;font-size:.88rem}
.card__media svg,.card__media img{width:100%}
.card__body{padding:12px 14px;flex:1}
.card__badge{position:absolute;top:10px;left:10px;background:hsl(var(--hue),55%,40%);color:#fff;font-size:.72rem;padding:2px 9px;border-radius:10px}
.card__title{display:block;font-weight:600;font-size:.98rem;text-decoration:none;color:#222;margin-bottom:4px;line-height:1.3}
.card__label{color:#888}
.card__teaser{color:#555;margin:4px 0}
.card__stars{display:inline-block;color:#b8860b;margin-right:6px}
.card__stars::before{content:'★ '}
.card__reviews{display:inline-block;color:#888;font-size:.8rem}
.card__old{color:#999;text-decoration:line-through}
.card__price{font-weight:700;font-size:1.1rem;margin-top:4px}
.card__stock{color:#2a7d3f;font-size:.8rem}
.card__foot{padding:0 14px 14px;display:flex;gap:8px}
.button,.product__actions a{display:inline-block;background:hsl(var(--hue),45%,38%);color:#fff;text-decoration:none;border-radius:6px;padding:6px 14px;font-size:.85rem}
.product__actions a+a{background:#fff;color:#555;border:1px solid #ccc;margin-left:8px}
.promo{background:hsl(var(--hue),30%,95%);border-radius:12px;padding:4px 18px 18px;margin-bottom:22px}
.ad{border:1px dashed #ccc;border-radius:8px;padding:12px;font-size:.85rem;margin-top:18px;background:#fff}
.ad__mark{display:block;font-size:.7rem;color:#aaa;text-transform:uppercase}
.pagination{margin-top:26px;text-align:center}
.pagination__item a,.pagination__item span{display:inline-block;padding:5px 12px;border:1px solid #ddd;border-radius:6px;margin:0 3px;background:#fff;text-decoration:none}
.pagination__item span[aria-current]{background:hsl(var(--hue),45%,38%);color:#fff}
.product{display:grid;grid-template-columns:minmax(260px,460px) 1fr;gap:36px;background:#fff;border:1px solid #e8e8e8;border-radius:12px;padding:26px;margin-top:12px}
.product__media svg,.product__media img{width:100%;border-radius:8px}
.product__price{font-size:1.6rem;font-weight:700;margin:.2em 0}
.product__specs{max-width:820px}
.specs{border-collapse:collapse;width:100%;background:#fff}
.specs th,.specs td{text-align:left;padding:7px 12px;border-bottom:1px solid #eee;font-size:.92rem}
.specs th{width:34%;color:#555;font-weight:600}
div.specs .row{display:grid;grid-template-columns:34% 1fr;padding:7px 12px;border-bottom:1px solid #eee}
dl.specs{display:grid;grid-template-columns:34% 1fr;padding:8px 12px}
dl.specs dt{color:#555;font-weight:600}dl.specs dd{margin:0 0 6px}
.notice{background:#fff8e1;border:1px solid #f0e0a8;border-radius:8px;padding:12px 16px;margin:12px 0}
.footer{background:#fff;border-top:1px solid #e5e5e5;padding:26px 20px;text-align:center;font-size:.88rem}
.footer__links a{margin:0 12px}
.footer__note{color:#999}
@media(max-width:800px){.layout,.product{grid-template-columns:1fr}.header__bar{flex-wrap:wrap}}
";
