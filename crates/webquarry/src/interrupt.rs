//! Turns Ctrl-C and SIGTERM into a signal for the crawl: the first stops it, the second ends the process. So does a job that is overdue.

use anyhow::{Context, Result};
use quarry_harvest::StopSignal;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};

use crate::screen::write_line;

/// A signal that is given at the first interrupt, for the rest of the program's life.
pub(crate) fn listen() -> Result<StopSignal> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("cannot start a runtime")?;
    let (mut interrupt, mut terminate) = {
        let _inside = runtime.enter();
        let interrupt = signal(SignalKind::interrupt()).context("cannot listen for Ctrl-C")?;
        (interrupt, signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?)
    };
    let stop = StopSignal::default();
    let given = stop.clone();
    std::thread::spawn(move || {
        runtime.block_on(async move {
            let overdue = given.overdue();
            tokio::pin!(overdue);
            loop {
                tokio::select! {
                    why = &mut overdue => {
                        write_line(why);
                        std::process::exit(3);
                    }
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                }
                if given.is_stopped() {
                    std::process::exit(3);
                }
                given.stop();
            }
        });
    });
    Ok(stop)
}
