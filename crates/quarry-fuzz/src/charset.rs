//! Does every page get an encoding, for the reason that it says?

use quarry_dom::{CharsetSource, Document, Limits, NodeId};

use crate::split_line;

/// As in the HTML standard, "prescan a byte stream": further in, nobody looks for a `meta`.
const PRESCAN: usize = 1024;

/// The first line is the content type; an empty one is none.
pub fn charset(data: &[u8]) {
    let (content_type, bytes) = split_line(data);
    let content_type = (!content_type.is_empty()).then_some(content_type.as_str());
    let limits = Limits { nodes: 10_000, ..Limits::default() };
    let page = Document::parse(bytes, content_type, &limits);
    let charset = page.charset();
    page.folded_text(NodeId::ROOT);

    let marked = [&b"\xef\xbb\xbf"[..], b"\xfe\xff", b"\xff\xfe"];
    let marked = marked.iter().any(|mark| bytes.starts_with(mark));
    assert_eq!(charset.source() == CharsetSource::ByteOrderMark, marked);
    match charset.source() {
        CharsetSource::Detected => {
            if std::str::from_utf8(bytes).is_ok() {
                assert_eq!((charset.name(), charset.malformed()), ("UTF-8", false));
            }
        }
        CharsetSource::Text => panic!("the page came as bytes"),
        // What was said in the beginning does not depend on what follows.
        source => {
            let head = &bytes[..bytes.len().min(PRESCAN)];
            let head = Document::parse(head, content_type, &limits).charset();
            assert_eq!((head.source(), head.name()), (source, charset.name()));
        }
    }
    if charset.source() != CharsetSource::Header {
        // So the header, if there is one, said nothing; leaving it out changes nothing.
        let silent = Document::parse(bytes, None, &limits).charset();
        assert_eq!(silent, charset);
    }
}
