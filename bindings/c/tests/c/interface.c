/* Calls all functions of outflank.h with valid and invalid arguments; tests/it/interface.rs builds and runs it.
 * Its arguments: a file of weights, and one that has none. */

#include <pthread.h>

#include "expect.h"

static void test_rules(void)
{
    OutflankBoard start = outflank_board_start(), after, read;
    uint64_t squares = 1;

    OK(outflank_legal_moves(start, &squares));
    EXPECT(squares == (BIT(19) | BIT(26) | BIT(37) | BIT(44)));
    OK(outflank_flip(start, 37, &squares));
    EXPECT(squares == BIT(36));
    OK(outflank_flip(start, 0, &squares));
    EXPECT(squares == 0);
    OK(outflank_flip(start, 27, &squares));
    EXPECT(squares == 0);
    OK(outflank_board_play(start, 37, &after));
    EXPECT(after.player == BIT(27));
    EXPECT(after.opponent == (BIT(28) | BIT(35) | BIT(36) | BIT(37)));
    OK(outflank_board_play(PASS, OUTFLANK_PASS, &after));
    EXPECT(after.player == 1 && after.opponent == 2);
    OK(outflank_board_read("---------------------------OX------XO--------------------------- O", &read));
    EXPECT(read.player == start.opponent && read.opponent == start.player);

    EXPECT(strcmp(outflank_ply_name(0), "A1") == 0);
    EXPECT(strcmp(outflank_ply_name(37), "F5") == 0);
    EXPECT(strcmp(outflank_ply_name(63), "H8") == 0);
    EXPECT(strcmp(outflank_ply_name(OUTFLANK_PASS), "PS") == 0);
    EXPECT(strcmp(outflank_ply_name(OUTFLANK_NONE), "--") == 0);

    squares = 7;
    FAILS(NULL, "moves is a null pointer", outflank_legal_moves(start, NULL));
    FAILS(NULL, "flipped", outflank_flip(start, 37, NULL));
    FAILS(NULL, "after", outflank_board_play(start, 37, NULL));
    FAILS(NULL, "squares", outflank_board_read(NULL, &read));
    FAILS(NULL, "board", outflank_board_read(FFO_1, NULL));
    FAILS(BOARD, "both sides hold B1", outflank_legal_moves(BOTH, &squares));
    FAILS(BOARD, "both sides hold B1", outflank_flip(BOTH, 5, &squares));
    FAILS(BOARD, "both sides hold B1", outflank_board_play(BOTH, 5, &after));
    FAILS(BOARD, "a board with discs", outflank_legal_moves(EMPTY, &squares));
    FAILS(BOARD, "a board with discs, found an empty one",
          outflank_board_read("---------------------------------------------------------------- X", &read));
    FAILS(BOARD, "64 squares", outflank_board_read("-X", &read));
    FAILS(ARGUMENT, "UTF-8", outflank_board_read("\xff", &read));
    FAILS(ARGUMENT, "64 is no square", outflank_flip(start, OUTFLANK_PASS, &squares));
    FAILS(ARGUMENT, "65 is no ply", outflank_board_play(start, 65, &after));
    FAILS(MOVE, "A1 is not legal", outflank_board_play(start, 0, &after));
    FAILS(MOVE, "a pass is not legal", outflank_board_play(start, OUTFLANK_PASS, &after));
    EXPECT(squares == 7);
}

static void test_engine_options(const char *weights, const char *no_weights)
{
    OutflankEngine *engine = NULL;
    OutflankOptions options = {0};

    FAILS(NULL, "engine", outflank_engine_new(NULL, NULL));
    options.isa = "v9";
    FAILS(ISA, "v9", outflank_engine_new(&options, &engine));
    options.isa = "simd128";
    FAILS(ISA, "this CPU lacks", outflank_engine_new(&options, &engine));
    options.isa = "\xff";
    FAILS(ARGUMENT, "isa is not UTF-8", outflank_engine_new(&options, &engine));
    options.isa = "portable";
    options.threads = 513;
    FAILS(ARGUMENT, "513 threads", outflank_engine_new(&options, &engine));
    options.threads = 2;
    options.hash_mib = 4000000000u;
    FAILS(MEMORY, "4000000000 MiB", outflank_engine_new(&options, &engine));
    options.hash_mib = 1;
    options.weights = no_weights;
    FAILS(WEIGHTS, no_weights, outflank_engine_new(&options, &engine));
    EXPECT(engine == NULL);
    options.weights = weights;
    OK(outflank_engine_new(&options, &engine));
    EXPECT(strcmp(outflank_engine_isa(engine), "portable") == 0);
    OK(outflank_engine_destroy(engine));
    OK(outflank_engine_destroy(NULL));
    EXPECT(outflank_engine_isa(NULL) == NULL);
}

