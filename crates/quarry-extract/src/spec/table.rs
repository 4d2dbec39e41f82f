//! Rows of tables as names with values. Two cells; three with a group before the name; four or six
//! as pairs side by side; a header row over one row of data. A row of one cell heads those below
//! it. Cells that span rows count in each.

use std::collections::BTreeSet;

use quarry_dom::{Attr, Document, NodeId, Tag};

use super::outline::{Outline, Span};
use super::row::{Row, RowKind, colon_name, ends_in_colon, name_fits, pair_fits, split_at};
use crate::page::hash;

/// Cells of a row that are looked at; rows with more hold no single value.
const MAX_CELLS: usize = 24;
/// A heading row has at most so many characters.
const MAX_HEADING: u32 = 80;

struct TableRow {
    node: NodeId,
    /// Cells that say something, those that span from rows above first in their column.
    cells: Vec<NodeId>,
    /// The column of each cell.
    columns: Vec<usize>,
    /// Whether the first column is empty.
    indented: bool,
    /// Whether the row consists of header cells only.
    header: bool,
}

impl TableRow {
    /// Whether all its cells stand in columns of names or of values.
    fn fits(&self, turns: &[(usize, usize)]) -> bool {
        let is_known =
            |column: &usize| turns.iter().any(|turn| turn.0 == *column || turn.1 == *column);
        !turns.is_empty() && self.columns.iter().all(is_known)
    }
}

/// The columns of names and of their values where a row of the table has pairs side by side: in its other rows a value may be
/// empty, and the next name is not the value.
fn turn_columns(outline: &Outline<'_>, grid: &[TableRow]) -> Vec<(usize, usize)> {
    let has_pairs = |row: &&TableRow| row.cells.len() > 3 && side_by_side(outline, &row.cells);
    let row = grid.iter().find(has_pairs);
    row.map_or_else(Vec::new, |row| {
        row.columns.chunks_exact(2).map(|turn| (turn[0], turn[1])).collect()
    })
}

/// The rows of one table, nested tables aside; empty where its cells hold rows of their own.
pub(crate) fn rows(outline: &Outline<'_>, table: NodeId, inside: &[u32]) -> Vec<Row> {
    let grid = grid(outline, table);
    if let Some(found) = header_over_data(outline, table, &grid, inside) {
        return found;
    }
    let wide = grid.iter().filter(|row| row.cells.len() > 4).count();
    let relational =
        grid.first().is_some_and(|row| row.header && row.cells.len() > 2) || wide * 2 > grid.len();
    if relational {
        return Vec::new();
    }
    // The one row of header cells above all others says what the columns are, not what the product is.
    let titled = grid.iter().position(|row| row.header && row.cells.len() > 1) == Some(0)
        && !grid.iter().skip(1).any(|row| row.header);
    let turns = turn_columns(outline, &grid);
    let mut found = Vec::new();
    let mut section = None;
    for row in grid.iter().skip(usize::from(titled)) {
        let nested = row.cells.iter().filter(|cell| inside[cell.index()] > 0).count();
        let crowded = row.cells.iter().any(|cell| inside[cell.index()] > 1);
        if (crowded || nested > 1) && !has_marked_name(outline, &row.cells) {
            continue;
        }
        let spans: Vec<Span> = row.cells.iter().map(|&cell| outline.span(cell)).collect();
        match spans[..] {
            [] => {}
            [_, _, ..] if row.fits(&turns) => {
                let at = |column: usize| row.columns.iter().position(|&own| own == column);
                for &(name, value) in &turns {
                    if let (Some(name), Some(value)) = (at(name), at(value)) {
                        let pair = [spans[name], spans[value]];
                        push(outline, table, row, &pair, section, &mut found);
                    }
                }
            }
            [only] => {
                if nested == 0
                    && outline.chars(only) <= MAX_HEADING
                    && colon_name(outline, only).is_none()
                {
                    section = Some(only);
                }
            }
            [_, _] | [_, _, _] => push(outline, table, row, &spans, section, &mut found),
            _ if side_by_side(outline, &row.cells) => {
                for pair in spans.chunks_exact(2) {
                    push(outline, table, row, pair, section, &mut found);
                }
            }
            _ => {
                let rest = Span { first: spans[1].first, end: spans[spans.len() - 1].end };
                push(outline, table, row, &[spans[0], rest], section, &mut found);
            }
        }
    }
    found
}

/// Whether the first of two cells ends in a colon and no text of the second one has any: what seems to be rows in there is a list,
/// such as names of people, some of which are links.
fn has_marked_name(outline: &Outline<'_>, cells: &[NodeId]) -> bool {
    let [name, value] = cells[..] else { return false };
    let marked = |node: NodeId| split_at(outline.document.text(node)).is_some();
    ends_in_colon(&outline.text(outline.span(name)))
        && !outline.leaves_of(outline.span(value)).iter().any(|leaf| marked(leaf.node))
}

fn push(
    outline: &Outline<'_>,
    table: NodeId,
    row: &TableRow,
    cells: &[Span],
    section: Option<Span>,
    found: &mut Vec<Row>,
) {
    if pair_fits(outline, cells) {
        let key = hash::then(RowKind::Table as u64, outline.path[table.index()]);
        let (anchor, cells) = (row.node, cells.to_vec());
        let indented = row.indented;
        found.push(Row {
            kind: RowKind::Table,
            anchor,
            container: table,
            cells,
            indented,
            section,
            key,
        });
    }
}

