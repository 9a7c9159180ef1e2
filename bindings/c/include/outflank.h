/* Outflank, an Othello core: the C interface.
 *
 * Every call that can fail returns an OutflankStatus, and outflank_last_error() has a message in one line.
 * Null pointers and invalid values are errors. The library cannot test the preconditions (@pre): a call
 * that violates them is undefined. One thread at a time may use an engine or change a game. Any thread may
 * call outflank_engine_stop() and outflank_engine_resume() at any time. Different engines and games are
 * independent.
 *
 * docs/guide/c.md says how to build and link, with examples.
 *
 * Written by cbindgen from bindings/c/src; do not edit.
 */

#ifndef OUTFLANK_H
#define OUTFLANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Version of this header; outflank_version() returns that of the library.
 */
#define OUTFLANK_VERSION "0.1.0"
#define OUTFLANK_VERSION_MAJOR 0
#define OUTFLANK_VERSION_MINOR 1
#define OUTFLANK_VERSION_PATCH 0

/**
 * Version as one number for comparisons: major * 1000000 + minor * 1000 + patch.
 */
#define OUTFLANK_VERSION_NUMBER \
  (OUTFLANK_VERSION_MAJOR * 1000000 + OUTFLANK_VERSION_MINOR * 1000 + OUTFLANK_VERSION_PATCH)

/**
 * Ply number of a pass. Squares are 0 (A1), 1 (B1), ... 63 (H8).
 */
#define OUTFLANK_PASS 64

/**
 * Absence of a ply, such as the best move of a finished game.
 */
#define OUTFLANK_NONE 255

/**
 * Maximum number of moves of a position or a game: the size of the arrays for outflank_book_moves() and
 * outflank_engine_analyze().
 */
#define OUTFLANK_MAX_MOVES 64

/**
 * Default size of a hash table in MiB.
 */
#define OUTFLANK_DEFAULT_HASH_MIB 256

/**
 * Black, the first side to move from the usual start.
 */
#define OUTFLANK_BLACK 0

/**
 * White.
 */
#define OUTFLANK_WHITE 1

/**
 * Maximum number of plies of a game: OUTFLANK_MAX_MOVES moves, and a pass before each.
 */
#define OUTFLANK_MAX_PLIES 128

/**
 * Status of a call. outflank_last_error() explains a failure. A failed call changes nothing and writes nothing to the
 * caller's memory, unless its status is OUTFLANK_STATUS_FAULT.
 */
typedef enum {
  /**
   * The call succeeded.
   */
  OUTFLANK_STATUS_OK = 0,
  /**
   * A required pointer is null.
   */
  OUTFLANK_STATUS_NULL = 1,
  /**
   * A string, a number or a file name is invalid. The message names it and the reason.
   */
  OUTFLANK_STATUS_ARGUMENT = 2,
  /**
   * A board has no discs or a square that both sides hold, or a string is no board.
   */
  OUTFLANK_STATUS_BOARD = 3,
  /**
   * The move is not legal.
   */
  OUTFLANK_STATUS_MOVE = 4,
  /**
   * There is no such instruction-set level, or this CPU lacks it.
   */
  OUTFLANK_STATUS_ISA = 5,
  /**
   * The hash table does not fit in memory.
   */
  OUTFLANK_STATUS_MEMORY = 6,
  /**
   * The file of weights cannot be read.
   */
  OUTFLANK_STATUS_WEIGHTS = 7,
  /**
   * The engine is searching. Wait until the search ends.
   */
  OUTFLANK_STATUS_BUSY = 8,
  /**
   * A defect of the library ended the call. The engine or game of the call can only be destroyed.
   */
  OUTFLANK_STATUS_FAULT = 9,
  /**
   * The file is no opening book, is damaged, or cannot be read.
   */
  OUTFLANK_STATUS_BOOK = 10,
  /**
   * A game cannot be read, or the output format cannot represent it.
   */
  OUTFLANK_STATUS_GAME = 11,
} OutflankStatus;

/**
 * Severity of a loss.
 */
typedef enum {
  /**
   * Fewer than 3 discs.
   */
  OUTFLANK_MARK_GOOD = 0,
  /**
   * 3 to 5 discs.
   */
  OUTFLANK_MARK_INACCURATE = 1,
  /**
   * 6 to 11 discs.
   */
  OUTFLANK_MARK_MISTAKE = 2,
  /**
   * 12 discs or more.
   */
  OUTFLANK_MARK_BLUNDER = 3,
} OutflankMark;

