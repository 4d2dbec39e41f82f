//! Sites that several programs harvest: each by one of them at a time, whatever its strategy plans. A program that dies leaves its site to
//! the others, who begin it anew: its pages are where it was.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::connection::Database;
use super::postgres::{SharedSettings, enter};
use super::statements as sql;
use crate::StoreError;

/// A lease is renewed so many times while it lasts.
const RENEWALS: u32 = 5;
/// How often it is looked whether the program has come to its end.
const TICK: Duration = Duration::from_millis(50);

/// How often it is looked whether another program has died.
const LOOK: Duration = Duration::from_secs(1);

/// What a program that asks for a site gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SiteLease {
    /// A site, and where it begins.
    Taken(String, Vec<String>),
    /// All that are left are with others, who may yet die.
    Wait,
    /// All sites are done.
    Over,
}

/// The sites of a harvest by several programs.
pub struct SharedSites {
    database: Database,
    program: i64,
    lease: Duration,
    is_over: Arc<AtomicBool>,
}

impl SharedSites {
    /// Opens the list of sites in a database, which is made if there is none.
    pub fn open(url: &str, settings: &SharedSettings) -> Result<Self, StoreError> {
        let (database, program) = enter(url, settings)?;
        let is_over = Arc::new(AtomicBool::new(false));
        let (own, over, lease) = (database.clone(), Arc::clone(&is_over), settings.lease);
        std::thread::spawn(move || {
            let mut renewed = Instant::now();
            while !over.load(Ordering::Relaxed) {
                std::thread::sleep(TICK);
                if renewed.elapsed() >= lease / RENEWALS {
                    renewed = Instant::now();
                    let seconds = lease.as_secs_f64();
                    // Where that fails for longer than a lease, another program harvests the site, too: costly, not wrong.
                    let _ = own.run("renew a lease", move |client, _| {
                        client.execute(sql::RENEW, &[&program, &seconds, &0_i64, &false])
                    });
                }
            }
        });
        Ok(Self { database, program, lease: settings.lease, is_over })
    }

    /// Adds sites, each with the addresses where it begins, unless they are there.
    pub fn add(&self, sites: &[(String, Vec<String>)]) -> Result<(), StoreError> {
        let names: Vec<String> = sites.iter().map(|(name, _)| name.clone()).collect();
        let seeds: Vec<String> = sites.iter().map(|(_, seeds)| seeds.join("\n")).collect();
        self.database
            .run("add sites", move |client, _| client.execute(sql::ADD_SITES, &[&names, &seeds]))
            .map(drop)
    }

    /// Takes the next site: its own that it has not finished first.
    pub fn lease(&self) -> Result<SiteLease, StoreError> {
        let (program, lease) = (self.program, self.lease.as_secs_f64());
        self.database.run("lease a site", move |client, _| {
            if let Some(row) = client.query_opt(sql::TAKE_SITE, &[&program, &lease])? {
                let seeds: String = row.get(1);
                let seeds = seeds.lines().map(str::to_owned).collect();
                return Ok(SiteLease::Taken(row.get(0), seeds));
            }
            let is_left: bool = client.query_one(sql::SITES_LEFT, &[])?.get(0);
            Ok(if is_left { SiteLease::Wait } else { SiteLease::Over })
        })
    }

    /// Takes one site after the other until all are done, by whichever program. `work` says whether a site is done; where it is not, and
    /// where `is_stopped`, nothing more is taken. True if all sites are done.
    pub fn each<E: From<StoreError>>(
        &self,
        is_stopped: impl Fn() -> bool,
        mut work: impl FnMut(&str, &[String]) -> Result<bool, E>,
    ) -> Result<bool, E> {
        while !is_stopped() {
            match self.lease()? {
                SiteLease::Taken(site, seeds) => {
                    if !work(&site, &seeds)? {
                        return Ok(false);
                    }
                    self.finish(&site)?;
                }
                SiteLease::Wait => std::thread::sleep(LOOK),
                SiteLease::Over => return Ok(true),
            }
        }
        Ok(false)
    }

    /// Notes that a site is done. False if another program has taken it meanwhile.
    pub fn finish(&self, site: &str) -> Result<bool, StoreError> {
        let (program, site) = (self.program, site.to_owned());
        self.database.run("finish a site", move |client, _| {
            Ok(client.execute(sql::FINISH_SITE, &[&site, &program])? > 0)
        })
    }
}

impl Drop for SharedSites {
    /// Leaves what is not finished to others at once.
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        let program = self.program;
        let _ = self
            .database
            .run("leave", move |client, _| client.execute(sql::LEAVE_SITES, &[&program]));
    }
}
