//! Data by which games are selected and counted. All of them are in memory.

use outflank_database::Fault;

/// Players, tournament, year and result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GameSummary {
    /// Number of black's player; 0 if unknown.
    pub black: u32,
    /// Number of white's player; 0 if unknown.
    pub white: u32,
    /// Number of the tournament; 0 if unknown.
    pub tournament: u32,
    /// Year, if known.
    pub year: Option<u16>,
    /// Final score in discs for black, -64..=64, if known.
    pub score: Option<i8>,
    /// Number of moves, without passes.
    pub moves: u8,
}

/// Bytes of a summary in the file.
const BYTES: usize = 16;

/// Games of a row of the table `summary`.
pub(crate) const BLOCK: usize = 1024;

/// Score that stands for an unknown one.
const NO_SCORE: i8 = i8::MIN;

impl GameSummary {
    fn to_bytes(self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        for (at, number) in [(0, self.black), (4, self.white), (8, self.tournament)] {
            bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        bytes[12..14].copy_from_slice(&self.year.unwrap_or(0).to_le_bytes());
        bytes[14] = self.score.unwrap_or(NO_SCORE) as u8;
        bytes[15] = self.moves;
        bytes
    }

    fn from_bytes(bytes: &[u8; BYTES]) -> GameSummary {
        let number = |at: usize| {
            let bytes = bytes[at..at + 4].try_into();
            u32::from_le_bytes(bytes.expect("four bytes"))
        };
        GameSummary {
            black: number(0),
            white: number(4),
            tournament: number(8),
            year: Some(u16::from_le_bytes([bytes[12], bytes[13]])).filter(|&year| year > 0),
            score: Some(bytes[14] as i8).filter(|score| (-64..=64).contains(score)),
            moves: bytes[15],
        }
    }
}

/// Returns the contents of a row.
pub(crate) fn write_block(games: &[GameSummary]) -> Vec<u8> {
    games.iter().flat_map(|game| game.to_bytes()).collect()
}

/// Appends the games of a row.
pub(crate) fn read_block(bytes: &[u8], games: &mut Vec<GameSummary>) -> Result<(), Fault> {
    let (records, rest) = bytes.as_chunks();
    match rest.is_empty() && records.len() <= BLOCK {
        true => games.extend(records.iter().map(GameSummary::from_bytes)),
        false => {
            return Err(Fault::Damaged(
                "a row of summaries has a wrong length".to_owned(),
            ));
        }
    }
    Ok(())
}