/// Names and values in turn: header cells before others, or the first of each two ends in a colon or looks
/// different from the second.
fn side_by_side(outline: &Outline<'_>, cells: &[NodeId]) -> bool {
    if !cells.len().is_multiple_of(2) {
        return false;
    }
    let document = outline.document;
    let pairs = || cells.chunks_exact(2);
    let headers =
        pairs().all(|pair| document.is(pair[0], Tag::TH) && document.is(pair[1], Tag::TD));
    let look = |cell: NodeId| outline.look[cell.index()];
    let looks = pairs()
        .all(|pair| look(pair[0]) == look(cells[0]) && look(pair[1]) == look(cells[1]))
        && look(cells[0]) != look(cells[1]);
    headers || looks || pairs().all(|pair| ends_in_colon(&outline.text(outline.span(pair[0]))))
}

/// A header row with names and the one row below it with the values.
fn header_over_data(
    outline: &Outline<'_>,
    table: NodeId,
    grid: &[TableRow],
    inside: &[u32],
) -> Option<Vec<Row>> {
    let full: Vec<&TableRow> = grid.iter().filter(|row| row.cells.len() > 1).collect();
    let [head, data] = full[..] else { return None };
    let aligned = data.columns.iter().all(|column| head.columns.contains(column));
    let fits = aligned && !data.header && (head.header || reads_as_header(outline, head, data));
    let plain = data.cells.iter().all(|cell| inside[cell.index()] == 0);
    if !fits || !plain || !head.cells.iter().all(|&cell| name_fits(outline, outline.span(cell))) {
        return None;
    }
    let key = hash::then(RowKind::Header as u64, outline.path[table.index()]);
    // A column without a value has no row: what stands in the next one belongs to that.
    let above = |column: &usize| head.columns.iter().position(|own| own == column);
    let cells = data.cells.iter().zip(&data.columns);
    let cells = cells.filter_map(|(&value, column)| Some((head.cells[above(column)?], value)));
    let rows = cells.map(|(name, value)| Row {
        kind: RowKind::Header,
        anchor: data.node,
        cells: vec![outline.span(name), outline.span(value)],
        container: table,
        indented: false,
        section: None,
        key,
    });
    Some(rows.collect())
}

/// Columns from which on a row of plain cells may be the header of the row below it; two columns are names with values.
const MIN_HEADER_COLUMNS: usize = 3;

/// Whether a row of plain cells names the cells of the row below: words without numbers over cells that have some, or that look
/// different. Pages decide later whether its texts are names.
fn reads_as_header(outline: &Outline<'_>, head: &TableRow, data: &TableRow) -> bool {
    let has_digit =
        |cell: &NodeId| outline.text(outline.span(*cell)).chars().any(|char| char.is_ascii_digit());
    let looks = |row: &TableRow| -> BTreeSet<u64> {
        row.cells.iter().map(|&cell| inner_look(outline, cell)).collect()
    };
    head.cells.len() >= MIN_HEADER_COLUMNS
        && !side_by_side(outline, &head.cells)
        && !head.cells.iter().any(has_digit)
        && (data.cells.iter().any(has_digit) || looks(head).is_disjoint(&looks(data)))
}

/// The look of a cell and of the only element in it.
fn inner_look(outline: &Outline<'_>, cell: NodeId) -> u64 {
    let mut inner = outline.document.child_elements(cell);
    let only = inner.next().filter(|_| inner.next().is_none());
    let inside = only.map_or(0, |node| outline.look[node.index()]);
    hash::then(outline.look[cell.index()], inside)
}

fn grid(outline: &Outline<'_>, table: NodeId) -> Vec<TableRow> {
    let document = outline.document;
    let mut grid = Vec::new();
    // Cells that reach into further rows: column, cell, rows left.
    let mut reaching: Vec<(usize, NodeId, usize)> = Vec::new();
    for node in table_rows(document, table) {
        let mut placed: Vec<(usize, NodeId)> = Vec::new();
        for (column, cell, left) in &mut reaching {
            *left -= 1;
            // A cell that reaches down in the first column names a group of rows.
            if *column == 0 {
                placed.push((0, *cell));
            }
        }
        let mut column = 0;
        let mut header = true;
        let mut next: Vec<(usize, NodeId, usize)> = Vec::new();
        let cells = document
            .child_elements(node)
            .filter(|&cell| document.is(cell, Tag::TD) || document.is(cell, Tag::TH));
        for cell in cells.take(MAX_CELLS) {
            while reaching.iter().any(|&(taken, ..)| taken == column) {
                column += 1;
            }
            header &= document.is(cell, Tag::TH);
            if outline.has_content(cell) {
                placed.push((column, cell));
            }
            let rows = number(document, cell, Attr::ROWSPAN);
            if rows > 1 && outline.has_content(cell) {
                next.push((column, cell, rows - 1));
            }
            column += number(document, cell, Attr::COLSPAN);
        }
        reaching.retain(|&(_, _, left)| left > 0);
        reaching.append(&mut next);
        reaching.truncate(MAX_CELLS);
        placed.sort_unstable();
        let indented = placed.first().is_some_and(|&(column, _)| column > 0);
        let (columns, cells): (Vec<usize>, Vec<NodeId>) = placed.into_iter().unzip();
        if !cells.is_empty() {
            grid.push(TableRow { node, cells, columns, indented, header });
        }
    }
    grid
}

/// The rows of the table itself.
fn table_rows(document: &Document, table: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    document.child_elements(table).flat_map(move |part| {
        let own = document.is(part, Tag::TR).then_some(part);
        let body = matches!(document.tag(part), Some(Tag::TBODY | Tag::THEAD | Tag::TFOOT));
        let inner =
            body.then(|| document.child_elements(part).filter(|&row| document.is(row, Tag::TR)));
        own.into_iter().chain(inner.into_iter().flatten())
    })
}

fn number(document: &Document, cell: NodeId, attr: Attr) -> usize {
    let number = document.known_attr(cell, attr).and_then(|text| text.trim().parse().ok());
    number.unwrap_or(1).clamp(1, 1000)
}
