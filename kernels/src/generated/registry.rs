//! Every algorithm of every kernel at every level, for the registry and for whoever stamps more.
//!
//! Written by `cargo run -p outflank-codegen` from codegen/templates; do not edit.

/// Calls `$callback!` with the extra tokens in braces and then, for every level, lowest first,
/// `{ module Type [cfg] [features] ROWS }`, the features absent where there are none. A row is an algorithm:
/// `{ kernel algorithm selected Kind fn(TYPES) -> TYPE, (parameters), [geometry], [bound instructions] }`,
/// the geometry and the shape (see `registry::Shape`) absent where there is none.
///
/// The functions are `levels::module::kernel::algorithm`. So code can be compiled around each of them, with
/// the features of its level, into which it inlines as it does into a search.
#[macro_export]
macro_rules! for_each_algorithm {
    ($($callback:tt)::+ $(, $($extra:tt)*)?) => {
        $($callback)::+! {
            { $($($extra)*)? }
            { portable Portable [all()] []
                { board_hash table true Returns fn(u64, u64) -> u64, (player, opponent), [], [60] }
                { canonical least true Returns fn(u64, u64) -> [u64; 2], (player, opponent), [], [349] }
                { canonical player_first false Returns fn(u64, u64) -> [u64; 2], (player, opponent), [], [304] }
                { clear stores true Fills fn(&mut [Block], [u64; 4]), (memory, pattern), [], [52] }
                { corner_stability shifts true Returns fn(u64) -> i32, (player), [], [43] }
                { edge_stability kindergarten true Returns fn(u64, u64) -> u64, (player, opponent), [], [63 "imul"] }
                { eval_sum scalar false Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [100] }
                { eval_sum words true Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [145] }
                { feature_pass swar true Writes fn(&Features, &mut Features), (features, after), [edax], [25] }
                { feature_pass_ntest swar true Writes fn(&Features, &mut Features), (features, after), [ntest], [25] }
                { feature_restore copy true Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [edax], [18] }
                { feature_restore reverse false Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [edax], [85] }
                { feature_restore_ntest copy true Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [ntest], [18] }
                { feature_restore_ntest reverse false Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [ntest], [85] }
                { feature_set gathered false Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [600 "call" "imul"] }
                { feature_set folded false Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [940 "call" "imul"] }
                { feature_set half_rows true Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [75] }
                { feature_set_ntest gathered false Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [600 "call" "imul"] }
                { feature_set_ntest folded false Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [940 "call" "imul"] }
                { feature_set_ntest half_rows true Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [75] }
                { feature_update swar true Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [edax], [85] }
                { feature_update_ntest swar true Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [ntest], [85] }
                { flip kogge_stone false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [229] }
                { flip carry true Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [128] }
                { flip kindergarten false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [130 "imul"] }
                { flip fill false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [130] }
                { full_lines prefix false Returns fn(u64, u64) -> [u64; 4], (player, opponent), [], [104] }
                { full_lines fold true Returns fn(u64, u64) -> [u64; 4], (player, opponent), [], [102] }
                { last_flip_count plain false Returns fn(usize, u64) -> i32, (square, player), [], [141] }
                { last_flip_count carry false Returns fn(usize, u64) -> i32, (square, player), [], [138] }
                { last_flip_count kindergarten true Returns fn(usize, u64) -> i32, (square, player), [], [49 "imul"] }
                { last_move_score count true Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [138] }
                { last_move_score both false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [139] }
                { mobility parallel true Returns fn(u64, u64) -> u64, (player, opponent), [], [191] }
                { parity_sort table true Returns fn(u32) -> u128, (squares), [], [171] }
                { potential_mobility dilate true Returns fn(u64, u64) -> u64, (player, opponent), [], [23] }
                { potential_mobility lanes false Returns fn(u64, u64) -> u64, (player, opponent), [], [32] }
                { solid_discs full_lines true Returns fn(u64, u64) -> u64, (player, opponent), [], [140] }
                { stability spread true Returns fn(u64, u64) -> u64, (player, opponent), [], [258] }
                { symmetries words true Returns fn(u64) -> [u64; 8], (player), [], [127] }
                { transpose swaps true Returns fn(u64) -> u64, (player), [], [32] }
                { weighted_mobility corners_twice true Returns fn(u64, u64) -> i32, (player, opponent), [], [220 "call"] }
            }
            { v2 V2 [target_arch = "x86_64"] ["sse4.2,popcnt"]
                { board_hash table false Returns fn(u64, u64) -> u64, (player, opponent), [], [60] }
                { board_hash instruction true Returns fn(u64, u64) -> u64, (player, opponent), [], [10 "crc32"] }
                { canonical least true Returns fn(u64, u64) -> [u64; 2], (player, opponent), [], [349] }
                { canonical player_first false Returns fn(u64, u64) -> [u64; 2], (player, opponent), [], [304] }
                { clear stores false Fills fn(&mut [Block], [u64; 4]), (memory, pattern), [], [52] }
                { clear stream_16 true Fills fn(&mut [Block], [u64; 4]), (memory, pattern), [], [18 "movntdq"] }
                { corner_stability shifts true Returns fn(u64) -> i32, (player), [], [23] }
                { edge_stability kindergarten false Returns fn(u64, u64) -> u64, (player, opponent), [], [63 "imul"] }
                { edge_stability movemask true Returns fn(u64, u64) -> u64, (player, opponent), [], [41 "pmovmskb"] }
                { edge_stability interleave false Returns fn(u64, u64) -> u64, (player, opponent), [], [35 "punpcklbw"] }
                { eval_sum scalar false Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [100] }
                { eval_sum words true Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [145] }
                { feature_pass swar false Writes fn(&Features, &mut Features), (features, after), [edax], [25] }
                { feature_pass vector128 true Writes fn(&Features, &mut Features), (features, after), [edax], [25 "psubw"] }
                { feature_pass_ntest swar false Writes fn(&Features, &mut Features), (features, after), [ntest], [25] }
                { feature_pass_ntest vector128 true Writes fn(&Features, &mut Features), (features, after), [ntest], [25 "psubw"] }
                { feature_restore copy true Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [edax], [18] }
                { feature_restore reverse false Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [edax], [85] }
                { feature_restore_ntest copy true Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [ntest], [18] }
                { feature_restore_ntest reverse false Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [ntest], [85] }
                { feature_set gathered false Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [600 "call" "imul"] }
                { feature_set folded false Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [1030 "call" "imul"] }
                { feature_set half_rows true Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [75 "paddw"] }
                { feature_set_ntest gathered false Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [600 "call" "imul"] }
                { feature_set_ntest folded false Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [1030 "call" "imul"] }
                { feature_set_ntest half_rows true Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [75 "paddw"] }
                { feature_update swar false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [edax], [85] }
                { feature_update vector128 true Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [edax], [85 "paddw"] }
                { feature_update_ntest swar false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [ntest], [85] }
                { feature_update_ntest vector128 true Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [ntest], [85 "paddw"] }
                { flip kogge_stone false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [229] }
                { flip carry false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [104] }
                { flip kindergarten false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [130 "imul"] }
                { flip mirror true Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [102 "pshufb"] }
                { flip fill false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [141] }
                { full_lines prefix false Returns fn(u64, u64) -> [u64; 4], (player, opponent), [], [134] }
                { full_lines fold true Returns fn(u64, u64) -> [u64; 4], (player, opponent), [], [102] }
                { last_flip_count plain false Returns fn(usize, u64) -> i32, (square, player), [], [106] }
                { last_flip_count carry false Returns fn(usize, u64) -> i32, (square, player), [], [109] }
                { last_flip_count kindergarten false Returns fn(usize, u64) -> i32, (square, player), [], [49 "imul"] }
                { last_flip_count movemask true Returns fn(usize, u64) -> i32, (square, player), [], [48 "pmovmskb" "psadbw"] }
                { last_move_score count true Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [116] }
                { last_move_score both false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [116] }
                { mobility parallel false Returns fn(u64, u64) -> u64, (player, opponent), [], [221] }
                { mobility mirror true Returns fn(u64, u64) -> u64, (player, opponent), [], [120 "pshufb"] }
                { parity_sort table false Returns fn(u32) -> u128, (squares), [], [171] }
                { parity_sort shuffle true Returns fn(u32) -> u128, (squares), [], [24 "pshufb"] }
                { potential_mobility dilate true Returns fn(u64, u64) -> u64, (player, opponent), [], [23] }
                { potential_mobility lanes false Returns fn(u64, u64) -> u64, (player, opponent), [], [49] }
                { solid_discs full_lines true Returns fn(u64, u64) -> u64, (player, opponent), [], [140] }
                { stability spread true Returns fn(u64, u64) -> u64, (player, opponent), [], [258] }
                { symmetries words true Returns fn(u64) -> [u64; 8], (player), [], [127] }
                { transpose swaps true Returns fn(u64) -> u64, (player), [], [32] }
                { weighted_mobility corners_twice true Returns fn(u64, u64) -> i32, (player, opponent), [], [126 "popcnt"] }
            }
            { v3 V3 [target_arch = "x86_64"] ["avx2,bmi1,bmi2,fma,lzcnt,popcnt"]
                { board_hash table false Returns fn(u64, u64) -> u64, (player, opponent), [], [60] }
                { board_hash instruction true Returns fn(u64, u64) -> u64, (player, opponent), [], [10 "crc32"] }
                { canonical least true Returns fn(u64, u64) -> [u64; 2], (player, opponent), [], [198] }
                { canonical player_first false Returns fn(u64, u64) -> [u64; 2], (player, opponent), [], [304] }
                { clear stores false Fills fn(&mut [Block], [u64; 4]), (memory, pattern), [], [42] }
                { clear stream_16 false Fills fn(&mut [Block], [u64; 4]), (memory, pattern), [], [18 "movntdq"] }
                { clear stream_32 true Fills fn(&mut [Block], [u64; 4]), (memory, pattern), [], [15 "vmovntdq"] }
                { corner_stability shifts true Returns fn(u64) -> i32, (player), [], [23] }
                { edge_stability kindergarten false Returns fn(u64, u64) -> u64, (player, opponent), [], [63 "imul"] }
                { edge_stability movemask true Returns fn(u64, u64) -> u64, (player, opponent), [], [41 "vpmovmskb"] }
                { edge_stability interleave false Returns fn(u64, u64) -> u64, (player, opponent), [], [34 "vpunpcklbw"] }
                { edge_stability pext_columns false Returns fn(u64, u64) -> u64, (player, opponent), [], [39 "pext" "pdep"] }
                { eval_sum scalar false Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [100] }
                { eval_sum words true Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [145] }
                { eval_sum gather8 false Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [60 "vpgatherdd"] }
                { feature_pass swar false Writes fn(&Features, &mut Features), (features, after), [edax], [25] }
                { feature_pass vector128 false Writes fn(&Features, &mut Features), (features, after), [edax], [25 "vpsubw"] }
                { feature_pass vector256 true Writes fn(&Features, &mut Features), (features, after), [edax], [15 "vpsubw"] }
                { feature_pass_ntest swar false Writes fn(&Features, &mut Features), (features, after), [ntest], [25] }
                { feature_pass_ntest vector128 false Writes fn(&Features, &mut Features), (features, after), [ntest], [25 "vpsubw"] }
                { feature_pass_ntest vector256 true Writes fn(&Features, &mut Features), (features, after), [ntest], [15 "vpsubw"] }
                { feature_restore copy true Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [edax], [12] }
                { feature_restore reverse false Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [edax], [52] }
                { feature_restore_ntest copy true Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [ntest], [12] }
                { feature_restore_ntest reverse false Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [ntest], [52] }
                { feature_set gathered false Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [600 "call" "imul"] }
                { feature_set folded false Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [730 "call" "imul"] }
                { feature_set half_rows true Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [50 "vpaddw"] }
                { feature_set pext_lines false Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [375 "call" "pext"] }
                { feature_set_ntest gathered false Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [600 "call" "imul"] }
                { feature_set_ntest folded false Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [730 "call" "imul"] }
                { feature_set_ntest half_rows true Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [50 "vpaddw"] }
                { feature_set_ntest pext_lines false Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [375 "call" "pext"] }
                { feature_update swar false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [edax], [85] }
                { feature_update vector128 false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [edax], [85 "vpaddw"] }
                { feature_update vector256 true Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [edax], [52 "vpaddw"] }
                { feature_update_ntest swar false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [ntest], [85] }
                { feature_update_ntest vector128 false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [ntest], [85 "vpaddw"] }
                { feature_update_ntest vector256 true Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [ntest], [52 "vpaddw"] }
                { flip kogge_stone false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [62 "vpsllvq"] }
                { flip carry false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [72] }
                { flip kindergarten false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [130 "imul"] }
                { flip pext_pdep false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [92 "pext" "pdep"] }
                { flip mirror false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [87 "vpshufb"] }
                { flip fill true Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [50 "vpsrlvq"] }
                { flip byte_swap false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [75 "vpshufb"] }
                { full_lines prefix true Returns fn(u64, u64) -> [u64; 4], (player, opponent), [], [34 "vpsllvq"] }
                { full_lines fold false Returns fn(u64, u64) -> [u64; 4], (player, opponent), [], [102] }
                { last_flip_count plain false Returns fn(usize, u64) -> i32, (square, player), [], [52] }
                { last_flip_count carry false Returns fn(usize, u64) -> i32, (square, player), [], [67] }
                { last_flip_count kindergarten false Returns fn(usize, u64) -> i32, (square, player), [], [49 "imul"] }
                { last_flip_count movemask false Returns fn(usize, u64) -> i32, (square, player), [], [45 "vpmovmskb" "vpsadbw"] }
                { last_flip_count bytemask true Returns fn(usize, u64) -> i32, (square, player), [], [43 "vpmovmskb"] }
                { last_flip_count pext_lines false Returns fn(usize, u64) -> i32, (square, player), [], [61 "pext"] }
                { last_move_score count true Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [116] }
                { last_move_score both false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [97] }
                { last_move_score pext false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [114 "pext"] }
                { last_move_score lazy_high false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [138 "vptest"] }
                { mobility parallel true Returns fn(u64, u64) -> u64, (player, opponent), [], [52 "vpsllvq"] }
                { mobility mirror false Returns fn(u64, u64) -> u64, (player, opponent), [], [104 "vpshufb"] }
                { parity_sort table false Returns fn(u32) -> u128, (squares), [], [171] }
                { parity_sort shuffle true Returns fn(u32) -> u128, (squares), [], [24 "vpshufb"] }
                { potential_mobility dilate true Returns fn(u64, u64) -> u64, (player, opponent), [], [23] }
                { potential_mobility lanes false Returns fn(u64, u64) -> u64, (player, opponent), [], [21 "vpsllvq"] }
                { solid_discs full_lines true Returns fn(u64, u64) -> u64, (player, opponent), [], [38 "vpsllvq"] }
                { stability spread true Returns fn(u64, u64) -> u64, (player, opponent), [], [106 "vpsllvq"] }
                { symmetries words true Returns fn(u64) -> [u64; 8], (player), [], [127] }
                { transpose swaps true Returns fn(u64) -> u64, (player), [], [32] }
                { weighted_mobility corners_twice true Returns fn(u64, u64) -> i32, (player, opponent), [], [58 "popcnt"] }
            }
            { v4 V4 [target_arch = "x86_64"] ["avx2,bmi1,bmi2,fma,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"]
                { board_hash table false Returns fn(u64, u64) -> u64, (player, opponent), [], [60] }
                { board_hash instruction true Returns fn(u64, u64) -> u64, (player, opponent), [], [10 "crc32"] }
                { canonical least true Returns fn(u64, u64) -> [u64; 2], (player, opponent), [], [198] }
                { canonical player_first false Returns fn(u64, u64) -> [u64; 2], (player, opponent), [], [304] }
                { clear stores false Fills fn(&mut [Block], [u64; 4]), (memory, pattern), [], [42] }
                { clear stream_16 false Fills fn(&mut [Block], [u64; 4]), (memory, pattern), [], [18 "movntdq"] }
                { clear stream_32 true Fills fn(&mut [Block], [u64; 4]), (memory, pattern), [], [15 "vmovntdq"] }
                { clear stream_64 false Fills fn(&mut [Block], [u64; 4]), (memory, pattern), [], [58 "vmovntdq"] }
                { corner_stability shifts true Returns fn(u64) -> i32, (player), [], [23] }
                { edge_stability kindergarten false Returns fn(u64, u64) -> u64, (player, opponent), [], [63 "imul"] }
                { edge_stability movemask true Returns fn(u64, u64) -> u64, (player, opponent), [], [41 "vpmovmskb"] }
                { edge_stability interleave false Returns fn(u64, u64) -> u64, (player, opponent), [], [34 "vpunpcklbw"] }
                { edge_stability pext_columns false Returns fn(u64, u64) -> u64, (player, opponent), [], [39 "pext" "pdep"] }
                { eval_sum scalar false Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [100] }
                { eval_sum words true Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [145] }
                { eval_sum gather8 false Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [60 "vpgatherdd"] }
                { eval_sum gather16 false Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [40 "vpgatherdd"] }
                { feature_pass swar false Writes fn(&Features, &mut Features), (features, after), [edax], [25] }
                { feature_pass vector128 false Writes fn(&Features, &mut Features), (features, after), [edax], [25 "vpsubw"] }
                { feature_pass vector256 true Writes fn(&Features, &mut Features), (features, after), [edax], [15 "vpsubw"] }
                { feature_pass vector512 false Writes fn(&Features, &mut Features), (features, after), [edax], [12 "vpsubw"] }
                { feature_pass_ntest swar false Writes fn(&Features, &mut Features), (features, after), [ntest], [25] }
                { feature_pass_ntest vector128 false Writes fn(&Features, &mut Features), (features, after), [ntest], [25 "vpsubw"] }
                { feature_pass_ntest vector256 true Writes fn(&Features, &mut Features), (features, after), [ntest], [15 "vpsubw"] }
                { feature_pass_ntest vector512 false Writes fn(&Features, &mut Features), (features, after), [ntest], [12 "vpsubw"] }
                { feature_restore copy true Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [edax], [12] }
                { feature_restore reverse false Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [edax], [52] }
                { feature_restore_ntest copy true Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [ntest], [12] }
                { feature_restore_ntest reverse false Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [ntest], [52] }
                { feature_set gathered false Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [600 "call" "imul"] }
                { feature_set folded false Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [440 "call" "vpmullq"] }
                { feature_set half_rows true Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [50 "vpaddw"] }
                { feature_set pext_lines false Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [375 "call" "pext"] }
                { feature_set_ntest gathered false Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [600 "call" "imul"] }
                { feature_set_ntest folded false Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [440 "call" "vpmullq"] }
                { feature_set_ntest half_rows true Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [50 "vpaddw"] }
                { feature_set_ntest pext_lines false Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [375 "call" "pext"] }
                { feature_update swar false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [edax], [85] }
                { feature_update vector128 false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [edax], [85 "vpaddw"] }
                { feature_update vector256 true Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [edax], [52 "vpaddw"] }
                { feature_update vector512 false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [edax], [42 "vpaddw"] }
                { feature_update_ntest swar false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [ntest], [85] }
                { feature_update_ntest vector128 false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [ntest], [85 "vpaddw"] }
                { feature_update_ntest vector256 true Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [ntest], [52 "vpaddw"] }
                { feature_update_ntest vector512 false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [ntest], [42 "vpaddw"] }
                { flip kogge_stone false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [48 "vpsllvq"] }
                { flip carry false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [40] }
                { flip kindergarten false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [130 "imul"] }
                { flip pext_pdep false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [92 "pext" "pdep"] }
                { flip mirror false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [87 "vpshufb"] }
                { flip fill false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [42 "vpsrlvq"] }
                { flip lzcnt true Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [39 "vplzcntq"] }
                { flip byte_swap false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [75 "vpshufb"] }
                { full_lines prefix true Returns fn(u64, u64) -> [u64; 4], (player, opponent), [], [27 "vpsllvq"] }
                { full_lines fold false Returns fn(u64, u64) -> [u64; 4], (player, opponent), [], [102] }
                { last_flip_count plain false Returns fn(usize, u64) -> i32, (square, player), [], [41] }
                { last_flip_count carry false Returns fn(usize, u64) -> i32, (square, player), [], [39] }
                { last_flip_count kindergarten false Returns fn(usize, u64) -> i32, (square, player), [], [49 "imul"] }
                { last_flip_count movemask false Returns fn(usize, u64) -> i32, (square, player), [], [45 "vpmovmskb" "vpsadbw"] }
                { last_flip_count bytemask false Returns fn(usize, u64) -> i32, (square, player), [], [39] }
                { last_flip_count pext_lines false Returns fn(usize, u64) -> i32, (square, player), [], [61 "pext"] }
                { last_flip_count testmask true Returns fn(usize, u64) -> i32, (square, player), [], [39 "vptestmb"] }
                { last_flip_count lzcnt false Returns fn(usize, u64) -> i32, (square, player), [], [32 "vplzcntq"] }
                { last_move_score count true Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [93] }
                { last_move_score both false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [97] }
                { last_move_score pext false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [114 "pext"] }
                { last_move_score lazy_high false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [138 "vptest"] }
                { last_move_score lazy_256 false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [104 "vplzcntq"] }
                { last_move_score both_256 false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [84 "vplzcntq"] }
                { last_move_score both_512 false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [74 "vplzcntq"] }
                { mobility parallel true Returns fn(u64, u64) -> u64, (player, opponent), [], [43 "vpsllvq"] }
                { mobility mirror false Returns fn(u64, u64) -> u64, (player, opponent), [], [104 "vpshufb"] }
                { mobility rotate false Returns fn(u64, u64) -> u64, (player, opponent), [], [32 "vprolvq"] }
                { parity_sort table false Returns fn(u32) -> u128, (squares), [], [171] }
                { parity_sort shuffle true Returns fn(u32) -> u128, (squares), [], [24 "vpshufb"] }
                { potential_mobility dilate true Returns fn(u64, u64) -> u64, (player, opponent), [], [23] }
                { potential_mobility lanes false Returns fn(u64, u64) -> u64, (player, opponent), [], [21 "vpsllvq"] }
                { solid_discs full_lines true Returns fn(u64, u64) -> u64, (player, opponent), [], [30 "vpsllvq"] }
                { stability spread true Returns fn(u64, u64) -> u64, (player, opponent), [], [106 "vpsllvq"] }
                { symmetries words true Returns fn(u64) -> [u64; 8], (player), [], [127] }
                { transpose swaps true Returns fn(u64) -> u64, (player), [], [32] }
                { weighted_mobility corners_twice true Returns fn(u64, u64) -> i32, (player, opponent), [], [49 "popcnt"] }
            }
            { icl Icl [target_arch = "x86_64"] ["avx2,bmi1,bmi2,fma,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni"]
                { board_hash table false Returns fn(u64, u64) -> u64, (player, opponent), [], [60] }
                { board_hash instruction true Returns fn(u64, u64) -> u64, (player, opponent), [], [10 "crc32"] }
                { canonical least true Returns fn(u64, u64) -> [u64; 2], (player, opponent), [], [129] }
                { canonical player_first false Returns fn(u64, u64) -> [u64; 2], (player, opponent), [], [103] }
                { clear stores false Fills fn(&mut [Block], [u64; 4]), (memory, pattern), [], [42] }
                { clear stream_16 false Fills fn(&mut [Block], [u64; 4]), (memory, pattern), [], [18 "movntdq"] }
                { clear stream_32 true Fills fn(&mut [Block], [u64; 4]), (memory, pattern), [], [15 "vmovntdq"] }
                { clear stream_64 false Fills fn(&mut [Block], [u64; 4]), (memory, pattern), [], [58 "vmovntdq"] }
                { corner_stability shifts true Returns fn(u64) -> i32, (player), [], [23] }
                { edge_stability kindergarten false Returns fn(u64, u64) -> u64, (player, opponent), [], [63 "imul"] }
                { edge_stability movemask true Returns fn(u64, u64) -> u64, (player, opponent), [], [41 "vpmovmskb"] }
                { edge_stability interleave false Returns fn(u64, u64) -> u64, (player, opponent), [], [34 "vpunpcklbw"] }
                { edge_stability pext_columns false Returns fn(u64, u64) -> u64, (player, opponent), [], [39 "pext" "pdep"] }
                { eval_sum scalar false Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [100] }
                { eval_sum words true Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [145] }
                { eval_sum gather8 false Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [60 "vpgatherdd"] }
                { eval_sum gather16 false Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [40 "vpgatherdd"] }
                { feature_pass swar false Writes fn(&Features, &mut Features), (features, after), [edax], [25] }
                { feature_pass vector128 false Writes fn(&Features, &mut Features), (features, after), [edax], [25 "vpsubw"] }
                { feature_pass vector256 true Writes fn(&Features, &mut Features), (features, after), [edax], [15 "vpsubw"] }
                { feature_pass vector512 false Writes fn(&Features, &mut Features), (features, after), [edax], [12 "vpsubw"] }
                { feature_pass_ntest swar false Writes fn(&Features, &mut Features), (features, after), [ntest], [25] }
                { feature_pass_ntest vector128 false Writes fn(&Features, &mut Features), (features, after), [ntest], [25 "vpsubw"] }
                { feature_pass_ntest vector256 true Writes fn(&Features, &mut Features), (features, after), [ntest], [15 "vpsubw"] }
                { feature_pass_ntest vector512 false Writes fn(&Features, &mut Features), (features, after), [ntest], [12 "vpsubw"] }
                { feature_restore copy true Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [edax], [12] }
                { feature_restore reverse false Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [edax], [52] }
                { feature_restore_ntest copy true Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [ntest], [12] }
                { feature_restore_ntest reverse false Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [ntest], [52] }
                { feature_set gathered false Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [600 "call" "imul"] }
                { feature_set folded false Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [440 "call" "vpmullq"] }
                { feature_set half_rows true Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [50 "vpaddw"] }
                { feature_set pext_lines false Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [375 "call" "pext"] }
                { feature_set_ntest gathered false Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [600 "call" "imul"] }
                { feature_set_ntest folded false Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [440 "call" "vpmullq"] }
                { feature_set_ntest half_rows true Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [50 "vpaddw"] }
                { feature_set_ntest pext_lines false Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [375 "call" "pext"] }
                { feature_update swar false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [edax], [85] }
                { feature_update vector128 false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [edax], [85 "vpaddw"] }
                { feature_update vector256 true Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [edax], [52 "vpaddw"] }
                { feature_update vector512 false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [edax], [42 "vpaddw"] }
                { feature_update_ntest swar false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [ntest], [85] }
                { feature_update_ntest vector128 false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [ntest], [85 "vpaddw"] }
                { feature_update_ntest vector256 true Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [ntest], [52 "vpaddw"] }
                { feature_update_ntest vector512 false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [ntest], [42 "vpaddw"] }
                { flip kogge_stone false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [48 "vpsllvq"] }
                { flip carry false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [40] }
                { flip kindergarten false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [130 "imul"] }
                { flip pext_pdep false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [92 "pext" "pdep"] }
                { flip mirror false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [87 "vpshufb"] }
                { flip fill false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [42 "vpsrlvq"] }
                { flip lzcnt true Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [39 "vplzcntq"] }
                { flip byte_swap false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [75 "vpshufb"] }
                { flip gfni false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [48 "vgf2p8affineqb"] }
                { full_lines prefix true Returns fn(u64, u64) -> [u64; 4], (player, opponent), [], [27 "vpsllvq"] }
                { full_lines fold false Returns fn(u64, u64) -> [u64; 4], (player, opponent), [], [102] }
                { last_flip_count plain false Returns fn(usize, u64) -> i32, (square, player), [], [41] }
                { last_flip_count carry false Returns fn(usize, u64) -> i32, (square, player), [], [39] }
                { last_flip_count kindergarten false Returns fn(usize, u64) -> i32, (square, player), [], [49 "imul"] }
                { last_flip_count movemask false Returns fn(usize, u64) -> i32, (square, player), [], [45 "vpmovmskb" "vpsadbw"] }
                { last_flip_count bytemask false Returns fn(usize, u64) -> i32, (square, player), [], [39] }
                { last_flip_count pext_lines false Returns fn(usize, u64) -> i32, (square, player), [], [61 "pext"] }
                { last_flip_count testmask true Returns fn(usize, u64) -> i32, (square, player), [], [39 "vptestmb"] }
                { last_flip_count lzcnt false Returns fn(usize, u64) -> i32, (square, player), [], [32 "vplzcntq"] }
                { last_move_score count true Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [93] }
                { last_move_score both false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [97] }
                { last_move_score pext false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [114 "pext"] }
                { last_move_score lazy_high false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [138 "vptest"] }
                { last_move_score lazy_256 false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [104 "vplzcntq"] }
                { last_move_score both_256 false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [84 "vplzcntq"] }
                { last_move_score both_512 false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [74 "vplzcntq"] }
                { mobility parallel true Returns fn(u64, u64) -> u64, (player, opponent), [], [43 "vpsllvq"] }
                { mobility mirror false Returns fn(u64, u64) -> u64, (player, opponent), [], [104 "vpshufb"] }
                { mobility rotate false Returns fn(u64, u64) -> u64, (player, opponent), [], [32 "vprolvq"] }
                { parity_sort table false Returns fn(u32) -> u128, (squares), [], [171] }
                { parity_sort shuffle true Returns fn(u32) -> u128, (squares), [], [24 "vpshufb"] }
                { potential_mobility dilate true Returns fn(u64, u64) -> u64, (player, opponent), [], [23] }
                { potential_mobility lanes false Returns fn(u64, u64) -> u64, (player, opponent), [], [21 "vpsllvq"] }
                { solid_discs full_lines true Returns fn(u64, u64) -> u64, (player, opponent), [], [30 "vpsllvq"] }
                { stability spread true Returns fn(u64, u64) -> u64, (player, opponent), [], [106 "vpsllvq"] }
                { symmetries words false Returns fn(u64) -> [u64; 8], (player), [], [77] }
                { symmetries gfni true Returns fn(u64) -> [u64; 8], (player), [], [21 "vgf2p8affineqb"] }
                { transpose swaps false Returns fn(u64) -> u64, (player), [], [32] }
                { transpose gfni true Returns fn(u64) -> u64, (player), [], [9 "vgf2p8affineqb"] }
                { weighted_mobility corners_twice true Returns fn(u64, u64) -> i32, (player, opponent), [], [49 "popcnt"] }
            }
            { neon Neon [target_arch = "aarch64"] ["neon,crc"]
                { board_hash table false Returns fn(u64, u64) -> u64, (player, opponent), [], [60] }
                { board_hash instruction true Returns fn(u64, u64) -> u64, (player, opponent), [], [] }
                { canonical least true Returns fn(u64, u64) -> [u64; 2], (player, opponent), [], [349] }
                { canonical player_first false Returns fn(u64, u64) -> [u64; 2], (player, opponent), [], [304] }
                { clear stores true Fills fn(&mut [Block], [u64; 4]), (memory, pattern), [], [52] }
                { corner_stability shifts true Returns fn(u64) -> i32, (player), [], [43] }
                { edge_stability kindergarten true Returns fn(u64, u64) -> u64, (player, opponent), [], [63 "imul"] }
                { edge_stability movemask false Returns fn(u64, u64) -> u64, (player, opponent), [], [] }
                { eval_sum scalar false Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [100] }
                { eval_sum words true Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [145] }
                { feature_pass swar false Writes fn(&Features, &mut Features), (features, after), [edax], [25] }
                { feature_pass vector128 true Writes fn(&Features, &mut Features), (features, after), [edax], [] }
                { feature_pass_ntest swar false Writes fn(&Features, &mut Features), (features, after), [ntest], [25] }
                { feature_pass_ntest vector128 true Writes fn(&Features, &mut Features), (features, after), [ntest], [] }
                { feature_restore copy true Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [edax], [18] }
                { feature_restore reverse false Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [edax], [85] }
                { feature_restore_ntest copy true Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [ntest], [18] }
                { feature_restore_ntest reverse false Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [ntest], [85] }
                { feature_set gathered false Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [600 "call" "imul"] }
                { feature_set folded false Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [940 "call" "imul"] }
                { feature_set half_rows true Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [75] }
                { feature_set_ntest gathered false Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [600 "call" "imul"] }
                { feature_set_ntest folded false Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [940 "call" "imul"] }
                { feature_set_ntest half_rows true Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [75] }
                { feature_update swar false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [edax], [85] }
                { feature_update vector128 true Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [edax], [] }
                { feature_update_ntest swar false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [ntest], [85] }
                { feature_update_ntest vector128 true Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [ntest], [] }
                { flip kogge_stone false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [229] }
                { flip carry true Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [128] }
                { flip kindergarten false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [130 "imul"] }
                { flip mirror false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [] }
                { flip fill false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [130] }
                { full_lines prefix false Returns fn(u64, u64) -> [u64; 4], (player, opponent), [], [104] }
                { full_lines fold true Returns fn(u64, u64) -> [u64; 4], (player, opponent), [], [102] }
                { last_flip_count plain false Returns fn(usize, u64) -> i32, (square, player), [], [141] }
                { last_flip_count carry false Returns fn(usize, u64) -> i32, (square, player), [], [138] }
                { last_flip_count kindergarten true Returns fn(usize, u64) -> i32, (square, player), [], [49 "imul"] }
                { last_flip_count movemask false Returns fn(usize, u64) -> i32, (square, player), [], [] }
                { last_move_score count true Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [138] }
                { last_move_score both false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [139] }
                { mobility parallel false Returns fn(u64, u64) -> u64, (player, opponent), [], [191] }
                { mobility mirror true Returns fn(u64, u64) -> u64, (player, opponent), [], [] }
                { parity_sort table false Returns fn(u32) -> u128, (squares), [], [171] }
                { parity_sort shuffle true Returns fn(u32) -> u128, (squares), [], [] }
                { potential_mobility dilate true Returns fn(u64, u64) -> u64, (player, opponent), [], [23] }
                { potential_mobility lanes false Returns fn(u64, u64) -> u64, (player, opponent), [], [32] }
                { solid_discs full_lines true Returns fn(u64, u64) -> u64, (player, opponent), [], [140] }
                { stability spread true Returns fn(u64, u64) -> u64, (player, opponent), [], [258] }
                { symmetries words true Returns fn(u64) -> [u64; 8], (player), [], [127] }
                { transpose swaps true Returns fn(u64) -> u64, (player), [], [32] }
                { weighted_mobility corners_twice true Returns fn(u64, u64) -> i32, (player, opponent), [], [220 "call"] }
            }
            { simd128 Simd128 [target_arch = "wasm32"] ["simd128"]
                { board_hash table true Returns fn(u64, u64) -> u64, (player, opponent), [], [60] }
                { canonical least true Returns fn(u64, u64) -> [u64; 2], (player, opponent), [], [349] }
                { canonical player_first false Returns fn(u64, u64) -> [u64; 2], (player, opponent), [], [304] }
                { clear stores true Fills fn(&mut [Block], [u64; 4]), (memory, pattern), [], [52] }
                { corner_stability shifts true Returns fn(u64) -> i32, (player), [], [43] }
                { edge_stability kindergarten false Returns fn(u64, u64) -> u64, (player, opponent), [], [63 "imul"] }
                { edge_stability movemask true Returns fn(u64, u64) -> u64, (player, opponent), [], [] }
                { eval_sum scalar false Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [100] }
                { eval_sum words true Returns fn(&Weights, &Features) -> i32, (weights, features), [edax], [145] }
                { feature_pass swar false Writes fn(&Features, &mut Features), (features, after), [edax], [25] }
                { feature_pass vector128 true Writes fn(&Features, &mut Features), (features, after), [edax], [] }
                { feature_pass_ntest swar false Writes fn(&Features, &mut Features), (features, after), [ntest], [25] }
                { feature_pass_ntest vector128 true Writes fn(&Features, &mut Features), (features, after), [ntest], [] }
                { feature_restore copy true Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [edax], [18] }
                { feature_restore reverse false Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [edax], [85] }
                { feature_restore_ntest copy true Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [ntest], [18] }
                { feature_restore_ntest reverse false Writes fn(&Features, &Features, usize, u64, &mut Features), (features, moved, square, flipped, after), [ntest], [85] }
                { feature_set gathered false Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [600 "call" "imul"] }
                { feature_set folded false Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [940 "call" "imul"] }
                { feature_set half_rows true Writes fn(u64, u64, &mut Features), (player, opponent, after), [edax], [75] }
                { feature_set_ntest gathered false Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [600 "call" "imul"] }
                { feature_set_ntest folded false Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [940 "call" "imul"] }
                { feature_set_ntest half_rows true Writes fn(u64, u64, &mut Features), (player, opponent, after), [ntest], [75] }
                { feature_update swar false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [edax], [85] }
                { feature_update vector128 true Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [edax], [] }
                { feature_update_ntest swar false Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [ntest], [85] }
                { feature_update_ntest vector128 true Writes fn(&Features, usize, u64, &mut Features), (features, square, flipped, after), [ntest], [] }
                { flip kogge_stone false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [229] }
                { flip carry true Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [128] }
                { flip kindergarten false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [130 "imul"] }
                { flip mirror false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [] }
                { flip fill false Returns fn(usize, u64, u64) -> u64, (square, player, opponent), [], [130] }
                { full_lines prefix false Returns fn(u64, u64) -> [u64; 4], (player, opponent), [], [104] }
                { full_lines fold true Returns fn(u64, u64) -> [u64; 4], (player, opponent), [], [102] }
                { last_flip_count plain false Returns fn(usize, u64) -> i32, (square, player), [], [141] }
                { last_flip_count carry false Returns fn(usize, u64) -> i32, (square, player), [], [138] }
                { last_flip_count kindergarten true Returns fn(usize, u64) -> i32, (square, player), [], [49 "imul"] }
                { last_flip_count movemask false Returns fn(usize, u64) -> i32, (square, player), [], [] }
                { last_move_score count true Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [138] }
                { last_move_score both false Returns fn(usize, u64, i32) -> i32, (square, player, alpha), [], [139] }
                { mobility parallel false Returns fn(u64, u64) -> u64, (player, opponent), [], [191] }
                { mobility mirror true Returns fn(u64, u64) -> u64, (player, opponent), [], [] }
                { parity_sort table false Returns fn(u32) -> u128, (squares), [], [171] }
                { parity_sort shuffle true Returns fn(u32) -> u128, (squares), [], [] }
                { potential_mobility dilate true Returns fn(u64, u64) -> u64, (player, opponent), [], [23] }
                { potential_mobility lanes false Returns fn(u64, u64) -> u64, (player, opponent), [], [32] }
                { solid_discs full_lines true Returns fn(u64, u64) -> u64, (player, opponent), [], [140] }
                { stability spread true Returns fn(u64, u64) -> u64, (player, opponent), [], [258] }
                { symmetries words true Returns fn(u64) -> [u64; 8], (player), [], [127] }
                { transpose swaps true Returns fn(u64) -> u64, (player), [], [32] }
                { weighted_mobility corners_twice true Returns fn(u64, u64) -> i32, (player, opponent), [], [220 "call"] }
            }
        }
    };
}
