//! How many pages a second does a frontier in PostgreSQL carry? Virtual crawlers in one process against a real database.
//!
//! ```text
//! scripts/postgres cargo run --release -p quarry-store --features postgres --example frontier_speed -- WORKERS HOSTS SECONDS [PRELOADED [SHARED]]
//! ```
//! Every host may be asked once a second; a page has ten links, seven of which are known. `PRELOADED` addresses are put into the tables
//! before. With `SHARED`, every so many hosts have one IP address, and each a registered domain of its own. Prints what each operation took and what the server's processes used of the CPU.

#![allow(clippy::print_stdout, reason = "an example prints")]
#![allow(clippy::unwrap_used, reason = "an example may stop")]

#[cfg(not(feature = "postgres"))]
fn main() {
    println!("build it with --features postgres");
}

#[cfg(feature = "postgres")]
fn main() {
    simulation::run();
}

#[cfg(feature = "postgres")]
mod simulation {
    use std::collections::BTreeMap;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::{Arc, Mutex};
    use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

    use quarry_model::{Candidate, End, Frontier, HostHold, Request, Timestamp};
    use quarry_store::{AddressLookup, PostgresFrontier, SharedFrontier, SharedSettings};

    /// Connections, and threads that drive crawlers.
    const CONNECTIONS: usize = 8;
    /// Links of a page, and those of them that nobody has seen.
    const LINKS: (u64, u64) = (10, 3);

    fn now() -> Timestamp {
        Timestamp(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64)
    }

    fn page(host: u64, number: u64) -> Candidate {
        let host = format!("http://host-{host}.test");
        Candidate {
            request: Request::get(format!("{host}/category/of/things/page-{number}.html")),
            via: Some(format!("{host}/category/of/things")),
            host,
            depth: 3,
            ..Candidate::default()
        }
    }

