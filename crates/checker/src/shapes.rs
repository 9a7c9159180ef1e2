//! Machine code of the algorithms, disassembled from the running program: on Linux for x86-64.
//!
//! ```no_run
//! use outflank_checker::registry::entries;
//! use outflank_checker::shapes::MachineCode;
//!
//! let program = MachineCode::of_this_program()?;
//! for entry in entries().filter(|entry| entry.kernel == "flip") {
//!     if let Some(code) = program.code_of(entry) {
//!         println!("{}: {} instructions", entry.name(), code.instructions().count());
//!     }
//! }
//! # Ok::<(), outflank_checker::shapes::CodeError>(())
//! ```

mod digest;

use std::collections::{BTreeMap, HashMap, HashSet};

use iced_x86::{
    Decoder, DecoderOptions, EncodingKind, FlowControl, Instruction, Mnemonic, Register,
};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use outflank_kernels::Isa;
use outflank_kernels::registry::{KernelEntry, OutputKind, entries};

pub use digest::Digests;

/// Start of the paths of generated functions.
const GENERATED: &str = "outflank_kernels::generated::";

/// Name under which calls of functions that are not generated are counted.
const OTHER: &str = "another";

/// Error of a program whose machine code cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the machine code of this program: {0}")]
pub struct CodeError(String);

/// The machine code of the generated functions in the running program.
pub struct MachineCode {
    /// The compiler, as `rustc -V` names it.
    pub compiler: Option<String>,
    /// `true` if the kernels were compiled in one unit, and not incrementally.
    pub in_one_unit: bool,
    by_address: HashMap<u64, Function>,
    /// Difference between the addresses of the loaded program and those of its file.
    base: u64,
    /// The program's file.
    file: Vec<u8>,
}

struct Function {
    /// Path behind [`GENERATED`].
    path: String,
    code: Vec<Instruction>,
}

/// The code of an algorithm and of all generated functions that it calls, each once.
pub struct Code<'a> {
    program: &'a MachineCode,
    functions: Vec<&'a Function>,
}

impl MachineCode {
    /// Reads the file of the running program.
    pub fn of_this_program() -> Result<MachineCode, CodeError> {
        let bytes = std::env::current_exe().and_then(std::fs::read);
        let bytes = bytes.map_err(|error| CodeError(error.to_string()))?;
        let read = MachineCode::read(bytes).map_err(|error| CodeError(error.to_string()))?;
        read.ok_or_else(|| CodeError("it has no symbols of kernels".to_owned()))
    }

    /// Reads a program in ELF format. Returns `None` if it has no symbols of kernels.
    fn read(bytes: Vec<u8>) -> object::Result<Option<MachineCode>> {
        let file = object::File::parse(&*bytes)?;
        let mut by_address = HashMap::new();
        for symbol in file.symbols().filter(|symbol| symbol.size() > 0) {
            let name = rustc_demangle::demangle(symbol.name().unwrap_or_default());
            let name = format!("{name:#}");
            let (Some(path), Some(section)) =
                (name.strip_prefix(GENERATED), symbol.section_index())
            else {
                continue;
            };
            let section = file.section_by_index(section)?;
            let code = section.data_range(symbol.address(), symbol.size())?;
            let code = code.unwrap_or_default();
            let decoder = Decoder::with_ip(64, code, symbol.address(), DecoderOptions::NONE);
            // Padding fills the gap up to the next function.
            let is_padding = |instruction: &Instruction| {
                matches!(instruction.mnemonic(), Mnemonic::Nop | Mnemonic::Int3)
            };
            let function = Function {
                path: path.to_owned(),
                code: decoder
                    .into_iter()
                    .filter(|instruction| !is_padding(instruction))
                    .collect(),
            };
            by_address.insert(symbol.address(), function);
        }
        let (compiler, in_one_unit) = (compiler(&file), in_one_unit(&file));
        Ok(base(&by_address).map(|base| MachineCode {
            compiler,
            in_one_unit,
            by_address,
            base,
            file: bytes,
        }))
    }

    /// Digests of any functions of the program, for comparisons with other builds.
    pub fn digests(&self) -> Result<Digests<'_>, CodeError> {
        Digests::new(&self.file, self.base).map_err(|error| CodeError(error.to_string()))
    }

    /// The code of an algorithm, or `None` if the program has no symbol for it.
    pub fn code_of(&self, entry: &KernelEntry) -> Option<Code<'_>> {
        // By address, not by path: the compiler merges identical functions.
        let address = entry.address() as u64 - self.base;
        let mut left = vec![self.by_address.contains_key(&address).then_some(address)?];
        let (mut seen, mut functions) = (HashSet::new(), Vec::new());
        while let Some(address) = left.pop() {
            if seen.insert(address) {
                let function = &self.by_address[&address];
                functions.push(function);
                let called = function.code.iter().map(Instruction::near_branch_target);
                left.extend(called.filter(|target| self.by_address.contains_key(target)));
            }
        }
        Some(Code {
            program: self,
            functions,
        })
    }
}

/// Finds the difference between the addresses of the loaded program and those of its file. With the right difference,
/// the addresses of the entries are those of functions. Several functions can have one path, so the best of their
/// differences is taken.
fn base(by_address: &HashMap<u64, Function>) -> Option<u64> {
    let entry = entries().next()?;
    let path = format!("{}::{}::{}", entry.isa, entry.kernel, entry.algorithm);
    let same = by_address
        .iter()
        .filter(|(_, function)| function.path == path);
    let bases = same.filter_map(|(address, _)| (entry.address() as u64).checked_sub(*address));
    let found = |base: &u64| {
        let addresses = entries().map(|entry| (entry.address() as u64).wrapping_sub(*base));
        addresses
            .filter(|address| by_address.contains_key(address))
            .count()
    };
    bases.max_by_key(found)
}

