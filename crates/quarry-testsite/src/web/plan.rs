//! Plans a web: which sites there are, what each is about, and who links to whom.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::{WebKind, WebSite, WebSpec, world_of};
use crate::catalogue::CatalogueEntityId;
use crate::format::{PriceFormat, TitleFormat, Units, ValueFormat};
use crate::prng::{Rng, hash};
use crate::site::Site;
use crate::spec::{PagingStyle, Pictures, SearchForm, SiteSpec, Sitemap, SpecStyle, UrlStyle};
use crate::text::{NameKind, invent, slug};
use crate::theme::Theme;
use crate::vertical::Category;

/// Shares of kinds, in hundredths; shops are the rest.
const SHARES: &[(WebKind, usize)] = &[
    (WebKind::Maker, 8),
    (WebKind::Boutique, 6),
    (WebKind::Comparison, 4),
    (WebKind::Forum, 6),
    (WebKind::Review, 6),
    (WebKind::Blog, 10),
    (WebKind::Hub, 5),
    (WebKind::Directory, 5),
    (WebKind::Spam, 8),
    (WebKind::Mirror, 3),
    (WebKind::Popular, 2),
];

/// A site with all products of a category, plainly printed: what the others are made from.
pub(super) fn world(spec: &WebSpec, category: Category) -> Site {
    let bases: Vec<u64> = (0..spec.products as u64).collect();
    let mut own = SiteSpec { entities: spec.products, ..SiteSpec::default() };
    own.search.form = SearchForm::None;
    let world = world_of(spec, category);
    Site::from_definition(own, category.definition(), world, bases.len(), &bases, &[])
}

/// One category of a shop, with its own mark-up, labels and printed forms.
pub(super) fn shop(
    spec: &WebSpec,
    site: &WebSite,
    seed: u64,
    category: Category,
    bases: &[u64],
) -> Site {
    // The look of a site is the same in all its categories.
    let mut rng = Rng::of(site.seed, "look", 0);
    let mut own = SiteSpec {
        seed,
        entities: bases.len(),
        name: site.name.clone(),
        theme: *rng.pick(Theme::ALL),
        specs: *rng.pick(SpecStyle::ALL),
        urls: *rng.pick(UrlStyle::ALL),
        ..SiteSpec::default()
    };
    own.paging.style = *rng.pick(&[
        PagingStyle::Numbered,
        PagingStyle::NextOnly,
        PagingStyle::Offset,
        PagingStyle::Keyset,
    ]);
    own.paging.size = *rng.pick(&[10, 12, 20, 24]);
    own.markup.json_ld = rng.chance(0.3);
    own.markup.microdata = rng.chance(0.2);
    own.markup.pictures = *rng.pick(&[Pictures::Files, Pictures::Files, Pictures::None]);
    own.search.form = SearchForm::None;
    own.protocol.sitemap = Sitemap::None;
    own.protocol.gzip = false;
    own.format = ValueFormat {
        price: *rng.pick(PriceFormat::ALL),
        units: *rng.pick(Units::ALL),
        title: *rng.pick(&[TitleFormat::Plain, TitleFormat::Plain, TitleFormat::Upper]),
        labels: rng.below(3),
        ..ValueFormat::default()
    };
    let mut without = Vec::new();
    // Some shops do not print every kind of id, and lack other attributes.
    for (name, share) in [("EAN", 0.25), ("MPN", 0.3), ("Warranty", 0.3), ("Color", 0.2)] {
        if rng.chance(share) {
            without.push(name.to_owned());
        }
    }
    let world = world_of(spec, category);
    let definition = category.definition();
    Site::from_definition(own, definition, world, bases.len(), bases, &without)
}

/// A few of the products, the popular ones more often.
fn some_products(rng: &mut Rng, products: usize, size: usize) -> Vec<u64> {
    let mut keyed: Vec<(f64, u64)> = (0..products as u64)
        .map(|base| {
            let weight = 1.0 / (base as f64 + 12.0);
            (rng.unit().powf(1.0 / weight), base)
        })
        .collect();
    keyed.sort_by(|one, other| other.0.total_cmp(&one.0));
    keyed.truncate(size);
    keyed.into_iter().map(|(_, base)| base).collect()
}

fn some_category(rng: &mut Rng) -> Category {
    let total: f64 = Category::ALL.iter().map(|category| category.weight()).sum();
    let mut left = rng.unit() * total;
    for category in Category::ALL {
        left -= category.weight();
        if left < 0.0 {
            return *category;
        }
    }
    Category::Television
}

