//! The parts of a state that code may change.

use super::{Flags, Machine};
use crate::term::{Term, concat, number};

/// Lane of a vector register in bits.
const LANE: u32 = 64;

/// Part of a state: at most 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Location {
    /// General register, by its number.
    General(usize),
    /// Lane of 64 bits of a vector register, by the numbers of register and lane.
    Vector(usize, usize),
    /// Mask register, by its number.
    Mask(usize),
    /// Bytes in memory, by address and number, at most 8.
    Memory(u64, u32),
    /// Observed word of the memory that the code fills.
    Target,
}

impl Machine {
    /// Value of a part of the state.
    pub fn at(&self, location: Location) -> Term {
        match location {
            Location::General(register) => self.general[register],
            Location::Vector(register, lane) => {
                self.vector[register].extract(LANE * lane as u32, LANE)
            }
            Location::Mask(register) => self.mask[register],
            Location::Memory(address, bytes) => {
                let value = self.memory.load(number(address, 64), bytes);
                value.expect("the code's own memory")
            }
            Location::Target => self.memory.target.expect("there is one").value,
        }
    }

    /// Replaces a part of the state.
    pub(crate) fn set_at(&mut self, location: Location, value: Term) {
        match location {
            Location::General(register) => self.general[register] = value,
            Location::Vector(register, lane) => {
                let mut lanes: Vec<Term> = self.vector[register].lanes(LANE).collect();
                lanes[lane] = value;
                self.vector[register] = concat(lanes);
            }
            Location::Mask(register) => self.mask[register] = value,
            Location::Memory(address, _) => self.memory.add(address, value),
            Location::Target => {
                self.memory.target.as_mut().expect("there is one").value = value;
            }
        }
    }

    /// Parts in which a later state differs from an earlier one, except for the flags.
    pub(crate) fn changes(&self, earlier: &Machine) -> Vec<Location> {
        let mut changes = Vec::new();
        let differ = |a: &[Term], b: &[Term]| -> Vec<usize> {
            (0..a.len()).filter(|&i| a[i] != b[i]).collect()
        };
        let general = differ(&self.general, &earlier.general);
        changes.extend(general.into_iter().map(Location::General));
        for register in differ(&self.vector, &earlier.vector) {
            let lanes =
                |machine: &Machine| -> Vec<Term> { machine.vector[register].lanes(LANE).collect() };
            let lanes = differ(&lanes(self), &lanes(earlier));
            changes.extend(
                lanes
                    .into_iter()
                    .map(|lane| Location::Vector(register, lane)),
            );
        }
        let masks = differ(&self.mask, &earlier.mask);
        changes.extend(masks.into_iter().map(Location::Mask));
        let memory = self.memory.changes(&earlier.memory);
        changes.extend(
            memory
                .into_iter()
                .map(|(address, bytes)| Location::Memory(address, bytes)),
        );
        if let (Some(now), Some(before)) = (self.memory.target, earlier.memory.target)
            && now.value != before.value
        {
            changes.push(Location::Target);
        }
        changes
    }

    /// Leaves all flags undefined.
    pub(crate) fn forget_flags(&mut self) {
        self.flags = Flags::default();
    }

    /// Returns `true` if the path of another state differs only in the last branch, and stack pointer and memory are
    /// equal.
    ///
    /// So exits of a loop after different numbers of stores are never joined.
    pub(super) fn is_other_side(&self, other: &Machine) -> bool {
        let split = self.path.split_last().zip(other.path.split_last());
        let is_split = split.is_some_and(|((last, path), (other_last, other_path))| {
            *last == !*other_last && path == other_path
        });
        const STACK_POINTER: usize = 4;
        is_split
            && self.general[STACK_POINTER] == other.general[STACK_POINTER]
            && self.memory.changes(&other.memory).is_empty()
    }

    /// Joins the [other side](Self::is_other_side) of the last branch. The flags become undefined.
    pub(super) fn join(&mut self, other: &Machine) {
        let condition = self.path.pop().expect("there is a branch");
        for location in self.changes(other) {
            let value = condition.choose(self.at(location), other.at(location));
            self.set_at(location, value);
        }
        self.forget_flags();
    }
}
