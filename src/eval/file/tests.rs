//! Writing and reading of weights, and the errors of files without weights.

use outflank_random::SplitMix64;
use outflank_testing::models::random_network;

use super::outflank_format::{Section, file_of, seal, sections};
use super::*;
use crate::eval::linear::LinearError;
use crate::eval::tests::random_linear;
use crate::eval::{ErrorModel, Networks};

fn error_model(coefficient: f32) -> ErrorModel {
    ErrorModel {
        midgame: [coefficient; 10],
        endgame: [-coefficient; 4],
    }
}

#[test]
fn written_linear_weights_read_back_unchanged() {
    let sixteen: Vec<u8> = (0..=60).step_by(4).collect();
    for (empties, most, error) in [
        (&[30][..], 0, None),
        (&[0, 60], i16::MAX, Some(error_model(-1.5))),
        (&sixteen, 700, Some(error_model(0.0))),
    ] {
        let mut model = random_linear(empties, most);
        model.error = error;
        let bytes = model.write();
        assert_eq!(bytes, model.write());
        assert_eq!(Model::read(&bytes).as_ref(), Ok(&model));
        let found = WeightsFile::read(&bytes).unwrap();
        assert_eq!((found.model, found.bytes), (model, bytes.len()));
        let checksum = u32::from_le_bytes(*bytes.last_chunk().unwrap());
        let version = 4;
        assert_eq!(found.format, Format::Outflank { version, checksum });
    }
}

#[test]
fn sixteen_knots_take_at_most_16_mib_in_memory() {
    let model = random_linear(&(0..=60).step_by(4).collect::<Vec<_>>(), i16::MAX);
    assert_eq!(model.as_linear().unwrap().knots().len(), 16);
    let resident = model.parameters.resident_bytes();
    assert!(resident <= 16 << 20, "{resident}");
}

#[test]
fn long_texts_are_cut_between_letters() {
    let mut model = random_linear(&[7], 1);
    model.about = "½".repeat(40_000) + "x";
    let read = Model::read(&model.write()).unwrap();
    assert_eq!(read.about, "½".repeat(32_768));
}

/// Each changed byte and each missing end is an error.
#[test]
fn damaged_files_are_rejected() {
    let bytes = random_linear(&[7], 1).write();
    let mut random = SplitMix64::new(3);
    let some = std::iter::repeat_with(|| random.below(bytes.len() as u64) as usize).take(50);
    for at in (0..24).chain(some).chain(bytes.len() - 4..bytes.len()) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        match (at, WeightsFile::read(&damaged).unwrap_err()) {
            (0..8, WeightsError::Foreign(_)) => {}
            (8..12, WeightsError::Version(_)) => {}
            (12..16, WeightsError::Short { .. } | WeightsError::Long { .. }) => {}
            (16.., WeightsError::Checksum { .. }) => {}
            (_, error) => panic!("{at}: {error}"),
        }
        match (at, WeightsFile::read(&bytes[..at]).unwrap_err()) {
            (0..8, WeightsError::Foreign(_)) => {}
            (8.., WeightsError::Short { .. }) => {}
            (_, error) => panic!("{at}: {error}"),
        }
    }
    let long = WeightsFile::read(&[&bytes[..], b"\n"].concat());
    assert!(matches!(long, Err(WeightsError::Long { .. })));
}

#[test]
fn other_versions_are_refused_with_advice() {
    let mut bytes = random_linear(&[7], 1).write();
    for (version, advice) in [(2, "import it again"), (5, "update outflank")] {
        bytes[8] = version;
        let error = Model::read(&bytes).unwrap_err().to_string();
        let expected = format!("of version {version}, but this outflank reads versions 3 to 4");
        assert!(
            error.contains(&expected) && error.ends_with(advice),
            "{error}"
        );
    }
}

