//! Checks and measurements of kernels.

use js_sys::Function;
use outflank_checker::bench::{Cost, bench};
use outflank_checker::registry::{CheckerEntry, OutputKind, runnable};
use outflank_checker::{check, registry};
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::engine::call;
use crate::error;
use crate::values::to_js;

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

/// Compares every algorithm of a kernel at every level with its reference, on all sweeps and on `cases` random cases:
/// `KernelCheck` of the package.
#[wasm_bindgen(js_name = checkKernel)]
pub fn check_kernel(kernel: &str, seed: u32, cases: usize) -> Result<JsValue, JsError> {
    let entries = entries(kernel)?;
    let (comparisons, difference) = match check(&entries, seed.into(), cases) {
        Ok(report) => (report.comparisons, None),
        Err(failure) => (0, Some(failure.to_string())),
    };
    Ok(to_js(&json!({
        "kernel": kernel,
        "algorithms": entries.len(),
        "comparisons": comparisons,
        "difference": difference,
    })))
}

/// Measures every algorithm of a kernel at every level, with `samples` samples each: an array of `KernelCost` of the
/// package. Calls `report` after each sample.
#[wasm_bindgen(js_name = benchKernel)]
pub fn bench_kernel(kernel: &str, samples: usize, report: &Function) -> Result<JsValue, JsError> {
    let advance = || call(report, &JsValue::UNDEFINED);
    let measured = bench(&entries(kernel)?, samples, advance).map_err(error)?;
    let rows = measured.rows.iter().map(|row| {
        let median = |cost: &Cost| cost.ns.median();
        json!({
            "kernel": row.entry.kernel,
            "algorithm": row.entry.algorithm,
            "isa": row.entry.isa.name(),
            "selected": row.entry.selected,
            "unit": match row.entry.kind {
                OutputKind::Fills => "KiB",
                OutputKind::Returns | OutputKind::Writes | OutputKind::Lists => "call",
            },
            "throughput": median(&row.throughput),
            "spread": row.throughput.ns.spread(),
            "latency": row.latency.as_ref().map(median),
        })
    });
    Ok(to_js(&rows.collect()))
}
