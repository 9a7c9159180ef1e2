//! Where a template can be broken, and how: every mutation of a text, found on its tokens.
//!
//! A template is not Rust until it is rendered, but nearly: with its tags made harmless it is a
//! stream of tokens, and a mutation replaces a few of them. Signatures, attributes, comments and
//! references are left alone. The kinds are those of mutation testing at large (DeMillo, Lipton
//! and Sayward, "Hints on test data selection", 1978; cargo-mutants), chosen for bit-board code.

use std::ops::Range;

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

use super::constant;
use super::exchange::Exchanges;
use super::mutation::{Kind, Mutation};
use super::random::Random;

/// Operators, and what each is exchanged for. `^` for `|` is not among them: of bits that are never
/// both set, the two say the same.
const OPERATORS: &[(&str, &[&str])] = &[
    ("&", &["|"]),
    ("|", &["&"]),
    ("^", &["|"]),
    ("+", &["-"]),
    ("-", &["+"]),
    ("*", &["+"]),
    ("%", &["/"]),
    ("/", &["%"]),
    ("<<", &[">>"]),
    (">>", &["<<"]),
    ("&&", &["||"]),
    ("||", &["&&"]),
    ("==", &["!="]),
    ("!=", &["=="]),
    ("<", &["<=", ">="]),
    (">", &[">=", "<="]),
    ("<=", &["<", ">"]),
    (">=", &[">", "<"]),
    ("&=", &["|="]),
    ("|=", &["&="]),
    ("^=", &["|="]),
    ("+=", &["-="]),
    ("-=", &["+="]),
];

/// Methods that change a sign, and are left out to drop the change.
const NEGATIONS: &[&str] = &["neg", "wrapping_neg"];

/// What begins a statement that is not left out: without a declaration nothing compiles, without an
/// end a loop has none.
const KEYWORDS: &[&str] = &[
    "break", "const", "continue", "let", "return", "static", "use",
];

/// All mutations of `text`, in its order. `random` chooses which bit of a constant changes. An error
/// where the text, its tags aside, is not a stream of tokens.
pub(super) fn mutations(
    text: &str,
    exchanges: &Exchanges,
    random: &mut Random,
) -> Result<Vec<Mutation>, String> {
    let plain = without_tags(text);
    let tokens: TokenStream = plain.parse().map_err(|error| format!("{error}"))?;
    let mut finder = Finder {
        text,
        plain: &plain,
        exchanges,
        random,
        item: String::new(),
        bound: false,
        found: Vec::new(),
    };
    finder.walk(&tokens.into_iter().collect::<Vec<_>>(), true);
    finder.found.sort_by_key(|mutation| mutation.range.start);
    Ok(finder.found)
}

/// The text with every tag replaced by as many bytes that are plain Rust: an expression by a name, a
/// macro by a function around what it holds, other tags by spaces.
fn without_tags(text: &str) -> String {
    let tags = [("{{", "}}"), ("{%", "%}"), ("{#", "#}")];
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let first = tags
            .iter()
            .filter_map(|(open, close)| Some((rest.find(open)?, *open, *close)))
            .min();
        let Some((start, open, close)) = first else {
            plain.push_str(rest);
            return plain;
        };
        let end = rest[start..].find(close);
        let end = end.map_or(rest.len(), |i| start + i + close.len());
        let tag = &rest[start..end];
        let words: Vec<&str> = tag
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| !word.is_empty())
            .collect();
        let instead = match (open, words.as_slice()) {
            ("{{", _) => "_".repeat(tag.len()),
            ("{%", ["macro", name, ..]) => format!("fn {name} {{"),
            ("{%", ["endmacro"]) => "}".to_owned(),
            _ => String::new(),
        };
        plain.push_str(&rest[..start]);
        plain.push_str(&format!("{instead:<width$}", width = tag.len()));
        rest = &rest[end..];
    }
}

struct Finder<'a> {
    /// The template.
    text: &'a str,
    /// The same without tags; every token is at the same bytes in both.
    plain: &'a str,
    exchanges: &'a Exchanges,
    random: &'a mut Random,
    /// The function, table or macro that the walk is in.
    item: String,
    /// Whether the walk is in the condition of a loop.
    bound: bool,
    found: Vec<Mutation>,
}

