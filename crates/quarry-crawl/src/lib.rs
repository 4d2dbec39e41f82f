//! What do we ask next? The crawl's engine: one loop over a closed set of events, without sockets,
//! without disk, with time as a value.

mod memory;

pub use memory::MemoryFrontier;
