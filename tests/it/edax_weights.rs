//! Edax's weights in the library, compared with an evaluator that shares no code with it. That evaluator uses Edax's
//! digits, classes and rules for mirror images.

use std::process::Command;

use outflank::Board;
use outflank::eval::{ByteOrder, Format, KNOT_WEIGHTS, Knot, Model, WeightsFile};
use outflank_random::SplitMix64;
use outflank_testing::data::{random_fill, random_game, shared};
use outflank_testing::table::rows;

const HEADER: usize = 28;
const STAGE: usize = 114_364;
const BYTES: usize = HEADER + 61 * 2 * STAGE;

/// Classes of features: offset in a stage, kind of mirror image ([`mirrored`]), features.
const CLASSES: &str = "
    0 | c9 | A1B1A2B2C1A3C2B3C3 H1G1H2G2F1H3F2G3F3 A8A7B8B7A6C8B6C7C6 H8H7G8G7H6F8G6F7F6
    10206 | c10 | A5A4A3A2A1B2B1C1D1E1 H5H4H3H2H1G2G1F1E1D1 A4A5A6A7A8B7B8C8D8E8 H4H5H6H7H8G7G8F8E8D8
    40095 | line | B2A1B1C1D1E1F1G1H1G2 B7A8B8C8D8E8F8G8H8G7 B2A1A2A3A4A5A6A7A8B7 G2H1H2H3H4H5H6H7H8G7
    69741 | line | A1C1D1C2D2E2F2E1F1H1 A8C8D8C7D7E7F7E8F8H8 A1A3A4B3B4B5B6A5A6A8 H1H3H4G3G4G5G6H5H6H8
    99387 | line | A2B2C2D2E2F2G2H2 A7B7C7D7E7F7G7H7 B1B2B3B4B5B6B7B8 G1G2G3G4G5G6G7G8
    102708 | line | A3B3C3D3E3F3G3H3 A6B6C6D6E6F6G6H6 C1C2C3C4C5C6C7C8 F1F2F3F4F5F6F7F8
    106029 | line | A4B4C4D4E4F4G4H4 A5B5C5D5E5F5G5H5 D1D2D3D4D5D6D7D8 E1E2E3E4E5E6E7E8
    109350 | line | A1B2C3D4E5F6G7H8 A8B7C6D5E4F3G2H1
    112671 | line | B1C2D3E4F5G6H7 H2G3F4E5D6C7B8 A2B3C4D5E6F7G8 G1F2E3D4C5B6A7
    113805 | line | C1D2E3F4G5H6 A3B4C5D6E7F8 F1E2D3C4B5A6 H3G4F5E6D7C8
    114183 | line | D1E2F3G4H5 A4B5C6D7E8 E1D2C3B4A5 H4G5F6E7D8
    114318 | line | D1C2B3A4 A5B6C7D8 E1F2G3H4 H5G6F7E8
";
const CONSTANT: usize = 114_363;

/// Index of the digit that replaces `digit` in the mirror image of a feature with `length` digits.
fn mirrored(kind: &str, digit: usize, length: usize) -> usize {
    match (kind, digit) {
        ("c9", _) => [0, 2, 1, 3, 5, 4, 7, 6, 8][digit],
        ("c10", 4 | 5) => digit,
        _ => length - 1 - digit,
    }
}

/// Index of the weight in a stage, for each value of a feature.
fn weight_indices(offset: usize, kind: &str, length: usize) -> Vec<usize> {
    let mut next = offset;
    let mut indices = Vec::new();
    for value in 0..3_usize.pow(length as u32) {
        let digit = |index: usize| value / 3_usize.pow((length - 1 - index) as u32) % 3;
        let mirrored_digit = |index| digit(mirrored(kind, index, length));
        let image = (0..length).fold(0, |image, index| 3 * image + mirrored_digit(index));
        if image < value {
            indices.push(indices[image]);
        } else {
            indices.push(next);
            next += 1;
        }
    }
    indices
}

/// Edax's evaluation in its simplest form.
struct Edax {
    /// Features of each class, and the index of the weight for each of their values.
    classes: Vec<(String, Vec<usize>)>,
    numbers: Vec<i16>,
}

impl Edax {
    fn new(file: &[u8]) -> Edax {
        assert_eq!(file.len(), BYTES);
        assert!(file.starts_with(b"XADELAVE"));
        let classes = rows(CLASSES).into_iter().map(|[offset, kind, features]| {
            let length = features.split(' ').next().expect("a feature").len() / 2;
            let indices = weight_indices(offset.parse().expect("a number"), &kind, length);
            assert!(indices.iter().all(|&index| index < CONSTANT));
            (features, indices)
        });
        let numbers = file[HEADER..].as_chunks().0.iter();
        Edax {
            classes: classes.collect(),
            numbers: numbers.map(|&two| i16::from_le_bytes(two)).collect(),
        }
    }

    /// Value in 1/128 disc.
    fn value(&self, board: Board) -> i32 {
        let ply = 60 - (!(board.player | board.opponent)).count_ones() as usize;
        let stage = &self.numbers[ply * STAGE..][..STAGE];
        let mut sum = i32::from(stage[CONSTANT]);
        for (features, indices) in &self.classes {
            for feature in features.split(' ') {
                let squares = feature.as_bytes().chunks(2);
                let value = squares.fold(0, |value, square| {
                    let bit = (square[0] - b'A') + 8 * (square[1] - b'1');
                    let digit = match (board.player >> bit & 1, board.opponent >> bit & 1) {
                        (1, _) => 0,
                        (_, 1) => 1,
                        _ => 2,
                    };
                    3 * value + digit
                });
                sum += i32::from(stage[indices[value]]);
            }
        }
        sum.clamp(-63 * 128, 63 * 128)
    }
}

