//! Measures how often two columns have equal values for an entity, and how often they would by chance.
//!
//! Agreement over chance is Cohen's kappa (J. Cohen, "A coefficient of agreement for nominal scales", 1960). Chance is not
//! computed but measured: the same comparison between values of different entities. So it holds for lists, tolerances and
//! whatever else the comparison does. That so much agreement is chance is bounded by Chernoff and Hoeffding: at most exp(−n·KL(share ‖ chance)).

use serde::Serialize;

use crate::index::{CellRange, Index, SampleValue, SourceColumnId, ValueId};
use crate::parsed::ParsedValue;

/// Entities that are compared; more do not change the result.
const MAX_COMPARED: usize = 2000;
/// Comparisons between different entities.
const MAX_CHANCES: usize = 4000;
/// Values of a cell that are compared; the rest of a hostile cell does not count.
const MAX_VALUES: usize = 24;

/// The normal distribution is below it with a probability of 95 %.
const NORMAL_95: f64 = 1.645;

/// How far two columns agree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// Entities that have both and were compared.
    pub shared: usize,
    /// Of them, those of which both say the same.
    pub agreeing: usize,
    /// Of them, those of which both sources show the same value of the same node.
    pub same_place: usize,
    /// The share of agreement between different entities.
    pub chance: f64,
    /// How much of the richer column the poorer one has: the smaller number of different values by the larger, or the share of
    /// the values of the richer column's cells that occur in the poorer one at all, whichever is less.
    pub coverage: f64,
    /// Whether one of the columns has several values for some entity.
    pub several: bool,
}

impl Agreement {
    /// The share of the shared entities that agree.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.shared == 0 { 0.0 } else { self.agreeing as f64 / self.shared as f64 }
    }

    /// What the share is at least, with a probability of 95 % (lower end of Wilson's interval, one-sided): five of five may as well
    /// be columns that agree on seven entities in ten, such as a price and the price before.
    #[must_use]
    pub fn sure_share(&self) -> f64 {
        let (n, share) = (self.shared as f64, self.share());
        if self.shared == 0 {
            return 0.0;
        }
        let square = NORMAL_95 * NORMAL_95;
        let spread = (share * (1.0 - share) / n + square / (4.0 * n * n)).sqrt();
        (share + square / (2.0 * n) - NORMAL_95 * spread) / (1.0 + square / n)
    }

    /// Cohen's kappa: 1 is full agreement, 0 is chance. A constant column agrees with itself by chance alone.
    #[must_use]
    pub fn kappa(&self) -> f64 {
        if self.chance >= 1.0 { 0.0 } else { (self.share() - self.chance) / (1.0 - self.chance) }
    }

    /// The natural logarithm of one by the probability (a bound of it) that chance agrees so often.
    #[must_use]
    pub fn significance(&self) -> f64 {
        let (share, chance) = (self.share(), self.chance);
        if share <= chance {
            return 0.0;
        }
        let part = |p: f64, q: f64| if p <= 0.0 { 0.0 } else { p * (p / q).ln() };
        self.shared as f64 * (part(share, chance) + part(1.0 - share, 1.0 - chance))
    }
}

/// The values of one entity in one column, without repeats.
type Cell<'i, 'a> = Vec<&'i ParsedValue<'a>>;

/// Compares two columns on the first entities that have both.
pub(crate) fn compare(index: &Index<'_>, a: SourceColumnId, b: SourceColumnId) -> Agreement {
    let shared = shared(&index.cells[a.at()], &index.cells[b.at()]);
    let cells: Vec<_> = shared.iter().map(|&(a, b)| (cell(index, a), cell(index, b))).collect();
    let left = Vocabulary::of(cells.iter().map(|(cell, _)| cell.clone()));
    let right = Vocabulary::of(cells.iter().map(|(_, cell)| cell.clone()));
    let same = |a: &Cell<'_, '_>, b: &Cell<'_, '_>| says_same(a, b, &left, &right);
    let agreeing = cells.iter().filter(|(a, b)| same(a, b)).count();
    let same_place = shared.iter().filter(|&&(a, b)| share_a_node(index, a, b)).count();
    // One try more that agrees and one that does not: what was not seen in few tries is not impossible.
    let (mut tries, mut hits) = (2, 1);
    'shifts: for shift in 1..cells.len() {
        for at in 0..cells.len() {
            if tries >= MAX_CHANCES {
                break 'shifts;
            }
            tries += 1;
            hits += usize::from(same(&cells[at].0, &cells[(at + shift) % cells.len()].1));
        }
    }
    let one: Vec<Cell<'_, '_>> = cells.iter().map(|(cell, _)| items(cell, &right)).collect();
    let other: Vec<Cell<'_, '_>> = cells.iter().map(|(_, cell)| items(cell, &left)).collect();
    Agreement {
        shared: cells.len(),
        agreeing,
        same_place,
        chance: hits as f64 / tries as f64,
        coverage: coverage(&one, &other),
        several: cells.iter().any(|(a, b)| a.len() > 1 || b.len() > 1),
    }
}

