//! Record files: round trips, truncation, damage, foreign files, and continuation.

use std::fs;
use std::path::Path;

use outflank_random::SplitMix64;
use outflank_testing::command::Folder;
use outflank_testing::data::random_game;
use outflank_train::record::{
    Block, Damage, ExistingBlocks, Reader, Record, RecordError, RecordFault, RecordSettings,
    SkippedRange, Source, Writer,
};

fn settings() -> RecordSettings {
    let mut settings = RecordSettings::default();
    settings.set("seed", 7);
    settings.set("from", "self");
    settings
}

/// Records of random games with random labels of all sources.
fn records(rng: &mut SplitMix64, count: usize) -> Vec<Record> {
    let mut records = Vec::new();
    while records.len() < count {
        let game = rng.bits() as u32;
        for board in random_game(rng) {
            let value = rng.index(2 * 8192 + 1) as i16 - 8192;
            let source = match rng.index(63) {
                61 => Source::Game,
                62 => Source::Exact,
                depth => Source::Search { depth: depth as u8 },
            };
            records.push(Record {
                board,
                value,
                source,
                game,
            });
        }
    }
    records.truncate(count);
    records
}

/// Blocks with these numbers of records.
fn blocks(sizes: &[usize]) -> Vec<Block> {
    let mut rng = SplitMix64::new(5);
    let block = |(number, &size): (usize, &usize)| Block {
        number: number as u64,
        records: records(&mut rng, size),
    };
    sizes.iter().enumerate().map(block).collect()
}

/// Appends the missing blocks. Returns the ends of the header and of each appended block.
fn append(path: &Path, blocks: &[Block]) -> Result<(ExistingBlocks, Vec<u64>), RecordError> {
    let (mut writer, found) = Writer::open(path, &settings())?;
    let mut ends = vec![writer.bytes()];
    for block in &blocks[found.blocks as usize..] {
        writer.write(&block.encode())?;
        ends.push(writer.bytes());
    }
    writer.finish()?;
    Ok((found, ends))
}

/// Reads all blocks of a file, with the skipped ranges.
fn read(path: &Path, damage: Damage) -> Result<(Vec<Block>, Vec<SkippedRange>), RecordError> {
    let mut reader = Reader::open(path, damage)?;
    let blocks = reader.by_ref().collect::<Result<_, _>>()?;
    Ok((blocks, reader.left_out().to_vec()))
}

/// First bytes and ends of skipped ranges.
fn ranges(skipped: &[SkippedRange]) -> Vec<(u64, u64)> {
    let ranges = skipped.iter().map(|range| (range.from, range.to));
    ranges.collect()
}

/// Error of opening a file for appending, with the settings of all tests.
#[track_caller]
fn open_error(path: &Path) -> RecordError {
    let opened = Writer::open(path, &settings());
    opened.err().expect("a refusal to append")
}

#[test]
fn written_blocks_are_read_unchanged() {
    let folder = Folder::new();
    let path = folder.path("some.records");
    let blocks = blocks(&[1, 0, 700, 5000, 3]);
    let (found, ends) = append(&path, &blocks).unwrap();
    assert_eq!(found, ExistingBlocks::default());
    assert_eq!(fs::metadata(&path).unwrap().len(), *ends.last().unwrap());
    assert_eq!(read(&path, Damage::Refuse).unwrap(), (blocks, vec![]));
    let reader = Reader::open(&path, Damage::Refuse).unwrap();
    assert_eq!(reader.settings(), &settings());
}

