//! What the query strategy reads from a page: its entities, the value groups that may narrow its list,
//! and the links to further pages.

use std::collections::{BTreeMap, BTreeSet};

use quarry_dom::{Attr, Document, NodeId, Tag};
use quarry_extract::forms::{FormKind, Submission};
use quarry_extract::links::{
    AttributeSource, ControlMeaning, FacetControl, FormFacets, LinkGroup, LinkMap, PagingButton,
    PagingRole, UrlChange, changes, read_links,
};
use quarry_model::{Request, SkipReason};
use url::Url;

use super::super::ParsedPage;
use super::super::path_key::path_key;
use super::super::text_sketch::TextSketch;
use super::claims::PageNumbers;
use super::guessed_page::guessed_next_page;
use super::preset;
use crate::Address;

/// Facet score of a form control that probably narrows the list.
const LIKELY_CONTROL: f64 = 0.8;
/// Facet score of a form control that may be the operator or the column of a filter.
const UNLIKELY_CONTROL: f64 = 0.4;

/// A link that may lead to an entity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListLink {
    /// Its normalised address.
    pub(super) address: String,
    /// The node path of its link.
    pub(super) path: String,
    /// See [`path_key`].
    pub(super) path_key: u64,
    /// Its text.
    pub(super) text: String,
}

/// A value that a list can be narrowed by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OfferedValue {
    pub(super) value: String,
    pub(super) request: Request,
    /// How many entities the page says have it.
    pub(super) count: Option<u64>,
}

/// Values of one attribute.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ValueGroup {
    pub(super) attribute: String,
    /// The address parameter that its links add or change: the same group may have another heading on
    /// another page.
    pub(super) parameter: Option<String>,
    /// The name comes from a heading, a legend or a label, not from the address.
    pub(super) is_named: bool,
    /// Its values are options of a form.
    pub(super) is_form: bool,
    /// Its links are said of single records: they stand inside them, or a single one leads where such
    /// links lead.
    pub(super) is_of_records: bool,
    /// How much it looks like facet values, from 0 to 1.
    pub(super) score: f64,
    pub(super) offers: Vec<OfferedValue>,
    /// Pages with the rest of the values.
    pub(super) more: Vec<Request>,
}

/// What the query strategy reads from a page.
#[derive(Debug, Default)]
pub(crate) struct QueryFacts {
    /// Links to entities, as far as this page alone shows them.
    pub(super) entities: Vec<ListLink>,
    /// Path keys of links to promoted entities, which are not part of the list.
    pub(super) promoted: BTreeSet<u64>,
    /// The entities as requests: on a page that lists categories they are lists.
    pub(super) listed: Vec<OfferedValue>,
    /// All links, in document order.
    pub(super) links: Vec<ListLink>,
    pub(super) groups: Vec<ValueGroup>,
    pub(super) next: Option<Request>,
    /// A link that looks as if it led to the previous page.
    pub(super) previous: Option<Request>,
    /// A link that may lead to the next page, where none says so.
    pub(super) guessed_next: Option<Request>,
    /// Links and form controls that take a restriction of the list away.
    pub(super) lifts: Vec<Request>,
    /// Pages of the list by their numbers.
    pub(super) numbered: BTreeMap<u32, Request>,
    /// How many entities the page says there are.
    pub(super) total: Option<u64>,
    /// Numbers of the page, one of which may say how long the list is.
    pub(super) numbers: PageNumbers,
    /// The largest page size that is offered, and the request for it.
    pub(super) larger: Option<(u32, Request)>,
    /// Address parameters that set the page size: not attributes on any page.
    pub(super) size_parameters: Vec<String>,
    /// The site search.
    pub(super) search: Option<Submission>,
    /// Texts of the links to entities.
    pub(super) titles: Vec<String>,
    /// Words of a page that can be searched and has no list.
    pub(super) words: Vec<String>,
    /// The language that the page declares: two letters.
    pub(super) language: Option<String>,
    /// How many links show the same entities in another view.
    pub(super) views: usize,
    /// A summary of the page's text.
    pub(super) sketch: TextSketch,
    /// The address that the page itself says it has.
    pub(super) canonical: Option<String>,
    /// The page says that its links are not to be followed.
    pub(super) says_nofollow: bool,
}

impl QueryFacts {
    /// Whether the list has further pages, before or behind this one.
    pub(super) fn is_paged(&self) -> bool {
        self.next.is_some() || self.previous.is_some() || !self.numbered.is_empty()
    }

