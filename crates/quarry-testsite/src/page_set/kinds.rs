//! Three kinds of entities in one site, which link to each other.

use super::{PageSet, SetEntity, SetPage, page, values};
use crate::prng::Rng;
use crate::text::{NameKind, invent_many, slug};

const FILMS: usize = 24;
const PEOPLE: usize = 16;
const STUDIOS: usize = 9;
const GENRES: [&str; 4] = ["Drama", "Comedy", "Thriller", "Western"];

const NAV: &str = "<header><a href=\"/\">Reel Index</a><nav><a href=\"/films\">Films</a> <a href=\"/people\">People</a> <a href=\"/studios\">Studios</a></nav></header>";

/// A page about one entity: the same layout for every kind.
fn detail(name: &str, rows: &[(&str, String)]) -> String {
    let rows: String =
        rows.iter().map(|(label, value)| format!("<dt>{label}</dt><dd>{value}</dd>")).collect();
    let body = format!(
        "{NAV}<main class=\"entry\"><h1>{name}</h1><dl>{rows}</dl></main><footer>Reel Index, since 1998</footer>"
    );
    page(&format!("{name} | Reel Index"), "", &body)
}

fn list(path: &str, heading: &str, rows: &[(String, &String, String)]) -> SetPage {
    let rows: String = rows
        .iter()
        .map(|(url, name, note)| {
            format!("<li class=\"row\"><a href=\"{url}\">{name}</a> <span class=\"note\">{note}</span></li>")
        })
        .collect();
    let body = format!(
        "{NAV}<main><h1>{heading}</h1><ul class=\"rows\">{rows}</ul></main><footer>Reel Index, since 1998</footer>"
    );
    SetPage { path: path.to_owned(), html: page(&format!("{heading} | Reel Index"), "", &body) }
}

pub(super) fn three_kinds() -> PageSet {
    let mut rng = Rng::of(14, "three kinds", 0);
    let films = invent_many(NameKind::Book, FILMS, 14);
    let people = invent_many(NameKind::Person, PEOPLE, 14);
    let studios = invent_many(NameKind::Brand, STUDIOS, 14);
    let towns = invent_many(NameKind::Town, 40, 14);
    let path = |folder: &str, name: &str| format!("/{folder}/{}", slug(name));
    let link = |folder: &str, name: &str| format!("<a href=\"{}\">{name}</a>", path(folder, name));
    let (mut pages, mut entities) = (Vec::new(), Vec::new());
    let mut rows = Vec::new();
    for name in &films {
        let (director, studio) = (rng.pick(&people).clone(), rng.pick(&studios).clone());
        let year = rng.between(1950, 2024).to_string();
        let genre = (*rng.pick(&GENRES)).to_owned();
        let minutes = format!("{} min", rng.between(80, 180));
        let url = path("films", name);
        let shown = [
            ("Director", link("people", &director)),
            ("Year", year.clone()),
            ("Studio", link("studios", &studio)),
            ("Genre", genre.clone()),
            ("Length", minutes.clone()),
        ];
        pages.push(SetPage { path: url.clone(), html: detail(name, &shown) });
        rows.push((url.clone(), name, format!("{genre}, {year}")));
        let values = values([
            ("Director", director),
            ("Year", year),
            ("Studio", studio),
            ("Genre", genre),
            ("Length", minutes),
        ]);
        entities.push(SetEntity { kind: "films", path: url, title: name.clone(), values });
    }
    pages.push(list("/films", "Films", &rows));
    let mut rows = Vec::new();
    for name in &people {
        let born = rng.between(1920, 1990).to_string();
        let town = rng.pick(&towns).clone();
        let awards = rng.between(0, 40).to_string();
        let url = path("people", name);
        let shown =
            [("Born", born.clone()), ("Birthplace", town.clone()), ("Awards", awards.clone())];
        pages.push(SetPage { path: url.clone(), html: detail(name, &shown) });
        rows.push((url.clone(), name, format!("born in {town}")));
        let values = values([("Born", born), ("Birthplace", town), ("Awards", awards)]);
        entities.push(SetEntity { kind: "people", path: url, title: name.clone(), values });
    }
    pages.push(list("/people", "People", &rows));
    let mut rows = Vec::new();
    for name in &studios {
        let founded = rng.between(1900, 2000).to_string();
        let seat = rng.pick(&towns).clone();
        let staff = rng.between(10, 9000).to_string();
        let url = path("studios", name);
        let shown =
            [("Founded", founded.clone()), ("Seat", seat.clone()), ("Employees", staff.clone())];
        pages.push(SetPage { path: url.clone(), html: detail(name, &shown) });
        rows.push((url.clone(), name, format!("in {seat} since {founded}")));
        let values = values([("Founded", founded), ("Seat", seat), ("Employees", staff)]);
        entities.push(SetEntity { kind: "studios", path: url, title: name.clone(), values });
    }
    pages.push(list("/studios", "Studios", &rows));
    PageSet { pages, entities }
}
