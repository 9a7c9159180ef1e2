//! Output files of a command, and the kinds that only this program writes.

pub(crate) use outflank_console::output_files::{Files, ForceArgument, OutputError};

/// Kinds of output files, recognized by their first bytes.
pub(crate) mod kind {
    use outflank::eval::FileKind;
    pub(crate) use outflank_console::output_files::SVG;
    use outflank_console::output_files::{Kind, has_root};

    pub(crate) const HTML: Kind = Kind::new("an HTML page", |bytes| has_root(bytes, "html"));

    pub(crate) const PNG: Kind = Kind::new("a PNG picture", |bytes| {
        bytes.starts_with(b"\x89PNG\r\n\x1a\n")
    });

    pub(crate) const WEIGHTS: Kind = Kind::new("a file of weights", |bytes| {
        matches!(FileKind::detect(bytes), FileKind::Weights)
    });

    pub(crate) const EDAX_WEIGHTS: Kind = Kind::new("an eval.dat of Edax's", |bytes| {
        matches!(FileKind::detect(bytes), FileKind::Edax)
    });

    pub(crate) const EDAX_BOOK: Kind = Kind::new("an opening book of Edax's", |bytes| {
        matches!(FileKind::detect(bytes), FileKind::EdaxBook)
    });

    pub(crate) const CERTIFICATES: Kind = Kind::new("a file of certificates", |bytes| {
        matches!(FileKind::detect(bytes), FileKind::Certificates)
    });

    pub(crate) const MANUAL: Kind = Kind::new("a page of a manual", |bytes| {
        // Pages of `clap_mangen` begin with a definition of the apostrophe, others with their title.
        bytes.starts_with(b".ie \\n(.g .ds Aq ") || bytes.starts_with(b".TH ")
    });

    /// File of games or positions. No command can make it again.
    pub(crate) const GAMES: Kind = Kind::only_forced("a file of games");
}