/// A file truncated at any byte keeps its complete blocks, and a continued run restores the file.
#[test]
fn truncated_file_keeps_complete_blocks() {
    let folder = Folder::new();
    let (whole, cut) = (folder.path("whole"), folder.path("cut"));
    let blocks = blocks(&[4, 1, 3]);
    let (_, ends) = append(&whole, &blocks).unwrap();
    let bytes = fs::read(&whole).unwrap();
    for length in 0..bytes.len() as u64 {
        fs::write(&cut, &bytes[..length as usize]).unwrap();
        let kept = ends.iter().filter(|&&end| end <= length).count();
        if kept > 0 {
            let (read, left_out) = read(&cut, Damage::Refuse).unwrap();
            assert_eq!(read, blocks[..kept - 1], "{length} bytes");
            let end = ends[kept - 1];
            let expected = [(end, length)];
            assert_eq!(ranges(&left_out), expected[..usize::from(end < length)]);
        } else {
            assert!(read(&cut, Damage::Skip).is_err());
        }
        let (found, _) = append(&cut, &blocks).unwrap();
        let kept_bytes = kept.checked_sub(1).map_or(0, |last| ends[last]);
        assert_eq!((found.blocks + 1) as usize, kept.max(1));
        assert_eq!(found.cut, length - kept_bytes);
        assert_eq!(fs::read(&cut).unwrap(), bytes, "{length} bytes");
    }
}

/// Any flipped byte is detected and loses only its block.
#[test]
fn flipped_byte_is_detected_and_loses_only_its_block() {
    let folder = Folder::new();
    let path = folder.path("flipped");
    let blocks = blocks(&[4, 1, 3]);
    let (_, ends) = append(&path, &blocks).unwrap();
    let bytes = fs::read(&path).unwrap();
    for (at, flip) in (0..bytes.len()).flat_map(|at| [(at, 1), (at, 0x80), (at, 0xff)]) {
        let mut damaged = bytes.clone();
        damaged[at] ^= flip;
        fs::write(&path, &damaged).unwrap();
        let index = ends.iter().filter(|&&end| end <= at as u64).count();
        let strict = read(&path, Damage::Refuse);
        if index == 0 {
            assert!(strict.is_err(), "byte {at}");
            assert!(Writer::open(&path, &settings()).is_err(), "byte {at}");
            continue;
        }
        let (from, to) = (ends[index - 1], ends[index]);
        let error = strict.expect_err("it is damaged").to_string();
        let range = format!("from byte {from} to byte {to}");
        assert!(error.contains(&range), "{error}");
        assert!(Writer::open(&path, &settings()).is_err(), "byte {at}");
        assert!(fs::read(&path).unwrap() == damaged, "nothing is cut off");
        let (read, left_out) = read(&path, Damage::Skip).unwrap();
        let mut expected = blocks.clone();
        expected.remove(index - 1);
        assert_eq!(read, expected, "byte {at}");
        assert_eq!(ranges(&left_out), [(from, to)], "byte {at}");
        assert!(!left_out[0].is_tail, "byte {at}");
    }
}

/// Zeros, or damage before the end, as a power failure leaves them, are no incomplete block.
#[test]
fn only_a_prefix_of_a_block_is_an_incomplete_block() {
    let folder = Folder::new();
    let path = folder.path("end");
    let blocks = blocks(&[4, 300]);
    let (_, ends) = append(&path, &blocks).unwrap();
    let bytes = fs::read(&path).unwrap();
    let first = ends[0] as usize;
    let mut torn = bytes[..bytes.len() - 5].to_vec();
    torn[first + 30] ^= 1;
    let tail = &bytes[ends[1] as usize..][..90];
    for (damaged, expected) in [
        ([&bytes[..], &[0; 3]].concat(), "there is no block"),
        ([&bytes[..], &[0; 500]].concat(), "there is no block"),
        ([&bytes[..], b"\xbabl-"].concat(), "there is no block"),
        (torn, "checksum is wrong"),
        ([&bytes[..], b"x", tail].concat(), "there is no block"),
    ] {
        fs::write(&path, &damaged).unwrap();
        let error = read(&path, Damage::Refuse).expect_err("it is damaged");
        assert!(error.to_string().contains(expected), "{error}");
        assert!(Writer::open(&path, &settings()).is_err());
        assert!(read(&path, Damage::Skip).is_ok());
    }
}

#[test]
fn damaged_header_loses_only_the_settings() {
    let folder = Folder::new();
    let path = folder.path("header");
    let blocks = blocks(&[4, 2]);
    append(&path, &blocks).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[22] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let (read, left_out) = read(&path, Damage::Skip).unwrap();
    assert_eq!(read, blocks);
    assert_eq!(left_out.len(), 1);
}

