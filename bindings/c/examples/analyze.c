/* Prints the loss of each move of a game, from C.
 *
 *     cargo build --release -p outflank-capi
 *     gcc -Ibindings/c/include bindings/c/examples/analyze.c target/release/liboutflank.a -lpthread -ldl -lm -o analyze
 *     ./analyze f5d6c3d3c4f4f6 8
 *     ./analyze - 8 < games.ggf
 *
 * The first argument is a transcript, or - for games on standard input in any format that the library reads. The second
 * argument is a level of Edax; the default is 8. Each game is also printed in GGF.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "outflank.h"

static const char *const MARKS[] = {"", "?!", "?", "??"};

/* Ends the program if a call failed. */
static void check(OutflankStatus status)
{
    if (status != OUTFLANK_STATUS_OK) {
        fprintf(stderr, "analyze: %s\n", outflank_last_error());
        exit(EXIT_FAILURE);
    }
}

static void fail(const char *why)
{
    fprintf(stderr, "analyze: %s\n", why);
    exit(EXIT_FAILURE);
}

/* Reads all of standard input. */
static uint8_t *read_stdin(size_t *size)
{
    size_t capacity = 1 << 16;
    uint8_t *bytes = malloc(capacity);
    *size = 0;
    while (bytes != NULL) {
        *size += fread(bytes + *size, 1, capacity - *size, stdin);
        if (*size < capacity)
            return bytes;
        capacity *= 2;
        uint8_t *more = realloc(bytes, capacity);
        if (more == NULL)
            free(bytes);
        bytes = more;
    }
    fail("out of memory");
    return NULL;
}

/* Prints a game in GGF. The first call returns its length. */
static void write_ggf(const OutflankGame *game)
{
    size_t length;
    check(outflank_game_write_ggf(game, NULL, 0, &length));
    char *ggf = malloc(length + 1);
    if (ggf == NULL)
        fail("out of memory");
    check(outflank_game_write_ggf(game, ggf, length + 1, &length));
    puts(ggf);
    free(ggf);
}

static void analyze(OutflankEngine *engine, const OutflankGame *game, uint32_t level)
{
    OutflankStrength strength = outflank_strength_level(level);
    OutflankJudgement moves[OUTFLANK_MAX_MOVES];
    size_t count;
    int32_t lost[2] = {0, 0};

    check(outflank_engine_analyze(engine, game, &strength, NULL, NULL, NULL, moves, &count));
    for (size_t i = 0; i < count; i++) {
        const OutflankJudgement *move = &moves[i];
        double value;
        check(outflank_engine_static_value(engine, move->board, &value));
        printf("%2" PRIu32 " %s %s %+3" PRId32 "  best %s %+3" PRId32 "  lost %2" PRId32 "  static %+6.2f  %s\n",
               move->number, move->side == OUTFLANK_BLACK ? "black" : "white",
               outflank_ply_name(move->played), move->score, outflank_ply_name(move->best), move->best_score,
               move->loss, value, MARKS[move->mark]);
        lost[move->side] += move->loss;
    }
    printf("black lost %" PRId32 " discs, white %" PRId32 "\n", lost[OUTFLANK_BLACK], lost[OUTFLANK_WHITE]);
    write_ggf(game);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        fail("name a game, such as f5d6c3, or - to read games");
    uint32_t level = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 8;
    OutflankEngine *engine;
    check(outflank_engine_new(NULL, &engine));

    OutflankGame *game;
    if (strcmp(argv[1], "-") != 0) {
        check(outflank_game_read(argv[1], &game));
        analyze(engine, game, level);
        check(outflank_game_destroy(game));
    } else {
        size_t size, count;
        uint8_t *bytes = read_stdin(&size);
        OutflankGames *games;
        check(outflank_games_read(bytes, size, &games, &count));
        free(bytes);
        for (size_t i = 0; i < count; i++) {
            check(outflank_games_get(games, i, &game));
            analyze(engine, game, level);
            check(outflank_game_destroy(game));
        }
        check(outflank_games_destroy(games));
    }
    check(outflank_engine_destroy(engine));
    return EXIT_SUCCESS;
}
