//! The guard against private addresses: no connection inside the network that the crawler runs in,
//! unless the user named the host. After the IANA special-purpose address registries (RFC 6890 and successors).

use std::collections::{BTreeMap, BTreeSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};

/// IPv4 ranges that are not on the public internet: address, prefix length.
const NOT_PUBLIC_V4: [(Ipv4Addr, u32); 17] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),          // this network
    (Ipv4Addr::new(10, 0, 0, 0), 8),         // private
    (Ipv4Addr::new(100, 64, 0, 0), 10),      // carrier-grade NAT; Alibaba's metadata
    (Ipv4Addr::new(127, 0, 0, 0), 8),        // loopback
    (Ipv4Addr::new(168, 63, 129, 16), 32),   // Azure's host and metadata channel
    (Ipv4Addr::new(169, 254, 0, 0), 16),     // link-local; metadata of most clouds
    (Ipv4Addr::new(172, 16, 0, 0), 12),      // private
    (Ipv4Addr::new(192, 0, 0, 0), 24),       // protocol assignments; Oracle's metadata
    (Ipv4Addr::new(192, 0, 2, 0), 24),       // documentation
    (Ipv4Addr::new(192, 88, 99, 0), 24),     // 6to4 relays, withdrawn
    (Ipv4Addr::new(192, 168, 0, 0), 16),     // private
    (Ipv4Addr::new(198, 18, 0, 0), 15),      // benchmarking
    (Ipv4Addr::new(198, 51, 100, 0), 24),    // documentation
    (Ipv4Addr::new(203, 0, 113, 0), 24),     // documentation
    (Ipv4Addr::new(224, 0, 0, 0), 4),        // multicast
    (Ipv4Addr::new(240, 0, 0, 0), 4),        // reserved
    (Ipv4Addr::new(255, 255, 255, 255), 32), // broadcast
];

/// IPv6 ranges inside 2000::/3 that are not on the public internet.
const NOT_PUBLIC_V6: [(Ipv6Addr, u32); 5] = [
    (Ipv6Addr::new(0x2001, 0x2, 0, 0, 0, 0, 0, 0), 48), // benchmarking
    (Ipv6Addr::new(0x2001, 0x10, 0, 0, 0, 0, 0, 0), 28), // ORCHID
    (Ipv6Addr::new(0x2001, 0x20, 0, 0, 0, 0, 0, 0), 28), // ORCHIDv2
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32), // documentation
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),   // documentation
];

/// Whether an address is on the public internet. An IPv6 address that carries an IPv4 address
/// (mapped, NAT64, 6to4, Teredo) is as public as that one.
///
/// ```
/// assert!(quarry_fetch::is_public("93.184.215.14".parse().unwrap()));
/// assert!(!quarry_fetch::is_public("::ffff:169.254.169.254".parse().unwrap()));
/// ```
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let within = |&(range, bits): &(Ipv4Addr, u32)| {
        (address.to_bits() ^ range.to_bits()).leading_zeros() >= bits
    };
    !NOT_PUBLIC_V4.iter().any(within)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let s = address.segments();
    let v4 = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match s {
        // IPv4-mapped, and NAT64 with the well-known prefix.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            return is_public_v4(v4(high, low));
        }
        // 6to4.
        [0x2002, high, low, ..] => return is_public_v4(v4(high, low)),
        // Teredo: the server, and the client with all bits inverted.
        [0x2001, 0, server_high, server_low, _, _, high, low] => {
            return is_public_v4(v4(server_high, server_low)) && is_public_v4(v4(!high, !low));
        }
        // ISATAP: an IPv4 address in the interface part.
        [.., 0 | 0x200, 0x5efe, high, low] if !is_public_v4(v4(high, low)) => return false,
        _ => {}
    }
    // Only 2000::/3 is assigned for global unicast: this leaves out loopback, unspecified,
    // IPv4-compatible, local NAT64, discard, unique local (fd00:ec2::254), link-local, multicast.
    let within = |&(range, bits): &(Ipv6Addr, u32)| {
        (address.to_bits() ^ range.to_bits()).leading_zeros() >= bits
    };
    s[0] & 0xe000 == 0x2000 && !NOT_PUBLIC_V6.iter().any(within)
}

