//! What the kernels share at all levels.
//!
//! Written by `cargo run -p outflank-codegen` from codegen/templates; do not edit.

#![allow(
    dead_code,
    reason = "an item may serve only the levels of another architecture"
)]
/// Tables and helpers of the kernel `board_hash`.
pub(crate) mod board_hash {
    /// `CRC[i][byte]`: what `byte` leaves behind when `i` more zero bytes follow it; 4 KiB.
    pub(crate) static CRC: [[u32; 256]; 4] = crc();
    const fn crc() -> [[u32; 256]; 4] {
        let mut all = [[0; 256]; 4];
        let mut byte = 0;
        while byte < 256 {
            let mut state = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                let carry = (state & 1) * 0x82F6_3B78;
                state = state >> 1 ^ carry;
                bit += 1;
            }
            all[0][byte] = state;
            byte += 1;
        }
        let mut after = 1;
        while after < 4 {
            let mut byte = 0;
            while byte < 256 {
                let before = all[after - 1][byte];
                all[after][byte] = before >> 8 ^ all[0][(before & 255) as usize];
                byte += 1;
            }
            after += 1;
        }
        all
    }

    #[inline]
    pub(crate) fn crc32c_by_table(crc: u32, bytes: u64) -> u32 {
        let four_more = |state: u32| {
            let [a, b, c, d] = state.to_le_bytes();
            CRC[3][usize::from(a)] ^ CRC[2][usize::from(b)] ^ CRC[1][usize::from(c)]
                ^ CRC[0][usize::from(d)]
        };
        four_more(four_more(crc ^ bytes as u32) ^ (bytes >> 32) as u32)
    }
}

/// Tables and helpers of the kernel `edge_stability`.
pub(crate) mod edge_stability {
    /// `STABLE[player << 8 | opponent]`: the mover's discs on one edge that nothing can turn. The two
    /// hold eight squares each and never the same one; other entries are 0.
    pub(crate) static STABLE: [u8; 65536] = stable();
    /// The discs that turn on a line of eight when a side plays at `place`.
    const fn line_flip(place: u32, player: u32, opponent: u32) -> u32 {
        let mut flipped = 0;
        let mut run = 0;
        let mut next = place + 1;
        while next < 8 && opponent >> next & 1 == 1 {
            run |= 1 << next;
            next += 1;
        }
        if next < 8 && player >> next & 1 == 1 {
            flipped |= run;
        }
        let mut run = 0;
        let mut left = place;
        while left > 0 && opponent >> (left - 1) & 1 == 1 {
            left -= 1;
            run |= 1 << left;
        }
        if left > 0 && player >> (left - 1) & 1 == 1 {
            flipped |= run;
        }
        flipped
    }

    /// From fuller edges to emptier ones: what is stable is what stays the mover's, and stable,
    /// whichever side fills whichever square.
    #[allow(long_running_const_eval, reason = "6,561 edges, a few seconds once a build")]
    const fn stable() -> [u8; 65536] {
        let mut all = [0; 65536];
        let mut occupied: u32 = 256;
        while occupied > 0 {
            occupied -= 1;
            let mut player = occupied;
            loop {
                let opponent = occupied & !player;
                let mut kept = player;
                let mut place = 0;
                while place < 8 && kept != 0 {
                    let bit = 1 << place;
                    if occupied & bit == 0 {
                        let turned = line_flip(place, player, opponent);
                        let (mine, theirs) = (player | bit | turned, opponent & !turned);
                        kept &= all[(mine << 8 | theirs) as usize] as u32;
                        let lost = line_flip(place, opponent, player);
                        let (mine, theirs) = (player & !lost, opponent | bit | lost);
                        kept &= all[(mine << 8 | theirs) as usize] as u32;
                    }
                    place += 1;
                }
                all[(player << 8 | opponent) as usize] = kept as u8;
                if player == 0 {
                    break;
                }
                player = (player - 1) & occupied;
            }
        }
        all
    }

