//! The browser that runs the scripts of pages: one for all sites of a run.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use quarry_browser::{BrowserSettings, Chromium};
use quarry_harvest::crawl::{RenderMode, RenderSettings};

use crate::config::{RenderFlag, Settings};

/// Whether and by whom the scripts of pages are run.
pub(super) fn render_settings(settings: &Settings) -> RenderSettings {
    let mode = match settings.render {
        RenderFlag::Auto => RenderMode::Auto,
        RenderFlag::Never => RenderMode::Never,
        RenderFlag::Always => RenderMode::Always,
    };
    if mode == RenderMode::Never {
        let missing = "--render never forbids to run them".to_owned();
        return RenderSettings { mode, renderer: None, missing };
    }
    match browser(&settings.browser) {
        Ok(browser) => {
            RenderSettings { mode, renderer: Some(browser), missing: String::new() }
        }
        Err(missing) => RenderSettings { mode, renderer: None, missing },
    }
}

fn browser(program: &Path) -> Result<Arc<Chromium>, String> {
    static BROWSER: OnceLock<Result<Arc<Chromium>, String>> = OnceLock::new();
    let find = || {
        let settings =
            BrowserSettings { program: Some(program.to_owned()), ..BrowserSettings::default() };
        Chromium::new(settings).map(Arc::new).map_err(|error| error.to_string())
    };
    BROWSER.get_or_init(find).clone()
}
