//! What makes a kernel fast is in its machine code: this test disassembles every algorithm at every
//! level, and looks for calls that should have been inlined, for the instructions that the algorithm
//! exists for, for more instructions than its template allows, and for encodings of an older level,
//! which stall beside newer ones.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::collections::{HashMap, HashSet};

use iced_x86::{Decoder, DecoderOptions, EncodingKind, FlowControl, Instruction};
use object::{Object, ObjectSection, ObjectSymbol};
use outflank_kernels::Isa;
use outflank_kernels::registry::{Entry, Kind, entries};

/// The machine code of the generated functions in this test's own program.
struct Functions {
    by_address: HashMap<u64, Vec<Instruction>>,
    /// How far from its place in the file the program is loaded.
    base: u64,
}

impl Functions {
    fn of_this_program() -> Functions {
        let program = std::env::current_exe().expect("a test knows its program");
        let bytes = std::fs::read(program).expect("a running program can be read");
        let file = object::File::parse(&*bytes).expect("Linux runs ELF files");
        let mut by_path = HashMap::new();
        let mut by_address = HashMap::new();
        for symbol in file.symbols().filter(|symbol| symbol.size() > 0) {
            let name = rustc_demangle::demangle(symbol.name().unwrap_or_default());
            let path = format!("{name:#}");
            if !path.starts_with("outflank_kernels::generated::") {
                continue;
            }
            let section = symbol
                .section_index()
                .expect("a function lies in a section");
            let section = file.section_by_index(section).expect("which the file has");
            let code = section.data_range(symbol.address(), symbol.size());
            let code = code.ok().flatten().expect("with its bytes");
            let decoder = Decoder::with_ip(64, code, symbol.address(), DecoderOptions::NONE);
            // Functions are padded up to the next.
            let is_padding = |one: &Instruction| {
                matches!(
                    one.mnemonic(),
                    iced_x86::Mnemonic::Nop | iced_x86::Mnemonic::Int3
                )
            };
            let code = decoder.into_iter().filter(|one| !is_padding(one)).collect();
            by_path.insert(path, symbol.address());
            by_address.insert(symbol.address(), code);
        }
        // The compiler keeps one of several functions that are the same, so not every entry has a symbol of
        // its own, but all have an address.
        let loaded = entries().find_map(|entry| {
            let path = format!(
                "outflank_kernels::generated::{}::{}::{}",
                entry.level, entry.kernel, entry.algorithm
            );
            Some(entry.address() as u64 - by_path.get(&path)?)
        });
        Functions {
            by_address,
            base: loaded.expect("most have a symbol of their own"),
        }
    }

    /// The code of an algorithm and of all generated functions that it calls, each once.
    fn of(&self, entry: &Entry) -> Option<Vec<Instruction>> {
        let mut left = vec![entry.address() as u64 - self.base];
        self.by_address.get(&left[0])?;
        let (mut seen, mut code) = (HashSet::new(), Vec::new());
        while let Some(address) = left.pop() {
            if seen.insert(address) {
                let own = &self.by_address[&address];
                code.extend_from_slice(own);
                let called = own.iter().map(Instruction::near_branch_target);
                left.extend(called.filter(|target| self.by_address.contains_key(target)));
            }
        }
        Some(code)
    }

    /// Whether the instruction calls a function, and which is generated.
    fn call(&self, one: &Instruction) -> Option<bool> {
        let is_call = matches!(
            one.flow_control(),
            FlowControl::Call | FlowControl::IndirectCall
        );
        is_call.then(|| self.by_address.contains_key(&one.near_branch_target()))
    }
}

fn mnemonic(instruction: &Instruction) -> String {
    format!("{:?}", instruction.mnemonic()).to_lowercase()
}

/// Whether the instruction writes a vector register by an encoding from before AVX.
fn is_legacy_vector(instruction: &Instruction) -> bool {
    instruction.op0_register().is_xmm()
        && instruction.code().op_code().encoding() == EncodingKind::Legacy
}

/// What is wrong with the machine code of `entry`, if anything.
fn faults(functions: &Functions, entry: &Entry, code: &[Instruction]) -> Vec<String> {
    let mut faults = Vec::new();
    let names: HashSet<String> = code.iter().map(mnemonic).collect();
    let may_call = entry
        .shape
        .is_some_and(|shape| shape.instructions.contains(&"call"));
    for one in code {
        let is_right = match functions.call(one) {
            None => true,
            // A kernel made of others, or of helpers, where the template says so: their code counts.
            Some(true) => may_call,
            // To fill memory by ordinary stores, the compiler may call what the system has for it.
            Some(false) => entry.kind == Kind::Fills,
        };
        if !is_right {
            faults.push(format!("calls a function: {one}"));
        }
    }
    if entry.level >= Isa::V3 && code.iter().any(is_legacy_vector) {
        faults.push("mixes encodings from before AVX with AVX".into());
    }
    let Some(shape) = entry.shape else {
        faults.push(format!(
            "has {} instructions, but its template has no #[shape]",
            code.len()
        ));
        return faults;
    };
    if code.len() > shape.bound {
        faults.push(format!(
            "has {} instructions, at most {} expected",
            code.len(),
            shape.bound
        ));
    }
    for &expected in shape
        .instructions
        .iter()
        .filter(|&&one| !names.contains(one))
    {
        let mut names: Vec<_> = names.iter().map(String::as_str).collect();
        names.sort_unstable();
        faults.push(format!("lacks {expected}; it has {}", names.join(" ")));
    }
    faults
}

#[test]
fn every_algorithm_is_the_machine_code_that_it_should_be() {
    let functions = Functions::of_this_program();
    let (mut wrong, mut looked_at) = (Vec::new(), 0);
    for entry in entries() {
        let name = format!("{}.{} at {}", entry.kernel, entry.algorithm, entry.level);
        match functions.of(entry) {
            None => wrong.push(format!("{name}: not found in the program")),
            Some(code) => {
                let faults = faults(&functions, entry, &code);
                wrong.extend(faults.into_iter().map(|fault| format!("{name} {fault}")));
                if std::env::var_os("OUTFLANK_SHAPES").is_some() {
                    println!(
                        "{} {} {} {}",
                        entry.kernel,
                        entry.algorithm,
                        entry.level,
                        code.len()
                    );
                }
            }
        }
        looked_at += 1;
    }
    println!("{looked_at} functions disassembled");
    assert!(
        wrong.is_empty(),
        "{} of {looked_at}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
