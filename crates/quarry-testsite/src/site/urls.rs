//! Builds addresses in the site's style, and parses them.

use crate::catalogue::{Catalogue, CatalogueAttributeId, CatalogueEntityId, FacetPredicate};
use crate::prng::hash;
use crate::spec::{FacetStyle, PagingStyle, SiteSpec, UrlStyle};
use crate::text::slug;
use crate::vertical::Definition;

/// What a list is asked to show.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Query {
    pub(crate) keywords: Option<String>,
    /// In the order in which they were chosen.
    pub(crate) predicates: Vec<FacetPredicate>,
    pub(crate) sort: usize,
    pub(crate) size: Option<usize>,
    pub(crate) position: Position,
}

/// Where in the list the page begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Position {
    /// At the record of this number, from 0.
    Offset(usize),
    /// Behind this entity.
    After(CatalogueEntityId),
}

impl Default for Position {
    fn default() -> Self {
        Self::Offset(0)
    }
}

impl Query {
    /// The same query at its beginning.
    pub(crate) fn first(&self) -> Self {
        Self { position: Position::default(), ..self.clone() }
    }

    /// The query with one more predicate.
    #[cfg(test)]
    pub(crate) fn with(&self, predicate: FacetPredicate) -> Self {
        let mut query = self.first();
        query.predicates.push(predicate);
        query
    }

    pub(crate) fn without(&self, predicate: FacetPredicate) -> Self {
        let mut query = self.first();
        query.predicates.retain(|p| *p != predicate);
        query
    }
}

/// The address of a list, open for one more predicate.
pub(crate) struct Refine {
    style: UrlStyle,
    prefix: String,
    suffix: String,
}

/// What an address stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Route {
    Home,
    List(Query),
    /// All values of a facet.
    Values(Query, CatalogueAttributeId),
    Entity(CatalogueEntityId),
    Search,
    Info(usize),
    /// A department, by the name in its address.
    Hub(String),
    Journal,
    /// An article, counted from 1.
    Article(usize),
    Login,
    Cart,
    /// Something that changes the site's state.
    Action(&'static str),
    Calendar(u32, u32),
    Compare(Vec<u32>),
    Spiral(usize),
    Export(&'static str, Query),
    Css,
    Picture(u64),
    Icon,
    Robots,
    Sitemap(Option<usize>),
    Flat(usize),
    Loop,
    Unknown,
}

/// Informational pages: path and name.
pub(crate) const INFO: [(&str, &str); 5] = [
    ("/about", "About us"),
    ("/contact", "Contact"),
    ("/help", "Help and questions"),
    ("/terms", "Terms of use"),
    ("/privacy", "Privacy"),
];

/// Orders that a list can have: address and label.
pub(crate) const SORTS: [(&str, &str); 4] = [
    ("relevance", "Most popular"),
    ("price-asc", "Price: low to high"),
    ("price-desc", "Price: high to low"),
    ("name", "Name: A to Z"),
];

/// Builds and reads the addresses of one site.
pub(crate) struct Urls<'a> {
    pub(crate) spec: &'a SiteSpec,
    pub(crate) definition: &'static Definition,
    pub(crate) catalogue: &'a Catalogue,
}

