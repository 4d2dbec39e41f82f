//! The connection to the database: a thread of its own, because the client may not wait inside the crawl's runtime. A connection that is
//! lost, as when the server is restarted, is made again, and what was under way is asked once more.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use postgres::error::SqlState;
use postgres::types::ToSql;
use postgres::{Client, Config, GenericClient, Row, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::tls;
use crate::StoreError;

/// First and longest wait before a lost connection is tried again.
const RETRY: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(5));

type Task = Box<dyn FnOnce(&mut Link) + Send>;

/// What runs statements. What it is given must be such that running it twice does no harm: the answer of the first time may be lost.
#[derive(Clone)]
pub(super) struct Database {
    tasks: SyncSender<Task>,
}

impl Database {
    /// Connects. `setup` is run again whenever the connection was made anew.
    pub(super) fn connect(
        url: &str,
        setup: String,
        patience: Duration,
    ) -> Result<Self, StoreError> {
        let (config, tls) = tls::parse(url)
            .map_err(|source| StoreError::Shared { operation: "connect", source })?;
        let (tasks, waiting): (SyncSender<Task>, Receiver<Task>) = sync_channel(1);
        let (connected, outcome) = sync_channel(1);
        std::thread::spawn(move || {
            let mut link = Link { config, tls, setup, patience, session: None };
            // A wrong address is found at once; a server that is just restarted says so.
            let is_there =
                link.try_for(|link| link.session().map(drop), |error| error.code().is_some());
            let has_failed = is_there.is_err();
            let _ = connected.send(is_there);
            if !has_failed {
                waiting.into_iter().for_each(|task| task(&mut link));
            }
        });
        match outcome.recv() {
            Ok(Ok(())) => Ok(Self { tasks }),
            Ok(Err(error)) => Err(failed("connect")(error)),
            Err(gone) => Err(StoreError::Shared { operation: "connect", source: gone.into() }),
        }
    }

    /// Runs statements, and waits for what they give. They are told whether they were run before without an answer.
    pub(super) fn run<T: Send + 'static>(
        &self,
        operation: &'static str,
        task: impl Fn(&mut Session, bool) -> Result<T, postgres::Error> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (done, outcome) = sync_channel(1);
        let task: Task = Box::new(move |link| drop(done.send(link.run(task))));
        let gone = || StoreError::Shared { operation, source: "the connection is closed".into() };
        self.tasks.send(task).map_err(|_| gone())?;
        outcome.recv().map_err(|_| gone())?.map_err(failed(operation))
    }
}

fn failed(operation: &'static str) -> impl Fn(postgres::Error) -> StoreError {
    move |source| StoreError::Shared { operation, source: source.into() }
}

struct Link {
    config: Config,
    tls: MakeRustlsConnect,
    setup: String,
    patience: Duration,
    session: Option<Session>,
}

/// A connection with the statements that it knows: each is parsed and planned once.
pub(super) struct Session {
    pub(super) client: Client,
    known: Statements,
}

/// Statements by their text.
#[derive(Default)]
pub(super) struct Statements(BTreeMap<&'static str, Statement>);

type Parameters<'a> = [&'a (dyn ToSql + Sync)];

impl Statements {
    fn get(
        &mut self,
        client: &mut impl GenericClient,
        text: &'static str,
    ) -> Result<Statement, postgres::Error> {
        if let Some(known) = self.0.get(text) {
            return Ok(known.clone());
        }
        let statement = client.prepare(text)?;
        self.0.insert(text, statement.clone());
        Ok(statement)
    }

    pub(super) fn query(
        &mut self,
        client: &mut impl GenericClient,
        text: &'static str,
        parameters: &Parameters<'_>,
    ) -> Result<Vec<Row>, postgres::Error> {
        let statement = self.get(client, text)?;
        client.query(&statement, parameters)
    }

    pub(super) fn query_one(
        &mut self,
        client: &mut impl GenericClient,
        text: &'static str,
        parameters: &Parameters<'_>,
    ) -> Result<Row, postgres::Error> {
        let statement = self.get(client, text)?;
        client.query_one(&statement, parameters)
    }

