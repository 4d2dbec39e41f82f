//! Connects to the first of a host's addresses that answers, after RFC 8305 (happy eyeballs): address
//! families take turns, the next address is tried when the last one failed or has been silent for a while.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use quarry_model::Failure;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// How long one address may be silent before the next is tried beside it (RFC 8305 §5).
const NEXT_AFTER: Duration = Duration::from_millis(250);

/// Connects to one of `addresses`, which must all be permitted. The caller holds the time limit.
pub(crate) async fn dial(addresses: &[SocketAddr]) -> Result<TcpStream, Failure> {
    if let [only] = addresses {
        return open(*only).await.map_err(|e| refused(*only, &e));
    }
    let mut waiting = interleave(addresses).into_iter();
    let mut attempts = JoinSet::new();
    let mut last = Failure::Dns { detail: "no address".to_owned() };
    loop {
        if let Some(address) = waiting.next() {
            attempts.spawn(async move { open(address).await.map_err(|e| refused(address, &e)) });
        }
        let more = waiting.len() > 0;
        tokio::select! {
            done = attempts.join_next() => match done {
                Some(Ok(Ok(stream))) => return Ok(stream),
                Some(Ok(Err(failure))) => last = failure,
                Some(Err(_)) => {}
                None if more => {}
                None => return Err(last),
            },
            () = tokio::time::sleep(NEXT_AFTER), if more => {}
        }
    }
}

async fn open(address: SocketAddr) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

fn refused(address: SocketAddr, error: &io::Error) -> Failure {
    Failure::Connect { detail: format!("{address}: {error}") }
}

/// The first address as the resolver sorted them, then the other family's first, and so on.
fn interleave(addresses: &[SocketAddr]) -> Vec<SocketAddr> {
    let first_is_v6 = addresses.first().is_some_and(SocketAddr::is_ipv6);
    let (ours, theirs): (Vec<_>, Vec<_>) =
        addresses.iter().copied().partition(|a| a.is_ipv6() == first_is_v6);
    let (mut ours, mut theirs) = (ours.into_iter(), theirs.into_iter());
    let mut mixed = Vec::with_capacity(addresses.len());
    while mixed.len() < addresses.len() {
        mixed.extend(ours.next());
        mixed.extend(theirs.next());
    }
    mixed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_take_turns() {
        let addresses: Vec<SocketAddr> =
            ["[::1]:1", "[::2]:1", "[::3]:1", "1.1.1.1:1"].map(|a| a.parse().unwrap()).to_vec();
        let mixed: Vec<String> = interleave(&addresses).iter().map(ToString::to_string).collect();
        assert_eq!(mixed, ["[::1]:1", "1.1.1.1:1", "[::2]:1", "[::3]:1"]);
    }

    #[tokio::test]
    async fn the_address_that_works_wins() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let works = listener.local_addr().unwrap();
        let closed = {
            let gone = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            gone.local_addr().unwrap()
        };
        let stream = dial(&[closed, works]).await.unwrap();
        assert_eq!(stream.peer_addr().unwrap(), works);
        let failure = dial(&[closed, closed]).await.unwrap_err();
        assert!(matches!(failure, Failure::Connect { .. }), "{failure:?}");
        assert!(matches!(dial(&[]).await, Err(Failure::Dns { .. })));
    }
}
