/* Assertions and boards for the tests of the interface. */

#ifndef EXPECT_H
#define EXPECT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "outflank.h"

#define EXPECT(condition)                                                                       \
    do {                                                                                        \
        if (!(condition)) {                                                                     \
            fprintf(stderr, "%s:%d: %s; the last error is \"%s\"\n", __FILE__, __LINE__,        \
                    #condition, outflank_last_error());                                         \
            exit(EXIT_FAILURE);                                                                 \
        }                                                                                       \
    } while (0)

#define OK(call) EXPECT((call) == OUTFLANK_STATUS_OK)

/* Asserts that the call fails with the status and a message that contains the words. */
#define FAILS(status, words, call)                                                              \
    do {                                                                                        \
        EXPECT((call) == OUTFLANK_STATUS_##status);                                             \
        EXPECT(strstr(outflank_last_error(), words) != NULL);                                   \
    } while (0)

/* Bitboard of one square. */
#define BIT(square) (UINT64_C(1) << (square))

/* FFO #1 with 14 empty squares: black wins by 18 with G8, and the second best move is H1. */
static const char FFO_1[] = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

static const OutflankBoard BOTH = {3, 2};
static const OutflankBoard EMPTY = {0, 0};
/* Black has A1, white B1: black, who is to move, can take it from C1; white cannot move. */
static const OutflankBoard PASS = {2, 1};

/* Tests in games.c. */
void test_games(const char *no_game);
void test_analysis(OutflankEngine *engine, const char *weights);
void test_messages(void);

#endif
