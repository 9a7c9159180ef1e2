//! Writing and reading of weights, and the errors of files without weights.

use outflank_random::SplitMix64;
use outflank_testing::models::random_network;

use super::outflank_format::{file, sections};
use super::*;
use crate::eval::ErrorModel;
use crate::eval::linear::LinearError;
use crate::eval::tests::random_linear;

fn error_model(coefficient: f32) -> ErrorModel {
    ErrorModel {
        midgame: [coefficient; 10],
        endgame: [-coefficient; 4],
    }
}

/// A section of a file.
fn section(tag: &str, contents: &[u8]) -> Vec<u8> {
    let length = (contents.len() as u32).to_le_bytes();
    [tag.as_bytes(), &length, contents].concat()
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
        let version = 2;
        assert_eq!(found.format, Format::Outflank { version, checksum });
    }
}

#[test]
fn sixteen_knots_are_small_on_disk_and_in_memory() {
    let model = random_linear(&(0..=60).step_by(4).collect::<Vec<_>>(), i16::MAX);
    assert_eq!(model.as_linear().unwrap().knots().len(), 16);
    let bytes = model.write().len();
    assert!(bytes <= 6_000_000, "{bytes}");
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
fn version_1_is_read_for_linear_weights_only() {
    let first = |model: &Model| {
        let mut bytes = model.write();
        bytes[8] = 1;
        let end = bytes.len() - 4;
        let checksum = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&checksum.to_le_bytes());
        WeightsFile::read(&bytes)
    };
    let linear = random_linear(&[0, 60], 700);
    assert_eq!(first(&linear).unwrap().model, linear);
    let network = Model::network(random_network(7), String::new());
    let error = first(&network).unwrap_err().to_string();
    assert!(error.contains("of version 1, with rows of 16"), "{error}");
}

#[test]
fn written_networks_read_back_unchanged() {
    for error in [None, Some(error_model(-1.5))] {
        let mut model = Model::network(random_network(7), "Random. Größe: ½".to_owned());
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
fn with_section(model: &Model, tag: &str, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let whole = sections(model);
    let length_at = |at: usize| u32::from_le_bytes(whole[at + 4..at + 8].try_into().unwrap());
    let mut at = 0;
    while &whole[at..at + 4] != tag.as_bytes() {
        at += 8 + length_at(at) as usize;
    }
    let end = at + 8 + length_at(at) as usize;
    let mut contents = whole[at + 8..end].to_vec();
    change(&mut contents);
    [&whole[..at], &section(tag, &contents), &whole[end..]].concat()
}

/// Checks that reading a file with these sections fails with a message that contains `expected`.
fn assert_impossible(sections: &[u8], expected: &str) {
    let error = Model::read(&file(sections)).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}, not {expected}");
}

#[test]
fn impossible_network_sections_are_reported() {
    let model = Model::network(random_network(7), String::new());
    assert!(Model::read(&file(&with_section(&model, "ROWS", |_| ()))).is_ok());
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
        assert_impossible(&with_section(&model, tag, change), expected);
    }
    let whole = sections(&model);
    let without_stages = whole.windows(4).rposition(|four| four == b"STAG").unwrap();
    assert_impossible(&whole[..without_stages], "a section is missing");
}

#[test]
fn impossible_linear_sections_are_reported() {
    let mut model = random_linear(&[0, 60], 1);
    model.error = Some(error_model(1.0));
    let whole = sections(&model);
    assert!(Model::read(&file(&whole)).is_ok());
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
        assert_impossible(&sections, expected);
    }
    let other_geometry = with_section(&model, "GEOM", |bytes| bytes[0] ^= 1);
    assert_impossible(&other_geometry, "geometry edax");
    assert_impossible(&[], "a section is missing");
    assert_impossible(b"GEOM\x05\0", "a section is cut off");
    assert_impossible(&whole[..whole.len() - 1], "a section is cut off");
    assert_impossible(&[&whole[..], b"x"].concat(), "something follows");
    // More bytes than the sections of any weights have.
    assert_impossible(&vec![0; 20 << 20], "cannot be unpacked");

    let [knot, bias, weights] = ["KNOT", "BIAS", "WGTS"].map(|tag| {
        let mut tags = whole.windows(4);
        tags.position(|four| four == tag.as_bytes()).unwrap()
    });
    let without_knots = [&whole[..knot], &whole[bias..]].concat();
    assert_impossible(&without_knots, "a section is missing");
    let (no_knots, no_weights) = (section("KNOT", b""), section("WGTS", b""));
    let none = [
        &whole[..knot],
        &no_knots,
        &whole[bias..weights],
        &no_weights,
    ]
    .concat();
    let error = Model::read(&file(&none)).unwrap_err();
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

#[test]
fn embedded_weights_read_and_fit_in_16_mib() {
    let model = Model::embedded();
    assert_eq!(model.is_some(), cfg!(feature = "embedded-weights"));
    if let Some(model) = model {
        assert!(model.parameters.resident_bytes() <= 16 << 20);
    }
}
