//! Which texts of a page have a piece: so that a known value is compared only with texts that have something of it.

use super::columns::{PageTexts, SiteText};

/// The pieces of a page's texts that some seed has, each with the number of the text, ascending.
pub(crate) struct PagePieces(Vec<(u32, u32)>);

impl PagePieces {
    pub(crate) fn of(page: &PageTexts, texts: &[SiteText]) -> Self {
        let mut different = page.texts.clone();
        different.sort_unstable();
        different.dedup();
        let with = |text: u32| {
            let known = texts[text as usize].tokens.known.iter();
            known.map(move |token| (*token, text))
        };
        let mut pieces: Vec<(u32, u32)> = different.into_iter().flat_map(with).collect();
        pieces.sort_unstable();
        Self(pieces)
    }

    /// The texts that have a piece.
    pub(crate) fn texts_with(&self, token: u32) -> impl Iterator<Item = u32> + '_ {
        let from = self.0.partition_point(|piece| piece.0 < token);
        self.0[from..].iter().take_while(move |piece| piece.0 == token).map(|piece| piece.1)
    }
}

#[cfg(test)]
mod tests {
    use super::PagePieces;
    use crate::attribute::columns::{PageTexts, SiteText};
    use crate::attribute::lexicon::TextTokens;

    #[test]
    fn texts_are_found_by_their_pieces() {
        let text = |known: &[u32]| SiteText {
            text: String::new(),
            tokens: TextTokens { known: known.to_vec(), strange: vec![9] },
            pages: 1,
        };
        let texts = [text(&[1, 5]), text(&[2]), text(&[1]), text(&[5])];
        let page =
            PageTexts { leaves: Vec::new(), texts: vec![2, 0, 1, 0], title: TextTokens::default() };
        let pieces = PagePieces::of(&page, &texts);
        let with = |token| pieces.texts_with(token).collect::<Vec<u32>>();
        assert_eq!((with(1), with(2), with(5)), (vec![0, 2], vec![1], vec![0]));
        assert!(with(9).is_empty(), "pieces that no seed has are nothing to compare with");
    }
}
