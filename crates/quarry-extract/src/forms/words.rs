//! The words that say what a form is for. Short lists in many languages. Names in mark-up are taken
//! apart first: `edt_searchKeyword` is `edt`, `search`, `keyword`.

use crate::text::name_parts;

/// Words of one meaning.
pub(super) struct Words {
    /// Found anywhere in a word: long stems, and scripts that do not part words.
    pub(super) stems: &'static [&'static str],
    /// Found as a whole word only.
    pub(super) whole: &'static [&'static str],
}

impl Words {
    /// Whether a text or a name from the mark-up has one of the words.
    pub(super) fn are_in(&self, text: &str) -> bool {
        if text.is_empty() {
            return false;
        }
        let lower = text.to_lowercase();
        self.stems.iter().any(|stem| lower.contains(stem))
            || !self.whole.is_empty()
                && name_parts(text).any(|part| self.whole.contains(&part.as_str()))
    }
}

/// Whether a name or text speaks of searching, in one of many languages.
#[must_use]
pub fn names_search(text: &str) -> bool {
    SEARCH.are_in(text)
}

/// To search.
pub(super) const SEARCH: Words = Words {
    stems: &[
        "search",
        "suche",
        "durchsuch",
        "cherche",
        "buscar",
        "busca ",
        "búsqueda",
        "busqueda",
        "buscador",
        "pesquis",
        "procurar",
        "ricerca",
        "zoek",
        "szuka",
        "vyhled",
        "hledat",
        "hledej",
        "hledan",
        "vyhľad",
        "hľada",
        "keresés",
        "kereses",
        "keresé",
        "căuta",
        "cauta",
        "поиск",
        "найти",
        "искать",
        "пошук",
        "знайти",
        "шукати",
        "търс",
        "претраг",
        "pretraž",
        "pretraz",
        "iskanj",
        "etsi ",
        "paiešk",
        "paiesk",
        "ieško",
        "meklē",
        "arama",
        "αναζήτηση",
        "αναζητ",
        "חיפוש",
        "חפש",
        "بحث",
        "جستجو",
        "ค้นหา",
        "tìm kiếm",
        "pencarian",
        "検索",
        "探す",
        "搜索",
        "搜尋",
        "搜寻",
        "查询",
        "查詢",
        "查找",
        "查寻",
        "검색",
        "खोज",
    ],
    whole: &[
        "find", "lookup", "busca", "busqueda", "cerca", "cercar", "sök", "sok", "søk", "søg",
        "soeg", "ara", "haku", "hae", "etsi", "otsi", "otsing", "traži", "trazi", "išči", "isci",
        "cari", "tìm", "kërko", "leita", "cauta", "kereso",
    ],
};

/// Names under which sites send what was typed into a search field.
pub(super) const QUERY: Words = Words {
    stems: &[
        "keyword",
        "query",
        "searchword",
        "searchterm",
        "searchtext",
        "stichwort",
        "suchbegriff",
    ],
    whole: &[
        "q",
        "qs",
        "qry",
        "s",
        "k",
        "kw",
        "kwd",
        "wd",
        "word",
        "words",
        "term",
        "terms",
        "text",
        "phrase",
        "fraza",
        "fulltext",
        "freetext",
        "uzklausa",
        "palabra",
        "mot",
        "mots",
        "querytext",
    ],
};

/// To narrow, sort or page a list that is already there.
pub(super) const REFINE: Words = Words {
    stems: &[
        "filter",
        "filtr",
        "refine",
        "narrow",
        "sortier",
        "sortby",
        "sort_by",
        "sort by",
        "orderby",
        "order_by",
        "perpage",
        "per_page",
        "per page",
        "pagesize",
        "facet",
        "trier",
        "ordenar",
        "ordina",
        "rendez",
        "сортир",
        "фильтр",
        "絞り込",
        "並び替え",
        "排序",
        "筛选",
        "정렬",
    ],
    whole: &["sort", "sorting", "sorter", "order", "ordering", "limit", "psort"],
};

/// To enter an account.
pub(super) const LOGIN: Words = Words {
    stems: &[
        "login",
        "log-in",
        "log_in",
        "signin",
        "sign-in",
        "sign_in",
        "sign in",
        "log in",
        "logon",
        "anmeld",
        "einlogg",
        "connexion",
        "s'identifier",
        "iniciar sesi",
        "accedi",
        "inloggen",
        "zaloguj",
        "logowani",
        "přihlás",
        "prihlas",
        "prihlás",
        "prisijung",
        "bejelentkez",
        "войти",
        "вход",
        "авториз",
        "увійти",
        "giriş",
        "ログイン",
        "登录",
        "登入",
        "로그인",
        "ورود",
        "تسجيل الدخول",
        "entrar",
    ],
    whole: &["auth", "session", "sessions", "logowanie"],
};

