//! How the address of an entity's own page is made from a field of its record: a beginning, the value, an end.

use serde::{Deserialize, Serialize};

use super::{JsonRecord, MIN_SHOWN, ShownPage};

/// Values shorter than this stand in addresses by chance; with several records they do not.
const MAX_FORMS: usize = 40;

/// How the key of a request with a body begins.
const QUERY: &str = "POST ";

/// An address as a beginning, the value of a field, and an end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressForm {
    /// The field, by its pointer within a record.
    pub field: String,
    /// What stands before the value.
    pub prefix: String,
    /// What stands behind it.
    pub suffix: String,
}

impl AddressForm {
    /// The address for a record.
    #[must_use]
    pub fn address(&self, record: &JsonRecord) -> Option<String> {
        let value = record.value(&self.field).filter(|value| !value.is_empty())?;
        if self.prefix.starts_with(QUERY) {
            // What could end the text that it stands in is not put into a query.
            let is_plain = |char: char| char.is_alphanumeric() || "-_.: ".contains(char);
            return value
                .chars()
                .all(is_plain)
                .then(|| format!("{}{value}{}", self.prefix, self.suffix));
        }
        let address = format!("{}{}{}", self.prefix, self.written(value), self.suffix);
        // A value that is an address of its own is resolved.
        url::Url::parse(&address).ok().map(String::from)
    }

    /// A value as it stands in the address: one that is a path already stays one.
    fn written(&self, value: &str) -> String {
        if self.is_whole() { value.to_owned() } else { percent_encoded(value) }
    }

    fn is_whole(&self) -> bool {
        self.suffix.is_empty() && !self.prefix.ends_with(['/', '=', '-', '_', '.'])
    }

    /// All forms in which a value stands in an address.
    pub fn forms<'a>(
        field: &'a str,
        value: &'a str,
        address: &'a str,
    ) -> impl Iterator<Item = Self> + use<'a> {
        [percent_encoded(value), value.to_owned()].into_iter().flat_map(move |written| {
            let places: Vec<usize> = address.match_indices(&written).map(|(at, _)| at).collect();
            places.into_iter().filter_map(move |at| {
                let (prefix, suffix) = (&address[..at], &address[at + written.len()..]);
                let is_part = |next: Option<char>| next.is_some_and(char::is_alphanumeric);
                let begins = is_part(prefix.chars().next_back()) && !ends_with_escape(prefix);
                let is_cut = begins && is_part(written.chars().next())
                    || is_part(suffix.chars().next()) && is_part(written.chars().next_back());
                (!is_cut).then(|| Self {
                    field: field.to_owned(),
                    prefix: prefix.to_owned(),
                    suffix: suffix.to_owned(),
                })
            })
        })
    }
}

/// Whether a text ends with an escaped character such as `%2F`.
fn ends_with_escape(text: &str) -> bool {
    let end = text.len().checked_sub(3).and_then(|at| text.get(at..));
    end.is_some_and(|end| {
        end.starts_with('%') && end[1..].bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// As browsers write a value into a path or a query.
fn percent_encoded(value: &str) -> String {
    url::form_urlencoded::byte_serialize(value.as_bytes()).collect::<String>().replace('+', "%20")
}

/// The form of the addresses of records, by the links of a page that shows them: all of them are linked to.
pub fn find_address_form(
    shown: &[&JsonRecord],
    fields: &[&str],
    page: &ShownPage,
) -> Option<AddressForm> {
    let first = shown.first()?;
    for field in fields {
        let value = first.value(field).filter(|value| !value.is_empty())?;
        // Whole addresses, as they stand in the data.
        let resolved = |record: &&&JsonRecord| {
            let to = record.value(field).and_then(|value| page.resolve(value));
            to.is_some_and(|to| page.links_to(&to))
        };
        let is_address =
            value.contains('/') && shown.iter().filter(resolved).count() == shown.len();
        if is_address && shown.len() >= MIN_SHOWN {
            let to = page.resolve(value)?;
            let prefix = to.strip_suffix(value).unwrap_or_default().to_owned();
            return Some(AddressForm { field: (*field).to_owned(), prefix, suffix: String::new() });
        }
    }
    let fits = |form: &AddressForm| {
        let linked =
            |record: &&&JsonRecord| form.address(record).is_some_and(|to| page.links_to(&to));
        shown.iter().filter(linked).count() == shown.len()
    };
    fields.iter().find_map(|field| {
        let value = first.value(field).filter(|value| !value.is_empty())?;
        let links = page.links();
        let mut forms =
            links.flat_map(|link| AddressForm::forms(field, value, link)).take(MAX_FORMS);
        forms.find(fits)
    })
}
