/* Searches a position and prints its score, from C.
 *
 *     cargo build --release -p outflank-capi
 *     gcc -Ibindings/c/include bindings/c/examples/solve.c target/release/liboutflank.a -lpthread -ldl -lm -o solve
 *     ./solve '--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X'
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "outflank.h"

/* Ends the program if a call failed. */
static void check(OutflankStatus status)
{
    if (status != OUTFLANK_STATUS_OK) {
        fprintf(stderr, "solve: %s\n", outflank_last_error());
        exit(EXIT_FAILURE);
    }
}

/* Prints an intermediate result. */
static void report(const OutflankResult *so_far, void *user)
{
    fprintf(user, "%2" PRIu32 " plies at %" PRIu32 "%%: %+" PRId32 "\n", so_far->depth,
            so_far->selectivity, so_far->score);
}

int main(int argc, char **argv)
{
    OutflankBoard board = outflank_board_start();
    if (argc > 1)
        check(outflank_board_read(argv[1], &board));

    OutflankOptions options = {0};
    options.hash_mib = 16;
    OutflankEngine *engine;
    check(outflank_engine_new(&options, &engine));
    check(outflank_engine_set_board(engine, board));

    OutflankLimits limits = outflank_limits_exact();
    limits.time_ms = 10000;
    OutflankResult result;
    check(outflank_engine_search(engine, &limits, report, stderr, &result));

    printf("%+" PRId32 "%s by", result.score, result.complete ? "" : " (not to the end)");
    for (size_t i = 0; i < result.line_length; i++)
        printf(" %s", outflank_ply_name(result.line[i]));
    printf("\n");
    check(outflank_engine_destroy(engine));
    return EXIT_SUCCESS;
}
