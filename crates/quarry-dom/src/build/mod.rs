//! How does a tree come out of tokens? html5ever's tree builder decides what goes where; it writes
//! into a [`links::Tree`] through [`sink::Sink`]; [`feed::Feed`] stands before it and keeps the
//! stack of open elements short; [`compact`] lays the finished tree out in document order.

pub(crate) mod compact;
pub(crate) mod feed;
mod links;
mod sink;
