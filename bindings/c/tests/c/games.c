/* Calls the functions for games, analyses and messages with valid and invalid arguments. */

#include <pthread.h>

#include "expect.h"

void test_games(const char *no_game)
{
    OutflankBoard start = outflank_board_start(), board, expected;
    OutflankGame *game = NULL, *copy = NULL;
    OutflankGames *several = NULL;
    uint8_t plies[OUTFLANK_MAX_PLIES], side = 9, undone = 9;
    size_t count = 99, length = 99;
    bool known = true;
    int32_t score = 99;
    char text[2000], small[4];

    /* A game is made, played and taken back. */
    OK(outflank_game_new(NULL, 0, &game));
    OK(outflank_game_position(game, 0, &board, &side));
    EXPECT(board.player == start.player && board.opponent == start.opponent && side == OUTFLANK_BLACK);
    OK(outflank_game_undo(game, &undone));
    EXPECT(undone == OUTFLANK_NONE);
    FAILS(GAME, "a game without moves", outflank_game_write_transcript(game, text, sizeof text, &length));
    OK(outflank_game_play(game, 37));
    OK(outflank_game_play(game, 43));
    FAILS(MOVE, "move 3, A1, is not legal: black flips no disc there", outflank_game_play(game, 0));
    FAILS(MOVE, "a pass, is not legal", outflank_game_play(game, OUTFLANK_PASS));
    FAILS(ARGUMENT, "65 is no ply", outflank_game_play(game, 65));
    OK(outflank_game_plies(game, plies, &count));
    EXPECT(count == 2 && plies[0] == 37 && plies[1] == 43);
    OK(outflank_board_play(start, 37, &expected));
    OK(outflank_game_position(game, 1, &board, &side));
    EXPECT(board.player == expected.player && board.opponent == expected.opponent && side == OUTFLANK_WHITE);
    FAILS(ARGUMENT, "index 3 is out of range: there are 3", outflank_game_position(game, 3, &board, &side));
    OK(outflank_game_undo(game, &undone));
    EXPECT(undone == 43);
    OK(outflank_game_score(game, &known, &score));
    EXPECT(!known && score == 0);

    /* Texts are cut as by snprintf(). */
    OK(outflank_game_play(game, 43));
    OK(outflank_game_write_transcript(game, small, sizeof small, &length));
    EXPECT(length == 4 && strcmp(small, "f5d") == 0);
    OK(outflank_game_write_transcript(game, NULL, 0, &length));
    EXPECT(length == 4);
    OK(outflank_game_write_transcript(game, text, 5, &length));
    EXPECT(length == 4 && strcmp(text, "f5d6") == 0);
    FAILS(NULL, "transcript", outflank_game_write_transcript(game, NULL, 1, &length));
    FAILS(NULL, "length", outflank_game_write_ggf(game, text, sizeof text, NULL));

    /* Properties are kept in GGF. */
    OK(outflank_game_set_property(game, "PB", "Zo\xc3\xab [a]"));
    OK(outflank_game_set_property(game, "RE", "+12.000"));
    FAILS(ARGUMENT, "cannot be the name of a property", outflank_game_set_property(game, "GM", "x"));
    FAILS(ARGUMENT, "value is not UTF-8", outflank_game_set_property(game, "PB", "\xff"));
    OK(outflank_game_write_ggf(game, text, sizeof text, &length));
    EXPECT(strlen(text) == length && strstr(text, "B[F5]W[D6]") != NULL);
    OK(outflank_game_read(text, &copy));
    OK(outflank_game_property(copy, "PB", text, sizeof text, &length));
    EXPECT(length == 8 && strcmp(text, "Zo\xc3\xab [a]") == 0);
    OK(outflank_game_property(copy, "PB", small, sizeof small, &length));
    EXPECT(length == 8 && strcmp(small, "Zo") == 0);
    OK(outflank_game_property(copy, "PW", text, sizeof text, &length));
    EXPECT(length == 0 && strcmp(text, "") == 0);
    OK(outflank_game_score(copy, &known, &score));
    EXPECT(known && score == 12);
    OK(outflank_game_plies(copy, plies, &count));
    EXPECT(count == 2 && plies[1] == 43);
    OK(outflank_game_destroy(copy));
    OK(outflank_game_destroy(game));
    OK(outflank_game_destroy(NULL));

    /* A game from another start. A pass is a ply, and is inserted where it is due. Black has A1 and moves; white has
     * B1. */
    OK(outflank_game_new(&PASS, OUTFLANK_BLACK, &game));
    OK(outflank_game_play(game, OUTFLANK_PASS));
    OK(outflank_game_play(game, 2));
    OK(outflank_game_plies(game, plies, &count));
    EXPECT(count == 2 && plies[0] == OUTFLANK_PASS && plies[1] == 2);
    OK(outflank_game_score(game, &known, &score));
    EXPECT(known && score == -64);
    FAILS(GAME, "another starting position", outflank_game_write_transcript(game, text, sizeof text, &length));
    OK(outflank_game_destroy(game));
    FAILS(ARGUMENT, "unlike 2", outflank_game_new(&PASS, 2, &game));
    FAILS(BOARD, "both sides hold B1", outflank_game_new(&BOTH, OUTFLANK_WHITE, &game));
    FAILS(BOARD, "a board with discs", outflank_game_new(&EMPTY, OUTFLANK_WHITE, &game));

    /* Several games of a file: an unreadable one has an error, the others are read. */
    static const char FILE_OF_GAMES[] = "f5d6c3\nf5f5\nf5f6 % tiger\n";
    const uint8_t *bytes = (const uint8_t *)FILE_OF_GAMES;
    OK(outflank_games_read(bytes, strlen(FILE_OF_GAMES), &several, &count));
    EXPECT(count == 3);
    FAILS(GAME, "move 2, F5, is not legal", outflank_games_get(several, 1, &game));
    FAILS(ARGUMENT, "index 3 is out of range: there are 3", outflank_games_get(several, 3, &game));
    OK(outflank_games_get(several, 2, &game));
    OK(outflank_games_destroy(several));
    OK(outflank_games_destroy(NULL));
    OK(outflank_game_plies(game, plies, &count));
    EXPECT(count == 2 && plies[1] == 45);
    OK(outflank_game_destroy(game));
    FAILS(GAME, "move 2, F5, is not legal", outflank_game_read(FILE_OF_GAMES, &game));
    FAILS(GAME, "neither games nor positions", outflank_game_read("", &game));
    FAILS(GAME, "neither games nor positions", outflank_games_read(bytes, 0, &several, &count));
    FAILS(GAME, "expected", outflank_game_read(no_game, &game));
    FAILS(GAME, "expected one position or game, found several", outflank_game_read("f5d6\nf5f6", &game));
    OK(outflank_game_read(FFO_1, &game));
    OK(outflank_game_position(game, 0, &board, &side));
    OK(outflank_board_read(FFO_1, &expected));
    EXPECT(board.player == expected.player && board.opponent == expected.opponent && side == OUTFLANK_BLACK);
    OK(outflank_game_destroy(game));

    FAILS(NULL, "game", outflank_game_new(NULL, 0, NULL));
    FAILS(NULL, "game_text", outflank_game_read(NULL, &game));
    FAILS(NULL, "game", outflank_game_play(NULL, 1));
    FAILS(NULL, "game", outflank_game_undo(NULL, &undone));
    FAILS(NULL, "game", outflank_game_plies(NULL, plies, &count));
    FAILS(NULL, "game", outflank_game_position(NULL, 0, &board, &side));
    FAILS(NULL, "game", outflank_game_score(NULL, &known, &score));
    FAILS(NULL, "game", outflank_game_property(NULL, "PB", text, sizeof text, &length));
    FAILS(NULL, "bytes", outflank_games_read(NULL, 1, &several, &count));
    FAILS(NULL, "games", outflank_games_get(NULL, 0, &game));
}

