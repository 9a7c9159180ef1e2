//! All mutations of a template, found on its tokens.
//!
//! A template is nearly Rust: once its tags are replaced, it is a stream of tokens. A mutation replaces a few tokens.
//! Signatures, attributes, comments and references are not mutated. The mutation operators are the usual ones (DeMillo,
//! Lipton and Sayward, "Hints on test data selection", 1978; cargo-mutants), selected for bitboard code.

use std::ops::Range;

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

use super::constant;
use super::method_exchanges::MethodExchanges;
use super::mutation::{Mutation, MutationKind};
use outflank_random::SplitMix64;

/// Operators with their replacements. `|` is not replaced by `^`, because both agree on disjoint sets.
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

/// Methods that change a sign; a mutation drops the call.
const NEGATIONS: &[&str] = &["neg", "wrapping_neg"];

/// First words of statements that no mutation removes.
///
/// Code without a declaration does not compile, and a loop without its exit never ends.
const KEYWORDS: &[&str] = &[
    "break", "const", "continue", "let", "return", "static", "use",
];

/// Finds all mutations of `text`, in the order of their positions. `random` chooses the bits that flip in constants.
///
/// Fails if the text without its tags is not a stream of tokens.
pub(super) fn mutations(
    text: &str,
    exchanges: &MethodExchanges,
    random: &mut SplitMix64,
) -> Result<Vec<Mutation>, String> {
    let plain = without_tags(text);
    let tokens: TokenStream = plain.parse().map_err(|error| format!("{error}"))?;
    let mut finder = MutationFinder {
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

/// Replaces every tag by plain Rust of equal length: an expression by a name, a macro by a function, others by spaces.
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

struct MutationFinder<'a> {
    /// Text of the template.
    text: &'a str,
    /// Text without tags; every token has the same byte range in both.
    plain: &'a str,
    exchanges: &'a MethodExchanges,
    random: &'a mut SplitMix64,
    /// Function, table or macro that the walk is in.
    item: String,
    /// `true` while the walk is in the condition of a loop.
    bound: bool,
    found: Vec<Mutation>,
}

impl MutationFinder<'_> {
    fn add(&mut self, kind: MutationKind, range: Range<usize>, with: impl Into<String>) {
        self.found.push(Mutation {
            kind,
            item: self.item.clone(),
            range,
            with: with.into(),
        });
    }

    /// Finds the mutations of `tokens`. `top` is `true` outside all brackets, where items are declared.
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

    /// Number of tokens of a declaration to skip; `None` if `word` begins no declaration.
    ///
    /// The skipped tokens end before a function's body or a table's value, or with a struct or an import.
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
                // A name made by a tag is unknown here; the name of the macro around it is kept.
                if next.chars().any(|c| c != '_') {
                    self.item = next;
                }
                until(&|token| is_brace(token))
            }
            "struct" => until(&|token| is_brace(token)).map(|length| length + 1),
            "use" => until(&|token| is_punct(token, ';')),
            // Such a statement only silences a warning about an unused variable.
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

    /// Mutates the condition after `word`, or the method of that name. Returns the number of consumed tokens.
    fn word(&mut self, word: &str, tokens: &[TokenTree]) -> usize {
        let span = tokens[0].span().byte_range();
        let body = tokens.iter().position(is_brace).unwrap_or(tokens.len());
        match word {
            "if" if tokens.len() > body && tokens[1].to_string() != "let" => {
                let condition =
                    tokens[1].span().byte_range().start..tokens[body - 1].span().byte_range().end;
                let inverted = format!("!({})", &self.text[condition.clone()]);
                self.add(MutationKind::Condition, condition, inverted);
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
                    let others: Vec<String> = self
                        .exchanges
                        .replacements(word)
                        .map(str::to_owned)
                        .collect();
                    for other in others {
                        self.add(MutationKind::Method, span.clone(), other);
                    }
                    if NEGATIONS.contains(&word) && tokens.len() > 1 {
                        let call = span.start - 1..tokens[1].span().byte_range().end;
                        self.add(MutationKind::Negation, call, "");
                    }
                }
                1
            }
        }
    }

    /// Mutates an operator of one or more characters. Returns the number of consumed tokens.
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
        // Binary operators have space on both sides, unary ones at most on the left.
        if before.is_whitespace() && after.is_whitespace() {
            let known = OPERATORS.iter().find(|(known, _)| *known == operator);
            for with in known.map_or(&[][..], |(_, others)| others) {
                self.add(MutationKind::Operator, start..end, *with);
            }
        } else if ["!", "-"].contains(&operator.as_str()) && !before.is_alphanumeric() {
            self.add(MutationKind::Negation, start..end, "");
        }
        operator.len()
    }

    fn literal(&mut self, span: Range<usize>) {
        let literal = &self.plain[span.clone()];
        let (before, after) = (&self.plain[..span.start], &self.plain[span.end..]);
        let in_range = before.ends_with("..") || before.ends_with("..=") || after.starts_with("..");
        let (kind, variants) = match self.bound || in_range {
            true => (MutationKind::Bound, constant::off_by_one(literal)),
            false => (
                MutationKind::Constant,
                constant::variants(literal, self.random),
            ),
        };
        for variant in variants {
            self.add(kind, span.clone(), variant);
        }
    }

    /// Exchanges the arguments or elements in brackets, and mutates their contents.
    fn group(&mut self, group: &Group) {
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        let before = self.plain[..group.span().byte_range().start]
            .chars()
            .next_back();
        let follows_name = before.is_some_and(|c| c.is_alphanumeric() || "_>)]".contains(c));
        let kind = match (group.delimiter(), follows_name) {
            (Delimiter::Parenthesis, true) => Some(MutationKind::Arguments),
            (Delimiter::Parenthesis, false) | (Delimiter::Bracket, false) => {
                Some(MutationKind::Elements)
            }
            _ => None,
        };
        // The length in `[value; length]` is part of the type.
        let length = match group.delimiter() {
            Delimiter::Bracket => tokens.iter().position(|token| is_punct(token, ';')),
            _ => None,
        };
        if let Some(kind) = kind {
            for pair in parts(&tokens).windows(2) {
                let [first, second] = [&pair[0], &pair[1]].map(|part| &self.text[part.clone()]);
                // A number and a variable, or a reference and a value, rarely share a type.
                let likely = first.parse::<u64>().is_ok() == second.parse::<u64>().is_ok()
                    && first.starts_with('&') == second.starts_with('&');
                if first != second && likely {
                    let between = &self.text[pair[0].end..pair[1].start];
                    let exchanged = format!("{second}{between}{first}");
                    self.add(kind, pair[0].start..pair[1].end, exchanged);
                }
            }
        }
        if group.delimiter() == Delimiter::Brace {
            self.statements(&tokens);
        }
        self.walk(&tokens[..length.unwrap_or(tokens.len())], false);
    }

    /// Removes statements of a block: assignments and calls.
    fn statements(&mut self, tokens: &[TokenTree]) {
        let ends = |token: &TokenTree| is_punct(token, ';') || is_brace(token);
        for statement in tokens.split_inclusive(ends) {
            let [first, .., last] = statement else {
                continue;
            };
            let keyword = KEYWORDS.contains(&first.to_string().as_str());
            if is_punct(last, ';') && !is_punct(first, '#') && !keyword {
                let whole = first.span().byte_range().start..last.span().byte_range().end;
                self.add(MutationKind::Statement, whole, ";");
            }
        }
    }
}

/// Byte ranges of the parts of a list between its commas, except for commas in generic arguments.
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