impl Finder<'_> {
    fn add(&mut self, kind: Kind, range: Range<usize>, with: impl Into<String>) {
        self.found.push(Mutation {
            kind,
            item: self.item.clone(),
            range,
            with: with.into(),
        });
    }

    /// Finds what is in `tokens`; `top` where they are the template's items.
    fn walk(&mut self, tokens: &[TokenTree], top: bool) {
        let mut i = 0;
        let mut is_reference = false;
        while i < tokens.len() {
            i += match &tokens[i] {
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    let attribute = &tokens[i..tokens.len().min(i + 3)];
                    let length = attribute.iter().position(is_group).map_or(1, |at| at + 1);
                    is_reference |= attribute[length - 1].to_string() == "[reference]";
                    length
                }
                TokenTree::Punct(_) => self.operator(&tokens[i..]),
                TokenTree::Ident(word) => {
                    let word = word.to_string();
                    match self.declaration(&word, &tokens[i..], top) {
                        Some(length) if is_reference => {
                            is_reference = false;
                            length + 1
                        }
                        Some(length) => length,
                        None => self.word(&word, &tokens[i..]),
                    }
                }
                TokenTree::Literal(literal) => {
                    self.literal(literal.span().byte_range());
                    1
                }
                TokenTree::Group(group) => {
                    self.group(group);
                    1
                }
            };
        }
    }

    /// How many tokens of a declaration say nothing about what is computed: up to a function's body,
    /// a table's value, a struct's or an import's end. `None` where `word` begins no declaration.
    fn declaration(&mut self, word: &str, tokens: &[TokenTree], top: bool) -> Option<usize> {
        let next = tokens.get(1).map(ToString::to_string).unwrap_or_default();
        let named = tokens
            .get(1)
            .is_some_and(|next| matches!(next, TokenTree::Ident(_)));
        let until = |found: &dyn Fn(&TokenTree) -> bool| {
            Some(tokens.iter().position(found).unwrap_or(tokens.len()))
        };
        match word {
            "fn" => {
                // A name that only a tag knows says less than that of the macro around it.
                if next.chars().any(|c| c != '_') {
                    self.item = next;
                }
                until(&|token| is_brace(token))
            }
            "struct" => until(&|token| is_brace(token)).map(|length| length + 1),
            "use" => until(&|token| is_punct(token, ';')),
            // Says that something is not used.
            "let" if next == "_" => until(&|token| is_punct(token, ';')),
            "static" | "const" if named && next != "fn" => {
                if top {
                    self.item = next;
                }
                until(&|token| is_punct(token, '='))
            }
            _ => None,
        }
    }

    /// A word that is no declaration: the condition after it, or the method that it names. The number
    /// of tokens done.
    fn word(&mut self, word: &str, tokens: &[TokenTree]) -> usize {
        let span = tokens[0].span().byte_range();
        let body = tokens.iter().position(is_brace).unwrap_or(tokens.len());
        match word {
            "if" if tokens.len() > body && tokens[1].to_string() != "let" => {
                let condition =
                    tokens[1].span().byte_range().start..tokens[body - 1].span().byte_range().end;
                let inverted = format!("!({})", &self.text[condition.clone()]);
                self.add(Kind::Condition, condition, inverted);
                1
            }
            "while" => {
                self.bound = true;
                self.walk(&tokens[1..body], false);
                self.bound = false;
                body
            }
            _ => {
                let called = self.plain[span.end..].starts_with(['(', ':']);
                let before = &self.plain[..span.start];
                if called && before.ends_with('.') && !before.ends_with("..") {
                    let others: Vec<String> = self.exchanges.of(word).map(str::to_owned).collect();
                    for other in others {
                        self.add(Kind::Method, span.clone(), other);
                    }
                    if NEGATIONS.contains(&word) && tokens.len() > 1 {
                        let call = span.start - 1..tokens[1].span().byte_range().end;
                        self.add(Kind::Negation, call, "");
                    }
                }
                1
            }
        }
    }

    /// An operator, of one or more characters. The number of tokens that it has.
    fn operator(&mut self, tokens: &[TokenTree]) -> usize {
        let mut operator = String::new();
        let start = tokens[0].span().byte_range().start;
        let mut end = start;
        for token in tokens {
            let TokenTree::Punct(punct) = token else {
                break;
            };
            operator.push(punct.as_char());
            end = punct.span().byte_range().end;
            if punct.spacing() == Spacing::Alone {
                break;
            }
        }
        let before = self.plain[..start].chars().next_back().unwrap_or(' ');
        let after = self.plain[end..].chars().next().unwrap_or(' ');
        // Between two operands there is space on both sides, before one on the left at most.
        if before.is_whitespace() && after.is_whitespace() {
            let known = OPERATORS.iter().find(|(known, _)| *known == operator);
            for with in known.map_or(&[][..], |(_, others)| others) {
                self.add(Kind::Operator, start..end, *with);
            }
        } else if ["!", "-"].contains(&operator.as_str()) && !before.is_alphanumeric() {
            self.add(Kind::Negation, start..end, "");
        }
        operator.len()
    }

    fn literal(&mut self, span: Range<usize>) {
        let literal = &self.plain[span.clone()];
        let (before, after) = (&self.plain[..span.start], &self.plain[span.end..]);
        let in_range = before.ends_with("..") || before.ends_with("..=") || after.starts_with("..");
        let (kind, variants) = match self.bound || in_range {
            true => (Kind::Bound, constant::off_by_one(literal)),
            false => (Kind::Constant, constant::variants(literal, self.random)),
        };
        for variant in variants {
            self.add(kind, span.clone(), variant);
        }
    }

    /// What is in brackets: arguments or elements to exchange, and whatever they hold.
    fn group(&mut self, group: &Group) {
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        let before = self.plain[..group.span().byte_range().start]
            .chars()
            .next_back();
        let follows_name = before.is_some_and(|c| c.is_alphanumeric() || "_>)]".contains(c));
        let kind = match (group.delimiter(), follows_name) {
            (Delimiter::Parenthesis, true) => Some(Kind::Arguments),
            (Delimiter::Parenthesis, false) | (Delimiter::Bracket, false) => Some(Kind::Elements),
            _ => None,
        };
        // `[value; length]`: another length is another type.
        let length = match group.delimiter() {
            Delimiter::Bracket => tokens.iter().position(|token| is_punct(token, ';')),
            _ => None,
        };
        if let Some(kind) = kind {
            for pair in parts(&tokens).windows(2) {
                let [one, other] = [&pair[0], &pair[1]].map(|part| &self.text[part.clone()]);
                // A number and a variable, a reference and a value are seldom of one type.
                let likely = one.parse::<u64>().is_ok() == other.parse::<u64>().is_ok()
                    && one.starts_with('&') == other.starts_with('&');
                if one != other && likely {
                    let between = &self.text[pair[0].end..pair[1].start];
                    let exchanged = format!("{other}{between}{one}");
                    self.add(kind, pair[0].start..pair[1].end, exchanged);
                }
            }
        }
        if group.delimiter() == Delimiter::Brace {
            self.statements(&tokens);
        }
        self.walk(&tokens[..length.unwrap_or(tokens.len())], false);
    }

    /// The statements of a block that do something and go on: assignments and calls.
    fn statements(&mut self, tokens: &[TokenTree]) {
        let ends = |token: &TokenTree| is_punct(token, ';') || is_brace(token);
        for statement in tokens.split_inclusive(ends) {
            let [first, .., last] = statement else {
                continue;
            };
            let keyword = KEYWORDS.contains(&first.to_string().as_str());
            if is_punct(last, ';') && !is_punct(first, '#') && !keyword {
                let whole = first.span().byte_range().start..last.span().byte_range().end;
                self.add(Kind::Statement, whole, ";");
            }
        }
    }
}

/// Where the parts of a list are, between its commas; those of generic arguments part nothing.
fn parts(tokens: &[TokenTree]) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut begins = true;
    let mut generics = 0;
    for (i, token) in tokens.iter().enumerate() {
        if is_punct(token, '<') && i > 0 && is_punct(&tokens[i - 1], ':') {
            generics += 1;
        } else if is_punct(token, '>') && generics > 0 {
            generics -= 1;
        } else if is_punct(token, ',') && generics == 0 {
            begins = true;
            continue;
        }
        let span = token.span().byte_range();
        match parts.last_mut() {
            Some(last) if !begins => last.end = span.end,
            _ => parts.push(span),
        }
        begins = false;
    }
    parts
}

fn is_group(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(_))
}

fn is_brace(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn is_punct(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

#[cfg(test)]
mod tests;