    /// The four answers of the table, laid on their edges: rows 1 and 8, and from column A and H the six
    /// squares between the corners, spread by one multiplication each.
    #[inline(always)]
    pub(crate) fn lay(
        row_1: usize,
        row_8: usize,
        column_a: usize,
        column_h: usize,
    ) -> u64 {
        let between = |index: usize| u64::from(STABLE[index & 0xFFFF]) & 0x7E;
        u64::from(STABLE[row_1 & 0xFFFF]) | u64::from(STABLE[row_8 & 0xFFFF]) << 56
            | between(column_a).wrapping_mul(0x0000_0408_1020_4080)
                & 0x0001_0101_0101_0100
            | between(column_h).wrapping_mul(0x0002_0408_1020_4000)
                & 0x0080_8080_8080_8000
    }
}

/// Tables and helpers of the kernel `feature_set`.
pub(crate) mod feature_set {
    /// `DIGITS[order][bits]`: the number in base 3 to which gathered bits add up, for each order in which
    /// they are gathered.
    pub(crate) static DIGITS: [[u16; 1024]; 36] = [
        crate::geometry::digits(&[27, 3, 1, 729, 243, 9, 6561, 2187, 81]),
        crate::geometry::digits(&[6561, 2187, 81, 729, 243, 9, 27, 3, 1]),
        crate::geometry::digits(&[1, 3, 27, 9, 243, 729, 81, 2187, 6561]),
        crate::geometry::digits(&[81, 2187, 6561, 9, 243, 729, 1, 3, 27]),
        crate::geometry::digits(&[6561, 729, 27, 2187, 243, 3, 81, 9, 1]),
        crate::geometry::digits(&[81, 9, 1, 2187, 243, 3, 6561, 729, 27]),
        crate::geometry::digits(&[27, 729, 6561, 3, 243, 2187, 1, 9, 81]),
        crate::geometry::digits(&[1, 9, 81, 3, 243, 2187, 27, 729, 6561]),
        crate::geometry::digits(&[6561, 729, 81, 243, 27, 9, 3, 1, 19683, 2187]),
        crate::geometry::digits(&[243, 27, 9, 3, 1, 729, 81, 2187, 6561, 19683]),
        crate::geometry::digits(&[81, 729, 6561, 19683, 1, 3, 9, 27, 243, 2187]),
        crate::geometry::digits(&[1, 3, 9, 27, 243, 81, 729, 2187, 6561, 19683]),
        crate::geometry::digits(&[2187, 243, 27, 9, 3, 1, 19683, 6561, 729, 81]),
        crate::geometry::digits(&[19683, 6561, 2187, 729, 81, 243, 27, 9, 3, 1]),
        crate::geometry::digits(&[81, 729, 19683, 6561, 2187, 1, 3, 9, 27, 243]),
        crate::geometry::digits(&[19683, 6561, 2187, 81, 729, 1, 3, 9, 27, 243]),
        crate::geometry::digits(&[1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19683]),
        crate::geometry::digits(&[6561, 2187, 729, 243, 81, 27, 9, 3, 19683, 1]),
        crate::geometry::digits(&[19683, 1, 6561, 2187, 729, 243, 81, 27, 9, 3]),
        crate::geometry::digits(&[729, 81, 6561, 2187, 19683, 3, 9, 1, 243, 27]),
        crate::geometry::digits(&[6561, 2187, 19683, 729, 243, 81, 27, 9, 1, 3]),
        crate::geometry::digits(&[1, 9, 729, 19683, 2187, 243, 81, 27, 6561, 3]),
        crate::geometry::digits(&[6561, 19683, 2187, 729, 243, 81, 27, 1, 9, 3]),
        crate::geometry::digits(&[19683, 6561, 2187, 9, 3, 1, 729, 243, 81, 27]),
        crate::geometry::digits(&[729, 243, 81, 27, 19683, 6561, 2187, 9, 3, 1]),
        crate::geometry::digits(&[6561, 729, 19683, 9, 81, 3, 27, 1, 2187, 243]),
        crate::geometry::digits(&[19683, 6561, 729, 2187, 243, 9, 81, 3, 27, 1]),
        crate::geometry::digits(&[19683, 27, 3, 243, 2187, 81, 9, 729, 6561, 1]),
        crate::geometry::digits(&[19683, 729, 6561, 243, 2187, 81, 9, 27, 3, 1]),
        crate::geometry::digits(&[2187, 729, 243, 81, 27, 9, 3, 1]),
        crate::geometry::digits(&[1, 9, 27, 81, 243, 729, 2187, 3]),
        crate::geometry::digits(&[1, 3, 9, 27, 81, 243, 729, 2187]),
        crate::geometry::digits(&[729, 243, 81, 27, 9, 3, 1]),
        crate::geometry::digits(&[243, 81, 27, 9, 3, 1]),
        crate::geometry::digits(&[81, 27, 9, 3, 1]),
        crate::geometry::digits(&[27, 9, 3, 1]),
    ];