impl Urls<'_> {
    /// Forms speak in query parameters, whatever the links do, and so does a readable search.
    fn style(&self, query: &Query) -> UrlStyle {
        match (self.spec.facets.style, self.spec.urls) {
            (FacetStyle::GetForm | FacetStyle::PostForm, _) => UrlStyle::Query,
            (_, UrlStyle::Path) if query.keywords.is_some() => UrlStyle::Query,
            (FacetStyle::Links | FacetStyle::None, style) => style,
        }
    }

    fn key<'k>(&self, readable: &'k str, opaque: &'k str) -> &'k str {
        if self.spec.urls == UrlStyle::Opaque { opaque } else { readable }
    }

    /// The name of the parameter that leads to another page.
    pub(crate) fn page_key(&self) -> &'static str {
        match self.spec.paging.style {
            PagingStyle::Offset => "start",
            PagingStyle::Keyset => "after",
            _ => self.key("page", "pg"),
        }
    }

    /// The path of the list of everything.
    pub(crate) fn root(&self) -> String {
        format!("/{}", self.definition.root)
    }

    /// Path and parameters of a list.
    pub(crate) fn list_parts(&self, query: &Query) -> (String, Vec<(String, String)>) {
        let mut path = self.root();
        let mut params: Vec<(String, String)> = Vec::new();
        if let Some(keywords) = &query.keywords {
            "/search".clone_into(&mut path);
            params.push((self.spec.search.field.clone(), keywords.clone()));
        }
        let words = |p: &FacetPredicate| {
            (&self.catalogue.attribute(p.attribute).key, &self.catalogue.word(*p).slug)
        };
        match self.style(query) {
            UrlStyle::Query => {
                for (key, slug) in query.predicates.iter().map(words) {
                    params.push((key.clone(), slug.clone()));
                }
            }
            UrlStyle::Path => {
                for (key, slug) in query.predicates.iter().map(words) {
                    path.push('/');
                    path.push_str(key);
                    path.push('-');
                    path.push_str(slug);
                }
            }
            UrlStyle::Opaque => {
                let codes: Vec<String> = query
                    .predicates
                    .iter()
                    .map(|p| encode(u32::from(p.attribute.0) << 20 | p.word, self.spec.seed))
                    .collect();
                if !codes.is_empty() {
                    if query.keywords.is_some() {
                        params.push(("f".to_owned(), codes.join(".")));
                    } else {
                        path = format!("/b/{}", codes.join("."));
                    }
                }
            }
        }
        if query.sort > 0 {
            let sort = match self.spec.urls {
                UrlStyle::Opaque => query.sort.to_string(),
                _ => SORTS[query.sort].0.to_owned(),
            };
            params.push((self.key("sort", "o").to_owned(), sort));
        }
        if let Some(size) = query.size {
            params.push((self.key("per_page", "n").to_owned(), size.to_string()));
        }
        let size = query.size.unwrap_or(self.spec.paging.size).max(1);
        let position = match (query.position, self.spec.paging.style) {
            (Position::Offset(0), _) => None,
            (Position::Offset(n), PagingStyle::Offset) => Some(n.to_string()),
            (Position::Offset(n), _) => Some((n / size + 1).to_string()),
            (Position::After(e), _) => Some(encode(e.0, !self.spec.seed)),
        };
        if let Some(value) = position {
            params.push((self.page_key().to_owned(), value));
        }
        (path, params)
    }

    /// The address of a list.
    pub(crate) fn list(&self, query: &Query) -> String {
        let (path, params) = self.list_parts(query);
        join(path, &params)
    }

    /// What stands before and behind one more predicate in the address of a list. A page has a
    /// hundred facet links; this spares building each from the beginning.
    pub(crate) fn refine(&self, query: &Query) -> Refine {
        let first = query.first();
        let style = self.style(&first);
        let (mut path, params) = self.list_parts(&first);
        let searched = usize::from(first.keywords.is_some());
        let coded = usize::from(searched == 1 && !first.predicates.is_empty());
        let (before, mark) = match style {
            UrlStyle::Query => (searched + first.predicates.len(), '&'),
            UrlStyle::Path => (0, '?'),
            UrlStyle::Opaque => (searched + coded, if searched == 1 { '&' } else { '?' }),
        };
        let (head, tail) = params.split_at(before);
        let mut suffix = String::new();
        for (i, (key, value)) in tail.iter().enumerate() {
            suffix.push(if i == 0 { mark } else { '&' });
            escape(&mut suffix, key);
            suffix.push('=');
            escape(&mut suffix, value);
        }
        match (style, searched) {
            (UrlStyle::Query, _) => {
                path = join(path, head);
                path.push(if before == 0 { '?' } else { '&' });
            }
            (UrlStyle::Path, _) => path.push('/'),
            (UrlStyle::Opaque, 0) if first.predicates.is_empty() => "/b/".clone_into(&mut path),
            (UrlStyle::Opaque, 0) => path.push('.'),
            (UrlStyle::Opaque, _) => {
                path = join(path, head);
                path.push_str(if coded == 1 { "." } else { "&f=" });
            }
        }
        Refine { style, prefix: path, suffix }
    }

    /// The address of a list with one more predicate.
    pub(crate) fn refined(&self, refine: &Refine, predicate: FacetPredicate) -> String {
        let Refine { style, prefix, suffix } = refine;
        let key = &self.catalogue.attribute(predicate.attribute).key;
        let slug = &self.catalogue.word(predicate).slug;
        let code =
            || encode(u32::from(predicate.attribute.0) << 20 | predicate.word, self.spec.seed);
        match style {
            UrlStyle::Query => [prefix, key, "=", slug, suffix].concat(),
            UrlStyle::Path => [prefix, key, "-", slug, suffix].concat(),
            UrlStyle::Opaque => [prefix, &*code(), suffix].concat(),
        }
    }

    /// The address of all values of a facet.
    pub(crate) fn values(&self, query: &Query, attribute: CatalogueAttributeId) -> String {
        let (path, mut params) = self.list_parts(&query.first());
        params.push(("all".to_owned(), self.catalogue.attribute(attribute).key.clone()));
        join(path, &params)
    }

    /// The folder of the pages of entities: "a pair of sunglasses" has spaces, addresses have none.
    fn entity_folder(&self) -> String {
        slug(self.definition.noun.0)
    }

    /// The address of an entity.
    pub(crate) fn entity(&self, entity: CatalogueEntityId) -> String {
        match self.spec.urls {
            UrlStyle::Opaque => format!("/dp/{}", encode(entity.0, self.spec.seed)),
            _ => format!(
                "/{}/{}-{}",
                self.entity_folder(),
                self.catalogue.slugs[entity.0 as usize],
                entity.0 + 1
            ),
        }
    }

    /// Reads a path and its parameters (decoded, in order).
    pub(crate) fn read(&self, path: &str, params: &[(String, String)]) -> Route {
        let segments: Vec<&str> = path.split('/').filter(|s| !s.is_empty()).collect();
        if let Some(at) = INFO.iter().position(|(p, _)| *p == path.trim_end_matches('/')) {
            return Route::Info(at);
        }
        match segments.as_slice() {
            [] => Route::Home,
            ["robots.txt"] => Route::Robots,
            ["sitemap.xml"] => Route::Sitemap(None),
            [name] if name.starts_with("sitemap-") => {
                let number = name["sitemap-".len()..].split('.').next();
                number
                    .and_then(|n| n.parse().ok())
                    .map_or(Route::Unknown, |n| Route::Sitemap(Some(n)))
            }
            ["favicon.ico"] => Route::Icon,
            ["assets", "site.css"] => Route::Css,
            ["img", name] => {
                let id = name.strip_suffix(".svg").and_then(|n| n.parse().ok());
                id.map_or(Route::Unknown, Route::Picture)
            }
            ["search"] => Route::Search,
            ["department", name] => Route::Hub((*name).to_owned()),
            ["journal"] => Route::Journal,
            ["journal", number] => number.parse().map_or(Route::Unknown, Route::Article),
            ["login"] => Route::Login,
            ["loop"] => Route::Loop,
            ["cart"] => Route::Cart,
            ["cart", "add", _] => Route::Action("add-to-cart"),
            ["wishlist", "add", _] => Route::Action("add-to-wishlist"),
            ["account", "logout"] => Route::Action("logout"),
            ["newsletter"] => Route::Action("newsletter"),
            ["admin", "delete", _] => Route::Action("delete"),
            ["calendar", year, month] => match (year.parse(), month.parse()) {
                (Ok(year), Ok(month)) if (1..=12).contains(&month) => Route::Calendar(year, month),
                _ => Route::Unknown,
            },
            ["compare"] => {
                let ids = params.iter().find(|(k, _)| k == "ids").map_or("", |(_, v)| v.as_str());
                Route::Compare(ids.split(',').filter_map(|i| i.parse().ok()).collect())
            }
            ["guide", rest @ ..] => Route::Spiral(rest.len()),
            ["export", kind] => {
                let kind = match *kind {
                    "list.json" => "json",
                    "list.csv" => "csv",
                    "feed.rss" => "rss",
                    _ => return Route::Unknown,
                };
                Route::Export(kind, self.query(&[], params).unwrap_or_default())
            }
            ["p", name] => name
                .strip_suffix(".html")
                .and_then(|n| n.parse().ok())
                .map_or(Route::Unknown, Route::Flat),
            ["dp", code] => self.known(decode(code, self.spec.seed)),
            [folder, name] if *folder == self.entity_folder() => {
                let number = name.rsplit('-').next().and_then(|n| n.parse::<u32>().ok());
                match self.known(number.and_then(|n| n.checked_sub(1))) {
                    Route::Entity(e) if self.entity(e) == path => Route::Entity(e),
                    _ => Route::Unknown,
                }
            }
            ["b", codes] => self.list_route(self.opaque(codes), params),
            [root, rest @ ..] if *root == self.definition.root => {
                self.list_route(self.path(rest), params)
            }
            _ => Route::Unknown,
        }
    }

    fn known(&self, id: Option<u32>) -> Route {
        match id {
            Some(id) if (id as usize) < self.catalogue.len() => {
                Route::Entity(CatalogueEntityId(id))
            }
            _ => Route::Unknown,
        }
    }

    fn list_route(&self, path: Option<Vec<FacetPredicate>>, params: &[(String, String)]) -> Route {
        let Some(query) = path.and_then(|p| self.query(&p, params)) else { return Route::Unknown };
        match params.iter().find(|(k, _)| k == "all") {
            Some((_, key)) => {
                let at = self.catalogue.attributes.iter().position(|a| a.facet && a.key == *key);
                at.map_or(Route::Unknown, |at| {
                    Route::Values(query, CatalogueAttributeId(at as u16))
                })
            }
            None => Route::List(query),
        }
    }

    fn path(&self, segments: &[&str]) -> Option<Vec<FacetPredicate>> {
        let read = |segment: &&str| {
            self.catalogue.facets().find_map(|(_, a)| {
                let slug = segment.strip_prefix(a.key.as_str())?.strip_prefix('-')?;
                self.catalogue.predicate(&a.key, slug)
            })
        };
        segments.iter().map(read).collect()
    }

    fn opaque(&self, codes: &str) -> Option<Vec<FacetPredicate>> {
        codes
            .split('.')
            .map(|code| {
                let number = decode(code, self.spec.seed)?;
                let attribute = CatalogueAttributeId((number >> 20) as u16);
                let word = number & 0xf_ffff;
                let known = self.catalogue.attributes.get(usize::from(attribute.0))?;
                (known.facet && (word as usize) < known.words().len())
                    .then_some(FacetPredicate { attribute, word })
            })
            .collect()
    }

    /// The query that parameters describe, on top of the predicates of the path. Parameters that
    /// mean nothing are ignored, as most sites do; unknown values are not.
    pub(crate) fn query(
        &self,
        path: &[FacetPredicate],
        params: &[(String, String)],
    ) -> Option<Query> {
        let mut query = Query { predicates: path.to_vec(), ..Query::default() };
        let paging = &self.spec.paging;
        let mut page = None;
        for (key, value) in params {
            if *key == self.spec.search.field {
                query.keywords = Some(value.trim().to_owned());
            } else if key == "f" {
                query.predicates.extend(self.opaque(value)?);
            } else if key == self.key("sort", "o") {
                let by_name = SORTS.iter().position(|s| s.0 == value);
                let sort = by_name.or_else(|| value.parse().ok().filter(|n| *n < SORTS.len()));
                query.sort = sort.unwrap_or(0);
            } else if key == self.key("per_page", "n") {
                query.size = value.parse().ok().filter(|n| paging.sizes.contains(n));
            } else if key == self.page_key() {
                page = Some(value.as_str());
            } else if self.catalogue.attributes.iter().any(|a| a.facet && a.key == *key)
                && !value.is_empty()
            {
                query.predicates.push(self.catalogue.predicate(key, value)?);
            }
        }
        let mut seen = Vec::with_capacity(query.predicates.len());
        query.predicates.retain(|p| {
            !seen.contains(p) && {
                seen.push(*p);
                true
            }
        });
        let size = query.size.unwrap_or(paging.size).max(1);
        if let Some(page) = page {
            query.position = match paging.style {
                PagingStyle::Keyset => {
                    Position::After(CatalogueEntityId(decode(page, !self.spec.seed)?))
                }
                PagingStyle::Offset => Position::Offset(page.parse().ok()?),
                _ => {
                    Position::Offset(page.parse::<usize>().ok()?.checked_sub(1)?.checked_mul(size)?)
                }
            };
        }
        Some(query)
    }
}

