//! Pages of the sites that are not generated shops: a frame with a navigation, and what each kind of site prints.

use std::fmt::Write as _;

use super::{Section, TestWeb, WebKind, WebSite, ids_of, page, text};
use crate::catalogue::CatalogueEntityId;
use crate::prng::Rng;
use crate::site::{SiteRequest, SiteResponse, capital};
use crate::text::{Esc, NameKind, compose, invent};
use crate::vertical::Category;

/// Entries on a page of a list.
const PER_PAGE: usize = 25;

const SENTENCES: &[&str] = &[
    "I have had it for [a month|two weeks|a year] now and [it still works|I am happy|I would buy it again].",
    "[Does anybody know|Has anyone found out|I wonder] whether it [fits|lasts|can be repaired]?",
    "The [packaging|manual|finish] is [plain|better than expected|what one gets at that price].",
    "We [measured|weighed|used] it [at home|in our rooms|outside], and [it did well|it did not shine].",
    "[Most people|Friends|Readers] [asked|wrote] about the [noise|price|weight] last [week|summer].",
    "After [a long day|some rain|two coffees] we [gave up|went on|called the maker].",
];

impl WebSite {
    /// The path of an article, thread, review, offer or post.
    fn article(&self, number: usize) -> String {
        let folder = match self.kind {
            WebKind::Comparison => "offers",
            WebKind::Forum => "thread",
            WebKind::Review => "review",
            WebKind::Boutique => "piece",
            WebKind::Spam => "best",
            _ => "post",
        };
        format!("/{folder}/{number}")
    }

    /// The products of its articles, in their order.
    pub(super) fn subjects(&self) -> Vec<(Category, u64)> {
        let of = |(category, bases): &(Category, Vec<u64>)| -> Vec<(Category, u64)> {
            bases.iter().map(|base| (*category, *base)).collect()
        };
        self.products.iter().flat_map(of).collect()
    }
}

impl TestWeb {
    /// The path of an article of a site, by the places of both.
    pub(super) fn article_path(&self, site: usize, number: usize) -> String {
        self.sites[site].article(number)
    }

    /// A whole page. Three layouts, by chance.
    pub(super) fn frame(&self, site: &WebSite, title: &str, body: &str) -> String {
        let name = Esc(&site.name).to_string();
        let nav: String = self
            .navigation(site)
            .iter()
            .map(|(href, label)| format!("<a href=\"{href}\">{}</a> ", Esc(label)))
            .collect();
        let title = Esc(title).to_string();
        let head = format!(
            "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title} - {name}</title></head>"
        );
        let year = 2000 + site.seed % 25;
        match site.seed % 3 {
            0 => format!(
                "{head}<body><header><h2><a href=\"/\">{name}</a></h2><nav>{nav}</nav></header>\
                 <main><h1>{title}</h1>{body}</main><footer>© {year} {name}</footer></body></html>\n"
            ),
            1 => format!(
                "{head}<body><table width=\"100%\"><tr><td class=\"left\" valign=\"top\">{name}<br>{nav}</td>\
                 <td><h1>{title}</h1>{body}</td></tr></table><p>since {year}</p></body></html>\n"
            ),
            _ => format!(
                "{head}<body><div id=\"top\"><b>{name}</b> {nav}</div><div id=\"page\"><h1>{title}</h1>\
                 <div class=\"text\">{body}</div></div><div id=\"end\">{name}, {year}</div></body></html>\n"
            ),
        }
    }

    fn navigation(&self, site: &WebSite) -> Vec<(String, String)> {
        let words: &[(&str, &str)] = match site.kind {
            WebKind::Shop | WebKind::Maker | WebKind::Mirror => {
                &[("/", "Home"), ("/cart", "Cart"), ("/login", "Sign in")]
            }
            WebKind::Boutique => &[
                ("/", "Home"),
                ("/list", "Our pieces"),
                ("/about", "Delivery and returns"),
                ("/cart", "Cart"),
            ],
            WebKind::Comparison => &[("/", "Home"), ("/list", "Products"), ("/about", "Merchants")],
            WebKind::Forum => {
                &[("/", "Forum"), ("/list", "Threads"), ("/about", "Members"), ("/login", "Log in")]
            }
            WebKind::Review => &[("/", "Home"), ("/list", "Reviews"), ("/about", "How we test")],
            WebKind::Blog => &[("/", "Blog"), ("/list", "Archives"), ("/about", "About me")],
            WebKind::Hub => &[("/", "Links"), ("/about", "Suggest a site")],
            WebKind::Directory => &[("/", "Directory"), ("/about", "Add your site")],
            WebKind::Spam => {
                &[("/", "cheap best"), ("/list", "top deals"), ("/about", "more more")]
            }
            WebKind::Popular => {
                &[("/", "News"), ("/list", "Latest"), ("/about", "Sign up"), ("/login", "Log in")]
            }
        };
        let mut nav: Vec<(String, String)> =
            words.iter().map(|(href, label)| ((*href).to_owned(), (*label).to_owned())).collect();
        if matches!(site.kind, WebKind::Boutique | WebKind::Comparison | WebKind::Forum) {
            let categories = site.categories.iter().map(|category| category.name());
            nav.extend(categories.map(|name| (format!("/list/{name}"), capital(name))));
        }
        nav
    }

