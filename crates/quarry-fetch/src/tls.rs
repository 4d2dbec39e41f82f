//! TLS by rustls, with the root certificates of the system and of the user.

use std::io;
use std::sync::{Arc, OnceLock};

use quarry_model::Failure;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::settings::{FetchError, FetchSettings};
use crate::stream::Stream;

/// The system's roots are read when the first https address is asked.
pub(crate) struct Tls {
    extra_roots: Vec<CertificateDer<'static>>,
    http2: bool,
    configs: OnceLock<Result<Configs, String>>,
}

struct Configs {
    origin: Arc<ClientConfig>,
    proxy: Arc<ClientConfig>,
}

/// Who is at the other end: a proxy does not get HTTP/2 offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Peer {
    Origin,
    Proxy,
}

impl Tls {
    pub(crate) fn new(settings: &FetchSettings) -> Result<Self, FetchError> {
        let bad = |reason: String| FetchError::BadRoots { reason };
        let extra_roots = CertificateDer::pem_slice_iter(&settings.extra_roots)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|e| bad(e.to_string()))?;
        if extra_roots.is_empty() && !settings.extra_roots.is_empty() {
            return Err(bad("there is no certificate in it".to_owned()));
        }
        for certificate in &extra_roots {
            RootCertStore::empty().add(certificate.clone()).map_err(|e| bad(e.to_string()))?;
        }
        Ok(Self { extra_roots, http2: settings.http2, configs: OnceLock::new() })
    }

    /// Shakes hands over `stream`.
    pub(crate) async fn wrap(
        &self,
        stream: Stream,
        host: &str,
        peer: Peer,
    ) -> Result<Box<TlsStream<Stream>>, Failure> {
        let configs = self
            .configs
            .get_or_init(|| self.load())
            .as_ref()
            .map_err(|detail| Failure::Tls { detail: detail.clone() })?;
        let config = match peer {
            Peer::Origin => &configs.origin,
            Peer::Proxy => &configs.proxy,
        };
        let name = ServerName::try_from(host.to_owned())
            .map_err(|_| Failure::Tls { detail: format!("{host} cannot have a certificate") })?;
        match TlsConnector::from(Arc::clone(config)).connect(name, stream).await {
            Ok(stream) => Ok(Box::new(stream)),
            Err(error) => Err(handshake_failure(&error)),
        }
    }

    fn load(&self) -> Result<Configs, String> {
        let mut roots = RootCertStore::empty();
        let system = rustls_native_certs::load_native_certs();
        roots.add_parsable_certificates(system.certs);
        roots.add_parsable_certificates(self.extra_roots.iter().cloned());
        if roots.is_empty() {
            return Err("this system has no root certificates; install ca-certificates or set \
                        SSL_CERT_FILE"
                .to_owned());
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let proxy = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|e| e.to_string())?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let mut origin = proxy.clone();
        origin.alpn_protocols = vec![b"http/1.1".to_vec()];
        if self.http2 {
            origin.alpn_protocols.insert(0, b"h2".to_vec());
        }
        Ok(Configs { origin: Arc::new(origin), proxy: Arc::new(proxy) })
    }
}

/// A handshake that the other side broke off may go better next time; a bad certificate will not.
fn handshake_failure(error: &io::Error) -> Failure {
    match error.get_ref().and_then(|e| e.downcast_ref::<rustls::Error>()) {
        Some(error) => Failure::Tls { detail: error.to_string() },
        None => Failure::Reset { detail: format!("during the TLS handshake: {error}") },
    }
}