/// The network that `random_network` makes of the seed, and a network for the phase above 20 empty squares.
fn random_networks(seed: u64) -> Networks {
    Networks::of_phases(random_network(seed), 20, random_network(seed + 1))
}

#[test]
fn written_networks_read_back_unchanged() {
    for (networks, error) in [
        (random_network(7).into(), None),
        (random_network(7).into(), Some(error_model(-1.5))),
        (random_networks(7), Some(error_model(-1.5))),
    ] {
        let mut model = Model::networks(networks, "Random. Größe: ½".to_owned());
        model.error = error;
        let bytes = model.write();
        assert_eq!(bytes, model.write());
        let found = WeightsFile::read(&bytes).unwrap();
        assert!(found.model == model, "another network");
        assert_eq!(found.bytes, bytes.len());
        assert_eq!(model.to_edax(ByteOrder::Little), None);
        for end in (0..bytes.len()).step_by(bytes.len() / 50) {
            assert!(Model::read(&bytes[..end]).is_err(), "{end} bytes");
        }
    }
}

/// The sections of `model`, with the contents of section `tag` modified by `change`.
fn with_section(model: &Model, tag: &str, change: impl FnOnce(&mut Vec<u8>)) -> Vec<Section> {
    let mut sections = sections(model);
    let mut all = sections.iter_mut();
    let section = all.find(|(name, _)| name == tag.as_bytes());
    change(&mut section.expect("a section of the model").1);
    sections
}

/// Checks that reading a file fails with a message that contains `expected`.
fn assert_impossible(bytes: &[u8], expected: &str) {
    let error = Model::read(bytes).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}, not {expected}");
}

/// Version 3 had no second network.
#[test]
fn files_of_version_3_are_read() {
    for model in [
        random_linear(&[0, 60], 700),
        Model::networks(random_network(7), String::new()),
    ] {
        let mut bytes = model.write();
        bytes[8] = 3;
        let (contents, checksum) = bytes.split_last_chunk_mut().unwrap();
        *checksum = crc32fast::hash(contents).to_le_bytes();
        let found = WeightsFile::read(&bytes).unwrap();
        assert!(found.model == model);
        assert!(matches!(found.format, Format::Outflank { version: 3, .. }));
    }
}

#[test]
fn impossible_network_sections_are_reported() {
    let model = Model::networks(random_network(7), String::new());
    assert!(Model::read(&file_of(&with_section(&model, "ROWS", |_| ()))).is_ok());
    type Change = fn(&mut Vec<u8>);
    let shorter: Change = |bytes| bytes.truncate(bytes.len() - 1);
    let last_is_large: Change = |bytes| *bytes.last_mut().unwrap() = 0x7f;
    let first_is_large: Change = |bytes| bytes[1] = 0x7f;
    for (tag, change, expected) in [
        ("ROWS", shorter, "not as many rows"),
        ("MOVE", shorter, "not 32 rows"),
        ("STAG", shorter, "not 61 stages"),
        ("ROWS", last_is_large, "too large"),
        ("MOVE", first_is_large, "too large"),
        ("STAG", first_is_large, "too large"),
        ("STAG", last_is_large, "too large"),
        ("GEOM", |bytes| bytes[0] ^= 1, "geometry corner"),
    ] {
        assert_impossible(&file_of(&with_section(&model, tag, change)), expected);
    }
    let mut without_stages = sections(&model);
    without_stages.pop();
    assert_impossible(&file_of(&without_stages), "a section is missing");

    let pair = Model::networks(random_networks(7), String::new());
    for contents in [&[60][..], &[], &[20, 20]] {
        let sections = with_section(&pair, "ABOV", |bytes| *bytes = contents.to_vec());
        assert_impossible(&file_of(&sections), "between two networks");
    }
    let mut without_second = sections(&pair);
    without_second.truncate(without_second.len() - 3);
    assert_impossible(&file_of(&without_second), "a section is missing");
    let third = sections(&pair).split_off(without_second.len() - 1);
    let three = [sections(&pair), third].concat();
    assert_impossible(&file_of(&three), "something follows");
    let mut early_is_large = sections(&pair);
    *early_is_large.last_mut().unwrap().1.last_mut().unwrap() = 0x7f;
    assert_impossible(&file_of(&early_is_large), "too large");
}

