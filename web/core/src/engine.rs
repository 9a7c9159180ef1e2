//! The engine, which runs in a worker.

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
use crate::threads::{self, Helpers};
use crate::values::{Answer, Judged, Wanted, to_js};

thread_local! {
    /// What a running search asks whether it is to stop.
    static INTERRUPT: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Whether the running search is to stop.
fn interrupted() -> bool {
    INTERRUPT.with_borrow(|interrupt| {
        interrupt.as_ref().is_some_and(|interrupt| {
            let answer = interrupt.call0(&JsValue::UNDEFINED);
            answer.is_ok_and(|answer| answer.is_truthy())
        })
    })
}

/// Helps with the searches of the task of this number, in another worker than the engine's and in the same memory,
/// until [`end_task`] is called; at once where it was. They call `interrupt` like those of the engine's worker.
#[wasm_bindgen]
pub fn help(task: u32, interrupt: Function) {
    INTERRUPT.set(Some(interrupt));
    threads::help(task);
}

/// Ends the task of this number, and those before it.
#[wasm_bindgen(js_name = endTask)]
pub fn end_task(task: u32) {
    threads::end(task);
}

/// An engine with its hash table.
#[wasm_bindgen(js_name = CoreEngine)]
pub struct WebEngine {
    engine: Engine,
}

#[wasm_bindgen(js_class = CoreEngine)]
impl WebEngine {
    /// An engine with these weights, a hash table of so many MiB, so many threads and a level of the module's (its
    /// best without one). Searches call `interrupt` many times a second, and stop when it returns true. All threads
    /// but one are workers of the page that call [`help`].
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
            .thread_pool(Helpers)
            .evaluation(evaluation)
            .interrupt(interrupted);
        if let Some(isa) = isa {
            builder = builder.isa(isa.parse::<Isa>().map_err(error)?);
        }
        let engine = builder.build().map_err(error)?;
        Ok(WebEngine { engine })
    }

    /// The level that the kernels run at.
    pub fn isa(&self) -> String {
        self.engine.isa().name().to_owned()
    }

    /// Forgets what earlier searches found.
    pub fn clear(&mut self) {
        self.engine.clear();
    }

    /// Searches a position, and calls `report` with what was found so far after each depth.
    pub fn search(
        &mut self,
        position: &str,
        limits: JsValue,
        report: &Function,
    ) -> Result<JsValue, JsError> {
        let (board, _) = read_position(position).map_err(error)?;
        let wanted: Wanted = serde_wasm_bindgen::from_value(limits).map_err(error)?;
        let limits = wanted.limits(board).map_err(error)?;
        self.engine.stop_handle().reset();
        let found = self.engine.search_and_report(board, &limits, |so_far| {
            call(report, &to_js(&Answer::new(so_far)));
        });
        Ok(to_js(&Answer::new(&found.map_err(error)?)))
    }

    /// Judges the moves of a game in GGF, from the last to the first, and calls `report` with each. Undefined
    /// where it was stopped.
    pub fn analyze(
        &mut self,
        game: &str,
        limits: JsValue,
        report: &Function,
    ) -> Result<JsValue, JsError> {
        let first = ggf::read(game.as_bytes()).next();
        let game = first
            .ok_or_else(|| error("there is no game"))?
            .map_err(error)?;
        let wanted: Wanted = serde_wasm_bindgen::from_value(limits).map_err(error)?;
        let strength = wanted.strength().map_err(error)?;
        self.engine.stop_handle().reset();
        let judged = judge(&mut self.engine, &game.record.game, strength, |one| {
            call(report, &to_js(&Judged::new(one)));
        });
        Ok(match judged.map_err(error)? {
            Some(moves) => to_js(&moves.iter().map(Judged::new).collect::<Vec<_>>()),
            None => JsValue::UNDEFINED,
        })
    }
}

/// Calls a function of the page. What it throws is no reason to end a search.
pub(crate) fn call(function: &Function, value: &JsValue) {
    let _ = function.call1(&JsValue::UNDEFINED, value);
}
