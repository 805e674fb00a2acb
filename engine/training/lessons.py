"""Lessons one throw further, compiled: where the turns of games may lead, and what each such position is worth.

What a game came to tells what a position is worth only with the luck of its dice. The mean over every next throw, each
played best, has no luck in it, and is nearer the truth than what the net says of the position itself. How far the net
was out in the turns that followed, judged so, has no luck in it either, and mends what that mean leaves wrong.

All ends of a turn that seem close are lessons together: to play well a net must tell one from another, and by how much
all of them are better or worse than it thinks does not matter then.
"""

from engine.training.ahead import FACES, close_ends, lay_dice, ways_of_dice
from engine.training.compiled import compiled
from engine.training.copying import copy_floats, copy_row
from engine.training.games import begin, end_shares, turn_round
from engine.training.layout import (
    DICE,
    EXTRA,
    GAME,
    GOING_ON,
    KEEP,
    KEPT,
    OUTCOME,
    OUTPUTS,
    OUTPUTS_NOW,
    ROW,
    Book,
    Floats,
    Ints,
    Row,
)
from engine.training.nets import judge
from engine.training.turns import LOWEST, choose_play, find_ends, go_on, passes, prepare, to_move

MOST_ENDS = 5
"""How many ends of a turn become lessons at most."""
TRACE = 0.8
"""How much of what the net was out in the turns that follow is told to each turn before."""
FOUND, BEST = 0, OUTPUTS
"""Where shares stand while a turn is looked at: those of an end, and of the best so far."""


@compiled
def _judge_for(t: Ints, g: Floats, nets: Floats, nodes: Row, goes_on: bool, side: int, floats: Floats) -> None:
    """Leave among the outputs what the net says, to that side, of the position that its turn has led to."""
    if not goes_on:
        end_shares(t, nodes, side, floats, OUTPUTS_NOW)
        return
    view = to_move(nodes, GAME)
    judge(t, g, nets, 0, nodes, GAME, view, floats)
    if view != side:
        turn_round(floats, OUTPUTS_NOW)


@compiled
def shares_of_throw(
    t: Ints,
    g: Floats,
    nets: Floats,
    nodes: Row,
    book: Book,
    other: Row,
    other_book: Book,
    passed: bool,
    floats: Floats,
    deep: Row,
    deep_book: Book,
    deep_other: Row,
    deep_other_book: Book,
    deep_floats: Floats,
) -> None:
    """Leave among the deep outputs what the dice as they lie are worth to the side to throw, if it plays them best.

    What enters the hidden units must be prepared, and one end be kept. A side that has `passed` throws nothing.
    """
    side = to_move(nodes, GAME)
    if not passed:
        choose_play(t, g, nets, nodes, book, other, other_book, floats)
    copy_row(nodes, GAME, deep, GAME)
    copy_row(nodes, KEPT, deep, KEPT)
    goes_on = go_on(t, g, nets, deep, deep_book, deep_other, deep_other_book, passed, deep_floats)
    _judge_for(t, g, nets, deep, goes_on, side, deep_floats)


@compiled
def shares_ahead(
    t: Ints,
    g: Floats,
    nets: Floats,
    nodes: Row,
    book: Book,
    other: Row,
    other_book: Book,
    floats: Floats,
    deep: Row,
    deep_book: Book,
    deep_other: Row,
    deep_other_book: Book,
    deep_floats: Floats,
    shares: Floats,
) -> None:
    """Write what the game in the row `GAME` is worth to the side to throw, one throw further: three shares.

    The turns that may follow are played in scratch memory of their own, `deep` and what comes after it.
    """
    passed = passes(t, nodes)
    prepare(t, nets, nodes, book, floats)
    book[KEEP] = 1
    total = 0
    for output in range(OUTPUTS):
        shares[output] = 0.0
    for code in range(1 if passed else FACES ** t[DICE]):
        if lay_dice(t, book, code):
            shares_of_throw(
                t,
                g,
                nets,
                nodes,
                book,
                other,
                other_book,
                passed,
                floats,
                deep,
                deep_book,
                deep_other,
                deep_other_book,
                deep_floats,
            )
            ways = ways_of_dice(t, book)
            total += ways
            for output in range(OUTPUTS):
                shares[output] += ways * deep_floats[OUTPUTS_NOW + output]
    for output in range(OUTPUTS):
        shares[output] /= total


@compiled
def _points(t: Ints, shares: Floats, at: int) -> float:
    """What shares come to, but for a constant."""
    return 2 * shares[at] + t[EXTRA] * (shares[at + 1] - shares[at + 2])


@compiled
def _look_at(
    t: Ints,
    g: Floats,
    nets: Floats,
    goes_on: bool,
    side: int,
    nodes: Row,
    book: Book,
    other: Row,
    other_book: Book,
    floats: Floats,
    deep: Row,
    deep_book: Book,
    deep_other: Row,
    deep_other_book: Book,
    deep_floats: Floats,
    kept: Row,
    shares: Floats,
    lesson: int,
    now: Floats,
) -> None:
    """Find what the position that a side's turn has led to is worth to it one throw further: at `FOUND` in `now`.

    If the game goes on, the position and what it is worth to the side to throw become a lesson.
    """
    if not goes_on:
        end_shares(t, nodes, side, now, FOUND)
        return
    shares_ahead(
        t,
        g,
        nets,
        nodes,
        book,
        other,
        other_book,
        floats,
        deep,
        deep_book,
        deep_other,
        deep_other_book,
        deep_floats,
        now,
    )
    copy_row(nodes, GAME, kept, lesson * ROW)
    copy_floats(now, FOUND, shares, lesson * OUTPUTS, OUTPUTS)
    if to_move(nodes, GAME) != side:
        turn_round(now, FOUND)