/// Addresses at which clouds answer questions about a machine, its credentials included: address,
/// prefix length. All of link-local is among them: nothing else that is crawled lives there.
const METADATA_V4: [(Ipv4Addr, u32); 4] = [
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(168, 63, 129, 16), 32),
    (Ipv4Addr::new(100, 100, 100, 200), 32),
    (Ipv4Addr::new(192, 0, 0, 192), 32),
];

/// Whether a cloud's metadata service answers at an address, however it is wrapped in IPv6.
fn is_metadata(address: IpAddr) -> bool {
    let v4 = |address: Ipv4Addr| {
        METADATA_V4
            .iter()
            .any(|(range, bits)| (address.to_bits() ^ range.to_bits()).leading_zeros() >= *bits)
    };
    match address {
        IpAddr::V4(address) => v4(address),
        IpAddr::V6(address) => {
            let s = address.segments();
            let low = Ipv4Addr::from_bits(u32::from(s[6]) << 16 | u32::from(s[7]));
            let high = Ipv4Addr::from_bits(u32::from(s[1]) << 16 | u32::from(s[2]));
            // fd00:ec2::/32 of Amazon and fd20:ce::/32 of Google, or an IPv4 address inside.
            matches!(s, [0xfd00, 0xec2, ..] | [0xfd20, 0xce, ..])
                || (v4(low) && !is_public_v6(address))
                || (s[0] == 0x2002 && v4(high))
        }
    }
}

/// Where a named host was when it was first resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pin {
    Public,
    Private,
}

/// The hosts that the user named. Where such a host is when it is first resolved is where it stays:
/// one that was on the public internet may not move inside. A cloud's metadata service is asked
/// only if the user typed its address.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    named: BTreeSet<String>,
    pins: Mutex<BTreeMap<String, Pin>>,
}

impl Guard {
    pub(crate) fn new(hosts: &BTreeSet<String>) -> Self {
        Self { named: hosts.iter().map(|host| normalise(host)).collect(), pins: Mutex::default() }
    }

    /// Whether the user named `host` (as in [`crate::target::Target`]), alone or with this port.
    pub(crate) fn names(&self, host: &str, port: u16) -> bool {
        self.named.contains(host) || self.named.contains(&format!("{host}:{port}"))
    }

    /// Of the addresses that a host has now, those at which it may be asked.
    pub(crate) fn permitted(&self, host: &str, port: u16, addresses: &[IpAddr]) -> Vec<IpAddr> {
        let any_public = addresses.iter().any(|address| is_public(*address));
        let may_be_private = self.names(host, port) && self.pin(host, any_public) == Pin::Private;
        let is_typed = host.parse::<IpAddr>().is_ok();
        let permits = |address: &IpAddr| {
            is_public(*address) || (may_be_private && (is_typed || !is_metadata(*address)))
        };
        addresses.iter().copied().filter(permits).collect()
    }

    /// Where a named host was first; now, if this is the first time.
    fn pin(&self, host: &str, any_public: bool) -> Pin {
        let now = if any_public { Pin::Public } else { Pin::Private };
        let mut pins = self.pins.lock().unwrap_or_else(PoisonError::into_inner);
        *pins.entry(host.to_owned()).or_insert(now)
    }
}