/// One category for 70 sites of 100, two for 16, and so on (DEXTER, Table 2).
fn some_categories(rng: &mut Rng) -> Vec<Category> {
    let many = match rng.below(100) {
        0..70 => 1,
        70..86 => 2,
        86..93 => 3,
        93..97 => 4,
        97..99 => 5,
        _ => 9,
    };
    let mut all = BTreeSet::new();
    while all.len() < many {
        all.insert(some_category(rng));
    }
    all.into_iter().collect()
}

pub(super) fn sites(spec: &WebSpec, worlds: &BTreeMap<Category, Site>) -> Vec<WebSite> {
    let mut kinds: Vec<WebKind> = Vec::new();
    for (kind, share) in SHARES {
        kinds.extend(std::iter::repeat_n(*kind, (spec.sites * share).div_ceil(100)));
    }
    // Shops stand first: mirrors and links refer to them.
    let shops = spec.sites.saturating_sub(kinds.len());
    let kinds = std::iter::repeat_n(WebKind::Shop, shops).chain(kinds).take(spec.sites);
    let mut sites: Vec<WebSite> = Vec::new();
    let mut taken = BTreeSet::new();
    for (number, kind) in kinds.enumerate() {
        let seed = hash(spec.seed, "web site", number as u64);
        let mut rng = Rng::new(seed);
        let site = plan_site(spec, worlds, &sites, kind, seed, &mut rng, &mut taken);
        sites.push(site);
    }
    let links: Vec<Vec<usize>> = (0..sites.len()).map(|at| links_of(&sites, at)).collect();
    sites.iter_mut().zip(links).for_each(|(site, links)| site.links = links);
    sites
}

fn plan_site(
    spec: &WebSpec,
    worlds: &BTreeMap<Category, Site>,
    before: &[WebSite],
    kind: WebKind,
    seed: u64,
    rng: &mut Rng,
    taken: &mut BTreeSet<String>,
) -> WebSite {
    let mut word = invent(NameKind::Brand, rng);
    let (mut categories, mut products, mut mirror_of) = (Vec::new(), Vec::new(), None);
    match kind {
        WebKind::Shop => {
            categories = some_categories(rng);
            for category in &categories {
                // Few shops are large, many small.
                let size = (10.0 / rng.unit().max(0.08)) as usize;
                let bases = some_products(rng, spec.products, size.clamp(10, 90));
                products.push((*category, bases));
            }
        }
        WebKind::Maker => {
            let category = some_category(rng);
            let (brand, bases) = products_of_a_brand(&worlds[&category], rng);
            word = brand;
            categories = vec![category];
            products = vec![(category, bases)];
        }
        WebKind::Mirror => {
            let shops: Vec<&WebSite> =
                before.iter().filter(|site| site.kind == WebKind::Shop).collect();
            let original = *rng.pick(&shops);
            mirror_of = Some(original.host.clone());
            categories.clone_from(&original.categories);
        }
        WebKind::Hub => categories = vec![some_category(rng)],
        WebKind::Boutique
        | WebKind::Comparison
        | WebKind::Forum
        | WebKind::Review
        | WebKind::Blog => {
            categories = some_categories(rng);
            for category in &categories {
                let size = match kind {
                    WebKind::Comparison => 40 + rng.below(60),
                    WebKind::Boutique => 10 + rng.below(20),
                    _ => 4 + rng.below(24),
                };
                products.push((*category, some_products(rng, spec.products, size)));
            }
        }
        WebKind::Spam => {
            for category in some_categories(rng) {
                products.push((category, some_products(rng, spec.products, 60)));
            }
        }
        WebKind::Directory | WebKind::Popular => {}
    }
    let (name, host) = name_site(kind, &word, &categories, rng, taken);
    WebSite {
        host,
        kind,
        categories,
        mirror_of,
        links: Vec::new(),
        name,
        products,
        seed,
        sections: OnceLock::new(),
    }
}

/// A brand of a category, and its products.
fn products_of_a_brand(world: &Site, rng: &mut Rng) -> (String, Vec<u64>) {
    let catalogue = world.catalogue();
    let brands: Vec<(&str, &[u32])> = catalogue
        .find("Brand")
        .map(|id| catalogue.attribute(id).words())
        .unwrap_or_default()
        .iter()
        .filter(|word| word.entities.len() >= 6)
        .map(|word| (word.text.as_str(), word.entities.as_slice()))
        .collect();
    let (brand, entities) = *rng.pick(&brands);
    let base = |entity: &u32| catalogue.bases[CatalogueEntityId(*entity).0 as usize];
    (brand.to_owned(), entities.iter().map(base).take(60).collect())
}

