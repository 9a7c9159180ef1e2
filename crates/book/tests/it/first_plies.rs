//! Static values of the bundled weights against the built-in book, whose searches have 20 and more plies.

use std::collections::BTreeMap;

use outflank::Isa;
use outflank::eval::{DISC, Evaluation, Model};
use outflank_book::Book;
use outflank_testing::data::root;
use outflank_testing::models::bias_and_mean_error;

use crate::common::entries;

#[test]
fn static_values_of_the_first_plies_are_near_the_book() {
    let model =
        Model::load(&root().join("data/weights/outflank.weights")).expect("bundled weights");
    let evaluation = Evaluation::new(model);
    let token = Isa::detect().token().expect("the CPU has it");
    let mut errors: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    let book = Book::built_in().expect("a book");
    for entry in entries(&book).expect("it can be read") {
        let board = entry.board();
        let value = f64::from(evaluation.value(token, board)) / f64::from(DISC);
        let errors = errors.entry(board.empty_count()).or_default();
        errors.push(value - f64::from(entry.value()));
    }
    let mut faults = Vec::new();
    for (empties, errors) in errors.range(48..) {
        let [bias, mae] = bias_and_mean_error(errors);
        let row = format!(
            "{empties} empty squares, {} positions: bias {bias:+.2} discs, MAE {mae:.2}",
            errors.len()
        );
        eprintln!("{row}");
        if bias.abs() > 2.0 || mae > 4.0 {
            faults.push(row);
        }
    }
    assert!(errors.contains_key(&60), "the book begins with the start");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