    /// The last page of the list, if the page says so: a single number may be that of the next page.
    pub(super) fn last_page(&self) -> Option<u32> {
        self.numbered.keys().next_back().copied().filter(|_| self.numbered.len() > 1)
    }

    pub(in crate::strategy) fn of(page: &ParsedPage<'_>) -> Self {
        let Ok(address) = Url::parse(page.address.as_str()) else { return Self::default() };
        let map = read_links(page.document, &address);
        let links = links(page.document, &address);
        let by_path: BTreeMap<&str, &ListLink> =
            links.iter().map(|link| (link.path.as_str(), link)).collect();
        let rules = LinkRules { judge: page.judge, address: &address };
        let in_records: BTreeSet<String> = map
            .groups
            .iter()
            .filter(|group| group.in_records)
            .flat_map(|group| &group.links)
            .filter_map(|link| address_family(&link.href))
            .collect();
        let mut groups: Vec<ValueGroup> =
            map.groups.iter().filter_map(|group| rules.group(group, &in_records)).collect();
        for form in map.forms.iter().filter(|form| form.safe) {
            rules.controls(form, &mut groups);
        }
        let next = rules.paging(&map, PagingRole::Next);
        let is_unpaged = next.is_none() && rules.numbered(&map).is_empty();
        let addresses = links.iter().map(|link| link.address.as_str());
        let guessed_next = guessed_next_page(&address, addresses, map.entities.len())
            .map(Request::get)
            .filter(|request| is_unpaged && rules.allows(request));
        // A page of the list is not a part of it.
        let is_page = |offer: &OfferedValue| {
            guessed_next.as_ref().is_some_and(|next| next.url == offer.request.url)
        };
        groups.iter_mut().for_each(|group| group.offers.retain(|offer| !is_page(offer)));
        groups.retain(|group| !group.offers.is_empty() || !group.more.is_empty());
        let search = rules.search(&map);
        let words = match &search {
            Some(_) if map.total.is_none() => super::super::probe::words(page.document),
            _ => Vec::new(),
        };
        Self {
            entities: map
                .entities
                .iter()
                .filter_map(|link| by_path.get(link.path.as_str()).map(|&seen| seen.clone()))
                .collect(),
            listed: map
                .entities
                .iter()
                .filter(|link| !link.text.is_empty())
                .filter_map(|link| {
                    let request = rules.link(&link.href)?;
                    Some(OfferedValue { value: link.text.clone(), request, count: None })
                })
                .collect(),
            promoted: map
                .promoted
                .iter()
                .filter_map(|link| by_path.get(link.path.as_str()))
                .map(|link| link.path_key)
                .collect(),
            links,
            groups,
            next,
            guessed_next,
            previous: rules.paging(&map, PagingRole::Prev),
            lifts: rules.lifts(&map),
            numbered: rules.numbered(&map),
            // A number below that of the entities here is said of something else.
            total: map.total.filter(|total| *total >= map.entities.len() as u64),
            search,
            words,
            titles: map.entities.iter().map(|link| link.text.clone()).collect(),
            language: super::super::probe::language(page.document),
            larger: rules.larger(&map),
            size_parameters: rules.size_parameters(&map),
            views: map.sorts.len() + map.sizes.len() + map.removals.len() + map.exports.len(),
            numbers: PageNumbers::of(page.document),
            sketch: TextSketch::of(page.document),
            canonical: canonical(page.document, &address),
            says_nofollow: (page.judge)(page.address) == Err(SkipReason::Nofollow),
        }
    }
}

/// What addresses of one kind have in common: the folder, or the path and the names of its parameters.
fn address_family(href: &str) -> Option<String> {
    let url = Url::parse(href).ok()?;
    let names: BTreeSet<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
    let path = match names.is_empty() {
        true => url.path().trim_end_matches('/').rsplit_once('/')?.0,
        false => url.path(),
    };
    let names: Vec<String> = names.into_iter().collect();
    Some(format!("{path}?{}", names.join("&")))
}

/// What a group of links is called that neither the page nor its addresses name.
const UNNAMED: &str = "Menu";

/// A name for a group that nothing on the page names: the last part that all its addresses share.
fn shape_name(shape: &str) -> String {
    let path = shape.split(['?', '#']).next().unwrap_or(shape);
    let parts = path.split('/').skip(1).filter(|part| !part.is_empty() && *part != "*");
    parts.last().unwrap_or(UNNAMED).to_owned()
}