    /// What a site that is not a shop answers.
    pub(super) fn other(&self, site: &WebSite, request: &SiteRequest) -> SiteResponse {
        let (path, query) = request.target.split_once('?').unwrap_or((&request.target, ""));
        let number =
            |rest: &str| rest.rsplit('/').next().and_then(|last| last.parse::<usize>().ok());
        let from = query.strip_prefix("page=").and_then(|n| n.parse::<usize>().ok()).unwrap_or(1);
        let subjects = site.subjects();
        match path {
            "/robots.txt" => {
                let rules = "User-agent: *\nDisallow: /login\nDisallow: /cart\n";
                text(200, "text/plain; charset=utf-8", rules.to_owned())
            }
            "/" => page(200, self.front(site, from)),
            "/about" => page(200, self.frame(site, "About", &paragraphs(site.seed, "about", 3))),
            "/list" => page(200, self.list(site, None, from)),
            path if path.starts_with("/list/") => {
                let name = &path["/list/".len()..];
                match site.categories.iter().find(|category| category.name() == name) {
                    Some(category) => page(200, self.list(site, Some(*category), from)),
                    None => self.missing(site),
                }
            }
            path => match number(path) {
                Some(at) if at < subjects.len() && path == site.article(at) => {
                    page(200, self.article_page(site, at, subjects[at]))
                }
                _ => self.missing(site),
            },
        }
    }

    fn missing(&self, site: &WebSite) -> SiteResponse {
        page(404, self.frame(site, "Not found", "<p>There is no such page.</p>"))
    }

    /// The front page: links where links are what the site is for, else the newest articles.
    fn front(&self, site: &WebSite, from: usize) -> String {
        match site.kind {
            WebKind::Hub | WebKind::Directory => self.link_list(site, from),
            _ => self.list(site, None, from),
        }
    }

    fn link_list(&self, site: &WebSite, from: usize) -> String {
        let mut rng = Rng::of(site.seed, "descriptions", from as u64);
        let mut body = paragraphs(site.seed, "welcome", 1);
        body.push_str("<ul>");
        let start = (from.max(1) - 1) * PER_PAGE;
        for &at in site.links.iter().skip(start).take(PER_PAGE) {
            let other = &self.sites[at];
            let words = rng.pick(&[
                "fast delivery",
                "a good choice",
                "large range",
                "worth a visit",
                "since long ago",
            ]);
            let _ = write!(
                body,
                "<li><a href=\"http://{}/\">{}</a> – {words}</li>",
                other.host,
                Esc(&other.name)
            );
        }
        body.push_str("</ul>");
        body.push_str(&pager("/", from, site.links.len()));
        let title = match site.categories.first() {
            Some(category) => format!("Where to buy {}", category.name()),
            None => "Sites from A to Z".to_owned(),
        };
        self.frame(site, &title, &body)
    }

