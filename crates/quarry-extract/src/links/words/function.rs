//! Words for functions of a site (carts, log-ins). Links that could change something are judged by
//! [`crate::action`].

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