/**
 * Relation of a reported score to the true one.
 */
typedef enum {
  /**
   * The score is exact within the depth and selectivity of the search.
   */
  OUTFLANK_BOUND_EXACT = 0,
  /**
   * The true score is at least this: the search failed high.
   */
  OUTFLANK_BOUND_LOWER = 1,
  /**
   * The true score is at most this: the search failed low. If complete, it has no best move, line or candidate.
   */
  OUTFLANK_BOUND_UPPER = 2,
} OutflankBound;

/**
 * Opening book, open for reading. Opaque.
 */
typedef struct OutflankBook OutflankBook;

/**
 * Engine, which searches one position at a time. Opaque.
 */
typedef struct OutflankEngine OutflankEngine;

/**
 * Game with its properties, as in GGF: players, date and others. Opaque.
 */
typedef struct OutflankGame OutflankGame;

/**
 * Games of a file. Opaque.
 */
typedef struct OutflankGames OutflankGames;

/**
 * Strength of an analysis. Begin with outflank_strength_level() or outflank_strength_depth().
 */
typedef struct {
  /**
   * True if the strength is the level. Otherwise it is depth and selectivity.
   */
  bool by_level;
  /**
   * Level of Edax, 0 to 60; larger values count as 60.
   */
  uint32_t level;
  /**
   * Depth in plies. A depth of at least the number of empty squares reaches the end of the game.
   */
  uint32_t depth;
  /**
   * Confidence of selective cuts in percent: 73, 87, 95, 98, 99, or 100 for none.
   */
  uint32_t selectivity;
} OutflankStrength;

/**
 * Position as two bitboards: the discs of the side to move, and those of the other side. A1 is bit 0, B1 bit 1, H8 bit 63.
 */
typedef struct {
  /**
   * Discs of the side to move.
   */
  uint64_t player;
  /**
   * Discs of the other side.
   */
  uint64_t opponent;
} OutflankBoard;

/**
 * Move of a game, compared with the best one of its position. Scores are discs for the side that moved, -64 to 64.
 */
typedef struct {
  /**
   * Number of the move in the game, from 1; passes do not count.
   */
  uint32_t number;
  /**
   * Board before the move, the discs of its side first.
   */
  OutflankBoard board;
  /**
   * Side that moved: OUTFLANK_BLACK or OUTFLANK_WHITE.
   */
  uint8_t side;
  /**
   * Played move, 0 to 63.
   */
  uint8_t played;
  /**
   * Best move, 0 to 63. It is the played move if no other is better.
   */
  uint8_t best;
  /**
   * Score after the played move, with best play by both sides.
   */
  int32_t score;
  /**
   * Score after the best move. It is never less than score.
   */
  int32_t best_score;
  /**
   * Discs that the move lost: best_score - score, 0 to 128.
   */
  int32_t loss;
  /**
   * Severity of the loss.
   */
  OutflankMark mark;
  /**
   * Depth of the search in plies. The number of empty squares means the end of the game.
   */
  uint32_t depth;
  /**
   * Confidence of the selective cuts, in percent.
   */
  uint32_t selectivity;
  /**
   * True if both scores are those of perfect play.
   */
  bool exact;
  /**
   * True if both scores are those of the opening book.
   */
  bool from_book;
} OutflankJudgement;

/**
 * Function that receives each judgement of an analysis as soon as it is made, and the user pointer of the call. The
 * judgement is valid until the function returns. The function runs on the thread of the analysis. It must neither
 * throw an exception nor leave by longjmp(). It may call outflank_engine_stop(). Functions that use the engine and
 * return a status, such as outflank_engine_destroy(), return OUTFLANK_STATUS_BUSY.
 */
typedef void (*OutflankJudged)(const OutflankJudgement *judgement, void *user);

/**
 * Options of the choice among book moves. "OutflankBookOptions options = {0};" allows only best moves.
 */
typedef struct {
  /**
   * Maximum loss of a move against the best one in discs, 0 to 64.
   */
  uint32_t tolerance;
  /**
   * Maximum loss of all book moves of a game in discs, 0 to 128.
   */
  uint32_t game_tolerance;
  /**
   * Seed of the random choice: equal seeds make equal choices.
   */
  uint64_t seed;
} OutflankBookOptions;

