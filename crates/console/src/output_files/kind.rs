//! Kinds of output files, recognized by their first bytes.

/// Kind of an output file.
#[derive(Clone, Copy)]
pub struct Kind {
    /// Noun with article, for messages.
    pub name: &'static str,
    /// Recognizes an older file by its first bytes.
    pub is_same_kind: fn(&[u8]) -> bool,
    /// `true` if `--force` is not needed to replace a file of this kind.
    pub can_replace_unforced: bool,
}

impl Kind {
    /// A kind of file that needs no `--force` to be replaced by a file of its kind.
    pub const fn new(name: &'static str, is_same_kind: fn(&[u8]) -> bool) -> Kind {
        Kind {
            name,
            is_same_kind,
            can_replace_unforced: true,
        }
    }

    /// A kind of file that only `--force` replaces, because no command can make the file again.
    pub const fn only_forced(name: &'static str) -> Kind {
        Kind {
            name,
            is_same_kind: |_| false,
            can_replace_unforced: false,
        }
    }
}

/// An SVG picture.
pub const SVG: Kind = Kind::new("an SVG picture", |bytes| has_root(bytes, "svg"));

/// Returns `true` if the root element of an SVG or HTML text has this name.
pub fn has_root(bytes: &[u8], name: &str) -> bool {
    let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some(end) = end_of_prologue(rest) {
        rest = rest[end..].trim_start();
    }
    let is_end = |next: char| next.is_whitespace() || next == '>' || next == '/';
    rest.strip_prefix('<')
        .and_then(|rest| rest.strip_prefix(name))
        .is_some_and(|rest| rest.starts_with(is_end))
}

/// Index of the end of the declaration, comment or document type at the beginning of a text.
fn end_of_prologue(text: &str) -> Option<usize> {
    if text.starts_with("<!doctype") {
        return end_of_document_type(text);
    }
    let parts = [("<?", "?>"), ("<!--", "-->")];
    let (_, end) = parts.iter().find(|(begin, _)| text.starts_with(begin))?;
    text.find(end).map(|at| at + end.len())
}

/// Index of the end of a document type, including an internal subset `[…]`.
fn end_of_document_type(text: &str) -> Option<usize> {
    let mut at = text.find(['[', '>'])?;
    while !text[at..].starts_with('>') {
        at += text[at..].find(']')? + 1;
        at += text[at..].len() - text[at..].trim_start().len();
    }
    Some(at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn svg_and_html_are_recognized_by_their_root() {
        let svg = |text: &str| (SVG.is_same_kind)(text.as_bytes());
        let html = |text: &str| has_root(text.as_bytes(), "html");
        for text in [
            "<svg width=\"1\">",
            "<?xml version=\"1.0\"?>\n<!-- by hand -->\n<!DOCTYPE svg PUBLIC \"x\">\n<svg>",
            "<!DOCTYPE svg [\n<!ENTITY a \"x[0]\">\n<!ELEMENT b (c)>\n] >\n<svg>",
            "\u{feff} <SVG/>",
        ] {
            assert!(svg(text) && !html(text), "{text}");
        }
        for text in ["<!doctype html>\n<html lang=en>", "<HTML>"] {
            assert!(html(text) && !svg(text), "{text}");
        }
        for text in [
            "svg",
            "<svgx>",
            "notes about <svg>",
            "<!-- <svg>",
            "<!DOCTYPE x [<!ENTITY a '><svg>'>]><x>",
            "<!DOCTYPE svg [<svg>",
            "{}",
            "<?xml version='1.0'?><html-like>",
        ] {
            assert!(!svg(text) && !html(text), "{text}");
        }
    }
}
