/* Expectations of calls, and boards, for the tests of the interface. */

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

/* The call fails with this status, and the error's text has these words in it. */
#define FAILS(status, words, call)                                                              \
    do {                                                                                        \
        EXPECT((call) == OUTFLANK_STATUS_##status);                                             \
        EXPECT(strstr(outflank_last_error(), words) != NULL);                                   \
    } while (0)

/* A bitboard of one square. */
#define BIT(square) (UINT64_C(1) << (square))

/* FFO #1, which black wins by 18 with G8, H1 being the next best: 14 empty squares. */
static const char FFO_1[] = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

static const OutflankBoard BOTH = {3, 2};
static const OutflankBoard EMPTY = {0, 0};
/* Black has A1, white B1: black, who is to move, can take it from C1; white cannot move. */
static const OutflankBoard PASS = {2, 1};

/* What the files other than interface.c test. */
void games(const char *no_game);
void analysing(OutflankEngine *engine, const char *weights);
void messages(void);

#endif
