//! Recognises the links of a list page that lead to the entities of its answer: those with the path
//! key and the address shape that the first list has shown, on a list of one entity as on a list of
//! fifty.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use quarry_extract::links::UrlShape;
use url::Url;

use super::facts::{ListLink, QueryFacts};
use super::identity::Context;
use crate::query::{EntityIdentity, remove_parameters};

/// Fewer entities with addresses of another shape do not change the shape: a single one may be a promotion.
const MIN_WIDENING: usize = 2;

/// How links to entities are told from others.
#[derive(Debug, Default)]
pub(super) struct EntityLinks {
    path_keys: BTreeSet<u64>,
    /// Promotions have such path keys, too: only the page as a whole can tell them apart.
    shared_with_promotions: bool,
    shape: Option<UrlShape>,
    /// Addresses of this shape are lists.
    list_shape: Option<UrlShape>,
    /// An entity's address without its last part.
    folder: Option<String>,
    /// All entities of the list that was learned from stand in that folder.
    is_one_folder: bool,
    /// Parameters with one value in all entity addresses of the list that was learned from.
    constants: BTreeMap<String, String>,
    /// Addresses like those of entities that the page of that list has beside it, by path key.
    beside: BTreeMap<u64, BTreeSet<String>>,
}

/// An entity that a list page shows.
#[derive(Debug)]
pub(super) struct ShownEntity<'f> {
    /// Its address without what the list adds to it.
    pub(super) address: Cow<'f, str>,
    pub(super) link: &'f ListLink,
}

impl EntityLinks {
    /// Nothing is known, but that addresses of this shape are lists.
    pub(super) fn beside(list_shape: Option<UrlShape>) -> Self {
        Self { list_shape, ..Self::default() }
    }

    fn may_be_entity(&self, link: &ListLink) -> bool {
        !self.list_shape.as_ref().is_some_and(|shape| fits(shape, &link.address))
    }

    /// Learns from a list, unless one is known.
    pub(super) fn learn(&mut self, facts: &QueryFacts, identity: &EntityIdentity) {
        if self.shape.is_some() {
            return;
        }
        let entities: Vec<&ListLink> =
            facts.entities.iter().filter(|link| self.may_be_entity(link)).collect();
        let urls: Vec<Url> = entities
            .iter()
            .filter_map(|link| Url::parse(&identity.canonical(&link.address)).ok())
            .collect();
        self.shape = UrlShape::of(&urls);
        self.path_keys = entities.iter().map(|link| link.path_key).collect();
        self.shared_with_promotions = !self.path_keys.is_disjoint(&facts.promoted);
        self.folder = urls.first().and_then(|url| Some(folder_of(url)?.0.to_owned()));
        self.is_one_folder = common_folder(&urls).is_some();
        self.constants = if urls.len() > 1 { constants(&urls) } else { BTreeMap::new() };
        let Some(shape) = &self.shape else { return };
        let others = facts.links.iter().filter(|link| !self.path_keys.contains(&link.path_key));
        for link in others.filter(|link| fits(shape, &identity.canonical(&link.address))) {
            self.beside.entry(link.path_key).or_default().insert(link.address.clone());
        }
    }

    /// Places with the same links to entities as on the page that was learned from, beside its list: the newest entities, which
    /// every page of a site shows.
    fn furniture(&self, facts: &QueryFacts) -> BTreeSet<u64> {
        let mut shown: BTreeMap<u64, BTreeSet<&str>> = BTreeMap::new();
        for link in facts.links.iter().filter(|link| self.beside.contains_key(&link.path_key)) {
            shown.entry(link.path_key).or_default().insert(&link.address);
        }
        let is_same = |(key, addresses): &(u64, BTreeSet<&str>)| {
            let known = self.beside.get(key);
            known
                .is_some_and(|known| known.iter().map(String::as_str).eq(addresses.iter().copied()))
        };
        shown.into_iter().filter(is_same).map(|(key, _)| key).collect()
    }

