//! Names of vector instructions, taken apart.

/// Name of an instruction in lower case, without the `v` of AVX.
///
/// All lanes and all encodings of an operation share a stem: `paddb`, `vpaddb` and `vpaddq` have the stem `padd`.
#[derive(Clone, Copy)]
pub(super) struct Name<'a> {
    pub(super) whole: &'a str,
    /// Name without the letters at its end that stand for the lane.
    pub(super) stem: &'a str,
    /// Lane width in bits; 64 if the name does not end with a lane.
    pub(super) lane: u32,
}

/// Letters at the end of a name that stand for lanes, with the lane widths in bits.
const LANES: [(&str, u32); 6] = [
    ("ps", 32),
    ("pd", 64),
    ("b", 8),
    ("w", 16),
    ("d", 32),
    ("q", 64),
];

impl Name<'_> {
    /// Takes a mnemonic in lower case apart.
    pub(super) fn new(mnemonic: &str) -> Name<'_> {
        let whole = mnemonic.strip_prefix('v').unwrap_or(mnemonic);
        let with_lane = |(suffix, lane)| {
            let stem = whole.strip_suffix(suffix)?;
            Some(Name { whole, stem, lane })
        };
        match whole {
            // Compares integers.
            "pcmpd" => with_lane(("d", 32)),
            _ => LANES.into_iter().find_map(with_lane),
        }
        .unwrap_or(Name {
            whole,
            stem: whole,
            lane: 64,
        })
    }

    /// Stem of a conversion between lanes, and both lane widths: `pmovzx`, 8 and 32 for `pmovzxbd`.
    pub(super) fn conversion(&self) -> Option<(&str, u32, u32)> {
        let (stem, letters) = self.whole.split_at_checked(self.whole.len() - 2)?;
        let lane = |letter: &str| {
            let mut lanes = LANES.into_iter();
            lanes.find_map(|(suffix, lane)| (suffix == letter).then_some(lane))
        };
        Some((stem, lane(&letters[..1])?, lane(&letters[1..])?))
    }

    /// Widths of a part and of its lanes in an instruction on parts of vectors: 256 and 64 for `inserti64x4`.
    pub(super) fn part(&self, operation: &str) -> Option<(u32, u32)> {
        let shape = self.whole.strip_prefix(operation)?;
        match shape.strip_prefix(['i', 'f'])? {
            "128" | "32x4" => Some((128, 32)),
            "64x2" => Some((128, 64)),
            "32x8" => Some((256, 32)),
            "64x4" => Some((256, 64)),
            _ => None,
        }
    }
}
