//! What is a kind of entities called? The word that addresses, headings of its lists, links to them and embedded types share.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::Tag;
use url::Url;

use super::SitePage;
use super::entity_kinds::KindMembers;
use crate::embedded::embedded_things;
use crate::links::LinkMap;

/// What a kind is called that nothing names.
const UNNAMED: &str = "entities";
/// Words of a name, at most.
const MAX_WORDS: usize = 3;
/// Letters of a name, at least: `p` in `/p/17` names nothing.
const MIN_LETTERS: usize = 3;
/// Letters by which two forms of a word differ, at most: film, films.
const MAX_ENDING: usize = 2;
/// Pages whose links and embedded types are looked at.
const LOOKED_AT: usize = 60;

/// Who may name a kind, and how much that counts where they do not agree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum NameSource {
    /// A part of the addresses of its entities.
    Address,
    /// The heading of its lists.
    Heading,
    /// The last part of the addresses of its lists.
    ListAddress,
    /// The type that its pages embed.
    Type,
    /// A link to its lists.
    Link,
}

impl NameSource {
    fn weight(self) -> f64 {
        match self {
            Self::Address => 1.0,
            Self::Heading | Self::ListAddress => 0.8,
            Self::Type => 0.6,
            Self::Link => 0.5,
        }
    }
}

/// The names of kinds, each different.
pub(super) fn names(
    pages: &[SitePage<'_>],
    maps: &[LinkMap],
    kinds: &[KindMembers],
) -> Vec<String> {
    let votes: Vec<Votes> = kinds.iter().map(|kind| votes(pages, maps, kind)).collect();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut names = Vec::with_capacity(kinds.len());
    for (at, own) in votes.iter().enumerate() {
        // A word that names another kind as well, such as "home", does not name this one.
        let others = || votes.iter().enumerate().filter(|(other, _)| *other != at);
        let is_own = |name: &&String| {
            let score = own.score(name);
            others().all(|(_, votes)| votes.score(name) < score) && !taken.contains(*name)
        };
        let name = own.ranked().into_iter().find(is_own).cloned().unwrap_or_else(|| {
            let numbered = (2..).map(|number| format!("{UNNAMED} {number}"));
            let mut free = std::iter::once(UNNAMED.to_owned()).chain(numbered);
            free.find(|name| !taken.contains(name)).unwrap_or_default()
        });
        taken.insert(name.clone());
        names.push(name);
    }
    names
}

/// Names with the share of pages on which each witness gives them.
#[derive(Default)]
struct Votes(BTreeMap<String, BTreeMap<NameSource, f64>>);

impl Votes {
    fn add(&mut self, text: &str, witness: NameSource, share: f64) {
        let name = text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
        let name: Vec<String> = name.map(str::to_lowercase).collect();
        let letters: usize = name.iter().map(|word| word.chars().count()).sum();
        let has_digit = name.iter().any(|word| word.chars().any(|char| char.is_ascii_digit()));
        if !(1..=MAX_WORDS).contains(&name.len()) || letters < MIN_LETTERS || has_digit {
            return;
        }
        *self.0.entry(name.join(" ")).or_default().entry(witness).or_default() += share;
    }

    /// How much sources agree on a name, in whatever form.
    fn score(&self, name: &str) -> f64 {
        let mut best: BTreeMap<NameSource, f64> = BTreeMap::new();
        for (_, sources) in self.0.iter().filter(|(other, _)| is_same(name, other)) {
            for (witness, share) in sources {
                let own = best.entry(*witness).or_default();
                *own = own.max(share.min(1.0));
            }
        }
        best.into_iter().map(|(witness, share)| witness.weight() * share).sum()
    }

    /// The names, those with most agreement first; of the forms of one the one that most sources give, and of equals the longest.
    fn ranked(&self) -> Vec<&String> {
        let own = |name: &str| -> f64 {
            let sources = self.0.get(name).into_iter().flatten();
            sources.map(|(witness, share)| witness.weight() * share.min(1.0)).sum()
        };
        let mut names: Vec<(f64, f64, &String)> =
            self.0.keys().map(|name| (self.score(name), own(name), name)).collect();
        names.sort_by(|a, b| {
            b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(b.2.len().cmp(&a.2.len()))
        });
        names.into_iter().map(|(_, _, name)| name).collect()
    }
}

/// Whether two names are forms of one word: one begins the other, but for an ending.
fn is_same(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    long.strip_prefix(short).is_some_and(|ending| ending.chars().count() <= MAX_ENDING)
}

fn votes(pages: &[SitePage<'_>], maps: &[LinkMap], kind: &KindMembers) -> Votes {
    let mut votes = Votes::default();
    for shape in &kind.shapes {
        let share = 1.0 / kind.shapes.len() as f64;
        if let Some(part) = shape.constants().last() {
            votes.add(part, NameSource::Address, share);
        }
    }
    let addresses: BTreeSet<&str> = kind
        .links
        .iter()
        .chain(kind.pages.iter().map(|&at| pages[at].address))
        .map(Url::as_str)
        .collect();
    // Records without links are listed by any page.
    let is_any = kind.links.is_empty() && kind.pages.is_empty();
    let is_list = |at: &usize| {
        let entities = &maps[*at].entities;
        let own = entities.iter().filter(|link| addresses.contains(link.href.as_str())).count();
        is_any || own > 0 && 2 * own > entities.len() && kind.pages.binary_search(at).is_err()
    };
    let lists: Vec<usize> = (0..pages.len()).filter(is_list).collect();
    let share = 1.0 / lists.len().max(1) as f64;
    let mut list_addresses: BTreeSet<String> = BTreeSet::new();
    for &at in &lists {
        let SitePage { document, address, .. } = pages[at];
        list_addresses.insert(plain(address));
        let mut parts = address.path_segments().into_iter().flatten();
        if let Some(part) = parts.rfind(|part| !part.is_empty()) {
            votes.add(part, NameSource::ListAddress, share);
        }
        let heading = document.elements(Tag::H1).find(|&node| !document.is_hidden(node));
        if let Some(heading) = heading {
            votes.add(&document.folded_text(heading), NameSource::Heading, share);
        }
    }
    let step = pages.len().div_ceil(LOOKED_AT).max(1);
    let some: Vec<&SitePage<'_>> = pages.iter().step_by(step).collect();
    for page in &some {
        let mut met: BTreeSet<String> = BTreeSet::new();
        for link in page.document.links(page.address) {
            if list_addresses.contains(&plain(&link.url)) {
                met.insert(link.text.into_owned());
            }
        }
        let share = 1.0 / some.len() as f64;
        met.iter().for_each(|text| votes.add(text, NameSource::Link, share));
    }
    let step = kind.pages.len().div_ceil(LOOKED_AT).max(1);
    let own: Vec<usize> = kind.pages.iter().copied().step_by(step).collect();
    for &at in &own {
        let things = embedded_things(pages[at].document);
        let typed = things.into_iter().filter(|thing| thing.kind.is_some());
        let most = typed.max_by_key(|thing| thing.fields.len());
        if let Some(name) = most.and_then(|thing| thing.kind) {
            votes.add(&name, NameSource::Type, 1.0 / own.len() as f64);
        }
    }
    votes
}

/// An address without what tells the pages of a list apart.
fn plain(address: &Url) -> String {
    let mut plain = address.clone();
    plain.set_query(None);
    plain.set_fragment(None);
    plain.into()
}