    /// Learns the shape of addresses anew, after parts of them turned out to carry the list.
    pub(super) fn reshape<'a>(&mut self, entities: impl Iterator<Item = &'a str>) {
        let urls: Vec<Url> = entities.filter_map(|address| Url::parse(address).ok()).collect();
        if let Some(shape) = UrlShape::of(&urls) {
            self.shape = Some(shape);
        }
    }

    /// Learns from a page that is known to be of the same list, or of a part of it: where most of its entities stand at the
    /// usual places with addresses of another shape (the next category, the next letter), the shape is that of both.
    pub(super) fn widen(&mut self, facts: &QueryFacts, identity: &EntityIdentity) {
        let Some(shape) = &self.shape else { return };
        let links = facts.entities.iter().filter(|link| self.path_keys.contains(&link.path_key));
        let urls = links.filter_map(|link| Url::parse(&identity.canonical(&link.address)).ok());
        let (fitting, others): (Vec<Url>, Vec<Url>) = urls.partition(|url| shape.fits(url));
        if others.len() <= fitting.len() || others.len() < MIN_WIDENING {
            return;
        }
        let joined = UrlShape::of(&others).and_then(|other| shape.join(&other));
        let is_list = |joined: &UrlShape| self.list_shape.as_ref() == Some(joined);
        if let Some(joined) = joined.filter(|joined| !is_list(joined)) {
            self.shape = Some(joined);
        }
    }

    /// The entities that a page shows, in document order.
    pub(super) fn among<'f>(
        &self,
        facts: &'f QueryFacts,
        identity: &EntityIdentity,
    ) -> Vec<ShownEntity<'f>> {
        let shown =
            |link: &'f ListLink| ShownEntity { address: identity.canonical(&link.address), link };
        let Some(shape) = &self.shape else {
            return facts
                .entities
                .iter()
                .filter(|link| self.may_be_entity(link))
                .map(shown)
                .collect();
        };
        let is_entity = |entity: &ShownEntity<'_>| fits(shape, &entity.address);
        let by_page = || -> Vec<ShownEntity<'_>> {
            let furniture = self.furniture(facts);
            let is_own = |link: &&'f ListLink| !furniture.contains(&link.path_key);
            let found: Vec<_> =
                facts.entities.iter().filter(is_own).map(shown).filter(is_entity).collect();
            let is_misread = !facts.entities.iter().all(|link| is_own(&link));
            if !found.is_empty() || !is_misread || shape.is_vague() {
                return found;
            }
            // The page has few entities, and what every page shows was taken for its list.
            let mut known: BTreeSet<Cow<'_, str>> = BTreeSet::new();
            let others = facts.links.iter().filter(is_own).map(shown).filter(is_entity);
            others.filter(|entity| known.insert(entity.address.clone())).collect()
        };
        let by_path = || -> Vec<ShownEntity<'_>> {
            let similar = facts.links.iter().filter(|l| self.path_keys.contains(&l.path_key));
            similar.map(shown).filter(is_entity).collect()
        };
        let found = if self.shared_with_promotions { by_page() } else { by_path() };
        match (found.is_empty(), self.shared_with_promotions) {
            (false, _) => found,
            (true, true) => by_path(),
            (true, false) => by_page(),
        }
    }

    /// Addresses of entities that a page links to outside of its list: promotions, the newest one above the others.
    pub(super) fn outside<'f>(
        &'f self,
        facts: &'f QueryFacts,
        identity: &'f EntityIdentity,
    ) -> impl Iterator<Item = Cow<'f, str>> {
        let shape = self.shape.as_ref();
        // A vague shape fits any page.
        let is_vague = shape.is_some_and(UrlShape::is_vague);
        let links = facts.links.iter().filter(move |link| {
            let is_promoted = facts.promoted.contains(&link.path_key);
            !self.path_keys.contains(&link.path_key) && (is_promoted || !is_vague)
        });
        let addresses = links.map(|link| identity.canonical(&link.address));
        addresses.filter(move |address| shape.is_some_and(|shape| fits(shape, address)))
    }

    /// What the addresses of a page's entities may carry of the list that shows them: parts that all of
    /// them share, and that entities of the list which was learned from have not, or have otherwise.
    pub(super) fn context(&self, facts: &QueryFacts, identity: &EntityIdentity) -> Option<Context> {
        let shape = self.shape.as_ref()?;
        let links = facts.links.iter().filter(|link| self.path_keys.contains(&link.path_key));
        let urls: BTreeSet<Url> =
            links.filter_map(|link| Url::parse(&identity.canonical(&link.address)).ok()).collect();
        let (fitting, others): (Vec<Url>, Vec<Url>) =
            urls.into_iter().partition(|url| shape.fits(url));
        if others.len() <= fitting.len() {
            let own = if fitting.len() > 1 { constants(&fitting) } else { BTreeMap::new() };
            let differs =
                |name: &&String| self.constants.get(*name).is_some_and(|v| *v != own[*name]);
            let names: BTreeSet<String> = own.keys().filter(differs).cloned().collect();
            return match names.is_empty() {
                false => Some(Context::Parameters(names)),
                true => self.folder_context(&fitting),
            };
        }
        let names: BTreeSet<String> = constants(&others).into_keys().collect();
        let fits_without = |url: &Url| {
            let mut url = url.clone();
            remove_parameters(&mut url, &names);
            shape.fits(&url)
        };
        if !names.is_empty() && others.iter().all(fits_without) {
            return Some(Context::Parameters(names));
        }
        let (from, to) = (common_folder(&others)?, self.folder.clone()?);
        (from != to).then(|| Context::Folder { from: from.to_owned(), to })
    }

    /// The folder of entities whose addresses have the usual shape: another number than the first list's.
    fn folder_context(&self, entities: &[Url]) -> Option<Context> {
        let to = self.folder.clone().filter(|_| self.is_one_folder && entities.len() > 1)?;
        let from = common_folder(entities).filter(|from| *from != to)?;
        Some(Context::Folder { from: from.to_owned(), to })
    }

    /// Links of a page that stand where entities stand.
    pub(super) fn at_places<'f>(
        &'f self,
        facts: &'f QueryFacts,
    ) -> impl Iterator<Item = &'f ListLink> {
        facts.links.iter().filter(|link| self.path_keys.contains(&link.path_key))
    }
}

