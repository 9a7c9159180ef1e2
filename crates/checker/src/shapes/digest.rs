//! Digests of machine code that do not depend on its address.
//!
//! A digest stands for a function, all functions that it calls, and the constants and tables that they read. Two builds
//! place them at different addresses. So an address counts as the bytes that lie there, and never as a number.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, OpKind};
use object::elf::R_X86_64_RELATIVE;
use object::{Object, ObjectSection, ObjectSymbol, RelocationFlags, SectionKind, SymbolKind};

/// Digests of the functions of a program, made on demand.
pub struct Digests<'data> {
    image: Image<'data>,
    /// Difference between the addresses of the loaded program and those of its file.
    base: u64,
}

impl<'data> Digests<'data> {
    pub(super) fn new(bytes: &'data [u8], base: u64) -> object::Result<Digests<'data>> {
        let file = object::File::parse(bytes)?;
        let image = Image::new(&file)?;
        Ok(Digests { image, base })
    }

    /// Digest of the function at `address` in the running program. Returns `None` if the function depends on anything
    /// that has no symbol or that can change while the program runs.
    pub fn of(&self, address: usize) -> Option<u64> {
        self.image.digest((address as u64).checked_sub(self.base)?)
    }
}

/// The parts of a program that never change while it runs.
struct Image<'data> {
    /// Code and constants.
    sections: Vec<Section<'data>>,
    /// Sizes of functions and tables by their first address.
    symbols: BTreeMap<u64, u64>,
    /// Addresses in the global offset table by the address of their slot. The loader writes them before the program runs.
    slots: HashMap<u64, u64>,
}

struct Section<'data> {
    address: u64,
    kind: SectionKind,
    bytes: &'data [u8],
}

/// Functions of a digest and the state of its hash.
struct Progress {
    /// Addresses in the order of their first calls.
    functions: Vec<u64>,
    hasher: DefaultHasher,
}