/// What the page says with `rel=canonical`.
fn canonical(document: &Document, address: &Url) -> Option<String> {
    let is_canonical = |node: &NodeId| {
        let rel = document.known_attr(*node, Attr::REL).unwrap_or_default();
        rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("canonical"))
    };
    let node = document.elements(Tag::LINK).find(is_canonical)?;
    let target = document.base_url(address).join(document.known_attr(node, Attr::HREF)?).ok()?;
    Some(Address::normalise(target.as_str()).ok()?.into_string())
}

fn links(document: &Document, address: &Url) -> Vec<ListLink> {
    let base = document.base_url(address);
    let xpaths = document.xpaths();
    let mut found = Vec::new();
    for node in document.elements(Tag::A) {
        let href = document.known_attr(node, Attr::HREF).map(str::trim);
        let Some(href) = href.filter(|href| !href.is_empty() && !href.starts_with('#')) else {
            continue;
        };
        let target = base.join(href).ok().and_then(|url| Address::normalise(url.as_str()).ok());
        if let Some(target) = target {
            let path = xpaths.xpath(node);
            let path_key = path_key(document, node);
            let text = document.folded_text(node).into_owned();
            found.push(ListLink { address: target.into_string(), path, path_key, text });
        }
    }
    found
}

/// Turns links and forms into requests, as far as the rules allow them.
pub(in crate::strategy) struct LinkRules<'a> {
    pub(in crate::strategy) address: &'a Url,
    pub(in crate::strategy) judge: &'a dyn Fn(&Address) -> Result<(), SkipReason>,
}

