"""What a side may do now, evaluated: follow the match to the next throw, then evaluate.

Most plays of a throw, or of offered numbers, end in the same way: the turn goes on. Their ends are
judged together, without the machine; the others, after which the game is over, numbers are offered
or both sides roll for a break, go through it one by one. The judge is the best that there is, exact
where a game is solved, unless a caller asks for another.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from engine.events import Battled, Chosen, Event, Left, Passed, Played
from engine.match import (
    DECISION_PHASES,
    PLAY_PHASES,
    SIDE,
    SIX,
    Match,
    Phase,
    apply_unchecked,
    find_next_thrower,
)
from engine.players.batch_evaluation import Judge, evaluate_positions
from engine.players.boards import join_boards, stack_ends, stack_positions
from engine.players.evaluation import Evaluation, Prospect, evaluate_outcome
from engine.players.evaluation_rows import (
    EXACT,
    NO_EVALUATIONS,
    POINTS,
    EvaluationRows,
    flip_evaluations,
    unpack_evaluation,
)
from engine.players.special import list_special_plays
from engine.position import Side


def get_points(prospect: Prospect) -> float:
    """The points to be expected: by these the best is chosen."""
    return prospect.evaluation.points


def list_prospects(match: Match, judge: Judge = evaluate_positions) -> list[Prospect]:
    """List the possible decisions, one play for each end position; nothing if there are none."""
    return [
        Prospect(event_at(match, at), unpack_evaluation(row))
        for at, row in enumerate(evaluate_decisions(match, judge))
    ]


def find_best(match: Match, judge: Judge = evaluate_positions) -> Prospect:
    """Return the best that may be done now; where nothing can be played, that is to pass."""
    every = evaluate_decisions(match, judge)
    if not len(every):
        passed = apply_unchecked(match, Passed())
        return Prospect(Passed(), evaluate_match(passed, match.turn, judge))
    at, evaluation = _find_best_row(every)
    return Prospect(event_at(match, at), evaluation)


def _find_best_row(rows: EvaluationRows) -> tuple[int, Evaluation]:
    """Return which decision is best, and what it is worth to have them all.

    That is exact only if none of them is estimated, or the best one wins for certain.
    """
    at = int(rows[:, POINTS].argmax())
    evaluation = unpack_evaluation(rows[at])
    is_known = evaluation.exact and (evaluation.win >= 1 or bool(rows[:, EXACT].all()))
    return at, replace(evaluation, exact=is_known)


def event_at(match: Match, at: int) -> Event:
    """Return what may be done now by its number, as rows of evaluations count."""
    if match.phase in (Phase.PLAY, Phase.OFFER):
        # One of thousands, perhaps: the others are not listed for it.
        return Played(match.plays[at].moves) if at < len(match.plays) else Left()
    return list_choices(match)[at]


def evaluate_decisions(match: Match, judge: Judge = evaluate_positions) -> EvaluationRows:
    """Return the evaluation of every decision now for the player who makes it, one row each."""
    return _evaluate_all_decisions([match], judge)[0]


def evaluate_match(match: Match, side: Side, judge: Judge = evaluate_positions) -> Evaluation:
    """Evaluate a match for a side, with the best play of both until the next throw."""
    if match.outcome is not None:
        return evaluate_outcome(match.outcome, side)
    if match.phase in (Phase.BATTLE, Phase.BREAK_ROLL):
        return average_evaluations(
            (evaluate_match(each, side, judge), 1) for each in _list_battle_results(match)
        )
    if match.phase is Phase.THROW:
        evaluation = unpack_evaluation(
            judge(match.rules, stack_positions(match.rules, [match.position]), match.turn)[0]
        )
    else:
        evaluation = find_best(match, judge).evaluation
    return evaluation if match.turn is side else evaluation.opposite


def evaluate_matches(
    matches: Sequence[Match], side: Side, judge: Judge = evaluate_positions
) -> list[Evaluation]:
    """Return `evaluate_match` of several matches of one game.

    Matches before a throw, and all plays, are evaluated in one batch.
    """
    found = {}
    if deciding := [at for at, match in enumerate(matches) if match.phase in DECISION_PHASES]:
        for at, rows in zip(
            deciding, _evaluate_all_decisions([matches[at] for at in deciding], judge), strict=True
        ):
            if len(rows):
                _, evaluation = _find_best_row(rows)
                found[at] = evaluation if matches[at].turn is side else evaluation.opposite
    # A batch has one side to throw, since the inputs are laid out as that side sees them.
    for thrower in Side:
        due = [
            at
            for at, match in enumerate(matches)
            if match.phase is Phase.THROW and match.turn is thrower
        ]
        if due:
            rules = matches[due[0]].rules
            judged = judge(
                rules, stack_positions(rules, [matches[at].position for at in due]), thrower
            )
            for at, row in zip(due, judged, strict=True):
                found[at] = (
                    unpack_evaluation(row) if thrower is side else unpack_evaluation(row).opposite
                )
    return [
        found[at] if at in found else evaluate_match(match, side, judge)
        for at, match in enumerate(matches)
    ]


def average_evaluations(counted: Iterable[tuple[Evaluation, int]]) -> Evaluation:
    """Return the mean of evaluations, each counted so many times."""
    win = points = 0.0
    total = 0
    exact = True
    for evaluation, count in counted:
        win += count * evaluation.win
        points += count * evaluation.points
        total += count
        exact = exact and evaluation.exact
    return Evaluation(win / total, points / total, exact)


def apply_decision(match: Match, event: Event) -> Match:
    """Return the match after a decision; offered numbers that it does not play are left."""
    done = apply_unchecked(match, event)
    return (
        apply_unchecked(done, Left())
        if match.phase is Phase.OFFER and done.phase is Phase.OFFER
        else done
    )


def find_deciding_side(match: Match, event: Event) -> Side:
    """Return the side that the deciding player then plays; choosing a side changes to it."""
    match event:
        case Chosen(what, value) if what == SIDE.name:
            return Side(value)
    return match.turn


def list_choices(match: Match) -> list[Chosen]:
    """List what may be chosen."""
    if match.phase is Phase.CHOOSE:
        return [Chosen(SIX, str(number)) for number in sorted(set(match.thrown))]
    return (
        [Chosen(match.choice.name, value.name) for value in match.choice.values]
        if match.choice
        else []
    )


def _list_battle_results(match: Match) -> list[Match]:
    """Return the match after each side won the roll; both are equally likely."""
    high, low = (6,) * match.due_dice, (1,) * match.due_dice
    return [apply_unchecked(match, Battled(high, low)), apply_unchecked(match, Battled(low, high))]


def _evaluate_all_decisions(matches: Sequence[Match], judge: Judge) -> list[EvaluationRows]:
    """Evaluate every decision in some matches for the player who makes it, a row each."""
    rows = [NO_EVALUATIONS] * len(matches)
    playing = [at for at, match in enumerate(matches) if match.plays]
    choosing = [at for at, match in enumerate(matches) if match.phase not in PLAY_PHASES]
    for some, judged in ((playing, _evaluate_plays), (choosing, _evaluate_choices)):
        for at, found in zip(some, judged([matches[at] for at in some], judge), strict=True):
            rows[at] = found
    return rows


def _evaluate_choices(matches: Sequence[Match], judge: Judge) -> list[EvaluationRows]:
    """Return what each choice is worth to the player who makes it."""
    choices = [[(match, event) for event in list_choices(match)] for match in matches]
    found = iter(
        evaluate_matches(
            [apply_decision(*choice) for some in choices for choice in some], Side.GOLD, judge
        )
    )
    return [
        np.array([_build_row(next(found), find_deciding_side(*choice)) for choice in some]).reshape(
            -1, NO_EVALUATIONS.shape[1]
        )
        for some in choices
    ]


def _evaluate_plays(matches: Sequence[Match], judge: Judge) -> list[EvaluationRows]:
    """Return the evaluation of each play of some throws to the side that makes it.

    Last comes the evaluation of leaving offered numbers.
    """
    ends = [stack_ends(match) for match in matches]
    rows = [NO_EVALUATIONS] * len(matches)
    for thrower in Side:
        # A throw that is thrown again leaves the turn to its side.
        alike = [at for at, match in enumerate(matches) if find_next_thrower(match)[0] is thrower]
        if alike:
            judged = judge(matches[0].rules, join_boards([ends[at] for at in alike]), thrower)
            cuts = np.cumsum([len(ends[at].memory) for at in alike])[:-1]
            for at, part in zip(alike, np.split(judged, cuts), strict=True):
                rows[at] = part if thrower is matches[at].turn else flip_evaluations(part)
    singly = [
        (at, play)
        for at, match in enumerate(matches)
        for play in list_special_plays(match, ends[at])
    ]
    for at, match in enumerate(matches):
        if match.phase is Phase.OFFER:
            # The row of leaving the numbers, which is evaluated below with the special plays.
            rows[at] = np.vstack((rows[at], np.zeros(NO_EVALUATIONS.shape[1])))
            singly.append((at, len(match.plays)))
    found = evaluate_matches(
        [apply_decision(matches[at], event_at(matches[at], play)) for at, play in singly],
        Side.GOLD,
        judge,
    )
    for (at, play), golds in zip(singly, found, strict=True):
        rows[at][play] = _build_row(golds, matches[at].turn)
    return rows


def _build_row(golds: Evaluation, side: Side) -> tuple[float, float, bool]:
    """Return what is worth so much to gold as a row of what it is worth to a side."""
    own = golds if side is Side.GOLD else golds.opposite
    return own.win, own.points, own.exact
