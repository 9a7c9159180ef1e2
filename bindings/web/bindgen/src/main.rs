//! `outflank-bindgen MODULE FOLDER` replaces `wasm-bindgen --target web`. That program also has a server and drivers of
//! browsers, which take minutes to build.

use anyhow::{Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = arguments.as_slice() else {
        bail!("usage: outflank-bindgen MODULE FOLDER");
    };
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(true)
        .omit_default_module_path(true)
        // Names of functions would be a tenth of the module. Panics name their place themselves.
        .remove_name_section(true)
        .out_name("outflank_web")
        .generate(folder)
}
