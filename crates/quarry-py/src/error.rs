//! Turns errors of the library into Python exceptions with fields.

use std::path::Path;

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What went wrong, as Python sees it: `webquarry.QuarryError` or one of its subclasses.
#[derive(Debug)]
pub(crate) struct Failure {
    class: &'static str,
    message: String,
    advice: Option<String>,
    path: Option<String>,
    column: Option<String>,
}

impl Failure {
    fn of(class: &'static str, message: String) -> Self {
        Self { class, message, advice: None, path: None, column: None }
    }

    /// What was given cannot be used.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::of("InputError", message.into())
    }

    /// A column of what was given is missing or has the wrong type.
    pub(crate) fn column(column: &str, message: impl Into<String>) -> Self {
        Self { column: Some(column.to_owned()), ..Self::input(message) }
    }

    /// A stored model cannot be used.
    pub(crate) fn model(message: impl Into<String>) -> Self {
        Self::of("ModelError", message.into())
    }

    /// Files could not be read or written.
    pub(crate) fn store(error: &(dyn std::error::Error + 'static), path: Option<&Path>) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(inner) = cause {
            message.push_str(&format!(": {inner}"));
            cause = inner.source();
        }
        let advice = quarry_store::advice(error).map(ToString::to_string);
        let path = path.map(|path| path.display().to_string());
        Self { advice, path, ..Self::of("StoreError", message) }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        Python::attach(|py| {
            let raised = || -> PyResult<Self> {
                let class = py.import("webquarry.errors")?.getattr(failure.class)?;
                let fields = PyDict::new(py);
                fields.set_item("advice", &failure.advice)?;
                fields.set_item("path", &failure.path)?;
                fields.set_item("column", &failure.column)?;
                Ok(Self::from_value(class.call((&failure.message,), Some(&fields))?))
            };
            raised().unwrap_or_else(|error| error)
        })
    }
}

impl From<arrow_schema::ArrowError> for Failure {
    fn from(error: arrow_schema::ArrowError) -> Self {
        Self::input(format!("Arrow cannot hold this: {error}"))
    }
}
