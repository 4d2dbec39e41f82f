//! Recognises links that could change something on a site (log out, delete, buy, vote, unsubscribe), before
//! anything is requested: by the decoded address, the link's text, its attributes, its role and the form around it.
//!
//! This check is a veto and may use words. Where it is in doubt, the answer is that the link acts.

mod address;
mod lexicon;
mod link;
mod names;
mod part;
mod words;

pub use link::LinkMarks;

use std::fmt;

use address::Parts;

/// What says that following a link could change something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionSign {
    /// Where it was found.
    pub place: SignPlace,
    /// As it stands there.
    pub text: String,
}

/// Where a sign was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignPlace {
    /// A word of the address.
    Address,
    /// A token against forged requests in the address.
    Token,
    /// What the link says.
    Text,
    /// An attribute of the link.
    Mark,
}

impl fmt::Display for ActionSign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let where_found = match self.place {
            SignPlace::Address => "its address says",
            SignPlace::Token => "its address carries a token against forged requests:",
            SignPlace::Text => "the link says",
            SignPlace::Mark => "the link is marked",
        };
        write!(f, "{where_found} “{}”", self.text)
    }
}

/// What in an address says that requesting it could change something.
///
/// ```
/// use quarry_extract::action::address_action;
/// assert!(address_action("/cart/add", None).is_some());
/// assert!(address_action("/index.php", Some("route=checkout/cart/add")).is_some());
/// assert!(address_action("/l%C3%B6schen/5", None).is_some());
/// assert!(address_action("/how-to-delete-a-file", None).is_none());
/// ```
#[must_use]
pub fn address_action(path: &str, query: Option<&str>) -> Option<ActionSign> {
    let found = Parts::of(path, query).find()?;
    let place = if found.is_token { SignPlace::Token } else { SignPlace::Address };
    Some(ActionSign { place, text: found.word })
}
