/* Outflank, an Othello core: the C interface.
 *
 * Every call that can fail returns an OutflankStatus, and outflank_last_error() has a line that says
 * what went wrong. Null pointers and nonsense are refused; what the paragraphs "Safety" ask for cannot
 * be looked at from inside, and is up to the caller. An engine is used by one thread at a time, but for
 * outflank_engine_stop() and outflank_engine_resume(), which any thread may call at any time. Different
 * engines have nothing to do with one another.
 *
 * docs/guide/c.md says how to build and link, with an example.
 *
 * Written by cbindgen from capi/src; do not edit.
 */

#ifndef OUTFLANK_H
#define OUTFLANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * A pass, where a square could stand: squares are 0 (A1), 1 (B1), ... 63 (H8).
 */
#define OUTFLANK_PASS 64

/**
 * No move and no pass: the game is over, or nothing was searched.
 */
#define OUTFLANK_NONE 255

/**
 * The most moves that a position has; no more than these are written by outflank_book_moves().
 */
#define OUTFLANK_MAX_MOVES 64

/**
 * How a call went. Whatever is not OUTFLANK_STATUS_OK changed nothing, wrote nothing to where an answer
 * was to go, and is explained by outflank_last_error().
 */
typedef enum {
  /**
   * All went well.
   */
  OUTFLANK_STATUS_OK = 0,
  /**
   * A pointer is null that may not be.
   */
  OUTFLANK_STATUS_NULL = 1,
  /**
   * A text, a number or a file name says nothing that can be: the error's text tells which and why.
   */
  OUTFLANK_STATUS_ARGUMENT = 2,
  /**
   * A board has a square that both sides hold, or no disc at all, or its text is no board.
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
   * The engine is searching: its one search at a time has to end first.
   */
  OUTFLANK_STATUS_BUSY = 8,
  /**
   * The library has a fault, and the engine is of no more use but to be destroyed.
   */
  OUTFLANK_STATUS_FAULT = 9,
  /**
   * The file is no opening book, is damaged, or cannot be read.
   */
  OUTFLANK_STATUS_BOOK = 10,
} OutflankStatus;

/**
 * What a score says about the one that was searched for.
 */
typedef enum {
  /**
   * They are equal.
   */
  OUTFLANK_BOUND_EXACT = 0,
  /**
   * The one searched for is this or more: beta was reached.
   */
  OUTFLANK_BOUND_LOWER = 1,
  /**
   * The one searched for is this or less: alpha was not passed. There is no best move then, no line and
   * no candidate.
   */
  OUTFLANK_BOUND_UPPER = 2,
} OutflankBound;

/**
 * A book that is read. What is inside is the library's.
 */
typedef struct OutflankBook OutflankBook;

/**
 * Searches positions, one at a time. What is inside is the library's.
 */
typedef struct OutflankEngine OutflankEngine;

/**
 * A position: the discs of the side to move, and those of the other side. A1 is bit 0, B1 bit 1,
 * H8 bit 63.
 */
typedef struct {
  /**
   * The discs of the side to move.
   */
  uint64_t player;
  /**
   * The discs of the other side.
   */
  uint64_t opponent;
} OutflankBoard;

/**
 * How a book's moves are chosen. "OutflankBookOptions options = {0};" chooses among the best ones.
 */
typedef struct {
  /**
   * How many discs a move may be worth less than the best one, 0 to 64.
   */
  uint32_t tolerance;
  /**
   * How many discs all moves of a game may give away so, 0 to 128.
   */
  uint32_t game_tolerance;
  /**
   * What chance begins with: the same seed makes the same choices.
   */
  uint64_t seed;
} OutflankBookOptions;

/**
 * A move of a book.
 */
typedef struct {
  /**
   * The move: 0 to 63, OUTFLANK_PASS, or OUTFLANK_NONE where the book knows none.
   */
  uint8_t ply;
  /**
   * What it is worth, in discs for who makes it: -64 to 64.
   */
  int32_t score;
  /**
   * Plies of the search that the score comes from, with those that lead there by moves of the book.
   */
  uint32_t depth;
  /**
   * How certain that search was, in percent.
   */
  uint32_t selectivity;
} OutflankBookMove;

