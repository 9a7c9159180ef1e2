//! References of the kernels: one obvious, slow function per kernel.
//!
//! They share no code with the kernels. They walk boards square by square, so a mistake in a mask or a table
//! cannot hide on both sides of a comparison. Readability matters here, speed does not.

mod edge;

use outflank_kernels::geometry::{Feature, Geometry, corner, edax};
use outflank_kernels::network::{CORNERS, HIDDEN, MAX_MOVES, STAGES, WIDTH};
use outflank_kernels::{Block, Child, Features, KeyedChildren, Network, Weights};

pub use edge::edge_line_stability;

/// The eight directions as (column step, row step).
const DIRECTIONS: [(i32, i32); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

/// The squares met when walking from `square` (0..=63, not included) to the edge.
pub(crate) fn ray(square: usize, (dx, dy): (i32, i32)) -> impl Iterator<Item = usize> {
    let (x, y) = (square as i32 % 8, square as i32 / 8);
    (1..8)
        .map(move |step| (x + dx * step, y + dy * step))
        .take_while(|(x, y)| (0..8).contains(x) && (0..8).contains(y))
        .map(|(x, y)| (8 * y + x) as usize)
}

fn has(board: u64, square: usize) -> bool {
    board >> square & 1 == 1
}

/// The discs that flip when the mover plays on the empty `square` (0..=63), as a bitboard;
/// 0 where the move is not legal. The played square itself is not part of it.
pub fn flip(square: usize, player: u64, opponent: u64) -> u64 {
    let mut flipped = 0;
    for direction in DIRECTIONS {
        let mut run = 0;
        for next in ray(square, direction) {
            if has(opponent, next) {
                run |= 1 << next;
            } else {
                if has(player, next) {
                    flipped |= run;
                }
                break;
            }
        }
    }
    flipped
}

/// The squares where the mover may play, as a bitboard.
pub fn mobility(player: u64, opponent: u64) -> u64 {
    let is_empty = |&square: &usize| !has(player | opponent, square);
    (0..64)
        .filter(is_empty)
        .filter(|&square| flip(square, player, opponent) != 0)
        .fold(0, |moves, square| moves | 1 << square)
}

/// The mover's discs with rows and columns exchanged.
pub fn transpose(player: u64) -> u64 {
    image(player, |x, y| (y, x))
}

/// Moves each disc of `board` from its column and row (0..=7) to those that `map` returns.
fn image(board: u64, map: impl Fn(usize, usize) -> (usize, usize)) -> u64 {
    (0..64)
        .filter(|&square| has(board, square))
        .fold(0, |discs, square| {
            let (x, y) = map(square % 8, square / 8);
            discs | 1 << (8 * y + x)
        })
}

/// The eight images of the mover's discs under the symmetries of the board: as they are, mirrored left
/// to right, upside down, both, and the same four of the board with rows and columns exchanged.
pub fn symmetries(player: u64) -> [u64; 8] {
    std::array::from_fn(|i| {
        let exchanged = if i & 4 == 0 {
            player
        } else {
            transpose(player)
        };
        image(exchanged, |x, y| {
            (
                if i & 1 == 0 { x } else { 7 - x },
                if i & 2 == 0 { y } else { 7 - y },
            )
        })
    })
}

/// The least of the board's eight images, compared by the mover's discs and then the opponent's.
pub fn canonical(player: u64, opponent: u64) -> [u64; 2] {
    let images = symmetries(player).into_iter().zip(symmetries(opponent));
    let (player, opponent) = images.min().expect("a board has eight images");
    [player, opponent]
}

/// The empty squares that touch a disc of the opponent, where the mover may become able to play.
pub fn potential_mobility(player: u64, opponent: u64) -> u64 {
    (0..64)
        .filter(|&square| !has(player | opponent, square))
        .filter(|&square| {
            DIRECTIONS.iter().any(|&direction| {
                ray(square, direction)
                    .next()
                    .is_some_and(|next| has(opponent, next))
            })
        })
        .fold(0, |squares, square| squares | 1 << square)
}

/// Lists the boards after the first sixteen of the moves `legal`, lowest squares first. Each child has the
/// opponent's moves and a key by which a search orders the children. Returns the greatest key. The kernel
/// `children` documents the parts of a key.
pub fn children(
    player: u64,
    opponent: u64,
    legal: u64,
    favoured: u64,
    children: &mut KeyedChildren,
) -> i32 {
    // Scores of squares by the distances of row and column from the border. Corners have the highest.
    const SQUARE_SCORES: [[i32; 4]; 4] = [
        [18, 4, 16, 12],
        [4, 2, 6, 8],
        [16, 6, 14, 10],
        [12, 8, 10, 0],
    ];
    let from_border = |line: usize| line.min(7 - line);
    let child = |square: usize| {
        let flipped = flip(square, player, opponent);
        let (next, passive) = (opponent & !flipped, player | flipped | 1 << square);
        let moves = mobility(next, passive);
        let corners = [0, 7, 56, 63]
            .into_iter()
            .filter(|&corner| has(moves, corner));
        let cost = moves.count_ones() as i32 + corners.count() as i32;
        let own_score = SQUARE_SCORES[from_border(square / 8)][from_border(square % 8)]
            + if has(favoured, square) { 4096 } else { 0 };
        let potential = potential_mobility(next, passive).count_ones() as i32;
        let score = match next {
            0 => KeyedChildren::WINS,
            _ => {
                16 * (own_score + 4096 * corner_stability(passive) - 32 * potential - 32768 * cost)
            }
        };
        let child = Child {
            player: next,
            opponent: passive,
            moves,
        };
        (child, score)
    };
    let squares: Vec<usize> = (0..64).filter(|&square| has(legal, square)).collect();
    for (index, &square) in (0..).zip(squares.iter().take(KeyedChildren::CAPACITY)) {
        let (child, score) = child(square);
        children.push(child, score + index);
    }
    children
        .keys()
        .iter()
        .copied()
        .max()
        .expect("there are keys")
}

/// The first eight empty squares, a byte each, and the legal moves among them. The second word has a bit for
/// the index in the list of each square of `legal`, eight bits higher if the square is not `favoured`.
/// Corners come first, then the middle, edges, squares beside edges, beside corners on the edge, and diagonal
/// to corners.
pub fn ordered_empties(player: u64, opponent: u64, legal: u64, favoured: u64) -> [u64; 2] {
    // Class of a square by its distances from the border, the smaller one first.
    let class = |square: usize| {
        let from_border = |line: usize| line.min(7 - line);
        let (x, y) = (from_border(square % 8), from_border(square / 8));
        match (x.min(y), x.max(y)) {
            (0, 0) => 0,
            (2.., _) => 1,
            (0, 2..) => 2,
            (1, 2..) => 3,
            (0, _) => 4,
            _ => 5,
        }
    };
    let mut empties: Vec<usize> = (0..64)
        .filter(|&square| !has(player | opponent, square))
        .collect();
    empties.sort_by_key(|&square| class(square));
    let (mut list, mut moves) = (0, 0);
    for (index, &square) in empties.iter().take(8).enumerate() {
        list |= (square as u64) << (8 * index);
        if has(legal, square) {
            moves |= 1 << (index + if has(favoured, square) { 0 } else { 8 });
        }
    }
    [list, moves]
}

/// The number of discs that flip when the mover plays on `square`, the only empty square of a board
/// on which all that is not the mover's is the opponent's. A bit of `player` on `square` is ignored.
pub fn last_flip_count(square: usize, player: u64) -> i32 {
    let player = player & !(1 << square);
    let opponent = !player & !(1 << square);
    flip(square, player, opponent).count_ones() as i32
}

/// The mover's score with one empty square left, cut short if `alpha` allows it.
///
/// The board is full but for `square`: all discs that are not the mover's (`player`) are the opponent's. A
/// null-window search only asks if the score is over `alpha` (-64..=63). So two values are bounds, the same
/// at every level:
///
/// - A lower bound if the mover can play: the score of one flip, if it is over `alpha`. This is the lazy
///   high cut-off.
/// - An upper bound if the mover must pass: the score of a double pass, if it is not over `alpha`. An
///   opponent who can play only lowers it. This is the lazy low cut-off.
///
/// Everything else is exact.
pub fn last_move_score(square: usize, player: u64, alpha: i32) -> i32 {
    let player = player & !(1 << square);
    let opponent = !player & !(1 << square);
    let difference = player.count_ones() as i32 - opponent.count_ones() as i32;
    let with_flips = |flips: i32| difference + 2 * flips + 1;

    let flips = last_flip_count(square, player);
    if flips > 0 {
        let least = with_flips(1);
        return if least > alpha {
            least
        } else {
            with_flips(flips)
        };
    }
    // The number of discs is odd, so the difference is not 0 and the empty square has a winner.
    let game_over = difference + difference.signum();
    let opponent_flips = last_flip_count(square, opponent);
    if game_over <= alpha || opponent_flips == 0 {
        game_over
    } else {
        difference - 2 * opponent_flips - 1
    }
}

/// The four lines through a square: row, column and both diagonals.
fn lines(square: usize) -> [Vec<usize>; 4] {
    [0, 1, 2, 3].map(|axis| {
        let (dx, dy) = DIRECTIONS[axis];
        let mut line: Vec<usize> = ray(square, (dx, dy))
            .chain(ray(square, (-dx, -dy)))
            .collect();
        line.push(square);
        line
    })
}

/// The squares whose line is full, for each kind of line: rows, falling diagonals (A8 to H1),
/// columns, rising diagonals (A1 to H8).
pub fn full_lines(player: u64, opponent: u64) -> [u64; 4] {
    let occupied = player | opponent;
    // In the order of `lines`: row, rising, column, falling.
    [0, 3, 2, 1].map(|axis| {
        (0..64)
            .filter(|&square| {
                lines(square)[axis]
                    .iter()
                    .all(|&other| has(occupied, other))
            })
            .fold(0, |full, square| full | 1 << square)
    })
}

/// The discs whose row, column and diagonals are all full. They never flip again, and they never
/// flip another disc, so the rest of the game does not depend on their colour.
pub fn solid_discs(player: u64, opponent: u64) -> u64 {
    let occupied = player | opponent;
    (0..64)
        .filter(|&square| {
            lines(square)
                .iter()
                .flatten()
                .all(|&other| has(occupied, other))
        })
        .fold(0, |solid, square| solid | 1 << square)
}

/// The mover's discs on the four edges that no sequence of moves can flip, each edge on its own.
pub fn edge_stability(player: u64, opponent: u64) -> u64 {
    let edges: [[usize; 8]; 4] = [
        [0, 1, 2, 3, 4, 5, 6, 7],
        [56, 57, 58, 59, 60, 61, 62, 63],
        [0, 8, 16, 24, 32, 40, 48, 56],
        [7, 15, 23, 31, 39, 47, 55, 63],
    ];
    let mut stable = 0;
    for edge in edges {
        let pick = |board: u64| (0..8).fold(0, |bits, i| bits | u8::from(has(board, edge[i])) << i);
        let kept = edge_line_stability(pick(player), pick(opponent));
        stable |= (0..8)
            .filter(|&i| kept >> i & 1 == 1)
            .fold(0, |bits, i| bits | 1 << edge[i]);
    }
    stable
}

/// The mover's discs that are known never to flip: the stable discs of the edges, the solid discs, and
/// those that follow from stable ones until no more do. A disc follows if each of its four lines is full,
/// ends at it on the border, or has a stable disc of the mover beside it.
pub fn stability(player: u64, opponent: u64) -> u64 {
    let occupied = player | opponent;
    let mut stable = edge_stability(player, opponent) | solid_discs(player, opponent) & player;
    loop {
        let is_safe = |&square: &usize| {
            has(player, square)
                && [0, 1, 2, 3].iter().all(|&axis| {
                    let (dx, dy) = DIRECTIONS[axis];
                    let backed = |direction| match ray(square, direction).next() {
                        None => true,
                        Some(next) => has(stable, next),
                    };
                    backed((dx, dy))
                        || backed((-dx, -dy))
                        || lines(square)[axis]
                            .iter()
                            .all(|&other| has(occupied, other))
                })
        };
        let more = (0..64)
            .filter(is_safe)
            .fold(stable, |squares, square| squares | 1 << square);
        if more == stable {
            return stable;
        }
        stable = more;
    }
}

/// The number of the mover's corners and of the mover's discs beside them on the edges (0..=12). Move
/// ordering uses it as a cheap part of stability.
pub fn corner_stability(player: u64) -> i32 {
    let corners = [(0, [1, 8]), (7, [6, 15]), (56, [57, 48]), (63, [62, 55])];
    corners
        .iter()
        .filter(|&&(corner, _)| has(player, corner))
        .map(|&(_, beside)| 1 + beside.iter().filter(|&&square| has(player, square)).count() as i32)
        .sum()
}

/// CRC32C (Castagnoli, reflected polynomial 0x82F63B78) of eight bytes, lowest first, continuing
/// from `crc`, without the usual inversions: what the x86 and Arm instructions compute.
fn crc32c(crc: u32, bytes: u64) -> u32 {
    let mut state = u64::from(crc) ^ bytes;
    for _ in 0..64 {
        let carry = state & 1;
        state >>= 1;
        if carry == 1 {
            state ^= 0x82F6_3B78;
        }
    }
    state as u32
}

/// The hash of a board: CRC32C of the mover's discs in the high half, and of the mover's and then
/// the opponent's in the low half (the hash function of Okuhara's Edax AVX).
pub fn board_hash(player: u64, opponent: u64) -> u64 {
    let high = crc32c(0, player);
    u64::from(high) << 32 | u64::from(crc32c(high, opponent))
}

/// The order in which to try the last four empties: those with fewer neighbours among the others first.
///
/// `squares` holds four different squares, the first in the lowest byte, in an order of preference. The
/// result has four groups of four bytes, lowest first. Group `i` is the `i`-th square to try in the lowest
/// byte, then the other three in the order in which the opponent should try them. Both orders follow the same
/// rule. Squares with equally many neighbours keep the order of `squares`.
pub fn neighbour_sort(squares: u32) -> u128 {
    let squares = squares.to_le_bytes();
    let distance = |a: u8, b: u8| (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8));
    let by_neighbours = |group: &[u8]| -> Vec<u8> {
        let mut sorted = group.to_vec();
        sorted.sort_by_key(|&one| {
            group
                .iter()
                .filter(|&&other| distance(one, other) == 1)
                .count()
        });
        sorted
    };
    let mut bytes = [0; 16];
    for (i, &first) in by_neighbours(&squares).iter().enumerate() {
        let left: Vec<u8> = squares
            .iter()
            .copied()
            .filter(|&square| square != first)
            .collect();
        bytes[4 * i] = first;
        bytes[4 * i + 1..4 * i + 4].copy_from_slice(&by_neighbours(&left));
    }
    u128::from_le_bytes(bytes)
}

