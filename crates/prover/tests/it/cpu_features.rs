//! Features of this machine's CPU.

use iced_x86::{CpuidFeature, Instruction};

/// Returns `true` if this CPU has an instruction.
pub(crate) fn has(insn: &Instruction) -> bool {
    use CpuidFeature::*;
    insn.cpuid_features().iter().all(|feature| match feature {
        // Every x86-64 CPU has these, or executes them as no operation.
        INTEL8086 | INTEL186 | INTEL286 | INTEL386 | INTEL486 | X64 | CMOV | SSE | SSE2
        | MULTIBYTENOP | CET_IBT => true,
        SSE3 => is_x86_feature_detected!("sse3"),
        SSSE3 => is_x86_feature_detected!("ssse3"),
        SSE4_1 => is_x86_feature_detected!("sse4.1"),
        SSE4_2 => is_x86_feature_detected!("sse4.2"),
        POPCNT => is_x86_feature_detected!("popcnt"),
        MOVBE => is_x86_feature_detected!("movbe"),
        LZCNT => is_x86_feature_detected!("lzcnt"),
        BMI1 => is_x86_feature_detected!("bmi1"),
        BMI2 => is_x86_feature_detected!("bmi2"),
        AVX => is_x86_feature_detected!("avx"),
        AVX2 => is_x86_feature_detected!("avx2"),
        AVX_VNNI => is_x86_feature_detected!("avxvnni"),
        GFNI => is_x86_feature_detected!("gfni"),
        AVX512F => is_x86_feature_detected!("avx512f"),
        AVX512BW => is_x86_feature_detected!("avx512bw"),
        AVX512CD => is_x86_feature_detected!("avx512cd"),
        AVX512DQ => is_x86_feature_detected!("avx512dq"),
        AVX512VL => is_x86_feature_detected!("avx512vl"),
        AVX512_VBMI => is_x86_feature_detected!("avx512vbmi"),
        AVX512_VBMI2 => is_x86_feature_detected!("avx512vbmi2"),
        AVX512_BITALG => is_x86_feature_detected!("avx512bitalg"),
        AVX512_VPOPCNTDQ => is_x86_feature_detected!("avx512vpopcntdq"),
        AVX512_VNNI => is_x86_feature_detected!("avx512vnni"),
        _ => false,
    })
}