    /// `HALF_ROWS[half][discs]`: what the discs on half a row add to each feature. Half `i` is the squares
    /// from `4 * i` on.
    pub(crate) static HALF_ROWS: [[crate::Features; 16]; 16] = crate::geometry::half_rows(
        &crate::geometry::edax::POWERS,
    );
}

/// Tables and helpers of the kernel `feature_set_ntest`.
pub(crate) mod feature_set_ntest {
    /// `DIGITS[order][bits]`: the number in base 3 to which gathered bits add up, for each order in which
    /// they are gathered.
    pub(crate) static DIGITS: [[u16; 1024]; 24] = [
        crate::geometry::digits(&[2187, 729, 243, 81, 27, 9, 3, 1]),
        crate::geometry::digits(&[1, 9, 27, 81, 243, 729, 2187, 3]),
        crate::geometry::digits(&[1, 3, 9, 27, 81, 243, 729, 2187]),
        crate::geometry::digits(&[729, 243, 81, 27, 9, 3, 1]),
        crate::geometry::digits(&[243, 81, 27, 9, 3, 1]),
        crate::geometry::digits(&[81, 27, 9, 3, 1]),
        crate::geometry::digits(&[81, 27, 9, 3, 1, 19683, 6561, 2187, 729, 243]),
        crate::geometry::digits(&[19683, 6561, 2187, 729, 243, 81, 27, 9, 3, 1]),
        crate::geometry::digits(&[1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19683]),
        crate::geometry::digits(&[243, 729, 2187, 6561, 19683, 1, 3, 9, 27, 81]),
        crate::geometry::digits(&[19683, 81, 2187, 9, 729, 3, 243, 1, 6561, 27]),
        crate::geometry::digits(&[19683, 81, 6561, 27, 2187, 9, 729, 3, 243, 1]),
        crate::geometry::digits(&[81, 19683, 9, 2187, 3, 729, 1, 243, 27, 6561]),
        crate::geometry::digits(&[81, 19683, 27, 6561, 9, 2187, 3, 729, 1, 243]),
        crate::geometry::digits(&[243, 1, 2187, 9, 6561, 27, 19683, 81, 729, 3]),
        crate::geometry::digits(&[243, 1, 729, 3, 2187, 9, 6561, 27, 19683, 81]),
        crate::geometry::digits(&[27, 6561, 1, 243, 3, 729, 9, 2187, 81, 19683]),
        crate::geometry::digits(&[1, 243, 3, 729, 9, 2187, 27, 6561, 81, 19683]),
        crate::geometry::digits(&[243, 81, 27, 1, 19683, 6561, 2187, 729, 9, 3]),
        crate::geometry::digits(&[3, 9, 27, 81, 243, 729, 2187, 6561, 19683, 1]),
        crate::geometry::digits(&[729, 2187, 6561, 19683, 27, 81, 243, 3, 9, 1]),
        crate::geometry::digits(&[1, 19683, 6561, 2187, 729, 243, 81, 27, 9, 3]),
        crate::geometry::digits(&[1, 9, 3, 243, 81, 27, 19683, 6561, 2187, 729]),
        crate::geometry::digits(&[3, 9, 729, 2187, 6561, 19683, 1, 27, 81, 243]),
    ];

    /// `HALF_ROWS[half][discs]`: what the discs on half a row add to each feature. Half `i` is the squares
    /// from `4 * i` on.
    pub(crate) static HALF_ROWS: [[crate::Features; 16]; 16] = crate::geometry::half_rows(
        &crate::geometry::ntest::POWERS,
    );
}

/// Tables and helpers of the kernel `flip`.
pub(crate) mod flip {
    /// The rays from a square to the border, one a direction, the square itself not included.
    #[repr(align(64))]
    pub(crate) struct Rays {
        /// Towards higher squares, by steps of +1, +7, +8, +9.
        pub(crate) up: [u64; 4],
        /// Towards lower squares, by steps of -1, -7, -8, -9.
        pub(crate) down: [u64; 4],
    }