    /// Shortest and longest pause between two looks for hosts.
    const LOOKS: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(4));

    fn number_of(host: &str) -> u64 {
        host[12..].trim_end_matches(".test").parse().unwrap()
    }

    /// Milliseconds by operation.
    type Times = Mutex<BTreeMap<&'static str, Vec<f64>>>;

    fn timed<T>(times: &Times, name: &'static str, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let done = work();
        let took = began.elapsed().as_secs_f64() * 1e3;
        // What did not ask the database is not counted.
        if took > 0.05 {
            times.lock().unwrap().entry(name).or_default().push(took);
        }
        done
    }

    struct Shared {
        hosts: u64,
        pages: AtomicU64,
        next: Vec<AtomicU64>,
        times: Times,
        over: Instant,
    }

    struct Worker {
        frontier: PostgresFrontier,
        /// Hosts, and when each may be asked again.
        hosts: BTreeMap<String, Instant>,
        looked: Instant,
        look_pause: Duration,
        committed: Instant,
    }

    impl Worker {
        /// Asks every host whose turn it is. True if there was any.
        fn turn(&mut self, shared: &Shared) -> bool {
            let times = &shared.times;
            if self.looked.elapsed() > self.look_pause && self.hosts.len() < 10 {
                let known = self.hosts.len();
                for work in timed(times, "look for hosts", || self.frontier.work().unwrap()) {
                    let hold = || self.frontier.hold(&work.host).unwrap();
                    if self.hosts.len() < 10
                        && !self.hosts.contains_key(&work.host)
                        && timed(times, "lease a host", hold) != HostHold::Refused
                    {
                        self.hosts.insert(work.host, Instant::now());
                    }
                }
                // As an engine does.
                let is_more = self.hosts.len() > known;
                self.look_pause = if is_more { LOOKS.0 } else { LOOKS.1.min(self.look_pause * 2) };
                self.looked = Instant::now();
            }
            let due: Vec<String> = (self.hosts.iter())
                .filter(|(_, at)| **at <= Instant::now())
                .map(|(host, _)| host.clone())
                .collect();
            for host in &due {
                let lease = || self.frontier.lease(host, now()).unwrap();
                let Some(entry) = timed(times, "lease an address", lease) else {
                    self.hosts.remove(host);
                    continue;
                };
                let number = number_of(host);
                let first = shared.next[number as usize].fetch_add(LINKS.1, Ordering::Relaxed);
                let links: Vec<Candidate> = (0..LINKS.0)
                    .map(|n| page(number, (first + LINKS.1).saturating_sub(n)))
                    .collect();
                timed(times, "add links", || self.frontier.add(&links).unwrap());
                self.frontier.finish(entry.id, &End::Done).unwrap();
                shared.pages.fetch_add(1, Ordering::Relaxed);
                self.hosts.insert(host.clone(), Instant::now() + Duration::from_secs(1));
            }
            if self.committed.elapsed() > Duration::from_secs(1) {
                self.committed = Instant::now();
                timed(times, "commit", || self.frontier.commit().unwrap());
            }
            !due.is_empty()
        }
    }

    /// Fills the tables with addresses, without indexes first.
    fn preload(client: &mut postgres::Client, hosts: u64, addresses: u64) {
        let began = Instant::now();
        client
            .batch_execute(&format!(
                "SET search_path = quarry; SET maintenance_work_mem = '1GB'; SET synchronous_commit = off;
                 ALTER TABLE seen DROP CONSTRAINT seen_pkey; DROP INDEX queue_order; ALTER TABLE queue DROP CONSTRAINT queue_pkey;
                 INSERT INTO hosts (host) SELECT 'http://host-' || n || '.test' FROM generate_series(0, {hosts} - 1) AS n;
                 INSERT INTO host_leases (host) SELECT id FROM hosts;
                 INSERT INTO seen SELECT hashint8extended(n, 7), n FROM generate_series(1, {addresses}) AS n;
                 INSERT INTO queue (id, host, priority, depth, candidate)
                 SELECT n, 1 + n % {hosts}, 0, 3, '{{\"request\":{{\"method\":\"GET\",\"url\":\"http://host-' || n % {hosts} ||
                     '.test/an/older/address-' || n || '.html\",\"body\":null,\"unless\":{{\"etag\":null,\"last_modified\":null}}}},\"host\":\"http://host-' || n % {hosts} ||
                     '.test\",\"role\":\"page\",\"depth\":3,\"priority\":0,\"via\":null}}'
                 FROM generate_series(1, {addresses}) AS n;
                 SELECT setval(pg_get_serial_sequence('queue', 'id'), {addresses} + 1);
                 ALTER TABLE seen ADD PRIMARY KEY (hash); CREATE INDEX queue_order ON queue (host, priority, depth, id);
                 ALTER TABLE queue ADD PRIMARY KEY (id);
                 ANALYZE; CHECKPOINT"
            ))
            .unwrap();
        println!(
            "{addresses} addresses in the tables after {:.0} s",
            began.elapsed().as_secs_f64()
        );
    }

    /// CPU seconds of the server's processes.
    fn server_cpu(client: &mut postgres::Client) -> f64 {
        let folder: String = client.query_one("SHOW data_directory", &[]).unwrap().get(0);
        let pid = std::fs::read_to_string(format!("{folder}/postmaster.pid")).unwrap();
        let pid = pid.lines().next().unwrap().to_owned();
        let mut ticks = 0;
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
            let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
            let number = |at: usize| fields[at].parse::<u64>().unwrap_or(0);
            if entry.file_name().to_string_lossy() == *pid {
                ticks += (11..15).map(number).sum::<u64>();
            } else if fields[1] == pid {
                ticks += (11..13).map(number).sum::<u64>();
            }
        }
        ticks as f64 / 100.0
    }

    pub(super) fn run() {
        let given: Vec<u64> = std::env::args().skip(1).map(|n| n.parse().unwrap()).collect();
        let &[workers, hosts, seconds, ref rest @ ..] = given.as_slice() else {
            return println!("WORKERS HOSTS SECONDS [PRELOADED [SHARED]]");
        };
        let url = std::env::var("QUARRY_POSTGRES").unwrap();
        let mut settings =
            SharedSettings { pages: Some(1 << 40), known_bits: 12, ..SharedSettings::default() };
        if let Some(&shared) = rest.get(1) {
            let lookup = move |host: &str| {
                let address = 1 + number_of(host) / shared.max(1);
                vec![std::net::Ipv4Addr::from_bits(0x0800_0000 + address as u32).into()]
            };
            settings.by_domain = true;
            settings.addresses = Some(AddressLookup::new(lookup));
        }
        let mut first = PostgresFrontier::open(&url, settings.clone()).unwrap();
        let mut client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
        if let Some(&addresses) = rest.first() {
            preload(&mut client, hosts, addresses);
        }
        let seeds: Vec<Candidate> =
            (0..hosts).map(|host| Candidate { depth: 0, ..page(host, 0) }).collect();
        for part in seeds.chunks(500) {
            first.add(part).unwrap();
        }
        drop(first);
        println!("{hosts} seeds are added");
        let shared = Arc::new(Shared {
            hosts,
            pages: AtomicU64::new(0),
            next: (0..hosts).map(|_| AtomicU64::new(0)).collect(),
            times: Mutex::default(),
            over: Instant::now() + Duration::from_secs(seconds),
        });
        let (began, spent) = (Instant::now(), server_cpu(&mut client));
        let drive = |thread: usize| {
            let (url, settings, shared) = (url.clone(), settings.clone(), Arc::clone(&shared));
            move || {
                let one = PostgresFrontier::open(&url, settings).unwrap();
                let own = |_| Worker {
                    frontier: one.beside().unwrap(),
                    hosts: BTreeMap::new(),
                    looked: Instant::now() - Duration::from_secs(1),
                    look_pause: LOOKS.0,
                    committed: Instant::now(),
                };
                let mut own: Vec<Worker> =
                    (thread as u64..workers).step_by(CONNECTIONS).map(own).collect();
                while Instant::now() < shared.over {
                    let mut is_busy = false;
                    for worker in &mut own {
                        is_busy |= Instant::now() < shared.over && worker.turn(&shared);
                    }
                    if !is_busy {
                        std::thread::sleep(Duration::from_millis(5));
                    }
                }
                std::mem::forget(own);
            }
        };
        let threads: Vec<_> =
            (0..CONNECTIONS).map(|thread| std::thread::spawn(drive(thread))).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
        let (took, cpu) = (began.elapsed().as_secs_f64(), server_cpu(&mut client) - spent);
        let pages = shared.pages.load(Ordering::Relaxed) as f64;
        println!(
            "{workers} crawlers, {} hosts: {pages} pages in {took:.0} s, {:.0} a second; database {cpu:.1} CPU s, {:.0} pages a CPU second",
            shared.hosts,
            pages / took,
            pages / cpu
        );
        for (name, times) in &mut *shared.times.lock().unwrap() {
            times.sort_by(f64::total_cmp);
            let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
            println!(
                "{name}: {} times, median {:.1} ms, p99 {:.1} ms",
                times.len(),
                at(0.5),
                at(0.99)
            );
        }
        let sizes = client.query(
            "SELECT relname::TEXT, pg_total_relation_size(oid) / 1048576 FROM pg_class
             WHERE relnamespace = 'quarry'::regnamespace AND relkind = 'r' ORDER BY 2 DESC LIMIT 4",
            &[],
        );
        for row in sizes.unwrap() {
            println!("{}: {} MB", row.get::<_, String>(0), row.get::<_, i64>(1));
        }
    }
}