/**
 * What an engine is made of. Members that are 0 or null are as usual, so that
 * "OutflankOptions options = {0};" is a good beginning.
 */
typedef struct {
  /**
   * The number of threads that search, 1 to 512; 0 is 1. Each takes half a megabyte besides the hash
   * table.
   */
  uint32_t threads;
  /**
   * The size of the hash table in MiB; 0 is 64.
   */
  uint32_t hash_mib;
  /**
   * A file of weights for the evaluation, ours or Edax's, its name in UTF-8; null is those that the
   * library was built with. One that was built without any has no engine without a file.
   */
  const char *weights;
  /**
   * The instruction-set level of the kernels: "portable", "v2", "v3", "v4", "icl", "neon"; null is what
   * the environment variable OUTFLANK_ISA names, else the best that the CPU has.
   */
  const char *isa;
} OutflankOptions;

/**
 * How far a search goes, and which scores it tells apart. Begin with outflank_limits_exact(),
 * outflank_limits_depth() or outflank_limits_level(), and change what is to be otherwise.
 */
typedef struct {
  /**
   * Plies; as many as empty squares, or more, is to the end of the game.
   */
  uint32_t depth;
  /**
   * How certain selective cuts are, in percent: 73, 87, 95, 98, 99, or 100 for none.
   */
  uint32_t selectivity;
  /**
   * The scores to tell apart, in discs: everything at or below alpha is one answer,
   */
  int32_t alpha;
  /**
   * and so is everything at or above beta; -64 <= alpha < beta <= 64. Between -1 and 1 a search only
   * finds who wins.
   */
  int32_t beta;
  /**
   * How many of the best moves to find, each with its score; 0 is as 1.
   */
  uint32_t lines;
  /**
   * After so many nodes no more are searched, give or take some ten thousand a thread; 0 is no limit.
   */
  uint64_t nodes;
  /**
   * After so many milliseconds nothing more is searched, give or take a few; 0 is no limit.
   */
  uint64_t time_ms;
} OutflankLimits;

/**
 * A move, and what it leads to.
 */
typedef struct {
  /**
   * The move: 0 to 63, or OUTFLANK_PASS.
   */
  uint8_t ply;
  /**
   * The score after it, in discs for who makes it: -64 to 64.
   */
  int32_t score;
  /**
   * What the score says.
   */
  OutflankBound bound;
  /**
   * Best play from before it on: line_length plies, the first of them this one.
   */
  const uint8_t *line;
  /**
   * The number of them.
   */
  size_t line_length;
} OutflankCandidate;

/**
 * What a search found. The arrays that it points to belong to the engine.
 */
typedef struct {
  /**
   * Discs for the side to move with best play by both, as far as the search goes; at the end of the
   * game with the empties going to the winner: -64 to 64.
   */
  int32_t score;
  /**
   * What the score says.
   */
  OutflankBound bound;
  /**
   * Plies searched: as many as empty squares, where it was to the end.
   */
  uint32_t depth;
  /**
   * How certain the search is, in percent. Few plies leave no room for selective cuts, and count as
   * 100.
   */
  uint32_t selectivity;
  /**
   * Whether the search reached what it was asked for. A stop, a node limit or a time limit ends it
   * earlier: the result is then that of the last depth that it finished, or a bound of the score at the
   * depth that it was searching.
   */
  bool complete;
  /**
   * The best move, 0 to 63; OUTFLANK_PASS where the side to move has to pass, OUTFLANK_NONE where the
   * game is over, nothing was searched, or a complete search found an upper bound.
   */
  uint8_t best;
  /**
   * Positions reached by making a move and searched, on all threads. Positions that were only rated do
   * not count.
   */
  uint64_t nodes;
  /**
   * Wall-clock time in microseconds.
   */
  uint64_t time_us;
  /**
   * Best play: line_length plies, 0 to 63 or OUTFLANK_PASS, the best move first.
   */
  const uint8_t *line;
  /**
   * The number of them, 0 or more.
   */
  size_t line_length;
  /**
   * The best moves, the best first: candidate_count of them, where several lines were asked for. Moves
   * that do not pass alpha are left out.
   */
  const OutflankCandidate *candidates;
  /**
   * The number of them, 0 or more.
   */
  size_t candidate_count;
} OutflankResult;

