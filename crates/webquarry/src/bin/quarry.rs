//! The binary: the program with an allocator of its own.

use std::process::ExitCode;

/// A crawl makes and drops many small things; this allocator does it in a tenth less time than the
/// system's (`bench/crawl.py`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(webquarry::run(std::env::args_os()))
}
