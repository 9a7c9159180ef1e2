//! The check and the measurement of all kernels.

use js_sys::Function;
use outflank_checker::bench::{Cost, bench};
use outflank_checker::registry::{Entry, Kind, runnable};
use outflank_checker::{check, registry};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::engine::call;
use crate::error;
use crate::values::to_js;

/// What was compared of a kernel.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Checked {
    kernel: &'static str,
    algorithms: usize,
    comparisons: f64,
    /// What differs, with the input; none where all agree.
    difference: Option<String>,
}

/// What an algorithm costs, in nanoseconds.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Measured {
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

/// The names of all kernels.
#[wasm_bindgen(js_name = kernelNames)]
pub fn kernel_names() -> Vec<String> {
    let kernels = registry::kernels().iter();
    kernels.map(|kernel| kernel.name.to_owned()).collect()
}

fn entries(kernel: &str) -> Result<Vec<&'static Entry>, JsError> {
    let entries: Vec<_> = runnable().filter(|entry| entry.kernel == kernel).collect();
    match entries.is_empty() {
        true => Err(error(format!("no kernel is named '{kernel}'"))),
        false => Ok(entries),
    }
}

/// Compares every algorithm of a kernel, at every level, with its reference: on all sweeps and on `cases`
/// random cases of `seed`.
#[wasm_bindgen(js_name = checkKernel)]
pub fn check_kernel(kernel: &str, seed: u32, cases: usize) -> Result<JsValue, JsError> {
    let entries = entries(kernel)?;
    let report = check(&entries, seed.into(), cases);
    let kernel = entries[0].kernel;
    let algorithms = entries.len();
    Ok(to_js(&match report {
        Ok(report) => Checked {
            kernel,
            algorithms,
            comparisons: report.comparisons as f64,
            difference: None,
        },
        Err(failure) => Checked {
            kernel,
            algorithms,
            comparisons: 0.0,
            difference: Some(failure.to_string()),
        },
    }))
}

/// Measures every algorithm of a kernel, at every level, with so many samples each; `report` is called after
/// each sample.
#[wasm_bindgen(js_name = benchKernel)]
pub fn bench_kernel(kernel: &str, samples: usize, report: &Function) -> Result<JsValue, JsError> {
    let advance = || call(report, &JsValue::UNDEFINED);
    let measured = bench(&entries(kernel)?, samples, advance).map_err(error)?;
    let rows = measured.rows.iter().map(|row| {
        let median = |cost: Cost| cost.ns.median;
        Measured {
            kernel: row.entry.kernel,
            algorithm: row.entry.algorithm,
            isa: row.entry.isa.name(),
            selected: row.entry.selected,
            unit: match row.entry.kind {
                Kind::Fills => "KiB",
                Kind::Returns | Kind::Writes | Kind::Lists => "call",
            },
            throughput: median(row.throughput),
            spread: row.throughput.ns.spread,
            latency: row.latency.map(median),
        }
    });
    Ok(to_js(&rows.collect::<Vec<_>>()))
}