/**
 * Move of a book.
 */
typedef struct {
  /**
   * Move: 0 to 63, OUTFLANK_PASS, or OUTFLANK_NONE if the book has none.
   */
  uint8_t ply;
  /**
   * Score after the move in discs for the side that moves, -64 to 64.
   */
  int32_t score;
  /**
   * Depth of the score in plies: book moves from here, then the search that the score comes from.
   */
  uint32_t depth;
  /**
   * Confidence of the selective cuts of that search, in percent.
   */
  uint32_t selectivity;
} OutflankBookMove;

/**
 * Options of an engine. A member that is 0 or null takes its default. Begin with "OutflankOptions options = {0};".
 */
typedef struct {
  /**
   * Number of search threads, 1 to 512; 0 means 1. Each takes about a megabyte besides the hash table.
   */
  uint32_t threads;
  /**
   * Maximum size of the hash table in MiB; 0 means OUTFLANK_DEFAULT_HASH_MIB. The table grows during searches.
   */
  uint32_t hash_mib;
  /**
   * Path of a weights file in UTF-8, in Outflank's or Edax's format. Null means the built-in weights. A library that
   * was built without weights needs a file.
   */
  const char *weights;
  /**
   * Instruction-set level of the kernels: "portable", "v2", "v3", "adl", "v4", "icl", "neon". Null means the level in
   * the environment variable OUTFLANK_ISA or, without the variable, the best one of the CPU.
   */
  const char *isa;
} OutflankOptions;

/**
 * Limits of a search, and its window. Begin with outflank_limits_exact(), outflank_limits_depth() or
 * outflank_limits_level(), and change members as needed.
 */
typedef struct {
  /**
   * Depth in plies. A depth of at least the number of empty squares reaches the end of the game.
   */
  uint32_t depth;
  /**
   * Confidence of selective cuts in percent: 73, 87, 95, 98, 99, or 100 for none.
   */
  uint32_t selectivity;
  /**
   * Lower end of the window in discs. The search does not tell scores at or below alpha apart.
   */
  int32_t alpha;
  /**
   * Upper end of the window in discs, with -64 <= alpha < beta <= 64. The search does not tell scores at or above
   * beta apart. A window from -1 to 1 finds only the winner.
   */
  int32_t beta;
  /**
   * Number of best moves to find, each with its score; 0 means 1.
   */
  uint32_t lines;
  /**
   * Node limit, observed to within some ten thousand nodes for each thread; 0 means no limit. Positions with 12 or
   * fewer empty squares are solved regardless.
   */
  uint64_t nodes;
  /**
   * Time limit in milliseconds, observed to within a few milliseconds; 0 means no limit.
   */
  uint64_t time_ms;
} OutflankLimits;

/**
 * Move with its score and line.
 */
typedef struct {
  /**
   * Move: 0 to 63, or OUTFLANK_PASS.
   */
  uint8_t ply;
  /**
   * Score after the move in discs for the side that moves, -64 to 64.
   */
  int32_t score;
  /**
   * Relation of the score to the true one.
   */
  OutflankBound bound;
  /**
   * Principal variation of line_length plies, this move first.
   */
  const uint8_t *line;
  /**
   * Number of plies in line.
   */
  size_t line_length;
} OutflankCandidate;

/**
 * Result of a search. Its arrays belong to the engine.
 */
typedef struct {
  /**
   * Score in discs for the side to move, -64 to 64. At the end of the game empty squares go to the winner.
   */
  int32_t score;
  /**
   * Relation of the score to the true one.
   */
  OutflankBound bound;
  /**
   * Depth of the search in plies. The number of empty squares means the end of the game.
   */
  uint32_t depth;
  /**
   * Confidence of the selective cuts in percent. Searches too shallow for selective cuts report 100.
   */
  uint32_t selectivity;
  /**
   * True if the search reached its depth and selectivity. A stop, a node limit or a time limit ends it early. The
   * result is then that of the last complete depth, or a bound of the interrupted one.
   */
  bool complete;
  /**
   * Best move, 0 to 63, or OUTFLANK_PASS if the side to move has to pass. It is OUTFLANK_NONE if the game is over,
   * nothing was searched, or a complete search found an upper bound.
   */
  uint8_t best;
  /**
   * Nodes of all threads: positions that were reached by a move and searched. Positions that were only evaluated do
   * not count.
   */
  uint64_t nodes;
  /**
   * Wall-clock time in microseconds.
   */
  uint64_t time_us;
  /**
   * Principal variation of line_length plies, each 0 to 63 or OUTFLANK_PASS, the best move first.
   */
  const uint8_t *line;
  /**
   * Number of plies in line.
   */
  size_t line_length;
  /**
   * Best moves, the best first: candidate_count of them, if the limits ask for several lines. Moves that fail low
   * are left out.
   */
  const OutflankCandidate *candidates;
  /**
   * Number of candidates.
   */
  size_t candidate_count;
} OutflankResult;

