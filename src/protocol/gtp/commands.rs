//! Handlers of GTP commands.

use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use super::position::Position;
use super::request::Request;
use super::{GtpServer, PASS, QuitState, analyze, gogui_board, ply_name, square_list};
use crate::drawn_openings::{DrawError, DrawnOpenings, OpeningChoiceError};
use crate::notation::ggf::{self, GgfError};
use crate::notation::truncated;
use crate::opening_names::opening_of;
use crate::protocol::clock::{Clock, parse_seconds};
use crate::{Game, IllegalMove, Ply, Side, Square};
use outflank_support::files;

/// Error answer to a command.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error("unknown command")]
    Unknown,
    /// Wrong arguments; the field describes the expected ones.
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
    #[error("cannot draw an opening: {0}")]
    Choice(#[from] OpeningChoiceError),
    #[error("cannot draw an opening: {0}")]
    Draw(#[from] DrawError),
}

/// Size limit of a game file, in MiB.
const MAX_MIB: u64 = 16;

type Handler<W> = fn(&mut GtpServer<W>, &Request) -> Result<String, CommandError>;

impl<W: Write> GtpServer<W> {
    /// All commands with their handlers.
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
            ("quit", |server, _| {
                server.quit = QuitState::Executed;
                Ok(String::new())
            }),
            // Reading this line has ended any search for an answer, so only pondering is left to cancel.
            ("stop", |server, _| {
                server.channels.session.cancel();
                Ok(String::new())
            }),
            ("gogui-interrupt", |_, _| Ok(String::new())),
            ("boardsize", Self::board_size),
            ("clear_board", Self::clear_board),
            ("komi", |_, request| {
                let komi = request.argument(0).and_then(|komi| komi.parse().ok());
                let expected = CommandError::Syntax("a number, which is ignored");
                done_if(komi.is_some_and(f64::is_finite), expected)
            }),
            ("play", Self::play),
            ("genmove", Self::genmove),
            ("reg_genmove", Self::reg_genmove),
            ("undo", |server, _| {
                server.channels.session.cancel();
                done_if(server.position.undo(), CommandError::Undo)
            }),
            ("time_settings", Self::time_settings),
            ("time_left", Self::time_left),
            ("set_game", |_, request| {
                let is_known = request.rest.eq_ignore_ascii_case(GAME);
                done_if(is_known, CommandError::OtherGame)
            }),
            ("list_games", |_, _| Ok(GAME.into())),
            ("showboard", |server, _| Ok(drawing(server.position.game()))),
            ("loadsgf", Self::load),
            ("final_score", |server, _| {
                Ok(match server.score()? {
                    0 => "0".into(),
                    black @ 1.. => format!("B+{black}"),
                    black => format!("W+{}", -black),
                })
            }),
            ("gogui-rules_game_id", |_, _| Ok(GAME.into())),
            ("gogui-rules_board", |server, _| {
                let rows = rows(server.position.game(), '.');
                Ok(gogui_board(rows))
            }),
            ("gogui-rules_board_size", |_, _| Ok("8".into())),
            ("gogui-rules_legal_moves", |server, _| {
                let board = server.position.game().board();
                Ok(match board.must_pass() {
                    true => PASS.into(),
                    false => square_list(Square::all_in(board.mobility())),
                })
            }),
            ("gogui-rules_side_to_move", |server, _| {
                Ok(server.position.game().side().to_string())
            }),
            ("gogui-rules_final_result", |server, _| {
                let counts = counts(server.position.game());
                Ok(match server.score()? {
                    0 => format!("Draw ({counts})"),
                    black @ 1.. => format!("Black wins by {black} ({counts})"),
                    black => format!("White wins by {} ({counts})", -black),
                })
            }),
            ("gogui-analyze_commands", |_, _| Ok(analyze::MENU.into())),
            ("outflank-evaluation", |server, _| {
                Ok(server.evaluate_moves().board())
            }),
            ("outflank-evaluation_gfx", |server, _| {
                Ok(server.evaluate_moves().graphics())
            }),
            ("outflank-best_moves", |server, _| {
                Ok(server.evaluate_moves().best_moves())
            }),
            ("outflank-legal_moves", |server, _| {
                let board = server.position.game().board();
                Ok(square_list(Square::all_in(board.mobility())))
            }),
            ("outflank-principal_variation", |server, _| {
                Ok(server.principal_variation().graphics())
            }),
            ("outflank-opening", |server, _| {
                let opening = opening_of(server.position.game());
                Ok(opening.map_or(String::new(), |opening| opening.to_string()))
            }),
            ("outflank-draw_opening", Self::draw_opening),
        ];
        commands.into_iter()
    }

    /// Executes a command and returns its answer.
    pub(super) fn execute(&mut self, request: &Request) -> Result<String, CommandError> {
        match Self::handler(&request.name) {
            Some(handler) => handler(self, request),
            None => Err(CommandError::Unknown),
        }
    }

    fn handler(name: &str) -> Option<Handler<W>> {
        let command = Self::commands().find(|&(other, _)| other == name);
        command.map(|(_, handler)| handler)
    }

    fn board_size(&mut self, request: &Request) -> Result<String, CommandError> {
        let size = request.argument(0).and_then(|size| size.parse().ok());
        let size: u32 = size.ok_or(CommandError::Syntax("the size of the board"))?;
        done_if(size == 8, CommandError::Size)
    }

    fn clear_board(&mut self, _: &Request) -> Result<String, CommandError> {
        self.channels.session.clear();
        self.settings.begin_game();
        self.position = Position::default();
        Ok(String::new())
    }

    fn play(&mut self, request: &Request) -> Result<String, CommandError> {
        let arguments = side(request).zip(request.argument(1).and_then(ply));
        let expected =
            CommandError::Syntax("a colour (black or white) and a move (A1 to H8, or pass)");
        let (side, ply) = arguments.ok_or(expected)?;
        self.channels.session.cancel();
        self.position.play(side, ply)?;
        Ok(String::new())
    }

    fn genmove(&mut self, request: &Request) -> Result<String, CommandError> {
        let start = Instant::now();
        let (side, ply) = self.choose(request)?;
        self.position.play(side, ply)?;
        if let Some(clock) = &mut self.clocks[side as usize] {
            clock.spend(start.elapsed());
        }
        self.may_ponder = self.settings.ponder;
        Ok(ply_name(ply))
    }

    fn reg_genmove(&mut self, request: &Request) -> Result<String, CommandError> {
        let (_, ply) = self.choose(request)?;
        Ok(ply_name(ply))
    }

    /// Chooses a move of the requested side, from the book or by a search.
    fn choose(&mut self, request: &Request) -> Result<(Side, Ply), CommandError> {
        let start = Instant::now();
        self.channels.session.cancel();
        let side = side(request).ok_or(CommandError::Syntax("a colour (black or white)"))?;
        let game = self.position.game();
        let board = match side == game.side() {
            true => game.board(),
            false if game.board().must_pass() || game.is_over() => game.board().pass(),
            false => return Err(CommandError::Turn(game.side())),
        };
        if board.mobility() == 0 {
            return Ok((side, None));
        }
        if let Some(chosen) = self.book.choose(board) {
            return Ok((side, chosen.ply));
        }
        let clock = self.clocks[side as usize].as_ref();
        let search = self.settings.search(board, clock, start);
        let result = self.search(search, side);
        let (ply, _) = self.settings.choose(board, side, &result);
        Ok((side, ply))
    }

    fn time_settings(&mut self, request: &Request) -> Result<String, CommandError> {
        let expected = "seconds for the game, seconds of a period, moves of a period";
        let (main, time) = (time(request, 0, expected)?, time(request, 1, expected)?);
        let moves = moves(request, expected)?;
        self.clocks = [Clock::canadian(main, time, moves); 2];
        Ok(String::new())
    }

    fn time_left(&mut self, request: &Request) -> Result<String, CommandError> {
        let expected = "a colour (black or white), seconds, and the moves that they are for or 0";
        let side = side(request).ok_or(CommandError::Syntax(expected))?;
        let time = time(request, 1, expected)?;
        let moves = moves(request, expected)?;
        let clock = &mut self.clocks[side as usize];
        clock
            .get_or_insert(Clock::new(time, Duration::ZERO))
            .set_left(time, moves);
        Ok(String::new())
    }

    /// Loads a game file. A number N behind the name takes back the plies from the N-th on.
    fn load(&mut self, request: &Request) -> Result<String, CommandError> {
        // File names may have blanks.
        let with_number = request.rest.rsplit_once(' ').and_then(|(name, number)| {
            let number: usize = number.parse().ok()?;
            Some((name.trim_end(), number))
        });
        let (name, number) = with_number.unwrap_or((&request.rest, usize::MAX));
        if name.is_empty() {
            return Err(CommandError::Syntax("the name of a file"));
        }
        let path = Path::new(name);
        if !path.metadata()?.is_file() {
            // Reading a device or a pipe might never end.
            return Err(CommandError::NoGame);
        }
        let bytes = files::read(path, MAX_MIB, "file with a game")?;
        let mut game = ggf::read(&bytes)
            .next()
            .ok_or(CommandError::NoGame)??
            .record
            .game;
        while game.plies().len() >= number.max(1) {
            game.undo();
        }
        self.channels.session.cancel();
        self.settings.begin_game();
        self.position = Position::new(game);
        Ok(String::new())
    }

    /// Draws an opening among those of the arguments, which commas separate, and goes to its end. Answers its moves.
    fn draw_opening(&mut self, request: &Request) -> Result<String, CommandError> {
        let text = match request.rest.as_str() {
            "" => "xot",
            text => text,
        };
        // A source goes on where it was, so that random openings differ.
        if !self.openings.contains_key(text) {
            let choices = text.split(',').map(str::parse).collect::<Result<_, _>>()?;
            let openings = DrawnOpenings::new(choices, self.settings.opening_seed)?;
            self.openings.insert(text.to_owned(), openings);
        }
        let openings = self.openings.get_mut(text).expect("it was inserted");
        let game = openings.draw()?;
        let moves = square_list(game.moves());
        self.channels.session.cancel();
        self.settings.begin_game();
        self.position = Position::new(game);
        Ok(moves)
    }

    /// Final score in discs from black's side.
    fn score(&self) -> Result<i32, CommandError> {
        self.position.game().score().ok_or(CommandError::NotOver)
    }
}