fn name_site(
    kind: WebKind,
    word: &str,
    categories: &[Category],
    rng: &mut Rng,
    taken: &mut BTreeSet<String>,
) -> (String, String) {
    let goods = categories.first().map_or("things", |category| category.name());
    let patterns: &[&str] = match kind {
        WebKind::Shop => &["{} Store", "{} Direct", "{} & Sons", "{} Online", "{} #"],
        WebKind::Maker => &["{}", "{} World", "{} Works"],
        WebKind::Boutique => &["Maison {}", "{} Select", "{} #"],
        WebKind::Comparison => &["{} Compare", "Cheapest {}", "{} Prices"],
        WebKind::Forum => &["{} Talk", "# forum {}", "{} Board"],
        WebKind::Review => &["{} Reviews", "{} Tested", "Best # {}"],
        WebKind::Blog => &["{} Diary", "Notes from {}", "{} Writes"],
        WebKind::Hub => &["# links {}", "{} # guide", "All # {}"],
        WebKind::Directory => &["{} Directory", "{} A to Z", "{} Index"],
        WebKind::Spam => &["{} Best Cheap", "{} Deals Top", "Buy {} Now"],
        WebKind::Mirror => &["{} Cache", "{} Shop Copy"],
        WebKind::Popular => &["{} Social", "{} News", "{} Video"],
    };
    let name = rng.pick(patterns).replace("{}", word).replace('#', goods);
    let base = slug(&name);
    let mut host = format!("{base}.example");
    let mut number = 2;
    while !taken.insert(host.clone()) {
        host = format!("{base}-{number}.example");
        number += 1;
    }
    (name, host)
}

/// The sites that a site links to. Who links to whom decides what backlinks are worth.
fn links_of(sites: &[WebSite], at: usize) -> Vec<usize> {
    let site = &sites[at];
    let mut rng = Rng::of(site.seed, "links", 0);
    let places = |of: &dyn Fn(&WebSite) -> bool| -> Vec<usize> {
        (0..sites.len()).filter(|&other| other != at && of(&sites[other])).collect()
    };
    let shares = |other: &WebSite| other.categories.iter().any(|c| site.categories.contains(c));
    let sells = |other: &WebSite| matches!(other.kind, WebKind::Shop | WebKind::Maker);
    let popular = places(&|other| other.kind == WebKind::Popular);
    let mut links = BTreeSet::new();
    let mut some = |rng: &mut Rng, from: &[usize], share: f64, most: usize| {
        let mut chosen: Vec<usize> = from.iter().copied().filter(|_| rng.chance(share)).collect();
        rng.shuffle(&mut chosen);
        links.extend(chosen.into_iter().take(most));
    };
    match site.kind {
        WebKind::Hub => {
            let reach = 0.35 + 0.4 * rng.unit();
            some(&mut rng, &places(&|other| sells(other) && shares(other)), reach, 120);
            let near =
                |other: &WebSite| !sells(other) && shares(other) && other.kind != WebKind::Mirror;
            some(&mut rng, &places(&near), 0.12, 20);
            some(&mut rng, &popular, 0.3, 9);
        }
        WebKind::Comparison => {
            some(&mut rng, &places(&|other| sells(other) && shares(other)), 0.3, 60);
            some(&mut rng, &popular, 0.3, 5);
        }
        WebKind::Directory => {
            some(&mut rng, &places(&|_| true), 0.12, 150);
            some(&mut rng, &popular, 0.8, 30);
        }
        WebKind::Forum | WebKind::Review | WebKind::Blog => {
            some(&mut rng, &places(&|other| sells(other) && shares(other)), 0.06, 12);
            some(&mut rng, &places(&|_| true), 0.01, 8);
            some(&mut rng, &popular, 0.5, 9);
        }
        WebKind::Spam => {
            some(&mut rng, &places(&|other| other.kind == WebKind::Spam), 0.4, 40);
            some(&mut rng, &places(&|other| other.kind == WebKind::Mirror), 0.3, 9);
            some(&mut rng, &places(&sells), 0.02, 12);
        }
        WebKind::Shop | WebKind::Boutique => {
            let makers = places(&|other| other.kind == WebKind::Maker && shares(other));
            some(&mut rng, &makers, 0.12, 6);
            some(&mut rng, &popular, 0.4, 4);
        }
        WebKind::Maker => {
            some(&mut rng, &places(&|other| other.kind == WebKind::Shop && shares(other)), 0.05, 8);
            some(&mut rng, &popular, 0.5, 5);
        }
        WebKind::Popular => {
            some(&mut rng, &places(&|_| true), 0.02, 20);
            some(&mut rng, &popular, 0.5, 9);
        }
        WebKind::Mirror => {}
    }
    links.into_iter().collect()
}