/**
 * Function that receives intermediate results of a search, and the user pointer of the call. The result and its arrays
 * are valid until the function returns. The function runs on the thread of the search. It must neither throw an
 * exception nor leave by longjmp(). It may call outflank_engine_stop(). Functions that use the engine and return a
 * status, such as outflank_engine_destroy(), return OUTFLANK_STATUS_BUSY.
 */
typedef void (*OutflankProgress)(const OutflankResult *so_far, void *user);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns the version of the library: "0.1.0". The string is static: it is never freed.
 */
const char *outflank_version(void);

/**
 * Returns the version of the library as one number, for comparisons with OUTFLANK_VERSION_NUMBER of the header.
 */
uint32_t outflank_version_number(void);

/**
 * Returns the strength of a level of Edax, 0 to 60; larger values count as 60.
 */
OutflankStrength outflank_strength_level(uint32_t level);

/**
 * Returns the strength of searches of depth plies with the given selectivity in percent. 64 plies at 100 percent are
 * perfect play.
 */
OutflankStrength outflank_strength_depth(uint32_t depth,
                                         uint32_t selectivity);

/**
 * Judges every move of a game, from the last to the first. The engine's hash table is cleared; its board is kept.
 * Moves in the book get the scores of the book and are not searched. The book may be null. Each judgement is passed to
 * judged together with user, unless judged is null. At the end all judgements are written to moves in the order of the
 * game, and their number to count.
 *
 * The game and its book moves are read before the first judgement. If the book cannot be read, judged is not called.
 * The function judged may change the game.
 *
 * A stop is no error. The judgements then cover only the last moves of the game. The calling thread needs a stack of 2
 * MiB.
 *
 * @pre Each of engine, game and book is null, or was made by this library and was not destroyed. No other thread changes the game during
 * the call. The pointer strength is null or points to a strength. The function judged is null or can be called with user, and
 * destroys neither game nor book. The pointer moves is null or points to writable memory for OUTFLANK_MAX_MOVES
 * judgements. The pointer count is null or points to writable memory for a number.
 */
OutflankStatus outflank_engine_analyze(OutflankEngine *engine,
                                       const OutflankGame *game,
                                       const OutflankStrength *strength,
                                       OutflankBook *book,
                                       OutflankJudged judged,
                                       void *user,
                                       OutflankJudgement *moves,
                                       size_t *count);

/**
 * Writes the static value of a position in discs for the side to move, by the weights of the engine. Nothing is
 * searched: the call takes less than a microsecond.
 *
 * @pre engine is null, or comes from outflank_engine_new() and was not destroyed; value is null or points to writable memory for a
 * number.
 */
OutflankStatus outflank_engine_static_value(OutflankEngine *engine,
                                            OutflankBoard board,
                                            double *value);

/**
 * Returns the usual starting position of games, black to move.
 */
OutflankBoard outflank_board_start(void);

/**
 * Reads a position: the squares A1 to H8, and the side to move. A square is black ("X", "*", "b"), white ("O", "w") or
 * empty ("-", "."). The side is "X" or "O", black if it is left out. docs/formats/notation.md has more accepted
 * spellings. A board without discs is an error.
 *
 * @pre squares is null or a null-terminated string; board is null or points to writable memory for a board.
 */
OutflankStatus outflank_board_read(const char *squares,
                                   OutflankBoard *board);

/**
 * Writes the legal moves of the side to move as a bitboard: 0 if it cannot move.
 *
 * @pre moves is null or points to writable memory for a number.
 */
OutflankStatus outflank_legal_moves(OutflankBoard board, uint64_t *moves);

/**
 * Writes the discs that a move on this square (0 to 63) flips, as a bitboard: 0 if the move is not legal.
 *
 * @pre flipped is null or points to writable memory for a number.
 */
