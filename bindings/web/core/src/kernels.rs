//! Checks and measurements of kernels.

use js_sys::Function;
use outflank_checker::bench::{Cost, bench};
use outflank_checker::registry::{CheckerEntry, OutputKind, runnable};
use outflank_checker::{check, registry};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::engine::call;
use crate::error;
use crate::values::to_js;

/// Result of the check of a kernel.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct KernelCheck {
    kernel: &'static str,
    algorithms: usize,
    comparisons: f64,
    /// First difference, with its input; `None` if all algorithms agree.
    difference: Option<String>,
}

/// Cost of an algorithm, in nanoseconds.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct KernelCost {
    kernel: &'static str,
    algorithm: &'static str,
    isa: &'static str,
    selected: bool,
    /// `call`, or `KiB` for kernels that fill memory.
    unit: &'static str,
    throughput: f64,
    spread: f64,
    latency: Option<f64>,
}

/// Names of all kernels.
#[wasm_bindgen(js_name = kernelNames)]
pub fn kernel_names() -> Vec<String> {
    let kernels = registry::kernels().iter();
    kernels.map(|kernel| kernel.name.to_owned()).collect()
}

/// Algorithms of a kernel that this module can run.
fn entries(kernel: &str) -> Result<Vec<&'static CheckerEntry>, JsError> {
    let entries: Vec<_> = runnable().filter(|entry| entry.kernel == kernel).collect();
    match entries.is_empty() {
        true => Err(error(format!("no kernel is named '{kernel}'"))),
        false => Ok(entries),
    }
}

/// Compares every algorithm of a kernel at every level with its reference, on all sweeps and on `cases` random cases.
#[wasm_bindgen(js_name = checkKernel)]
pub fn check_kernel(kernel: &str, seed: u32, cases: usize) -> Result<JsValue, JsError> {
    let entries = entries(kernel)?;
    let report = check(&entries, seed.into(), cases);
    let kernel = entries[0].kernel;
    let algorithms = entries.len();
    let (comparisons, difference) = match report {
        Ok(report) => (report.comparisons as f64, None),
        Err(failure) => (0.0, Some(failure.to_string())),
    };
    Ok(to_js(&KernelCheck {
        kernel,
        algorithms,
        comparisons,
        difference,
    }))
}

/// Measures every algorithm of a kernel at every level, with `samples` samples each. Calls `report` after each sample.
#[wasm_bindgen(js_name = benchKernel)]
pub fn bench_kernel(kernel: &str, samples: usize, report: &Function) -> Result<JsValue, JsError> {
    let advance = || call(report, &JsValue::UNDEFINED);
    let measured = bench(&entries(kernel)?, samples, advance).map_err(error)?;
    let rows = measured.rows.iter().map(|row| {
        let median = |cost: Cost| cost.ns.median;
        KernelCost {
            kernel: row.entry.kernel,
            algorithm: row.entry.algorithm,
            isa: row.entry.isa.name(),
            selected: row.entry.selected,
            unit: match row.entry.kind {
                OutputKind::Fills => "KiB",
                OutputKind::Returns | OutputKind::Writes | OutputKind::Lists => "call",
            },
            throughput: median(row.throughput),
            spread: row.throughput.ns.spread,
            latency: row.latency.map(median),
        }
    });
    Ok(to_js(&rows.collect::<Vec<_>>()))
}
