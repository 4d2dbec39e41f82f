//! Keeps the model of a site beside what was crawled: learned once, used until pages no longer fit it.

use quarry_extract::model::{MODEL_VERSION, SiteModel};
use quarry_model::ModelStore;
use serde::{Deserialize, Serialize};

use crate::HarvestError;

/// A model as it is kept.
#[derive(Serialize, Deserialize)]
pub struct LearnedSite {
    /// `scheme://host:port`, or the folder.
    pub site: String,
    /// Whether all of the site was there to learn from; a crawl that was broken off teaches a part only.
    pub whole: bool,
    /// What was learned.
    pub model: SiteModel,
}

/// The file of a site in the project's `models`.
fn file(site: &str) -> String {
    let host = site.split_once("://").map_or(site, |(_, host)| host);
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    format!("site-{}.json", host.chars().map(plain).collect::<String>())
}

/// What earlier harvests have learned of a site, if it can be used.
pub fn read_learned(
    store: &dyn ModelStore,
    site: &str,
) -> Result<Option<LearnedSite>, HarvestError> {
    let file = file(site);
    let Some(text) = store.read_model(&file)? else { return Ok(None) };
    let damaged = |source| HarvestError::Damaged {
        place: store.model_place(&file),
        remedy: "remove it, and the site is learned anew",
        source,
    };
    // A model of another version is learned anew, whatever it looks like.
    let any: serde_json::Value = serde_json::from_str(&text).map_err(damaged)?;
    if any["model"]["version"] != MODEL_VERSION {
        return Ok(None);
    }
    serde_json::from_value(any).map(Some).map_err(damaged)
}

pub(super) fn keep(store: &dyn ModelStore, learned: &LearnedSite) -> Result<(), HarvestError> {
    let text = serde_json::to_string_pretty(learned).map_err(HarvestError::print("the model"))?;
    Ok(store.write_model(&file(&learned.site), &text)?)
}
