//! Records that lead nowhere: all that is known of them stands in the list.

use super::{PageSet, SetEntity, SetPage, page, values};
use crate::prng::Rng;
use crate::text::{NameKind, invent_many};

const PAGES: usize = 3;
const RECORDS: usize = 25;

pub(super) fn no_links() -> PageSet {
    let mut rng = Rng::of(25, "no links", 0);
    let names = invent_many(NameKind::House, PAGES * RECORDS, 25);
    let towns = invent_many(NameKind::Town, 30, 25);
    let (mut pages, mut entities) = (Vec::new(), Vec::new());
    for (number, names) in (1..).zip(names.chunks(RECORDS)) {
        let path = format!("/menu?page={number}");
        let mut rows = String::new();
        for name in names {
            let town = rng.pick(&towns).clone();
            let price = format!("${}.00", rng.between(8, 60));
            rows.push_str(&format!(
                "<div class=\"place\"><h3>{name}</h3><p class=\"town\">{town}</p><p class=\"price\">{price}</p></div>"
            ));
            let values = values([("town", town), ("price", price)]);
            let (path, title) = (path.clone(), name.clone());
            entities.push(SetEntity { kind: "places", path, title, values });
        }
        let body = format!("<h1>Places to eat</h1><div class=\"all\">{rows}</div>");
        pages.push(SetPage { path, html: page("Places to eat", "", &body) });
    }
    PageSet { pages, entities }
}