#[test]
fn impossible_linear_sections_are_reported() {
    let mut model = random_linear(&[0, 60], 1);
    model.error = Some(error_model(1.0));
    let whole = sections(&model);
    assert!(Model::read(&file_of(&whole)).is_ok());
    for (tag, contents, expected) in [
        ("GEOM", &b"abc"[..], "no checksum"),
        ("GEOM", b"abcdhex", "geometry hex (64636261)"),
        ("KNOT", b"", "not as many weights"),
        ("KNOT", &[60, 0], "ascending"),
        ("KNOT", &[0, 61], "ascending"),
        ("BIAS", &[0; 120], "not 61 biases"),
        ("ERRM", &[0; 65], "error model"),
        ("ERRM", &[0xff; 64], "error model"),
        ("TEXT", b"\xff", "UTF-8"),
        ("WGTS", &[0; 3], "not as many weights"),
    ] {
        let sections = with_section(&model, tag, |bytes| *bytes = contents.to_vec());
        assert_impossible(&file_of(&sections), expected);
    }
    let other_geometry = with_section(&model, "GEOM", |bytes| bytes[0] ^= 1);
    assert_impossible(&file_of(&other_geometry), "geometry edax");
    assert_impossible(&file_of(&[]), "a section is missing");
    for cut in [1, 30_000] {
        let mut bytes = file_of(&whole);
        bytes.truncate(bytes.len() - cut);
        seal(&mut bytes);
        assert_impossible(&bytes, "a section is cut off");
    }
    let last = whole.last().unwrap().clone();
    let twice = [&whole[..], &[last]].concat();
    assert_impossible(&file_of(&twice), "something follows");

    let mut without_knots = whole.clone();
    without_knots.retain(|(tag, _)| tag != b"KNOT");
    assert_impossible(&file_of(&without_knots), "a section is missing");
    let mut none = whole.clone();
    for (tag, contents) in &mut none {
        if tag == b"KNOT" || tag == b"WGTS" {
            contents.clear();
        }
    }
    let error = Model::read(&file_of(&none)).unwrap_err();
    assert_eq!(error, LinearError::Empty.into());
}

#[test]
fn foreign_files_are_named_in_the_error() {
    for (bytes, expected) in [
        (&b""[..], "it is empty"),
        (b"EDAXEVAL123", "eval.dat"),
        (b"XADELAVE", "eval.dat"),
        (b"\xbaoutrec\n\0", "it has records"),
        (b"\xfd7zXZ\0\0", "unpack it first"),
        (b"% comment\r\nmore", "text, \"% comment\""),
        ("½½½½½½½½½½½½½½½½½½½½½½½".as_bytes(), "text, \"½½"),
        (b"\0\x01\xfe", "the bytes [00, 01, fe]"),
        (b"\xbaoutwts\n", "cut off after 8 of 16 bytes"),
    ] {
        let error = Model::read(bytes).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}, not {expected}");
    }
}

/// Reads the bundled weights from a copy, with the checks that a start of the program omits.
#[test]
fn bundled_weights_are_valid_and_take_at_most_12_mib() {
    let bundled = WeightsFile::embedded();
    assert_eq!(bundled.is_some(), cfg!(feature = "embedded-weights"));
    if let (Some(bundled), Some(bytes)) = (bundled, EMBEDDED) {
        assert_eq!(WeightsFile::read(bytes).as_ref(), Ok(&bundled));
        assert!(bundled.model.write() == bytes, "it is written differently");
        assert!(bundled.model.parameters.resident_bytes() <= 12 << 20);
    }
}
