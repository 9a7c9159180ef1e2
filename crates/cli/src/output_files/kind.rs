//! Kinds of output files, recognized by their first bytes.

use outflank::eval::FileKind;

/// Kind of an output file.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    /// Noun with article, for messages.
    pub(super) name: &'static str,
    /// Recognizes an older file by its first bytes.
    pub(super) is_same_kind: fn(&[u8]) -> bool,
    /// `true` if `--force` is not needed to replace a file of this kind.
    pub(super) can_replace_unforced: bool,
}

impl Kind {
    const fn new(name: &'static str, is_same_kind: fn(&[u8]) -> bool) -> Kind {
        Kind {
            name,
            is_same_kind,
            can_replace_unforced: true,
        }
    }
}

pub(crate) const SVG: Kind = Kind::new("an SVG picture", |bytes| has_root(bytes, "svg"));

pub(crate) const HTML: Kind = Kind::new("an HTML page", |bytes| has_root(bytes, "html"));

#[cfg(feature = "prove")]
pub(crate) const PROOFS: Kind = Kind::new("a table of proofs", |bytes| {
    bytes.starts_with(b"# Proved kernels\n")
});

pub(crate) const WEIGHTS: Kind = Kind::new("a file of weights", |bytes| {
    matches!(FileKind::detect(bytes), FileKind::Weights)
});

pub(crate) const EDAX_WEIGHTS: Kind = Kind::new("an eval.dat of Edax's", |bytes| {
    matches!(FileKind::detect(bytes), FileKind::Edax)
});

pub(crate) const EDAX_BOOK: Kind = Kind::new("an opening book of Edax's", |bytes| {
    matches!(FileKind::detect(bytes), FileKind::EdaxBook)
});

pub(crate) const MANUAL: Kind = Kind::new("a page of a manual", |bytes| {
    // Pages of `clap_mangen` begin with a definition of the apostrophe, others with their title.
    bytes.starts_with(b".ie \\n(.g .ds Aq ") || bytes.starts_with(b".TH ")
});

/// File of games or positions. No command can make it again, so only `--force` replaces it.
pub(crate) const GAMES: Kind = Kind {
    name: "a file of games",
    is_same_kind: |_| false,
    can_replace_unforced: false,
};

/// Returns `true` if the root element of an SVG or HTML text has this name.
fn has_root(bytes: &[u8], name: &str) -> bool {
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
        let html = |text: &str| (HTML.is_same_kind)(text.as_bytes());
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
