//! Says a harvest why it has nothing: a server that does not answer, pages whose links are not to be followed?

use std::io::{Read, Write};
use std::net::TcpListener;

use crate::program::{Folder, run};

#[test]
fn a_server_that_does_not_answer_is_named_with_the_reason() {
    let folder = Folder::new();
    // A port that nobody listens on any more.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let project = folder.join("site");
    let ran = run(["harvest", &format!("http://{address}/"), "-p", project.to_str().unwrap()]);
    assert_ne!(ran.status, 0, "{}", ran.err);
    assert!(
        ran.err.contains(&format!("nothing could be asked of http://{address}")),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("onnection refused"), "{}", ran.err);
    assert!(!ran.err.contains("strategy"), "{}", ran.err);
}

#[test]
fn a_page_that_says_nofollow_is_no_table() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut head = [0; 4096];
            let read = stream.read(&mut head).unwrap_or(0);
            let is_front = head[..read].starts_with(b"GET / ");
            let items: String =
                (0..9).map(|n| format!("<li><a href='/borl/{n}'>Borl {n}</a></li>")).collect();
            let body = format!(
                "<title>Gost</title><meta name=robots content='noindex,nofollow'><h1>Gost</h1>\
                 <p>Fam plo wex.</p><form action=/find><input name=q></form><ul>{items}</ul>"
            );
            let (status, body) =
                if is_front { ("200 OK", body) } else { ("404 No", String::new()) };
            let _ = write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
        }
    });
    let folder = Folder::new();
    let project = folder.join("site");
    let ran = run(["harvest", &format!("http://{address}/"), "-p", project.to_str().unwrap()]);
    let ran = ran.ended(1);
    assert!(ran.err.contains("nofollow on"), "{}", ran.err);
    assert!(!ran.err.contains("search form"), "{}", ran.err);
}