/// Fills `memory` with `pattern`, again and again.
pub fn clear(memory: &mut [Block], pattern: [u64; 4]) {
    for block in memory {
        block.0 = pattern;
    }
}

/// The board after the mover plays on `square` and flips `flipped`. The next side to move comes first.
pub fn play(square: usize, player: u64, opponent: u64, flipped: u64) -> (u64, u64) {
    (opponent & !flipped, player | flipped | 1 << square)
}

/// The features of a board. Each is a number in base 3: digit 0 for a disc of the mover, 1 for an empty
/// square, 2 for a disc of the opponent.
pub fn features(geometry: &Geometry, player: u64, opponent: u64) -> Features {
    let mut features = Features::default();
    for (value, feature) in features.0.iter_mut().zip(&geometry.features) {
        for &square in &feature.squares {
            let digit = match (has(player, square), has(opponent, square)) {
                (true, _) => 0,
                (_, false) => 1,
                (_, true) => 2,
            };
            *value = 3 * *value + digit;
        }
    }
    features
}

/// The sum of the packed weights of all features.
pub fn eval_sum(weights: &Weights, features: &Features) -> i32 {
    let geometry = &*edax::GEOMETRY;
    let weight = |(feature, &value): (&Feature, &u16)| {
        let class = weights
            .class(feature.class)
            .expect("every class has weights");
        class[usize::from(value)]
    };
    geometry.features.iter().zip(&features.0).map(weight).sum()
}