#[test]
fn foreign_files_are_identified_and_kept() {
    let folder = Folder::new();
    let append = |contents: &[u8]| {
        let path = folder.file("foreign", contents);
        let append_error = open_error(&path);
        let kept = fs::read(&path).unwrap();
        assert_eq!(kept, contents, "nothing is written over");
        let read_error = Reader::open(&path, Damage::Skip).err().unwrap();
        [append_error, read_error].map(|error| error.fault)
    };
    let problem = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X;\n";
    let database = b"\x14\x15\x01\x1f\x01\0\0\0\0\0\xe4\x07\x08\0\x18\0";
    for (contents, expected) in [
        (&b"EDAXEVAL"[..], "eval.dat of Edax's"),
        (b"XADELAVE and more of it", "eval.dat of Edax's"),
        (b"\xbaoutwts\n\x01\0\0\0", "has weights"),
        (b"\x28\xb5\x2f\xfd\x24\x01\x09", "compressed by zstd"),
        (problem.as_bytes(), "looks like text, \"--XXXXX--OOO"),
        (database, "begins with the bytes [14, 15"),
    ] {
        for fault in append(contents) {
            assert!(matches!(fault, RecordFault::Foreign(_)), "{fault}");
            assert!(fault.to_string().contains(expected), "{fault}");
        }
    }
    let empty = folder.file("empty", b"");
    let read = Reader::open(&empty, Damage::Refuse).err().unwrap();
    assert!(matches!(read.fault, RecordFault::Empty), "{read}");
    let missing = Reader::open(&folder.path("missing"), Damage::Refuse);
    assert!(matches!(missing.err().unwrap().fault, RecordFault::Read(_)));
    let nowhere = open_error(&folder.path("no/folder"));
    assert!(matches!(nowhere.fault, RecordFault::Make(_)), "{nowhere}");
}

#[test]
fn later_versions_are_refused() {
    let folder = Folder::new();
    let path = folder.path("later");
    append(&path, &[]).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[12] = 2;
    let checksum = crc32fast::hash(&bytes[12..]);
    bytes[8..12].copy_from_slice(&checksum.to_le_bytes());
    fs::write(&path, &bytes).unwrap();
    let error = Reader::open(&path, Damage::Skip).err().unwrap();
    assert!(matches!(error.fault, RecordFault::Version(2)), "{error}");
}

#[test]
fn other_settings_are_refused_by_name() {
    let folder = Folder::new();
    let path = folder.path("settings");
    append(&path, &[]).unwrap();
    let mut other = RecordSettings::default();
    other.set("seed", 8);
    other.set("from", "self");
    other.set("depth", "3\n4");
    let error = Writer::open(&path, &other).err().unwrap().to_string();
    let expected = "was made with other settings: seed is 7 there and 8 here; depth is none there and \
                    3 4 here; go on with those, or write to a new file";
    assert!(error.ends_with(expected), "{error}");
}

#[test]
fn second_writer_is_refused() {
    let folder = Folder::new();
    let path = folder.path("locked");
    let (first, _) = Writer::open(&path, &settings()).unwrap();
    let second = open_error(&path);
    assert!(matches!(second.fault, RecordFault::Locked), "{second}");
    drop(first);
    assert!(Writer::open(&path, &settings()).is_ok());
}

#[test]
fn repeated_blocks_are_out_of_order() {
    let folder = Folder::new();
    let path = folder.path("order");
    let (_, ends) = append(&path, &blocks(&[2, 2])).unwrap();
    let bytes = fs::read(&path).unwrap();
    let twice = [&bytes[..], &bytes[ends[0] as usize..]].concat();
    fs::write(&path, twice).unwrap();
    let error = open_error(&path);
    let expected = format!("has block 0 at byte {}, where block 2 belongs", ends[2]);
    assert!(error.to_string().contains(&expected), "{error}");
}

/// The error of a full disk says how to continue.
#[cfg(target_os = "linux")]
#[test]
fn full_disk_error_says_how_to_continue() {
    let error = open_error(Path::new("/dev/full"));
    let is_write = matches!(error.fault, RecordFault::Write { blocks: 0, .. });
    assert!(is_write, "{error}");
    let message = error.to_string();
    assert!(message.contains("run the same command again"), "{message}");
}
