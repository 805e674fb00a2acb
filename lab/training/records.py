"""Whole games, compiled, each with a record of what happened in it."""

from lab.training.compiled import compiled
from lab.training.endings import count_points, is_lurched, is_lympolded
from lab.training.games import start_game
from lab.training.layout import (
    BEGUN_LURCHED,
    BEGUN_LYMPOLDED,
    COUNTERS,
    GAME,
    GOING_ON,
    HOW,
    OUTCOME,
    PLIGHT,
    THROWS,
    WALLED,
    Book,
    Ints,
    KernelData,
    Row,
    TurnMemory,
)
from lab.training.moves import has_blocking_prime
from lab.training.turns import side_to_move, take_turn

BEGAN, ENDED, ENDED_HOW, COUNTED, HAPPENED = range(5)
"""A record: the side that began, the outcome, how it came about, what it counts, the counters."""
RECORD = HAPPENED + COUNTERS


@compiled
def count_plights(t: Ints, nodes: Row, book: Book) -> None:
    """Count what shows before a throw: six points held in a row, a side lympolded or lurched."""
    book[WALLED] += has_blocking_prime(t, nodes, GAME, 0) or has_blocking_prime(t, nodes, GAME, 1)
    if t[PLIGHT] > 0:
        side = side_to_move(nodes, GAME)
        if is_lympolded(t, nodes, GAME, side):
            book[BEGUN_LYMPOLDED] += 1
        elif is_lurched(t, nodes, GAME, side):
            book[BEGUN_LURCHED] += 1


@compiled
def write_record(t: Ints, nodes: Row, book: Book, began: int, records: Ints, at: int) -> None:
    """Write down how the game has ended, or that it was broken off, and what happened in it."""
    outcome = nodes[GAME + OUTCOME]
    records[at + BEGAN] = began
    records[at + ENDED] = outcome
    records[at + ENDED_HOW] = 0
    records[at + COUNTED] = 0
    if outcome != GOING_ON:
        records[at + ENDED_HOW] = nodes[GAME + HOW]
        records[at + COUNTED] = count_points(t, nodes, GAME)
    for counter in range(COUNTERS):
        records[at + HAPPENED + counter] = book[THROWS + counter]


@compiled
def record_each_game(
    known: KernelData, desk: TurnMemory, start: Row, games: int, most_turns: int, records: Ints
) -> None:
    """Play so many games by the book's policies and nets, and write a record of each in turn."""
    t, nodes, book = known.table, desk.nodes, desk.book
    for game in range(games):
        # The counters run on from game to game, and a record is of one game.
        for counter in range(COUNTERS):
            book[THROWS + counter] = 0
        thrown = start_game(t, start, desk)
        began = side_to_move(nodes, GAME)
        turns = 0
        goes_on = True
        while goes_on and turns < most_turns:
            count_plights(t, nodes, book)
            goes_on = take_turn(known, desk, thrown)
            thrown = False
            turns += 1
        write_record(t, nodes, book, began, records, game * RECORD)