/// The path of an address before its last part, and that part.
fn folder_of(url: &Url) -> Option<(&str, &str)> {
    url.path().trim_end_matches('/').rsplit_once('/')
}

/// The folder that all of these addresses have.
fn common_folder(urls: &[Url]) -> Option<&str> {
    let mut folders = urls.iter().map(|url| folder_of(url).map(|(folder, _)| folder));
    let first = folders.next()??;
    folders.all(|folder| folder == Some(first)).then_some(first)
}

/// Parameters that have one value in all of these addresses.
fn constants(urls: &[Url]) -> BTreeMap<String, String> {
    let Some((first, others)) = urls.split_first() else { return BTreeMap::new() };
    let in_all = |pair: &(Cow<'_, str>, Cow<'_, str>)| {
        others.iter().all(|url| url.query_pairs().any(|other| other == *pair))
    };
    let pairs = first.query_pairs().filter(in_all);
    pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect()
}

fn fits(shape: &UrlShape, address: &str) -> bool {
    Url::parse(address).is_ok_and(|address| shape.fits(&address))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found outside of a list of three entities in this folder, with a promoted one and a link to another page beside it.
    fn outside(folder: &str) -> Vec<String> {
        let link = |name: &str, path_key: u64| ListLink {
            address: format!("http://a.example{folder}/{name}"),
            path: String::new(),
            path_key,
            text: name.to_owned(),
        };
        let entities = vec![link("one", 1), link("two", 1), link("three", 1)];
        let mut links = entities.clone();
        links.extend([link("newest", 2), link("about", 3)]);
        let facts =
            QueryFacts { entities, links, promoted: BTreeSet::from([2]), ..QueryFacts::default() };
        let identity = EntityIdentity::default();
        let mut known = EntityLinks::default();
        known.learn(&facts, &identity);
        known.outside(&facts, &identity).map(Cow::into_owned).collect()
    }

    fn list(addresses: &[&str]) -> QueryFacts {
        let link = |address: &&str| ListLink {
            address: format!("http://a.example{address}"),
            path: String::new(),
            path_key: 1,
            text: String::new(),
        };
        let entities: Vec<ListLink> = addresses.iter().map(link).collect();
        QueryFacts { links: entities.clone(), entities, ..QueryFacts::default() }
    }

    #[test]
    fn entities_of_another_year_or_folder_belong_to_the_list() {
        let identity = EntityIdentity::default();
        let mut known = EntityLinks::default();
        known.learn(&list(&["/2024/3/ka", "/2024/5/lo"]), &identity);
        let older = list(&["/2019/11/mi", "/2019/12/ren", "/2018/1/tu"]);
        assert_eq!(known.among(&older, &identity).len(), 3);

        let mut known = EntityLinks::default();
        known.learn(&list(&["/kalo/ka", "/kalo/lo"]), &identity);
        let next = list(&["/miren/mi", "/miren/ren", "/kalo/tu"]);
        assert_eq!(known.among(&next, &identity).len(), 1);
        known.widen(&next, &identity);
        assert_eq!(known.among(&next, &identity).len(), 3);
        // One link that leads elsewhere says nothing.
        known.widen(&list(&["/vas/por/del"]), &identity);
        assert_eq!(known.among(&next, &identity).len(), 3);
    }

    #[test]
    fn what_every_page_shows_beside_its_list_is_not_the_list() {
        let link = |place: u64| {
            move |name: &&str| ListLink {
                address: format!("http://a.example/{name}"),
                path: String::new(),
                path_key: place,
                text: String::new(),
            }
        };
        let page = |listed: (&[&str], u64), is_found: bool| {
            let newest: Vec<ListLink> =
                ["2024/3/ka", "2024/5/lo", "2024/6/mi"].iter().map(link(9)).collect();
            let own: Vec<ListLink> = listed.0.iter().map(link(listed.1)).collect();
            let entities = if is_found { own.clone() } else { newest.clone() };
            let links = own.into_iter().chain(newest).collect();
            QueryFacts { links, entities, ..QueryFacts::default() }
        };
        let identity = EntityIdentity::default();
        let mut known = EntityLinks::default();
        let root = page((&["2024/6/mi", "2024/5/lo", "2024/3/ka", "2023/1/ren"], 1), true);
        known.learn(&root, &identity);
        let addresses = |facts: &QueryFacts| -> Vec<String> {
            known.among(facts, &identity).into_iter().map(|e| e.address.into_owned()).collect()
        };
        // A list with another template that has one entity, linked twice.
        let part = page((&["2023/1/ren", "2023/1/ren"], 5), false);
        assert_eq!(addresses(&part), ["http://a.example/2023/1/ren"]);
        assert!(addresses(&page((&[], 5), false)).is_empty());
    }

    #[test]
    fn folders_with_other_numbers_are_compared() {
        let identity = EntityIdentity::default();
        let mut known = EntityLinks::default();
        known.learn(&list(&["/k/12/ka", "/k/12/lo"]), &identity);
        let context = known.context(&list(&["/k/15/ka", "/k/15/mi"]), &identity);
        let expected = Context::Folder { from: "/k/15".to_owned(), to: "/k/12".to_owned() };
        assert_eq!(context, Some(expected));
    }

    #[test]
    fn entities_beside_a_list_have_its_addresses_or_are_promoted() {
        assert_eq!(outside(""), ["http://a.example/newest"]);
        assert_eq!(
            outside("/post"),
            ["http://a.example/post/newest", "http://a.example/post/about"]
        );
    }
}
