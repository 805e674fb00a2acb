"""1-ply lessons, compiled: where the turns of games may lead, and each position's evaluation.

What a game came to tells what a position is worth only with the luck of its dice. The mean over
every next throw, each played best, has no luck in it, and is nearer the truth than what the net
says of the position itself. How far the net was out in the turns that followed, judged so, has no
luck in it either, and mends what that mean leaves wrong.

All ends of a turn that seem close are lessons together: to play well a net must tell one from
another, and by how much all of them are better or worse than it thinks does not matter then. The
next best go with them as the net sees them: it is not to come to like one of those better, of which
there are many, while it learns about these.
"""

from lab.training.compiled import compiled
from lab.training.copying import copy_floats, copy_row
from lab.training.games import flip_shares, start_game, write_end_shares
from lab.training.layout import (
    DICE,
    EXTRA,
    GAME,
    GOING_ON,
    KEEP,
    KEPT,
    KEPT_COUNT,
    MAX_KEPT,
    OUTCOME,
    OUTPUTS,
    OUTPUTS_NOW,
    ROW,
    Floats,
    Ints,
    KernelData,
    LessonBuffer,
    Row,
    TurnMemory,
)
from lab.training.nets import evaluate_row
from lab.training.one_ply import FACES, count_close_ends, count_dice_orders, decode_dice
from lab.training.turns import (
    LOWEST,
    choose_play,
    finish_turn,
    finish_turn_elsewhere,
    has_to_pass,
    prepare_sums,
    side_to_move,
    throw_and_find_ends,
)

MAX_ENDS = 5
"""How many ends of a turn are looked at one throw further at most."""
TRACE = 0.8
"""How much of the net's error in later turns is passed back to each turn before."""
FOUND, BEST = 0, OUTPUTS
"""Where shares stand while a turn is looked at: those of an end, and of the best so far."""


@compiled
def _evaluate_for_side(known: KernelData, desk: TurnMemory, goes_on: bool, side: int) -> None:
    """Leave in the outputs the net's evaluation, for that side, of where its turn has led."""
    t, g, nets = known
    if not goes_on:
        write_end_shares(t, desk.nodes, side, desk.floats, OUTPUTS_NOW)
        return
    view = side_to_move(desk.nodes, GAME)
    evaluate_row(t, g, nets, 0, desk.nodes, GAME, view, desk.floats)
    if view != side:
        flip_shares(desk.floats, OUTPUTS_NOW)


@compiled
def write_throw_shares(known: KernelData, desk: TurnMemory, deep: TurnMemory, passed: bool) -> None:
    """Leave in the deep outputs the evaluation of these dice for the side to throw, played best.

    What enters the hidden units must be prepared, and one end be kept. A side that has `passed`
    throws nothing.
    """
    if not passed:
        choose_play(known, desk)
    goes_on = finish_turn_elsewhere(known, desk, KEPT, deep, passed)
    _evaluate_for_side(known, deep, goes_on, side_to_move(desk.nodes, GAME))


@compiled
def write_one_ply_shares(
    known: KernelData, desk: TurnMemory, deep: TurnMemory, shares: Floats
) -> None:
    """Write the 1-ply evaluation of the game in row `GAME` for the side to throw: three shares.

    The turns that may follow are played on a desk of their own, `deep`.
    """
    t, book = known.table, desk.book
    passed = has_to_pass(t, desk.nodes)
    prepare_sums(known, desk)
    book[KEEP] = 1
    total = 0
    for output in range(OUTPUTS):
        shares[output] = 0.0
    # A side that passes has one way to go on, whatever the dice show: the first code stands for it.
    for code in range(1 if passed else FACES ** t[DICE]):
        if decode_dice(t, book, code):
            write_throw_shares(known, desk, deep, passed)
            ways = count_dice_orders(t, book)
            total += ways
            for output in range(OUTPUTS):
                shares[output] += ways * deep.floats[OUTPUTS_NOW + output]
    for output in range(OUTPUTS):
        shares[output] /= total


@compiled
def _combine_shares(t: Ints, shares: Floats, at: int) -> float:
    """What shares come to, but for a constant."""
    # The constant, minus one, makes no difference where ends are compared.
    return 2 * shares[at] + t[EXTRA] * (shares[at + 1] - shares[at + 2])


@compiled
def _add_one_ply_lesson(
    known: KernelData,
    desk: TurnMemory,
    deep: TurnMemory,
    goes_on: bool,
    side: int,
    taught: LessonBuffer,
    lesson: int,
) -> None:
    """Find the 1-ply evaluation of where a side's turn has led, to that side: at `FOUND` in `now`.

    If the game goes on, the position and what it is worth to the side to throw become a lesson.
    """
    now = taught.now
    if not goes_on:
        write_end_shares(known.table, desk.nodes, side, now, FOUND)
        return
    write_one_ply_shares(known, desk, deep, now)
    copy_row(desk.nodes, GAME, taught.kept, lesson * ROW)
    copy_floats(now, FOUND, taught.shares, lesson * OUTPUTS, OUTPUTS)
    if side_to_move(desk.nodes, GAME) != side:
        flip_shares(now, FOUND)