OutflankStatus outflank_flip(OutflankBoard board,
                             uint8_t square,
                             uint64_t *flipped);

/**
 * Writes the position after a move on a square (0 to 63) or a pass (OUTFLANK_PASS), with the other side to move. A pass is
 * legal if the side to move has no move and the other side has one.
 *
 * @pre after is null or points to writable memory for a board.
 */
OutflankStatus outflank_board_play(OutflankBoard board,
                                   uint8_t played,
                                   OutflankBoard *after);

/**
 * Returns the name of a ply: "A1" to "H8", "PS" for a pass, "--" for OUTFLANK_NONE and all other numbers. The string is
 * static: it is never freed.
 */
const char *outflank_ply_name(uint8_t ply);

/**
 * Opens the book at path (UTF-8) for reading, or the built-in book if path is null. Another program may write to the
 * file meanwhile. Null options allow only best moves. Free the book with outflank_book_destroy(). Threads may share
 * it.
 *
 * @pre path is null or a null-terminated string; options is null or points to options; book is null or points to writable memory
 * for a pointer.
 */
OutflankStatus outflank_book_open(const char *path,
                                  const OutflankBookOptions *options,
                                  OutflankBook **book);

/**
 * Closes and frees a book. Null is ignored.
 *
 * @pre book is null, or comes from outflank_book_open() and was not destroyed. No other thread uses it now or later.
 */
OutflankStatus outflank_book_destroy(OutflankBook *book);

/**
 * Writes the book moves of a position, the best first, and their number, which is 0 for an unknown position. Of the
 * moves that lead out of the book only the best one is listed. The others score no more.
 *
 * @pre book is null, or comes from outflank_book_open() and was not destroyed; moves is null or points to writable memory for
 * OUTFLANK_MAX_MOVES moves; count is null or points to writable memory for a number.
 */
OutflankStatus outflank_book_moves(OutflankBook *book,
                                   OutflankBoard board,
                                   OutflankBookMove *moves,
                                   size_t *count);

/**
 * Chooses a book move at random, within the tolerance of the options. The ply is OUTFLANK_NONE if the book does not
 * know the position. A position with more empty squares than that of the previous call begins a new game, without lost
 * discs.
 *
 * @pre book is null, or comes from outflank_book_open() and was not destroyed; chosen is null or points to writable memory for a
 * move.
 */
OutflankStatus outflank_book_choose(OutflankBook *book,
                                    OutflankBoard board,
                                    OutflankBookMove *chosen);

/**
 * Makes an engine with the usual starting position as its board. Null options mean the defaults. Free the engine with
 * outflank_engine_destroy().
 *
 * @pre options is null or points to options, whose strings are null or null-terminated; engine is null or points to writable memory
 * for a pointer.
 */
OutflankStatus outflank_engine_new(const OutflankOptions *options,
                                   OutflankEngine **engine);

/**
 * Frees an engine and the arrays of its results. Null is ignored. An engine that is searching is not freed, and the
 * status is OUTFLANK_STATUS_BUSY.
 *
 * @pre engine is null, or comes from outflank_engine_new() and was not destroyed. No other thread uses it now or later.
 */
OutflankStatus outflank_engine_destroy(OutflankEngine *engine);

/**
 * Returns the instruction-set level of an engine's kernels; null if engine is null. The string belongs to the engine.
 *
 * @pre engine is null, or comes from outflank_engine_new() and was not destroyed.
 */
const char *outflank_engine_isa(const OutflankEngine *engine);

/**
 * Sets the board to search. A board without discs, or with a square that both sides hold, is an error. Boards that no
 * game leads to are accepted.
 *
 * @pre engine is null, or comes from outflank_engine_new() and was not destroyed.
 */
OutflankStatus outflank_engine_set_board(OutflankEngine *engine,
                                         OutflankBoard board);

/**
 * Searches the engine's board. Each intermediate result is passed to progress together with user, unless progress is
 * null. The final result is written to result. Its arrays are valid until the next search or the destruction of the
 * engine. Null limits are an error; outflank_limits_exact() returns the limits of a search to the end of the game.
 *
 * A stop is no error. The result then has complete = false. The calling thread needs a stack of 2 MiB.
 *
 * @pre engine is null, or comes from outflank_engine_new() and was not destroyed. The pointer limits is null or points to limits. The
 * function progress is null or can be called with user. The pointer result is null or points to writable memory for a
 * result.
 */
