//! Tests of the machine code. They disassemble every algorithm at every level and report calls that should be
//! inlined, missing instructions that make the algorithm fast, and more instructions than the template
//! allows. They also report encodings from before AVX, which stall beside newer ones.
//!
//! `snapshots` records one compiler's code, a file for each level: the instructions of each algorithm with
//! their counts, its use of the stack, and its calls. So a review sees every change of the machine code.
//! With another compiler, or in an incremental build, only the bounds of the templates hold.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::LazyLock;

use iced_x86::{
    Decoder, DecoderOptions, EncodingKind, FlowControl, Instruction, Mnemonic, Register,
};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use outflank_kernels::registry::{KernelEntry, OutputKind, entries};
use outflank_kernels::{Isa, level_tests};

/// Start of the paths of generated functions.
const GENERATED: &str = "outflank_kernels::generated::";

/// The machine code of the generated functions in this test's own program.
struct Functions {
    /// The compiler, as `rustc -V` names it.
    compiler: String,
    /// `true` if the kernels were compiled in one unit, and not incrementally.
    in_one_unit: bool,
    by_address: HashMap<u64, Function>,
    /// Difference between the addresses of the loaded program and those of its file.
    base: u64,
}

struct Function {
    /// Path behind [`GENERATED`].
    path: String,
    code: Vec<Instruction>,
}

static FUNCTIONS: LazyLock<Functions> = LazyLock::new(Functions::of_this_program);

impl Functions {
    fn of_this_program() -> Functions {
        let program = std::env::current_exe().expect("a test knows its program");
        let bytes = std::fs::read(program).expect("a running program can be read");
        let file = object::File::parse(&*bytes).expect("Linux runs ELF files");
        let (mut by_path, mut by_address) = (HashMap::new(), HashMap::new());
        for symbol in file.symbols().filter(|symbol| symbol.size() > 0) {
            let name = rustc_demangle::demangle(symbol.name().unwrap_or_default());
            let name = format!("{name:#}");
            let Some(path) = name.strip_prefix(GENERATED) else {
                continue;
            };
            let section = symbol
                .section_index()
                .expect("a function lies in a section");
            let section = file
                .section_by_index(section)
                .expect("the file has the section");
            let code = section.data_range(symbol.address(), symbol.size());
            let code = code
                .ok()
                .flatten()
                .expect("the section has the bytes of the function");
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
            by_path.insert(path.to_owned(), symbol.address());
            by_address.insert(symbol.address(), function);
        }
        let bases = entries().filter_map(|entry| {
            let path = format!("{}::{}::{}", entry.isa, entry.kernel, entry.algorithm);
            Some(entry.address() as u64 - by_path.get(&path)?)
        });
        let bases: HashSet<u64> = bases.collect();
        assert_eq!(bases.len(), 1, "one program, loaded in one piece");
        Functions {
            compiler: compiler(&file).expect("rustc says in the program who it is"),
            in_one_unit: in_one_unit(&file),
            by_address,
            base: bases.into_iter().sum(),
        }
    }

    /// The code of an algorithm and of all generated functions that it calls, each once.
    fn code_of(&self, entry: &KernelEntry) -> Option<Vec<Instruction>> {
        // By address, not by path: the compiler merges identical functions.
        let address = entry.address() as u64 - self.base;
        let mut left = vec![self.by_address.contains_key(&address).then_some(address)?];
        let (mut seen, mut code) = (HashSet::new(), Vec::new());
        while let Some(address) = left.pop() {
            if seen.insert(address) {
                let instructions = &self.by_address[&address].code;
                code.extend_from_slice(instructions);
                let called = instructions.iter().map(Instruction::near_branch_target);
                left.extend(called.filter(|target| self.by_address.contains_key(target)));
            }
        }
        Some(code)
    }

    /// Returns `Some` for a call; the inner value is the called function's name if the function is generated.
    fn call(&self, instruction: &Instruction) -> Option<Option<&str>> {
        let is_call = matches!(
            instruction.flow_control(),
            FlowControl::Call | FlowControl::IndirectCall
        );
        let called = self.by_address.get(&instruction.near_branch_target());
        is_call.then(|| called.map(|function| function.path.as_str()))
    }
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
    instruction.op0_register().is_xmm()
        && instruction.code().op_code().encoding() == EncodingKind::Legacy
}