/// A path with its parameters.
pub(crate) fn join(path: String, params: &[(String, String)]) -> String {
    let mut url = path;
    for (i, (key, value)) in params.iter().enumerate() {
        url.push(if i == 0 { '?' } else { '&' });
        escape(&mut url, key);
        url.push('=');
        escape(&mut url, value);
    }
    url
}

fn escape(out: &mut String, text: &str) {
    for b in text.bytes() {
        match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b',' => {
                out.push(char::from(b));
            }
            b' ' => out.push('+'),
            _ => out.push_str(&format!("%{b:02X}")),
        }
    }
}

/// Reads `a=b&c=d`, with `+` and percent signs undone.
pub(crate) fn read_form(text: &str) -> Vec<(String, String)> {
    let unescape = |part: &str| {
        let bytes = part.as_bytes();
        let mut out = Vec::with_capacity(bytes.len());
        let mut i = 0;
        while i < bytes.len() {
            let hex = bytes.get(i + 1..i + 3).and_then(|h| std::str::from_utf8(h).ok());
            match (bytes[i], hex.and_then(|h| u8::from_str_radix(h, 16).ok())) {
                (b'%', Some(byte)) => {
                    out.push(byte);
                    i += 2;
                }
                (b'+', _) => out.push(b' '),
                (byte, _) => out.push(byte),
            }
            i += 1;
        }
        String::from_utf8_lossy(&out).into_owned()
    };
    text.split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (unescape(key), unescape(value))
        })
        .collect()
}

