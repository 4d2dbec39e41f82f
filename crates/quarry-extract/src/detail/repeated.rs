//! Leaves out slots that only repeat the value of another slot in words that all pages share: `Los Angeles Dining` beside
//! `Los Angeles`. Such texts are links and headings made of a value; they add nothing to it.

use quarry_value::ValueKind;

use super::DetailPages;
use super::select::Slot;
use super::title::ConstantWords;

/// The share of a slot's texts that must be another slot's values, at the least.
const MIN_REPEATED_SHARE: f64 = 0.9;
/// Texts of a slot, at the least: fewer agree by chance.
const MIN_TEXTS: usize = 5;
/// Different values of the slot that is repeated, at the least.
const MIN_VALUES: u32 = 3;

/// Leaves out the slots that repeat others. What is repeated is wanted as much as what repeats it.
pub(super) fn leave_out(pages: &DetailPages<'_>, slots: &mut Vec<Slot>) {
    let repeated: Vec<Option<usize>> =
        slots.iter().map(|slot| repeated_by(pages, slot, slots)).collect();
    for (at, other) in repeated.iter().enumerate() {
        if let Some(other) = *other {
            slots[other].confidence = slots[other].confidence.max(slots[at].confidence);
        }
    }
    let mut repeated = repeated.into_iter();
    slots.retain(|_| repeated.next().flatten().is_none());
}

/// The slot whose values another one repeats.
fn repeated_by(pages: &DetailPages<'_>, slot: &Slot, slots: &[Slot]) -> Option<usize> {
    let cells = &pages.columns[slot.column].cells;
    let texts: Vec<&str> = cells.iter().map(|&cell| pages.text(cell)).collect();
    let around = ConstantWords::of(&texts);
    let values: Vec<(u32, &str)> =
        cells.iter().zip(&texts).map(|(&(page, _), text)| (page, around.strip(text))).collect();
    // `Keeper: Ash` names the value; the words around a number say what it counts or measures.
    let is_named = around.before.last().is_some_and(|word| word.ends_with([':', '：']));
    let is_number = |&&(_, value): &&(u32, &str)| quarry_value::kind(value) != ValueKind::Text;
    if cells.len() < MIN_TEXTS
        || around.is_empty()
        || is_named
        || 2 * values.iter().filter(is_number).count() > values.len()
    {
        return None;
    }
    slots.iter().position(|other| {
        let column = &pages.columns[other.column];
        let is_value = |&&(page, value): &&(u32, &str)| {
            column.on(page).is_some_and(|leaf| pages.text((page, leaf)) == value)
        };
        other.column != slot.column
            && column.different >= MIN_VALUES
            && values.iter().filter(is_value).count() as f64
                >= MIN_REPEATED_SHARE * values.len() as f64
    })
}

#[cfg(test)]
mod tests {
    use quarry_dom::Document;

    use crate::attribute::model::Reader;
    use crate::detail::learn_details;

    #[test]
    fn a_value_in_words_that_all_pages_share_is_no_column() {
        let cities = ["Arle", "Brint", "Corvale", "Dunmore", "Eskdale", "Farrow", "Gant", "Holm"];
        let page = |at: usize, city: &str| {
            format!(
                "<title>House {at}</title><h1>House {at}</h1><div class=c>{city}</div><p class=d>{city} Dining Guide</p>\
                 <p class=f>Keeper: {city}</p>"
            )
        };
        let pages: Vec<Document> = cities
            .iter()
            .enumerate()
            .map(|(at, city)| Document::from_html(&page(at, city)))
            .collect();
        let all: Vec<&Document> = pages.iter().collect();
        let slots = learn_details(&all).expect("a template").slots;
        let reader = Reader::new(&slots);
        let values: Vec<String> = reader.read(&pages[1]).into_iter().map(|f| f.value).collect();
        assert!(values.contains(&"Brint".to_owned()), "{values:?}");
        assert!(!values.iter().any(|value| value.contains("Dining")), "{values:?}");
        // A printed name is more than the value.
        assert!(values.iter().any(|value| value.contains("Keeper")), "{values:?}");
    }
}
