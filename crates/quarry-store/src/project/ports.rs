//! A project folder as a harvest sees it: the ports of `quarry-model`, answered by the project's own functions.

use quarry_model::{
    ColumnRow, CrawlStore, EntityRow, Exchange, Issue, ModelStore, PortError, QueryRow,
    RequestState, Round, RunReport, SkipReason, TableReader, TableStore, ThingRow, Timestamp, Used,
    ValueRow, ValueSource,
};

use super::{Opened, Project};
use crate::table::{TableFormat, TableOut};
use crate::{Table, write_whole};

impl CrawlStore for Project {
    fn recovered(&self) -> Option<u64> {
        let Opened { cut_bytes, released_leases, .. } = self.opened;
        (cut_bytes > 0 || released_leases > 0).then_some(released_leases)
    }

    fn round(&self) -> Round {
        Self::round(self)
    }

    fn begin_round(&mut self, now: Timestamp) -> Result<(), PortError> {
        Ok(Self::begin_round(self, now)?)
    }

    fn end_round(&mut self, whole: bool, now: Timestamp) -> Result<(), PortError> {
        Ok(Self::end_round(self, whole, now)?)
    }

    fn pass_stage(&mut self) -> Result<(), PortError> {
        Ok(Self::pass_stage(self)?)
    }

    fn used(&self) -> Result<Used, PortError> {
        Ok(Self::used(self)?)
    }

    fn begin_run(&mut self, settings: &str, now: Timestamp) -> Result<(), PortError> {
        Self::begin_run(self, settings, now)?;
        Ok(())
    }

    fn end_run(&mut self, now: Timestamp) -> Result<(), PortError> {
        Self::end_run(self, now)?;
        self.write_cdxj()?;
        if self.shares_frontier() {
            // Others have the rest of the crawl: where its pages are stands in a table for each.
            let path = self.dir().join("pages/index.parquet");
            self.export(Table::Pages, TableFormat::Parquet, TableOut::File(&path))?;
        }
        Ok(())
    }

    fn add_counters(&mut self, requests: u64, bytes: u64) {
        Self::add_counters(self, requests, bytes);
    }

    fn count_skipped(&mut self, reason: SkipReason, count: u64) {
        Self::count_skipped(self, reason, count);
    }

    fn note_issue(&mut self, issue: &Issue, now: Timestamp) -> Result<(), PortError> {
        Ok(Self::note_issue(self, issue, now)?)
    }

    fn archived_pages(&self) -> Result<Vec<(i64, u32)>, PortError> {
        Ok(Self::archived_pages(self)?)
    }

    fn read_page(&self, id: i64) -> Result<Exchange, PortError> {
        Ok(Self::read_page(self, id)?)
    }

    fn archived_answer(&self, key: &str) -> Result<Option<Exchange>, PortError> {
        Ok(self.held(key)?)
    }

    fn put_fresh(&mut self, key: &str, depth: u32, via: Option<&str>) -> Result<(), PortError> {
        Ok(Self::put_fresh(self, key, depth, via)?)
    }

    fn request_state(&self, key: &str) -> Result<Option<RequestState>, PortError> {
        Ok(Self::request_state(self, key)?)
    }

    fn report(&self) -> Result<RunReport, PortError> {
        Ok(Self::report(self)?)
    }
}

impl ModelStore for Project {
    fn write_model(&self, name: &str, text: &str) -> Result<(), PortError> {
        Ok(Self::write_model(self, name, text)?)
    }

    fn read_model(&self, name: &str) -> Result<Option<String>, PortError> {
        Ok(Self::read_model(self, name)?)
    }

    fn remove_model(&self, name: &str) -> Result<(), PortError> {
        Ok(Self::remove_model(self, name)?)
    }

    fn model_place(&self, name: &str) -> String {
        self.model_path(name).display().to_string()
    }
}

impl TableReader for Project {
    fn columns(&self) -> Result<Vec<ColumnRow>, PortError> {
        Ok(Self::columns(self)?)
    }

    fn each_entity(
        &self,
        visit: &mut dyn FnMut(EntityRow) -> Result<(), PortError>,
    ) -> Result<(), PortError> {
        Ok(Self::each_entity(self, &mut |row| Ok(visit(row)?))?)
    }

    fn each_value(
        &self,
        attribute: Option<&str>,
        visit: &mut dyn FnMut(ValueRow) -> Result<(), PortError>,
    ) -> Result<(), PortError> {
        Ok(Self::each_value(self, attribute, &mut |row| Ok(visit(row)?))?)
    }

    fn query_graphs(&self) -> Result<Vec<String>, PortError> {
        Ok(Self::query_graphs(self)?)
    }
}

impl TableStore for Project {
    fn replace_values(
        &mut self,
        source: ValueSource,
        rows: &mut dyn Iterator<Item = ValueRow>,
    ) -> Result<(), PortError> {
        Ok(Self::replace_values(self, source, rows)?)
    }

    fn replace_queries(
        &mut self,
        rows: &mut dyn Iterator<Item = QueryRow>,
    ) -> Result<(), PortError> {
        Ok(Self::replace_queries(self, rows)?)
    }

    fn replace_query_graphs(&mut self, graphs: &[String]) -> Result<(), PortError> {
        Ok(Self::replace_query_graphs(self, graphs)?)
    }

    fn begin_tables(&mut self) -> Result<(), PortError> {
        Ok(Self::begin_tables(self)?)
    }

    fn forget_old_entities(&mut self) -> Result<(), PortError> {
        Ok(Self::forget_old_entities(self)?)
    }

    fn old_entity(&self, ids: &[&str]) -> Result<Option<EntityRow>, PortError> {
        Ok(Self::old_entity(self, ids)?)
    }

    fn take_old_entity(&mut self, ids: &[&str]) -> Result<Option<EntityRow>, PortError> {
        Ok(Self::take_old_entity(self, ids)?)
    }

    fn add_entity(&mut self, row: &EntityRow) -> Result<(), PortError> {
        Ok(Self::add_entity(self, row)?)
    }

    fn add_value(&mut self, row: &ValueRow) -> Result<(), PortError> {
        Ok(Self::add_value(self, row)?)
    }

    fn finish_tables(&mut self, columns: &[ColumnRow]) -> Result<u64, PortError> {
        Ok(Self::finish_tables(self, columns)?)
    }

    fn first_entities(&self, most: usize) -> Result<(u64, Vec<EntityRow>), PortError> {
        let (mut entities, mut rows) = (0, Vec::new());
        Self::each_entity(self, &mut |row| {
            entities += 1;
            if rows.len() < most {
                rows.push(row);
            }
            Ok(())
        })?;
        Ok((entities, rows))
    }

    fn count_values(&self) -> Result<u64, PortError> {
        Ok(self.fact_counts()?.pairs)
    }

    fn write_tables(&mut self) -> Result<(), PortError> {
        Ok(self.export_all()?)
    }

    fn begin_things(&mut self, columns: &[ColumnRow]) -> Result<(), PortError> {
        Ok(Self::begin_things(self, columns)?)
    }

    fn add_thing(&mut self, row: &ThingRow) -> Result<(), PortError> {
        Ok(Self::add_thing(self, row)?)
    }

    fn note_harvest(&mut self) -> Result<(), PortError> {
        Ok(Self::note_harvest(self)?)
    }

    fn write_report(&self, html: &str) -> Result<(), PortError> {
        Ok(write_whole(&self.dir.join("report.html"), html)?)
    }
}
