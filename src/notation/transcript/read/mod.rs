//! Reader of transcripts.

mod comments;
mod tags;

use std::collections::VecDeque;
use std::iter::Peekable;
use std::mem;

use super::moves::{Token, Tokens};
use super::{TranscriptError, TranscriptFault};
use crate::notation::lines::Lines;
use crate::notation::squares::half_width;
use crate::notation::{GameRecord, LocatedGame};
use crate::{Game, Square};
use comments::Comments;
use tags::{add_tag, set_result, tag};

/// Reads the games of a file and skips blank lines and comments.
///
/// A faulty game is an error; the other games are still read.
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
pub fn read(file: &[u8]) -> impl Iterator<Item = Result<LocatedGame, TranscriptError>> {
    Reader {
        lines: Lines::new(file),
        comments: Comments::default(),
        state: OpenGame::Between,
        ready: VecDeque::new(),
    }
}

struct Reader<'a> {
    lines: Lines<'a>,
    comments: Comments,
    state: OpenGame,
    ready: VecDeque<Result<LocatedGame, TranscriptError>>,
}

/// Game that the next line may continue.
enum OpenGame {
    /// No game is open.
    Between,
    /// Tags of a game whose moves follow. Tags behind a blank line belong to another game.
    Header { game: LocatedGame, has_gap: bool },
    /// Unfinished game. A game with tags lasts to its result.
    Game { game: LocatedGame, has_tags: bool },
    /// Faulty game. The rest of its lines is skipped.
    Faulty { has_tags: bool, in_header: bool },
}

impl Iterator for Reader<'_> {
    type Item = Result<LocatedGame, TranscriptError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Some(item);
            }
            match self.lines.next() {
                Some((number, text)) => {
                    match tag(&text).filter(|_| self.comments.begun.is_none()) {
                        Some((name, value)) => self.read_tag(number, name, value),
                        None => {
                            let content = self.comments.blanked(&text, number);
                            self.read_line(number, &half_width(&content));
                        }
                    }
                }
                None => {
                    let state = mem::replace(&mut self.state, OpenGame::Between);
                    self.finish_game(state);
                    let begun = self.comments.begun.take();
                    let fault = |line| Err(error(line, TranscriptFault::NotClosed));
                    self.ready.extend(begun.map(fault));
                    return self.ready.pop_front();
                }
            }
        }
    }
}

impl Reader<'_> {
    /// Reads a tag.
    fn read_tag(&mut self, number: usize, name: &str, value: &str) {
        let state = mem::replace(&mut self.state, OpenGame::Between);
        let mut game = match state {
            OpenGame::Faulty {
                in_header: true, ..
            } => {
                self.state = state;
                return;
            }
            OpenGame::Header {
                game,
                has_gap: false,
            } => game,
            state => {
                self.finish_game(state);
                game_on(number)
            }
        };
        if name.eq_ignore_ascii_case("FEN") {
            return self.report_fault(error(number, TranscriptFault::Fen), true, true);
        }
        add_tag(&mut game.record, name, value);
        self.state = OpenGame::Header {
            game,
            has_gap: false,
        };
    }

    /// Reads a line without comments.
    fn read_line(&mut self, number: usize, content: &str) {
        if content.trim().is_empty() {
            if let OpenGame::Header { has_gap, .. } = &mut self.state {
                *has_gap = true;
            }
            return;
        }
        let (tokens, unknown) = tokens(content, number);
        // `None` if neither a number nor a result decides; then the legality of the moves does.
        let begins_game = match tokens.first() {
            Some(&Token::Number { number, is_reply }) => Some(number == 1 && !is_reply),
            Some(Token::Result(_)) => Some(false),
            _ => None,
        };
        let state = mem::replace(&mut self.state, OpenGame::Between);
        match state {
            OpenGame::Faulty { has_tags, .. } if has_tags || begins_game == Some(false) => {
                self.state = OpenGame::Faulty {
                    has_tags,
                    in_header: false,
                };
            }
            OpenGame::Game { mut game, has_tags }
                if begins_game.map_or(has_tags, |begins| !begins) =>
            {
                let played = play_tokens(&mut game.record, &tokens, number);
                match unknown.map_or(played, Err) {
                    Ok(is_ended) => self.continue_or_end(game, has_tags, is_ended),
                    Err(error) => self.report_fault(error, has_tags, false),
                }
            }
            state => self.begin_game(state, number, (&tokens, unknown), begins_game.is_none()),
        }
    }

    /// Reads a line that begins a game. If its moves are illegal from the start and `may_continue` is set, they are
    /// tried as a continuation of the game above.
    fn begin_game(
        &mut self,
        state: OpenGame,
        number: usize,
        (tokens, unknown): (&[Token], Option<TranscriptError>),
        may_continue: bool,
    ) {
        let has_moves = tokens.iter().any(|token| matches!(token, Token::Move(_)));
        if !has_moves && unknown.is_none() {
            // Passes or a result without moves leave an open game as it is and drop tags.
            self.state = match state {
                OpenGame::Game { .. } => state,
                _ => OpenGame::Between,
            };
            return;
        }
        let (mut game, has_tags, above) = match state {
            OpenGame::Header { game, .. } => (game, true, None),
            OpenGame::Game { game, .. } => (game_on(number), false, Some(game)),
            _ => (game_on(number), false, None),
        };
        let played_from_start = play_tokens(&mut game.record, tokens, number);
        match (unknown.map_or(played_from_start, Err), above) {
            (Ok(is_ended), above) => {
                self.ready.extend(above.map(Ok));
                self.continue_or_end(game, has_tags, is_ended);
            }
            (Err(error), Some(above)) => {
                let mut longer = above.clone();
                match play_tokens(&mut longer.record, tokens, number) {
                    Ok(is_ended)
                        if may_continue
                            && !matches!(error.fault, TranscriptFault::NotAMove { .. }) =>
                    {
                        self.continue_or_end(longer, false, is_ended);
                    }
                    _ => {
                        self.ready.push_back(Ok(above));
                        self.report_fault(error, has_tags, false);
                    }
                }
            }
            (Err(error), None) => self.report_fault(error, has_tags, false),
        }
    }

    fn continue_or_end(&mut self, game: LocatedGame, has_tags: bool, is_ended: bool) {
        match is_ended {
            true => self.ready.push_back(Ok(game)),
            false => self.state = OpenGame::Game { game, has_tags },
        }
    }

    /// Emits the game of `state`. Tags without moves are dropped.
    fn finish_game(&mut self, state: OpenGame) {
        if let OpenGame::Game { game, .. } = state {
            self.ready.push_back(Ok(game));
        }
    }

    fn report_fault(&mut self, error: TranscriptError, has_tags: bool, in_header: bool) {
        self.state = OpenGame::Faulty {
            has_tags,
            in_header,
        };
        self.ready.push_back(Err(error));
    }
}

