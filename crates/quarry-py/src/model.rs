//! What was learned of a site: learning it, reading pages with it, keeping it as text.

use std::collections::BTreeMap;
use std::ffi::CString;

use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;
use quarry_extract::attribute::{MatchConfig, SeedDb};
use quarry_extract::model::{MODEL_VERSION, SiteModel};
use quarry_extract::site::SiteFit;
use quarry_harvest::learn::{LEARNED_FROM, LearnedSite, learn_pages};
use quarry_harvest::{ParsedPage, matching, parse_seeds, read};
use quarry_model::Evidence;

use crate::error::Failure;
use crate::pages::{self, GivenPage, PageIssue, guarded, optional_text, site_of, value};
use crate::schema::{self, table_of};
use crate::table::ArrowTable;
use crate::threads;
use crate::{evidence, pages::FILES};

/// Issues that a warning names; the others are counted.
const WARNED: usize = 3;

/// What was learned of a site: its templates and kinds of entities. Pickles as its text, which is versioned.
#[pyclass(frozen, name = "SiteModel", module = "webquarry")]
pub(crate) struct PySiteModel {
    site: String,
    model: SiteModel,
}

/// Warns of pages that could not be read.
pub(crate) fn warn(py: Python<'_>, issues: &[PageIssue]) -> PyResult<()> {
    if issues.is_empty() {
        return Ok(());
    }
    let class = py.import("webquarry.errors")?.getattr("PageWarning")?;
    let named = issues.iter().take(WARNED).map(|own| format!("{}: {}", own.page, own.issue));
    let named = named.collect::<Vec<_>>().join("; ");
    let text = format!("{} pages were left out: {named}", issues.len()).replace('\0', " ");
    PyErr::warn(py, &class, &CString::new(text).unwrap_or_default(), 2)
}

/// Learns a site from its pages, as `quarry harvest` does: from 300 of them, evenly over all in the order of their names.
#[pyfunction]
#[pyo3(signature = (pages, *, site=None, seed=None))]
pub(crate) fn learn(
    pages: &Bound<'_, PyAny>,
    site: Option<String>,
    seed: Option<Vec<u8>>,
) -> PyResult<PySiteModel> {
    let py = pages.py();
    let (mut given, mut issues) = pages::extract(pages)?;
    let seeds = read_seed(seed.as_deref())?;
    let site = match site {
        Some(site) => site,
        None => only_site(&given)?,
    };
    let (model, issues) = py.detach(|| {
        threads::choose();
        given.sort_by(|a, b| a.page.id.cmp(&b.page.id));
        let count = given.len().min(LEARNED_FROM);
        let chosen: Vec<usize> = (0..count).map(|n| n * given.len() / count).collect();
        let mut number = 0;
        given.retain(|_| {
            number += 1;
            chosen.binary_search(&(number - 1)).is_ok()
        });
        let taught: Vec<ParsedPage> =
            pages::parse(given, &mut issues).into_iter().map(|(_, page)| page).collect();
        (guarded(|| learn_pages(&site, &taught, seeds.as_ref())), issues)
    });
    warn(py, &issues)?;
    let model = model.map_err(|why| Failure::model(format!("cannot learn {site}: {why}")))?;
    Ok(PySiteModel { site, model })
}

fn only_site(given: &[GivenPage]) -> Result<String, Failure> {
    let Some(first) = given.first() else {
        return Err(Failure::input("there are no pages to learn from"));
    };
    match given.iter().find(|own| own.site != first.site) {
        None => Ok(first.site.clone()),
        Some(other) => Err(Failure::input(format!(
            "the pages are of several sites, {} and {}; learn them one by one, or name the site with site=",
            first.site, other.site
        ))),
    }
}

fn read_seed(seed: Option<&[u8]>) -> Result<Option<SeedDb>, Failure> {
    let parse =
        |bytes| parse_seeds(bytes).map_err(|error| Failure::input(format!("the seed: {error}")));
    seed.map(parse).transpose()
}

#[pymethods]
impl PySiteModel {
    /// The model that a text holds, which `text` gave or a project keeps in its folder `models`.
    #[staticmethod]
    fn from_text(text: &str) -> PyResult<Self> {
        let strange = |error| Failure::model(format!("this is not the text of a model: {error}"));
        let any: serde_json::Value = serde_json::from_str(text).map_err(strange)?;
        let version = &any["model"]["version"];
        if *version != MODEL_VERSION {
            let message = format!(
                "the model has version {version}, this package reads version {MODEL_VERSION}; learn the site again"
            );
            return Err(Failure::model(message).into());
        }
        let LearnedSite { site, model, .. } = serde_json::from_value(any).map_err(strange)?;
        Ok(Self { site, model })
    }

    /// The model as versioned text (JSON), as a project keeps it.
    #[getter]
    fn text(&self) -> PyResult<String> {
        let kept = LearnedSite { site: self.site.clone(), whole: true, model: self.model.clone() };
        Ok(serde_json::to_string(&kept).map_err(|error| Failure::model(error.to_string()))?)
    }

    /// The site: `scheme://host:port`.
    #[getter]
    fn site(&self) -> &str {
        &self.site
    }

    /// The kinds of entities that the site has, the one with most pages first.
    #[getter]
    fn kinds(&self) -> Vec<String> {
        self.model.kinds.iter().map(|kind| kind.name.clone()).collect()
    }

