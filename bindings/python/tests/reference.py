"""Slow and simple rules of the game, the reference for the kernels."""

from __future__ import annotations

import random

START = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36)

DIRECTIONS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


def flips(player: int, opponent: int, square: int) -> int:
    """Returns the flipped discs of a move; 0 if it is not legal."""
    if (player | opponent) >> square & 1:
        return 0
    turned = 0
    for dx, dy in DIRECTIONS:
        x, y, line = square % 8 + dx, square // 8 + dy, 0
        while 0 <= x < 8 and 0 <= y < 8 and opponent >> (8 * y + x) & 1:
            line |= 1 << (8 * y + x)
            x, y = x + dx, y + dy
        if 0 <= x < 8 and 0 <= y < 8 and player >> (8 * y + x) & 1:
            turned |= line
    return turned


def moves(player: int, opponent: int) -> list[int]:
    return [square for square in range(64) if flips(player, opponent, square)]


def potential_moves(player: int, opponent: int) -> int:
    """Returns the empty squares beside a disc of the opponent."""
    found = 0
    for square in range(64):
        beside = ((square % 8 + dx, square // 8 + dy) for dx, dy in DIRECTIONS)
        touches = any(0 <= x < 8 and 0 <= y < 8 and opponent >> (8 * y + x) & 1 for x, y in beside)
        found |= (touches and not (player | opponent) >> square & 1) << square
    return found


def after(player: int, opponent: int, square: int) -> tuple[int, int]:
    turned = flips(player, opponent, square)
    return opponent & ~turned, player | turned | 1 << square


def images(player: int, opponent: int) -> list[tuple[int, int]]:
    """Returns the eight images of a board under the symmetries of the square."""
    found = []
    for symmetry in range(8):
        image = [0, 0]
        for side, discs in enumerate((player, opponent)):
            for square in range(64):
                if discs >> square & 1:
                    x, y = square % 8, square // 8
                    x = 7 - x if symmetry & 1 else x
                    y = 7 - y if symmetry & 2 else y
                    x, y = (y, x) if symmetry & 4 else (x, y)
                    image[side] |= 1 << (8 * y + x)
        found.append((image[0], image[1]))
    return found


def random_positions(count: int, seed: int) -> list[tuple[int, int]]:
    """Returns positions of random games, including passes and ends."""
    rng = random.Random(seed)
    found: list[tuple[int, int]] = []
    while len(found) < count:
        player, opponent = START
        while True:
            found.append((player, opponent))
            choices = moves(player, opponent)
            if choices:
                player, opponent = after(player, opponent, rng.choice(choices))
            elif moves(opponent, player):
                player, opponent = opponent, player
            else:
                break
    return found[:count]


def perft(player: int, opponent: int, depth: int) -> int:
    if depth == 0:
        return 1
    choices = moves(player, opponent)
    if choices:
        return sum(perft(*after(player, opponent, square), depth - 1) for square in choices)
    return perft(opponent, player, depth - 1) if moves(opponent, player) else 1


def final_score(player: int, opponent: int) -> int:
    mine, theirs = player.bit_count(), opponent.bit_count()
    empties = 64 - mine - theirs
    difference = mine - theirs
    return difference + (empties if difference > 0 else -empties if difference < 0 else 0)


def negamax(player: int, opponent: int) -> int:
    """Returns the exact score for the side to move."""
    choices = moves(player, opponent)
    if choices:
        return max(-negamax(*after(player, opponent, square)) for square in choices)
    return -negamax(opponent, player) if moves(opponent, player) else final_score(player, opponent)
