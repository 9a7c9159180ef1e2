//! Tests of the program `outflank` from outside: arguments, standard streams, files and signals.

// Tests that need a shell or signals other than Ctrl-C are left out on Windows, and with them the users of some helpers.
#![cfg_attr(not(unix), allow(dead_code, unused_imports))]

mod analyze_cli;
mod analyze_pictures;
mod bench_cli;
mod book_cli;
mod book_parts;
mod book_play;
mod certificates;
mod common;
mod convert_cli;
mod games_cli;
mod gtp;
mod gtp_gogui;
mod help_cli;
mod kernels_cli;
mod match_cli;
mod match_faults;
mod match_floods;
mod names_cli;
mod nboard;
mod numbers_cli;
mod openings_cli;
mod outputs_cli;
mod perft_cli;
mod play_cli;
mod play_hints;
mod play_terminal;
mod protocol_clocks;
mod protocol_faults;
mod puzzle_cli;
mod reading_errors;
mod reading_games;
mod reading_names;
mod refusals;
mod show_cli;
mod signals_cli;
mod skill_cli;
mod solve_bounds;
mod solve_cli;
mod solve_errors;
mod solve_long;
mod solve_malformed;
mod suite_cli;
mod train_demo;
mod train_duel;
mod train_fit;
mod train_generate;
mod train_network;
mod train_probcut;
mod train_score;
mod train_stages;
mod weights_cli;
