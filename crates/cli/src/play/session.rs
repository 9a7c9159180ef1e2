//! A game between user and program, and the execution of its commands.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use outflank::analysis::{Mark, equalize_symmetric_scores};
use outflank::book::OpeningBook;
use outflank::drawn_openings::{DrawError, DrawnOpenings};
use outflank::notation::{Note, transcript};
use outflank::search::Strength;
use outflank::skill::{Skill, SkillPlayer};
use outflank::{Engine, Game, Limits, SearchResult, Side, Square};
use outflank_support::text::plural;

use super::command::{Command, HELP, Players, Save};
use super::game_state::GameState;
use super::hint;
use super::learning::GameLearner;
use super::save;
use crate::book_moves;
use crate::console::print_line;
use crate::live_line::{self, RunningSearch};
use crate::output_files::Files;
use crate::progress::ProgressArgument;
use crate::signals::interrupted_status;
use crate::skill::with_strength;
use crate::terminal_board;
use crate::text_format::{EXACT, depth_or_exact};

/// Starts of games.
pub(super) enum StartSource {
    /// One start for every game.
    Game(Game),
    /// Openings drawn at random.
    Drawn(Box<DrawnOpenings>),
}

impl StartSource {
    /// Start of the next game.
    pub(super) fn next(&mut self) -> Result<Game, DrawError> {
        match self {
            StartSource::Game(game) => Ok(game.clone()),
            StartSource::Drawn(openings) => openings.draw(),
        }
    }
}

/// State of `outflank play`.
pub(super) struct PlaySession {
    pub(super) starts: StartSource,
    pub(super) state: GameState,
    /// Moves that are in a file already: those of `start`, or those saved last.
    pub(super) saved: Vec<Square>,
    pub(super) players: Players,
    pub(super) strength: Strength,
    /// Player that draws the program's moves, for weaker play.
    pub(super) skill: Option<SkillPlayer>,
    /// Strength of the searches of a skill, if an option or a command has set it.
    pub(super) skill_strength: Option<Strength>,
    /// Seed of the player of a later skill.
    pub(super) skill_seed: u64,
    pub(super) time: Option<Duration>,
    /// `true` to show the scores of the user's moves.
    pub(super) shows_values: bool,
    pub(super) engine: Engine,
    pub(super) book: Box<dyn OpeningBook>,
    /// Adds finished games to the book.
    pub(super) learner: Option<GameLearner>,
    /// `true` if an option names the book. Weaker play uses only such a book.
    pub(super) is_book_named: bool,
    /// Files that the program reads. No game is saved over them.
    pub(super) files: Files,
    pub(super) progress: ProgressArgument,
    /// `true` while Ctrl-C would stop a search.
    pub(super) is_searching: Arc<AtomicBool>,
    /// `true` if Ctrl-C stopped a search since the last input line.
    pub(super) was_stopped: bool,
}

impl PlaySession {
    pub(super) fn prompt(&self) -> String {
        match self.state.game().is_over() {
            true => "> ".to_owned(),
            false => format!("{}> ", self.state.game().side()),
        }
    }

    /// Message after the first Ctrl-C. It says how to end the program, and warns if the game is not saved.
    pub(super) fn exit_warning(&self) -> String {
        let again = "Ctrl-C again or quit ends the program.";
        let mut saved = self.saved.iter().copied();
        // Saved moves that were taken back are still in the file.
        let mut moves = self.state.moves();
        match moves.all(|square| saved.next() == Some(square)) {
            true => again.to_owned(),
            false => {
                let moves = plural(self.state.len(), "move", "moves");
                format!("The game of {moves} is not saved. {again}")
            }
        }
    }