/* Reports of an analysis. */
struct Judgements {
    OutflankEngine *engine;
    OutflankGame *to_undo;
    unsigned count, stop_after;
    uint32_t last;
};

static void judged(const OutflankJudgement *judgement, void *user)
{
    struct Judgements *judgements = user;
    double value;
    uint8_t undone;

    EXPECT(judgements->count == 0 || judgement->number + 1 == judgements->last);
    judgements->last = judgement->number;
    FAILS(BUSY, "searching",
          outflank_engine_static_value(judgements->engine, judgement->board, &value));
    FAILS(BUSY, "searching", outflank_engine_destroy(judgements->engine));
    if (judgements->to_undo != NULL)
        OK(outflank_game_undo(judgements->to_undo, &undone));
    if (++judgements->count == judgements->stop_after)
        outflank_engine_stop(judgements->engine);
}

void test_analysis(OutflankEngine *engine, const char *weights)
{
    OutflankJudgement moves[OUTFLANK_MAX_MOVES];
    OutflankStrength strength = outflank_strength_depth(6, 100);
    OutflankGame *game;
    OutflankBook *book;
    struct Judgements judgements = {engine, NULL, 0, 0, 0};
    size_t count = 99;
    double value = 99, other = 99;
    OutflankBoard board;

    /* The fourth move loses discs. */
    OK(outflank_game_read("f5d6c6b6", &game));
    OK(outflank_engine_analyze(engine, game, &strength, NULL, judged, &judgements, moves, &count));
    EXPECT(count == 4 && judgements.count == 4 && judgements.last == 1);
    for (size_t i = 0; i < count; i++) {
        EXPECT(moves[i].number == i + 1 && moves[i].side == (i % 2 ? OUTFLANK_WHITE : OUTFLANK_BLACK));
        EXPECT(moves[i].loss == moves[i].best_score - moves[i].score && moves[i].loss >= 0);
        EXPECT(moves[i].depth == 6 && moves[i].selectivity == 100 && !moves[i].exact && !moves[i].from_book);
        EXPECT((moves[i].loss >= 3) == (moves[i].mark != OUTFLANK_MARK_GOOD));
    }
    EXPECT(moves[0].played == 37 && moves[0].best == 37 && moves[0].loss == 0);
    EXPECT(moves[3].played == 41 && moves[3].best != 41 && moves[3].loss > 0);

    /* After a stop only the last moves are judged. A book knows the first ones. */
    judgements = (struct Judgements){engine, NULL, 0, 2, 0};
    OK(outflank_engine_analyze(engine, game, &strength, NULL, judged, &judgements, moves, &count));
    EXPECT(count == 2 && moves[0].number == 3 && moves[1].number == 4);
    outflank_engine_resume(engine);
    OK(outflank_book_open(NULL, NULL, &book));
    strength = outflank_strength_level(1);
    OK(outflank_engine_analyze(engine, game, &strength, book, NULL, NULL, moves, &count));
    EXPECT(count == 4 && moves[0].from_book && moves[0].loss == 0);
    OK(outflank_book_destroy(book));
    /* The callback may change the game. */
    judgements = (struct Judgements){engine, game, 0, 0, 0};
    OK(outflank_engine_analyze(engine, game, &strength, NULL, judged, &judgements, moves, &count));
    EXPECT(count == 4 && judgements.count == 4 && judgements.last == 1);
    OK(outflank_game_destroy(game));
    OK(outflank_game_read("f5d6c6b6", &game));
    FAILS(NULL, "strength", outflank_engine_analyze(engine, game, NULL, NULL, NULL, NULL, moves, &count));
    FAILS(NULL, "moves", outflank_engine_analyze(engine, game, &strength, NULL, NULL, NULL, NULL, &count));
    FAILS(NULL, "count", outflank_engine_analyze(engine, game, &strength, NULL, NULL, NULL, moves, NULL));
    strength = outflank_strength_depth(6, 74);
    FAILS(ARGUMENT, "unlike 74", outflank_engine_analyze(engine, game, &strength, NULL, NULL, NULL, moves, &count));
    OK(outflank_game_destroy(game));

    /* Perfect play at the end of a game. */
    OK(outflank_board_read(FFO_1, &board));
    OK(outflank_game_new(&board, OUTFLANK_BLACK, &game));
    OK(outflank_game_play(game, 7));
    strength = outflank_strength_depth(64, 100);
    OK(outflank_engine_analyze(engine, game, &strength, NULL, NULL, NULL, moves, &count));
    EXPECT(count == 1 && moves[0].exact && moves[0].best == 62 && moves[0].best_score == 18);
    EXPECT(moves[0].score == 12 && moves[0].loss == 6 && moves[0].mark == OUTFLANK_MARK_MISTAKE);
    OK(outflank_game_destroy(game));

    /* Static values equal those of a search of 0 plies, up to rounding. Equal weights give equal values. */
    OK(outflank_engine_static_value(engine, board, &value));
    EXPECT(value > -64 && value < 64);
    OutflankOptions options = {0};
    OutflankEngine *second;
    options.weights = weights;
    OK(outflank_engine_new(&options, &second));
    OK(outflank_engine_static_value(second, board, &other));
    EXPECT(value == other);
    OK(outflank_engine_destroy(second));
    OutflankLimits limits = outflank_limits_depth(0, 100);
    OutflankResult result;
    OK(outflank_engine_set_board(engine, board));
    OK(outflank_engine_search(engine, &limits, NULL, NULL, &result));
    EXPECT(result.score - value <= 0.5 && value - result.score <= 0.5);
    FAILS(BOARD, "both sides hold B1", outflank_engine_static_value(engine, BOTH, &value));
    FAILS(NULL, "value", outflank_engine_static_value(engine, board, NULL));
}

