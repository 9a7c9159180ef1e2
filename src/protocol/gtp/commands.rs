//! The commands, each by its name.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::position::Position;
use super::request::Request;
use super::{Player, analyze};
use crate::notation::ggf::{self, GgfError};
use crate::notation::shown;
use crate::protocol::clock::{Clock, seconds};
use crate::{Game, IllegalMove, Ply, Side, Square, files};

/// Why a command is not carried out.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    /// There is no such command.
    #[error("unknown command")]
    Unknown,
    /// The arguments are others than these.
    #[error("syntax error: expected {0}")]
    Syntax(&'static str),
    #[error("syntax error: a time is a finite number of seconds, 0 or more, unlike {0:?}")]
    Time(String),
    #[error("illegal move: {0}")]
    IllegalMove(#[from] IllegalMove),
    #[error("it is {0}'s turn")]
    Turn(Side),
    #[error("unacceptable size: there are boards of 8x8")]
    Size,
    #[error("unsupported game: there is Othello")]
    OtherGame,
    #[error("cannot undo")]
    Undo,
    #[error("cannot score: the game is not over")]
    NotOver,
    #[error("cannot load file: {0}")]
    File(#[from] io::Error),
    #[error("cannot load file: {0}")]
    Game(#[from] GgfError),
    #[error("cannot load file: there is no game in it")]
    NoGame,
}

/// The most that a file with a game can have, in MiB.
const MAX_MIB: u64 = 16;

/// What carries a command out.
type Handler<W> = fn(&mut Player<W>, &Request) -> Result<String, Refusal>;

impl<W: Write> Player<W> {
    /// All commands.
    fn commands() -> impl Iterator<Item = (&'static str, Handler<W>)> {
        let commands: [(&str, Handler<W>); _] = [
            ("protocol_version", |_, _| Ok("2".into())),
            ("name", |_, _| Ok("Outflank".into())),
            ("version", |_, _| Ok(env!("CARGO_PKG_VERSION").into())),
            ("known_command", |_, request| {
                let name = request.argument(0).unwrap_or_default();
                Ok(Self::handler(name).is_some().to_string())
            }),
            ("list_commands", |_, _| {
                let names = Self::commands().map(|(name, _)| name);
                Ok(names.collect::<Vec<_>>().join("\n"))
            }),
            ("quit", |player, _| {
                player.over = true;
                Ok(String::new())
            }),
            // A search that was asked for ended when this was read.
            ("stop", |player, _| {
                player.wires.session.halt();
                Ok(String::new())
            }),
            ("gogui-interrupt", |_, _| Ok(String::new())),
            ("boardsize", Self::board_size),
            ("clear_board", Self::clear_board),
            ("komi", |_, request| {
                let komi = request.argument(0).and_then(|komi| komi.parse().ok());
                match komi.is_some_and(f64::is_finite) {
                    true => Ok(String::new()),
                    false => Err(Refusal::Syntax("a number, which is ignored")),
                }
            }),
            ("play", Self::play),
            ("genmove", Self::genmove),
            ("reg_genmove", Self::reg_genmove),
            ("undo", |player, _| {
                player.wires.session.halt();
                match player.position.undo() {
                    true => Ok(String::new()),
                    false => Err(Refusal::Undo),
                }
            }),
            ("time_settings", Self::time_settings),
            ("time_left", Self::time_left),
            ("set_game", |_, request| {
                match request.rest.eq_ignore_ascii_case(GAME) {
                    true => Ok(String::new()),
                    false => Err(Refusal::OtherGame),
                }
            }),
            ("list_games", |_, _| Ok(GAME.into())),
            ("showboard", |player, _| Ok(drawing(player.position.game()))),
            ("loadsgf", Self::load),
            ("final_score", |player, _| {
                Ok(match player.score()? {
                    0 => "0".into(),
                    black @ 1.. => format!("B+{black}"),
                    black => format!("W+{}", -black),
                })
            }),
            ("gogui-rules_game_id", |_, _| Ok(GAME.into())),
            ("gogui-rules_board", |player, _| {
                let rows = rows(player.position.game(), '.');
                Ok(gogui_board(rows))
            }),
            ("gogui-rules_board_size", |_, _| Ok("8".into())),
            ("gogui-rules_legal_moves", |player, _| {
                let board = player.position.game().board();
                Ok(match board.must_pass() {
                    true => PASS.into(),
                    false => square_list(Square::all_in(board.mobility())),
                })
            }),
            ("gogui-rules_side_to_move", |player, _| {
                Ok(player.position.game().side().to_string())
            }),
            ("gogui-rules_final_result", |player, _| {
                let counts = counts(player.position.game());
                Ok(match player.score()? {
                    0 => format!("Draw ({counts})"),
                    black @ 1.. => format!("Black wins by {black} ({counts})"),
                    black => format!("White wins by {} ({counts})", -black),
                })
            }),
            ("gogui-analyze_commands", |_, _| Ok(analyze::MENU.into())),
            ("outflank-evaluation", |player, _| {
                Ok(player.evaluate_moves().board())
            }),
            ("outflank-evaluation_gfx", |player, _| {
                Ok(player.evaluate_moves().graphics())
            }),
            ("outflank-best_moves", |player, _| {
                Ok(player.evaluate_moves().best_moves())
            }),
            ("outflank-legal_moves", |player, _| {
                let board = player.position.game().board();
                Ok(square_list(Square::all_in(board.mobility())))
            }),
            ("outflank-principal_variation", |player, _| {
                Ok(player.find_variation().graphics())
            }),
        ];
        commands.into_iter()
    }

    /// Carries out a command.
    pub(super) fn carry_out(&mut self, request: &Request) -> Result<String, Refusal> {
        match Self::handler(&request.name) {
            Some(handler) => handler(self, request),
            None => Err(Refusal::Unknown),
        }
    }

    fn handler(name: &str) -> Option<Handler<W>> {
        let found = Self::commands().find(|&(other, _)| other == name);
        found.map(|(_, handler)| handler)
    }

    fn board_size(&mut self, request: &Request) -> Result<String, Refusal> {
        let size = request
            .argument(0)
            .and_then(|size| size.parse::<u32>().ok());
        match size {
            Some(8) => Ok(String::new()),
            Some(_) => Err(Refusal::Size),
            None => Err(Refusal::Syntax("the size of the board")),
        }
    }

    fn clear_board(&mut self, _: &Request) -> Result<String, Refusal> {
        self.wires.session.forget();
        self.position = Position::default();
        Ok(String::new())
    }

    fn play(&mut self, request: &Request) -> Result<String, Refusal> {
        let arguments = side(request).zip(request.argument(1).and_then(ply));
        let expected = Refusal::Syntax("a colour (black or white) and a move (A1 to H8, or pass)");
        let (side, ply) = arguments.ok_or(expected)?;
        self.wires.session.halt();
        self.position.play(side, ply)?;
        Ok(String::new())
    }

    fn genmove(&mut self, request: &Request) -> Result<String, Refusal> {
        let start = Instant::now();
        let (side, ply) = self.choose(request)?;
        self.position.play(side, ply)?;
        if let Some(clock) = &mut self.clocks[side as usize] {
            clock.spend(start.elapsed());
        }
        self.may_ponder = self.settings.ponder;
        Ok(name(ply))
    }

    fn reg_genmove(&mut self, request: &Request) -> Result<String, Refusal> {
        let (_, ply) = self.choose(request)?;
        Ok(name(ply))
    }

    /// The best move of the side that is asked for.
    fn choose(&mut self, request: &Request) -> Result<(Side, Ply), Refusal> {
        let start = Instant::now();
        self.wires.session.halt();
        let side = side(request).ok_or(Refusal::Syntax("a colour (black or white)"))?;
        let game = self.position.game();
        let board = match side == game.side() {
            true => game.board(),
            false if game.board().must_pass() || game.is_over() => game.board().pass(),
            false => return Err(Refusal::Turn(game.side())),
        };
        if board.mobility() == 0 {
            return Ok((side, None));
        }
        if let Some(chosen) = self.book.choose(board) {
            return Ok((side, chosen.ply));
        }
        let clock = self.clocks[side as usize].as_ref();
        let search = self.settings.search(board, clock, start);
        Ok((side, self.think(search, side).best()))
    }

    fn time_settings(&mut self, request: &Request) -> Result<String, Refusal> {
        let expected = "seconds for the game, seconds of a period, moves of a period";
        let (main, time) = (time(request, 0, expected)?, time(request, 1, expected)?);
        let moves = request.argument(2).and_then(|moves| moves.parse().ok());
        let moves = moves.ok_or(Refusal::Syntax(expected))?;
        self.clocks = [Clock::canadian(main, time, moves); 2];
        Ok(String::new())
    }

    fn time_left(&mut self, request: &Request) -> Result<String, Refusal> {
        let expected = "a colour (black or white), seconds, and the moves that they are for or 0";
        let side = side(request).ok_or(Refusal::Syntax(expected))?;
        let time = time(request, 1, expected)?;
        let moves = request.argument(2).and_then(|moves| moves.parse().ok());
        let moves = moves.ok_or(Refusal::Syntax(expected))?;
        let clock = &mut self.clocks[side as usize];
        clock
            .get_or_insert(Clock::new(time, Duration::ZERO))
            .set_left(time, moves);
        Ok(String::new())
    }

    /// Loads a file, and takes back what was played from the given move on.
    fn load(&mut self, request: &Request) -> Result<String, Refusal> {
        // A name can have blanks in it.
        let with_number = request.rest.rsplit_once(' ').and_then(|(name, number)| {
            let number: usize = number.parse().ok()?;
            Some((name.trim_end(), number))
        });
        let (name, number) = with_number.unwrap_or((&request.rest, usize::MAX));
        if name.is_empty() {
            return Err(Refusal::Syntax("the name of a file"));
        }
        let path = Path::new(name);
        if !path.metadata()?.is_file() {
            // Others may never end, or never begin.
            return Err(Refusal::NoGame);
        }
        let bytes = files::read(path, MAX_MIB, "file with a game")?;
        let mut game = ggf::read(&bytes)
            .next()
            .ok_or(Refusal::NoGame)??
            .record
            .game;
        while game.plies().len() >= number.max(1) {
            game.undo();
        }
        self.wires.session.halt();
        self.position = Position::new(game);
        Ok(String::new())
    }

    /// What the game came to, in discs from black's side.
    fn score(&self) -> Result<i32, Refusal> {
        self.position.game().score().ok_or(Refusal::NotOver)
    }
}

/// The name of the game.
const GAME: &str = "Othello";

/// How a pass is written.
const PASS: &str = "pass";

/// The colour that a command begins with.
fn side(request: &Request) -> Option<Side> {
    match request.argument(0)?.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Side::Black),
        "w" | "white" => Some(Side::White),
        _ => None,
    }
}

/// The time of the argument of this number, where these arguments are expected.
fn time(request: &Request, number: usize, expected: &'static str) -> Result<Duration, Refusal> {
    let text = request.argument(number).ok_or(Refusal::Syntax(expected))?;
    seconds(text).ok_or_else(|| Refusal::Time(shown(text)))
}

fn ply(text: &str) -> Option<Ply> {
    match text.eq_ignore_ascii_case(PASS) {
        true => Some(None),
        false => text.parse().ok().map(Some),
    }
}

pub(super) fn name(ply: Ply) -> String {
    ply.map_or_else(|| PASS.to_owned(), |square| square.to_string())
}

/// The rows of the board, from the first on, with blanks between the squares.
fn rows(game: &Game, empty: char) -> impl DoubleEndedIterator<Item = String> {
    let (board, side) = game.position();
    let squares = side.black_first(board).to_string();
    (0..8).map(move |row| {
        let squares = squares[8 * row..8 * row + 8].chars();
        let signs = squares.map(|sign| if sign == '-' { empty } else { sign });
        signs.map(String::from).collect::<Vec<_>>().join(" ")
    })
}

/// Rows, given from the first on, as GoGui takes a board: it has the first row at the bottom.
pub(super) fn gogui_board(rows: impl DoubleEndedIterator<Item = String>) -> String {
    rows.rev().collect::<Vec<_>>().join("\n")
}

/// The names of squares, as a list of points.
pub(super) fn square_list(squares: impl Iterator<Item = Square>) -> String {
    let names: Vec<_> = squares.map(|square| square.to_string()).collect();
    names.join(" ")
}

/// How many discs black and white have.
fn counts(game: &Game) -> String {
    let (board, side) = game.position();
    let discs = side.black_first(board);
    format!(
        "{}-{}",
        discs.player.count_ones(),
        discs.opponent.count_ones()
    )
}

/// The board as Othello players draw it, and who is to move.
fn drawing(game: &Game) -> String {
    let columns = "  A B C D E F G H";
    let mut text = format!("\n{columns}\n");
    for (number, row) in (1..).zip(rows(game, '-')) {
        text += &format!("{number} {row} {number}\n");
    }
    let state = match game.is_over() {
        true => "the game is over".to_owned(),
        false => format!("{} to move", game.side()),
    };
    text + &format!("{columns}\n{state}, {} black and white", counts(game))
}
