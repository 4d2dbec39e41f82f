//! The [`Renderer`] port: what a page's own scripts make of it, and where what they ask for comes from.

use std::fmt;
use std::pin::Pin;

use serde::{Deserialize, Serialize};

use crate::{Exchange, Request, Timestamp};

/// Beginning of the parameters by which an address names a state of a page that its server does not know: a word typed, a
/// box checked. Such an address is never sent.
pub const STATE_PREFIX: &str = "quarry.";

/// A page as its scripts left it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Rendering {
    /// The document as HTML: UTF-8, with the byte order mark that says so whatever the response's header claims.
    pub document: Vec<u8>,
    /// What the page's scripts were told the time is.
    pub clock: Timestamp,
    /// What their random numbers were made from.
    pub seed: u64,
    /// Name and version of the browser.
    pub browser: String,
    /// What was fetched for the page and is not in the archive yet.
    pub parts: Vec<Exchange>,
    /// Whether the address names a state of a page: then no request was sent for it.
    pub is_state: bool,
}

/// One thing that is done to a page before it is read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PageStep {
    /// What is done.
    pub kind: StepKind,
    /// The control, or the group of controls, by its name.
    pub group: String,
    /// The word that is typed, or the name of the control within its group.
    pub value: String,
}

/// What is done to a control. In the order in which the steps of a state are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepKind {
    /// The part of the address behind `#` is set, by which scripts tell what to show.
    Go,
    /// A word is typed into a field.
    Type,
    /// An option is chosen.
    Select,
    /// A tab or another button of a group is pressed.
    Press,
    /// A box or a radio button is checked.
    Check,
}

impl StepKind {
    /// The name, as it stands in addresses of states.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Go => "go",
            Self::Type => "type",
            Self::Select => "select",
            Self::Press => "press",
            Self::Check => "check",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Go, Self::Type, Self::Select, Self::Press, Self::Check]
            .into_iter()
            .find(|kind| kind.as_str() == name)
    }
}

/// Whether an address names a state that controls of a page lead to: choices, typed words. Views behind a `#` are no choices.
#[must_use]
pub fn is_choice(address: &str) -> bool {
    let query = address.split_once('?').map_or("", |(_, query)| query);
    let kinds = query.split('&').filter_map(|part| part.strip_prefix(STATE_PREFIX));
    let mut kinds = kinds.filter_map(|control| StepKind::parse(control.split('.').next()?));
    kinds.any(|kind| kind != StepKind::Go)
}

/// A page to render.
#[derive(Debug, Clone, Copy)]
pub struct RenderJob<'a> {
    /// What the server sent.
    pub page: &'a Exchange,
    /// The address of the page in the state that is wanted: that of the page itself, unless there are steps.
    pub address: &'a str,
    /// What is done to it before it is read.
    pub steps: &'a [PageStep],
    /// The time that its scripts are told.
    pub clock: Timestamp,
    /// What their random numbers are made from.
    pub seed: u64,
    /// Rows up to which pages of its template had no further ones, whatever was tried: with no more rows than these, only what plainly says
    /// that it brings more is tried.
    pub idle_rows: Option<u64>,
}

/// What a page wants something for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// Code, styles, a document in a frame: what a page is made of.
    Furniture,
    /// What scripts ask for themselves.
    Data,
}

/// Why a page gets nothing for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartRefusal {
    /// The rules of the crawl forbid it: robots.txt, an address that could change something, a used-up budget.
    Rules,
    /// No answer came.
    Failed,
}

/// A future that is boxed, so that its trait can be used as an object.
pub type BoxedFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Answers what pages ask for while they are rendered: by the same rules as pages are asked for.
pub trait PartSource: Send + Sync {
    /// The answer to a request that changes nothing, redirects followed.
    fn get(
        &self,
        request: Request,
        kind: PartKind,
    ) -> BoxedFuture<'_, Result<std::sync::Arc<Exchange>, PartRefusal>>;
}

/// What came of a rendering.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rendered {
    /// The document, as in [`Rendering::document`].
    pub document: Vec<u8>,
    /// Name and version of the browser.
    pub browser: String,
    /// Requests of the page that were not answered: by the rules, over its limit, of a kind that is not sent.
    pub refused: u64,
    /// A limit of time, size or requests was reached: the document is what there was until then.
    pub limit: Option<&'static str>,
    /// Controls that were pressed to bring further rows.
    pub continued: u32,
    /// Rows of its lists.
    pub rows: u64,
}

/// Why a page could not be rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenderFailure {
    /// There is no browser, or it cannot be started.
    NoBrowser {
        /// What was tried.
        detail: String,
    },
    /// The browser ended or did not answer, twice.
    Died {
        /// What was seen last.
        detail: String,
    },
    /// The page does not have the control that a step names.
    NoSuchControl {
        /// The step, as it stands in the address.
        step: String,
    },
    /// The page gave no document: an endless loop, a download.
    NoDocument {
        /// What was seen.
        detail: String,
    },
}

impl fmt::Display for RenderFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBrowser { detail } => write!(f, "no browser: {detail}"),
            Self::Died { detail } => write!(f, "the browser failed twice: {detail}"),
            Self::NoSuchControl { step } => write!(f, "the page has no control for {step}"),
            Self::NoDocument { detail } => write!(f, "the page gave no document: {detail}"),
        }
    }
}

impl std::error::Error for RenderFailure {}

/// Runs the scripts of pages.
pub trait Renderer: fmt::Debug + Send + Sync {
    /// The page as its scripts leave it, with every control that changes what is shown written as a link or form whose address
    /// names the state.
    fn render<'a>(
        &'a self,
        job: RenderJob<'a>,
        parts: &'a dyn PartSource,
    ) -> BoxedFuture<'a, Result<Rendered, RenderFailure>>;
}
