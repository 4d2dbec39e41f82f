//! Names of months and days of the week in many languages, and which days exist.

/// Months in the languages of Europe, whole and cut short, with the cases that dates use. Sorted.
#[rustfmt::skip]
const MONTHS: &[(&str, u8)] = &[
    ("abr", 4), ("abril", 4), ("ago", 8), ("agosto", 8), ("agustus", 8), ("août", 8),
    ("apr", 4), ("april", 4), ("aprile", 4), ("aprilie", 4), ("apríl", 4), ("apríla", 4),
    ("aralık", 12), ("aug", 8), ("august", 8), ("augusta", 8), ("augusti", 8), ("augustus", 8),
    ("augusztus", 8), ("avr", 4), ("avril", 4), ("ağustos", 8), ("březen", 3), ("března", 3),
    ("cze", 6), ("czerwca", 6), ("czerwiec", 6), ("dec", 12), ("december", 12),
    ("decembra", 12), ("decembrie", 12), ("des", 12), ("desember", 12), ("dez", 12),
    ("dezember", 12), ("dezembro", 12), ("dic", 12), ("dicembre", 12), ("diciembre", 12),
    ("duben", 4), ("dubna", 4), ("déc", 12), ("décembre", 12), ("ekim", 10), ("elokuu", 8),
    ("elokuuta", 8), ("ene", 1), ("enero", 1), ("eylül", 9), ("feb", 2), ("febbraio", 2),
    ("febr", 2), ("febrero", 2), ("februar", 2), ("februari", 2), ("februarie", 2),
    ("february", 2), ("február", 2), ("februára", 2), ("fev", 2), ("fevereiro", 2), ("fév", 2),
    ("févr", 2), ("février", 2), ("gen", 1), ("gennaio", 1), ("giu", 6), ("giugno", 6),
    ("gru", 12), ("grudnia", 12), ("grudzień", 12), ("haziran", 6), ("heinäkuu", 7),
    ("heinäkuuta", 7), ("helmikuu", 2), ("helmikuuta", 2), ("huhtikuu", 4), ("huhtikuuta", 4),
    ("ian", 1), ("ianuarie", 1), ("iul", 7), ("iulie", 7), ("iun", 6), ("iunie", 6), ("jan", 1),
    ("janeiro", 1), ("januar", 1), ("januari", 1), ("january", 1), ("január", 1),
    ("januára", 1), ("janv", 1), ("janvier", 1), ("joulukuu", 12), ("joulukuuta", 12),
    ("juil", 7), ("juillet", 7), ("juin", 6), ("jul", 7), ("julho", 7), ("juli", 7),
    ("julio", 7), ("july", 7), ("jun", 6), ("june", 6), ("junho", 6), ("juni", 6), ("junio", 6),
    ("jän", 1), ("jänner", 1), ("júl", 7), ("júla", 7), ("július", 7), ("jún", 6), ("júna", 6),
    ("június", 6), ("kasım", 11), ("kesäkuu", 6), ("kesäkuuta", 6), ("květen", 5),
    ("května", 5), ("kwi", 4), ("kwiecień", 4), ("kwietnia", 4), ("leden", 1), ("ledna", 1),
    ("lip", 7), ("lipca", 7), ("lipiec", 7), ("lis", 11), ("listopad", 11), ("listopada", 11),
    ("listopadu", 11), ("lokakuu", 10), ("lokakuuta", 10), ("lug", 7), ("luglio", 7),
    ("lutego", 2), ("luty", 2), ("maaliskuu", 3), ("maaliskuuta", 3), ("maart", 3), ("mag", 5),
    ("maggio", 5), ("mai", 5), ("maio", 5), ("maj", 5), ("maja", 5), ("mar", 3), ("marca", 3),
    ("march", 3), ("marec", 3), ("maret", 3), ("marraskuu", 11), ("marraskuuta", 11),
    ("mars", 3), ("mart", 3), ("martie", 3), ("marts", 3), ("marzec", 3), ("marzo", 3),
    ("março", 3), ("may", 5), ("mayo", 5), ("mayıs", 5), ("mei", 5), ("mrt", 3), ("mrz", 3),
    ("máj", 5), ("mája", 5), ("május", 5), ("március", 3), ("mär", 3), ("märz", 3),
    ("nisan", 4), ("noiembrie", 11), ("nov", 11), ("november", 11), ("novembra", 11),
    ("novembre", 11), ("novembro", 11), ("noviembre", 11), ("ocak", 1), ("oct", 10),
    ("october", 10), ("octobre", 10), ("octombrie", 10), ("octubre", 10), ("okt", 10),
    ("oktober", 10), ("október", 10), ("októbra", 10), ("ott", 10), ("ottobre", 10),
    ("out", 10), ("outubro", 10), ("paź", 10), ("październik", 10), ("października", 10),
    ("prosince", 12), ("prosinec", 12), ("sep", 9), ("sept", 9), ("september", 9),
    ("septembra", 9), ("septembre", 9), ("septembrie", 9), ("septiembre", 9), ("set", 9),
    ("setembro", 9), ("setiembre", 9), ("settembre", 9), ("sie", 8), ("sierpień", 8),
    ("sierpnia", 8), ("srpen", 8), ("srpna", 8), ("sty", 1), ("styczeń", 1), ("stycznia", 1),
    ("syyskuu", 9), ("syyskuuta", 9), ("szeptember", 9), ("tammikuu", 1), ("tammikuuta", 1),
    ("temmuz", 7), ("toukokuu", 5), ("toukokuuta", 5), ("wrz", 9), ("wrzesień", 9),
    ("września", 9), ("září", 9), ("április", 4), ("únor", 2), ("února", 2), ("červen", 6),
    ("července", 7), ("červenec", 7), ("června", 6), ("říjen", 10), ("října", 10), ("şubat", 2),
    ("απρίλιος", 4), ("απριλίου", 4), ("αυγούστου", 8), ("αύγουστος", 8), ("δεκέμβριος", 12),
    ("δεκεμβρίου", 12), ("ιανουάριος", 1), ("ιανουαρίου", 1), ("ιουλίου", 7), ("ιουνίου", 6),
    ("ιούλιος", 7), ("ιούνιος", 6), ("μάιος", 5), ("μάρτιος", 3), ("μαΐου", 5), ("μαρτίου", 3),
    ("νοέμβριος", 11), ("νοεμβρίου", 11), ("οκτωβρίου", 10), ("οκτώβριος", 10),
    ("σεπτέμβριος", 9), ("σεπτεμβρίου", 9), ("φεβρουάριος", 2), ("φεβρουαρίου", 2), ("авг", 8),
    ("август", 8), ("августа", 8), ("апр", 4), ("апрель", 4), ("апреля", 4), ("березень", 3),
    ("березня", 3), ("вересень", 9), ("вересня", 9), ("грудень", 12), ("грудня", 12),
    ("дек", 12), ("декабрь", 12), ("декабря", 12), ("жовтень", 10), ("жовтня", 10), ("июл", 7),
    ("июль", 7), ("июля", 7), ("июн", 6), ("июнь", 6), ("июня", 6), ("квітень", 4),
    ("квітня", 4), ("липень", 7), ("липня", 7), ("листопад", 11), ("листопада", 11),
    ("лютий", 2), ("лютого", 2), ("май", 5), ("мар", 3), ("март", 3), ("марта", 3), ("мая", 5),
    ("ноя", 11), ("нояб", 11), ("ноябрь", 11), ("ноября", 11), ("окт", 10), ("октябрь", 10),
    ("октября", 10), ("сен", 9), ("сент", 9), ("сентябрь", 9), ("сентября", 9), ("серпень", 8),
    ("серпня", 8), ("січень", 1), ("січня", 1), ("травень", 5), ("травня", 5), ("фев", 2),
    ("февраль", 2), ("февраля", 2), ("червень", 6), ("червня", 6), ("янв", 1), ("январь", 1),
    ("января", 1),
];

