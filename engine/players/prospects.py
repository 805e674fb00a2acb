"""What a side may do now and its worth: follow the match to the next throw, then evaluate.

Most plays of a throw, or of offered numbers, end in the same way: the turn goes on. Their ends are
judged together, without the machine; the others, after which the game is over, numbers are offered
or a point is contested, go through it one by one.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from engine.events import Battled, Chosen, Event, Left, Passed, Played
from engine.match import DECIDING, PLAYING, SIDE, SIX, Match, Phase, follow, next_thrower
from engine.players.boards import boards, ends_of, side_by_side
from engine.players.special import special
from engine.players.standing import standing
from engine.players.worth import Prospect, Worth, ended
from engine.players.worths import NONE, POINTS, Worths, of_row, turned
from engine.position import Side


def in_points(prospect: Prospect) -> float:
    """The points to be expected: by these the best is chosen."""
    return prospect.worth.points


def prospects(match: Match) -> list[Prospect]:
    """List the possible decisions, one play for each end position; nothing if there are none."""
    return [Prospect(event_at(match, at), of_row(row)) for at, row in enumerate(worths(match))]


def best(match: Match) -> Prospect:
    """Return the best that may be done now; where nothing can be played, that is to pass."""
    every = worths(match)
    if not len(every):
        return Prospect(Passed(), worth_of(follow(match, Passed()), match.turn))
    at = int(every[:, POINTS].argmax())
    return Prospect(event_at(match, at), of_row(every[at]))


def event_at(match: Match, at: int) -> Event:
    """Return what may be done now by its number, as `worths` counts."""
    if match.phase in (Phase.PLAY, Phase.OFFER):
        # One of thousands, perhaps: the others are not listed for it.
        return Played(match.plays[at].moves) if at < len(match.plays) else Left()
    return _choices(match)[at]


def worths(match: Match) -> Worths:
    """Return the worth of every decision now to the player who makes it, one row each."""
    return _of_decisions([match])[0]


def worth_of(match: Match, side: Side) -> Worth:
    """Return a match's worth to a side if both play best until the next throw, then evaluated."""
    if match.outcome is not None:
        return ended(match.outcome, side)
    if match.phase in (Phase.BATTLE, Phase.CONTEST):
        return mean((worth_of(each, side), 1) for each in _battles(match))
    if match.phase is Phase.THROW:
        worth = of_row(standing(match.rules, boards(match.rules, [match.position]), match.turn)[0])
    else:
        worth = best(match).worth
    return worth if match.turn is side else worth.turned


def worths_of(matches: Sequence[Match], side: Side) -> list[Worth]:
    """Return `worth_of` of several matches of one game.

    Matches before a throw, and all plays, are evaluated in one batch.
    """
    found = {}
    if deciding := [at for at, match in enumerate(matches) if match.phase in DECIDING]:
        for at, rows in zip(deciding, _of_decisions([matches[at] for at in deciding]), strict=True):
            if len(rows):
                worth = of_row(rows[rows[:, POINTS].argmax()])
                found[at] = worth if matches[at].turn is side else worth.turned
    for thrower in Side:
        due = [
            at
            for at, match in enumerate(matches)
            if match.phase is Phase.THROW and match.turn is thrower
        ]
        if due:
            rules = matches[due[0]].rules
            judged = standing(rules, boards(rules, [matches[at].position for at in due]), thrower)
            for at, row in zip(due, judged, strict=True):
                found[at] = of_row(row) if thrower is side else of_row(row).turned
    return [found[at] if at in found else worth_of(match, side) for at, match in enumerate(matches)]


def mean(counted: Iterable[tuple[Worth, int]]) -> Worth:
    """Return the mean of worths, each counted so many times."""
    win = points = 0.0
    total = 0
    for worth, count in counted:
        win += count * worth.win
        points += count * worth.points
        total += count
    return Worth(win / total, points / total)


def after(match: Match, event: Event) -> Match:
    """Return the match after a decision; offered numbers that it does not play are left."""
    done = follow(match, event)
    return (
        follow(done, Left()) if match.phase is Phase.OFFER and done.phase is Phase.OFFER else done
    )


def doer(match: Match, event: Event) -> Side:
    """Return the side that the deciding player then plays; choosing a side changes to it."""
    match event:
        case Chosen(what, value) if what == SIDE.name:
            return Side(value)
    return match.turn


def _choices(match: Match) -> list[Event]:
    """List what may be chosen."""
    if match.phase is Phase.CHOOSE:
        return [Chosen(SIX, str(number)) for number in sorted(set(match.thrown))]
    return (
        [Chosen(match.choice.name, value.name) for value in match.choice.values]
        if match.choice
        else []
    )


def _battles(match: Match) -> list[Match]:
    """Return the match after each side won the roll battle or contest; both are equally likely."""
    high, low = (6,) * match.due_dice, (1,) * match.due_dice
    return [follow(match, Battled(high, low)), follow(match, Battled(low, high))]


def _of_decisions(matches: Sequence[Match]) -> list[Worths]:
    """Return the worth of every decision in some matches to the player who makes it, a row each."""
    rows = [NONE] * len(matches)
    playing = [at for at, match in enumerate(matches) if match.plays]
    choosing = [at for at, match in enumerate(matches) if match.phase not in PLAYING]
    for some, judged in ((playing, _of_plays), (choosing, _of_choices)):
        for at, found in zip(some, judged([matches[at] for at in some]), strict=True):
            rows[at] = found
    return rows


def _of_choices(matches: Sequence[Match]) -> list[Worths]:
    """Return what each choice is worth to the player who makes it."""
    choices = [[(match, event) for event in _choices(match)] for match in matches]
    found = iter(worths_of([after(*choice) for some in choices for choice in some], Side.GOLD))
    return [
        np.array([_row(next(found), doer(*choice)) for choice in some]).reshape(-1, 2)
        for some in choices
    ]


def _of_plays(matches: Sequence[Match]) -> list[Worths]:
    """Return the worth of each play of some throws to the side that makes it.

    Last comes the worth of leaving offered numbers.
    """
    ends = [ends_of(match) for match in matches]
    rows = [NONE] * len(matches)
    for thrower in Side:
        # A throw that is thrown again leaves the turn to its side.
        alike = [at for at, match in enumerate(matches) if next_thrower(match)[0] is thrower]
        if alike:
            judged = standing(matches[0].rules, side_by_side([ends[at] for at in alike]), thrower)
            cuts = np.cumsum([len(ends[at].memory) for at in alike])[:-1]
            for at, part in zip(alike, np.split(judged, cuts), strict=True):
                rows[at] = part if thrower is matches[at].turn else turned(part)
    singly = [(at, play) for at, match in enumerate(matches) for play in special(match, ends[at])]
    for at, match in enumerate(matches):
        if match.phase is Phase.OFFER:
            rows[at] = np.vstack((rows[at], np.zeros(2)))
            singly.append((at, len(match.plays)))
    found = worths_of(
        [after(matches[at], event_at(matches[at], play)) for at, play in singly], Side.GOLD
    )
    for (at, play), golds in zip(singly, found, strict=True):
        rows[at][play] = _row(golds, matches[at].turn)
    return rows


def _row(golds: Worth, side: Side) -> tuple[float, float]:
    """Return what is worth so much to gold as a row of what it is worth to a side."""
    own = golds if side is Side.GOLD else golds.turned
    return own.win, own.points
