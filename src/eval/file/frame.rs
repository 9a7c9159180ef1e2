//! The frame of zstd in a weights file.

#[cfg(not(target_family = "wasm"))]
pub(super) fn pack(sections: &[u8]) -> Vec<u8> {
    const LEVEL: i32 = 12;
    zstd::bulk::compress(sections, LEVEL).expect("memory can be written to")
}

/// What is in a frame; `None` where that is damaged, or would be more than `most` bytes.
#[cfg(not(target_family = "wasm"))]
pub(super) fn unpack(frame: &[u8], most: usize) -> Option<Vec<u8>> {
    zstd::bulk::decompress(frame, most).ok()
}

// The library of zstd is in C. Another one, in Rust, reads all frames, slowly, and makes larger ones.

#[cfg(target_family = "wasm")]
pub(super) fn pack(sections: &[u8]) -> Vec<u8> {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    compress_to_vec(sections, CompressionLevel::Fastest)
}

/// The same for WebAssembly.
#[cfg(target_family = "wasm")]
pub(super) fn unpack(frame: &[u8], most: usize) -> Option<Vec<u8>> {
    use std::io::Read;
    let mut sections = Vec::new();
    let mut decoder = ruzstd::decoding::StreamingDecoder::new(frame)
        .ok()?
        .take(most as u64 + 1);
    decoder.read_to_end(&mut sections).ok()?;
    (sections.len() <= most).then_some(sections)
}