@compiled
def _turn(
    t: Ints,
    g: Floats,
    nets: Floats,
    nodes: Row,
    book: Book,
    other: Row,
    other_book: Book,
    thrown: bool,
    floats: Floats,
    ends: Row,
    ends_book: Book,
    ends_other: Row,
    ends_other_book: Book,
    ends_floats: Floats,
    deep: Row,
    deep_book: Book,
    deep_other: Row,
    deep_other_book: Book,
    deep_floats: Floats,
    kept: Row,
    shares: Floats,
    errors: Floats,
    turn: int,
    lesson: int,
    now: Floats,
) -> int:
    """Play a turn as a player does who looks one throw further; returns how many lessons it gave, from `lesson` on.

    Of `errors` three say, to its side, by how much more its best end is worth than the net had thought its best was.
    """
    side = to_move(nodes, GAME)
    passed = passes(t, nodes)
    close = 1
    if not passed:
        book[KEEP] = MOST_ENDS
        find_ends(t, g, nets, nodes, book, other, other_book, thrown, floats)
        close = close_ends(book, floats)
    most = LOWEST
    chosen = KEPT
    lessons = 0
    for end in range(close):
        copy_row(nodes, GAME, ends, GAME)
        copy_row(nodes, KEPT + end * ROW, ends, KEPT)
        goes_on = go_on(t, g, nets, ends, ends_book, ends_other, ends_other_book, passed, ends_floats)
        if end == 0:
            _judge_for(t, g, nets, ends, goes_on, side, ends_floats)
            copy_floats(ends_floats, OUTPUTS_NOW, errors, turn * OUTPUTS, OUTPUTS)
        _look_at(
            t,
            g,
            nets,
            goes_on,
            side,
            ends,
            ends_book,
            ends_other,
            ends_other_book,
            ends_floats,
            deep,
            deep_book,
            deep_other,
            deep_other_book,
            deep_floats,
            kept,
            shares,
            lesson + lessons,
            now,
        )
        lessons += goes_on
        worth = _points(t, now, FOUND)
        if worth > most:
            most = worth
            chosen = KEPT + end * ROW
            copy_floats(now, FOUND, now, BEST, OUTPUTS)
    for output in range(OUTPUTS):
        at = turn * OUTPUTS + output
        errors[at] = now[BEST + output] - errors[at]
    copy_row(nodes, chosen, nodes, KEPT)
    go_on(t, g, nets, nodes, book, other, other_book, passed, floats)
    return lessons


@compiled
def _add_error(errors: Floats, turn: int, same: bool, shares: Floats, to: int) -> None:
    """Add to shares their part of the error of a turn that follows, of the same side or of the other."""
    at = turn * OUTPUTS
    shares[to] += TRACE * (errors[at] if same else -errors[at])
    shares[to + 1] += TRACE * (errors[at + 1] if same else errors[at + 2])
    shares[to + 2] += TRACE * (errors[at + 2] if same else errors[at + 1])


@compiled
def _carry_back(
    kept: Row, shares: Floats, errors: Floats, sides: Ints, turns: Ints, turn: int, last: int, lesson: int, lessons: int
) -> None:
    """Tell a game's turns, and its lessons, how far the net was out in what followed, up to the turn that was its last.

    It begins with that turn, and with that lesson of so many.
    """
    for before in range(last - 1, turn - 1, -1):
        _add_error(errors, before + 1, sides[before] == sides[before + 1], errors, before * OUTPUTS)
    for each in range(lesson, lessons):
        after = turns[each] + 1
        if after <= last:
            _add_error(errors, after, to_move(kept, each * ROW) == sides[after], shares, each * OUTPUTS)


@compiled
def gather(
    t: Ints,
    g: Floats,
    nets: Floats,
    nodes: Row,
    book: Book,
    other: Row,
    other_book: Book,
    start: Row,
    floats: Floats,
    ends: Row,
    ends_book: Book,
    ends_other: Row,
    ends_other_book: Book,
    ends_floats: Floats,
    deep: Row,
    deep_book: Book,
    deep_other: Row,
    deep_other_book: Book,
    deep_floats: Floats,
    kept: Row,
    shares: Floats,
    errors: Floats,
    sides: Ints,
    turns: Ints,
    now: Floats,
    count: int,
) -> int:
    """Fill `kept` with positions before a throw, and `shares` with three for each; returns how many, `count` at most.

    They are where the turns of the net's games against itself may lead. `turns` says of each which turn that is, and
    `sides`, of every turn, whose. `errors` has room for three of each turn, `now` for six.
    """
    lessons = 0
    turn = 0
    while lessons + MOST_ENDS <= count:
        thrown = begin(t, start, nodes, book)
        first_turn = turn
        first_lesson = lessons
        while nodes[GAME + OUTCOME] == GOING_ON and lessons + MOST_ENDS <= count:
            sides[turn] = to_move(nodes, GAME)
            more = _turn(
                t,
                g,
                nets,
                nodes,
                book,
                other,
                other_book,
                thrown,
                floats,
                ends,
                ends_book,
                ends_other,
                ends_other_book,
                ends_floats,
                deep,
                deep_book,
                deep_other,
                deep_other_book,
                deep_floats,
                kept,
                shares,
                errors,
                turn,
                lessons,
                now,
            )
            for at in range(lessons, lessons + more):
                turns[at] = turn
            lessons += more
            turn += 1
            thrown = False
        _carry_back(kept, shares, errors, sides, turns, first_turn, turn - 1, first_lesson, lessons)
    return lessons
