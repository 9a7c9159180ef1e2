//! The zstd frame of a weights file. The library zstd is in C, so WebAssembly uses `ruzstd` instead. That reads all
//! frames, but more slowly, and writes larger ones.

#[cfg(not(target_family = "wasm"))]
pub(super) fn pack(sections: &[u8]) -> Vec<u8> {
    const LEVEL: i32 = 12;
    zstd::bulk::compress(sections, LEVEL).expect("writing to memory succeeds")
}

#[cfg(target_family = "wasm")]
pub(super) fn pack(sections: &[u8]) -> Vec<u8> {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    compress_to_vec(sections, CompressionLevel::Fastest)
}

/// Decompresses a frame; `None` if it is damaged or exceeds `limit` bytes.
#[cfg(not(target_family = "wasm"))]
pub(super) fn unpack(frame: &[u8], limit: usize) -> Option<Vec<u8>> {
    zstd::bulk::decompress(frame, limit).ok()
}

/// Decompresses a frame; `None` if it is damaged or exceeds `limit` bytes.
#[cfg(target_family = "wasm")]
pub(super) fn unpack(frame: &[u8], limit: usize) -> Option<Vec<u8>> {
    use std::io::Read;
    let mut sections = Vec::new();
    let mut decoder = ruzstd::decoding::StreamingDecoder::new(frame)
        .ok()?
        .take(limit as u64 + 1);
    decoder.read_to_end(&mut sections).ok()?;
    (sections.len() <= limit).then_some(sections)
}
