//! How the connection to the database is encrypted, said in its address as libpq says it: `sslmode`, `sslrootcert`.

use std::sync::Arc;

use postgres::Config;
use postgres::config::SslMode;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio_postgres_rustls::MakeRustlsConnect;

type TlsError = Box<dyn std::error::Error + Send + Sync>;

/// What an address says of encryption.
#[derive(Debug, PartialEq, Eq)]
struct TlsWish {
    mode: SslMode,
    /// Whether the server must prove that it is the one that was named.
    is_verified: bool,
    /// The file with the certificates that vouch for the server, in place of the system's.
    roots: Option<String>,
}

/// Reads an address: how to connect, and how to encrypt. Without `sslmode` the connection is encrypted if the server can; `require` insists
/// on that; `verify-full` (or any `sslrootcert`) also on a certificate for the server's name.
pub(super) fn parse(url: &str) -> Result<(Config, MakeRustlsConnect), TlsError> {
    let (plain, wish) = take_wish(url)?;
    let mut config: Config = plain.parse()?;
    config.ssl_mode(wish.mode);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let client = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()?;
    let client = if wish.is_verified {
        client.with_root_certificates(roots(wish.roots.as_deref())?)
    } else {
        client.dangerous().with_custom_certificate_verifier(Arc::new(AnyCertificate(provider)))
    };
    Ok((config, MakeRustlsConnect::new(client.with_no_client_auth())))
}

/// Takes what is said of encryption out of an address; the client knows only a part of it.
fn take_wish(url: &str) -> Result<(String, TlsWish), TlsError> {
    let mut wish = TlsWish { mode: SslMode::Prefer, is_verified: false, roots: None };
    let Some((place, query)) = url.split_once('?') else { return Ok((url.to_owned(), wish)) };
    let mut left = Vec::new();
    for pair in query.split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        match (name, value) {
            ("sslmode", "disable") => wish.mode = SslMode::Disable,
            ("sslmode", "allow" | "prefer") => wish.mode = SslMode::Prefer,
            ("sslmode", "require") => wish.mode = SslMode::Require,
            ("sslmode", "verify-ca" | "verify-full") => {
                (wish.mode, wish.is_verified) = (SslMode::Require, true);
            }
            ("sslmode", other) => {
                return Err(format!(
                    "sslmode={other} is not known; it may be disable, prefer, require or verify-full"
                )
                .into());
            }
            ("sslrootcert", "system") => wish.is_verified = true,
            ("sslrootcert", file) => {
                let file: String = url::form_urlencoded::parse(format!("f={file}").as_bytes())
                    .map(|(_, value)| value.into_owned())
                    .collect();
                (wish.is_verified, wish.roots) = (true, Some(file));
            }
            _ => left.push(pair),
        }
    }
    if wish.is_verified && wish.mode == SslMode::Prefer {
        // Whoever names certificates wants them used.
        wish.mode = SslMode::Require;
    }
    let plain =
        if left.is_empty() { place.to_owned() } else { format!("{place}?{}", left.join("&")) };
    Ok((plain, wish))
}

fn roots(file: Option<&str>) -> Result<RootCertStore, TlsError> {
    let mut store = RootCertStore::empty();
    match file {
        Some(file) => {
            for certificate in CertificateDer::pem_file_iter(file)
                .map_err(|error| format!("cannot read sslrootcert={file}: {error}"))?
            {
                store.add(certificate.map_err(|error| format!("sslrootcert={file}: {error}"))?)?;
            }
            if store.is_empty() {
                return Err(format!("sslrootcert={file} holds no certificates").into());
            }
        }
        None => {
            // Some of a system's certificates may be of a kind that is not read.
            let _ = store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    Ok(store)
}

/// Takes any certificate, as libpq does with `sslmode=prefer` and `sslmode=require`: nobody reads along, but the server may be another.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(
            message,
            certificate,
            signed,
            &self.0.signature_verification_algorithms,
        )
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(
            message,
            certificate,
            signed,
            &self.0.signature_verification_algorithms,
        )
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encryption_is_said_in_the_address() {
        let place = "postgres://me@db.example/crawl";
        let wish = |mode, is_verified, roots: Option<&str>| TlsWish {
            mode,
            is_verified,
            roots: roots.map(str::to_owned),
        };
        for (query, left, expect) in [
            ("", "", wish(SslMode::Prefer, false, None)),
            ("?sslmode=disable", "", wish(SslMode::Disable, false, None)),
            (
                "?connect_timeout=5&sslmode=require",
                "?connect_timeout=5",
                wish(SslMode::Require, false, None),
            ),
            ("?sslmode=verify-full", "", wish(SslMode::Require, true, None)),
            (
                "?sslrootcert=/etc/my%20ca.pem",
                "",
                wish(SslMode::Require, true, Some("/etc/my ca.pem")),
            ),
        ] {
            let (plain, wish) = take_wish(&format!("{place}{query}")).unwrap();
            assert_eq!(
                (plain.as_str(), wish),
                (format!("{place}{left}").as_str(), expect),
                "{query}"
            );
        }
        assert!(take_wish(&format!("{place}?sslmode=maybe")).is_err());
    }
}
