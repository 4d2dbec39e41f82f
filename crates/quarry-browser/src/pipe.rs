//! Sends commands to a browser and receives events, over the pipe of the DevTools protocol: JSON texts that end with a zero byte.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::Child;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use crate::launch::{LaunchError, Started, start};

/// Why a command was not carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CommandError {
    /// The browser has ended.
    Ended,
    /// The browser says that it cannot.
    Refused(String),
}

impl std::fmt::Display for CommandError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Ended => write!(f, "the browser has ended"),
            Self::Refused(words) => write!(f, "the browser refused: {words}"),
        }
    }
}

/// Something that the browser reports about a page, or about a worker or frame of it.
#[derive(Debug)]
pub(crate) struct Event {
    /// The session that it is about.
    pub(crate) session: String,
    pub(crate) method: String,
    pub(crate) params: Value,
}

type Answers = BTreeMap<u64, oneshot::Sender<Result<Value, CommandError>>>;
type Listeners = BTreeMap<String, mpsc::UnboundedSender<Event>>;

#[derive(Default)]
struct Shared {
    answers: Mutex<Answers>,
    /// By session; workers and frames report to the page that they belong to.
    listeners: Mutex<Listeners>,
    has_ended: AtomicBool,
}

/// A browser that runs.
pub(crate) struct Pipe {
    shared: Arc<Shared>,
    commands: std::sync::mpsc::Sender<Vec<u8>>,
    next: AtomicU64,
    started: Mutex<Started>,
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pipe {
    /// Starts a browser.
    pub(crate) fn open(program: &std::path::Path) -> Result<Self, LaunchError> {
        let mut started = start(program)?;
        let missing = || LaunchError::Start {
            path: program.to_owned(),
            source: std::io::Error::other("it has no pipes"),
        };
        let mut input = started.child.stdin.take().ok_or_else(missing)?;
        let output = started.child.stdout.take().ok_or_else(missing)?;
        let shared = Arc::new(Shared::default());
        let (commands, waiting) = std::sync::mpsc::channel::<Vec<u8>>();
        std::thread::spawn(move || {
            for command in waiting {
                if input.write_all(&command).and_then(|()| input.flush()).is_err() {
                    return;
                }
            }
        });
        let reading = Arc::clone(&shared);
        std::thread::spawn(move || {
            let mut output = BufReader::with_capacity(1 << 18, output);
            let mut message = Vec::new();
            while output.read_until(0, &mut message).is_ok_and(|read| read > 0) {
                if message.last() == Some(&0) {
                    message.pop();
                }
                if let Ok(value) = serde_json::from_slice(&message) {
                    reading.take(value);
                }
                message.clear();
            }
            reading.has_ended.store(true, Ordering::SeqCst);
            // Whoever waits learns that nothing comes any more.
            lock(&reading.answers).clear();
            lock(&reading.listeners).clear();
        });
        Ok(Self { shared, commands, next: AtomicU64::new(1), started: Mutex::new(started) })
    }

    /// Whether the browser has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.shared.has_ended.load(Ordering::SeqCst)
    }

    /// Ends the browser at once.
    pub(crate) fn kill(&self) {
        self.shared.has_ended.store(true, Ordering::SeqCst);
        end(&mut lock(&self.started).child);
    }

    /// The events of a session and of what belongs to it.
    pub(crate) fn listen(&self, session: &str) -> mpsc::UnboundedReceiver<Event> {
        let (sender, receiver) = mpsc::unbounded_channel();
        lock(&self.shared.listeners).insert(session.to_owned(), sender);
        receiver
    }

    /// No more events of this session.
    pub(crate) fn forget(&self, session: &str) {
        lock(&self.shared.listeners).remove(session);
    }

    /// Sends a command, and does not wait for what comes of it.
    pub(crate) fn tell(&self, session: Option<&str>, method: &str, params: Value) {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        self.send(id, session, method, params);
    }

    /// Sends a command and waits until it is carried out.
    pub(crate) async fn call(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
    ) -> Result<Value, CommandError> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        lock(&self.shared.answers).insert(id, sender);
        if self.has_ended() {
            lock(&self.shared.answers).remove(&id);
            return Err(CommandError::Ended);
        }
        self.send(id, session, method, params);
        answer.await.unwrap_or(Err(CommandError::Ended))
    }

    fn send(&self, id: u64, session: Option<&str>, method: &str, params: Value) {
        let mut command = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            command["sessionId"] = session.into();
        }
        let mut bytes = command.to_string().into_bytes();
        bytes.push(0);
        // Where the browser has ended, the reader says so.
        drop(self.commands.send(bytes));
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        let mut started = lock(&self.started);
        end(&mut started.child);
        // Its processes may still write to the profile.
        let profile = started.profile.clone();
        for _ in 0..20 {
            if std::fs::remove_dir_all(&profile).is_ok() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}

fn end(child: &mut Child) {
    drop(child.kill());
    drop(child.wait());
}

impl Shared {
    fn take(&self, mut message: Value) {
        if let Some(id) = message["id"].as_u64() {
            let Some(waiting) = lock(&self.answers).remove(&id) else { return };
            let answer = match message.get("error") {
                Some(error) => Err(CommandError::Refused(
                    error["message"].as_str().unwrap_or("without a reason").to_owned(),
                )),
                None => Ok(message["result"].take()),
            };
            drop(waiting.send(answer));
            return;
        }
        let Some(session) = message["sessionId"].as_str().map(str::to_owned) else { return };
        let Some(method) = message["method"].as_str().map(str::to_owned) else { return };
        let mut listeners = lock(&self.listeners);
        let Some(listener) = listeners.get(&session).cloned() else { return };
        if method == "Target.attachedToTarget"
            && let Some(child) = message["params"]["sessionId"].as_str()
        {
            listeners.insert(child.to_owned(), listener.clone());
        }
        if method == "Target.detachedFromTarget"
            && let Some(child) = message["params"]["sessionId"].as_str()
        {
            listeners.remove(child);
        }
        drop(listeners);
        drop(listener.send(Event { session, method, params: message["params"].take() }));
    }
}
