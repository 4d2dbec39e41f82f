//! On how many threads a call works: on those of rayon's pool, or on the calling thread alone.

use std::cell::Cell;

/// Where `RAYON_NUM_THREADS` is 1, the calling thread does its work itself: threads and processes that Python started already have a core
/// each, and a pool of one thread would make them wait for each other. Called at the beginning of every call that computes.
pub(crate) fn choose() {
    thread_local! {
        static IS_CHOSEN: Cell<bool> = const { Cell::new(false) };
    }
    if IS_CHOSEN.replace(true) || std::env::var("RAYON_NUM_THREADS").as_deref() != Ok("1") {
        return;
    }
    // A thread that already belongs to a pool stays there.
    if let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build() {
        // The pool is this thread's as long as it lives.
        std::mem::forget(pool);
    }
}
