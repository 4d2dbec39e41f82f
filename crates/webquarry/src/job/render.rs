//! The browser that runs the scripts of pages: one for all sites of a run.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

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
        Ok(browser) => RenderSettings { mode, renderer: Some(browser), missing: String::new() },
        Err(missing) => RenderSettings { mode, renderer: None, missing },
    }
}

/// The browser that another site of this run uses, or a new one. It ends with the last of them.
fn browser(program: &Path) -> Result<Arc<Chromium>, String> {
    static BROWSER: Mutex<Weak<Chromium>> = Mutex::new(Weak::new());
    let mut shared = BROWSER.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(running) = shared.upgrade() {
        return Ok(running);
    }
    let settings =
        BrowserSettings { program: Some(program.to_owned()), ..BrowserSettings::default() };
    let new = Chromium::new(settings).map(Arc::new).map_err(|error| error.to_string())?;
    *shared = Arc::downgrade(&new);
    Ok(new)
}