/**
 * What a search reports to: what was found so far, which is there until it returns, and what the caller
 * gave along. It is called on the thread that searches, must not throw nor jump out of the search, and
 * may call outflank_engine_stop().
 */
typedef void (*OutflankProgress)(const OutflankResult *so_far, void *user);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the library: "0.1.0". The text is there for ever.
 */
const char *outflank_version(void);

/**
 * The position that every game starts from, black to move.
 */
OutflankBoard outflank_board_start(void);

/**
 * Reads a position: 64 characters A1 to H8 ("X", "*", "b" black; "O", "w" white; "-", "." empty), a
 * blank, and the side to move ("X" or "O"; without it black). A board without discs is an error.
 *
 * # Safety
 * squares is null or ends with a zero; board is null or there is room for one.
 */
OutflankStatus outflank_board_read(const char *squares, OutflankBoard *board);

/**
 * The squares where the side to move may play, as a bitboard; 0 where it cannot move.
 *
 * # Safety
 * moves is null or there is room for a number.
 */
OutflankStatus outflank_legal_moves(OutflankBoard board, uint64_t *moves);

/**
 * The discs that a move of the side to move on this square (0 to 63) turns, as a bitboard; 0 where the
 * move is not legal.
 *
 * # Safety
 * flipped is null or there is room for a number.
 */
OutflankStatus outflank_flip(OutflankBoard board,
                             uint8_t square,
                             uint64_t *flipped);

/**
 * The position after the side to move plays on a square (0 to 63), or passes (OUTFLANK_PASS), which is
 * legal where it has no move and the other side has one. The other side is to move then.
 *
 * # Safety
 * after is null or there is room for a board.
 */
OutflankStatus outflank_board_play(OutflankBoard board,
                                   uint8_t played,
                                   OutflankBoard *after);

/**
 * The name of a ply: "A1" to "H8", "PS" for a pass, "--" for OUTFLANK_NONE and whatever else is none.
 * The text is there for ever.
 */
const char *outflank_ply_name(uint8_t ply);

/**
 * Opens a book to read it: the file of this name, in UTF-8, or where path is null the one that the library comes with.
 * Another program may write to it meanwhile. Where options is null, chance decides among the best moves. The book takes
 * memory until outflank_book_destroy(). Threads may share it.
 *
 * # Safety
 * path is null or ends with a zero; options is null or points to options; book is null or there is room for a pointer.
 */
OutflankStatus outflank_book_open(const char *path,
                                  const OutflankBookOptions *options,
                                  OutflankBook **book);

/**
 * Closes a book. Null is nothing to close.
 *
 * # Safety
 * book is null, or comes from outflank_book_open(), was not destroyed, and no other thread uses it now or later.
 */
OutflankStatus outflank_book_destroy(OutflankBook *book);

/**
 * The moves of a position that a book knows, the best first: how many goes to count, 0 where it does not know the
 * position. Of the moves that lead out of the book only the best one is known; the others are worth no more.
 *
 * # Safety
 * book is null, or comes from outflank_book_open() and was not destroyed; moves is null or there is room for
 * OUTFLANK_MAX_MOVES of them; count is null or there is room for a number.
 */
OutflankStatus outflank_book_moves(OutflankBook *book,
                                   OutflankBoard board,
                                   OutflankBookMove *moves,
                                   size_t *count);

/**
 * The move of a book to play in a position, chosen by chance among those that the options allow; its ply is OUTFLANK_NONE
 * where the book does not know the position. What was given away counts until a position with more empty squares than
 * the one before, which begins a new game.
 *
 * # Safety
 * book is null, or comes from outflank_book_open() and was not destroyed; chosen is null or there is room for a move.
 */