/// The sum of the rows of each corner. A class lists its features for the four corners in turn.
fn corner_sums(network: &Network, features: &Features) -> [[i16; WIDTH]; CORNERS] {
    let mut sums = [[0; WIDTH]; CORNERS];
    let geometry = &*corner::GEOMETRY;
    for (i, (feature, &value)) in geometry.features.iter().zip(&features.0).enumerate() {
        let class = network.class(feature.class).expect("every class has rows");
        for (sum, &number) in sums[i % CORNERS]
            .iter_mut()
            .zip(&class[usize::from(value)].0)
        {
            *sum += i16::from(number);
        }
    }
    sums
}

/// The value of a board by a network, as `outflank_kernels::network` defines it.
pub fn network_value(network: &Network, features: &Features, empties: u32, moves: u32) -> i32 {
    let sums = corner_sums(network, features);
    let stage = &network.stages()[(empties as usize).min(STAGES - 1)];
    let moves = &network.moves()[(moves as usize).min(MAX_MOVES)];
    let in_7_bits = |number: i32| number.clamp(0, 127);
    let square = |number: i32| (number * number) >> 7;
    let input = |k: usize| {
        let of_corner = |corner: &[i16; WIDTH]| {
            let sum = i32::from(corner[k]) + i32::from(stage.start.0[k]) + i32::from(moves.0[k]);
            in_7_bits(sum).pow(2)
        };
        sums.iter().map(of_corner).sum::<i32>() / 512
    };
    let hidden = |j: usize| {
        let product = |k: usize| i32::from(stage.matrix[k / 4][j][k % 4]) * input(k);
        let sum: i32 = (0..WIDTH).map(product).sum();
        in_7_bits((stage.hidden_bias[j] + sum) >> 6)
    };
    let of_hidden = |j: usize| {
        let [of_itself, of_square] = stage.hidden_output.map(|weights| i32::from(weights[j]));
        of_itself * hidden(j) + of_square * square(hidden(j))
    };
    let of_hidden: i32 = (0..HIDDEN).map(of_hidden).sum();
    let of_input = |k: usize| i32::from(stage.input_output[k]) * input(k);
    let of_inputs: i32 = (0..WIDTH).map(of_input).sum();
    (stage.bias + of_hidden + of_inputs) >> 6
}

/// The values of two boards by a network.
pub fn network_pair(
    network: &Network,
    features: &Features,
    other: &Features,
    empties: u32,
    moves: u32,
    other_moves: u32,
) -> [i32; 2] {
    [(features, moves), (other, other_moves)]
        .map(|(features, moves)| network_value(network, features, empties, moves))
}
