//! Engine that runs in a worker.

use std::cell::RefCell;
use std::sync::Arc;

use js_sys::Function;
use outflank::analysis::judge;
use outflank::eval::{Evaluation, WeightsFile};
use outflank::notation::{ggf, read_position};
use outflank::{Engine, Isa};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::error;
use crate::threads::{self, HelperPool};
use crate::values::{WebLimits, judgement, search_result, to_js};

thread_local! {
    /// Function that a running search calls: it returns true to stop the search.
    static INTERRUPT: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Returns `true` if the running search must stop.
fn interrupted() -> bool {
    INTERRUPT.with_borrow(|interrupt| {
        interrupt.as_ref().is_some_and(|interrupt| {
            let answer = interrupt.call0(&JsValue::UNDEFINED);
            answer.is_ok_and(|answer| answer.is_truthy())
        })
    })
}

/// Helps with the searches of a task until [`end_task`], in another worker that shares the memory. Returns at once if
/// the task has ended. The searches call `interrupt`, as in the worker of the engine.
#[wasm_bindgen]
pub fn help(task: u32, interrupt: Function) {
    INTERRUPT.set(Some(interrupt));
    threads::help(task);
}

/// Ends a task and all tasks with lower numbers.
#[wasm_bindgen(js_name = endTask)]
pub fn end_task(task: u32) {
    threads::end(task);
}

/// Engine with its hash table.
#[wasm_bindgen(js_name = CoreEngine)]
pub struct WebEngine {
    engine: Engine,
}

#[wasm_bindgen(js_class = CoreEngine)]
impl WebEngine {
    /// Makes an engine. The default level is the best one of the module. Searches call `interrupt` many times a second,
    /// and stop when it returns true. All threads but one are workers of the page that call [`help`].
    #[wasm_bindgen(constructor)]
    pub fn new(
        weights: &[u8],
        hash_mib: usize,
        threads: usize,
        isa: Option<String>,
        interrupt: Option<Function>,
    ) -> Result<WebEngine, JsError> {
        let file =
            WeightsFile::read(weights).map_err(|fault| error(format!("weights: {fault}")))?;
        let evaluation = Arc::new(Evaluation::new(file.model));
        INTERRUPT.set(interrupt);
        let mut builder = Engine::builder()
            .hash_mib(hash_mib)
            .threads(threads)
            .thread_pool(HelperPool)
            .evaluation(evaluation)
            .interrupt(interrupted);
        if let Some(isa) = isa {
            builder = builder.isa(isa.parse::<Isa>().map_err(error)?);
        }
        let engine = builder.build().map_err(error)?;
        Ok(WebEngine { engine })
    }

    /// Instruction-set level of the kernels.
    pub fn isa(&self) -> String {
        self.engine.isa().name().to_owned()
    }

    /// Clears the hash table.
    pub fn clear(&mut self) {
        self.engine.clear();
    }

    /// Searches a position, and calls `report` with the result so far after each depth.
    pub fn search(
        &mut self,
        position: &str,
        limits: JsValue,
        report: &Function,
    ) -> Result<JsValue, JsError> {
        let (board, _) = read_position(position).map_err(error)?;
        let limits: WebLimits = serde_wasm_bindgen::from_value(limits).map_err(error)?;
        let limits = limits.limits(board).map_err(error)?;
        self.engine.stop_handle().reset();
        let result = self.engine.search_and_report(board, &limits, |so_far| {
            call(report, &search_result(so_far));
        });
        Ok(search_result(&result.map_err(error)?))
    }

    /// Judges the moves of a game in GGF, from the last to the first, and calls `report` with each judgement. Returns
    /// undefined if the analysis is stopped.
    pub fn analyze(
        &mut self,
        game: &str,
        limits: JsValue,
        report: &Function,
    ) -> Result<JsValue, JsError> {
        let record = ggf::read(game.as_bytes()).next();
        let record = record.ok_or_else(|| error("there is no game"))?;
        let record = record.map_err(error)?;
        let limits: WebLimits = serde_wasm_bindgen::from_value(limits).map_err(error)?;
        let strength = limits.strength().map_err(error)?;
        self.engine.stop_handle().reset();
        let game = &record.record.game;
        let judged = judge(&mut self.engine, game, strength, |made| {
            call(report, &to_js(&judgement(made)));
        });
        Ok(match judged.map_err(error)? {
            Some(moves) => to_js(&moves.iter().map(judgement).collect()),
            None => JsValue::UNDEFINED,
        })
    }
}

/// Calls a function of the page. An exception that it throws is ignored, so that a search goes on.
pub(crate) fn call(function: &Function, value: &JsValue) {
    let _ = function.call1(&JsValue::UNDEFINED, value);
}