OutflankStatus outflank_engine_search(OutflankEngine *engine,
                                      const OutflankLimits *limits,
                                      OutflankProgress progress,
                                      void *user,
                                      OutflankResult *result);

/**
 * Ends the running search within milliseconds. Every later search ends at its beginning until outflank_engine_resume(), so a stop
 * just before a search is not lost. Any thread, callback or signal handler may call this. Null is ignored.
 *
 * @pre engine is null, or comes from outflank_engine_new() and is not destroyed before this returns.
 */
void outflank_engine_stop(const OutflankEngine *engine);

/**
 * Lets later searches run again, after outflank_engine_stop(). Null is ignored.
 *
 * @pre engine is null, or comes from outflank_engine_new() and is not destroyed before this returns.
 */
void outflank_engine_resume(const OutflankEngine *engine);

/**
 * Clears the hash table, so that the next search counts the same nodes as a new engine's.
 *
 * @pre engine is null, or comes from outflank_engine_new() and was not destroyed.
 */
OutflankStatus outflank_engine_clear(OutflankEngine *engine);

/**
 * Returns the message of the calling thread's last failed call, one line of UTF-8; empty if none failed.
 *
 * The pointer is the same for all calls of a thread. It stays valid until the process ends, also in other threads. The next failed
 * call of the thread replaces the text. After the thread has ended, another thread may reuse the memory. Copy a message that is
 * to be kept.
 */
const char *outflank_last_error(void);

/**
 * Makes a game without plies. Its first position is start, with side (OUTFLANK_BLACK or OUTFLANK_WHITE) to move. A
 * null start means the usual starting position; side is then ignored. Free the game with outflank_game_destroy().
 *
 * @pre start is null or points to a board; game is null or points to writable memory for a pointer.
 */
OutflankStatus outflank_game_new(const OutflankBoard *start,
                                 uint8_t side,
                                 OutflankGame **game);

/**
 * Reads a text with one game, in any format that the library reads: moves ("f5d6c3"), PGN, GGF, SGF or a position. A
 * position becomes a game without moves. Several games are an error; outflank_games_read() reads them. Free the game
 * with outflank_game_destroy().
 *
 * @pre game_text is null or a null-terminated string; game is null or points to writable memory for a pointer.
 */
OutflankStatus outflank_game_read(const char *game_text,
                                  OutflankGame **game);

/**
 * Reads the contents of a file of games in any format that the library reads, such as GGF, SGF, WTHOR, lists of moves
 * or positions. A position becomes a game without moves. The number of games is written to count. It includes
 * unreadable games, for which outflank_games_get() fails with the reason. Free the games with
 * outflank_games_destroy().
 *
 * @pre bytes is null or points to size bytes; games is null or points to writable memory for a pointer; count is null or points to
 * writable memory for a number.
 */
OutflankStatus outflank_games_read(const uint8_t *bytes,
                                   size_t size,
                                   OutflankGames **games,
                                   size_t *count);

/**
 * Copies the game at an index, from 0. Free the copy with outflank_game_destroy().
 *
 * @pre games is null, or comes from outflank_games_read() and was not destroyed; game is null or points to writable memory for a
 * pointer.
 */
OutflankStatus outflank_games_get(const OutflankGames *games,
                                  size_t index,
                                  OutflankGame **game);

/**
 * Frees the games of a file. Copies made by outflank_games_get() stay valid. Null is ignored.
 *
 * @pre games is null, or comes from outflank_games_read() and was not destroyed. No other thread uses it now or later.
 */
OutflankStatus outflank_games_destroy(OutflankGames *games);

/**
 * Frees a game. Null is ignored.
 *
 * @pre game is null, or was made by this library and was not destroyed. No other thread uses it now or later.
 */
OutflankStatus outflank_game_destroy(OutflankGame *game);

/**
 * Plays a move (0 to 63) or a pass (OUTFLANK_PASS). A pass that is due before a move is inserted. An illegal move changes
 * nothing.
 *
 * @pre game is null, or was made by this library and was not destroyed. No other thread uses it during the call.
 */
OutflankStatus outflank_game_play(OutflankGame *game,
                                  uint8_t played);