    fn list(&self, site: &WebSite, only: Option<Category>, from: usize) -> String {
        let subjects = site.subjects();
        let numbers: Vec<usize> = (0..subjects.len())
            .filter(|&at| only.is_none_or(|category| subjects[at].0 == category))
            .collect();
        let mut body = String::from("<ul class=\"entries\">");
        let start = (from.max(1) - 1) * PER_PAGE;
        for &at in numbers.iter().skip(start).take(PER_PAGE) {
            let label = self.article_title(site, at, subjects[at]);
            let price = match site.kind {
                WebKind::Boutique | WebKind::Comparison => format!(" ${}.90", 20 + at * 7 % 400),
                _ => String::new(),
            };
            let _ = write!(
                body,
                "<li><a href=\"{}\">{}</a>{price}</li>",
                site.article(at),
                Esc(&label)
            );
        }
        body.push_str("</ul>");
        let base = only.map_or_else(|| "/list".to_owned(), |c| format!("/list/{}", c.name()));
        body.push_str(&pager(&base, from, numbers.len()));
        if subjects.is_empty() {
            body.push_str(&paragraphs(site.seed, "front", 6));
        }
        if matches!(
            site.kind,
            WebKind::Forum | WebKind::Review | WebKind::Blog | WebKind::Spam | WebKind::Popular
        ) {
            body.push_str("<h3>Friends</h3><p>");
            for &at in site.links.iter().take(40) {
                let other = &self.sites[at];
                let _ =
                    write!(body, "<a href=\"http://{}/\">{}</a> ", other.host, Esc(&other.name));
            }
            body.push_str("</p>");
        }
        let title = only.map_or_else(|| site.name.clone(), |category| capital(category.name()));
        self.frame(site, &title, &body)
    }

    fn product(&self, (category, base): (Category, u64)) -> (String, Vec<String>) {
        let world = self.world(category);
        let entity = CatalogueEntityId(base as u32);
        (world.catalogue().titles[base as usize].clone(), ids_of(world, entity))
    }

    fn article_title(&self, site: &WebSite, number: usize, subject: (Category, u64)) -> String {
        let (title, _) = self.product(subject);
        match (site.kind, number % 3) {
            (WebKind::Forum, 0) => format!("Trouble with {title}"),
            (WebKind::Forum, 1) => format!("{title}: any good?"),
            (WebKind::Forum, _) => format!("Where can I get the {title}"),
            (WebKind::Review, _) => format!("{title} review"),
            (WebKind::Blog, 0) => format!("Living with the {title}"),
            (WebKind::Blog, _) => format!("Day {number}: {title}"),
            (WebKind::Spam, _) => format!("cheap {title} best price buy"),
            _ => title,
        }
    }

    fn article_page(&self, site: &WebSite, number: usize, subject: (Category, u64)) -> String {
        let mut rng = Rng::of(site.seed, "article", number as u64);
        let (title, ids) = self.product(subject);
        let id = if ids.is_empty() { title.clone() } else { rng.pick(&ids).clone() };
        let shops: Vec<&WebSite> = site
            .links
            .iter()
            .map(|&at| &self.sites[at])
            .filter(|other| other.is_relevant(subject.0))
            .collect();
        let mut body = String::new();
        match site.kind {
            WebKind::Comparison => {
                let _ = write!(
                    body,
                    "<p>{} · {}</p><table class=\"offers\">",
                    Esc(&title),
                    Esc(&ids.join(" · "))
                );
                body.push_str("<tr><th>Merchant</th><th>Price</th><th>Delivery</th></tr>");
                for _ in 0..shops.len().min(3 + rng.below(6)) {
                    let shop = *rng.pick(&shops);
                    let (cents, days) = (rng.between(1_000, 90_000), rng.between(1, 9));
                    let _ = write!(
                        body,
                        "<tr><td><a href=\"http://{}/\">{}</a></td><td>${}.{:02}</td><td>{days} days</td></tr>",
                        shop.host,
                        Esc(&shop.name),
                        cents / 100,
                        cents % 100
                    );
                }
                body.push_str("</table>");
            }
            WebKind::Forum => {
                for post in 0..2 + rng.below(6) {
                    let person = invent(NameKind::Person, &mut rng);
                    let about = if post == 0 {
                        format!("It says {} on the back. ", Esc(&id))
                    } else {
                        String::new()
                    };
                    let _ = write!(
                        body,
                        "<div class=\"post\"><b>{}</b> <i>{} posts</i><p>{about}{}</p></div>",
                        Esc(&person),
                        rng.below(900),
                        sentences(&mut rng, 3)
                    );
                }
            }
            WebKind::Review => {
                let person = invent(NameKind::Person, &mut rng);
                let _ = write!(body, "<p>We looked at the {} ({}).</p>", Esc(&title), Esc(&id));
                for _ in 0..3 {
                    let _ = write!(body, "<p>{}</p>", sentences(&mut rng, 4));
                }
                let _ = write!(
                    body,
                    "<table class=\"verdict\"><tr><th>Rating</th><td>{} of 10</td></tr><tr><th>Liked</th><td>{}</td></tr>\
                     <tr><th>Did not like</th><td>{}</td></tr><tr><th>Tested by</th><td>{}</td></tr>\
                     <tr><th>Price</th><td>${}</td></tr></table>",
                    rng.between(4, 10),
                    rng.pick(&["finish", "sound", "weight", "price", "manual"]),
                    rng.pick(&["cable", "noise", "colour", "box"]),
                    Esc(&person),
                    rng.between(20, 900)
                );
            }
            WebKind::Boutique => {
                let _ = write!(
                    body,
                    "<img src=\"/img/{number}.svg\" alt=\"\"><p class=\"price\">${}.00</p><p>{}</p><p>Ref. {}</p>\
                     <form action=\"/cart\"><button>Add to cart</button></form>",
                    rng.between(20, 900),
                    sentences(&mut rng, 4),
                    Esc(&id)
                );
            }
            WebKind::Spam => {
                for _ in 0..4 {
                    let other = *rng.pick(&site.subjects());
                    let (title, ids) = self.product(other);
                    let _ = write!(
                        body,
                        "<p>cheap {} {} best deal {} now buy</p>",
                        Esc(&title),
                        Esc(&ids.join(" ")),
                        Esc(&id)
                    );
                }
            }
            _ => {
                for _ in 0..4 {
                    let _ = write!(body, "<p>{}</p>", sentences(&mut rng, 4));
                }
                let _ = write!(body, "<p>It is the {} by the way.</p>", Esc(&id));
            }
        }
        if !matches!(site.kind, WebKind::Comparison | WebKind::Boutique)
            && !shops.is_empty()
            && rng.chance(0.4)
        {
            let shop = *rng.pick(&shops);
            let _ = write!(
                body,
                "<p>Seen at <a href=\"http://{}/\">{}</a>.</p>",
                shop.host,
                Esc(&shop.name)
            );
        }
        let heading = self.article_title(site, number, subject);
        self.frame(site, &heading, &body)
    }