@compiled
def _add_error(errors: Floats, turn: int, same: bool, part: float, shares: Floats, to: int) -> None:
    """Add to shares a part of the error of a turn, of the same side or of the other."""
    at = turn * OUTPUTS
    shares[to] += part * (errors[at] if same else -errors[at])
    shares[to + 1] += part * (errors[at + 1] if same else errors[at + 2])
    shares[to + 2] += part * (errors[at + 2] if same else errors[at + 1])


@compiled
def _add_zero_ply_lesson(
    known: KernelData, desk: TurnMemory, side: int, taught: LessonBuffer, turn: int, lesson: int
) -> None:
    """Make the position that a side's turn might have led to a lesson, without looking further.

    It is worth what the net says of it, and as much more as the net was out in the best end of the
    turn.
    """
    view = side_to_move(desk.nodes, GAME)
    _evaluate_for_side(known, desk, True, view)
    copy_row(desk.nodes, GAME, taught.kept, lesson * ROW)
    copy_floats(desk.floats, OUTPUTS_NOW, taught.shares, lesson * OUTPUTS, OUTPUTS)
    _add_error(taught.errors, turn, view == side, 1.0, taught.shares, lesson * OUTPUTS)


@compiled
def _play_turn(
    known: KernelData,
    desk: TurnMemory,
    ends: TurnMemory,
    deep: TurnMemory,
    thrown: bool,
    taught: LessonBuffer,
    turn: int,
    lesson: int,
) -> int:
    """Play a turn as a 1-ply player; return how many lessons it gave, from `lesson` on.

    Of `errors` three say, to its side, by how much more its best end is worth than the net had
    thought its best was.
    """
    t, nodes = known.table, desk.nodes
    errors, now = taught.errors, taught.now
    side = side_to_move(nodes, GAME)
    passed = has_to_pass(t, nodes)
    close = 1
    if not passed:
        desk.book[KEEP] = MAX_KEPT
        throw_and_find_ends(known, desk, thrown)
        close = min(count_close_ends(desk), MAX_ENDS)
    most = LOWEST
    chosen = KEPT
    lessons = 0
    for end in range(close):
        goes_on = finish_turn_elsewhere(known, desk, KEPT + end * ROW, ends, passed)
        # The first end is what the net itself thought best; its error is how far the best 1-ply
        # evaluation is from that.
        if end == 0:
            _evaluate_for_side(known, ends, goes_on, side)
            copy_floats(ends.floats, OUTPUTS_NOW, errors, turn * OUTPUTS, OUTPUTS)
        _add_one_ply_lesson(known, ends, deep, goes_on, side, taught, lesson + lessons)
        lessons += goes_on
        value = _combine_shares(t, now, FOUND)
        if value > most:
            most = value
            chosen = KEPT + end * ROW
            copy_floats(now, FOUND, now, BEST, OUTPUTS)
    for output in range(OUTPUTS):
        at = turn * OUTPUTS + output
        errors[at] = now[BEST + output] - errors[at]
    for end in range(close, desk.book[KEPT_COUNT] if not passed else 0):
        if finish_turn_elsewhere(known, desk, KEPT + end * ROW, ends, False):
            _add_zero_ply_lesson(known, ends, side, taught, turn, lesson + lessons)
            lessons += 1
    # `finish_turn` plays what stands first.
    copy_row(nodes, chosen, nodes, KEPT)
    finish_turn(known, desk, passed)
    return lessons


@compiled
def _propagate_errors(
    taught: LessonBuffer, turn: int, last: int, lesson: int, lessons: int
) -> None:
    """Add the net's errors in later turns to a game's turns and lessons, up to its last turn.

    It begins with that turn, and with that lesson of so many.
    """
    errors, sides = taught.errors, taught.sides
    # From the last turn backwards, so that each error already holds all later ones.
    for before in range(last - 1, turn - 1, -1):
        _add_error(
            errors, before + 1, sides[before] == sides[before + 1], TRACE, errors, before * OUTPUTS
        )
    for each in range(lesson, lessons):
        # What a turn has led to is judged by the errors of the turns after it.
        after = taught.turns[each] + 1
        if after <= last:
            same = side_to_move(taught.kept, each * ROW) == sides[after]
            _add_error(errors, after, same, TRACE, taught.shares, each * OUTPUTS)


@compiled
def gather_lessons(
    known: KernelData,
    desk: TurnMemory,
    ends: TurnMemory,
    deep: TurnMemory,
    start: Row,
    taught: LessonBuffer,
    count: int,
) -> int:
    """Fill `taught` with lessons from where the turns of the net's games against itself may lead.

    Returns how many they are, `count` at most. What is only thought of is played on the desks
    `ends` and `deep`.
    """
    lessons = 0
    turn = 0
    # A turn gives at most one lesson for each end kept, so the room is never overrun.
    while lessons + MAX_KEPT <= count:
        thrown = start_game(known.table, start, desk)
        first_turn = turn
        first_lesson = lessons
        while desk.nodes[GAME + OUTCOME] == GOING_ON and lessons + MAX_KEPT <= count:
            taught.sides[turn] = side_to_move(desk.nodes, GAME)
            more = _play_turn(known, desk, ends, deep, thrown, taught, turn, lessons)
            for at in range(lessons, lessons + more):
                taught.turns[at] = turn
            lessons += more
            turn += 1
            thrown = False
        _propagate_errors(taught, first_turn, turn - 1, first_lesson, lessons)
    return lessons
