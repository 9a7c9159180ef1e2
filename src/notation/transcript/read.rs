//! The reader of transcripts.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::iter::Peekable;
use std::mem;

use super::moves::{Part, Parts};
use super::{Fault, TranscriptError};
use crate::notation::lines::Lines;
use crate::notation::squares::half_width;
use crate::notation::{GameRecord, one_line};
use crate::{Game, Square};

/// A game of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Transcript {
    /// The line of the file that the game begins on, from 1.
    pub line: usize,
    /// The game, and what its tags and its result say.
    pub record: GameRecord,
}

/// Reads the games of a file, skipping blank lines and comments. A faulty game is an error of its own and
/// leaves the others readable.
///
/// ```
/// use outflank::notation::transcript;
///
/// let mut games = transcript::read(b"f5d6c3 % tiger\nf5 d6 g9\nf5f5");
/// assert_eq!(games.next().unwrap()?.record.game.plies().len(), 3);
/// let error = games.next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), r#"2:7: expected a move (A1 to H8, or PS), found "g9""#);
/// let error = games.next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "3: move 2, F5, is not legal: the square is taken");
/// # Ok::<(), transcript::TranscriptError>(())
/// ```
pub fn read(file: &[u8]) -> impl Iterator<Item = Result<Transcript, TranscriptError>> {
    Reader {
        lines: Lines::of(file),
        comments: Comments::default(),
        state: State::Between,
        ready: VecDeque::new(),
    }
}

struct Reader<'a> {
    lines: Lines<'a>,
    comments: Comments,
    state: State,
    ready: VecDeque<Result<Transcript, TranscriptError>>,
}

/// The game that the next line may continue.
enum State {
    /// Nothing.
    Between,
    /// The tags of a game. Tags behind a blank line are those of another one.
    Header { game: Transcript, has_gap: bool },
    /// A game that has not come to its end. One with tags lasts to its result.
    Game { game: Transcript, has_tags: bool },
    /// A faulty game, of which the rest is passed over.
    Faulty { has_tags: bool, in_header: bool },
}

impl Iterator for Reader<'_> {
    type Item = Result<Transcript, TranscriptError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Some(item);
            }
            match self.lines.next() {
                Some((number, text)) => {
                    match tag(&text).filter(|_| self.comments.begun.is_none()) {
                        Some((name, value)) => self.tag(number, name, value),
                        None => {
                            let content = self.comments.blanked(&text, number);
                            self.line(number, &half_width(&content));
                        }
                    }
                }
                None => {
                    let state = mem::replace(&mut self.state, State::Between);
                    self.end(state);
                    let begun = self.comments.begun.take();
                    let fault = |line| Err(error(line, Fault::NotClosed));
                    self.ready.extend(begun.map(fault));
                    return self.ready.pop_front();
                }
            }
        }
    }
}