    /// The rays from each square.
    pub(crate) static RAYS: [Rays; 64] = rays();
    const fn ray(square: usize, dx: i32, dy: i32) -> u64 {
        let (mut x, mut y) = (square as i32 % 8 + dx, square as i32 / 8 + dy);
        let mut squares = 0;
        while 0 <= x && x < 8 && 0 <= y && y < 8 {
            squares |= 1 << (8 * y + x);
            x += dx;
            y += dy;
        }
        squares
    }

    const fn rays() -> [Rays; 64] {
        let mut all = [const { Rays { up: [0; 4], down: [0; 4] } }; 64];
        let mut square = 0;
        while square < 64 {
            all[square].up = [
                ray(square, 1, 0),
                ray(square, -1, 1),
                ray(square, 0, 1),
                ray(square, 1, 1),
            ];
            all[square].down = [
                ray(square, -1, 0),
                ray(square, 1, -1),
                ray(square, 0, -1),
                ray(square, -1, -1),
            ];
            square += 1;
        }
        all
    }

    /// The discs that a run may pass through: not the border columns, where rows and diagonals end.
    pub(crate) const INNER: u64 = 0x7E7E_7E7E_7E7E_7E7E;
    /// The lines through a square, the square included.
    pub(crate) struct Lines {
        /// Row, column, rising diagonal (A1 to H8), falling diagonal (A8 to H1).
        pub(crate) squares: [u64; 4],
        /// The column of the square; on its column, the row.
        pub(crate) columns: [u8; 4],
        /// How many squares of each line come before it.
        pub(crate) places: [u8; 4],
    }

    const fn line_squares(square: usize) -> [u64; 4] {
        let rays = &RAYS[square];
        let mut lines = [1 << square; 4];
        lines[0] |= rays.up[0] | rays.down[0];
        lines[1] |= rays.up[2] | rays.down[2];
        lines[2] |= rays.up[3] | rays.down[3];
        lines[3] |= rays.up[1] | rays.down[1];
        lines
    }

    /// For a line of eight with the mover's square at a place, by the opponent's discs on the six inner
    /// squares: the squares where a disc of the mover would turn what lies between.
    pub(crate) static ENDS: [[u8; 64]; 8] = ends();
    const fn ends() -> [[u8; 64]; 8] {
        let mut all = [[0; 64]; 8];
        let mut place = 0;
        while place < 8 {
            let mut inner = 0;
            while inner < 64 {
                let opponent = inner << 1;
                let mut above = place + 1;
                while above < 8 && opponent >> above & 1 == 1 {
                    above += 1;
                }
                if above < 8 && above > place + 1 {
                    all[place][inner] |= 1 << above;
                }
                let mut below = place;
                while below > 0 && opponent >> (below - 1) & 1 == 1 {
                    below -= 1;
                }
                if below > 0 && below < place {
                    all[place][inner] |= 1 << (below - 1);
                }
                inner += 1;
            }
            place += 1;
        }
        all
    }

    /// For a line of eight with the mover's square at a place: the squares between it and the mover's
    /// discs given, at most one on each side.
    pub(crate) static BETWEEN: [[u8; 256]; 8] = between();
    const fn between() -> [[u8; 256]; 8] {
        let mut all = [[0; 256]; 8];
        let mut place = 0;
        while place < 8 {
            let mut ends = 0;
            while ends < 256 {
                let mut square = 0;
                while square < 8 {
                    let (low, high) = if square < place {
                        (square, place)
                    } else {
                        (place, square)
                    };
                    if ends >> square & 1 == 1 && high > low {
                        all[place][ends] |= ((1 << high) - (2 << low)) as u8;
                    }
                    square += 1;
                }
                ends += 1;
            }
            place += 1;
        }
        all
    }

    pub(crate) static LINES: [Lines; 64] = lines();
    const fn lines() -> [Lines; 64] {
        const NONE: Lines = Lines {
            squares: [0; 4],
            columns: [0; 4],
            places: [0; 4],
        };
        let mut all = [NONE; 64];
        let mut square = 0;
        while square < 64 {
            let (x, y) = (square as u8 % 8, square as u8 / 8);
            let squares = line_squares(square);
            let mut places = [0; 4];
            let mut i = 0;
            while i < 4 {
                places[i] = (squares[i] & ((1 << square) - 1)).count_ones() as u8;
                i += 1;
            }
            all[square] = Lines {
                squares,
                columns: [x, y, x, x],
                places,
            };
            square += 1;
        }
        all
    }