/* Reports of a search. */
struct Reports {
    OutflankEngine *engine;
    unsigned count;
    uint32_t depth;
    unsigned stop_after;
};

static void report(const OutflankResult *so_far, void *user)
{
    struct Reports *reports = user;
    OutflankLimits limits = outflank_limits_exact();
    OutflankResult inner;

    reports->count++;
    reports->depth = so_far->depth;
    EXPECT(so_far->line_length == 0 || so_far->line[0] == so_far->best);
    /* Calls that would disturb the search of the callback are refused. */
    FAILS(BUSY, "searching", outflank_engine_search(reports->engine, &limits, NULL, NULL, &inner));
    FAILS(BUSY, "searching", outflank_engine_set_board(reports->engine, outflank_board_start()));
    FAILS(BUSY, "searching", outflank_engine_clear(reports->engine));
    FAILS(BUSY, "searching", outflank_engine_destroy(reports->engine));
    if (reports->count == reports->stop_after)
        outflank_engine_stop(reports->engine);
}

static void test_search(OutflankEngine *engine)
{
    OutflankBoard board;
    OutflankLimits limits = outflank_limits_exact();
    OutflankResult result;
    struct Reports reports = {engine, 0, 0, 0};
    uint64_t nodes;

    EXPECT(limits.depth == 64 && limits.selectivity == 100 && limits.alpha == -64);
    EXPECT(outflank_limits_level(21, 31).selectivity == 73);
    OK(outflank_board_read(FFO_1, &board));
    OK(outflank_engine_set_board(engine, board));
    OK(outflank_engine_search(engine, &limits, report, &reports, &result));
    EXPECT(result.score == 18 && result.bound == OUTFLANK_BOUND_EXACT);
    EXPECT(result.complete && result.depth == 14 && result.selectivity == 100);
    EXPECT(result.best == 62 && result.line_length >= 14 && result.line[0] == 62);
    EXPECT(result.nodes > 0 && result.candidate_count == 0);
    EXPECT(reports.count > 1 && reports.depth == 14);
    nodes = result.nodes;

    /* The line has legal plies, and ends with the score of the result. */
    for (size_t i = 0; i < result.line_length; i++)
        OK(outflank_board_play(board, result.line[i], &board));
    OK(outflank_engine_set_board(engine, board));
    OK(outflank_engine_search(engine, &limits, NULL, NULL, &result));
    EXPECT(result.best == OUTFLANK_NONE && result.line_length == 0);
    EXPECT(result.score == 18 || result.score == -18);

    /* A cleared engine searches as many nodes as a new one. */
    OK(outflank_board_read(FFO_1, &board));
    OK(outflank_engine_set_board(engine, board));
    OK(outflank_engine_clear(engine));
    OK(outflank_engine_search(engine, &limits, NULL, NULL, &result));
    EXPECT(result.nodes == nodes);

    /* Several lines. */
    limits.lines = 3;
    OK(outflank_engine_search(engine, &limits, NULL, NULL, &result));
    EXPECT(result.candidate_count == 3);
    EXPECT(result.candidates[0].ply == 62 && result.candidates[0].score == 18);
    EXPECT(result.candidates[1].ply == 7 && result.candidates[1].score == 12);
    for (size_t i = 0; i < 3; i++)
        EXPECT(result.candidates[i].line[0] == result.candidates[i].ply);

    /* A window, plies, a pass. */
    limits = outflank_limits_exact();
    limits.alpha = -1;
    limits.beta = 1;
    OK(outflank_engine_search(engine, &limits, NULL, NULL, &result));
    EXPECT(result.score >= 1 && result.bound == OUTFLANK_BOUND_LOWER);
    EXPECT(result.best != OUTFLANK_NONE && result.line_length > 0);
    /* Moves that fail low are left out. If all do, there is no best move. */
    limits.lines = 3;
    limits.alpha = 20;
    limits.beta = 30;
    OK(outflank_engine_search(engine, &limits, NULL, NULL, &result));
    EXPECT(result.score <= 20 && result.bound == OUTFLANK_BOUND_UPPER && result.complete);
    EXPECT(result.best == OUTFLANK_NONE && result.line_length == 0 && result.candidate_count == 0);
    limits.alpha = 14;
    OK(outflank_engine_search(engine, &limits, NULL, NULL, &result));
    EXPECT(result.score == 18 && result.best == 62 && result.candidate_count == 1);
    OK(outflank_engine_set_board(engine, outflank_board_start()));
    limits = outflank_limits_depth(4, 73);
    OK(outflank_engine_search(engine, &limits, NULL, NULL, &result));
    EXPECT(result.depth == 4 && result.complete && result.line_length == 4);
    /* Extreme numbers. */
    OK(outflank_engine_set_board(engine, outflank_board_start()));
    limits.lines = UINT32_MAX;
    limits.nodes = limits.time_ms = UINT64_MAX;
    OK(outflank_engine_search(engine, &limits, NULL, NULL, &result));
    EXPECT(result.complete && result.candidate_count == 4);
    OK(outflank_engine_set_board(engine, PASS));
    limits = outflank_limits_exact();
    OK(outflank_engine_search(engine, &limits, NULL, NULL, &result));
    EXPECT(result.best == OUTFLANK_PASS && result.score == -64);

    /* Unreachable boards are searched, invalid ones are not. */
    OutflankBoard full = {UINT64_MAX, 0};
    OK(outflank_engine_set_board(engine, full));
    OK(outflank_engine_search(engine, &limits, NULL, NULL, &result));
    EXPECT(result.score == 64 && result.best == OUTFLANK_NONE);
    FAILS(BOARD, "a board with discs", outflank_engine_set_board(engine, EMPTY));
    FAILS(BOARD, "both sides hold B1", outflank_engine_set_board(engine, BOTH));

    FAILS(NULL, "engine", outflank_engine_search(NULL, &limits, NULL, NULL, &result));
    FAILS(NULL, "limits is a null", outflank_engine_search(engine, NULL, NULL, NULL, &result));
    FAILS(NULL, "result", outflank_engine_search(engine, &limits, NULL, NULL, NULL));
    FAILS(NULL, "engine", outflank_engine_set_board(NULL, full));
    FAILS(NULL, "engine", outflank_engine_clear(NULL));
    limits = outflank_limits_depth(4, 74);
    FAILS(ARGUMENT, "unlike 74", outflank_engine_search(engine, &limits, NULL, NULL, &result));
    limits = outflank_limits_exact();
    limits.alpha = 64;
    FAILS(ARGUMENT, "window", outflank_engine_search(engine, &limits, NULL, NULL, &result));
}