/**
 * Takes back the last ply, a move or a pass, and writes it to undone. At the start of the game it writes
 * OUTFLANK_NONE.
 *
 * @pre game is null, or was made by this library and was not destroyed. No other thread uses it during the call. The
 * pointer undone is null or points to writable memory for a number.
 */
OutflankStatus outflank_game_undo(OutflankGame *game,
                                  uint8_t *undone);

/**
 * Writes the plies of a game: squares 0 to 63, and OUTFLANK_PASS for passes. Their number is written to count.
 *
 * @pre game is null, or was made by this library and was not destroyed; plies is null or points to writable memory for
 * OUTFLANK_MAX_PLIES numbers; count is null or points to writable memory for a number.
 */
OutflankStatus outflank_game_plies(const OutflankGame *game,
                                   uint8_t *plies,
                                   size_t *count);

/**
 * Writes the position after a number of plies, 0 for the start, and its side to move: OUTFLANK_BLACK or
 * OUTFLANK_WHITE.
 *
 * @pre game is null, or was made by this library and was not destroyed; board is null or points to writable memory for a board; side
 * is null or points to writable memory for a number.
 */
OutflankStatus outflank_game_position(const OutflankGame *game,
                                      size_t plies,
                                      OutflankBoard *board,
                                      uint8_t *side);

/**
 * Writes the result of a game in discs for black, -64 to 64. Empty squares go to the winner. The result is known if
 * the game is over or its file gives one. Otherwise known becomes false and score 0.
 *
 * @pre game is null, or was made by this library and was not destroyed; known is null or points to writable memory for a
 * bool; score is null or points to writable memory for a number.
 */
OutflankStatus outflank_game_score(const OutflankGame *game,
                                   bool *known,
                                   int32_t *score);

/**
 * Copies a property of a game by its name in GGF: "PB" and "PW" are the players, "DT" is the date, "RE" the result.
 * The text is empty if the game lacks the property. The parameters size and length are as in
 * outflank_game_write_ggf().
 *
 * @pre game is null, or was made by this library and was not destroyed. The pointer name is null or a null-terminated string. The pointer
 * value is null, if size is 0, or points to size writable bytes. The pointer length is null or points to writable memory for a
 * number.
 */
OutflankStatus outflank_game_property(const OutflankGame *game,
                                      const char *name,
                                      char *value,
                                      size_t size,
                                      size_t *length);

/**
 * Sets a property of a game. A name consists of capital letters A to Z. GM, BO, B and W are not allowed.
 *
 * @pre game is null, or was made by this library and was not destroyed. No other thread uses it during the call. The
 * pointers name and value are each null or a null-terminated string.
 */
OutflankStatus outflank_game_set_property(OutflankGame *game,
                                          const char *name,
                                          const char *value);

/**
 * Writes a game as a transcript, such as "f5d6c3", with a null at its end. The number of bytes without the null is
 * written to length. Like snprintf(), writes at most size bytes. The text is complete if length < size. A game without
 * moves or from an unusual start has no transcript.
 *
 * @pre game is null, or was made by this library and was not destroyed. The pointer transcript is null, if size is 0, or points to size writable
 * bytes. The pointer length is null or points to writable memory for a number.
 */
OutflankStatus outflank_game_write_transcript(const OutflankGame *game,
                                              char *transcript,
                                              size_t size,
                                              size_t *length);

/**
 * Writes a game in GGF, with its properties and a null at its end. The number of bytes without the null is written to
 * length. Like snprintf(), writes at most size bytes. The text is complete if length < size.
 *
 * @pre game is null, or was made by this library and was not destroyed. The pointer ggf is null, if size is 0, or points to size writable bytes.
 * The pointer length is null or points to writable memory for a number.
 */
OutflankStatus outflank_game_write_ggf(const OutflankGame *game,
                                       char *ggf,
                                       size_t size,
                                       size_t *length);

/**
 * Returns the limits of a search to the end of the game for the exact score.
 */
OutflankLimits outflank_limits_exact(void);

/**
 * Returns the limits of a search of depth plies with the given selectivity in percent.
 */
OutflankLimits outflank_limits_depth(uint32_t depth, uint32_t selectivity);

/**
 * Returns the limits of a level of Edax (0 to 60; larger values count as 60) for a board with the given number of
 * empty squares.
 */
OutflankLimits outflank_limits_level(uint32_t level,
                                     uint32_t empties);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* OUTFLANK_H */
