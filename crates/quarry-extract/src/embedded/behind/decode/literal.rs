//! Finds data in scripts: arrays and objects that are written out, and JSON in strings.
//!
//! No code is run. At each bracket a literal is read by the grammar of JavaScript; where something else comes, it is no data.

use serde_json::{Map, Number, Value};

/// Plain values of a literal, at the least: three records of two.
const MIN_VALUES: usize = 6;
/// Literals of a script that are kept.
const MAX_LITERALS: usize = 500;
/// Steps that are taken for each byte of a script: brackets inside of one that was no data are tried again.
const STEPS_PER_BYTE: usize = 16;
/// The depth of brackets that is followed.
const MAX_DEPTH: usize = 64;

/// The arrays and objects that a script holds, in their order.
pub(super) fn literals(text: &str) -> Vec<Value> {
    let bytes = text.as_bytes();
    let mut reader = Reader { text, at: 0, steps: STEPS_PER_BYTE * bytes.len() };
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() && found.len() < MAX_LITERALS && reader.steps > 0 {
        reader.at = at;
        let next = bytes.get(at + 1);
        let value = match bytes[at] {
            b'[' | b'{' => reader.value(0),
            // JSON in a string, for a parser that is quicker than that of scripts.
            b'\'' | b'"' | b'`' if matches!(next, Some(b'[' | b'{')) => {
                let json = reader.string();
                json.and_then(|json| serde_json::from_str(&json).ok())
            }
            _ => None,
        };
        match value.filter(|value| super::super::scalars(value) >= MIN_VALUES) {
            Some(value) => {
                found.push(value);
                at = reader.at;
            }
            None => at += 1,
        }
    }
    found
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Steps that are left.
    steps: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips white space and comments.
    fn skip(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            let end = match trimmed.as_bytes() {
                [b'/', b'*', ..] => trimmed.find("*/").map(|end| end + 2),
                [b'/', b'/', ..] => trimmed.find('\n'),
                _ => return,
            };
            let Some(end) = end else { return };
            self.at += end;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        self.skip();
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        self.steps = self.steps.checked_sub(1)?;
        if depth > MAX_DEPTH {
            return None;
        }
        self.skip();
        match self.peek()? {
            b'[' => self.array(depth),
            b'{' => self.object(depth),
            b'\'' | b'"' | b'`' => self.string().map(Value::String),
            b'0'..=b'9' | b'.' | b'-' => self.number(),
            // As tools that shorten scripts write true and false.
            b'!' => {
                let value = match self.text.as_bytes().get(self.at + 1)? {
                    b'0' => true,
                    b'1' => false,
                    _ => return None,
                };
                self.at += 2;
                Some(Value::Bool(value))
            }
            _ => self.word(),
        }
    }

    fn array(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        let mut items = Vec::new();
        while !self.take(b']') {
            items.push(self.value(depth + 1)?);
            if !self.take(b',') {
                return self.take(b']').then_some(Value::Array(items));
            }
        }
        Some(Value::Array(items))
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        let mut fields = Map::new();
        while !self.take(b'}') {
            let name = match self.peek()? {
                b'\'' | b'"' => self.string()?,
                _ => self.name()?.to_owned(),
            };
            if !self.take(b':') {
                return None;
            }
            fields.insert(name, self.value(depth + 1)?);
            if !self.take(b',') {
                return self.take(b'}').then_some(Value::Object(fields));
            }
        }
        Some(Value::Object(fields))
    }

    fn name(&mut self) -> Option<&str> {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        self.at += end;
        self.steps = self.steps.saturating_sub(end);
        (end > 0).then(|| &rest[..end])
    }

    /// A word in place of a value: what names a variable is not known here.
    fn word(&mut self) -> Option<Value> {
        let value = match self.name()? {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "void" => {
                self.skip();
                self.number()?;
                Value::Null
            }
            _ => Value::Null,
        };
        self.skip();
        matches!(self.peek()?, b',' | b'}' | b']').then_some(value)
    }

    fn number(&mut self) -> Option<Value> {
        let rest = &self.text[self.at..];
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E');
        let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        self.at += end;
        self.steps = self.steps.saturating_sub(end);
        let written = &rest[..end];
        if let Ok(whole) = written.parse::<i64>() {
            return Some(Value::Number(whole.into()));
        }
        let number = written.parse::<f64>().ok()?;
        if number.fract() == 0.0 && number.abs() < MAX_WHOLE {
            return Some(Value::Number((number as i64).into()));
        }
        Number::from_f64(number).map(Value::Number)
    }

    fn string(&mut self) -> Option<String> {
        let quote = self.text[self.at..].chars().next()?;
        let from = self.at + 1;
        let mut found = String::new();
        let mut chars = self.text[from..].char_indices();
        while let Some((at, char)) = chars.next() {
            self.steps = self.steps.checked_sub(1)?;
            match char {
                _ if char == quote => {
                    self.at = from + at + 1;
                    return Some(found);
                }
                // What is put into a template is not known.
                '$' if quote == '`' && self.text[from + at..].starts_with("${") => return None,
                '\n' if quote != '`' => return None,
                '\\' => match chars.next()?.1 {
                    'n' => found.push('\n'),
                    't' => found.push('\t'),
                    'r' => found.push('\r'),
                    'b' | 'f' | 'v' | '0' => {}
                    '\n' => {}
                    'x' => found.push(code(&mut chars, 2)?),
                    'u' => found.push(self.unicode(&mut chars, from)?),
                    other => found.push(other),
                },
                char => found.push(char),
            }
        }
        None
    }

    /// A character by its number: `\u00e4`, `\u{1f600}`, or two halves of one.
    fn unicode(&self, chars: &mut std::str::CharIndices<'_>, from: usize) -> Option<char> {
        let rest = chars.clone().next().map(|(at, _)| &self.text[from + at..])?;
        if rest.starts_with('{') {
            chars.next();
            let mut number = 0_u32;
            for (_, char) in chars.by_ref() {
                match char.to_digit(16) {
                    Some(digit) => number = number.checked_mul(16)?.checked_add(digit)?,
                    None => break,
                }
            }
            return char::from_u32(number);
        }
        let first = number(chars, 4)?;
        let rest = chars.clone().next().map_or("", |(at, _)| &self.text[from + at..]);
        if !(0xd800..0xdc00).contains(&first) || !rest.starts_with("\\u") {
            return Some(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        chars.nth(1);
        let second = number(chars, 4)?;
        let joined = 0x10000 + ((first - 0xd800) << 10) + second.wrapping_sub(0xdc00);
        Some(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER))
    }
}

/// Whole numbers up to this are exact.
const MAX_WHOLE: f64 = 9e15;

fn number(chars: &mut std::str::CharIndices<'_>, digits: usize) -> Option<u32> {
    let mut number = 0;
    for _ in 0..digits {
        number = 16 * number + chars.next()?.1.to_digit(16)?;
    }
    Some(number)
}

fn code(chars: &mut std::str::CharIndices<'_>, digits: usize) -> Option<char> {
    char::from_u32(number(chars, digits)?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn literals_are_read_as_scripts_write_them() {
        let code = r#"(()=>{var e=a[0],t={};function n(r){return r?[1]:{a:r}}
            var x=[{id:"1",k:'it\'s',v:1e3,ok:!0},{id:`2`,k:"\u00e4\x41\ud83d\ude00",v:-.5,ok:!1,},
            /* two */ {id:"3","k-b":[1,2],v:void 0,n:null,f:other}];
            var y=JSON.parse('[{"a":"1","b":"2","c":"it\'s"},{"a":"4","b":"5","c":"6"},{"a":"7","b":"8","c":"9"}]');})()"#;
        let found = literals(code);
        let x = json!([
            { "id": "1", "k": "it's", "v": 1000, "ok": true },
            { "id": "2", "k": "äA😀", "v": -0.5, "ok": false },
            { "id": "3", "k-b": [1, 2], "v": null, "n": null, "f": null },
        ]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0], x);
        assert_eq!(found[1][0], json!({ "a": "1", "b": "2", "c": "it's" }));
    }

    #[test]
    fn what_is_computed_is_no_data() {
        for code in [
            "x=[{a:f(1),b:2,c:3,d:4},{a:f(2),b:2,c:3,d:4},{a:f(3),b:2,c:3,d:4}]",
            "x=[`a${b}`,1,2,3,4,5,6,7,8,9,10]",
            "{if(a){b}}",
            "'[{",
        ] {
            assert_eq!(literals(code), Vec::<Value>::new(), "{code}");
        }
    }

    #[test]
    fn brackets_without_end_cost_little() {
        for code in ["[".repeat(300_000), "[{a:".repeat(100_000), "'[".repeat(100_000)] {
            assert_eq!(literals(&code), Vec::<Value>::new());
        }
    }
}