impl LinkRules<'_> {
    pub(in crate::strategy) fn allows(&self, request: &Request) -> bool {
        Address::normalise(&request.url).is_ok_and(|address| (self.judge)(&address).is_ok())
    }

    fn link(&self, href: &str) -> Option<Request> {
        let request = Request::get(href);
        self.allows(&request).then_some(request)
    }

    /// The values of a group of links; `in_records` are the families of addresses that records link to.
    fn group(&self, group: &LinkGroup, in_records: &BTreeSet<String>) -> Option<ValueGroup> {
        let links = || group.links.iter().filter(|link| !link.selected);
        let offers: Vec<OfferedValue> = links()
            .filter(|link| !link.more && !link.value.is_empty())
            .filter_map(|link| {
                let (value, count) = (link.value.clone(), link.count);
                Some(OfferedValue { value, request: self.link(&link.href)?, count })
            })
            .collect();
        let more = links().filter(|link| link.more).filter_map(|link| self.link(&link.href));
        let attribute = group.attribute.clone().unwrap_or_else(|| shape_name(&group.shape));
        let more: Vec<Request> = more.collect();
        let is_said_of_one = match offers.as_slice() {
            [only] => {
                let family = address_family(&only.request.url);
                only.count.is_none()
                    && more.is_empty()
                    && family.is_some_and(|family| in_records.contains(&family))
            }
            _ => false,
        };
        (!offers.is_empty() || !more.is_empty()).then(|| ValueGroup {
            parameter: self.parameter(&offers),
            is_form: false,
            is_of_records: group.in_records || is_said_of_one,
            is_named: !matches!(
                group.attribute_from,
                AttributeSource::UrlKey | AttributeSource::None
            ),
            attribute,
            score: group.facet_score,
            offers,
            more,
        })
    }

    /// The address parameter that all of these add to the page's own address, or change there.
    fn parameter(&self, offers: &[OfferedValue]) -> Option<String> {
        let mut keys = offers.iter().map(|offer| {
            let target = Url::parse(&offer.request.url).ok()?;
            let key = |change: &UrlChange| match change {
                UrlChange::Added { name, .. } | UrlChange::Changed { name, .. } => {
                    Some(name.clone())
                }
                _ => None,
            };
            changes(self.address, &target).iter().find_map(key)
        });
        let first = keys.next().flatten()?;
        keys.all(|key| key.as_ref() == Some(&first)).then_some(first)
    }

    fn controls(&self, form: &FormFacets, groups: &mut Vec<ValueGroup>) {
        for control in form.controls.iter().filter(|c| c.meaning == ControlMeaning::Facet) {
            let offers = control.options.iter().filter(|option| !option.selected);
            let offers: Vec<OfferedValue> = offers
                .filter_map(|option| {
                    let request = form.submission.request("", &[(&control.name, &option.value)]);
                    let (value, count) = (option.label.clone(), option.count);
                    self.allows(&request).then_some(OfferedValue { value, request, count })
                })
                .collect();
            if !offers.is_empty() {
                let attribute = control.label.clone().unwrap_or_else(|| control.name.clone());
                groups.push(ValueGroup {
                    attribute,
                    parameter: Some(control.name.clone()),
                    is_form: true,
                    is_of_records: false,
                    is_named: control.label.is_some(),
                    score: if control.may_narrow() { LIKELY_CONTROL } else { UNLIKELY_CONTROL },
                    offers,
                    more: Vec::new(),
                });
            }
        }
    }

    pub(in crate::strategy) fn next(&self, map: &LinkMap) -> Option<Request> {
        self.paging(map, PagingRole::Next)
    }

    /// The first link or button that plays this part.
    fn paging(&self, map: &LinkMap, role: PagingRole) -> Option<Request> {
        let link = map.pagination.iter().find(|link| link.role == role);
        if let Some(request) = link.and_then(|link| self.link(&link.href)) {
            return Some(request);
        }
        let mut buttons = self.buttons(map).filter(|(button, _)| button.role == role);
        buttons.next().map(|(_, request)| request)
    }

    /// Requests that take a restriction of the list away: views of the list without what all of them keep, links that do
    /// so, and forms with one control that the page has set turned to "any".
    fn lifts(&self, map: &LinkMap) -> Vec<Request> {
        let links = map.removals.iter().filter_map(|link| self.link(&link.href));
        let controls = map.forms.iter().filter(|form| form.safe).flat_map(|form| {
            let is_set = |control: &&FacetControl| {
                control.any.is_some() && control.options.iter().any(|option| option.selected)
            };
            let controls = form.controls.iter().filter(is_set);
            controls.filter_map(|control| {
                let any = control.any.as_deref()?;
                Some(form.submission.request("", &[(&control.name, any)]))
            })
        });
        let kept = preset::without_presets(self.address, map).into_iter();
        let kept = kept.filter_map(|address| self.link(&address));
        kept.chain(links).chain(controls.filter(|request| self.allows(request))).collect()
    }

    fn numbered(&self, map: &LinkMap) -> BTreeMap<u32, Request> {
        let links =
            map.pagination.iter().filter_map(|link| Some((link.number?, self.link(&link.href)?)));
        let buttons =
            self.buttons(map).filter_map(|(button, request)| Some((button.number?, request)));
        links.chain(buttons).collect()
    }

    /// Submit buttons that lead to other pages of the list, with their requests. A form that has only
    /// such buttons and hidden fields, and leads back to the page, is safe to send.
    fn buttons<'m>(&self, map: &'m LinkMap) -> impl Iterator<Item = (&'m PagingButton, Request)> {
        let path = self.address.path();
        map.forms.iter().flat_map(move |form| {
            form.paging_buttons.iter().filter_map(move |button| {
                let request = form.submission.press(&button.name, &button.value);
                let target = Url::parse(&request.url).ok()?;
                let repeats = form.controls.is_empty()
                    && form.submission.query_name().is_none()
                    && target.origin() == self.address.origin()
                    && target.path() == path;
                ((form.safe || repeats) && self.allows(&request)).then_some((button, request))
            })
        })
    }

    pub(in crate::strategy) fn search(&self, map: &LinkMap) -> Option<Submission> {
        let searches = |form: &&FormFacets| form.safe && form.kind == FormKind::Search;
        let mut forms = map.forms.iter().filter(searches).map(|form| &form.submission);
        let form =
            forms.find(|form| form.query_name().is_some() && self.allows(&form.request("", &[])));
        form.cloned()
    }

    fn size_parameters(&self, map: &LinkMap) -> Vec<String> {
        let keys = map.sizes.iter().filter_map(|link| {
            let (value, request) = (link.label.clone(), Request::get(&link.href));
            self.parameter(&[OfferedValue { value, request, count: None }])
        });
        keys.collect::<BTreeSet<String>>().into_iter().collect()
    }

    fn larger(&self, map: &LinkMap) -> Option<(u32, Request)> {
        let size = |link: &&quarry_extract::links::SizeLink| link.size.unwrap_or(u32::MAX);
        let largest = map.sizes.iter().max_by_key(size)?;
        Some((size(&largest), self.link(&largest.href)?))
    }
}