    /// What pages of the site say: one row for each value of each entity, with the node that it was read from.
    fn read(&self, pages: &Bound<'_, PyAny>) -> PyResult<ArrowTable> {
        let py = pages.py();
        let (given, mut issues) = pages::extract(pages)?;
        let (found, issues) = py.detach(|| {
            threads::choose();
            let parsed =
                pages::parse(given, &mut issues).into_iter().map(|(_, page)| page).collect();
            let found = read_site(&self.site, parsed, &self.model, &mut issues);
            (evidence::table(&found), issues)
        });
        warn(py, &issues)?;
        Ok(found?)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_text")?, (slf.get().text()?,)))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Self>();
        other.is_ok_and(|other| other.get().site == self.site && other.get().model == self.model)
    }

    fn __repr__(&self) -> String {
        let Self { site, model } = self;
        let kinds = self.kinds().join(", ");
        let (templates, version) = (model.templates.len(), model.version);
        format!(
            "webquarry.SiteModel({site}: {templates} record templates, kinds of entities: {kinds}; version {version})"
        )
    }
}

/// Reads pages of one site. A page that a stage panics on costs itself and an issue.
fn read_site(
    site: &str,
    pages: Vec<ParsedPage>,
    model: &SiteModel,
    issues: &mut Vec<PageIssue>,
) -> Vec<Evidence> {
    let read = |pages: &[ParsedPage]| read::read_pages(site, pages, model, &mut SiteFit::default());
    if let Ok(found) = guarded(|| read(&pages)) {
        return found;
    }
    let mut found = Vec::new();
    for page in &pages {
        match guarded(|| read(std::slice::from_ref(page))) {
            Ok(own) => found.extend(own),
            Err(issue) => {
                let page = page.id.clone();
                issues.push(PageIssue { site: site.to_owned(), page, stage: "read", issue });
            }
        }
    }
    found
}

/// Reads pages of several sites, each with the model of its site. Returns what they say, and what was wrong with pages.
#[pyfunction]
pub(crate) fn read_sites(
    models: Vec<PyRef<'_, PySiteModel>>,
    pages: &Bound<'_, PyAny>,
) -> PyResult<(ArrowTable, ArrowTable)> {
    let py = pages.py();
    let (given, mut issues) = pages::extract(pages)?;
    let models: BTreeMap<&str, &SiteModel> =
        models.iter().map(|own| (own.site.as_str(), &own.model)).collect();
    let (found, issues) = py.detach(|| {
        threads::choose();
        let mut sites: BTreeMap<String, Vec<ParsedPage>> = BTreeMap::new();
        for (site, page) in pages::parse(given, &mut issues) {
            sites.entry(site).or_default().push(page);
        }
        let mut found = Vec::new();
        for (site, pages) in sites {
            match models.get(site.as_str()) {
                Some(model) => found.extend(read_site(&site, pages, model, &mut issues)),
                None => issues.extend(pages.into_iter().map(|page| PageIssue {
                    site: site.clone(),
                    page: page.id,
                    stage: "read",
                    issue: "its site could not be learned".to_owned(),
                })),
            }
        }
        (evidence::table(&found), table_of(&schema::ISSUES, &issues))
    });
    Ok((found?, issues?))
}

/// The name of the site and the name of the page of every row: what `site`, `page` and `url` say.
#[pyfunction]
pub(crate) fn site_names(pages: &Bound<'_, PyAny>) -> PyResult<Vec<(String, String)>> {
    let mut names = Vec::new();
    for batch in pages.extract::<AnyRecordBatch>()?.into_reader()? {
        let batch = batch.map_err(Failure::from)?;
        let urls = optional_text(&batch, &["url"])?;
        let (ids, sites) = (optional_text(&batch, &["page"])?, optional_text(&batch, &["site"])?);
        for row in 0..batch.num_rows() {
            let url = value(urls.as_ref(), row);
            let site = value(sites.as_ref(), row).unwrap_or_else(|| site_of(url.as_deref()));
            let page = value(ids.as_ref(), row).or(url).unwrap_or_default();
            names.push((site, page));
        }
    }
    Ok(names)
}

/// The attributes of known records on pages of a site: what `quarry match` prints.
#[pyfunction]
#[pyo3(signature = (pages, seed, *, site=None))]
pub(crate) fn match_pages(
    pages: &Bound<'_, PyAny>,
    seed: Vec<u8>,
    site: Option<String>,
) -> PyResult<ArrowTable> {
    let py = pages.py();
    let (given, mut issues) = pages::extract(pages)?;
    let seeds = read_seed(Some(&seed))?.unwrap_or_default();
    let site = site.or_else(|| given.first().map(|own| own.site.clone()));
    let site = site.unwrap_or_else(|| FILES.to_owned());
    let (lines, issues) = py.detach(|| {
        threads::choose();
        let parsed: Vec<ParsedPage> =
            pages::parse(given, &mut issues).into_iter().map(|(_, page)| page).collect();
        let in_seed = seeds.records().len();
        let config = MatchConfig::default();
        let (_, lines) = matching::match_pages(&site, &parsed, &seeds, in_seed, &config);
        (table_of(&schema::MATCHES, &lines), issues)
    });
    warn(py, &issues)?;
    Ok(lines?)
}