const GAME: &str = "Othello";

/// Empty answer if `is_done`, else the error.
fn done_if(is_done: bool, error: CommandError) -> Result<String, CommandError> {
    match is_done {
        true => Ok(String::new()),
        false => Err(error),
    }
}

/// Parses the colour in the first argument.
fn side(request: &Request) -> Option<Side> {
    match request.argument(0)?.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Side::Black),
        "w" | "white" => Some(Side::White),
        _ => None,
    }
}

/// Parses the time in argument `index`. `expected` describes all arguments for errors.
fn time(request: &Request, index: usize, expected: &'static str) -> Result<Duration, CommandError> {
    let text = request
        .argument(index)
        .ok_or(CommandError::Syntax(expected))?;
    parse_seconds(text).ok_or_else(|| CommandError::Time(truncated(text)))
}

/// Parses the number of moves in argument 2. `expected` describes all arguments for errors.
fn moves(request: &Request, expected: &'static str) -> Result<u32, CommandError> {
    let moves = request.argument(2).and_then(|moves| moves.parse().ok());
    moves.ok_or(CommandError::Syntax(expected))
}

fn ply(text: &str) -> Option<Ply> {
    match text.eq_ignore_ascii_case(PASS) {
        true => Some(None),
        false => text.parse().ok().map(Some),
    }
}

/// Rows 1 to 8 of the board, with blanks between the squares.
fn rows(game: &Game, empty: char) -> impl DoubleEndedIterator<Item = String> {
    let (board, side) = game.position();
    let squares = side.black_first(board).to_string();
    (0..8).map(move |row| {
        let squares = squares[8 * row..8 * row + 8].chars();
        let signs = squares.map(|sign| if sign == '-' { empty } else { sign });
        signs.map(String::from).collect::<Vec<_>>().join(" ")
    })
}

/// Disc counts of black and white: `34-30`.
fn counts(game: &Game) -> String {
    let (board, side) = game.position();
    let discs = side.black_first(board);
    let [black, white] = [discs.player, discs.opponent].map(u64::count_ones);
    format!("{black}-{white}")
}

/// The board as Othello players draw it, with the side to move.
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
