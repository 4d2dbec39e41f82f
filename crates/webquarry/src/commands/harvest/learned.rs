//! What have earlier harvests learned of a site? Its model, kept beside what was crawled: learned once, used until pages no longer
//! fit it.

use anyhow::{Context, Result};
use quarry_extract::model::{MODEL_VERSION, SiteModel};
use quarry_store::Project;
use serde::{Deserialize, Serialize};

/// A model as it is kept.
#[derive(Serialize, Deserialize)]
pub(in crate::commands) struct Learned {
    pub(in crate::commands) site: String,
    /// Whether all of the site was there to learn from; a crawl that was broken off teaches a part only.
    pub(in crate::commands) whole: bool,
    pub(in crate::commands) model: SiteModel,
}

/// The file of a site in the project's `models`.
fn file(site: &str) -> String {
    let host = site.split_once("://").map_or(site, |(_, host)| host);
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    format!("site-{}.json", host.chars().map(plain).collect::<String>())
}

/// What is known of a site, if it can be used.
pub(in crate::commands) fn read(project: &Project, site: &str) -> Result<Option<Learned>> {
    let file = file(site);
    let Some(text) = project.read_model(&file)? else { return Ok(None) };
    let damaged = || {
        let path = project.model_path(&file);
        format!("{} is damaged; remove it, and the site is learned anew", path.display())
    };
    // A model of another version is learned anew, whatever it looks like.
    let any: serde_json::Value = serde_json::from_str(&text).with_context(damaged)?;
    if any["model"]["version"] != MODEL_VERSION {
        return Ok(None);
    }
    serde_json::from_value(any).map(Some).with_context(damaged)
}

pub(super) fn keep(project: &Project, learned: &Learned) -> Result<()> {
    let text = serde_json::to_string_pretty(learned).context("cannot print the model")?;
    Ok(project.write_model(&file(&learned.site), &text)?)
}