impl<'data> Image<'data> {
    fn new(file: &object::File<'data>) -> object::Result<Image<'data>> {
        let symbols = file.symbols().filter(|symbol| {
            matches!(symbol.kind(), SymbolKind::Text | SymbolKind::Data) && symbol.size() > 0
        });
        let sections = file.sections();
        let sections = sections.filter(|section| never_changes(section.kind()));
        let sections = sections.map(|section| {
            Ok(Section {
                address: section.address(),
                kind: section.kind(),
                bytes: section.data()?,
            })
        });
        Ok(Image {
            sections: sections.collect::<object::Result<_>>()?,
            symbols: symbols
                .map(|symbol| (symbol.address(), symbol.size()))
                .collect(),
            slots: slots(file).unwrap_or_default(),
        })
    }

    fn digest(&self, address: u64) -> Option<u64> {
        let mut progress = Progress {
            functions: vec![address],
            // Another version of the standard library may hash otherwise. Its compiler makes other code anyway.
            hasher: DefaultHasher::new(),
        };
        let mut index = 0;
        while let Some(&function) = progress.functions.get(index) {
            self.hash_function(function, &mut progress)?;
            index += 1;
        }
        Some(progress.hasher.finish())
    }

    fn hash_function(&self, start: u64, progress: &mut Progress) -> Option<()> {
        let range = start..start + self.symbols.get(&start)?;
        let (SectionKind::Text, code) = self.part(range.clone())? else {
            return None;
        };
        let mut decoder = Decoder::with_ip(64, code, start, DecoderOptions::NONE);
        while decoder.can_decode() {
            let instruction = decoder.decode();
            let at = (instruction.ip() - start) as usize;
            let mut bytes = code[at..at + instruction.len()].to_vec();
            if instruction.is_invalid() || self.jumps_anywhere(&instruction) {
                return None;
            }
            // Distances within the function are the same at every address.
            if let Some(target) = target(&instruction).filter(|target| !range.contains(target)) {
                bytes[distance(&decoder, &instruction)].fill(0);
                self.hash_target(&instruction, target, progress)?;
            }
            bytes.hash(&mut progress.hasher);
        }
        Some(())
    }

    /// Returns `true` for jumps and calls by a register or by memory that can change.
    fn jumps_anywhere(&self, instruction: &Instruction) -> bool {
        use FlowControl::{IndirectBranch, IndirectCall};
        let is_indirect = matches!(instruction.flow_control(), IndirectBranch | IndirectCall);
        let slot = target(instruction).filter(|target| self.slots.contains_key(target));
        is_indirect && slot.is_none()
    }

    /// Hashes a constant that an instruction loads, or what lies at an address that it uses.
    fn hash_target(
        &self,
        instruction: &Instruction,
        target: u64,
        progress: &mut Progress,
    ) -> Option<()> {
        let loaded = instruction.memory_size().size() as u64;
        if let Some(&address) = self.slots.get(&target) {
            self.hash_address(address, progress)
        } else if loaded > 0 {
            let (_, constant) = self.part(target..target + loaded)?;
            constant.hash(&mut progress.hasher);
            Some(())
        } else {
            self.hash_address(target, progress)
        }
    }

    /// Hashes a function or a table.
    fn hash_address(&self, address: u64, progress: &mut Progress) -> Option<()> {
        if let (SectionKind::Text, _) = self.part(address..address)? {
            let functions = &mut progress.functions;
            let known = functions.iter().position(|&known| known == address);
            let index = known.unwrap_or_else(|| {
                functions.push(address);
                functions.len() - 1
            });
            index.hash(&mut progress.hasher);
        } else {
            let (&start, size) = self.symbols.range(..=address).next_back()?;
            let table = start..start + size;
            let (_, bytes) = self.part(table.clone())?;
            table.contains(&address).then_some(())?;
            (address - start, bytes).hash(&mut progress.hasher);
        }
        Some(())
    }

    /// Bytes of a range of addresses, with the kind of their section.
    fn part(&self, range: Range<u64>) -> Option<(SectionKind, &'data [u8])> {
        self.sections.iter().find_map(|section| {
            let offset = |address: u64| usize::try_from(address.checked_sub(section.address)?).ok();
            let bytes = section
                .bytes
                .get(offset(range.start)?..offset(range.end)?)?;
            Some((section.kind, bytes))
        })
    }
}

/// Returns `true` for sections of code and of constants. Constants that contain addresses are in other sections.
fn never_changes(kind: SectionKind) -> bool {
    use SectionKind::{ReadOnlyData, ReadOnlyString, Text};
    matches!(kind, Text | ReadOnlyData | ReadOnlyString)
}

/// Reads the addresses in the global offset table, by which code reaches other compilation units.
fn slots(file: &object::File) -> Option<HashMap<u64, u64>> {
    let table = file.section_by_name(".got")?;
    let table = table.address()..table.address() + table.size();
    let relocations = file.dynamic_relocations()?;
    let local = relocations.filter_map(|(slot, relocation)| {
        let is_local = relocation.flags()
            == RelocationFlags::Elf {
                r_type: R_X86_64_RELATIVE,
            };
        (is_local && table.contains(&slot)).then(|| (slot, relocation.addend() as u64))
    });
    Some(local.collect())
}

/// Address that an instruction names by its distance: the destination of a branch or an operand in memory.
fn target(instruction: &Instruction) -> Option<u64> {
    match instruction.op0_kind() {
        OpKind::NearBranch64 => Some(instruction.near_branch64()),
        _ => instruction
            .is_ip_rel_memory_operand()
            .then(|| instruction.ip_rel_memory_address()),
    }
}

/// Place of the distance to [`target`] in the instruction's bytes.
fn distance(decoder: &Decoder, instruction: &Instruction) -> Range<usize> {
    let fields = decoder.get_constant_offsets(instruction);
    let (offset, size) = match instruction.op0_kind() {
        OpKind::NearBranch64 => (fields.immediate_offset(), fields.immediate_size()),
        _ => (fields.displacement_offset(), fields.displacement_size()),
    };
    offset..offset + size
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program of a function that calls another and reads a table and a constant.
    #[derive(Clone)]
    struct Program {
        /// Addresses of the functions, the table and the constant.
        caller: u64,
        called: u64,
        table: u64,
        constant: u64,
        /// Last instructions of the caller.
        end: Vec<u8>,
        called_code: Vec<u8>,
        table_bytes: [u8; 16],
        constant_bytes: [u8; 16],
        /// Offsets of the addresses that the caller calls and takes.
        into_called: u64,
        into_table: u64,
        table_has_symbol: bool,
        /// Address of a slot that holds the address of the table, if the caller takes it from there.
        slot: Option<u64>,
        data: SectionKind,
    }

    /// `jne` to the start of the loop, `ret`.
    const LOOP: [u8; 3] = [0x75, 0xEB, 0xC3];

    impl Program {
        fn new() -> Program {
            Program {
                caller: 0x1100,
                called: 0x1200,
                table: 0x8100,
                constant: 0x8200,
                end: LOOP.to_vec(),
                // `mov eax, 1`, `ret`.
                called_code: vec![0xB8, 1, 0, 0, 0, 0xC3],
                table_bytes: [7; 16],
                constant_bytes: [9; 16],
                into_called: 0,
                into_table: 4,
                table_has_symbol: true,
                slot: None,
                data: SectionKind::ReadOnlyData,
            }
        }

        /// Code of the caller.
        fn caller_code(&self) -> Vec<u8> {
            let mut code = Vec::new();
            // `mov rax, [rip + distance]` or `lea rax, [rip + distance]`.
            let by_slot = self.slot.map(|slot| (&[0x48, 0x8B, 0x05][..], slot));
            let table = by_slot.unwrap_or((&[0x48, 0x8D, 0x05], self.table + self.into_table));
            // `call` and `movaps xmm0, [rip + distance]`.
            for (opcode, target) in [
                (&[0xE8][..], self.called + self.into_called),
                table,
                (&[0x0F, 0x28, 0x05], self.constant),
            ] {
                code.extend(opcode);
                let next = self.caller + code.len() as u64 + 4;
                code.extend((target.wrapping_sub(next) as u32).to_le_bytes());
            }
            code.extend(&self.end);
            code
        }

        fn digest(&self) -> Option<u64> {
            let mut memory = vec![0; 0x9000];
            let caller_code = self.caller_code();
            let mut symbols = BTreeMap::new();
            for (address, part) in [
                (self.caller, &caller_code[..]),
                (self.called, &self.called_code),
                (self.table, &self.table_bytes),
                (self.constant, &self.constant_bytes),
            ] {
                memory[address as usize..][..part.len()].copy_from_slice(part);
                symbols.insert(address, part.len() as u64);
            }
            // Constants without a name have no symbol.
            symbols.remove(&self.constant);
            if !self.table_has_symbol {
                symbols.remove(&self.table);
            }
            let sections = [(0x1000, SectionKind::Text), (0x8000, self.data)];
            let sections = sections.map(|(address, kind)| Section {
                address: address as u64,
                kind,
                bytes: &memory[address..address + 0x1000],
            });
            let sections = sections.into_iter();
            let image = Image {
                sections: sections
                    .filter(|section| never_changes(section.kind))
                    .collect(),
                symbols,
                slots: self
                    .slot
                    .map(|slot| (slot, self.table + self.into_table))
                    .into_iter()
                    .collect(),
            };
            image.digest(self.caller)
        }
    }

    #[test]
    fn digests_depend_on_code_and_constants_and_not_on_addresses() {
        type Edit = fn(&mut Program);
        let moved: [Edit; 6] = [
            |program| program.caller = 0x1310,
            |program| program.called = 0x1020,
            |program| program.table = 0x8040,
            |program| program.constant = 0x8010,
            |program| (program.caller, program.table) = (0x1480, 0x8300),
            |program| program.slot = program.slot.map(|slot| slot + 8),
        ];
        let changed: [Edit; 6] = [
            |program| program.end[0] = 0x74,
            |program| program.end[1] += 4,
            |program| program.called_code[1] = 2,
            |program| program.table_bytes[15] = 8,
            |program| program.constant_bytes[15] = 8,
            |program| program.into_table = 5,
        ];
        let unknown: [Edit; 5] = [
            |program| program.table_has_symbol = false,
            |program| program.data = SectionKind::Data,
            // The caller calls the middle of a function, and calls and jumps by a register.
            |program| program.into_called = 1,
            |program| program.end = vec![0xFF, 0xD0],
            |program| program.end = vec![0xFF, 0xE0],
        ];
        for slot in [None, Some(0xA000)] {
            let usual = Program {
                slot,
                ..Program::new()
            };
            let after = |edit: &Edit| {
                let mut program = usual.clone();
                edit(&mut program);
                program.digest()
            };
            let usual = usual.digest();
            assert!(usual.is_some());
            for (index, edit) in moved.iter().enumerate() {
                assert_eq!(after(edit), usual, "moved {index}");
            }
            for (index, edit) in changed.iter().enumerate() {
                let digest = after(edit);
                assert!(digest.is_some() && digest != usual, "changed {index}");
            }
            for (index, edit) in unknown.iter().enumerate() {
                assert_eq!(after(edit), None, "unknown {index}");
            }
        }
    }
}