impl Reader<'_> {
    /// Reads a tag.
    fn tag(&mut self, number: usize, name: &str, value: &str) {
        let state = mem::replace(&mut self.state, State::Between);
        let mut game = match state {
            State::Faulty {
                in_header: true, ..
            } => {
                self.state = state;
                return;
            }
            State::Header {
                game,
                has_gap: false,
            } => game,
            state => {
                self.end(state);
                Transcript::new(number)
            }
        };
        if name.eq_ignore_ascii_case("FEN") {
            return self.fault(error(number, Fault::Fen), true, true);
        }
        add_tag(&mut game.record, name, value);
        self.state = State::Header {
            game,
            has_gap: false,
        };
    }

    /// Reads a line without comments.
    fn line(&mut self, number: usize, content: &str) {
        if content.trim().is_empty() {
            if let State::Header { has_gap, .. } = &mut self.state {
                *has_gap = true;
            }
            return;
        }
        let mut parts = Vec::new();
        let mut unknown = None;
        for part in Parts::of(content) {
            match part {
                Ok(part) => parts.push(part),
                Err(found) => unknown = unknown.or(Some(found)),
            }
        }
        let unknown =
            unknown.map(|(column, found)| error(number, Fault::NotAMove { column, found }));
        // `None` where only the moves tell.
        let begins_game = match parts.first() {
            Some(&Part::Number { number, is_reply }) => Some(number == 1 && !is_reply),
            Some(Part::Result(_)) => Some(false),
            _ => None,
        };
        let state = mem::replace(&mut self.state, State::Between);
        match state {
            State::Faulty { has_tags, .. } if has_tags || begins_game == Some(false) => {
                self.state = State::Faulty {
                    has_tags,
                    in_header: false,
                };
            }
            State::Game { mut game, has_tags }
                if begins_game.map_or(has_tags, |begins| !begins) =>
            {
                let played = played(&mut game.record, &parts, number);
                match unknown.map_or(played, Err) {
                    Ok(is_ended) => self.go_on(game, has_tags, is_ended),
                    Err(error) => self.fault(error, has_tags, false),
                }
            }
            state => self.begin(state, number, (&parts, unknown), begins_game.is_none()),
        }
    }

    /// Reads a line that begins a game, unless `may_continue` and it has to be a part of the game above.
    fn begin(
        &mut self,
        state: State,
        number: usize,
        (parts, unknown): (&[Part], Option<TranscriptError>),
        may_continue: bool,
    ) {
        let has_moves = parts.iter().any(|part| matches!(part, Part::Move(_)));
        if !has_moves && unknown.is_none() {
            // Passes alone change nothing; a result without moves ends tags.
            self.state = match state {
                State::Game { .. } => state,
                _ => State::Between,
            };
            return;
        }
        let (mut game, has_tags, above) = match state {
            State::Header { game, .. } => (game, true, None),
            State::Game { game, .. } => (Transcript::new(number), false, Some(game)),
            _ => (Transcript::new(number), false, None),
        };
        let played_anew = played(&mut game.record, parts, number);
        match (unknown.map_or(played_anew, Err), above) {
            (Ok(is_ended), above) => {
                self.ready.extend(above.map(Ok));
                self.go_on(game, has_tags, is_ended);
            }
            (Err(error), Some(above)) => {
                let mut longer = above.clone();
                match played(&mut longer.record, parts, number) {
                    Ok(is_ended)
                        if may_continue && !matches!(error.fault, Fault::NotAMove { .. }) =>
                    {
                        self.go_on(longer, false, is_ended);
                    }
                    _ => {
                        self.ready.push_back(Ok(above));
                        self.fault(error, has_tags, false);
                    }
                }
            }
            (Err(error), None) => self.fault(error, has_tags, false),
        }
    }

    fn go_on(&mut self, game: Transcript, has_tags: bool, is_ended: bool) {
        match is_ended {
            true => self.ready.push_back(Ok(game)),
            false => self.state = State::Game { game, has_tags },
        }
    }

    /// Ends the game of a state.
    fn end(&mut self, state: State) {
        if let State::Game { game, .. } = state {
            self.ready.push_back(Ok(game));
        }
    }

    fn fault(&mut self, error: TranscriptError, has_tags: bool, in_header: bool) {
        self.state = State::Faulty {
            has_tags,
            in_header,
        };
        self.ready.push_back(Err(error));
    }
}

impl Transcript {
    fn new(line: usize) -> Transcript {
        let record = GameRecord::new(Game::new());
        Transcript { line, record }
    }
}

fn error(line: usize, fault: Fault) -> TranscriptError {
    TranscriptError { line, fault }
}

/// Plays the moves of a line of this number. Returns `true` if the line has the result of the game.
fn played(record: &mut GameRecord, parts: &[Part], line: usize) -> Result<bool, TranscriptError> {
    let mut is_ended = false;
    for part in parts {
        match *part {
            Part::Move(square) => {
                let played = record.game.play(square);
                played.map_err(|illegal| error(line, illegal.into()))?;
            }
            Part::Number { .. } | Part::Pass => {}
            Part::Result(discs) => {
                is_ended = true;
                if let Some((black, white)) = discs {
                    set_result(record, black, white);
                }
            }
        }
    }
    Ok(is_ended)
}

/// Reads the lines of moves behind a position, up to a result or to the first line that has no moves.
pub(in crate::notation) fn played_from(
    start: Game,
    lines: &mut Peekable<Lines<'_>>,
) -> Result<GameRecord, TranscriptError> {
    let mut record = GameRecord::new(start);
    let mut comments = Comments::default();
    let mut wrong = None;
    let mut is_ended = false;
    while let Some((number, text)) = lines.peek()
        && !is_ended
    {
        let number = *number;
        let is_comment = comments.begun.is_some() || text.trim_start().starts_with('{');
        let content = half_width(&comments.blanked(text, number)).into_owned();
        let is_result = matches!(Parts::of(&content).next(), Some(Ok(Part::Result(_))));
        if !is_comment && !is_result && !begins_with_move(&content) {
            break;
        }
        lines.next();
        let parts: Result<Vec<_>, _> = Parts::of(&content).collect();
        let parts =
            parts.map_err(|(column, found)| error(number, Fault::NotAMove { column, found }));
        match parts.and_then(|parts| played(&mut record, &parts, number)) {
            Ok(ended) => is_ended = ended,
            Err(error) => wrong = wrong.or(Some(error)),
        }
    }
    let not_closed = comments.begun.map(|line| error(line, Fault::NotClosed));
    wrong.or(not_closed).map_or(Ok(record), Err)
}

