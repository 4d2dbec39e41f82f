//! Idle connections for reuse, by origin, bounded in number and age.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::connect::{Connection, Http2, Sender};
use crate::settings::FetchSettings;

pub(crate) struct Pool {
    origins: Mutex<Origins>,
    max_idle_per_host: usize,
    max_idle: usize,
    idle_timeout: Duration,
}

#[derive(Default)]
struct Origins {
    idle: BTreeMap<String, Vec<Idle>>,
    count: usize,
}

struct Idle {
    connection: Connection,
    since: Instant,
}

impl Pool {
    pub(crate) fn new(settings: &FetchSettings) -> Self {
        Self {
            origins: Mutex::default(),
            max_idle_per_host: settings.max_idle_per_host,
            max_idle: settings.max_idle,
            idle_timeout: settings.idle_timeout,
        }
    }

    /// The connection to `origin` that was used last and still stands, as far as we know. One that
    /// speaks HTTP/2 stays for others, too.
    pub(crate) fn take(&self, origin: &str) -> Option<Connection> {
        let mut origins = self.lock();
        let list = origins.idle.get_mut(origin)?;
        let before = list.len();
        let mut found = None;
        while let Some(mut idle) = list.pop() {
            if !idle.connection.is_open() || idle.since.elapsed() > self.idle_timeout {
                continue;
            }
            if let Some(shared) = idle.connection.share() {
                idle.since = Instant::now();
                list.push(idle);
                found = Some(shared);
            } else {
                found = Some(idle.connection);
            }
            break;
        }
        let taken = before - list.len();
        if list.is_empty() {
            origins.idle.remove(origin);
        }
        origins.count -= taken;
        found
    }

    /// Offers a connection for later. A full pool lets go what has been idle too long, then what
    /// has been idle longest.
    pub(crate) fn put(&self, origin: String, connection: Connection) {
        if !connection.is_open() || self.max_idle_per_host == 0 || self.max_idle == 0 {
            return;
        }
        let mut origins = self.lock();
        if origins.count >= self.max_idle {
            origins.prune(self.idle_timeout);
        }
        if origins.count >= self.max_idle {
            origins.drop_oldest();
        }
        let list = origins.idle.entry(origin).or_default();
        let one_is_enough = matches!(connection.sender, Sender::Http2(_));
        if list.len() >= self.max_idle_per_host || (one_is_enough && !list.is_empty()) {
            list.remove(0);
            list.push(Idle { connection, since: Instant::now() });
            return;
        }
        list.push(Idle { connection, since: Instant::now() });
        origins.count += 1;
    }

    /// Forgets what is idle for an origin whose connections proved dead.
    pub(crate) fn forget(&self, origin: &str) {
        let mut origins = self.lock();
        let gone = origins.idle.remove(origin).map_or(0, |list| list.len());
        origins.count -= gone;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Origins> {
        self.origins.lock().expect("nobody panics while holding the pool")
    }
}

impl Origins {
    fn prune(&mut self, idle_timeout: Duration) {
        for list in self.idle.values_mut() {
            list.retain(|i| i.connection.is_open() && i.since.elapsed() <= idle_timeout);
        }
        self.idle.retain(|_, list| !list.is_empty());
        self.count = self.idle.values().map(Vec::len).sum();
    }

    fn drop_oldest(&mut self) {
        let age = |list: &Vec<Idle>| list.first().map(|idle| idle.since);
        let oldest = self.idle.iter().min_by_key(|(_, list)| age(list)).map(|(o, _)| o.clone());
        let Some(origin) = oldest else { return };
        let Some(list) = self.idle.get_mut(&origin) else { return };
        list.remove(0);
        self.count -= 1;
        if list.is_empty() {
            self.idle.remove(&origin);
        }
    }
}

impl Connection {
    fn is_open(&self) -> bool {
        match &self.sender {
            Sender::Http1(sender) => !sender.is_closed(),
            Sender::Http2(sender) => !sender.is_closed(),
        }
    }

    /// Another handle on a connection that can carry several requests at once.
    pub(crate) fn share(&self) -> Option<Self> {
        match &self.sender {
            Sender::Http1(_) => None,
            Sender::Http2(sender) => {
                Some(Self::shared(sender.clone(), self.remote, self.absolute_form))
            }
        }
    }

    fn shared(sender: Http2, remote: Option<IpAddr>, absolute_form: bool) -> Self {
        Self { sender: Sender::Http2(sender), remote, absolute_form }
    }
}