/// New game that begins on a line.
fn game_on(line: usize) -> LocatedGame {
    let record = GameRecord::default();
    LocatedGame { line, record }
}

fn error(line: usize, fault: TranscriptFault) -> TranscriptError {
    TranscriptError { line, fault }
}

/// Tokens of a line, and an error for the first text that is not a token.
fn tokens(content: &str, line: usize) -> (Vec<Token>, Option<TranscriptError>) {
    let (mut tokens, mut unknown) = (Vec::new(), None);
    for token in Tokens::new(content) {
        match token {
            Ok(token) => tokens.push(token),
            Err(found) => unknown = unknown.or(Some(found)),
        }
    }
    let not_a_move = |(column, found)| TranscriptFault::NotAMove { column, found };
    (tokens, unknown.map(|found| error(line, not_a_move(found))))
}

/// Plays the moves of a line. Returns `true` if the line has the result of the game.
fn play_tokens(
    record: &mut GameRecord,
    tokens: &[Token],
    line: usize,
) -> Result<bool, TranscriptError> {
    let mut is_ended = false;
    for token in tokens {
        match *token {
            Token::Move(square) => {
                let played = record.game.play(square);
                played.map_err(|illegal| error(line, illegal.into()))?;
            }
            Token::Number { .. } | Token::Pass => {}
            Token::Result(discs) => {
                is_ended = true;
                if let Some((black, white)) = discs {
                    set_result(record, black, white);
                }
            }
        }
    }
    Ok(is_ended)
}

/// Reads the lines of moves below a position, up to a result or to the first line without moves.
pub(in crate::notation) fn read_moves_from(
    start: Game,
    lines: &mut Peekable<Lines<'_>>,
) -> Result<GameRecord, TranscriptError> {
    let mut record = GameRecord::new(start);
    let mut comments = Comments::default();
    let mut first_error = None;
    let mut is_ended = false;
    while let Some((number, text)) = lines.peek()
        && !is_ended
    {
        let number = *number;
        let is_comment = comments.begun.is_some() || text.trim_start().starts_with('{');
        let content = half_width(&comments.blanked(text, number)).into_owned();
        let is_result = matches!(Tokens::new(&content).next(), Some(Ok(Token::Result(_))));
        if !is_comment && !is_result && !begins_with_move(&content) {
            break;
        }
        lines.next();
        let (tokens, unknown) = tokens(&content, number);
        let played = unknown.map_or_else(|| play_tokens(&mut record, &tokens, number), Err);
        match played {
            Ok(ended) => is_ended = ended,
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    let not_closed = comments
        .begun
        .map(|line| error(line, TranscriptFault::NotClosed));
    first_error.or(not_closed).map_or(Ok(record), Err)
}

/// Returns `true` if a line begins with a move, or with the number of one.
pub(in crate::notation) fn begins_with_move(line: &str) -> bool {
    let content = Comments::default().blanked(line, 0).into_owned();
    let content = half_width(&content);
    let mut tokens = Tokens::new(&content).map_while(Result::ok);
    let first = tokens.find(|token| !matches!(token, Token::Number { .. } | Token::Pass));
    matches!(first, Some(Token::Move(_)))
}

/// Returns `true` if a line is a tag, begins with a move, or has only passes. A pass before other text does not count,
/// since words can begin with `PA` or `PS`.
pub(in crate::notation) fn is_transcript_line(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    if tag(&text).is_some() || begins_with_move(&text) {
        return true;
    }
    let content = Comments::default().blanked(&text, 0).into_owned();
    let mut tokens = Tokens::new(&content).peekable();
    tokens.peek().is_some() && tokens.all(|token| token == Ok(Token::Pass))
}

/// Reads the moves of a text without playing them.
pub(super) fn squares(text: &str) -> Result<Vec<Square>, TranscriptError> {
    let mut comments = Comments::default();
    let mut moves = Vec::new();
    for (number, text) in Lines::new(text.as_bytes()) {
        let content = comments.blanked(&text, number);
        let (tokens, unknown) = tokens(&half_width(&content), number);
        unknown.map_or(Ok(()), Err)?;
        moves.extend(tokens.iter().filter_map(|token| match token {
            Token::Move(square) => Some(square),
            _ => None,
        }));
    }
    match comments.begun {
        Some(line) => Err(error(line, TranscriptFault::NotClosed)),
        None => Ok(moves),
    }
}

#[cfg(test)]
mod tests;
