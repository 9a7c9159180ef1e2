//! `outflank train`: making an evaluation.

mod generate;
mod records;

use std::io;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use outflank::eval::LoadError;
use outflank::train::generate::{CollectionError, GenerateError, PlanError};
use outflank::train::record::RecordError;

use super::CommandError;

/// Make an evaluation: label positions, fit weights to them, see how good they are
#[derive(Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Generate(generate::Arguments),
    Records(records::Arguments),
}

/// Why a part of the training could not be carried out.
#[derive(Debug, thiserror::Error)]
pub(super) enum TrainError {
    #[error("cannot read {}: {}", .0.display(), .1)]
    Unreadable(PathBuf, io::Error),
    #[error("{}: {}", .0.display(), .1)]
    Games(PathBuf, CollectionError),
    #[error(transparent)]
    Weights(#[from] LoadError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Generate(#[from] GenerateError),
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl TrainError {
    /// Whether the command asked for what cannot be.
    pub(super) fn is_usage(&self) -> bool {
        matches!(
            self,
            TrainError::Plan(_)
                | TrainError::Generate(GenerateError::Plan(_) | GenerateError::Solver(_))
        )
    }
}

/// Carries out the command; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    match &arguments.command {
        Command::Generate(arguments) => generate::run(arguments),
        Command::Records(arguments) => records::run(arguments),
    }
}