    /// Which of a square's lines is its column.
    pub(crate) const COLUMN: usize = 1;
    /// The part of `board` on a line as a byte, by columns; of a column by rows. A row or a diagonal has
    /// one square a column, so adding all rows up in the highest gathers it.
    #[inline]
    pub(crate) fn gather(board: u64, line: u64, is_column: bool) -> usize {
        let held = board & line;
        let rows = if is_column {
            (held >> (line.trailing_zeros() & 7)).wrapping_mul(0x0102_0408_1020_4080)
        } else {
            held.wrapping_mul(0x0101_0101_0101_0101)
        };
        (rows >> 56) as usize
    }

    /// The reverse for what turns on a line. Its ends never do, so a column has six squares, and one
    /// multiplication spreads them.
    #[inline]
    pub(crate) fn spread(turned: u8, line: u64, is_column: bool) -> u64 {
        let turned = u64::from(turned);
        let everywhere = if is_column {
            turned.wrapping_mul(0x0000_0408_1020_4080) << (line.trailing_zeros() & 7)
        } else {
            turned.wrapping_mul(0x0101_0101_0101_0101)
        };
        everywhere & line
    }
}

/// Tables and helpers of the kernel `full_lines`.
pub(crate) mod full_lines {
    /// The squares that have fewer than `steps` squares after them in the directions +1, +7, +8, +9.
    const fn ends(steps: i32) -> [u64; 4] {
        let directions = [(1, 0), (-1, 1), (0, 1), (1, 1)];
        let mut all = [0; 4];
        let mut axis = 0;
        while axis < 4 {
            let (dx, dy) = directions[axis];
            let mut square = 0;
            while square < 64 {
                let (x, y) = (square % 8 + dx * steps, square / 8 + dy * steps);
                if x < 0 || x > 7 || y > 7 {
                    all[axis] |= 1 << square;
                }
                square += 1;
            }
            axis += 1;
        }
        all
    }

    /// The same against the directions: the board turned by half.
    const fn starts(steps: i32) -> [u64; 4] {
        let [row, falling, column, rising] = ends(steps);
        [
            row.reverse_bits(),
            falling.reverse_bits(),
            column.reverse_bits(),
            rising.reverse_bits(),
        ]
    }

    pub(crate) const ENDS: [[u64; 4]; 3] = [ends(1), ends(2), ends(4)];
    pub(crate) const STARTS: [[u64; 4]; 3] = [starts(1), starts(2), starts(4)];
}

/// Tables and helpers of the kernel `last_flip_count`.
pub(crate) mod last_flip_count {
    /// `LINE_FLIPS[place][line]`: the discs that turn in a full line of eight when the mover, who holds
    /// the set bits of `line`, plays at `place`. In a shorter line the squares that do not exist count as
    /// the opponent's: no disc of the mover lies behind them.
    pub(crate) static LINE_FLIPS: [[u8; 256]; 8] = line_flips();
    const fn line_flips() -> [[u8; 256]; 8] {
        let mut all = [[0; 256]; 8];
        let mut place = 0;
        while place < 8 {
            let mut line = 0;
            while line < 256 {
                let above = line >> (place + 1);
                let below = line & ((1 << place) - 1);
                let mut flips = 0;
                if above != 0 {
                    flips += (above as u32).trailing_zeros();
                }
                if below != 0 {
                    flips += place as u32 - 1 - (below as u32).ilog2();
                }
                all[place][line] = flips as u8;
                line += 1;
            }
            place += 1;
        }
        all
    }

    /// The diagonals through each square, without the square: rising (A1 to H8), falling (A8 to H1).
    pub(crate) static DIAGONALS: [[u64; 2]; 64] = diagonals();
    const fn diagonals() -> [[u64; 2]; 64] {
        let mut all = [[0; 2]; 64];
        let mut square = 0;
        while square < 64 {
            let mut other = 0;
            while other < 64 {
                let (dx, dy) = (
                    other as i32 % 8 - square as i32 % 8,
                    other as i32 / 8 - square as i32 / 8,
                );
                if other != square && dx == dy {
                    all[square][0] |= 1 << other;
                }
                if other != square && dx == -dy {
                    all[square][1] |= 1 << other;
                }
                other += 1;
            }
            square += 1;
        }
        all
    }