OutflankStatus outflank_book_choose(OutflankBook *book,
                                    OutflankBoard board,
                                    OutflankBookMove *chosen);

/**
 * Makes an engine, whose board is that of the start of a game. Where options is null, it is as usual.
 * The engine takes memory until outflank_engine_destroy().
 *
 * # Safety
 * options is null or points to options, whose texts are null or end with a zero; engine is null or there is
 * room for a pointer.
 */
OutflankStatus outflank_engine_new(const OutflankOptions *options,
                                   OutflankEngine **engine);

/**
 * Ends an engine and all that its results point to. Null is nothing to end. An engine that is searching
 * is not ended: OUTFLANK_STATUS_BUSY.
 *
 * # Safety
 * engine is null, or comes from outflank_engine_new(), was not destroyed, and no other thread uses it now
 * or later.
 */
OutflankStatus outflank_engine_destroy(OutflankEngine *engine);

/**
 * The instruction-set level that the kernels of an engine run at. The text is there as long as the engine.
 * Null where the engine is.
 *
 * # Safety
 * engine is null, or comes from outflank_engine_new() and was not destroyed.
 */
const char *outflank_engine_isa(const OutflankEngine *engine);

/**
 * Sets the board that is searched. A board with squares that both sides hold is an error, and so is one
 * without discs; any other can be searched, also one that no game leads to.
 *
 * # Safety
 * engine is null, or comes from outflank_engine_new() and was not destroyed.
 */
OutflankStatus outflank_engine_set_board(OutflankEngine *engine,
                                         OutflankBoard board);

/**
 * Searches the engine's board. What was found so far goes to progress whenever that is more, if it is not
 * null, with user as it is; what was found in the end goes to result. Its arrays are there until the next
 * search of the engine, or its end. Null limits are an error: outflank_limits_exact() has those of a search
 * to the end of the game.
 *
 * A stop is no error: the result has complete = false. The thread that searches needs a stack of 2 MiB.
 *
 * # Safety
 * engine is null, or comes from outflank_engine_new() and was not destroyed; limits is null or points to
 * limits; progress is null or can be called with user; result is null or there is room for a result.
 */
OutflankStatus outflank_engine_search(OutflankEngine *engine,
                                      const OutflankLimits *limits,
                                      OutflankProgress progress,
                                      void *user,
                                      OutflankResult *result);

/**
 * Ends the running search within milliseconds, and every later one at its beginning, until
 * outflank_engine_resume(): so a stop that comes too early is not lost. Any thread may call it, what a
 * search reports to, and a signal handler. Null is nothing to stop.
 *
 * # Safety
 * engine is null, or comes from outflank_engine_new() and is not destroyed before this returns.
 */
void outflank_engine_stop(const OutflankEngine *engine);

/**
 * Lets later searches go on to their ends, after outflank_engine_stop(). Null is nothing to let.
 *
 * # Safety
 * engine is null, or comes from outflank_engine_new() and is not destroyed before this returns.
 */
void outflank_engine_resume(const OutflankEngine *engine);

/**
 * Forgets all earlier results, so that the next search counts the same nodes as a new engine's.
 *
 * # Safety
 * engine is null, or comes from outflank_engine_new() and was not destroyed.
 */
OutflankStatus outflank_engine_clear(OutflankEngine *engine);

/**
 * The last error of the calling thread, one line of UTF-8; empty if no call of it failed. The text is
 * there until another call of the same thread fails.
 */
const char *outflank_last_error(void);

/**
 * Limits of a search to the end of the game for the exact score.
 */
OutflankLimits outflank_limits_exact(void);

/**
 * Limits of a search of so many plies with cuts of this selectivity, in percent.
 */
OutflankLimits outflank_limits_depth(uint32_t depth, uint32_t selectivity);

/**
 * Limits of what users of Edax know as this level (0 to 60; more is as 60), for a board with so many
 * empty squares.
 */
OutflankLimits outflank_limits_level(uint32_t level,
                                     uint32_t empties);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* OUTFLANK_H */