/// Returns `true` if a program's kernels are one codegen unit, compiled without incremental compilation. The
/// unit's name then ends in `-cgu.0`. Incremental compilation uses other names and makes different code.
/// Link-time optimisation merges units.
fn in_one_unit(file: &object::File) -> bool {
    let sources = file
        .symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::File);
    let names = sources.filter_map(|source| source.name().ok());
    let units: Vec<&str> = names
        .filter(|name| name.starts_with("outflank_kernels."))
        .collect();
    matches!(units[..], [unit] if unit.ends_with("-cgu.0"))
}

/// Returns the version of the compiler that built a program. The compiler writes `rustc version …` into the
/// section of comments.
fn compiler(file: &object::File) -> Option<String> {
    let comments = file.section_by_name(".comment")?;
    let comments = comments.data().ok()?.split(|&byte| byte == 0);
    let texts = comments.filter_map(|text| std::str::from_utf8(text).ok());
    let version = texts.filter_map(|text| text.strip_prefix("rustc version "));
    version.map(|version| format!("rustc {version}")).next()
}

fn mnemonic(instruction: &Instruction) -> String {
    format!("{:?}", instruction.mnemonic()).to_lowercase()
}

/// Returns `true` if the instruction writes a vector register by an encoding from before AVX.
fn is_legacy_vector(instruction: &Instruction) -> bool {
    instruction.op0_register().is_xmm() && instruction.code().encoding() == EncodingKind::Legacy
}

impl Code<'_> {
    /// All instructions, function by function, without padding.
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.functions.iter().flat_map(|function| &function.code)
    }

    /// Number of bytes, without padding.
    pub fn bytes(&self) -> usize {
        self.instructions().map(Instruction::len).sum()
    }

    /// Number of instructions by name, in lower case as in Intel's manuals.
    pub fn mnemonics(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for instruction in self.instructions() {
            *counts.entry(mnemonic(instruction)).or_insert(0) += 1;
        }
        counts
    }

    /// Bytes of stack that the functions push or reserve.
    pub fn stack(&self) -> u64 {
        let bytes = self
            .instructions()
            .map(|instruction| match instruction.mnemonic() {
                Mnemonic::Push => 8,
                Mnemonic::Sub if instruction.op0_register() == Register::RSP => {
                    instruction.immediate(1)
                }
                _ => 0,
            });
        bytes.sum()
    }

    /// Number of calls by the path of the called function; functions that are not generated count as `another`.
    pub fn calls(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for called in self
            .instructions()
            .filter_map(|instruction| self.call(instruction))
        {
            *counts.entry(called.unwrap_or(OTHER)).or_insert(0) += 1;
        }
        counts
    }

    /// Returns `Some` for a call; the inner value is the called function's path if the function is generated.
    fn call(&self, instruction: &Instruction) -> Option<Option<&str>> {
        let is_call = matches!(
            instruction.flow_control(),
            FlowControl::Call | FlowControl::IndirectCall
        );
        let called = self
            .program
            .by_address
            .get(&instruction.near_branch_target());
        is_call.then(|| called.map(|function| function.path.as_str()))
    }

    /// The disassembly in Intel's syntax: a line with the path of each function, and its instructions.
    pub fn listing(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for function in &self.functions {
            lines.push(format!("{}:", function.path));
            let code = function.code.iter();
            lines
                .extend(code.map(|instruction| format!("  {:x}  {instruction}", instruction.ip())));
        }
        lines
    }

    /// Differences from what the template states in `#[shape]`, and calls that should have been inlined. Code for v3
    /// and above must not use encodings from before AVX, which stall beside newer ones.
    pub fn faults(&self, entry: &KernelEntry) -> Vec<String> {
        let mut faults = Vec::new();
        let count = self.instructions().count();
        let may_call = entry
            .shape
            .is_some_and(|shape| shape.instructions.contains(&"call"));
        for instruction in self.instructions() {
            let is_right = match self.call(instruction) {
                None => true,
                // A template may allow calls of other kernels or helpers. Their code counts, too.
                Some(Some(_)) => may_call,
                // The compiler may fill memory by a call of a library function.
                Some(None) => entry.kind == OutputKind::Fills,
            };
            if !is_right {
                faults.push(format!("calls a function: {instruction}"));
            }
        }
        if entry.isa >= Isa::V3 && self.instructions().any(is_legacy_vector) {
            faults.push("mixes encodings from before AVX with AVX".into());
        }
        let Some(shape) = entry.shape else {
            faults.push(format!(
                "has {count} instructions, but its template has no #[shape]"
            ));
            return faults;
        };
        if count > shape.bound {
            let bound = shape.bound;
            faults.push(format!(
                "has {count} instructions, at most {bound} expected"
            ));
        }
        let names = self.mnemonics();
        // `call` allows calls, without requiring one.
        let lacks = |name: &&&str| **name != "call" && !names.contains_key(**name);
        for expected in shape.instructions.iter().filter(lacks) {
            let names: Vec<&str> = names.keys().map(String::as_str).collect();
            faults.push(format!("lacks {expected}; it has {}", names.join(" ")));
        }
        faults
    }
}
