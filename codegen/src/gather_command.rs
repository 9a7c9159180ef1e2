//! `outflank-codegen gather`: prints the expression that gathers some squares, and its proof.

use std::process::ExitCode;

use clap::Args;
use outflank_codegen::gather::{
    BadTarget, Base, Multiplication, NoMultiplier, Target, any_order, plan, plan_code,
    single_multiplication, square_name,
};

/// Finds the multiplication that gathers the squares of a bitboard, and proves it.
///
/// The exit status is 0 if one exists, 1 if none does, 2 for a bad request.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Squares: a bitboard (0x8040201008040201, A1 is bit 0), or a list (A1,B2,C3 or a1b2c3).
    squares: String,
    /// Order: in-order (A1 lowest), reversed, any, given (as listed), or a list of the same squares.
    /// The first square becomes the lowest bit.
    #[arg(long, default_value = "in-order")]
    order: String,
    /// Base of the result: 2 for a binary number, 3 for powers of 3.
    #[arg(long, default_value = "2")]
    base: String,
    /// Split the squares into as few multiplications as possible if one is not enough.
    #[arg(long)]
    parts: bool,
    /// Name of the bitboard in the code.
    #[arg(long, default_value = "player")]
    variable: String,
}

/// Error of a request. Its text is one line.
#[derive(Debug, thiserror::Error)]
enum GatherError {
    #[error("`{0}` is no bitboard: after 0x come 1 to 16 hexadecimal digits")]
    Bitboard(String),
    #[error("`{name}` in `{list}` is no square: squares are A1 to H8")]
    Square { name: String, list: String },
    #[error(transparent)]
    Target(#[from] BadTarget),
    #[error("--order {order}: not the squares of {squares}; all of them must come, and no others")]
    OtherSquares { order: String, squares: String },
    #[error("--order {0}: give in-order, reversed, any, given, or the squares in a list (A1,B2)")]
    Order(String),
    #[error("--base {0}: there is base 2 and base 3")]
    Base(String),
    #[error("--variable {0}: not a name in Rust")]
    Variable(String),
    #[error("{reason}; {advice}")]
    None {
        reason: NoMultiplier,
        advice: String,
    },
}

/// Prints the code or the error and returns the exit status.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match answer(arguments) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("outflank-codegen: {error}");
            match error {
                GatherError::None { .. } => ExitCode::FAILURE,
                _ => ExitCode::from(2),
            }
        }
    }
}

fn answer(arguments: &Arguments) -> Result<String, GatherError> {
    let base = match arguments.base.as_str() {
        "2" => Base::Two,
        "3" => Base::Three,
        other => return Err(GatherError::Base(other.to_owned())),
    };
    let variable = &arguments.variable;
    if syn::parse_str::<syn::Ident>(variable).is_err() {
        return Err(GatherError::Variable(variable.clone()));
    }
    let target = ordered(&arguments.squares, &arguments.order)?;
    let single = match arguments.order.as_str() {
        "any" => any_order(&target, base),
        _ => single_multiplication(&target, base).map(|part| (target.clone(), part)),
    };
    match single {
        Ok((target, part)) => Ok(report(&target, &[part], variable)),
        Err(_) if arguments.parts => Ok(report(&target, &plan(&target, base), variable)),
        Err(reason) => Err(GatherError::None {
            reason,
            advice: advice(&target, base, &arguments.order),
        }),
    }
}

/// Parses squares and puts them into the requested order. The order `any` yields ascending squares.
fn ordered(squares: &str, order: &str) -> Result<Target, GatherError> {
    let listed = match squares.strip_prefix("0x") {
        Some(digits) => {
            let bad = || GatherError::Bitboard(squares.to_owned());
            // from_str_radix also accepts a sign.
            let mask = match digits.starts_with(|first: char| first.is_ascii_hexdigit()) {
                true => u64::from_str_radix(digits, 16).map_err(|_| bad())?,
                false => return Err(bad()),
            };
            Target::in_order(mask)?
        }
        None => Target::new(list(squares)?)?,
    };
    Ok(match order {
        "given" => listed,
        "in-order" | "any" => Target::in_order(listed.mask())?,
        "reversed" => Target::reversed(listed.mask())?,
        other => {
            let target =
                Target::new(list(other).map_err(|_| GatherError::Order(other.to_owned()))?)?;
            if target.mask() != listed.mask() {
                return Err(GatherError::OtherSquares {
                    order: other.to_owned(),
                    squares: squares.to_owned(),
                });
            }
            target
        }
    })
}

/// Parses a list of squares like `A1,B2` or `a1b2`.
fn list(text: &str) -> Result<Vec<u8>, GatherError> {
    let names: Vec<char> = text.chars().filter(|&letter| letter != ',').collect();
    let square = |name: &[char]| match *name {
        [column, row] => {
            let column = "abcdefgh".find(column.to_ascii_lowercase())?;
            let row = "12345678".find(row)?;
            Some((row * 8 + column) as u8)
        }
        _ => None,
    };
    let squares = names.chunks(2).map(|name| {
        square(name).ok_or_else(|| GatherError::Square {
            name: name.iter().collect(),
            list: text.to_owned(),
        })
    });
    squares.collect()
}

/// Formats the code, the order and the proofs.
fn report(target: &Target, parts: &[Multiplication], variable: &str) -> String {
    let names: Vec<String> = target
        .squares()
        .iter()
        .map(|&square| square_name(square))
        .collect();
    let mut text = format!("{}\n\n", plan_code(parts, variable));
    text += &format!("lowest first: {}\n", names.join(" "));
    for part in parts {
        if parts.len() > 1 {
            text += &format!("\n{}\n", part.code(variable));
        }
        text += &part.proof().to_string();
    }
    text
}

/// Names options that find a solution.
fn advice(target: &Target, base: Base, order: &str) -> String {
    let parts = format!("--parts takes {}", plan(target, base).len());
    match any_order(target, base) {
        _ if order == "any" => parts,
        Ok(_) => format!("--order any finds one, {parts}"),
        Err(_) => format!("no other order helps, {parts}"),
    }
}
