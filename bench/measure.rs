//! What does a run cost? For the examples that measure (Linux: reads `/proc`).

/// Processor seconds of all threads of this process so far: what else runs on the machine does not count.
pub(crate) fn cpu_seconds() -> f64 {
    let mut nanoseconds = 0;
    for task in std::fs::read_dir("/proc/self/task").expect("Linux").flatten() {
        let line = std::fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
        let first = line.split(' ').next();
        nanoseconds += first.and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
    }
    nanoseconds as f64 / 1e9
}