/// How much of the richer of two columns the poorer one has.
fn coverage(one: &[Cell<'_, '_>], other: &[Cell<'_, '_>]) -> f64 {
    let words = |cells: &[Cell<'_, '_>]| Vocabulary::of(cells.iter().cloned());
    let (one_words, other_words) = (words(one), words(other));
    let (few, rich, many) = match one_words.0.len() <= other_words.0.len() {
        true => (one_words, other, other_words),
        false => (other_words, one, one_words),
    };
    if many.0.is_empty() {
        return 0.0;
    }
    let all = rich.iter().map(Vec::len).sum::<usize>();
    let known = rich.iter().flatten().filter(|value| few.has(value)).count();
    (few.0.len() as f64 / many.0.len() as f64).min(known as f64 / all.max(1) as f64)
}

/// The entities that have both, up to [`MAX_COMPARED`]. The longer list is searched, the shorter one walked.
fn shared(a: &[CellRange], b: &[CellRange]) -> Vec<(CellRange, CellRange)> {
    if a.len() > b.len() {
        return shared(b, a).into_iter().map(|(b, a)| (a, b)).collect();
    }
    let mut rest = b;
    let mut found = Vec::new();
    for run in a {
        // Search in steps that double: near entities are found in no time.
        let mut end = 1;
        while end < rest.len() && rest[end].entity < run.entity {
            end *= 2;
        }
        let skip = rest[..rest.len().min(end + 1)].partition_point(|own| own.entity < run.entity);
        rest = &rest[skip..];
        match rest.first() {
            Some(own) if own.entity == run.entity => found.push((*run, *own)),
            Some(_) => {}
            None => break,
        }
        if found.len() == MAX_COMPARED {
            break;
        }
    }
    found
}

fn cell<'i, 'a>(index: &'i Index<'a>, range: CellRange) -> Cell<'i, 'a> {
    let mut values: Vec<ValueId> = index.of(range).iter().map(|own| own.value).collect();
    values.dedup();
    values.truncate(MAX_VALUES);
    values.into_iter().map(|value| index.value(value)).collect()
}

/// Whether one node gave both columns one text.
fn share_a_node(index: &Index<'_>, a: CellRange, b: CellRange) -> bool {
    let place = |own: &SampleValue| {
        let evidence = index.evidence[own.evidence as usize];
        (&*evidence.page, &*evidence.path, &*evidence.value)
    };
    let right = &index.of(b)[..index.of(b).len().min(MAX_VALUES)];
    index.of(a).iter().take(MAX_VALUES).any(|a| right.iter().any(|b| place(a) == place(b)))
}

/// The different values of a column, sorted.
struct Vocabulary(Vec<u64>);

impl Vocabulary {
    fn of<'i, 'a: 'i>(cells: impl Iterator<Item = Cell<'i, 'a>>) -> Self {
        let mut all: Vec<u64> = cells.flatten().map(|value| value.exact).collect();
        all.sort_unstable();
        all.dedup();
        Self(all)
    }

    fn has(&self, value: &ParsedValue<'_>) -> bool {
        self.0.binary_search(&value.exact).is_ok()
    }
}

/// Whether two cells say the same: one holds all that the other says. A text is taken apart only into items that the other
/// column has as values: "Black, White" beside the facets Black and White, but not an address beside its town.
fn says_same(a: &Cell<'_, '_>, b: &Cell<'_, '_>, left: &Vocabulary, right: &Vocabulary) -> bool {
    if let ([a], [b]) = (a.as_slice(), b.as_slice())
        && a.agrees(b)
    {
        return true;
    }
    let plain = |cell: &Cell<'_, '_>| cell.iter().all(|value| value.items.is_empty());
    if a.len() == 1 && b.len() == 1 && plain(a) && plain(b) {
        return false;
    }
    let (a, b) = (items(a, right), items(b, left));
    let (few, many) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    !few.is_empty() && few.iter().all(|one| many.iter().any(|other| one.agrees(other)))
}

/// The values of a cell, those that are lists of the other column's values taken apart.
fn items<'i, 'a>(cell: &Cell<'i, 'a>, other: &Vocabulary) -> Cell<'i, 'a> {
    let mut all = Vec::with_capacity(cell.len());
    for &value in cell {
        if !value.items.is_empty() && value.items.iter().all(|item| other.has(item)) {
            all.extend(&value.items);
        } else {
            all.push(value);
        }
    }
    all.truncate(MAX_VALUES);
    all
}

/// Whether one source shows both columns for one entity; and if so, whether with different values.
pub(crate) fn shown_together(
    index: &Index<'_>,
    a: SourceColumnId,
    b: SourceColumnId,
) -> Option<bool> {
    let shared = shared(&index.cells[a.at()], &index.cells[b.at()]);
    if shared.is_empty() {
        return None;
    }
    let differ = |&(a, b): &(CellRange, CellRange)| {
        let (a, b) = (cell(index, a), cell(index, b));
        !a.iter().any(|a| b.iter().any(|b| a.agrees(b)))
    };
    Some(shared.iter().any(differ))
}