/// Days of the week, for dates that begin with one. Sorted.
#[rustfmt::skip]
const WEEKDAYS: &[&str] = &[
    "czw", "czwartek", "di", "dienstag", "dim", "dimanche", "dinsdag", "do", "dom", "domenica",
    "domingo", "donderdag", "donnerstag", "fr", "fredag", "freitag", "fri", "friday", "gio",
    "giovedì", "jeu", "jeudi", "jue", "jueves", "keskiviikko", "lauantai", "lun", "lundi",
    "lunedì", "lunes", "lördag", "lørdag", "ma", "maanantai", "maandag", "mandag", "mar",
    "mardi", "martedì", "martes", "mer", "mercoledì", "mercredi", "mi", "mittwoch", "mié",
    "miércoles", "mo", "mon", "monday", "montag", "måndag", "nd", "neděle", "niedziela",
    "onsdag", "perjantai", "piątek", "pon", "pondělí", "poniedziałek", "pt", "pátek", "quarta",
    "quinta", "sa", "sab", "sabato", "sam", "samedi", "samstag", "sat", "saturday", "segunda",
    "sexta", "so", "sob", "sobota", "sonnabend", "sonntag", "středa", "sun", "sunday",
    "sunnuntai", "sáb", "sábado", "söndag", "søndag", "terça", "thu", "thur", "thurs",
    "thursday", "tiistai", "tirsdag", "tisdag", "torsdag", "torstai", "tue", "tues", "tuesday",
    "ven", "vendredi", "venerdì", "vie", "viernes", "vr", "vrijdag", "wed", "wednesday", "wo",
    "woensdag", "wt", "wtorek", "za", "zaterdag", "zo", "zondag", "úterý", "čtvrtek", "śr",
    "środa", "воскресенье", "вс", "вт", "вторник", "пн", "понедельник", "пт", "пятница", "сб",
    "ср", "среда", "суббота", "четверг", "чт",
];

/// Names of months that are other words too (Set 3, Gen 2, Mars 5): they count only beside a day and a year.
const DOUBTFUL: [&str; 10] =
    ["ago", "des", "gen", "lis", "lug", "mag", "mars", "mart", "out", "set"];

/// The month of this name in lower case, and whether the name needs a day and a year beside it.
pub(super) fn month_by_name(word: &str) -> Option<(u8, bool)> {
    super::scan::look_up(MONTHS, word).map(|month| (month, DOUBTFUL.contains(&word)))
}

pub(super) fn weekday_by_name(word: &str) -> bool {
    WEEKDAYS.binary_search(&word).is_ok()
}

/// Whether there is such a day in the calendar. Without a year, 29 February exists.
pub(super) fn exists(year: Option<u16>, month: u16, day: Option<u16>) -> bool {
    let leap = year.is_none_or(|year| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u16::from(leap),
        1..=12 => 31,
        _ => return false,
    };
    day.is_none_or(|day| (1..=days).contains(&day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(MONTHS.is_sorted_by(|a, b| a.0 < b.0));
        assert!(WEEKDAYS.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn leap_years() {
        for (year, leap) in [(2023, false), (2024, true), (1900, false), (2000, true)] {
            assert_eq!(exists(Some(year), 2, Some(29)), leap, "{year}");
        }
    }
}
