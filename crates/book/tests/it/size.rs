//! Measurements of size and speed.

use std::fs;
use std::time::Instant;

use outflank::openings::{MAX_PLIES, openings, replies};
use outflank::{Board, Selectivity};
use outflank_book::{Book, BookEntry, SearchEffort, ValuedMove, Writer};
use outflank_random::SplitMix64;
use outflank_testing::command::Folder;

use crate::common::plies;

const POSITIONS: usize = 10_000_000;

/// Random positions of the first ply with [`POSITIONS`] of them.
fn positions() -> Vec<Board> {
    let mut boards = openings(MAX_PLIES);
    while boards.len() < POSITIONS {
        let next = boards
            .iter()
            .flat_map(|&board| replies(board).map(|(_, next)| next));
        let mut next: Vec<Board> = next.collect();
        next.sort_unstable_by_key(|board| (board.player, board.opponent));
        next.dedup();
        boards = next;
    }
    SplitMix64::new(1).shuffle(&mut boards);
    boards.truncate(POSITIONS);
    boards
}

/// Entry with a leaf and a link of this value.
fn entry(board: Board, value: i32) -> BookEntry {
    let moves = plies(board).into_iter();
    let mut moves = moves.map(|(ply, _)| ValuedMove::new(ply, value));
    let searched = SearchEffort::new(16, Selectivity::P73);
    let leaf = moves.next();
    BookEntry::new(board, searched, leaf, moves.take(1).collect()).unwrap()
}

fn report(name: &str, mut microseconds: Vec<f64>) {
    microseconds.sort_by(f64::total_cmp);
    let at = |share: usize| microseconds[(microseconds.len() - 1) * share / 100];
    println!("{name}: median {:.2} µs, 99 % {:.2} µs", at(50), at(99));
}

/// `cargo test --release -p outflank-book --test it ten_million -- --ignored --nocapture`
#[test]
#[ignore = "minutes, and a gigabyte of disk"]
fn ten_million_positions() {
    let folder = Folder::new();
    let path = folder.path("large.book");
    let mut boards = positions();
    println!("{} positions", boards.len());
    let start = Instant::now();
    let mut writer = Writer::create(&path).unwrap();
    boards.sort_unstable_by_key(|board| (board.player, board.opponent));
    boards
        .iter()
        .for_each(|&board| writer.put(&entry(board, 0)).unwrap());
    writer.commit().unwrap();
    let size = || fs::metadata(&path).unwrap().len() as f64 / POSITIONS as f64;
    println!(
        "put in order, one commit: {:.1} s",
        start.elapsed().as_secs_f64()
    );

    let mut random = SplitMix64::new(2);
    let mut some =
        |count: usize| -> Vec<Board> { (0..count).map(|_| random.pick(&boards)).collect() };
    let mut commits = Vec::new();
    for round in 1..=60 {
        for board in some(100) {
            writer.put(&entry(board, round)).unwrap();
        }
        let start = Instant::now();
        writer.commit().unwrap();
        commits.push(start.elapsed().as_secs_f64() * 1e6);
    }
    report("commits of 100 changes", commits);
    drop(writer);
    println!("{:.1} bytes a position", size());
    for _ in 0..3 {
        let start = Instant::now();
        let book = Book::open(&path).unwrap();
        let opened = start.elapsed().as_secs_f64() * 1e3;
        assert!(book.entry(boards[0]).unwrap().is_some());
        let first = start.elapsed().as_secs_f64() * 1e3;
        println!("opened in {opened:.2} ms, first look-up after {first:.2} ms");
    }
    let book = Book::open(&path).unwrap();
    for round in ["first", "second", "third"] {
        let look_up = |board: Board| {
            let start = Instant::now();
            assert!(book.entry(board).unwrap().is_some());
            start.elapsed().as_secs_f64() * 1e6
        };
        let times = some(200_000).into_iter().map(look_up).collect();
        report(&format!("look-ups, {round} 200,000"), times);
    }
}
