//! Specifications are tied to the references that the kernels are fuzzed against: on the same inputs the answers of
//! the references fulfil them, and no other answer does.

use std::mem::{offset_of, size_of};

use outflank_checker::cases::Cases;
use outflank_checker::input::Input;
use outflank_checker::registry::kernels;
use outflank_kernels::Network;
use outflank_kernels::geometry::{Class, Features, corner, edax};
use outflank_kernels::network::{Stage, WIDTH};
use outflank_prover::spec::{Case, Specification, specifications};
use outflank_prover::term::{self, Assignment, Evaluator, Term, Wide, constant, odd, zeros};
use outflank_random::SplitMix;

/// The inputs of one check as values of variables.
struct Values<'a> {
    input: &'a Input,
    features: &'a Features,
    other: &'a Features,
}

impl Assignment for Values<'_> {
    fn variable(&self, name: &str, width: u32) -> Wide {
        let case = &self.input.case;
        let value = match name {
            "player" => case.player,
            "opponent" => case.opponent,
            "alpha" => case.alpha as u64,
            "square" => case.square as u64,
            "empties" => self.input.empties.into(),
            "moves" => self.input.moves.into(),
            "other_moves" => self.input.other_moves.into(),
            "flipped" => self.input.flipped,
            "legal" => self.input.legal,
            "favoured" => self.input.favoured,
            "squares" => {
                let squares = case.squares.to_le_bytes().into_iter().enumerate();
                squares.fold(0, |all, (i, square)| all | u64::from(square) << (6 * i))
            }
            "features" | "other" => {
                let features = match name {
                    "features" => self.features,
                    _ => self.other,
                };
                let bytes: Vec<u8> = features
                    .0
                    .iter()
                    .flat_map(|one| one.to_le_bytes())
                    .collect();
                return Wide::from_bytes(&bytes).low(width);
            }
            // Those of lemmas, which hold whatever they are.
            _ => case.player >> 5,
        };
        Wide::new(value).low(width)
    }

    fn apply(&self, function: &str, arguments: &[Wide], _: u32) -> Wide {
        if function != "weights_32" {
            let place = arguments[0].low_word() as usize;
            return Wide::new(network_byte(self.input.network, function, place).into());
        }
        let place = arguments[0].low_word() as usize / 4;
        let class = edax::CLASSES
            .iter()
            .find(|class| (class.offset..class.offset + class.weights()).contains(&place));
        // What belongs to no class is worth nothing.
        let weight = class.map_or(0, |class| {
            let weights = self.input.weights.class(class.name).expect("it is listed");
            weights[place - class.offset]
        });
        Wide::new(weight as u32 as u64)
    }
}

/// A byte of the rows, the rows of moves or the stages of a network.
fn network_byte(network: &Network, part: &str, place: usize) -> u8 {
    match part {
        "rows_8" => {
            let row = place / WIDTH;
            let class = corner::CLASSES
                .iter()
                .find(|class| (class.offset..class.offset + class.weights()).contains(&row));
            // What belongs to no class is worth nothing.
            let rows = |class: &Class| network.class(class.name).expect("it is listed");
            class.map_or(0, |class| {
                rows(class)[row - class.offset].0[place % WIDTH] as u8
            })
        }
        "moves_8" => {
            network.moves()[place / (2 * WIDTH)].0[place / 2 % WIDTH].to_le_bytes()[place % 2]
        }
        "stages_8" => {
            let stage = &network.stages()[place / size_of::<Stage>()];
            let words = |numbers: &[i16]| -> Vec<u8> {
                let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
                bytes.collect()
            };
            let matrix = stage.matrix.as_flattened().as_flattened().iter();
            let biases = stage.hidden_bias.iter().flat_map(|bias| bias.to_le_bytes());
            let fields: [(usize, Vec<u8>); 6] = [
                (
                    offset_of!(Stage, matrix),
                    matrix.map(|&one| one as u8).collect(),
                ),
                (offset_of!(Stage, hidden_bias), biases.collect()),
                (
                    offset_of!(Stage, hidden_output),
                    words(stage.hidden_output.as_flattened()),
                ),
                (offset_of!(Stage, input_output), words(&stage.input_output)),
                (offset_of!(Stage, start), words(&stage.start.0)),
                (offset_of!(Stage, bias), stage.bias.to_le_bytes().to_vec()),
            ];
            let place = place % size_of::<Stage>();
            let byte = fields
                .iter()
                .find_map(|(first, bytes)| bytes.get(place.wrapping_sub(*first)));
            *byte.expect("a specification reads fields only")
        }
        other => panic!("there is no array {other}"),
    }
}

/// Checks a specification on one input.
fn check(specification: &Specification, input: &Input, random: &mut SplitMix) {
    term::clear();
    let number = match specification.cases {
        64 => input.case.square,
        _ => 0,
    };
    let case = (specification.case)(number);
    let is_corner = |kernel: &str| kernel.ends_with("_corner") || kernel.starts_with("network_");
    let geometry = usize::from(is_corner(specification.kernel));
    let names = outflank_kernels::geometry::ALL.map(|geometry| geometry.name);
    assert_eq!(
        names,
        ["edax", "corner"],
        "the order that is counted on here"
    );
    let values = Values {
        input,
        features: &input.features[geometry],
        other: &input.other[geometry],
    };
    let mut evaluator = Evaluator::new(&values);
    let mut holds = |bits: &[Term]| bits.iter().all(|&bit| !evaluator.value(bit).is_zero());
    let title = format!("{} {} {:?}", specification.kernel, case.name, input.case);
    assert!(holds(&case.assumptions), "an assumption: {title}");
    assert!(holds(&case.lemmas), "a lemma: {title}");
    for step in case.steps.iter().flatten() {
        let width = step.term.width();
        let above = (step.bits < width).then(|| step.term.extract(step.bits, width - step.bits));
        let fits = above.map(|above| above.equals(zeros(above.width())));
        assert!(
            holds(fits.as_slice()),
            "a step in {} bits: {title}",
            step.bits
        );
    }

    let kernel = kernels()
        .iter()
        .find(|kernel| kernel.name == specification.kernel);
    let answer = (kernel.expect("there is such a kernel").reference)(input);
    let bytes: Vec<u8> = answer
        .0
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .take(96)
        .collect();
    let width = bits(&case);
    let answer = constant(Wide::from_bytes(&bytes), width);
    assert!(holds(&(case.claims)(answer, &[])), "{title}");
    let wrong = constant(
        Wide::ONE.shifted_left(random.below(width.into()) as u32),
        width,
    );
    let claims = (case.claims)(odd([answer, wrong]), &[]);
    assert!(!holds(&claims), "with a wrong bit {wrong:?}: {title}");
}

/// The bits of a case's answer.
fn bits(case: &Case) -> u32 {
    use outflank_prover::spec::Place;
    match case.answer {
        Place::Returned(bits) | Place::Array(bits) | Place::Written(_, bits) => bits,
    }
}

#[test]
fn the_answers_of_the_references_and_no_others_fulfil_the_specifications() {
    let mut random = SplitMix::new(3);
    for specification in specifications() {
        // A network takes long to write down, and a single input has all of it in its answer.
        let count = match specification.kernel {
            "network_value" | "network_pair" => 8,
            _ => 60,
        };
        // Games, random discs, long lines and boards made to catch mistakes.
        for case in Cases::new(21).take(count) {
            check(specification, &Input::new(case), &mut random);
        }
    }
}
