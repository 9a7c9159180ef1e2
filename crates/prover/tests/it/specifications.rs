//! Comparison of specifications with the checker's references.
//!
//! The reference's answer must fulfil the claims. The same answer with one wrong bit must not.

use outflank_checker::cases::Cases;
use outflank_checker::input::Input;
use outflank_checker::registry::kernels;
use outflank_kernels::Network;
use outflank_kernels::geometry::{Features, corner, edax};
use outflank_kernels::network::WIDTH;
use outflank_prover::spec::{AnswerLocation, Obligation, Specification, specifications};
use outflank_prover::term::{self, Assignment, Evaluator, Term, Wide, constant, xor_all, zeros};
use outflank_random::SplitMix64;

/// Inputs of one check as values of variables.
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
                let bytes = features.0.iter().flat_map(|feature| feature.to_le_bytes());
                let bytes: Vec<u8> = bytes.collect();
                return Wide::from_bytes(&bytes).low(width);
            }
            // Lemmas hold for all values of their variables.
            _ => case.player >> 5,
        };
        Wide::new(value).low(width)
    }

    fn apply(&self, function: &str, arguments: &[Wide], _: u32) -> Wide {
        if function != "weights_32" {
            let offset = arguments[0].low_word() as usize;
            return Wide::new(network_byte(self.input.network, function, offset).into());
        }
        let offset = arguments[0].low_word() as usize / 4;
        let class = edax::CLASSES
            .iter()
            .find(|class| (class.offset..class.offset + class.weights()).contains(&offset));
        // Weights that belong to no class are 0.
        let weight = class.map_or(0, |class| {
            let weights = self.input.weights.class(class.name).expect("it is listed");
            weights[offset - class.offset]
        });
        Wide::new(weight as u32 as u64)
    }
}

/// Byte of a network's rows, rows of moves or stages, from the memory that machine code reads.
fn network_byte(network: &Network, array: &str, offset: usize) -> u8 {
    let (index, length) = match array {
        "rows_8" => (0, corner::LENGTH * WIDTH),
        "moves_8" => (1, size_of_val(network.moves())),
        "stages_8" => (2, size_of_val(network.stages())),
        other => panic!("there is no array {other}"),
    };
    assert!(offset < length, "{array} has {length} bytes, not {offset}");
    let network = (&raw const *network).cast::<u8>();
    // SAFETY: a pointer to the array's `length` bytes lies at this offset. A specification reads fields only, which
    // are integers without padding.
    unsafe {
        let start: *const *const u8 = network.add(Network::POINTERS[index]).cast();
        *(*start).add(offset)
    }
}

/// Checks a specification on one input.
fn check(specification: &Specification, input: &Input, random: &mut SplitMix64) {
    term::clear();
    let number = match specification.obligations {
        64 => input.case.square,
        _ => 0,
    };
    let obligation = (specification.obligation)(number);
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
    let title = format!(
        "{} {} {:?}",
        specification.kernel, obligation.name, input.case
    );
    assert!(holds(&obligation.assumptions), "an assumption: {title}");
    assert!(holds(&obligation.lemmas), "a lemma: {title}");
    for cut in obligation.cut_points.iter().flatten() {
        let rest = cut.term.width() - cut.bits;
        let fits = rest == 0 || holds(&[cut.term.extract(cut.bits, rest).equals(zeros(rest))]);
        assert!(fits, "a cut point in {} bits: {title}", cut.bits);
    }

    let kernel = kernels()
        .iter()
        .find(|kernel| kernel.name == specification.kernel);
    let answer = (kernel.expect("there is such a kernel").reference)(input);
    let bytes = answer.0.iter().flat_map(|word| word.to_le_bytes());
    let bytes: Vec<u8> = bytes.take(96).collect();
    let width = bits(&obligation);
    let answer = constant(Wide::from_bytes(&bytes), width);
    assert!(holds(&(obligation.claims)(answer, &[])), "{title}");
    let wrong = constant(
        Wide::ONE.shifted_left(random.below(width.into()) as u32),
        width,
    );
    let claims = (obligation.claims)(xor_all([answer, wrong]), &[]);
    assert!(!holds(&claims), "with a wrong bit {wrong:?}: {title}");
}

/// Width of an obligation's answer in bits.
fn bits(obligation: &Obligation) -> u32 {
    match obligation.answer {
        AnswerLocation::Returned(bits)
        | AnswerLocation::Array(bits)
        | AnswerLocation::Written(_, bits) => bits,
    }
}

#[test]
fn only_the_references_answers_fulfil_the_specifications() {
    let mut random = SplitMix64::new(3);
    for specification in specifications() {
        // A network's terms take long to build, and every input depends on all of them.
        let count = match specification.kernel {
            "network_value" | "network_pair" => 8,
            _ => 60,
        };
        // Positions of games, random discs, long lines and adversarial boards.
        for case in Cases::new(21).take(count) {
            check(specification, &Input::new(case), &mut random);
        }
    }
}
