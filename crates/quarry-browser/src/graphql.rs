//! Tells GraphQL requests that only read from those that could change something.
//!
//! GraphQL sends reading requests by POST, too. What an operation may do is said by its kind (GraphQL specification, section 2.3):
//! `query` reads, `mutation` writes, `subscription` stays open.

use serde_json::Value;

/// Whether a request body is GraphQL that reads, and nothing else: in doubt not.
pub(crate) fn only_reads(body: &str) -> bool {
    let is_query = |one: &Value| one["query"].as_str().is_some_and(is_reading_document);
    match serde_json::from_str::<Value>(body) {
        Ok(Value::Array(all)) => !all.is_empty() && all.iter().all(is_query),
        Ok(one) => is_query(&one),
        Err(_) => false,
    }
}

/// Whether all operations of a document read: those of the short form, which have no kind, do.
fn is_reading_document(document: &str) -> bool {
    let mut depth = 0_i32;
    let mut operations = 0;
    // The words before the braces of a definition; the first is its kind.
    let mut words: Vec<String> = Vec::new();
    let mut chars = document.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '#' => while chars.next_if(|&next| next != '\n').is_some() {},
            // Texts stand among arguments; outside of braces they are default values.
            '"' => skip_text(&mut chars),
            '{' | '(' | '[' => {
                if char == '{' && depth == 0 {
                    match words.first().map(String::as_str) {
                        None | Some("query") => operations += 1,
                        Some("fragment") => {}
                        Some(_) => return false,
                    }
                }
                depth += 1;
            }
            '}' | ')' | ']' => {
                depth -= 1;
                if char == '}' && depth == 0 {
                    words.clear();
                }
            }
            _ if depth == 0 && (char.is_alphanumeric() || char == '_') => {
                let mut word = String::from(char);
                while let Some(next) = chars.next_if(|next| next.is_alphanumeric() || *next == '_')
                {
                    word.push(next);
                }
                words.push(word);
            }
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0 && operations > 0 && words.is_empty()
}

/// Goes to the end of a text that has begun: of one line, or a block between three quotes.
fn skip_text(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    if chars.next_if_eq(&'"').is_some() {
        if chars.next_if_eq(&'"').is_some() {
            skip_block(chars);
        }
        return;
    }
    while let Some(char) = chars.next() {
        match char {
            '\\' => {
                chars.next();
            }
            '"' => return,
            _ => {}
        }
    }
}

/// Goes to the end of a block that has begun; three quotes behind a backslash do not end it.
fn skip_block(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    let mut quotes = 0;
    while let Some(char) = chars.next() {
        match char {
            '"' => quotes += 1,
            '\\' => {
                quotes = 0;
                let mut escaped = 0;
                while escaped < 3 && chars.next_if_eq(&'"').is_some() {
                    escaped += 1;
                }
            }
            _ => quotes = 0,
        }
        if quotes == 3 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_documents_whose_operations_all_read_are_sent() {
        for (document, expect) in [
            ("{ books { title } }", true),
            (
                "query Books($after: String = \"mutation {\") { books(after: $after) { title } }",
                true,
            ),
            ("# mutation\nquery A { a(mutation: 1) }", true),
            ("fragment F on Book { title } query { books { ...F } }", true),
            ("query A { a(text: \"\"\" says \"mutation {\" \"\"\") }", true),
            ("query A { a(x: \"\") } mutation B { remove } query C { c(x: \"\") }", false),
            (
                "query A { a(x: \"\"\" \" \"\"\") } mutation B { remove } query C { c(x: \"\"\" \" \"\"\") }",
                false,
            ),
            ("query A { a(x: \"\"\" \\\"\"\" \"\"\") } mutation B { remove }", false),
            ("mutation { remove(id: 1) }", false),
            ("query A { a } mutation B { remove(id: 1) }", false),
            ("subscription { changes }", false),
            ("fragment F on Book { title }", false),
            ("query A { a", false),
            ("", false),
        ] {
            let body = json!({ "query": document, "variables": {} }).to_string();
            assert_eq!(only_reads(&body), expect, "{document}");
        }
        assert!(only_reads("[{\"query\":\"{a}\"},{\"query\":\"{b}\"}]"));
        for body in ["[]", "query=1", "{\"id\":\"hash\"}", "{\"query\":\"lamp\"}", ""] {
            assert!(!only_reads(body), "{body}");
        }
    }
}