const MULTIPLIER: u32 = 0x9e37_79b1;

/// The inverse of the multiplier modulo 2^32, by Newton's iteration.
fn inverse() -> u32 {
    let mut x = MULTIPLIER;
    for _ in 0..5 {
        x = x.wrapping_mul(2u32.wrapping_sub(MULTIPLIER.wrapping_mul(x)));
    }
    x
}

/// A number as a token that nobody can read, and [`decode`] back.
pub(crate) fn encode(number: u32, seed: u64) -> String {
    let key = hash(seed, "token", 0) as u32;
    let mut n = number.wrapping_mul(MULTIPLIER) ^ key;
    let mut digits = [b'0'; 7];
    for digit in digits.iter_mut().rev() {
        *digit = b"0123456789abcdefghijklmnopqrstuvwxyz"[(n % 36) as usize];
        n /= 36;
    }
    digits.iter().map(|d| char::from(*d)).collect()
}

/// The number of a token.
pub(crate) fn decode(token: &str, seed: u64) -> Option<u32> {
    if token.len() != 7 {
        return None;
    }
    let n = u32::try_from(u64::from_str_radix(token, 36).ok()?).ok()?;
    Some((n ^ hash(seed, "token", 0) as u32).wrapping_mul(inverse()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The short way to a refined address and the long one agree, and it is read back as meant.
    #[test]
    fn refined_addresses_are_those_of_the_refined_query() {
        use crate::site::Site;
        for (style, keywords) in UrlStyle::ALL.iter().flat_map(|s| [(*s, None), (*s, Some("red"))])
        {
            let site =
                Site::generate(SiteSpec { entities: 40, urls: style, ..SiteSpec::default() });
            let urls = site.urls();
            let (id, other) = (CatalogueAttributeId(0), CatalogueAttributeId(2));
            let start = Query { keywords: keywords.map(str::to_owned), ..Query::default() };
            let one = start.with(FacetPredicate { attribute: id, word: 1 });
            for query in [start, one.clone(), Query { sort: 2, ..one }] {
                let predicate = FacetPredicate { attribute: other, word: 0 };
                let address = urls.refined(&urls.refine(&query), predicate);
                assert_eq!(address, urls.list(&query.with(predicate)));
                let (path, params) = address.split_once('?').unwrap_or((&address, ""));
                let params = read_form(params);
                let read = match urls.read(path, &params) {
                    Route::List(query) => query,
                    Route::Search => urls.query(&[], &params).unwrap(),
                    other => panic!("{address} is read as {other:?}"),
                };
                assert_eq!(read, query.with(predicate), "{address}");
            }
        }
    }

    #[test]
    fn tokens_come_back() {
        for n in [0, 1, 77, 99_999, u32::MAX] {
            assert_eq!(decode(&encode(n, 5), 5), Some(n));
        }
        assert_eq!(decode("zzzzzzz", 5), None);
    }

    #[test]
    fn forms_are_read() {
        let pairs = read_form("q=red+shoes&x=%C3%A9&bad=%zz&lone");
        let expect = [("q", "red shoes"), ("x", "é"), ("bad", "%zz"), ("lone", "")];
        let expect: Vec<_> =
            expect.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        assert_eq!(pairs, expect);
    }
}