/* Fails a call and returns the message, which outlives this thread. */
static void *fail(void *unused)
{
    outflank_board_read(NULL, NULL);
    (void)unused;
    return (void *)outflank_last_error();
}

/* A pointer to a message stays valid: after the next error, and after the thread. */
void test_messages(void)
{
    const char *first = outflank_last_error();
    OutflankBoard read;
    pthread_t thread;
    void *other = NULL;
    char name[20000];
    OutflankBook *book;

    FAILS(BOARD, "64 squares", outflank_board_read("-X", &read));
    EXPECT(strstr(first, "64 squares") != NULL);
    FAILS(NULL, "squares", outflank_board_read(NULL, &read));
    EXPECT(strstr(first, "squares is a null pointer") != NULL && first == outflank_last_error());
    for (int i = 0; i < 100; i++) {
        EXPECT(pthread_create(&thread, NULL, fail, NULL) == 0);
        EXPECT(pthread_join(thread, &other) == 0);
        EXPECT(other != NULL && strlen(other) < 100);
    }
    EXPECT(strstr(first, "squares is a null pointer") != NULL);
    /* A message is terminated, even for a very long name. */
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    EXPECT(outflank_book_open(name, NULL, &book) == OUTFLANK_STATUS_BOOK);
    EXPECT(strlen(first) > 5000 && strlen(first) < 10000);
}