/// Returns `true` if a line begins with a move, or with the number of one.
pub(in crate::notation) fn begins_with_move(line: &str) -> bool {
    let content = Comments::default().blanked(line, 0).into_owned();
    let content = half_width(&content);
    let mut parts = Parts::of(&content).map_while(Result::ok);
    let first = parts.find(|part| !matches!(part, Part::Number { .. } | Part::Pass));
    matches!(first, Some(Part::Move(_)))
}

/// Returns `true` if a line looks like a part of a transcript: a tag, or a line that begins with a move. A line of passes
/// counts only if nothing else is on it, because words can begin with `PA` or `PS`.
pub(in crate::notation) fn looks_like_transcript(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    if tag(&text).is_some() || begins_with_move(&text) {
        return true;
    }
    let content = Comments::default().blanked(&text, 0).into_owned();
    let mut parts = Parts::of(&content).peekable();
    parts.peek().is_some() && parts.all(|part| part == Ok(Part::Pass))
}

/// The moves of a text.
pub(super) fn squares(text: &str) -> Result<Vec<Square>, TranscriptError> {
    let mut comments = Comments::default();
    let mut moves = Vec::new();
    for (number, text) in Lines::of(text.as_bytes()) {
        let content = comments.blanked(&text, number);
        for part in Parts::of(&half_width(&content)) {
            match part {
                Ok(Part::Move(square)) => moves.push(square),
                Ok(_) => {}
                Err((column, found)) => {
                    return Err(error(number, Fault::NotAMove { column, found }));
                }
            }
        }
    }
    match comments.begun {
        Some(line) => Err(error(line, Fault::NotClosed)),
        None => Ok(moves),
    }
}

/// The comments between `{` and `}`, which may go over several lines.
#[derive(Default)]
struct Comments {
    /// The line of the comment that has not ended.
    begun: Option<usize>,
}

impl Comments {
    /// The line of this number with blanks in place of comments, so that columns stay as they are.
    fn blanked<'a>(&mut self, line: &'a str, number: usize) -> Cow<'a, str> {
        if self.begun.is_none() && !line.contains('{') {
            return Cow::Borrowed(without_line_comment(line));
        }
        let mut content = String::with_capacity(line.len());
        for character in line.chars() {
            let is_comment = self.begun.is_some() || character == '{';
            match character {
                '{' => self.begun = self.begun.or(Some(number)),
                '}' => self.begun = None,
                '%' | '#' if !is_comment => break,
                _ => {}
            }
            content.push(if is_comment { ' ' } else { character });
        }
        Cow::Owned(content)
    }
}

/// A line up to its comment.
fn without_line_comment(line: &str) -> &str {
    line.split(['%', '#']).next().unwrap_or_default()
}

/// The name and the value of a line with a tag of PGN, `[Black "Lucky Luke"]`, still with the backslashes before quotes.
fn tag(line: &str) -> Option<(&str, &str)> {
    let tag = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = tag.trim().split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let is_name = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let mut is_escaped = false;
    let is_quote_inside = value.chars().any(|next| {
        let is_bare_quote = next == '"' && !is_escaped;
        is_escaped = next == '\\' && !is_escaped;
        is_bare_quote
    });
    (is_name && !is_quote_inside && !is_escaped).then_some((name, value))
}

/// Adds what a tag says to a record. Unknown values (`?`), unknown tags and repeated ones are left out.
fn add_tag(record: &mut GameRecord, name: &str, value: &str) {
    let value = one_line(&value.replace("\\\"", "\"").replace("\\\\", "\\"));
    let property = match &*name.to_ascii_lowercase() {
        "result" => {
            if let Some(Ok(Part::Result(Some((black, white))))) = Parts::of(&value).next() {
                set_result(record, black, white);
            }
            return;
        }
        "black" => "PB",
        "white" => "PW",
        "event" => "EV",
        "site" => "PC",
        "date" => "DT",
        _ => return,
    };
    // A date may be known in part: `2026.??.??`.
    let known = match property {
        "DT" => value.split(".?").next().unwrap_or_default(),
        _ => &value,
    };
    let is_known = !known.trim_matches(['?', '.', ' ']).is_empty();
    if is_known && record.property(property).is_none() {
        record.set(property, known).expect("the name is valid");
    }
}

/// Notes the result in discs; empty squares go to the winner.
fn set_result(record: &mut GameRecord, black: u8, white: u8) {
    let (black, white) = (i32::from(black), i32::from(white));
    let empty = 64 - black - white;
    let score = black - white + empty * (black - white).signum();
    record
        .set("RE", &format!("{score:+}"))
        .expect("the name is valid");
}

#[cfg(test)]
mod tests;
