//! Comparison of printed code with the reference, and the shortest forms of code.

use outflank_codegen::gather::{Base, Target, plan, plan_code, single_multiplication};

use outflank_random::SplitMix64;

use super::{BASES, gather_slowly, random_squares};

/// Evaluates an expression by the rules of Rust.
fn value(code: &syn::Expr, board: u64) -> u64 {
    match code {
        syn::Expr::Path(path) if path.path.is_ident("board") => board,
        syn::Expr::Paren(inner) => value(&inner.expr, board),
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(number),
            ..
        }) => number.base10_parse().unwrap(),
        syn::Expr::MethodCall(call) if call.method == "wrapping_mul" => {
            value(&call.receiver, board).wrapping_mul(value(&call.args[0], board))
        }
        syn::Expr::Binary(both) => {
            let (left, right) = (value(&both.left, board), value(&both.right, board));
            match both.op {
                syn::BinOp::Add(_) => left.checked_add(right).unwrap(),
                syn::BinOp::Mul(_) => left.checked_mul(right).unwrap(),
                syn::BinOp::BitAnd(_) => left & right,
                syn::BinOp::BitOr(_) => left | right,
                syn::BinOp::Shl(_) => left << right,
                syn::BinOp::Shr(_) => left >> right,
                _ => panic!("no such operator in a gather"),
            }
        }
        _ => panic!("no such expression in a gather: {code:?}"),
    }
}

#[test]
fn printed_code_gathers_like_the_reference() {
    let mut random = SplitMix64::new(8);
    for round in 0..600 {
        let base = BASES[round % 2];
        let target = Target::new(random_squares(&mut random, 1 + round / 2 % 8, 64)).unwrap();
        let parts = plan(&target, base);
        let text = plan_code(&parts, "board");
        let code: syn::Expr = syn::parse_str(&text).unwrap();
        for _ in 0..50 {
            let board = random.bits();
            assert_eq!(
                value(&code, board),
                gather_slowly(target.squares(), board, base),
                "{text}"
            );
        }
    }
}

#[test]
fn printed_code_is_minimal() {
    let cases: [(u64, Base, &str); 7] = [
        (0xff, Base::Two, "b & 0x00000000000000ff"),
        (0xff << 56, Base::Two, "b >> 56"),
        (0xff << 48, Base::Two, "(b & 0x00ff000000000000) >> 48"),
        (1 << 63, Base::Three, "b >> 63"),
        (1, Base::Three, "b & 0x0000000000000001"),
        (
            0x8040_2010_0804_0201,
            Base::Two,
            "(b & 0x8040201008040201).wrapping_mul(0x0101010101010101) >> 56",
        ),
        (
            0x0101_0101_0101_0101,
            Base::Two,
            "(b & 0x0101010101010101).wrapping_mul(0x0102040810204080) >> 56",
        ),
    ];
    for (mask, base, code) in cases {
        let part = single_multiplication(&Target::in_order(mask).unwrap(), base).unwrap();
        assert_eq!(part.code("b"), code);
    }
}
