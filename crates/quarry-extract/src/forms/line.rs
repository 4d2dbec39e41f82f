//! The lines of `quarry forms`. What `quarry forms` says of a page.

use quarry_dom::{ControlKind, Document, FormMethod};
use serde::{Deserialize, Serialize};
use url::Url;

use super::{FormKind, classify_forms, query_control};

/// What `quarry forms` says of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FormsLine {
    /// The page's id.
    pub page: String,
    /// Its forms, in order.
    pub forms: Vec<FormLine>,
}

/// A form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FormLine {
    /// The n-th form of the page, from 0.
    pub index: usize,
    /// What it is for.
    pub kind: FormKind,
    /// How sure that is, from 0 to 1.
    pub score: f64,
    /// `get`, `post` or `dialog`.
    pub method: String,
    /// Where it is sent; null where what it says makes no address.
    pub action: Option<String>,
    /// The name of the field that takes the query; null where there is none.
    pub query: Option<String>,
    /// Whether it may be sent without fear of changing anything.
    pub safe: bool,
    /// Its controls, buttons that send nothing aside.
    pub fields: Vec<FieldLine>,
}

/// A control of a form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FieldLine {
    /// The name that it is sent under.
    pub name: String,
    /// The type of an input, `select` or `textarea`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What the page calls it.
    pub label: Option<String>,
    /// What can be chosen.
    pub options: Vec<OptionLine>,
}

/// One option of a select or data list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OptionLine {
    /// What is sent.
    pub value: String,
    /// What the visitor sees.
    pub label: String,
}

/// The line of a page. `address` is where the page came from, `page` what it is called.
#[must_use]
pub fn forms_line(document: &Document, address: &Url, page: &str) -> FormsLine {
    let forms = document.forms(address);
    let found = classify_forms(document, &forms);
    let lines = forms.iter().zip(found).map(|(form, found)| FormLine {
        index: form.index,
        kind: found.kind,
        score: (found.score * 1000.0).round() / 1000.0,
        method: match form.method {
            FormMethod::Get => "get",
            FormMethod::Post => "post",
            FormMethod::Dialog => "dialog",
        }
        .to_owned(),
        action: form.action.as_ref().map(Url::to_string),
        query: query_control(form).map(|control| control.name.to_owned()),
        safe: found.safe,
        fields: form
            .controls
            .iter()
            .filter(|c| {
                !c.name.is_empty() && !matches!(c.kind, ControlKind::Reset | ControlKind::Button)
            })
            .map(|control| FieldLine {
                name: control.name.to_owned(),
                kind: control.kind.as_str().to_owned(),
                label: control.label.as_ref().map(|label| label.text.to_string()),
                options: control
                    .options
                    .iter()
                    .map(|o| OptionLine { value: o.value.to_string(), label: o.label.to_string() })
                    .collect(),
            })
            .collect(),
    });
    FormsLine { page: page.to_owned(), forms: lines.collect() }
}