static void *stop(void *engine)
{
    outflank_engine_stop(engine);
    return NULL;
}

static void test_stops(OutflankEngine *engine)
{
    OutflankLimits limits = outflank_limits_exact();
    OutflankResult result;
    struct Reports reports = {engine, 0, 0, 2};
    pthread_t thread;

    /* A callback ends a search that would take years. */
    OK(outflank_engine_set_board(engine, outflank_board_start()));
    OK(outflank_engine_search(engine, &limits, report, &reports, &result));
    EXPECT(!result.complete && result.depth < 60 && reports.count == 2);
    outflank_engine_resume(engine);
    /* Another thread ends it, before the search or during it. */
    EXPECT(pthread_create(&thread, NULL, stop, engine) == 0);
    OK(outflank_engine_search(engine, &limits, NULL, NULL, &result));
    EXPECT(!result.complete);
    EXPECT(pthread_join(thread, NULL) == 0);
    outflank_engine_resume(engine);
    /* Limits end it. */
    limits.nodes = 1000;
    OK(outflank_engine_search(engine, &limits, NULL, NULL, &result));
    EXPECT(!result.complete);
    limits.nodes = 0;
    limits.time_ms = 20;
    OK(outflank_engine_search(engine, &limits, NULL, NULL, &result));
    EXPECT(!result.complete && result.time_us >= 20000);
    outflank_engine_stop(NULL);
    outflank_engine_resume(NULL);
}

