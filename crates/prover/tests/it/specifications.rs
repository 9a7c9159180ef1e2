//! Comparison of specifications with the checker's references.
//!
//! The reference's answer must fulfil the claims. The same answer with one wrong bit must not.

use std::collections::BTreeMap;

use outflank_checker::cases::Cases;
use outflank_checker::input::Input;
use outflank_checker::reference;
use outflank_checker::reference::children;
use outflank_checker::registry::kernels;
use outflank_kernels::geometry::{Features, corner, edax};
use outflank_kernels::network::WIDTH;
use outflank_kernels::{Block, Isa, KeyedChildren, Network};
use outflank_prover::machine::{Machine, Memory, Program};
use outflank_prover::spec::{AnswerLocation, Obligation, Specification, specifications};
use outflank_prover::term::{
    self, Assignment, Evaluator, Term, Wide, constant, number, xor_all, zeros,
};
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
            // `closed` stands for any set with a property. The answer is one of these sets.
            "closed" => reference::stability(case.player, case.opponent),
            "pattern" => {
                let bytes = case.pattern.iter().flat_map(|word| word.to_le_bytes());
                return Wide::from_bytes(&Vec::from_iter(bytes));
            }
            "blocks" => BLOCKS as u64,
            "word" => observed_word(self.input) as u64,
            name => match numbered(name) {
                Some(("left", k)) => moves_after(self.input.legal, k),
                Some(("move", k)) => {
                    let left = moves_after(self.input.legal, k);
                    left & left.wrapping_neg()
                }
                // Lemmas hold for all values of their variables.
                _ => case.player >> 5,
            },
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

/// A name and the number at its end.
fn numbered(name: &str) -> Option<(&str, usize)> {
    let (word, number) = name.split_at(name.find(|c: char| c.is_ascii_digit())?);
    Some((word, number.parse().ok()?))
}

/// The moves without the `k` lowest.
fn moves_after(legal: u64, k: usize) -> u64 {
    (0..k).fold(legal, |left, _| left & left.wrapping_sub(1))
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

/// Number of blocks that are filled.
const BLOCKS: usize = 5;

/// Index of the observed word of the memory that is filled.
fn observed_word(input: &Input) -> usize {
    input.case.square % (4 * BLOCKS)
}

/// Answer of the reference, of `width` bits.
fn reference_answer(specification: &Specification, input: &Input, width: u32) -> Term {
    if specification.kernel == "clear" {
        let mut memory = [Block::default(); BLOCKS];
        reference::clear(&mut memory, input.case.pattern);
        let word = observed_word(input);
        return number(memory[word / 4].0[word % 4], width);
    }
    let kernel = kernels()
        .iter()
        .find(|kernel| kernel.name == specification.kernel);
    let answer = (kernel.expect("there is such a kernel").reference)(input);
    let bytes = answer.0.iter().flat_map(|word| word.to_le_bytes());
    constant(Wide::from_bytes(&Vec::from_iter(bytes.take(96))), width)
}

/// Checks a specification on one input that belongs to the obligation.
fn check(
    specification: &Specification,
    obligation: &Obligation,
    input: &Input,
    random: &mut SplitMix64,
) {
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

    let width = bits(obligation);
    let answer = reference_answer(specification, input, width);
    assert!(holds(&(obligation.claims)(answer, &[])), "{title}");
    let wrong = constant(
        Wide::ONE.shifted_left(random.below(width.into()) as u32),
        width,
    );
    let claims = (obligation.claims)(xor_all([answer, wrong]), &[]);
    assert!(!holds(&claims), "with a wrong bit {wrong:?}: {title}");
}

/// Checks the specification of `children` on one input.
fn check_children(obligation: &Obligation, input: &Input, random: &mut SplitMix64) {
    const CAPACITY: u64 = KeyedChildren::CAPACITY as u64;
    let case = &input.case;
    let mut list = KeyedChildren::new();
    let best = children(
        case.player,
        case.opponent,
        input.legal,
        input.favoured,
        &mut list,
    );
    let start = obligation.arguments[4].number();
    let start = start.expect("the list has a constant address");
    // Parts of the answer by address, width and value. One of them is changed below.
    let mut parts = Vec::new();
    for k in 0..list.len() {
        let child = list.get(k);
        let boards = [child.player, child.opponent, child.moves];
        let place = |field: u64| start + 8 * (CAPACITY * field + k as u64);
        parts.extend(
            (0..)
                .zip(boards)
                .map(|(field, board)| (place(field), 64, board)),
        );
        let key = list.keys()[k] as u32;
        parts.push((start + 24 * CAPACITY + 4 * k as u64, 32, key.into()));
    }
    parts.push((start + 28 * CAPACITY + 8, 64, list.len() as u64));
    let stages = obligation.stages.as_ref().expect("a proof in stages");
    let holds = |parts: &[(u64, u32, u64)], best: i32| {
        let mut machine = Machine::new(Isa::Portable, Memory::new(Program::running()));
        for &(address, value) in &obligation.memory {
            machine.memory.add(address, value);
        }
        for &(address, bits, value) in parts {
            machine.memory.add(address, number(value, bits));
        }
        machine.general[0] = number(best as u32 as u64, 64);
        let values = Values {
            input,
            features: &input.features[0],
            other: &input.other[0],
        };
        let mut evaluator = Evaluator::new(&values);
        let claims = (stages.claims)(&machine, &[]);
        claims
            .iter()
            .all(|claim| !evaluator.value(claim.claim).is_zero())
    };
    assert!(holds(&parts, best), "{case:?}");
    if !list.is_empty() {
        assert!(!holds(&parts, best ^ 16), "with a wrong best key: {case:?}");
    }
    let wrong = random.below(parts.len() as u64) as usize;
    parts[wrong].2 ^= 1 << random.below(parts[wrong].1.into());
    assert!(
        !holds(&parts, best),
        "with {:x?} wrong: {case:?}",
        parts[wrong]
    );
}

/// Width of an obligation's answer in bits.
fn bits(obligation: &Obligation) -> u32 {
    match obligation.answer {
        AnswerLocation::Returned(bits)
        | AnswerLocation::Array(bits)
        | AnswerLocation::Written(_, bits) => bits,
        AnswerLocation::Target => 64,
    }
}

#[test]
fn only_the_references_answers_fulfil_the_specifications() {
    let mut random = SplitMix64::new(3);
    for specification in specifications() {
        // The terms of a network and of all children take long to build.
        let count = match specification.kernel {
            "network_value" | "network_pair" | "children" => 8,
            _ => 60,
        };
        // Positions of games, random discs, long lines and adversarial boards, by the number of their obligation.
        let mut inputs: BTreeMap<usize, Vec<Input>> = BTreeMap::new();
        for case in Cases::new(21).take(count) {
            let number = match specification.obligations {
                64 => case.square,
                _ => 0,
            };
            inputs.entry(number).or_default().push(Input::new(case));
        }
        for (number, inputs) in inputs {
            term::clear();
            let obligation = (specification.obligation)(number);
            for input in &inputs {
                match specification.kernel {
                    "children" => check_children(&obligation, input, &mut random),
                    _ => check(specification, &obligation, input, &mut random),
                }
            }
        }
    }
}
