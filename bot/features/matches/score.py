"""The turns of a match as it was played in the end, without what was taken back."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.features.matches.session import Transition
from engine.events import (
    Battled,
    Chosen,
    Left,
    Passed,
    Played,
    SetUp,
    TakenBack,
    Thrown,
    TurnTakenBack,
)
from engine.match import Match, Phase
from engine.move import Move
from engine.notation import format_play
from engine.position import Side


@dataclass(frozen=True, slots=True)
class Decision:
    """What a side did with a throw, with the match before and after it."""

    before: Match
    event: Chosen | Played | Left | Passed
    after: Match


@dataclass(slots=True)
class ScoreTurn:
    """One throw of a side, or the numbers that the other side left over for it.

    `dice` are the numbers as they fell, and none where a side could not even throw.
    """

    side: Side
    dice: tuple[int, ...]
    is_offer: bool = False
    decisions: list[Decision] = field(default_factory=list)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that were made, in order."""
        return tuple(
            move
            for each in self.decisions
            if isinstance(each.event, Played)
            for move in each.event.moves
        )

    @property
    def is_complete(self) -> bool:
        """Whether the side was done with the throw, or the match was won by it."""
        if not self.decisions:
            return False
        after = self.decisions[-1].after
        return after.turn is not self.side or after.phase not in (Phase.PLAY, Phase.CHOOSE)

    @property
    def choices(self) -> tuple[Chosen, ...]:
        """What was chosen: a die to turn, a point to break, an option."""
        return tuple(each.event for each in self.decisions if isinstance(each.event, Chosen))

    def format_play(self) -> str:
        """Return the moves as they are typed; nothing where there are none."""
        first = next((each for each in self.decisions if isinstance(each.event, Played)), None)
        if first is None:
            return ""
        return format_play(self.moves, first.before.rules, first.before.position)


def list_turns(happened: Iterable[Transition]) -> list[ScoreTurn]:
    """Return the turns of a match, without those that were taken back."""
    turns: list[ScoreTurn] = []
    for each in happened:
        match each.event:
            case SetUp() | Battled() | Thrown():
                _begin_turn(turns, each)
            case TakenBack() | TurnTakenBack():
                _take_back(turns, each.after)
            case Chosen() | Played() | Left() | Passed():
                _add_decision(turns, Decision(each.before, each.event, each.after))
    return turns


def _begin_turn(turns: list[ScoreTurn], transition: Transition) -> None:
    before, after = transition.before, transition.after
    # The throws for who begins are those of the first turn where they are played; others, such as
    # for a bound table, are no turn.
    if isinstance(transition.event, Thrown) or (after.thrown and not before.thrown):
        turns.append(ScoreTurn(after.thrower or after.turn, after.thrown))


def _add_decision(turns: list[ScoreTurn], decision: Decision) -> None:
    before = decision.before
    last = turns[-1] if turns else None
    is_offer = before.phase is Phase.OFFER
    # What is chosen or passed before a throw begins a turn without dice.
    has_thrown = before.phase in (Phase.PLAY, Phase.CHOOSE)
    if last is None or last.side is not before.turn or last.is_offer is not is_offer:
        dice = before.position.dice if is_offer else before.thrown if has_thrown else ()
        turns.append(ScoreTurn(before.turn, dice, is_offer=is_offer))
    elif not is_offer and not has_thrown:
        turns.append(ScoreTurn(before.turn, ()))
    turns[-1].decisions.append(decision)


def _take_back(turns: list[ScoreTurn], after: Match) -> None:
    """Drop what has happened since a position was on the board."""
    for at in reversed(range(len(turns))):
        for number, each in enumerate(turns[at].decisions):
            if each.before.turn is after.turn and each.before.position == after.position:
                del turns[at].decisions[number:]
                del turns[at + 1 :]
                return
