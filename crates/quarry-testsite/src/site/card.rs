//! The record of an entity in a list: which parts it has, and which of the alternatives.

use super::Site;
use crate::catalogue::{CatalogueAttributeId, CatalogueColumn, CatalogueEntityId};
use crate::format::SiteValue;
use crate::prng::{Rng, hash};
use crate::text::Esc;
use crate::view::{Card, Link, Slot, Unit};

const BADGES: &[&str] = &["New", "Popular", "Top rated", "Featured", "Editor's pick"];

impl Site {
    /// The record of an entity at a step of the site's changes.
    pub(crate) fn card(
        &self,
        entity: CatalogueEntityId,
        step: u32,
        keywords: Option<&str>,
    ) -> Card {
        let mut rng = Rng::of(self.spec.seed, "card", u64::from(entity.0));
        let listing = &self.spec.listing;
        let e = entity.0 as usize;
        let mut units = Vec::with_capacity(10);
        if listing.optional && rng.chance(0.3) {
            units.push(unit(Slot::Badge, "badge", *rng.pick(BADGES)));
        }
        let mut title = unit(Slot::Title, "title", self.catalogue.titles[e].clone());
        self.decorate(&mut title, keywords, &mut rng);
        units.push(title);

        let mut facts = Vec::new();
        let mut rating = None;
        let mut price = None;
        for (i, attribute) in self.catalogue.attributes.iter().enumerate().filter(|(_, a)| a.list) {
            let id = CatalogueAttributeId(i as u16);
            if attribute.canonical == "Rating" {
                rating = self.catalogue.printed(id, entity).pop();
            } else if let Some(SiteValue::Money(_)) = self.catalogue.value(id, entity) {
                price = self.price(entity, step).map(|cents| (attribute.canonical, cents));
            } else {
                let printed = self.catalogue.printed(id, entity);
                if printed.is_empty() {
                    continue;
                }
                let maker = matches!(attribute.canonical, "Brand" | "Author" | "Cook");
                facts.push(Unit {
                    slot: if maker { Slot::Maker } else { Slot::Fact },
                    name: attribute.canonical,
                    label: Some(if maker { "by".to_owned() } else { attribute.name.clone() }),
                    text: printed.join(", "),
                    html: None,
                });
            }
        }
        if listing.joined {
            join(&mut facts);
        }
        units.append(&mut facts);
        if listing.optional
            && rng.chance(0.7)
            && let Some(sentence) = self.description(entity, 1).pop()
        {
            let mut teaser = unit(Slot::Teaser, "teaser", sentence);
            self.decorate(&mut teaser, keywords, &mut rng);
            units.push(teaser);
        }
        if let Some(stars) = rating {
            units.push(unit(Slot::Rating, "Rating", stars));
            let reviews = rng.between(1, 400);
            units.push(unit(Slot::Reviews, "reviews", format!("{reviews} reviews")));
        }
        if let Some((name, cents)) = price {
            self.price_units(name, cents, &mut units, &mut rng);
        }
        if listing.constant {
            units.push(unit(Slot::Constant, "constant", self.definition.constant));
        }
        units.sort_by_key(|u| crate::theme::place(self.spec.theme, u.slot));
        Card {
            entity: Some(entity),
            href: self.urls().entity(entity),
            picture: Some(self.catalogue.bases[e]),
            units,
            action: self
                .spec
                .traps
                .actions
                .then(|| Link::new(format!("/cart/add/{}", entity.0 + 1), self.definition.action)),
            compare: self
                .spec
                .traps
                .compare
                .then(|| Link::new(format!("/compare?ids={}", entity.0 + 1), "Compare")),
        }
    }

    /// The entity's price at a step, in cents.
    pub(crate) fn price(&self, entity: CatalogueEntityId, step: u32) -> Option<i64> {
        self.catalogue.attributes.iter().find_map(|a| match &a.column {
            CatalogueColumn::Values(values) => match values[entity.0 as usize] {
                Some(SiteValue::Money(cents)) => {
                    Some(cents * self.timeline.price_percent(entity, step) / 100)
                }
                _ => None,
            },
            CatalogueColumn::Words { .. } => None,
        })
    }

    fn price_units(&self, name: &'static str, cents: i64, units: &mut Vec<Unit>, rng: &mut Rng) {
        let print = |cents| self.catalogue.format.money(cents);
        let alternative = if self.spec.listing.disjunctive { rng.below(10) } else { 9 };
        match alternative {
            0 => units.push(unit(Slot::Call, "call", "Price on request")),
            1..=3 => {
                let old = cents * rng.between(115, 160) / 100 / 100 * 100 + 99;
                units.push(Unit {
                    label: Some("Was".to_owned()),
                    ..unit(Slot::OldPrice, "old price", print(old))
                });
                units.push(Unit {
                    label: Some("Now".to_owned()),
                    ..unit(Slot::Price, name, print(cents))
                });
            }
            _ => units.push(unit(Slot::Price, name, print(cents))),
        }
    }

    /// Puts words in bold: those asked for, else one now and then.
    fn decorate(&self, unit: &mut Unit, keywords: Option<&str>, rng: &mut Rng) {
        if !self.spec.listing.decorated {
            return;
        }
        let wanted: Vec<String> =
            keywords.map(|k| crate::text::words(k).collect()).unwrap_or_default();
        let count = unit.text.split(' ').count();
        let random =
            if wanted.is_empty() && rng.chance(0.4) { rng.below(count) } else { usize::MAX };
        let tag = if wanted.is_empty() { "em" } else { "b" };
        let mut html = String::new();
        let mut any = false;
        for (i, word) in unit.text.split(' ').enumerate() {
            if i > 0 {
                html.push(' ');
            }
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            if i == random || wanted.contains(&bare) {
                any = true;
                html.push_str(&format!("<{tag}>{}</{tag}>", Esc(word)));
            } else {
                html.push_str(&Esc(word).to_string());
            }
        }
        unit.html = any.then_some(html);
    }

    /// Something that only looks like a record.
    pub(crate) fn false_card(&self, place: u64) -> Card {
        let mut rng = Rng::of(self.spec.seed, "false record", place);
        let text = *rng.pick(&[
            "Have you seen our newsletter?",
            "Gift cards for every occasion",
            "Free delivery this week only",
            "Download our app",
            "We are hiring",
        ]);
        Card {
            entity: None,
            href: "/help".to_owned(),
            picture: None,
            units: vec![
                unit(Slot::Title, "title", text),
                unit(Slot::Teaser, "teaser", "Find out more on our help pages."),
            ],
            action: None,
            compare: None,
        }
    }

    /// Is this place of a list taken by something that only looks like a record?
    pub(crate) fn false_place(&self, place: u64) -> bool {
        let share = self.spec.listing.false_records;
        share > 0.0
            && (hash(self.spec.seed, "false place", place) >> 11) as f64 / ((1u64 << 53) as f64)
                < share
    }
}

fn unit(slot: Slot, name: &'static str, text: impl Into<String>) -> Unit {
    Unit { slot, name, label: None, text: text.into(), html: None }
}

/// Puts the facts into one text.
fn join(facts: &mut Vec<Unit>) {
    let texts: Vec<String> =
        facts.iter().filter(|u| u.slot == Slot::Fact).map(|u| u.text.clone()).collect();
    if texts.len() > 1 {
        facts.retain(|u| u.slot != Slot::Fact);
        facts.push(unit(Slot::Joined, "joined", texts.join(" | ")));
    }
}