/// The mistakes in the machine code of `entry`.
fn faults(functions: &Functions, entry: &KernelEntry, code: &[Instruction]) -> Vec<String> {
    let mut faults = Vec::new();
    let names: HashSet<String> = code.iter().map(mnemonic).collect();
    let may_call = entry
        .shape
        .is_some_and(|shape| shape.instructions.contains(&"call"));
    for instruction in code {
        let is_right = match functions.call(instruction) {
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
    if entry.isa >= Isa::V3 && code.iter().any(is_legacy_vector) {
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
        .filter(|&&name| !names.contains(name))
    {
        let mut names: Vec<_> = names.iter().map(String::as_str).collect();
        names.sort_unstable();
        faults.push(format!("lacks {expected}; it has {}", names.join(" ")));
    }
    faults
}

/// Summary of an algorithm's machine code for the snapshots.
fn shape(functions: &Functions, entry: &KernelEntry, code: &[Instruction]) -> String {
    let (mut mnemonics, mut calls, mut stack) = (BTreeMap::new(), BTreeMap::new(), 0);
    for instruction in code {
        *mnemonics.entry(mnemonic(instruction)).or_insert(0) += 1;
        if let Some(called) = functions.call(instruction) {
            *calls.entry(called.unwrap_or("another")).or_insert(0) += 1;
        }
        stack += match instruction.mnemonic() {
            Mnemonic::Push => 8,
            Mnemonic::Sub if instruction.op0_register() == Register::RSP => {
                instruction.immediate(1)
            }
            _ => 0,
        };
    }
    let selected = if entry.selected { " *" } else { "" };
    let (kernel, algorithm, count) = (entry.kernel, entry.algorithm, code.len());
    let mut text = format!(
        "\n{kernel}.{algorithm}{selected}\n    {count} instructions, {stack} bytes of stack"
    );
    for (called, count) in calls {
        write!(text, ", {count} calls of {called}").expect("writing to a string cannot fail");
    }
    let mut column = usize::MAX;
    for (mnemonic, count) in mnemonics {
        let word = format!("{mnemonic} {count}");
        if column.saturating_add(word.len()) > 90 {
            text += "\n  ";
            column = 0;
        }
        text = text + "  " + &word;
        column += 2 + word.len();
    }
    text + "\n"
}

/// Compares the shapes of a level with the recorded ones, if compiler and options are the same.
fn compare(isa: Isa, shapes: &str) {
    if !FUNCTIONS.in_one_unit || cfg!(target_feature = "sse3") {
        println!(
            "not compared: compiled by other options than those of `CARGO_INCREMENTAL=0 cargo test`"
        );
        return;
    }
    let compiler = &FUNCTIONS.compiler;
    let name = format!("shapes_{isa}");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots");
    let recorded = std::fs::read_to_string(format!("{folder}/{name}.snap")).unwrap_or_default();
    let recorded_by = recorded.lines().find(|line| line.starts_with("rustc "));
    let renews = std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always");
    if let Some(recorded_by) = recorded_by.filter(|recorded_by| recorded_by != compiler && !renews)
    {
        println!("not compared: recorded for {recorded_by}, this is {compiler}; the bounds hold");
        return;
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, format!("{compiler}\n{shapes}")));
}

/// Checks the machine code of every algorithm of a level. To accept an intended change, run
/// `CARGO_INCREMENTAL=0 INSTA_UPDATE=always cargo test -p outflank-kernels --test shapes`.
fn machine_code(isa: Isa) {
    let (mut wrong, mut shapes) = (Vec::new(), String::new());
    for entry in entries().filter(|entry| entry.isa == isa) {
        let name = format!("{}.{} at {isa}", entry.kernel, entry.algorithm);
        match FUNCTIONS.code_of(entry) {
            None => wrong.push(format!("{name}: not found in the program")),
            Some(code) => {
                let faults = faults(&FUNCTIONS, entry, &code);
                wrong.extend(faults.into_iter().map(|fault| format!("{name} {fault}")));
                shapes += &shape(&FUNCTIONS, entry, &code);
            }
        }
    }
    assert!(
        !shapes.is_empty() && wrong.is_empty(),
        "{}",
        wrong.join("\n")
    );
    compare(isa, &shapes);
}

level_tests!(on_any_cpu machine_code);
