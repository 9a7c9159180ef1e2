//! Logic and arithmetic in lanes.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use super::{each, first_source, immediate, lane, map};
use crate::machine::{Machine, Unmodelled, unmodelled};
use crate::term::{Shift, Term, Wide, concat, number, total, zeros};

impl Machine {
    pub(super) fn lanes(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        Ok(self.logic(one)?
            || self.sums(one)?
            || self.products(one)?
            || self.lane_shifts(one)?
            || self.conversions(one)?
            || self.gather(one)?)
    }

    fn logic(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        let lane = lane(one);
        let function: fn(Term, Term) -> Term = match one.mnemonic() {
            Pand | Vpand | Vpandd | Vpandq | Andps | Andpd | Vandps | Vandpd => |a, b| a & b,
            Por | Vpor | Vpord | Vporq | Orps | Orpd | Vorps | Vorpd => |a, b| a | b,
            Pxor | Vpxor | Vpxord | Vpxorq | Xorps | Xorpd | Vxorps | Vxorpd => |a, b| a ^ b,
            Pandn | Vpandn | Vpandnd | Vpandnq | Andnps | Andnpd | Vandnps | Vandnpd => {
                |a, b| !a & b
            }
            Vpternlogd | Vpternlogq => {
                let width = Machine::operand_width(one, 0);
                let of = |n| self.vector_operand(one, n, width);
                let value = ternary(immediate(one)?, of(0)?, of(1)?, of(2)?);
                self.set_vector_operand(one, value, lane)?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let (a, b) = self.two(one)?;
        self.set_vector_operand(one, function(a, b), lane)?;
        Ok(true)
    }

    fn sums(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        let lane = lane(one);
        let function: fn(Term, Term) -> Term = match one.mnemonic() {
            Paddb | Vpaddb | Paddw | Vpaddw | Paddd | Vpaddd | Paddq | Vpaddq => |a, b| a + b,
            Psubb | Vpsubb | Psubw | Vpsubw | Psubd | Vpsubd | Psubq | Vpsubq => |a, b| a - b,
            Pminsb | Vpminsb | Pminsw | Vpminsw | Pminsd | Vpminsd | Vpminsq => Term::signed_min,
            Pmaxsb | Vpmaxsb | Pmaxsw | Vpmaxsw | Pmaxsd | Vpmaxsd | Vpmaxsq => Term::signed_max,
            Pmaxub | Vpmaxub | Pmaxuw | Vpmaxuw | Pmaxud | Vpmaxud | Vpmaxuq => Term::max_of,
            Pminub | Vpminub | Pminuw | Vpminuw | Pminud | Vpminud | Vpminuq => {
                |a, b| b.below(a).choose(b, a)
            }
            Phaddw | Vphaddw | Phaddd | Vphaddd => {
                let (a, b) = self.two(one)?;
                let lines = a.lanes(128).zip(b.lanes(128)).map(|(a, b)| {
                    let pairs = |line: Term| {
                        line.lanes(2 * lane)
                            .map(|pair| pair.extract(0, lane) + pair.extract(lane, lane))
                            .collect::<Vec<_>>()
                    };
                    concat([pairs(a), pairs(b)].concat())
                });
                let value = concat(lines.collect::<Vec<_>>());
                self.set_vector_operand(one, value, lane)?;
                return Ok(true);
            }
            Psadbw | Vpsadbw => {
                let (a, b) = self.two(one)?;
                let value = map(64, a, b, |a, b| {
                    let distances = a.lanes(8).zip(b.lanes(8)).map(|(a, b)| {
                        let distance = match b.is_zero() {
                            true => a,
                            false => a.below(b).choose(b - a, a - b),
                        };
                        distance.resize(16)
                    });
                    total(distances.collect::<Vec<_>>()).resize(64)
                });
                self.set_vector_operand(one, value, 64)?;
                return Ok(true);
            }
            Pabsb | Pabsw | Pabsd | Vpabsb | Vpabsw | Vpabsd | Vpabsq => {
                let value = each(lane, self.last(one, 1)?, |a| a.sign().choose(-a, a));
                self.set_vector_operand(one, value, lane)?;
                return Ok(true);
            }
            Vplzcntq | Vplzcntd => {
                let value = each(lane, self.last(one, 1)?, Term::leading_zeros);
                self.set_vector_operand(one, value, lane)?;
                return Ok(true);
            }
            Vpopcntb | Vpopcntw | Vpopcntd | Vpopcntq => {
                let value = each(lane, self.last(one, 1)?, Term::count);
                self.set_vector_operand(one, value, lane)?;
                return Ok(true);
            }
            _ => return Ok(false),
        };
        let (a, b) = self.two(one)?;
        self.set_vector_operand(one, map(lane, a, b, function), lane)?;
        Ok(true)
    }

    fn products(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        let (lane, value) = match one.mnemonic() {
            Pmullw | Vpmullw | Pmulld | Vpmulld | Vpmullq => {
                let lane = lane(one);
                let (a, b) = self.two(one)?;
                (lane, map(lane, a, b, |a, b| a * b))
            }
            Pmuludq | Vpmuludq | Pmuldq | Vpmuldq => {
                let signed = matches!(one.mnemonic(), Pmuldq | Vpmuldq);
                let wide = |term: Term| match signed {
                    true => term.extract(0, 32).extend(64),
                    false => term.extract(0, 32).resize(64),
                };
                let (a, b) = self.two(one)?;
                (64, map(64, a, b, |a, b| wide(a) * wide(b)))
            }
            Pmulhw | Vpmulhw | Pmulhuw | Vpmulhuw => {
                let signed = matches!(one.mnemonic(), Pmulhw | Vpmulhw);
                let wide = |term: Term| {
                    if signed {
                        term.extend(32)
                    } else {
                        term.resize(32)
                    }
                };
                let (a, b) = self.two(one)?;
                (
                    16,
                    map(16, a, b, |a, b| (wide(a) * wide(b)).extract(16, 16)),
                )
            }
            Pmaddwd | Vpmaddwd => {
                let (a, b) = self.two(one)?;
                (
                    32,
                    map(32, a, b, |a, b| sum_of_products(a, b, 16, 32, Term::extend)),
                )
            }
            // Unsigned bytes times signed ones.
            Pmaddubsw | Vpmaddubsw => {
                let (a, b) = self.two(one)?;
                let sum = |a, b| sum_of_products(a, b, 8, 32, Term::resize).saturated_signed(16);
                (16, map(16, a, b, sum))
            }
            Vpdpwssd => {
                let (a, b) = (self.last(one, 1)?, self.last(one, 2)?);
                let own = self.last(one, 0)?;
                let sums = map(32, a, b, |a, b| sum_of_products(a, b, 16, 32, Term::extend));
                (32, map(32, own, sums, |a, b| a + b))
            }
            Vpdpbusd => {
                let (a, b) = (self.last(one, 1)?, self.last(one, 2)?);
                let own = self.last(one, 0)?;
                let sums = map(32, a, b, |a, b| sum_of_products(a, b, 8, 32, Term::resize));
                (32, map(32, own, sums, |a, b| a + b))
            }
            _ => return Ok(false),
        };
        self.set_vector_operand(one, value, lane)?;
        Ok(true)
    }

    fn lane_shifts(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        let shift = match one.mnemonic() {
            Psllw | Vpsllw | Vpsllvw | Pslld | Vpslld | Vpsllvd | Psllq | Vpsllq | Vpsllvq => {
                Shift::Left
            }
            Psrlw | Vpsrlw | Vpsrlvw | Psrld | Vpsrld | Vpsrlvd | Psrlq | Vpsrlq | Vpsrlvq => {
                Shift::Right
            }
            Psraw | Vpsraw | Vpsravw | Psrad | Vpsrad | Vpsravd | Vpsraq | Vpsravq => {
                Shift::SignedRight
            }
            Vprolvq | Vprolvd | Vprolq | Vprold | Vprorq | Vprord | Vprorvq | Vprorvd => {
                return self.rotations(one);
            }
            _ => return Ok(false),
        };
        let lane = lane(one);
        let width = Machine::operand_width(one, 0);
        let each_its_own = matches!(
            one.mnemonic(),
            Vpsllvw | Vpsllvd | Vpsllvq | Vpsrlvw | Vpsrlvd | Vpsrlvq | Vpsravw | Vpsravd | Vpsravq
        );
        let is_number = one.op_kind(one.op_count() - 1) == OpKind::Immediate8;
        // Before AVX a number is the second of two operands.
        let source = match is_number {
            true => one.op_count() - 2,
            false => first_source(one),
        };
        let a = self.vector_operand(one, source, width)?;
        let value = if each_its_own {
            let by = self.vector_operand(one, source + 1, width)?;
            map(lane, a, by, |a, by| a.shift(shift, by))
        } else if is_number {
            each(lane, a, |a| a.shift_by(shift, immediate8(one)))
        } else {
            // All of the lower 64 bits are the distance.
            let by = self.vector_operand(one, source + 1, 128)?.extract(0, 64);
            each(lane, a, |a| a.shift(shift, by))
        };
        self.set_vector_operand(one, value, lane)?;
        Ok(true)
    }

    fn rotations(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        let lane = lane(one);
        let left = matches!(one.mnemonic(), Vprolvq | Vprolvd | Vprolq | Vprold);
        let a = self.last(one, 1)?;
        let by = match one.op_kind(2) {
            OpKind::Immediate8 => each(lane, a, |_| number(one.immediate8().into(), lane)),
            _ => self.last(one, 2)?,
        };
        let value = map(lane, a, by, |a, by| {
            let by = by.extract(0, lane.ilog2()).resize(lane);
            let back = (number(lane.into(), lane) - by)
                .extract(0, lane.ilog2())
                .resize(lane);
            let (to_left, to_right) = if left { (by, back) } else { (back, by) };
            a.shift(Shift::Left, to_left) | a.shift(Shift::Right, to_right)
        });
        self.set_vector_operand(one, value, lane)?;
        Ok(true)
    }

    /// Between lanes of different widths.
    fn conversions(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        use Mnemonic::*;
        let (from, to, convert): (u32, u32, fn(Term, u32) -> Term) = match one.mnemonic() {
            Pmovzxbw | Vpmovzxbw => (8, 16, Term::resize),
            Pmovzxbd | Vpmovzxbd => (8, 32, Term::resize),
            Pmovzxbq | Vpmovzxbq => (8, 64, Term::resize),
            Pmovzxwd | Vpmovzxwd => (16, 32, Term::resize),
            Pmovzxwq | Vpmovzxwq => (16, 64, Term::resize),
            Pmovzxdq | Vpmovzxdq => (32, 64, Term::resize),
            Pmovsxbw | Vpmovsxbw => (8, 16, Term::extend),
            Pmovsxbd | Vpmovsxbd => (8, 32, Term::extend),
            Pmovsxbq | Vpmovsxbq => (8, 64, Term::extend),
            Pmovsxwd | Vpmovsxwd => (16, 32, Term::extend),
            Pmovsxwq | Vpmovsxwq => (16, 64, Term::extend),
            Pmovsxdq | Vpmovsxdq => (32, 64, Term::extend),
            Packsswb | Vpacksswb => (16, 8, Term::saturated_signed),
            Packssdw | Vpackssdw => (32, 16, Term::saturated_signed),
            Packuswb | Vpackuswb => (16, 8, Term::saturated_unsigned),
            Packusdw | Vpackusdw => (32, 16, Term::saturated_unsigned),
            Vpmovqw => (64, 16, Term::resize),
            Vpmovqd => (64, 32, Term::resize),
            Vpmovqb => (64, 8, Term::resize),
            Vpmovdw => (32, 16, Term::resize),
            Vpmovdb => (32, 8, Term::resize),
            Vpmovwb => (16, 8, Term::resize),
            _ => return Ok(false),
        };
        if matches!(
            one.mnemonic(),
            Packsswb
                | Vpacksswb
                | Packssdw
                | Vpackssdw
                | Packuswb
                | Vpackuswb
                | Packusdw
                | Vpackusdw
        ) {
            let (a, b) = self.two(one)?;
            let lines = a.lanes(128).zip(b.lanes(128));
            let value = concat(
                lines
                    .map(|(a, b)| {
                        concat(
                            a.lanes(from)
                                .chain(b.lanes(from))
                                .map(|one| convert(one, to))
                                .collect::<Vec<_>>(),
                        )
                    })
                    .collect::<Vec<_>>(),
            );
            self.set_vector_operand(one, value, to)?;
            return Ok(true);
        }
        if from > to {
            // Into the lowest part of a register, or into memory.
            let source = self.register(one.op1_register());
            let value = each(from, source, |one| convert(one, to));
            let is_register = one.op0_kind() == OpKind::Register;
            let value = if is_register && value.width() < 128 {
                value.resize(128)
            } else {
                value
            };
            if one.has_op_mask() {
                return Err(unmodelled(one));
            }
            self.set_vector_operand(one, value, to)?;
            return Ok(true);
        }
        let width = Machine::operand_width(one, 0);
        let source = self.vector_operand(one, 1, width / to * from)?;
        let value = each(from, source, |one| convert(one, to));
        self.set_vector_operand(one, value, to)?;
        Ok(true)
    }

    /// Elements of 32 bits from addresses that differ by lanes of 32 bits.
    fn gather(&mut self, one: &Instruction) -> Result<bool, Unmodelled> {
        if one.mnemonic() != Mnemonic::Vpgatherdd {
            return Ok(false);
        }
        let width = Machine::operand_width(one, 0);
        let own = self.vector_operand(one, 0, width)?;
        // AVX-512 has a mask register, AVX2 the signs of a third operand.
        let active: Vec<Term> = match one.op_mask() {
            Register::None => self.last(one, 2)?.lanes(32).map(Term::sign).collect(),
            mask => self.mask[mask.number()]
                .extract(0, width / 32)
                .bits()
                .collect(),
        };
        let base = self
            .register(one.memory_base())
            .plus(one.memory_displacement64() as i64);
        let places = self.vector[one.memory_index().number()].extract(0, width);
        let scale = Wide::new(one.memory_index_scale().into());
        let mut lanes = Vec::new();
        for ((place, own), active) in places.lanes(32).zip(own.lanes(32)).zip(active) {
            let address = base + place.extend(64).times(scale);
            lanes.push(match active.is_zero() {
                true => own,
                false => active.choose(self.load_at(one, address, 4)?, own),
            });
        }
        let register = one.op0_register();
        self.set_vector(register, concat(lanes));
        match one.op_mask() {
            Register::None => self.set_vector(one.op_register(2), zeros(width)),
            mask => self.mask[mask.number()] = zeros(64),
        }
        Ok(true)
    }
}

fn immediate8(one: &Instruction) -> u32 {
    one.immediate8().into()
}

/// The sum of the products of neighbouring lanes, in `width` bits: the first made wider by `convert`, the
/// second in two's complement.
fn sum_of_products(
    a: Term,
    b: Term,
    lane: u32,
    width: u32,
    convert: fn(Term, u32) -> Term,
) -> Term {
    let products = a.lanes(lane).zip(b.lanes(lane));
    total(
        products
            .map(|(a, b)| convert(a, width) * b.extend(width))
            .collect::<Vec<_>>(),
    )
}

/// A function of three bits in every place, by its table of truth.
fn ternary(table: u8, a: Term, b: Term, c: Term) -> Term {
    let width = a.width();
    // Exclusive ors of products (Reed and Muller): what depends on fewer operands is written with fewer.
    let mut factors: [u8; 8] = std::array::from_fn(|i| table >> i & 1);
    for step in [1, 2, 4] {
        for i in (0..8).filter(|i| i & step != 0) {
            factors[i] ^= factors[i ^ step];
        }
    }
    let ones = crate::term::constant(Wide::ones(width), width);
    let products = (0..8).filter(|&i| factors[i] == 1).map(|i: usize| {
        let own = [(4, a), (2, b), (1, c)]
            .into_iter()
            .filter(|&(place, _)| i & place != 0);
        crate::term::all(own.map(|(_, term)| term).chain([ones]))
    });
    crate::term::odd(products.chain([zeros(width)]))
}