    /// The lines through each square that cross its row, without the square: rising, falling, column, and
    /// none.
    pub(crate) static LINES: [[u64; 4]; 64] = lines();
    const fn lines() -> [[u64; 4]; 64] {
        let mut all = [[0; 4]; 64];
        let mut square = 0;
        while square < 64 {
            let [rising, falling] = DIAGONALS[square];
            let column = 0x0101_0101_0101_0101 << (square % 8);
            all[square] = [rising, falling, column & !(1 << square), 0];
            square += 1;
        }
        all
    }
}

/// Tables and helpers of the kernel `parity_sort`.
pub(crate) mod parity_sort {
    /// For each way that the last four empties can share quadrants, where each byte of the result comes
    /// from. The index holds the quadrants of the first three squares relative to the fourth: the bits of
    /// square `i` are bit `i` (left or right half) and bit `i + 3` (upper or lower half).
    pub(crate) static ORDERS: [u128; 64] = orders();
    /// The places in `group`, squares in odd quadrants first, otherwise in the order given.
    const fn by_parity<const N: usize>(
        group: [usize; N],
        quadrants: [usize; 4],
    ) -> [usize; N] {
        let mut sorted = [0; N];
        let mut count = 0;
        let mut odd = 1;
        loop {
            let mut i = 0;
            while i < N {
                let mut sharing = 0;
                let mut j = 0;
                while j < N {
                    sharing += (quadrants[group[i]] == quadrants[group[j]]) as usize;
                    j += 1;
                }
                if sharing % 2 == odd {
                    sorted[count] = group[i];
                    count += 1;
                }
                i += 1;
            }
            if odd == 0 {
                return sorted;
            }
            odd = 0;
        }
    }

    const fn orders() -> [u128; 64] {
        let mut all = [0; 64];
        let mut index = 0;
        while index < 64 {
            let quadrants = [
                index & 1 | index >> 2 & 2,
                index >> 1 & 1 | index >> 3 & 2,
                index >> 2 & 1 | index >> 4 & 2,
                0,
            ];
            let first = by_parity([0, 1, 2, 3], quadrants);
            let mut i = 0;
            while i < 4 {
                let left = match first[i] {
                    0 => [1, 2, 3],
                    1 => [0, 2, 3],
                    2 => [0, 1, 3],
                    _ => [0, 1, 2],
                };
                let [a, b, c] = by_parity(left, quadrants);
                let group = first[i] | a << 8 | b << 16 | c << 24;
                all[index] |= (group as u128) << (32 * i);
                i += 1;
            }
            index += 1;
        }
        all
    }

    /// The entry of [`ORDERS`] for four squares. Bits 2 and 5 of a square name its quadrant.
    #[inline(always)]
    pub(crate) fn order(squares: u32) -> u128 {
        let relative = (squares ^ (squares >> 24).wrapping_mul(0x0001_0101))
            & 0x0024_2424;
        ORDERS[((relative >> 2 | relative >> 9 | relative >> 16) & 63) as usize]
    }
}

/// Tables and helpers of the kernel `potential_mobility`.
pub(crate) mod potential_mobility {
    /// Every square that is not in column A.
    pub(crate) const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
}

/// Tables and helpers of the kernel `stability`.
pub(crate) mod stability {
    /// The squares that have a neighbour on every side.
    pub(crate) const CENTRE: u64 = 0x007E_7E7E_7E7E_7E00;
}

/// Tables and helpers of the kernel `symmetries`.
pub(crate) mod symmetries {
    /// The board, mirrored left to right, upside down, both.
    #[inline]
    pub(crate) const fn four(board: u64) -> [u64; 4] {
        let halves = (board & 0x0F0F_0F0F_0F0F_0F0F) << 4
            | board >> 4 & 0x0F0F_0F0F_0F0F_0F0F;
        let pairs = (halves & 0x3333_3333_3333_3333) << 2
            | halves >> 2 & 0x3333_3333_3333_3333;
        let mirrored = (pairs & 0x5555_5555_5555_5555) << 1
            | pairs >> 1 & 0x5555_5555_5555_5555;
        [board, mirrored, board.swap_bytes(), mirrored.swap_bytes()]
    }
}
