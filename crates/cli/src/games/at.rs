//! `outflank games at`: moves that were played in a position.

use std::path::PathBuf;

use clap::Args;
use outflank::book::OpeningBook;
use outflank::notation::{ply_name, transcript, write_position};
use outflank::opening_names::opening_called;
use outflank::opening_names::opening_of;
use outflank::{Game, Ply};
use outflank_book::{BookPlayer, Tolerance};
use outflank_games::{GameDatabase, MoveStatistics};
use outflank_support::text::{one_line, plural};

use super::filter::FilterArguments;
use crate::CommandError;
use crate::book::{game_after, open_unless_none};
use crate::book_moves::with_symmetric_moves;
use crate::console::{print_line, shortened};
use crate::engine::{EngineArguments, StrengthArguments};
use crate::json::{object, to_line};
use crate::move_scores::MoveScores;
use crate::signals::{report_interrupted, stop_on_interrupt};
use crate::text_format::{depth_or_exact, ply};

/// Show the moves that were played in a position, with their results
///
/// Games that reach the position by other moves count, and so do symmetric ones. Points are the share that the side to
/// move scored, a draw being half a point. The column discs is its mean final score. The column players names up to
/// three of the strongest who played the move, with the number of their games. The strongest have the largest share of
/// points in the whole database. Five wins and five losses are added to each.
///
/// The book's and the engine's values are in discs for the side to move. The engine searches if --level, --depth or
/// --selectivity is given.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Database of games
    #[arg(value_name = "DB")]
    database: PathBuf,

    /// Moves from the start of the game to the position, such as f5d6c3, or the name of an opening [default: none]
    #[arg(value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,

    /// Position of an opening, in place of moves: an English or Japanese name of `outflank openings list`
    #[arg(long, value_name = "NAME", conflicts_with = "moves")]
    opening: Option<String>,

    /// Write one JSON object instead of a table
    #[arg(long)]
    json: bool,

    /// Show the values of an opening book, a file or built-in
    #[arg(long, value_name = "BOOK")]
    book: Option<PathBuf>,

    #[command(flatten)]
    strength: StrengthArguments,

    #[command(flatten)]
    engine: EngineArguments,

    #[command(flatten)]
    filter: FilterArguments,
}

const EXAMPLES: &str = "\
Examples:
  outflank games at my.games                               the first moves
  outflank games at my.games f5d6c3d3c4 --book built-in    with the values of the book
  outflank games at my.games --opening tiger --level 20    with values of a search
  outflank games at my.games f5d6 --player tastet --years 1990-1999 --json

The exit status is 1 if no game reaches the position.";

/// A move with all that is known about it.
struct Row {
    statistics: MoveStatistics,
    /// Values of the move in discs for the side to move.
    book: Option<i32>,
    engine: Option<i32>,
}

/// Runs the command and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let database = GameDatabase::open(&arguments.database)?;
    let game = match &arguments.opening {
        Some(name) => opening_called(name)?.game(),
        None => game_after(&arguments.moves)?,
    };
    let selection = arguments.filter.select(&database)?;
    let moves = database.moves_at(game.board(), |game| selection.contains(game))?;
    let book = book_values(arguments, &game)?;
    let Some(search) = search(arguments, &game, moves.is_empty())? else {
        return Ok(report_interrupted());
    };
    let rows: Vec<Row> = moves
        .into_iter()
        .map(|statistics| {
            let played = statistics.square;
            let value = |values: &[(Ply, i32)]| {
                let found = values
                    .iter()
                    .find(|(ply, _)| played.is_some() && *ply == played);
                found.map(|&(_, value)| value)
            };
            Row {
                book: value(&book),
                engine: value(&search.values),
                statistics,
            }
        })
        .collect();
    print_line(match arguments.json {
        true => json(&game, &rows, &search.depth),
        false => table(&game, &rows, &search.depth),
    })?;
    Ok(u8::from(rows.is_empty()))
}

/// Values of the moves in a book. None without a book.
fn book_values(arguments: &Arguments, game: &Game) -> Result<Vec<(Ply, i32)>, CommandError> {
    let book = arguments
        .book
        .as_deref()
        .map(open_unless_none)
        .transpose()?;
    let Some(book) = book.flatten() else {
        return Ok(Vec::new());
    };
    let known = BookPlayer::new(book, Tolerance::default(), 0).look_up(game.board())?;
    let moves = with_symmetric_moves(game.board(), &known).into_iter();
    Ok(moves.map(|known| (known.ply, known.score)).collect())
}

/// Values of a search.
#[derive(Default)]
struct Search {
    values: Vec<(Ply, i32)>,
    /// Depth as text; empty without a search.
    depth: String,
}

