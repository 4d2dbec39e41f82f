//! The scope of a crawl: host, registrable domain or path prefix, include and exclude patterns, depth.

use std::collections::BTreeSet;

use quarry_model::SkipReason;
use regex::{RegexSet, RegexSetBuilder};

use crate::{Address, SettingsError};

/// How far around the seeds a crawl goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// The hosts of the seeds, by http and https alike, with and without `www.`. The default.
    #[default]
    Host,
    /// Every host under the seeds' registrable domains (`a.shop.co.uk` and `b.shop.co.uk` are one
    /// by the public suffix list).
    Domain,
    /// The folders of the seeds: `https://x.example/shop/start.html` stands for `/shop/`.
    Prefix,
    /// Anything that is linked to. Set budgets.
    Any,
}

/// What may be asked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scope {
    /// How far around the seeds.
    pub reach: Reach,
    /// Regular expressions, searched for anywhere in the normalised address; if there are any, one
    /// must match. Seeds need not.
    pub include: Vec<String>,
    /// Regular expressions, searched for anywhere in the normalised address; none may match.
    pub exclude: Vec<String>,
    /// Most links from a seed; none by default, for the budgets end a crawl.
    pub depth: Option<u32>,
}

/// Most bytes that the compiled patterns may take (the crate's own default is 10 MB each).
const PATTERN_BYTES: usize = 4 << 20;

/// A [`Scope`] made ready, with the seeds that it is around.
#[derive(Debug)]
pub(crate) struct Bounds {
    reach: Reach,
    seeds: BTreeSet<String>,
    authorities: BTreeSet<String>,
    domains: BTreeSet<String>,
    prefixes: Vec<(String, String)>,
    include: Option<RegexSet>,
    exclude: Option<RegexSet>,
    depth: u32,
}

impl Bounds {
    pub(crate) fn new(scope: &Scope, seeds: &[Address]) -> Result<Self, SettingsError> {
        Ok(Self {
            reach: scope.reach,
            seeds: seeds.iter().map(|seed| seed.as_str().to_owned()).collect(),
            authorities: seeds.iter().map(|seed| site(seed).to_owned()).collect(),
            domains: seeds.iter().map(|seed| domain(seed).to_owned()).collect(),
            prefixes: seeds.iter().map(|seed| (site(seed).to_owned(), folder(seed))).collect(),
            include: patterns("include", &scope.include)?,
            exclude: patterns("exclude", &scope.exclude)?,
            depth: scope.depth.unwrap_or(u32::MAX),
        })
    }

    /// Whether the address may be asked, as far as scope goes.
    pub(crate) fn judge(&self, address: &Address) -> Result<(), SkipReason> {
        if !self.reaches(address) {
            return Err(SkipReason::OutOfScope);
        }
        let url = address.as_str();
        if self.exclude.as_ref().is_some_and(|patterns| patterns.is_match(url)) {
            return Err(SkipReason::Excluded);
        }
        if let Some(include) = &self.include
            && !include.is_match(url)
            && !self.seeds.contains(url)
        {
            return Err(SkipReason::Excluded);
        }
        Ok(())
    }

    /// Whether a page this many links from a seed may be asked.
    pub(crate) fn judge_depth(&self, depth: u32) -> Result<(), SkipReason> {
        if depth <= self.depth { Ok(()) } else { Err(SkipReason::Depth) }
    }

    /// Whether the host of the address is within reach, whatever its path: for sitemaps.
    pub(crate) fn reaches_host(&self, address: &Address) -> bool {
        self.reach == Reach::Any || self.domains.contains(domain(address))
    }

    /// Whether the address is one of the seeds.
    pub(crate) fn is_seed(&self, url: &str) -> bool {
        self.seeds.contains(url)
    }

    /// The folder in which addresses of this host are in reach, `/` as a rule.
    pub(crate) fn folder_of(&self, address: &Address) -> &str {
        let site = site(address);
        match self.reach {
            Reach::Prefix => {
                self.prefixes.iter().find(|(host, _)| host == site).map_or("/", |(_, path)| path)
            }
            Reach::Host | Reach::Domain | Reach::Any => "/",
        }
    }

    fn reaches(&self, address: &Address) -> bool {
        match self.reach {
            Reach::Host => self.authorities.contains(site(address)),
            Reach::Domain => self.domains.contains(domain(address)),
            Reach::Prefix => {
                let (site, path) = (site(address), address.path());
                self.prefixes.iter().any(|(host, prefix)| host == site && path.starts_with(prefix))
            }
            Reach::Any => true,
        }
    }
}

/// The authority without `www.`: what people call the site.
fn site(address: &Address) -> &str {
    let authority = address.authority();
    authority.strip_prefix("www.").unwrap_or(authority)
}

/// The registrable domain; the whole authority of a number, of `localhost` and of a public suffix.
fn domain(address: &Address) -> &str {
    let name = address.host_name();
    if name.starts_with('[') || name.ends_with(|c: char| c.is_ascii_digit()) {
        return address.authority();
    }
    psl::domain_str(name).unwrap_or_else(|| address.authority())
}

/// The path up to its last `/`.
fn folder(address: &Address) -> String {
    let path = address.path();
    path[..=path.rfind('/').unwrap_or(0)].to_owned()
}

fn patterns(which: &'static str, texts: &[String]) -> Result<Option<RegexSet>, SettingsError> {
    if texts.is_empty() {
        return Ok(None);
    }
    for text in texts {
        compile(std::slice::from_ref(text)).map_err(|source| SettingsError::Pattern {
            which,
            pattern: text.clone(),
            source,
        })?;
    }
    let all = compile(texts).map_err(|source| SettingsError::Pattern {
        which,
        pattern: texts.join("  "),
        source,
    })?;
    Ok(Some(all))
}

fn compile(texts: &[String]) -> Result<RegexSet, regex::Error> {
    RegexSetBuilder::new(texts).size_limit(PATTERN_BYTES).dfa_size_limit(PATTERN_BYTES).build()
}
