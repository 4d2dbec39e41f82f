//! Words in classes and ids of paging: they count, and decide nothing alone.

/// Words that name paging, some of them other things too.
pub(super) const MARKS: &[&str] = &[
    "pagination",
    "paginate",
    "paginator",
    "paging",
    "pager",
    "pages",
    "pagenav",
    "pagenavi",
    "paginav",
    "pagelinks",
    "pagelink",
    "pagenumbers",
    "navigation",
    "page",
    "seiten",
    "nav",
    "numbers",
    "pgn",
    "pagi",
];

/// Those of them that mean nothing else.
pub(super) const STRONG_MARKS: &[&str] = &[
    "pagination",
    "paginate",
    "paginator",
    "paging",
    "pager",
    "pagenav",
    "pagenavi",
    "paginav",
    "pagelinks",
    "pagenumbers",
];
