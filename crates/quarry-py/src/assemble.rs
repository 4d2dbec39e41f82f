//! From evidence to the tables of a harvest: entities, values and columns.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3_arrow::input::AnyRecordBatch;
use quarry_assemble::{AssembleConfig, Assembly};
use quarry_harvest::TableRows;
use quarry_model::{EntityRow, Evidence, EvidenceStore, PortError, TableReader, ValueRow};
use quarry_store::table::{ColumnType, TableCell, TableColumn};
use quarry_store::{DiskEvidence, EntityTable, Project, StoreSettings};

use crate::cells::{self, CellRows};
use crate::error::Failure;
use crate::evidence;
use crate::table::ArrowTable;
use crate::threads;

/// Rows that are handed to Python at once.
const CHUNK_ROWS: usize = 4_096;

/// The three tables of a harvest.
type HarvestTables = (ArrowTable, ArrowTable, ArrowTable);

/// Assembles evidence into the tables `entities`, `values` and `columns`, as `quarry harvest` does. `memory` is in megabytes; what does
/// not fit goes to a temporary folder.
#[pyfunction]
#[pyo3(signature = (evidence, *, memory=256))]
pub(crate) fn assemble(evidence: &Bound<'_, PyAny>, memory: usize) -> PyResult<HarvestTables> {
    let py = evidence.py();
    let folder =
        tempfile::tempdir().map_err(|error| Failure::store(&error, Some(&std::env::temp_dir())))?;
    let mut assembler = Assembler::new(folder.path().join("evidence"), memory)?;
    assembler.add(evidence)?;
    let made = py.detach(|| -> Result<HarvestTables, Failure> {
        threads::choose();
        let store = &mut assembler.evidence;
        let table = assembler.config.table(store)?;
        let rows = TableRows::of(&table);
        let (mut entities, mut values) = (Vec::new(), Vec::new());
        table
            .each_entity(store, &mut |entity| {
                values.extend(rows.values(entity));
                entities.push(rows.entity(entity));
                Ok(())
            })
            .map_err(|error| port(&error))?;
        tables(rows.columns(), entities, &values)
    })?;
    Ok(made)
}

/// Entities, values and columns of a project: those of its last harvest.
#[pyfunction]
pub(crate) fn project_tables(py: Python<'_>, folder: PathBuf) -> PyResult<HarvestTables> {
    let made = py.detach(|| -> Result<HarvestTables, Failure> {
        let project = Project::open_read_only(&folder, &StoreSettings::default())
            .map_err(|error| Failure::store(&error, Some(&folder)))?;
        let (mut entities, mut values) = (Vec::new(), Vec::new());
        let failed = |error: PortError| port(&error);
        TableReader::each_entity(&project, &mut |row| {
            entities.push(row);
            Ok(())
        })
        .map_err(failed)?;
        TableReader::each_value(&project, None, &mut |row| {
            values.push(row);
            Ok(())
        })
        .map_err(failed)?;
        let columns = TableReader::columns(&project).map_err(failed)?;
        tables(columns, entities, &values)
    })?;
    Ok(made)
}

fn tables(
    columns: Vec<quarry_model::ColumnRow>,
    entities: Vec<EntityRow>,
    values: &[ValueRow],
) -> Result<HarvestTables, Failure> {
    let shape = EntityTable::decide(columns, |visit| -> Result<(), Failure> {
        entities.iter().for_each(visit);
        Ok(())
    })?;
    let mut rows = CellRows::new(&shape.columns());
    entities.into_iter().for_each(|row| rows.push(shape.cells(row)));
    let (own, cells) = shape.column_table();
    let mut columns = CellRows::new(&own);
    cells.into_iter().for_each(|row| columns.push(row));
    let mut value_rows = CellRows::new(&cells::value_columns());
    values.iter().for_each(|row| value_rows.push(cells::of_value(row)));
    Ok((rows.finish()?, value_rows.finish()?, columns.finish()?))
}

/// How evidence is assembled, by the memory that there is: as the program shares it out.
struct Config {
    assemble: AssembleConfig,
}

impl Config {
    fn table(&self, store: &mut DiskEvidence) -> Result<Assembly, Failure> {
        quarry_assemble::assemble(store, None, &self.assemble).map_err(|error| port(&error))
    }
}

fn port(error: &PortError) -> Failure {
    Failure::store(error, None)
}

/// Takes evidence of any size, with bounded memory, and gives it back merged by entity, or as the rows of tables.
#[pyclass(module = "webquarry._native")]
pub(crate) struct Assembler {
    evidence: DiskEvidence,
    config: Config,
}

