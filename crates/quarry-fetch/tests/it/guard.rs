//! Is nothing inside the network asked that the user did not name?

use std::net::IpAddr;

use quarry_fetch::FetchSettings;
use quarry_model::{Failure, Outcome, Request};

use crate::server::{Server, failure, fetch, fetcher, get, local, ok, reply};

fn refused(host: &str, address: &str) -> Failure {
    Failure::PrivateAddress { host: host.to_owned(), address: address.parse().unwrap() }
}

fn resolving(names: &[(&str, &[&str])]) -> FetchSettings {
    let ips = |list: &[&str]| list.iter().map(|ip| ip.parse::<IpAddr>().unwrap()).collect();
    let resolve = names.iter().map(|(name, list)| ((*name).to_owned(), ips(list))).collect();
    FetchSettings { resolve, ..FetchSettings::default() }
}

#[tokio::test]
async fn private_literals_are_refused() {
    let server = Server::answering(|_: &_| ok("secret")).await;
    let port = server.address.port();
    let fetcher = fetcher(FetchSettings::default());
    for (host, name, address) in [
        ("127.0.0.1", "127.0.0.1", "127.0.0.1"),
        ("2130706433", "127.0.0.1", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1", "127.0.0.1"),
        ("127.1", "127.0.0.1", "127.0.0.1"),
        ("１２７.0.0.1", "127.0.0.1", "127.0.0.1"),
        ("0", "0.0.0.0", "0.0.0.0"),
        ("[::1]", "::1", "::1"),
        ("[::ffff:127.0.0.1]", "::ffff:7f00:1", "::ffff:127.0.0.1"),
        ("[::127.0.0.1]", "::7f00:1", "::127.0.0.1"),
        ("[fd00:ec2::254]", "fd00:ec2::254", "fd00:ec2::254"),
        ("169.254.169.254", "169.254.169.254", "169.254.169.254"),
    ] {
        let url = format!("http://{host}:{port}/");
        assert_eq!(failure(&fetcher, &url).await, refused(name, address), "{url}");
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn names_are_judged_by_their_addresses() {
    let fetcher = fetcher(resolving(&[
        ("ten.test", &["10.0.0.1"]),
        ("meta.test", &["169.254.169.254", "fd00:ec2::254"]),
        ("nothing.test", &[]),
    ]));
    let check = async |url: &str, expect: Failure| {
        assert_eq!(failure(&fetcher, url).await, expect, "{url}");
    };
    check("http://ten.test/", refused("ten.test", "10.0.0.1")).await;
    check("https://TEN.test.:8443/", refused("ten.test", "10.0.0.1")).await;
    check("http://meta.test/latest", refused("meta.test", "169.254.169.254")).await;
    check("http://nothing.test/", Failure::Dns { detail: "no address".to_owned() }).await;
    // The system's resolver knows this one.
    let localhost = failure(&fetcher, "http://localhost/").await;
    assert!(matches!(&localhost, Failure::PrivateAddress { host, .. } if host == "localhost"));
}

#[tokio::test]
async fn a_named_host_may_be_anywhere() {
    let server = Server::answering(|_: &_| ok("hello")).await;
    let port = server.address.port();
    let mut settings = resolving(&[("shop.test", &["127.0.0.1"])]);
    settings.allowed_private_hosts = [format!("Shop.test:{port}")].into();
    let by_name = fetcher(settings);
    let exchange = get(&by_name, &format!("http://shop.test:{port}/")).await;
    assert_eq!(exchange.remote, Some("127.0.0.1".parse().unwrap()));
    // Neither its address, nor another name or port for it, was named.
    let other_port = failure(&by_name, "http://shop.test:1/").await;
    assert_eq!(other_port, refused("shop.test", "127.0.0.1"));
    let literal = failure(&by_name, &server.url("/")).await;
    assert_eq!(literal, refused("127.0.0.1", "127.0.0.1"));
}

#[tokio::test]
async fn every_redirect_is_judged() {
    for (to, expect) in [
        ("http://169.254.169.254/latest", refused("169.254.169.254", "169.254.169.254")),
        ("//10.1.2.3/", refused("10.1.2.3", "10.1.2.3")),
        ("http://inside.test/", refused("inside.test", "192.168.0.9")),
        ("http://[::1]/", refused("::1", "::1")),
        ("http://127.0.0.2/", refused("127.0.0.2", "127.0.0.2")),
    ] {
        let fields = format!("Location: {to}\r\n");
        let server = Server::answering(move |_: &_| reply("302 Found", &fields, b"")).await;
        let mut settings = resolving(&[("inside.test", &["192.168.0.9"])]);
        settings.allowed_private_hosts = local().allowed_private_hosts;
        let fetched = fetch(&fetcher(settings), &Request::get(server.url("/"))).await;
        assert_eq!(fetched.outcome, Outcome::Failed(expect), "{to}");
        assert_eq!(fetched.hops.len(), 1, "the redirect itself is kept");
        assert_eq!(fetched.hops[0].response.location(), Some(to));
    }
}
