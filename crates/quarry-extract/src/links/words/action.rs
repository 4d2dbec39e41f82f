//! Words for actions and functions of a site, in several languages. Links that could change something
//! (log out, delete, buy, vote, unsubscribe) are never requested.
//!
//! A word counts where it is a whole path segment (`/cart/add`, `/log-out.php`), the name of a
//! parameter (`?add-to-cart=17`) or the value of one that names an action (`?do=logout`). It does
//! not count inside a longer segment: `/how-to-delete-a-file` is an article.

/// Functions of a site, such as carts and log-ins: their links are neither facet values nor entities.
pub(in crate::links) const FUNCTIONS: &[&str] = &[
    "cart",
    "basket",
    "checkout",
    "login",
    "logout",
    "signin",
    "signup",
    "register",
    "delete",
    "wishlist",
    "compare",
    "subscribe",
    "unsubscribe",
    "buy",
    "warenkorb",
    "panier",
    "carrito",
    "carrello",
    "winkelwagen",
    "koszyk",
];

/// Words for actions that change something, folded (lower case, letters only), sorted. Words that also
/// name ordinary pages (`cart`, `login`, `order`) are not among them.
static CHANGES: List = List::new(&[
    "abmelden",
    "abmeldung",
    "addcart",
    "addcomment",
    "addfavorite",
    "addfriend",
    "additem",
    "addproduct",
    "addtobag",
    "addtobasket",
    "addtocart",
    "addtocompare",
    "addtofavorites",
    "addtofavourites",
    "addtowishlist",
    "afmelden",
    "agregaralcarrito",
    "ajouteraupanier",
    "anadiralcarrito",
    "autologout",
    "bestellungabschicken",
    "borrar",
    "buynow",
    "cancelorder",
    "cancelsubscription",
    "cerrarsesion",
    "checkoutconfirm",
    "clearall",
    "clearcart",
    "closeaccount",
    "confirmorder",
    "deconnecter",
    "deconnexion",
    "delete",
    "deleteaccount",
    "deleteall",
    "deletecomment",
    "deleteitem",
    "deletepost",
    "destroy",
    "disconnect",
    "downvote",
    "eliminar",
    "emptycart",
    "esci",
    "flagcomment",
    "indenwarenkorb",
    "inwinkelwagen",
    "kick",
    "loeschen",
    "logoff",
    "logout",
    "markasread",
    "markread",
    "oneclickbuy",
    "optout",
    "ordernow",
    "placeorder",
    "postcomment",
    "quickbuy",
    "rateit",
    "remove",
    "removefromcart",
    "removeitem",
    "reportabuse",
    "reportcomment",
    "reportpost",
    "revoke",
    "salir",
    "seddeconnecter",
    "sedesinscrire",
    "sendmessage",
    "signoff",
    "signout",
    "submitorder",
    "supprimer",
    "tocart",
    "trash",
    "uitloggen",
    "undelete",
    "unfollow",
    "uninstall",
    "unregister",
    "unsubscribe",
    "upvote",
    "verwijderen",
    "voegtoe",
    "vote",
    "votedown",
    "voteup",
    "warenkorbhinzufuegen",
    "wishlistadd",
    "wyloguj",
    "zumwarenkorb",
    "zumwarenkorbhinzufuegen",
]);

/// Parameters whose value names an action.
static ACTION_PARAMETERS: List = List::new(&[
    "a", "act", "action", "ajax", "cmd", "command", "do", "event", "func", "method", "mode", "op",
    "route", "task",
]);

/// Pairs of segments that mean a word of the list together: `/cart/add`, `/wishlist/remove/17`.
static OBJECTS: List = List::new(&[
    "basket",
    "cart",
    "cesta",
    "comment",
    "comments",
    "compare",
    "favorites",
    "favourites",
    "panier",
    "warenkorb",
    "winkelwagen",
    "wishlist",
]);
static VERBS: List = List::new(&["add", "clear", "delete", "hinzufuegen", "remove", "update"]);

/// Bytes of the longest word of the lists.
const MAX_WORD_BYTES: usize = 24;

/// Whether requesting an address could change something on the site, by the segments of its path and
/// by its parameters (name and value). Such links are never requested.
///
/// ```
/// use quarry_extract::links::could_change_something;
/// let none = std::iter::empty;
/// assert!(could_change_something(["cart", "add"].into_iter(), none()));
/// assert!(could_change_something(none(), [("do", "logout")].into_iter()));
/// assert!(!could_change_something(["how-to-delete-a-file"].into_iter(), none()));
/// ```
#[must_use]
pub fn could_change_something<'a>(
    segments: impl Iterator<Item = &'a str>,
    mut parameters: impl Iterator<Item = (&'a str, &'a str)>,
) -> bool {
    let mut object = false;
    for segment in segments {
        // `logout.php` and `logout` are one.
        let stem = segment.split_once('.').map_or(segment, |(stem, _)| stem);
        let Some(word) = Folded::of(stem) else {
            object = false;
            continue;
        };
        if word.is_in(&CHANGES) || (object && word.is_in(&VERBS)) {
            return true;
        }
        object = word.is_in(&OBJECTS);
    }
    parameters.any(|(name, value)| {
        let Some(name) = Folded::of(name) else { return false };
        if name.is_in(&CHANGES) {
            return true;
        }
        // `?route=account/logout` says it in its last part.
        let last = value.rsplit(['/', '.']).next().unwrap_or(value);
        let last = last.rsplit("%2F").next().unwrap_or(last);
        name.is_in(&ACTION_PARAMETERS)
            && Folded::of(last).is_some_and(|value| value.is_in(&CHANGES))
    })
}

/// A word in lower case without anything but letters, in place.
struct Folded {
    bytes: [u8; MAX_WORD_BYTES],
    len: usize,
}

impl Folded {
    /// `None` where it has a digit or is longer than every word of the lists.
    fn of(text: &str) -> Option<Self> {
        let mut folded = Self { bytes: [0; MAX_WORD_BYTES], len: 0 };
        for byte in text.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' => {
                    *folded.bytes.get_mut(folded.len)? = byte.to_ascii_lowercase();
                    folded.len += 1;
                }
                b'-' | b'_' | b'+' => {}
                _ => return None,
            }
        }
        (folded.len > 0).then_some(folded)
    }

    fn is_in(&self, list: &List) -> bool {
        let own = &self.bytes[..self.len];
        list.lengths[usize::from(own[0] - b'a')] & 1 << self.len != 0
            && list.words.binary_search_by(|word| word.as_bytes().cmp(own)).is_ok()
    }
}

/// Sorted words, with a table by which most others are told at once.
struct List {
    words: &'static [&'static str],
    /// For every first letter, a bit for each length that its words have.
    lengths: [u32; 26],
}

impl List {
    const fn new(words: &'static [&'static str]) -> Self {
        let mut lengths = [0; 26];
        let mut n = 0;
        while n < words.len() {
            let word = words[n].as_bytes();
            lengths[(word[0] - b'a') as usize] |= 1 << word.len();
            n += 1;
        }
        Self { words, lengths }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_and_fit() {
        for list in [&CHANGES, &ACTION_PARAMETERS, &OBJECTS, &VERBS] {
            let list = list.words;
            let unsorted = list.windows(2).find(|pair| pair[0] >= pair[1]);
            assert_eq!(unsorted, None);
            assert!(list.iter().all(|word| word.len() <= MAX_WORD_BYTES));
        }
    }
}