#[pymethods]
impl Assembler {
    /// Evidence that does not fit the memory (in megabytes) goes into this folder, which is its own.
    #[new]
    pub(crate) fn new(folder: PathBuf, memory: usize) -> PyResult<Self> {
        let evidence = DiskEvidence::create(&folder, (memory << 20) / 2)
            .map_err(|error| Failure::store(&error, Some(Path::new(&folder))))?;
        let sample_bytes = (memory << 20) / 4;
        let assemble = AssembleConfig { sample_bytes, ..AssembleConfig::default() };
        Ok(Self { evidence, config: Config { assemble } })
    }

    /// Adds a table of evidence.
    pub(crate) fn add(&mut self, evidence: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = evidence.py();
        let Ok(table) = evidence.extract::<AnyRecordBatch>() else {
            return Err(Failure::input(
                "give evidence as an Arrow table: what SiteModel.read gives",
            )
            .into());
        };
        let reader = table.into_reader()?;
        py.detach(|| -> Result<(), Failure> {
            for batch in reader {
                for own in evidence::of_batch(&batch?)? {
                    self.evidence.add(own).map_err(|error| port(&error))?;
                }
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Calls `emit` with tables of evidence, entity by entity, of which repetitions are left out.
    fn merged(&mut self, py: Python<'_>, emit: Py<PyAny>) -> PyResult<()> {
        py.detach(|| {
            let mut chunk: Vec<Evidence> = Vec::with_capacity(CHUNK_ROWS);
            let mut failed = None;
            let send = |chunk: &mut Vec<Evidence>| -> PyResult<()> {
                let table = evidence::table(chunk)?;
                chunk.clear();
                Python::attach(|py| emit.call1(py, (table,)).map(drop))
            };
            let done = self.evidence.each_entity(None, &mut |entity| {
                chunk.extend(entity.evidence);
                if chunk.len() >= CHUNK_ROWS {
                    return stopped(send(&mut chunk), &mut failed);
                }
                Ok(())
            });
            finish(done, failed)?;
            send(&mut chunk)
        })
    }

    /// Decides the tables of the evidence, and calls `emit(name, table)` with their rows, many at a time: `values`, `entities` (each with a
    /// list of its cells as names and texts) and `columns`, with a column `type` beside what the program says.
    fn tables(&mut self, py: Python<'_>, emit: Py<PyAny>) -> PyResult<()> {
        py.detach(|| {
            threads::choose();
            let Self { evidence: store, config } = self;
            let table = config.table(store)?;
            let rows = TableRows::of(&table);
            let shape = EntityTable::decide(rows.columns(), |visit| {
                table.each_entity(store, &mut |entity| {
                    visit(&rows.entity(entity));
                    Ok(())
                })
            })
            .map_err(|error| port(&error))?;
            let send = |name: &str, rows: CellRows| -> PyResult<()> {
                let table = rows.finish()?;
                Python::attach(|py| emit.call1(py, (name, table)).map(drop))
            };
            let own = shape.columns();
            let (fixed, attributes) = cells::split_columns(&own);
            let new_entities = || CellRows::with_cells(&fixed, &attributes);
            let new_values = || CellRows::new(&cells::value_columns());
            let (mut entities, mut values) = (new_entities(), new_values());
            let mut failed = None;
            let done = table.each_entity(store, &mut |entity| {
                rows.values(entity).iter().for_each(|row| values.push(cells::of_value(row)));
                entities.push_with_cells(shape.cells(rows.entity(entity)));
                if values.len() >= CHUNK_ROWS {
                    let full = std::mem::replace(&mut values, new_values());
                    stopped(send("values", full), &mut failed)?;
                }
                if entities.len() >= CHUNK_ROWS {
                    let full = std::mem::replace(&mut entities, new_entities());
                    stopped(send("entities", full), &mut failed)?;
                }
                Ok(())
            });
            finish(done, failed)?;
            send("values", values)?;
            send("entities", entities)?;
            let (mut columns, cells) = shape.column_table();
            columns.push(TableColumn::new("type", ColumnType::Text));
            let mut column_rows = CellRows::new(&columns);
            for mut row in cells {
                let name = match &row[0] {
                    TableCell::Text(name) => name.clone(),
                    _ => String::new(),
                };
                row.push(TableCell::Text(cells::type_of(&own, &name).to_owned()));
                column_rows.push(row);
            }
            send("columns", column_rows)
        })
    }
}

/// Stops a walk over entities where Python raised, and keeps what it raised.
fn stopped(sent: PyResult<()>, failed: &mut Option<PyErr>) -> Result<(), PortError> {
    sent.map_err(|error| {
        *failed = Some(error);
        PortError::new("the caller raised an exception")
    })
}

fn finish(done: Result<(), PortError>, failed: Option<PyErr>) -> PyResult<()> {
    match (done, failed) {
        (Err(_), Some(raised)) => Err(raised),
        (Err(error), None) => Err(port(&error).into()),
        (Ok(()), _) => Ok(()),
    }
}
