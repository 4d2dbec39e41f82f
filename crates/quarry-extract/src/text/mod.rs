//! What do texts say, and how alike are they? Stemmed terms and the paper's TF-IDF.

mod parts;
mod terms;
mod tfidf;

pub(crate) use parts::name_parts;
pub use terms::Vocabulary;
pub use tfidf::{Vector, mean_similarity, vectors};