/// Lower case, no brackets around an IPv6 literal, no dot at the end.
pub(crate) fn normalise(host: &str) -> String {
    let mut host = host.trim().to_ascii_lowercase();
    host.retain(|c| c != '[' && c != ']');
    match host.strip_suffix('.') {
        Some(rooted) => rooted.to_owned(),
        None => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_public_addresses() {
        fn check(expect: bool, addresses: &[&str]) {
            for address in addresses {
                assert_eq!(is_public(address.parse().unwrap()), expect, "{address}");
            }
        }
        check(
            true,
            &[
                "1.1.1.1",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.0",
                "168.63.129.15",
                "169.253.255.255",
                "172.15.255.255",
                "172.32.0.0",
                "192.0.1.0",
                "192.167.255.255",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
                "2606:4700:4700::1111",
                "2a00:1450:4001:82a::200e",
                "::ffff:8.8.8.8",
                "64:ff9b::8.8.8.8",
                "2002:808:808::1",
            ],
        );
        check(
            false,
            &[
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "10.255.255.255",
                "100.64.0.0",
                "100.100.100.200",
                "100.127.255.255",
                "127.0.0.1",
                "127.255.255.255",
                "168.63.129.16",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.192",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.1.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.1",
                "203.0.113.1",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
            ],
        );
        check(
            false,
            &[
                "::",
                "::1",
                "::7f00:1",
                "::8.8.8.8",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::ffff:169.254.169.254",
                "::ffff:0:127.0.0.1",
                "64:ff9b::127.0.0.1",
                "64:ff9b::10.1.2.3",
                "64:ff9b:1::8.8.8.8",
                "100::1",
                "2001:0:808:808::f5ff:fffe",
                "2001:0:7f00:1::f7f7:f7f7",
                "2001:2::1",
                "2001:10::1",
                "2001:2f::1",
                "2001:db8::1",
                "2002:7f00:1::1",
                "2002:c0a8:101::1",
                "2a00::5efe:10.0.0.1",
                "2a00::200:5efe:192.168.0.1",
                "3fff::1",
                "fc00::1",
                "fd00:ec2::254",
                "fe80::1",
                "fec0::1",
                "ff02::1",
            ],
        );
    }

    #[test]
    fn a_named_host_stays_where_it_was_first() {
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let named = ["shop.test", "inside.test", "169.254.169.254", "cloud.test"];
        let guard = Guard::new(&named.iter().map(|s| (*s).to_owned()).collect());
        let check = |host: &str, addresses: &[&str], expect: &[&str]| {
            let addresses: Vec<IpAddr> = addresses.iter().map(|text| ip(text)).collect();
            let expect: Vec<IpAddr> = expect.iter().map(|text| ip(text)).collect();
            assert_eq!(guard.permitted(host, 80, &addresses), expect, "{host}");
        };
        // Public first: it may not move inside, not even in part.
        check("shop.test", &["8.8.8.8", "10.0.0.1"], &["8.8.8.8"]);
        check("shop.test", &["10.0.0.1"], &[]);
        check("shop.test", &["8.8.4.4"], &["8.8.4.4"]);
        // Inside first: the user wants it there.
        check("inside.test", &["192.168.1.1"], &["192.168.1.1"]);
        check("inside.test", &["192.168.1.2", "169.254.169.254"], &["192.168.1.2"]);
        // Metadata: only by its address as typed.
        check("169.254.169.254", &["169.254.169.254"], &["169.254.169.254"]);
        for wrapped in [
            "169.254.169.254",
            "fd00:ec2::254",
            "::ffff:169.254.169.254",
            "64:ff9b::169.254.169.254",
            "2002:a9fe:a9fe::1",
            "100.100.100.200",
            "168.63.129.16",
            "fe80::a9fe:a9fe",
        ] {
            check("cloud.test", &[wrapped], &[]);
        }
        check("cloud.test", &["10.0.0.7"], &["10.0.0.7"]);
        check("stranger.test", &["10.0.0.7"], &[]);
    }

    proptest::proptest! {
        /// However an IPv4 address is wrapped, it is judged by what it is.
        #[test]
        fn wrapping_changes_nothing(bits: u32) {
            let v4 = Ipv4Addr::from_bits(bits);
            let [high, low] = [(bits >> 16) as u16, bits as u16];
            let wrapped = [
                v4.to_ipv6_mapped(),
                Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, high, low),
                Ipv6Addr::new(0x2002, high, low, 0, 0, 0, 0, 1),
                Ipv6Addr::new(0x2001, 0, 0x808, 0x808, 0, 0, !high, !low),
            ];
            for v6 in wrapped {
                proptest::prop_assert_eq!(is_public(v6.into()), is_public(v4.into()), "{}", v6);
            }
        }
    }

    #[test]
    fn the_user_may_name_hosts() {
        let named = ["LocalHost.", "[::1]:8080", "127.0.0.1:80", "10.0.0.1"];
        let guard = Guard::new(&named.iter().map(|s| (*s).to_owned()).collect());
        let check = |host: &str, port: u16, expect: bool| {
            assert_eq!(guard.names(host, port), expect, "{host} {port}");
        };
        check("localhost", 1, true);
        check("::1", 8080, true);
        check("::1", 80, false);
        check("127.0.0.1", 80, true);
        check("127.0.0.1", 81, false);
        check("10.0.0.1", 443, true);
        check("10.0.0.2", 443, false);
    }
}
