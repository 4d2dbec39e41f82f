//! Does the reference of settings say what the program says? It is made from the program itself:
//! `UPDATE_DOCS=1 cargo test -p webquarry --test it reference` writes it anew.

use std::fmt::Write;
use std::path::Path;

use crate::program::run;

const OPENING: &str = "\
# Settings

Each can be given as a flag, as an environment variable, or under `[crawl]` in a `quarry.toml` (the project's own, or the one that
`--config` names). Flags win over the environment, the environment over files. `quarry config` shows the values that hold and where each
came from. Times are written `250ms`, `90s`, `5m`, `2h`; sizes `64KB`, `10MB`, `2GB`; lists in TOML's way (`['a', 'b']`) in the environment,
and by repeating the flag.

| `quarry.toml` | flag | environment | default | what it is |
|---|---|---|---|---|
";

#[test]
fn the_settings_are_documented() {
    let mut text = OPENING.to_owned();
    for line in run(["config"]).ended(0).lines() {
        let key = line["key"].as_str().unwrap();
        let flag = if key == "headers" { "header".to_owned() } else { key.replace('_', "-") };
        let value = match &line["value"] {
            serde_json::Value::String(text) if text.is_empty() => "none".to_owned(),
            serde_json::Value::String(text) => text.clone(),
            serde_json::Value::Array(all) if all.is_empty() => "none".to_owned(),
            other => other.to_string(),
        };
        let about = line["about"].as_str().unwrap();
        let variable = key.to_ascii_uppercase();
        writeln!(text, "| `{key}` | `--{flag}` | `QUARRY_{variable}` | {value} | {about} |")
            .unwrap();
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/settings.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let written = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(
        written, text,
        "write it anew: UPDATE_DOCS=1 cargo test -p webquarry --test it reference"
    );
}