    pub(super) fn query_opt(
        &mut self,
        client: &mut impl GenericClient,
        text: &'static str,
        parameters: &Parameters<'_>,
    ) -> Result<Option<Row>, postgres::Error> {
        let statement = self.get(client, text)?;
        client.query_opt(&statement, parameters)
    }

    pub(super) fn execute(
        &mut self,
        client: &mut impl GenericClient,
        text: &'static str,
        parameters: &Parameters<'_>,
    ) -> Result<u64, postgres::Error> {
        let statement = self.get(client, text)?;
        client.execute(&statement, parameters)
    }
}

impl Session {
    pub(super) fn query(
        &mut self,
        text: &'static str,
        parameters: &Parameters<'_>,
    ) -> Result<Vec<Row>, postgres::Error> {
        self.known.query(&mut self.client, text, parameters)
    }

    pub(super) fn query_one(
        &mut self,
        text: &'static str,
        parameters: &Parameters<'_>,
    ) -> Result<Row, postgres::Error> {
        self.known.query_one(&mut self.client, text, parameters)
    }

    pub(super) fn query_opt(
        &mut self,
        text: &'static str,
        parameters: &Parameters<'_>,
    ) -> Result<Option<Row>, postgres::Error> {
        self.known.query_opt(&mut self.client, text, parameters)
    }

    pub(super) fn execute(
        &mut self,
        text: &'static str,
        parameters: &Parameters<'_>,
    ) -> Result<u64, postgres::Error> {
        self.known.execute(&mut self.client, text, parameters)
    }

    /// Runs statements as one transaction: committed if they succeed and say so.
    pub(super) fn change<T>(
        &mut self,
        work: impl FnOnce(
            &mut postgres::Transaction<'_>,
            &mut Statements,
        ) -> Result<Option<T>, postgres::Error>,
    ) -> Result<Option<T>, postgres::Error> {
        let mut change = self.client.transaction()?;
        let done = work(&mut change, &mut self.known)?;
        if done.is_some() {
            change.commit()?;
        }
        Ok(done)
    }
}

impl Link {
    fn session(&mut self) -> Result<&mut Session, postgres::Error> {
        let session = match self.session.take() {
            Some(session) if !session.client.is_closed() => session,
            _ => {
                let mut client = self.config.connect(self.tls.clone())?;
                client.batch_execute(&self.setup)?;
                Session { client, known: Statements::default() }
            }
        };
        Ok(self.session.insert(session))
    }

    fn run<T>(
        &mut self,
        task: impl Fn(&mut Session, bool) -> Result<T, postgres::Error>,
    ) -> Result<T, postgres::Error> {
        let mut is_again = false;
        self.try_for(
            |link| {
                let done = link.session().and_then(|session| task(session, is_again));
                is_again = true;
                done
            },
            |_| true,
        )
    }

    /// Tries until it succeeds, as long as its errors are of the moment and such as `may_wait` takes, and patience lasts.
    fn try_for<T>(
        &mut self,
        mut attempt: impl FnMut(&mut Self) -> Result<T, postgres::Error>,
        may_wait: impl Fn(&postgres::Error) -> bool,
    ) -> Result<T, postgres::Error> {
        let (began, mut wait) = (Instant::now(), RETRY.0);
        loop {
            let error = match attempt(self) {
                Ok(done) => return Ok(done),
                Err(error) => error,
            };
            if !may_pass(&error) || !may_wait(&error) || began.elapsed() > self.patience {
                return Err(error);
            }
            std::thread::sleep(wait);
            wait = (wait * 2).min(RETRY.1);
        }
    }
}

/// Whether an error is of the moment: the server is restarted, or two transactions were in each other's way.
fn may_pass(error: &postgres::Error) -> bool {
    const PASSING: [SqlState; 7] = [
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::TOO_MANY_CONNECTIONS,
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::CONNECTION_FAILURE,
    ];
    match error.code() {
        Some(code) => PASSING.contains(code),
        // No answer of the server at all.
        None => {
            error.is_closed()
                || std::error::Error::source(error)
                    .is_some_and(<dyn std::error::Error>::is::<std::io::Error>)
        }
    }
}