    pub(super) fn execute(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Moves(squares) => self.play(&squares),
            Command::Pass => match self.state.game().is_over() {
                true => print_line("the game is over; undo, goto, save, new and quit are left"),
                false => print_line(format_args!("{} has a move", self.state.game().side())),
            },
            Command::Hint(lines) => self.hint(lines),
            Command::Go => self.go(),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::GoTo(moves) => match self.state.len() {
                all if moves > all => {
                    let moves = plural(all, "move", "moves");
                    print_line(format_args!("the game has {moves}: goto 0 to goto {all}"))
                }
                _ => self.go_to(moves),
            },
            Command::New => self.begin_game(),
            Command::SetBoard(game) => {
                self.starts = StartSource::Game(game);
                self.begin_game()
            }
            Command::Play(players) => {
                self.players = players;
                self.play_until_user()
            }
            Command::Level(level) => {
                self.strength = Strength::Level(level);
                self.skill_strength = Some(self.strength);
                if let Some(player) = &mut self.skill {
                    player.set_skill(with_strength(player.skill(), self.skill_strength));
                }
                print_line(format_args!("level {level}{}", self.skill_text()))
            }
            Command::Skill(skill) => {
                if let Some(skill) = skill {
                    self.set_skill(skill);
                }
                print_line(match self.skill_text() {
                    text if text.is_empty() => "skill unlimited".to_owned(),
                    text => text.trim_start_matches(", ").to_owned(),
                })
            }
            Command::Values(values) => {
                self.shows_values = values;
                print_line(format_args!("values {}", if values { "on" } else { "off" }))
            }
            Command::List => self.list_moves(),
            Command::Save(save) => self.save(&save),
            Command::Board => self.show_board(),
            Command::Help => print_line(HELP),
            Command::Quit | Command::Empty => Ok(()),
        }
    }

    /// Makes the program play by a skill from now on.
    fn set_skill(&mut self, skill: Skill) {
        let skill = with_strength(skill, self.skill_strength);
        match &mut self.skill {
            _ if skill.is_unlimited() => self.skill = None,
            Some(player) => player.set_skill(skill),
            None => self.skill = Some(SkillPlayer::new(skill, self.skill_seed)),
        }
    }

    /// Text of the skill behind another text; empty without a skill.
    fn skill_text(&self) -> String {
        let text = |player: &SkillPlayer| {
            let Skill { strength, losses } = player.skill();
            let discs: f64 = losses.iter().sum();
            let search = match strength {
                Strength::Level(level) => format!("level {level}"),
                Strength::Depth(depth, _) => plural(depth, "ply", "plies"),
            };
            format!(
                ", skill {}: {discs:.0} discs a game, {search}",
                player.skill()
            )
        };
        self.skill.as_ref().map(text).unwrap_or_default()
    }

    /// Adds the game on the board to the book if it is over.
    pub(super) fn learn_finished_game(&mut self) {
        if let Some(learner) = &mut self.learner {
            learner.watch(self.state.game(), &mut *self.book);
        }
    }

    /// Begins the next game.
    fn begin_game(&mut self) -> io::Result<()> {
        let start = match self.starts.next() {
            Ok(start) => start,
            Err(error) => return print_line(error),
        };
        self.saved = start.moves().collect();
        if let Some(learner) = &mut self.learner {
            learner.begin_game(&start);
        }
        self.state = GameState::new(start);
        if let Some(player) = &mut self.skill {
            player.begin_game();
        }
        self.engine.clear();
        self.play_until_user()
    }

    /// Plays until it is the user's turn or the game is over, then shows the board.
    pub(super) fn play_until_user(&mut self) -> io::Result<()> {
        loop {
            let side = self.state.game().side();
            if self.state.pass() {
                print_line(format_args!("{side} has to pass"))?;
            } else if self.state.game().is_over() || self.is_users(side) {
                return self.show_board();
            } else {
                self.make_move()?;
            }
        }
    }

    fn is_users(&self, side: Side) -> bool {
        match self.players {
            Players::Black => side == Side::Black,
            Players::White => side == Side::White,
            Players::Both => true,
            Players::None => false,
        }
    }

    /// Makes all of the user's moves or none. Shows the score of a single move, unless values are off.
    fn play(&mut self, squares: &[Square]) -> io::Result<()> {
        let mut game = self.state.game().clone();
        if let Err(error) = squares.iter().try_for_each(|&square| game.play(square)) {
            return match squares.len() {
                1 => print_line(error),
                count => print_line(format_args!("{error}; none of the {count} moves was made")),
            };
        }
        let eval = match squares {
            &[square] if self.shows_values => self.show_value(square)?,
            _ => None,
        };
        self.make_moves(squares, eval, None);
        self.play_until_user()
    }

    /// Shows the score of a move and the best move; returns the score.
    ///
    /// All moves are searched to one depth, so that their scores can be compared. The limit of nodes usually ends the
    /// search before the limit of time, which makes scores reproducible.
    fn show_value(&mut self, square: Square) -> io::Result<Option<f64>> {
        const LEVEL: u32 = 10;
        const MAX_NODES: u64 = 3_000_000;
        const MAX_TIME: Duration = Duration::from_secs(1);
        let board = self.state.game().board();
        let mut result = self.search_interruptibly(Limits {
            // A search of a single line returns no candidates.
            lines: board.mobility().count_ones().max(2),
            nodes: Some(MAX_NODES),
            time: Some(MAX_TIME),
            ..Limits::level(LEVEL, board.empty_count())
        });
        equalize_symmetric_scores(board, &mut result.candidates);
        let candidates = &result.candidates;
        let played = candidates.iter().find(|found| found.ply == Some(square));
        let (Some(best), Some(played)) = (candidates.first(), played) else {
            return Ok(None);
        };
        let (score, loss) = (played.score, best.score - played.score);
        let depth = depth_text(&result, board.empty_count());
        match best.ply {
            Some(better) if loss > 0 => print_line(format_args!(
                "{square}{} scores {score:+}, {better} scores {:+} ({depth})",
                Mark::from_loss(loss).sign(),
                best.score
            ))?,
            _ => print_line(format_args!(
                "{square} scores {score:+}, no move scores more ({depth})"
            ))?,
        }
        Ok(Some(score.into()))
    }

    /// Makes a move of the program.
    fn make_move(&mut self) -> io::Result<()> {
        let (board, side) = self.state.game().position();
        // The book plays perfect openings.
        let uses_book = self.skill.is_none() || self.is_book_named;
        if uses_book
            && let Some(chosen) = self.book.choose(board)
            && let Some(square) = chosen.ply
        {
            let value = chosen.score;
            print_line(format_args!("{side} plays {square} ({value:+}, book)"))?;
            self.make_moves(&[square], Some(value.into()), None);
            return Ok(());
        }
        let limits = match &self.skill {
            Some(player) => Limits {
                time: self.time,
                ..player.limits(board)
            },
            None => self.limits(1),
        };
        let result = self.search_interruptibly(limits);
        let player = self.skill.as_mut();
        let chosen = player.and_then(|player| player.choose(board, side, &result));
        let (ply, score) = match chosen {
            Some(chosen) => (chosen.ply, chosen.score),
            None => (result.best(), result.score),
        };
        // A search that was stopped before its first ply has no move.
        let square = ply.or(Square::all_in(board.mobility()).next());
        let square = square.expect("there is a move");
        let seconds = result.time.as_secs_f64();
        print_line(format_args!(
            "{side} plays {square} ({score:+} {}, {seconds:.2} s)",
            depth_text(&result, board.empty_count()),
        ))?;
        let seconds = (seconds * 1000.0).round() / 1000.0;
        self.make_moves(&[square], Some(score.into()), Some(seconds));
        Ok(())
    }

    /// Makes legal moves with a note.
    fn make_moves(&mut self, squares: &[Square], eval: Option<f64>, seconds: Option<f64>) {
        let played = self.state.play(squares, Note { eval, seconds });
        played.expect("the moves are legal");
    }

    /// Limits of a search for this number of best moves.
    fn limits(&self, lines: u32) -> Limits {
        let empties = self.state.game().board().empty_count();
        Limits {
            lines,
            time: self.time,
            ..self.strength.limits(empties)
        }
    }

    fn search_interruptibly(&mut self, limits: Limits) -> SearchResult {
        self.interruptible(|session| session.search(limits))
    }

    /// Runs one or more searches, all of which a single Ctrl-C ends.
    fn interruptible<T>(&mut self, searches: impl FnOnce(&mut PlaySession) -> T) -> T {
        let stop = self.engine.stop_handle();
        // A Ctrl-C that came too late for earlier searches must not stop these.
        stop.reset();
        self.is_searching.store(true, Relaxed);
        let result = searches(self);
        self.is_searching.store(false, Relaxed);
        // A second Ctrl-C before the next input line ends the program.
        if stop.is_stopped() && std::mem::replace(&mut self.was_stopped, true) {
            std::process::exit(interrupted_status().into());
        }
        result
    }

    /// Searches the position on the board. Callers run it by [`PlaySession::interruptible`].
    fn search(&mut self, limits: Limits) -> SearchResult {
        let limits = Limits {
            depth: limits.depth.max(1),
            ..limits
        };
        let (board, side) = self.state.game().position();
        let monitor = self.engine.monitor();
        let live_line = live_line::show(&self.progress, move || {
            Some(RunningSearch {
                heading: String::new(),
                monitor: monitor.clone(),
                side,
                certificate_moves: 0,
            })
        });
        let result = self.engine.search(board, &limits);
        drop(live_line);
        result.expect("games have no square held twice")
    }

    /// Shows the best moves with their values.
    fn hint(&mut self, count: u32) -> io::Result<()> {
        if self.state.game().is_over() {
            return print_line("the game is over");
        }
        let (board, side) = self.state.game().position();
        let known = book_moves::with_symmetric_moves(board, &self.book.moves(board));
        let table = self.interruptible(|session| {
            hint::table((board, side), &known, count, |without, lines| {
                let limits = session.limits(lines);
                let is_stopped = session.engine.stop_handle().is_stopped();
                (!is_stopped).then(|| session.search(Limits { without, ..limits }))
            })
        });
        print_line(table)
    }

    /// Lets the program make the next move for either side.
    fn go(&mut self) -> io::Result<()> {
        if self.state.game().is_over() {
            return print_line("the game is over");
        }
        self.make_move()?;
        self.play_until_user()
    }

    /// Returns `true` if `undo` and `redo` go to the moves of a side: the user's, or all if the program plays both.
    fn is_undo_target(&self, side: Side) -> bool {
        self.players == Players::None || self.is_users(side)
    }

    /// Takes back the user's last move and later ones, or the program's last move if it plays both sides.
    fn undo(&mut self) -> io::Result<()> {
        let is_target = |side| self.is_undo_target(side);
        match self.state.moves_before_last(is_target) {
            Some(moves) => self.go_to(moves),
            None => print_line("there is no move of yours to take back"),
        }
    }

    /// Plays moves again up to the user's next turn.
    fn redo(&mut self) -> io::Result<()> {
        let is_target = |side| self.is_undo_target(side);
        match self.state.moves_before_next(is_target) {
            Some(moves) => self.go_to(moves),
            None => print_line("no move was taken back"),
        }
    }

    /// Goes to the position after this number of moves. The program does not move there, because that would drop the
    /// moves taken back.
    fn go_to(&mut self, moves: usize) -> io::Result<()> {
        self.state.go_to(moves);
        self.show_board()?;
        let (played, all) = (self.state.played(), self.state.len());
        if played < all {
            print_line(format_args!(
                "after {played} of {}; redo and goto lead on",
                plural(all, "move", "moves")
            ))?;
        }
        let side = self.state.game().side();
        match self.state.game().is_over() || self.is_users(side) {
            true => Ok(()),
            false => print_line(format_args!("{side} is the program's: go lets it move")),
        }
    }

    fn list_moves(&self) -> io::Result<()> {
        if self.state.played() == 0 {
            return print_line("no moves yet");
        }
        transcript::write(self.state.game()).map_or_else(print_line, print_line)
    }

    fn save(&mut self, to: &Save) -> io::Result<()> {
        let name = |side| match self.is_users(side) {
            true => "Player",
            false => "Outflank",
        };
        if let Err(error) = save::save(to, &self.files, self.state.record(), name) {
            return print_line(error);
        }
        self.saved = self.state.game().moves().collect();
        let (played, all) = (self.state.played(), self.state.len());
        let moves = plural(played, "move", "moves");
        let path = to.path.display();
        match all - played {
            0 => print_line(format_args!("{path}: {moves} saved")),
            left => print_line(format_args!(
                "{path}: {moves} saved, without {}",
                plural(left, "that was taken back", "that were taken back")
            )),
        }
    }

    /// Shows the board, and the result of a finished game.
    fn show_board(&self) -> io::Result<()> {
        let game = self.state.game();
        print_line("")?;
        terminal_board::show(game)?;
        let Some(score) = game.score() else {
            return Ok(());
        };
        let outcome = match score {
            0 => "a draw".to_owned(),
            1.. => format!("black wins by {score}"),
            ..0 => format!("white wins by {}", -score),
        };
        print_line(format_args!("The game is over: {outcome}."))?;
        self.list_moves()
    }
}

/// Text of the depth of a search: `exact`, or plies as in `by 16 plies`.
fn depth_text(result: &SearchResult, empties: u32) -> String {
    match depth_or_exact(result.depth, result.selectivity, empties) {
        exact if exact == EXACT => exact,
        depth => format!("by {}", plural(depth, "ply", "plies")),
    }
}
