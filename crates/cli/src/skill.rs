//! Options of weaker play.

use clap::Args;
use outflank::search::Strength;
use outflank::skill::{NAMED_SKILLS, Skill, SkillPlayer};

use super::number_options::{ANY_U64, whole};

/// Skill of the program and its seed.
#[derive(Args, Clone)]
pub(super) struct SkillArguments {
    // Not a doc comment: it lists the names.
    #[arg(long, value_name = "SKILL", value_parser = skill, help = skill_help())]
    skill: Option<Skill>,

    /// Seed of the moves that --skill draws [default: a new one in each run]
    #[arg(long, value_name = "S", requires = "skill", value_parser = whole::<u64>(ANY_U64))]
    skill_seed: Option<u64>,
}

/// Text of `--skill`.
fn skill_help() -> String {
    let names = NAMED_SKILLS.map(|named| format!("{} ({})", named.name, named.rating));
    format!(
        "Weaker play over a whole game: {}. The numbers are Elo ratings; random moves have 0. Or the discs that the \
         program loses against the best moves: per game (40), per move (1.5/move), or in the opening, middle game and \
         endgame (5,20,10). Without --level and --depth the skill sets the depth of the searches. The built-in book is \
         not used",
        names.join(", ")
    )
}

fn skill(text: &str) -> Result<Skill, String> {
    text.parse().map_err(|error| format!("{error}"))
}

impl SkillArguments {
    /// Player of the skill, whose searches have `strength` if it is given; `None` if the program plays as well as it can.
    pub(super) fn player(&self, strength: Option<Strength>) -> Option<SkillPlayer> {
        let skill = self.skill.filter(|skill| !skill.is_unlimited())?;
        Some(SkillPlayer::new(
            with_strength(skill, strength),
            self.seed(),
        ))
    }

    /// Seed of the moves.
    pub(super) fn seed(&self) -> u64 {
        self.skill_seed.unwrap_or_else(new_seed)
    }

    /// Returns `true` if the program plays weaker than it can.
    pub(super) fn is_weaker(&self) -> bool {
        self.skill.is_some_and(|skill| !skill.is_unlimited())
    }
}

/// Skill whose searches have `strength`, if it is given.
pub(super) fn with_strength(skill: Skill, strength: Option<Strength>) -> Skill {
    Skill {
        strength: strength.unwrap_or(skill.strength),
        ..skill
    }
}

/// A seed that differs in each run.
pub(super) fn new_seed() -> u64 {
    let now = jiff::Timestamp::now().as_nanosecond();
    now as u64 ^ u64::from(std::process::id()) << 32
}