static void test_books(const char *no_book)
{
    OutflankBoard start = outflank_board_start(), after;
    OutflankBookOptions options = {2, 4, 7};
    OutflankBook *book = NULL;
    OutflankBookMove moves[OUTFLANK_MAX_MOVES], chosen, again;
    size_t count = 99;
    int picks[64] = {0}, different = 0;

    OK(outflank_book_open(NULL, &options, &book));
    OK(outflank_book_moves(book, start, moves, &count));
    EXPECT(count == 4);
    for (size_t i = 0; i < count; i++)
        EXPECT(moves[i].score == moves[0].score && moves[i].depth > 0 && moves[i].selectivity >= 73);
    for (int i = 0; i < 100; i++) {
        OK(outflank_book_choose(book, start, &chosen));
        EXPECT(chosen.ply < 64 && chosen.score == moves[0].score);
        different += picks[chosen.ply]++ == 0;
    }
    EXPECT(different == 4);
    OK(outflank_board_play(start, 37, &after));
    OK(outflank_book_moves(book, after, moves, &count));
    EXPECT(count > 0 && count <= 3 && moves[count - 1].score <= moves[0].score);
    OK(outflank_book_destroy(book));

    OK(outflank_book_open(NULL, &options, &book));
    OK(outflank_book_choose(book, start, &chosen));
    OK(outflank_book_destroy(book));
    OK(outflank_book_open(NULL, &options, &book));
    OK(outflank_book_choose(book, start, &again));
    EXPECT(chosen.ply == again.ply);
    OK(outflank_book_moves(book, PASS, moves, &count));
    EXPECT(count == 0);
    OK(outflank_book_choose(book, PASS, &chosen));
    EXPECT(chosen.ply == OUTFLANK_NONE);
    FAILS(BOARD, "hold", outflank_book_choose(book, BOTH, &chosen));
    FAILS(NULL, "moves", outflank_book_moves(book, start, NULL, &count));
    FAILS(NULL, "count", outflank_book_moves(book, start, moves, NULL));
    FAILS(NULL, "chosen", outflank_book_choose(book, start, NULL));
    FAILS(NULL, "book", outflank_book_choose(NULL, start, &chosen));
    OK(outflank_book_destroy(book));
    OK(outflank_book_destroy(NULL));
    FAILS(NULL, "book", outflank_book_open(NULL, NULL, NULL));
    FAILS(BOOK, "expected an opening book", outflank_book_open(no_book, NULL, &book));
    FAILS(BOOK, "none.book: No such file", outflank_book_open("none.book", NULL, &book));
    options.tolerance = 65;
    FAILS(ARGUMENT, "0 to 64 discs, unlike 65", outflank_book_open(NULL, &options, &book));
}

int main(int argc, char **argv)
{
    OutflankEngine *engine;
    OutflankOptions options = {0};

    if (argc != 3)
        return EXIT_FAILURE;
    EXPECT(strcmp(outflank_last_error(), "") == 0);
    EXPECT(strcmp(outflank_version(), OUTFLANK_VERSION) == 0);
    EXPECT(outflank_version_number() == OUTFLANK_VERSION_NUMBER);
    EXPECT(OUTFLANK_VERSION_NUMBER == OUTFLANK_VERSION_MAJOR * 1000000 + OUTFLANK_VERSION_MINOR * 1000
               + OUTFLANK_VERSION_PATCH);
    test_messages();
    test_rules();
    test_games(argv[2]);
    test_engine_options(argv[1], argv[2]);
    test_books(argv[2]);
    options.hash_mib = 1;
    OK(outflank_engine_new(&options, &engine));
    test_search(engine);
    test_analysis(engine, argv[1]);
    OK(outflank_engine_destroy(engine));
    options.threads = 2;
    OK(outflank_engine_new(&options, &engine));
    test_stops(engine);
    printf("all is well at %s\n", outflank_engine_isa(engine));
    OK(outflank_engine_destroy(engine));
    return EXIT_SUCCESS;
}