    /// The front page of a shop with several categories.
    pub(super) fn department_store(&self, site: &WebSite, sections: &[Section]) -> String {
        let mut body = paragraphs(site.seed, "welcome", 1);
        for (section, (category, _)) in sections.iter().zip(&site.products) {
            let name = capital(category.name());
            let (prefix, root) = (&section.prefix, section.site.root());
            let _ = write!(body, "<h2><a href=\"{prefix}{root}\">{name}</a></h2><ul>");
            let catalogue = section.site.catalogue();
            for entity in catalogue.entities().take(6) {
                let (url, title) =
                    (section.site.entity_url(entity), &catalogue.titles[entity.0 as usize]);
                let _ = write!(
                    body,
                    "<li><a href=\"{prefix}{url}\">{}</a> ${}.90</li>",
                    Esc(title),
                    10 + entity.0 * 13
                );
            }
            body.push_str("</ul>");
        }
        body.push_str(&self.partners(site));
        self.frame(site, &site.name, &body)
    }

    /// Adds links to partners to the front page of a shop.
    pub(super) fn add_partners(&self, site: &WebSite, response: &mut SiteResponse) {
        let html = response.text();
        let Some(at) = html.rfind("</body>") else { return };
        let body = format!("{}{}{}", &html[..at], self.partners(site), &html[at..]);
        response.body = body.into_bytes();
    }

    fn partners(&self, site: &WebSite) -> String {
        let link = |&at: &usize| {
            let other = &self.sites[at];
            format!("<a href=\"http://{}/\">{}</a> ", other.host, Esc(&other.name))
        };
        let links: String = site.links.iter().map(link).collect();
        if links.is_empty() {
            links
        } else {
            format!("<p class=\"partners\">Find us also at {links}</p>")
        }
    }
}

fn sentences(rng: &mut Rng, many: usize) -> String {
    let sentence = |_| {
        let pattern = *rng.pick(SENTENCES);
        compose(pattern, rng, &mut |_, _| None)
    };
    (0..many).filter_map(sentence).collect::<Vec<String>>().join(" ")
}

fn paragraphs(seed: u64, label: &str, many: usize) -> String {
    let mut rng = Rng::of(seed, label, 0);
    (0..many).map(|_| format!("<p>{}</p>", sentences(&mut rng, 3))).collect()
}

fn pager(base: &str, from: usize, all: usize) -> String {
    let pages = all.div_ceil(PER_PAGE);
    if from >= pages {
        return String::new();
    }
    format!("<p><a href=\"{base}?page={}\">Next</a></p>", from + 1)
}