/// Searches the position if a strength is given and moves were played. Returns `None` if the search was stopped.
fn search(
    arguments: &Arguments,
    game: &Game,
    is_new: bool,
) -> Result<Option<Search>, CommandError> {
    let Some(strength) = arguments.strength.strength().filter(|_| !is_new) else {
        return Ok(Some(Search::default()));
    };
    let mut engine = arguments.engine.engine()?;
    stop_on_interrupt(&engine.stop_handle())?;
    let mut no_book: Box<dyn OpeningBook> = Box::new(());
    let board = game.board();
    Ok(
        MoveScores::of(board, &mut *no_book, &mut engine, strength).map(|scores| Search {
            depth: depth_or_exact(scores.depth, scores.selectivity, board.empty_count())
                .trim()
                .to_owned(),
            values: scores
                .moves
                .iter()
                .map(|scored| (scored.ply, scored.score))
                .collect(),
        }),
    )
}

fn table(game: &Game, rows: &[Row], depth: &str) -> String {
    let side = game.side();
    let games: u32 = rows.iter().map(|row| row.statistics.games).sum();
    let mut heading = match transcript::write(game) {
        Ok(moves) => moves,
        Err(_) if game.has_usual_start() => "start".to_owned(),
        Err(_) => write_position(game.board(), side),
    };
    if let Some(opening) = opening_of(game) {
        heading += &format!(", {opening}");
    }
    heading += &format!(", {side} to move, {}", plural(games, "game", "games"));
    if games == 0 {
        return heading;
    }
    let has_book = rows.iter().any(|row| row.book.is_some());
    let has_engine = rows.iter().any(|row| row.engine.is_some());
    let mut columns =
        " move |   games |    % |  won | drawn| lost |points|discs| years   ".to_owned();
    if has_book {
        columns += "| book ";
    }
    if has_engine {
        columns += &format!("|{depth:>6}");
    }
    columns += "| players";
    let rule: String = columns
        .chars()
        .map(|letter| if letter == '|' { '+' } else { '-' })
        .collect();
    let mut lines = vec![heading, columns, rule];
    for row in rows {
        let of = &row.statistics;
        let percent = 100.0 * f64::from(of.games) / f64::from(games);
        let name = of
            .square
            .map_or("end".to_owned(), |square| ply(Some(square), side));
        let points = of
            .share()
            .map_or(String::new(), |share| format!("{:.1}", 100.0 * share));
        let discs = of
            .mean_score
            .map_or(String::new(), |mean| format!("{mean:+.1}"));
        let years = match of.years {
            Some((first, last)) if first == last => first.to_string(),
            Some((first, last)) => format!("{first}-{last}"),
            None => String::new(),
        };
        let mut line = format!(
            " {name:<5}|{:>8} |{percent:>5.1} |{:>6}|{:>6}|{:>6}|{points:>6}|{discs:>5}|{years:>9}",
            of.games, of.wins, of.draws, of.losses,
        );
        let value = |value: Option<i32>| value.map_or(String::new(), |value| format!("{value:+}"));
        if has_book {
            line += &format!("|{:>5} ", value(row.book));
        }
        if has_engine {
            line += &format!("|{:>5} ", value(row.engine));
        }
        let players = of
            .best_players
            .iter()
            .map(|(name, games)| format!("{} {games}", shortened(&one_line(name), 20)));
        line += &format!("| {}", players.collect::<Vec<_>>().join(", "));
        lines.push(line.trim_end().to_owned());
    }
    lines.join("\n")
}

fn json(game: &Game, rows: &[Row], depth: &str) -> String {
    let (board, side) = game.position();
    let moves = rows.iter().map(|row| {
        let of = &row.statistics;
        let players = of
            .best_players
            .iter()
            .map(|(name, games)| object! { name, games });
        object! {
            #[serde(rename = "move")]
            name: of.square.map(|square| ply_name(Some(square))),
            games: of.games,
            wins: of.wins,
            draws: of.draws,
            losses: of.losses,
            points: of.share(),
            mean_score: of.mean_score,
            first_year: of.years.map(|(first, _)| first),
            last_year: of.years.map(|(_, last)| last),
            best_players: players.collect::<Vec<_>>(),
            book: row.book,
            engine: row.engine,
        }
    });
    to_line(&object! {
        position: write_position(board, side),
        moves_before: transcript::write(game).unwrap_or_default(),
        opening: opening_of(game).map(|opening| opening.to_string()),
        games: rows.iter().map(|row| row.statistics.games).sum::<u32>(),
        engine_depth: Some(depth).filter(|depth| !depth.is_empty()),
        moves: moves.collect::<Vec<_>>(),
    })
}
