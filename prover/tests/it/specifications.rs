//! Specifications are tied to the references that the kernels are fuzzed against: on the same inputs the answers of
//! the references fulfil them, and no other answer does.

use outflank_checker::cases::Cases;
use outflank_checker::input::Input;
use outflank_checker::registry::kernels;
use outflank_kernels::geometry::{Features, edax};
use outflank_prover::spec::{Case, Specification, specifications};
use outflank_prover::term::{self, Assignment, Evaluator, Term, Wide, constant, odd};
use outflank_random::SplitMix;

/// The inputs of one check as values of variables.
struct Values<'a> {
    input: &'a Input,
    features: &'a Features,
}

impl Assignment for Values<'_> {
    fn variable(&self, name: &str, width: u32) -> Wide {
        let case = &self.input.case;
        let value = match name {
            "player" => case.player,
            "opponent" => case.opponent,
            "alpha" => case.alpha as u64,
            "square" => case.square as u64,
            "flipped" => self.input.flipped,
            "squares" => {
                let squares = case.squares.to_le_bytes().into_iter().enumerate();
                squares.fold(0, |all, (i, square)| all | u64::from(square) << (6 * i))
            }
            "features" => {
                let bytes: Vec<u8> = self
                    .features
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
        assert_eq!(function, "weights_32");
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

/// Checks a specification on one input.
fn check(specification: &Specification, input: &Input, random: &mut SplitMix) {
    term::clear();
    let number = match specification.cases {
        64 => input.case.square,
        _ => 0,
    };
    let case = (specification.case)(number);
    let geometry = usize::from(specification.kernel.ends_with("_corner"));
    let names = outflank_kernels::geometry::ALL.map(|geometry| geometry.name);
    assert_eq!(
        names,
        ["edax", "corner"],
        "the order that is counted on here"
    );
    let values = Values {
        input,
        features: &input.features[geometry],
    };
    let mut evaluator = Evaluator::new(&values);
    let mut holds = |bits: &[Term]| bits.iter().all(|&bit| !evaluator.value(bit).is_zero());
    let title = format!("{} {} {:?}", specification.kernel, case.name, input.case);
    assert!(holds(&case.assumptions), "an assumption: {title}");
    assert!(holds(&case.lemmas), "a lemma: {title}");

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
        // Games, random discs, long lines and boards made to catch mistakes.
        for case in Cases::new(21).take(60) {
            check(specification, &Input::new(case), &mut random);
        }
    }
}