/// To make an account.
pub(super) const REGISTER: Words = Words {
    stems: &[
        "regist",
        "signup",
        "sign-up",
        "sign_up",
        "sign up",
        "createaccount",
        "create_account",
        "create account",
        "create an account",
        "newcustomer",
        "new_customer",
        "newuser",
        "inscri",
        "konto erstell",
        "benutzer-anlegen",
        "rejestr",
        "zarejestr",
        "регистр",
        "зареєстр",
        "登録",
        "注册",
        "註冊",
        "회원가입",
        "kayıt",
        "kayit",
    ],
    whole: &["join"],
};

/// A password.
pub(super) const PASSWORD: Words = Words {
    stems: &[
        "password",
        "passwd",
        "passwort",
        "kennwort",
        "парол",
        "contraseña",
        "mot de passe",
        "hasło",
    ],
    whole: &["pwd", "pass"],
};

/// To get or give news and opinions by mail: newsletters, comments, contact.
pub(super) const WRITE: Words = Words {
    stems: &[
        "newsletter",
        "subscri",
        "mailing",
        "mailinglist",
        "listmanage",
        "list-manage",
        "mailverify",
        "abonn",
        "рассыл",
        "підпис",
        "подпис",
        "hírlevél",
        "hirlevel",
        "boletin",
        "boletín",
        "notify",
        "feedback",
        "comment",
        "kommentar",
        "contact",
        "kontakt",
        "forgot",
        "recover",
        "reset password",
        "unsubscribe",
        "survey",
        "poll",
        "vote",
        "voting",
        "メルマガ",
        "订阅",
        "구독",
    ],
    whole: &["news", "share"],
};

/// To buy.
pub(super) const BUY: Words = Words {
    stems: &[
        "addtocart",
        "add-to-cart",
        "add_to_cart",
        "add to cart",
        "add to bag",
        "addtobasket",
        "add to basket",
        "warenkorb",
        "panier",
        "carrito",
        "carrello",
        "winkelwagen",
        "koszyk",
        "košík",
        "kosik",
        "kosár",
        "корзин",
        "кошик",
        "sepet",
        "checkout",
        "quantity",
        "wishlist",
        "カート",
        "购物车",
        "장바구니",
        "buyproduct",
        "coupon_code",
        "promo_code",
    ],
    whole: &["cart", "basket", "qty", "quantity", "menge", "buy", "bid", "donate", "amount"],
};

/// An e-mail address.
pub(super) const EMAIL: Words = Words {
    stems: &[
        "e-mail",
        "email",
        "e-post",
        "почт",
        "メール",
        "邮箱",
        "郵箱",
        "이메일",
        "correo",
        "courriel",
    ],
    whole: &["mail", "em"],
};

/// Who or where somebody is, or what does not belong into a search.
pub(super) const PERSON: Words = Words {
    stems: &[
        "firstname",
        "first_name",
        "first name",
        "lastname",
        "last_name",
        "last name",
        "surname",
        "fullname",
        "your name",
        "username",
        "user_name",
        "nickname",
        "phone",
        "telefon",
        "address",
        "birth",
        "company",
        "organization",
        "captcha",
        "security_code",
        "order number",
        "ordernumber",
        "ordernr",
        "message",
        "nachricht",
        "homepage",
        "subject",
    ],
    whole: &["fname", "lname", "tel", "fax", "vorname", "nachname", "iban", "card", "pin", "url"],
};

/// To change how a site shows itself.
pub(super) const DISPLAY: Words = Words {
    stems: &[
        "language", "langue", "sprache", "idioma", "currency", "währung", "styleid", "country",
        "theme",
    ],
    whole: &["lang", "locale", "style", "skin", "jump", "jumpto", "goto"],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_many_languages() {
        let check = |words: &Words, text: &str, expect: bool| {
            assert_eq!(words.are_in(text), expect, "{text}");
        };
        check(&SEARCH, "Site Search", true);
        check(&SEARCH, "SØK", true);
        check(&SEARCH, "Поиск по сайту", true);
        check(&SEARCH, "请输入您要搜索的关键字", true);
        check(&SEARCH, "Tapez votre recherche", true);
        check(&SEARCH, "serviceFinder", false);
        check(&SEARCH, "paragraph", false);
        check(&QUERY, "q", true);
        check(&QUERY, "qty", false);
        check(&BUY, "qty", true);
        check(&REFINE, "selProductSort", true);
        check(&LOGIN, "Přihlásit", true);
    }
}
