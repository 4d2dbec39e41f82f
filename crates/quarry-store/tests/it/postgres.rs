//! Does a frontier in PostgreSQL keep the promises of its port, also to several crawlers at once?
//!
//! `scripts/postgres` runs a command with a server of its own and tells its address in `QUARRY_POSTGRES`; where that is not set, there is
//! nothing to test.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use quarry_model::*;
use quarry_store::{
    AddressLookup, PostgresFrontier, SharedFrontier, SharedSettings, SharedSites, SiteLease,
};

const NOW: Timestamp = Timestamp(1_794_772_800_000);

fn server() -> Option<String> {
    std::env::var("QUARRY_POSTGRES").ok()
}

/// Settings with a schema that no other test has.
fn fresh() -> SharedSettings {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let schema = format!("test_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    SharedSettings { schema, ..SharedSettings::default() }
}

fn on(host: &str, path: &str) -> Candidate {
    Candidate {
        request: Request::get(format!("{host}{path}")),
        host: host.to_owned(),
        ..Candidate::default()
    }
}

fn many(host: &str, count: usize) -> Vec<Candidate> {
    (0..count).map(|n| on(host, &format!("/{n:04}"))).collect()
}

#[test]
fn it_is_a_frontier() {
    let Some(url) = server() else { return };
    conformance::frontier::check(|| PostgresFrontier::open(&url, fresh()).unwrap());
}

#[test]
fn a_host_is_one_crawlers_at_a_time() {
    let Some(url) = server() else { return };
    let settings = fresh();
    let open = || PostgresFrontier::open(&url, settings.clone()).unwrap();
    let (mut one, mut two) = (open(), open());
    let (shop, books) = ("http://shop.test", "http://books.test");
    assert_eq!(one.add(&many(shop, 3)).unwrap(), Added { new: 3, known: 0 });
    assert_eq!(two.add(&many(shop, 4)).unwrap(), Added { new: 1, known: 3 }, "they know the same");
    two.add(&many(books, 1)).unwrap();
    assert_eq!(one.hold(shop).unwrap(), HostHold::Taken);
    assert_eq!(one.hold(shop).unwrap(), HostHold::Held);
    assert_eq!(two.hold(shop).unwrap(), HostHold::Refused);
    assert_eq!(two.lease(shop, NOW).unwrap(), None);
    let hosts = |own: &PostgresFrontier| {
        own.work().unwrap().into_iter().map(|work| work.host).collect::<Vec<_>>()
    };
    assert_eq!(hosts(&two), [books], "a host that another crawler has is no work");
    assert_eq!(hosts(&one), [books, shop]);
    assert!(!two.is_over().unwrap(), "the other crawler may add to its host");
    for _ in 0..4 {
        let entry = one.lease(shop, NOW).unwrap().unwrap();
        one.finish(entry.id, &End::Done).unwrap();
    }
    assert_eq!(one.lease(shop, NOW).unwrap(), None);
    one.commit().unwrap();
    assert_eq!(two.counts().unwrap().done, 4, "what one has finished all know");
    assert!(two.is_over().unwrap(), "a host without work is given back");
    assert_eq!(two.hold(shop).unwrap(), HostHold::Taken);
}

#[test]
fn what_a_dead_crawler_had_is_asked_by_another_and_its_late_answer_does_not_count() {
    let Some(url) = server() else { return };
    let settings = SharedSettings { lease: Duration::from_millis(300), ..fresh() };
    let open = || PostgresFrontier::open(&url, settings.clone()).unwrap();
    let (mut slow, mut other) = (open(), open());
    let host = "http://shop.test";
    slow.add(&many(host, 5)).unwrap();
    slow.save_host(&HostRecord { host: host.to_owned(), not_before: NOW, ..HostRecord::default() })
        .unwrap();
    let late = slow.lease(host, NOW).unwrap().unwrap();
    assert_eq!(other.hold(host).unwrap(), HostHold::Refused);
    // The lease ends by the database's clock: asked until it has.
    let taken =
        std::iter::repeat_with(|| other.hold(host).unwrap()).find(|hold| *hold == HostHold::Taken);
    assert_eq!(taken, Some(HostHold::Taken));
    assert_eq!(other.host(host).unwrap().unwrap().not_before, NOW, "its pace is known");
    let mut asked = Vec::new();
    while let Some(entry) = other.lease(host, NOW).unwrap() {
        asked.push(entry.candidate.request.url.clone());
        other.finish(entry.id, &End::Failed("status 500".to_owned())).unwrap();
    }
    assert_eq!(asked.len(), 5, "all of them, in their order: {asked:?}");
    assert_eq!(asked[0], late.candidate.request.url);
    other.commit().unwrap();
    slow.finish(late.id, &End::Done).unwrap();
    slow.commit().unwrap();
    let counts = other.counts().unwrap();
    assert_eq!((counts.done, counts.failed, counts.leased, counts.queued), (0, 5, 0, 0));
}

#[test]
fn hosts_of_a_domain_are_one_crawlers_at_a_time() {
    let Some(url) = server() else { return };
    let settings = SharedSettings { by_domain: true, ..fresh() };
    let open = || PostgresFrontier::open(&url, settings.clone()).unwrap();
    let (mut one, mut two) = (open(), open());
    let (shop, blog, other) =
        ("https://shop.one.example", "http://blog.one.example:8080", "http://two.example");
    for host in [shop, blog, other] {
        one.add(&many(host, 2)).unwrap();
    }
    assert_eq!(one.hold(shop).unwrap(), HostHold::Taken);
    assert_eq!(two.hold(blog).unwrap(), HostHold::Refused);
    assert_eq!(two.hold(other).unwrap(), HostHold::Taken);
    let hosts = |own: &PostgresFrontier| {
        own.work().unwrap().into_iter().map(|work| work.host).collect::<Vec<_>>()
    };
    assert_eq!(hosts(&two), [other]);
    assert_eq!(hosts(&one), [blog, shop]);
    assert_eq!(one.hold(blog).unwrap(), HostHold::Taken);
    assert_eq!(one.host(blog).unwrap().unwrap().groups, ["one.example"]);
    let empty = |own: &mut PostgresFrontier, host: &str| {
        while let Some(entry) = own.lease(host, NOW).unwrap() {
            own.finish(entry.id, &End::Done).unwrap();
        }
        own.commit().unwrap();
    };
    let paused = HostRecord { host: shop.to_owned(), not_before: NOW, ..HostRecord::default() };
    one.save_host(&paused).unwrap();
    empty(&mut one, shop);
    assert_eq!(two.hold(shop).unwrap(), HostHold::Refused, "the domain is not left yet");
    one.add(&[on(blog, "/more")]).unwrap();
    two.add(&[on(shop, "/more")]).unwrap();
    empty(&mut one, blog);
    assert_eq!(two.hold(blog).unwrap(), HostHold::Taken);
    assert_eq!(two.host(blog).unwrap().unwrap().not_before, NOW, "the pause of the other host");
}

#[test]
fn hosts_at_an_address_are_one_crawlers_at_a_time() {
    let Some(url) = server() else { return };
    let lookup = AddressLookup::new(|host| {
        let host = url::Url::parse(host).unwrap();
        host.socket_addrs(|| None).unwrap().into_iter().map(|address| address.ip()).collect()
    });
    let settings = SharedSettings { addresses: Some(lookup), ..fresh() };
    let open = || PostgresFrontier::open(&url, settings.clone()).unwrap();
    let (mut one, mut two) = (open(), open());
    assert_eq!(one.hold("http://8.8.8.8:80").unwrap(), HostHold::Taken);
    assert_eq!(two.hold("http://8.8.8.8:81").unwrap(), HostHold::Refused);
    assert_eq!(two.hold("http://8.8.4.4:81").unwrap(), HostHold::Taken);
    drop(one);
    assert_eq!(two.hold("http://8.8.8.8:81").unwrap(), HostHold::Taken);
}

#[test]
fn a_group_of_a_dead_crawler_is_taken_with_all_its_hosts() {
    let Some(url) = server() else { return };
    let settings = SharedSettings { by_domain: true, lease: Duration::from_secs(1), ..fresh() };
    let open = || PostgresFrontier::open(&url, settings.clone()).unwrap();
    let (mut slow, mut other) = (open(), open());
    let (shop, blog) = ("http://shop.one.example", "http://blog.one.example");
    slow.add(&many(shop, 1)).unwrap();
    slow.add(&many(blog, 1)).unwrap();
    let late = slow.lease(shop, NOW).unwrap().unwrap();
    assert_eq!(slow.hold(blog).unwrap(), HostHold::Taken);
    std::iter::repeat_with(|| other.hold(blog).unwrap()).find(|hold| *hold == HostHold::Taken);
    other.commit().unwrap();
    slow.commit().unwrap();
    assert_eq!(slow.hold(shop).unwrap(), HostHold::Refused, "another crawler asks the domain");
    let work: Vec<String> = other.work().unwrap().into_iter().map(|work| work.host).collect();
    assert_eq!(work, [blog, shop], "what the slow one had taken, too");
    let again = other.lease(shop, NOW).unwrap().unwrap();
    assert_eq!(again.id, late.id);
}

#[test]
fn hosts_of_a_group_are_left_to_others_together() {
    let Some(url) = server() else { return };
    let settings = SharedSettings { by_domain: true, ..fresh() };
    let mut rich = PostgresFrontier::open(&url, settings.clone()).unwrap();
    for n in 0..8 {
        let host = format!("http://h{n}.d{}.example", n % 3);
        rich.add(&many(&host, 50)).unwrap();
        assert_eq!(rich.hold(&host).unwrap(), HostHold::Taken);
    }
    let mut poor = PostgresFrontier::open(&url, settings).unwrap();
    poor.commit().unwrap();
    assert_eq!(poor.work().unwrap(), []);
    (0..4).for_each(|_| rich.commit().unwrap());
    let hosts = poor.work().unwrap();
    assert_eq!(hosts.len(), 3, "one domain with its three hosts: {hosts:?}");
    for work in hosts {
        assert_eq!(poor.hold(&work.host).unwrap(), HostHold::Taken);
    }
}

#[test]
fn crawlers_never_ask_a_group_at_the_same_time_and_all_is_asked() {
    let Some(url) = server() else { return };
    let addresses = |host: &str| -> Vec<std::net::IpAddr> {
        // Some hosts have an address of their own, some share one, some have two.
        let number = host.trim_start_matches("http://h").split('.').next().unwrap();
        let number: u8 = number.parse().unwrap();
        let last = [number, number / 3, 100 + number / 2];
        last[..1 + usize::from(number % 3)].iter().map(|n| [8, 8, 8, *n].into()).collect()
    };
    let lookup = AddressLookup::new(addresses);
    let settings =
        SharedSettings { max_hosts: 4, by_domain: true, addresses: Some(lookup), ..fresh() };
    let owners: Mutex<BTreeMap<String, usize>> = Mutex::default();
    let host = |n: usize| format!("http://h{n}.d{}.example", n % 5);
    let work = &|number: usize| {
        let mut own = PostgresFrontier::open(&url, settings.clone()).unwrap();
        for n in 0..12 {
            own.add(&many(&host((n + 3 * number) % 12), 20)).unwrap();
        }
        let mut asked = Vec::new();
        loop {
            let hosts: Vec<String> = own.work().unwrap().into_iter().map(|own| own.host).collect();
            for host in &hosts {
                if own.hold(host).unwrap() == HostHold::Refused {
                    continue;
                }
                let groups = own.host(host).unwrap().unwrap().groups;
                assert!(groups.len() >= 2, "{groups:?}");
                let mine = |change: &dyn Fn(&mut BTreeMap<String, usize>, &String)| {
                    let mut owners = owners.lock().unwrap();
                    groups.iter().for_each(|group| change(&mut owners, group));
                };
                mine(&|owners, group| {
                    assert_eq!(*owners.entry(group.clone()).or_insert(number), number, "{group}");
                });
                while let Some(entry) = own.lease(host, NOW).unwrap() {
                    asked.push(entry.candidate.request.url.clone());
                    own.finish(entry.id, &End::Done).unwrap();
                }
                mine(&|owners, group| {
                    owners.remove(group);
                });
                own.commit().unwrap();
            }
            if hosts.is_empty() && own.is_over().unwrap() {
                return asked;
            }
        }
    };
    let mut asked: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|number| scope.spawn(move || work(number))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(asked.len(), 12 * 20);
    asked.sort();
    asked.dedup();
    assert_eq!(asked.len(), 12 * 20);
}

#[test]
fn what_was_not_committed_is_asked_again() {
    let Some(url) = server() else { return };
    let settings = SharedSettings { lease: Duration::from_millis(200), ..fresh() };
    let open = || PostgresFrontier::open(&url, settings.clone()).unwrap();
    let mut killed = open();
    let host = "http://shop.test";
    killed.add(&many(host, 2)).unwrap();
    let entry = killed.lease(host, NOW).unwrap().unwrap();
    killed.finish(entry.id, &End::Done).unwrap();
    // Killed: nothing is given back.
    std::mem::forget(killed);
    let mut other = open();
    std::iter::repeat_with(|| other.hold(host).unwrap()).find(|hold| *hold == HostHold::Taken);
    let again = other.lease(host, NOW).unwrap().unwrap();
    assert_eq!(again.id, entry.id);
}

#[test]
fn the_budget_is_common() {
    let Some(url) = server() else { return };
    let settings = SharedSettings { pages: Some(37), ..fresh() };
    let mut crawlers: Vec<PostgresFrontier> =
        (0..3).map(|_| PostgresFrontier::open(&url, settings.clone()).unwrap()).collect();
    let hosts = ["http://a.test", "http://b.test", "http://c.test"];
    for (crawler, host) in crawlers.iter_mut().zip(hosts) {
        crawler.add(&many(host, 30)).unwrap();
    }
    let mut asked = 0;
    loop {
        let mut any = false;
        for (crawler, host) in crawlers.iter_mut().zip(hosts) {
            if let Some(entry) = crawler.lease(host, NOW).unwrap() {
                crawler.finish(entry.id, &End::Done).unwrap();
                (asked, any) = (asked + 1, true);
            }
        }
        if !any {
            break;
        }
    }
    assert_eq!(asked, 37);
}

#[test]
fn a_spent_budget_ends_the_crawl_for_all() {
    let Some(url) = server() else { return };
    let settings = SharedSettings { pages: Some(5), ..fresh() };
    let open = || PostgresFrontier::open(&url, settings.clone()).unwrap();
    let (mut one, mut two) = (open(), open());
    one.add(&many("http://a.test", 30)).unwrap();
    two.add(&many("http://b.test", 30)).unwrap();
    let mut asked = 0;
    for (crawler, host) in [(&mut one, "http://a.test"), (&mut two, "http://b.test")] {
        while let Some(entry) = crawler.lease(host, NOW).unwrap() {
            crawler.finish(entry.id, &End::Done).unwrap();
            asked += 1;
        }
    }
    assert_eq!(asked, 5);
    one.commit().unwrap();
    two.commit().unwrap();
    assert!(one.is_over().unwrap() && two.is_over().unwrap(), "hosts without a budget are left");
    assert_eq!(one.work().unwrap(), [], "and are no work");
}

#[test]
fn a_host_without_work_is_left_whatever_known_addresses_lead_to_it() {
    let Some(url) = server() else { return };
    let settings = SharedSettings { known_bits: 0, ..fresh() };
    let open = || PostgresFrontier::open(&url, settings.clone()).unwrap();
    let (mut one, mut two) = (open(), open());
    let host = "http://shop.test";
    one.add(&many(host, 2)).unwrap();
    while let Some(entry) = one.lease(host, NOW).unwrap() {
        one.finish(entry.id, &End::Done).unwrap();
    }
    // Another page leads to the same two: nothing is new, so nobody asks for more of the host.
    assert_eq!(one.add(&many(host, 2)).unwrap(), Added { new: 0, known: 2 });
    one.commit().unwrap();
    assert!(two.is_over().unwrap());
}

#[test]
fn what_a_dead_crawler_had_reserved_is_had_again() {
    let Some(url) = server() else { return };
    let settings = SharedSettings { pages: Some(10), lease: Duration::from_millis(200), ..fresh() };
    let open = || PostgresFrontier::open(&url, settings.clone()).unwrap();
    let host = "http://shop.test";
    let mut killed = open();
    killed.add(&many(host, 30)).unwrap();
    for _ in 0..4 {
        let entry = killed.lease(host, NOW).unwrap().unwrap();
        killed.finish(entry.id, &End::Done).unwrap();
    }
    killed.commit().unwrap();
    std::mem::forget(killed);
    let mut other = open();
    std::iter::repeat_with(|| other.hold(host).unwrap()).find(|hold| *hold == HostHold::Taken);
    let mut asked = 0;
    while let Some(entry) = other.lease(host, NOW).unwrap() {
        other.finish(entry.id, &End::Done).unwrap();
        asked += 1;
    }
    assert_eq!(asked, 6);
}

#[test]
fn a_crawler_without_work_gets_hosts_of_others() {
    let Some(url) = server() else { return };
    let settings = fresh();
    let mut rich = PostgresFrontier::open(&url, settings.clone()).unwrap();
    for n in 0..8 {
        let host = format!("http://h{n}.test");
        rich.add(&many(&host, 50)).unwrap();
        assert_eq!(rich.hold(&host).unwrap(), HostHold::Taken);
    }
    let mut poor = PostgresFrontier::open(&url, settings).unwrap();
    poor.commit().unwrap();
    assert_eq!(poor.work().unwrap(), []);
    (0..4).for_each(|_| rich.commit().unwrap());
    let hosts = poor.work().unwrap();
    assert_eq!(hosts.len(), 4);
    assert_eq!(poor.hold(&hosts[0].host).unwrap(), HostHold::Taken);
    assert_eq!(rich.hold(&hosts[1].host).unwrap(), HostHold::Refused, "not taken back at once");
}

#[test]
fn a_lost_connection_is_made_again_and_nothing_is_lost_or_asked_twice() {
    let Some(url) = server() else { return };
    let settings = fresh();
    let mut own = PostgresFrontier::open(&url, settings.clone()).unwrap();
    let mut operator = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    let hosts = ["http://a.test", "http://b.test"];
    let mut asked = Vec::new();
    for round in 0..40 {
        let host = hosts[round % 2];
        own.add(&many(host, 3 * (round + 1))).unwrap();
        let name = format!("quarry {}", settings.schema);
        operator
            .query(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1",
                &[&name],
            )
            .unwrap();
        if let Some(entry) = own.lease(host, NOW).unwrap() {
            asked.push(entry.candidate.request.url.clone());
            own.finish(entry.id, &End::Done).unwrap();
        }
        own.commit().unwrap();
    }
    for host in hosts {
        while let Some(entry) = own.lease(host, NOW).unwrap() {
            asked.push(entry.candidate.request.url.clone());
            own.finish(entry.id, &End::Done).unwrap();
        }
    }
    own.commit().unwrap();
    let all = asked.len();
    asked.sort();
    asked.dedup();
    assert_eq!((asked.len(), all), (3 * 39 + 3 * 40, 3 * 39 + 3 * 40));
    let counts = own.counts().unwrap();
    assert_eq!((counts.done, counts.queued, counts.leased), (all as u64, 0, 0));
}

#[test]
fn the_connection_is_encrypted_as_its_address_says() {
    let (Some(url), Ok(roots)) = (server(), std::env::var("QUARRY_POSTGRES_CA")) else { return };
    let ciphers = |query: &str| {
        let settings = fresh();
        let own = PostgresFrontier::open(&format!("{url}?{query}"), settings.clone());
        let own = own.map_err(|error| crate::chain(&error))?;
        let mut operator = postgres::Client::connect(&url, postgres::NoTls).unwrap();
        let name = format!("quarry {}", settings.schema);
        let row = operator.query_one(
            "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = $1",
            &[&name],
        );
        drop(own);
        Ok::<bool, String>(row.unwrap().get(0))
    };
    assert_eq!(ciphers("sslmode=disable"), Ok(false));
    assert_eq!(ciphers("sslmode=prefer"), Ok(true));
    assert_eq!(ciphers("sslmode=require"), Ok(true));
    assert_eq!(ciphers(&format!("sslmode=verify-full&sslrootcert={roots}")), Ok(true));
    let unknown = ciphers("sslmode=verify-full").unwrap_err();
    assert!(unknown.contains("certificate"), "{unknown}");
}

#[test]
fn tables_of_the_first_version_are_brought_to_the_newest() {
    let Some(url) = server() else { return };
    let settings = fresh();
    let mut operator = postgres::Client::connect(&url, postgres::NoTls).unwrap();
    let first = include_str!("../samples/frontier-1.sql");
    let schema = &settings.schema;
    operator
        .batch_execute(&format!("CREATE SCHEMA {schema}; SET search_path = {schema}; {first}"))
        .unwrap();
    let mut own = PostgresFrontier::open(&url, settings).unwrap();
    let hosts: Vec<(String, u64)> =
        own.work().unwrap().into_iter().map(|work| (work.host, work.queued)).collect();
    assert_eq!(hosts, [("http://shop.test".to_owned(), 2)], "what a crawler had taken, too");
    let first = own.lease("http://shop.test", NOW).unwrap().unwrap();
    assert_eq!(first.candidate.request.url, "http://shop.test/a");
    assert_eq!(own.counts().unwrap().done, 1);
}

#[test]
fn threads_of_crawlers_ask_every_address_once() {
    let Some(url) = server() else { return };
    let settings = SharedSettings { max_hosts: 4, ..fresh() };
    let work = |number: usize| {
        let (url, settings) = (url.clone(), settings.clone());
        move || {
            let mut own = PostgresFrontier::open(&url, settings).unwrap();
            let mut asked = Vec::new();
            // All add the same addresses, in different orders.
            for host in 0..12 {
                own.add(&many(&format!("http://h{}.test", (host + 3 * number) % 12), 40)).unwrap();
            }
            loop {
                let hosts: Vec<String> =
                    own.work().unwrap().into_iter().map(|work| work.host).collect();
                for host in &hosts {
                    while let Some(entry) = own.lease(host, NOW).unwrap() {
                        asked.push(entry.candidate.request.url.clone());
                        own.finish(entry.id, &End::Done).unwrap();
                    }
                    own.commit().unwrap();
                }
                if hosts.is_empty() && own.is_over().unwrap() {
                    return asked;
                }
            }
        }
    };
    let threads: Vec<_> = (0..4).map(|number| std::thread::spawn(work(number))).collect();
    let mut asked: Vec<String> =
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
    assert_eq!(asked.len(), 12 * 40);
    asked.sort();
    asked.dedup();
    assert_eq!(asked.len(), 12 * 40);
}

#[test]
fn a_database_that_cannot_be_reached_is_named() {
    let error =
        PostgresFrontier::open("postgres://nobody@127.0.0.1:1/none", fresh()).err().unwrap();
    assert!(
        crate::chain(&error).starts_with("cannot connect in the shared frontier"),
        "{}",
        crate::chain(&error)
    );
}

#[test]
fn a_site_is_harvested_by_one_program_and_by_another_if_that_dies() {
    let Some(url) = server() else { return };
    let settings = SharedSettings { lease: Duration::from_millis(300), ..fresh() };
    let open = || SharedSites::open(&url, &settings).unwrap();
    let seeds = |host: &str| vec![format!("http://{host}/"), format!("http://{host}/list")];
    let named = |host: &str| (host.to_owned(), seeds(host));
    let (one, two) = (open(), open());
    one.add(&[named("a.test"), named("b.test")]).unwrap();
    two.add(&[named("b.test"), named("c.test")]).unwrap();
    let taken = |host: &str| SiteLease::Taken(host.to_owned(), seeds(host));
    assert_eq!(one.lease().unwrap(), taken("a.test"));
    assert_eq!(one.lease().unwrap(), taken("a.test"), "its own first, after a restart, say");
    assert_eq!(two.lease().unwrap(), taken("b.test"));
    assert!(one.finish("a.test").unwrap() && !one.finish("b.test").unwrap());
    assert_eq!(one.lease().unwrap(), taken("c.test"));
    let three = open();
    assert_eq!(three.lease().unwrap(), SiteLease::Wait, "they renew their leases");
    assert!(two.finish("b.test").unwrap());
    drop(one);
    assert_eq!(three.lease().unwrap(), taken("c.test"), "it was left");
    assert!(three.finish("c.test").unwrap());
    assert_eq!(two.lease().unwrap(), SiteLease::Over);
}
