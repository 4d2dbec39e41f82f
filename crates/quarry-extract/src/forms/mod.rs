//! Tells site searches from other forms, and says how to ask them. Forms are told apart by their
//! controls, names, labels, buttons, address, method and place; what could change something is
//! never sent.
//!
//! ```
//! use quarry_dom::Document;
//! use quarry_extract::forms::{FormKind, classify_forms, submission};
//!
//! let page = Document::from_html(
//!     "<form action=/find><input name=q placeholder='Search shoes'><input type=hidden name=a value=1></form>\
//!      <form action=/login method=post><input name=user><input name=pw type=password></form>");
//! let address = url::Url::parse("https://shop.example/").unwrap();
//! let forms = page.forms(&address);
//! let found = classify_forms(&page, &forms);
//! assert_eq!(found[0].kind, FormKind::Search);
//! assert_eq!(found[1].kind, FormKind::Login);
//! assert!(found[0].safe && !found[1].safe);
//! let request = submission(&forms[0], "red shoe", &[]).unwrap();
//! assert_eq!(request.url, "https://shop.example/find?q=red+shoe&a=1");
//! ```
//!
//! How: `docs/algorithms/forms.md`.

mod classify;
mod line;
mod submit;
mod words;

use serde::{Deserialize, Serialize};

pub use classify::{classify_form, classify_forms, is_safe_to_submit};
pub use line::{FieldLine, FormLine, FormsLine, OptionLine, forms_line};
pub use submit::{Submission, alternatives, query_control, submission};
pub use words::names_search;

/// What a form is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FormKind {
    /// Finds things by a word or by choices.
    Search,
    /// Narrows, sorts or pages the list that is already there.
    Refine,
    /// Enters an account.
    Login,
    /// Everything else: newsletter, registration, contact, cart, language …
    Other,
}

impl FormKind {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Refine => "refine",
            Self::Login => "login",
            Self::Other => "other",
        }
    }
}

/// What was found out about a form.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassifiedForm {
    /// The n-th form of the page, from 0.
    pub index: usize,
    /// What it is for.
    pub kind: FormKind,
    /// How sure that is, from 0 to 1.
    pub score: f64,
    /// Whether it may be sent: it cannot change anything as far as one can tell from outside.
    pub safe: bool,
    /// What speaks for and against a search, strongest first.
    pub evidence: Vec<FormEvidence>,
}

/// One thing that speaks for or against a kind.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FormEvidence {
    /// The kind that it speaks about.
    pub kind: FormKind,
    /// What was seen.
    pub what: &'static str,
    /// How much it weighs; below 0 it speaks against.
    pub weight: f64,
}

impl ClassifiedForm {
    /// The form as text: what it is taken for, and why.
    #[must_use]
    pub fn dump(&self) -> String {
        use std::fmt::Write as _;
        let safe = if self.safe { "" } else { ", never sent" };
        let mut out =
            format!("form {}: {} ({:.2}){safe}\n", self.index, self.kind.as_str(), self.score);
        for evidence in &self.evidence {
            let _ = writeln!(
                out,
                "    {:+.1} {}: {}",
                evidence.weight,
                evidence.kind.as_str(),
                evidence.what
            );
        }
        out
    }
}
