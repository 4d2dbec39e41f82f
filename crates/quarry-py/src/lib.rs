//! The Python package `webquarry`: calls of the library on Arrow tables, with the interpreter lock released.
//!
//! Everything Python sees is listed in `_native`; the package around it (`python/webquarry`) has the signatures with types, the errors,
//! and what runs in Spark.

mod archive;
mod assemble;
mod cells;
mod error;
mod evidence;
mod model;
mod pages;
mod schema;
mod stages;
mod table;
mod threads;

/// Parsing makes and drops many small things: as in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The module that the package wraps.
#[pyo3::pymodule]
mod _native {
    use std::ffi::OsString;

    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::archive::{page_batches, warc_records};
    #[pymodule_export]
    use crate::assemble::{Assembler, assemble, project_tables};
    #[pymodule_export]
    use crate::model::{PySiteModel, learn, match_pages, read_sites, site_names};
    #[pymodule_export]
    use crate::stages::{cluster, embedded, forms, links, records, specs};
    #[pymodule_export]
    use crate::table::ArrowTable;

    /// Runs the program with these arguments, the first being its name; returns the exit status.
    #[pyfunction]
    fn run_program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
        py.detach(|| webquarry::run(arguments))
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("LEARNED_FROM", quarry_harvest::learn::LEARNED_FROM)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