/// An `eval.dat` of random weights in -`most`..=`most`.
fn random_file(most: usize) -> Vec<u8> {
    let mut rng = SplitMix64::new(most as u64);
    let mut file = Vec::from(*b"XADELAVE\x03\0\0\0\x02\0\0\0\x05\0\0\0");
    file.extend(20_261_121_f64.to_le_bytes());
    while file.len() < BYTES {
        let weight = rng.index(2 * most + 1) as i32 - most as i32;
        file.extend((weight as i16).to_le_bytes());
    }
    file
}

/// The file with each number in the other byte order.
fn reversed_bytes(file: &[u8]) -> Vec<u8> {
    let mut other = file.to_vec();
    other[..20].chunks_mut(4).for_each(<[u8]>::reverse);
    other[20..HEADER].reverse();
    other[HEADER..].chunks_mut(2).for_each(<[u8]>::reverse);
    other
}

/// Positions of games, and random boards with any number of discs.
fn boards() -> Vec<Board> {
    let mut rng = SplitMix64::new(5);
    let mut boards = Vec::new();
    for _ in 0..20 {
        boards.extend(random_game(&mut rng));
    }
    boards.extend((0..=60).map(|empties| random_fill(&mut rng, empties, 50)));
    boards
}

/// Largest difference between the values of a model and those of Edax.
fn difference(model: &Model, file: &[u8]) -> i32 {
    let edax = Edax::new(file);
    let difference = |board| (model.value(board) - edax.value(board)).abs();
    let differences = boards().into_iter().map(difference);
    differences.max().expect("there are boards")
}

#[test]
fn imported_weights_give_the_values_of_edax() {
    // 710 is the limit at which a sum of 46 weights fits into 16 bits.
    for most in [40, 710] {
        let file = random_file(most);
        let model = WeightsFile::read(&file).expect("valid weights").model;
        assert_eq!(difference(&model, &file), 0, "weights up to {most}");
    }
    // Larger weights are rounded by up to 32/128 disc each.
    let file = random_file(i16::MAX as usize);
    let model = WeightsFile::read(&file).expect("valid weights").model;
    let most = difference(&model, &file);
    assert!((1..=46 * 32).contains(&most), "{most}");
}

#[test]
fn a_published_file_gives_the_values_of_edax() {
    let Some(path) = shared("eval/wthor-fit.eval.dat.xz") else {
        return;
    };
    let Ok(output) = Command::new("xz").args(["-dc"]).arg(path).output() else {
        eprintln!("SKIPPED: there is no xz to unpack it with");
        return;
    };
    let found = WeightsFile::read(&output.stdout).expect("valid weights");
    let Format::Edax { version, order, .. } = found.format else {
        panic!("{:?}", found.format);
    };
    assert_eq!((version, order), ([3, 9, 1], ByteOrder::Little));
    let most = difference(&found.model, &output.stdout);
    assert!(most <= 46 * 2, "{most}");
    let exported = found.model.to_edax(order).expect("it is linear");
    assert_eq!(exported[HEADER..], output.stdout[HEADER..]);
    let ours = found.model.write();
    assert_eq!(Model::read(&ours), Ok(found.model));
}

#[test]
fn imported_weights_export_unchanged() {
    let little = random_file(3000);
    let big = reversed_bytes(&little);
    let found = WeightsFile::read(&little).expect("valid weights");
    let other = WeightsFile::read(&big).expect("valid weights");
    assert_eq!(found.model, other.model);
    let (version, date) = ([3, 2, 5], 20_261_121.0);
    let format = |order| Format::Edax {
        version,
        date,
        order,
    };
    assert_eq!(found.format, format(ByteOrder::Little));
    assert_eq!(other.format, format(ByteOrder::Big));
    let export = |order| found.model.to_edax(order).expect("it is linear");
    let exported = export(ByteOrder::Little);
    // The export has its own version and date.
    assert_eq!(exported[..8], little[..8]);
    assert_eq!(exported[HEADER..], little[HEADER..]);
    assert_eq!(export(ByteOrder::Big), reversed_bytes(&exported));
}

#[test]
fn export_interpolates_between_knots() {
    let mut rng = SplitMix64::new(8);
    let knots = [4, 20, 24].map(|empties| {
        let mut weight = || rng.index(1001) as i16 - 500;
        let weights = (0..KNOT_WEIGHTS).map(|_| weight()).collect();
        Knot { empties, weights }
    });
    let bias = std::array::from_fn(|empties| empties as i16);
    let model = Model::linear(knots.into(), bias, String::new()).expect("the knots are right");
    let exported = model.to_edax(ByteOrder::Little).expect("it is linear");
    let most = difference(&model, &exported);
    assert!((1..=23).contains(&most), "{most}");
    // Knots and the stages beyond the last one are not interpolated.
    let again = WeightsFile::read(&exported).expect("valid weights").model;
    let knots = |model: &Model| model.as_linear().expect("it is linear").knots().to_vec();
    let (knots, again) = (knots(&model), knots(&again));
    for (empties, knot) in [(0, 0), (4, 0), (20, 1), (24, 2), (60, 2)] {
        assert!(again[empties].weights == knots[knot].weights, "{empties}");
    }
}

#[test]
fn an_eval_dat_of_another_length_is_an_error() {
    let file = random_file(1);
    for (length, expected) in [
        (8, "cut off after 8 of 13952436 bytes"),
        (BYTES - 1, "cut off after 13952435 of 13952436 bytes"),
        (BYTES + 1, "13952437 bytes where there should be 13952436"),
    ] {
        let mut file = file.clone();
        file.resize(length, 0);
        let error = WeightsFile::read(&file).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
