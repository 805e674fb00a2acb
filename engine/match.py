"""The turn machine: a match as an immutable state that events move on.

A match begins with the roll battle and then goes round: throw, choose where the game has a choice,
play in parts or whole, the next player's throw. What a side may take back lies in `before`, until
the next throw [S0, S1].
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from engine import throws
from engine.ending import dead, judge, valued
from engine.events import (
    Abandoned,
    Adjudicated,
    Annulled,
    Battled,
    Chosen,
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    Event,
    Granted,
    Left,
    Passed,
    Played,
    Resigned,
    Seated,
    TakenBack,
    Thrown,
    TimedOut,
)
from engine.move import Move
from engine.moves import NO_PLAYS, Duty, Plays, legal_plays, make, next_moves
from engine.outcome import ABANDONED, ANNULLED, Outcome
from engine.position import Position, Side
from engine.refusal import Reason, Refusal
from engine.rules import Game, Option, Rules, Sides, Unusable, Value
from engine.steps import can_move, stuck

SIX = "six"
"""The name of the choice which die becomes the presumed number."""

SIDE = Option(
    name="side",
    asks="Which side do you take?",
    values=tuple(Value(side.value, f"You play {side}.") for side in Side),
    source="Lewins: where nothing else is said, the winner of the roll battle chooses",
    starter_chooses=True,
)
"""The choice of a side by the winner of the roll battle, in games with unequal sides."""

BREAK = "break"
"""The name of the choice which point of a closed table is broken."""


class Phase(StrEnum):
    """What a match waits for."""

    BATTLE = "battle"  # both sides throw for who begins
    OPENING = (
        "opening"  # the side that begins chooses (the table of Twelve Dogs, or which side it is)
    )
    CONTEST = "contest"  # both sides throw for who breaks a point
    BREAK = "break"  # the winner of a contest says which
    THROW = "throw"
    CHOOSE = "choose"  # a die is to be turned to a six
    PLAY = "play"
    OFFER = "offer"  # the other side may play the numbers that could not be played, or leave them
    OVER = "over"


BOTH_THROW = (Phase.BATTLE, Phase.CONTEST)
"""When both sides throw, and either may ask for it."""
PLAYING = (Phase.PLAY, Phase.OFFER)
"""When numbers may be played."""
DECIDING = (Phase.OPENING, Phase.BREAK, Phase.CHOOSE, *PLAYING)
"""When there is something to decide."""


@dataclass(frozen=True, kw_only=True)
class Match:
    """One match at one moment.

    `position.turn` is the side that acts now and `player` says which of its players, from 0.
    `thrown` are the dice of the last throw as they lie, `moves` what was played with it so far,
    `thrower` whose throw it was. `drawn` counts the throws so far, those of the roll battle
    included; `version` counts the events. `swapped` says that those who sat down as gold play
    black. `due` is whose turn follows a contest. `drawing` is the side whose offer of a draw
    stands, and `offered` are those that have made one since they last threw.
    """

    game: Game
    options: Mapping[str, str]
    rules: Rules
    position: Position
    phase: Phase = Phase.BATTLE
    player: int = 0
    thrown: tuple[int, ...] = ()
    thrower: Side | None = None
    presumed: int | None = None
    moves: tuple[Move, ...] = ()
    battle: tuple[Battled, ...] = ()
    drawn: int = 0
    swapped: bool = False
    due: Side | None = None
    drawing: Side | None = None
    offered: frozenset[Side] = frozenset()
    version: int = 0
    outcome: Outcome | None = None
    before: "Match | None" = field(default=None, repr=False)

    @property
    def turn(self) -> Side:
        """The side that acts now."""
        return self.position.turn

    @property
    def acting(self) -> tuple[Side, int]:
        """The side and number of the player who acts now.

        An offer is for the first player of its side.
        """
        return self.turn, 0 if self.phase is Phase.OFFER else self.player

    @property
    def due_dice(self) -> int:
        """How many dice a side throws when it throws now."""
        battle = self.rules.battle.dice if self.phase is Phase.BATTLE else None
        return battle or self.rules.dice.count

    @property
    def duty(self) -> Duty:
        """How much of the numbers left the side that acts must use."""
        return Duty.MAY if self.phase is Phase.OFFER else Duty.MUST

    @property
    def choice(self) -> Option | None:
        """What the side that begins, or that won a contest, is to choose now."""
        if self.phase is Phase.BREAK:
            return self._breaking()
        if self.phase is not Phase.OPENING:
            return None
        return SIDE if self.rules.battle.sides is Sides.CHOSEN else self.game.opening_choice()

    def _breaking(self) -> Option:
        points = self.rules.contest(self.rules, self.position) if self.rules.contest else ()
        names = [self.rules.board.names[point] for point in points]
        values = tuple(Value(name, f"A man of {name} goes to the bar.") for name in names)
        return Option(
            BREAK, "Which point is broken?", values, "binding tables", starter_chooses=True
        )

    @cached_property
    def plays(self) -> Plays:
        """The legal plays of what is left of the throw, one for each position they can end in."""
        return (
            legal_plays(self.rules, self.position, self.duty) if self.phase in PLAYING else NO_PLAYS
        )

    def forget_plays(self) -> None:
        """Let go of the plays, which are found again when asked for.

        They take a hundred times the room of a match.
        """
        vars(self).pop("plays", None)

    @cached_property
    def stuck(self) -> bool:
        """Whether no throw whatever could move a man of the side that acts."""
        return stuck(self.rules, self.position, self.turn)

    def next_moves(self) -> list[Move]:
        """List the moves that may be made next."""
        return next_moves(self.rules, self.position, self.duty) if self.phase in PLAYING else []

    def plight(self) -> str | None:
        """Return the game's own word (`lympolded`) for a side to move that nothing can free."""
        return (
            self.rules.plight(self.rules, self.position, self.turn) if self.rules.plight else None
        )

    def may_take_back(self) -> bool:
        """Whether the last decision may still be taken back."""
        return self.before is not None and self.phase is not Phase.OVER

    def apply(self, event: Event) -> "Match":
        """Return the match after an event; raises Refusal where the rules do not allow it now."""
        check(self, event)
        return follow(self, event)


def new_match(game: Game, options: Mapping[str, str]) -> Match:
    """Return a match before its roll battle; raises Refusal for an unknown option or value."""
    rules = game.rules_with(options)
    return Match(game=game, options=dict(options), rules=rules, position=rules.start)


def replay(game: Game, options: Mapping[str, str], events: Iterable[Event]) -> Match:
    """Return the match that accepted events lead to, without judging them again."""
    match = new_match(game, options)
    for event in events:
        match = follow(match, event)
    return match


def automatic(match: Match) -> Event | None:
    """Return the event that follows by itself because nothing is left to decide, or None."""
    match match.phase:
        case Phase.THROW if _waits(match):
            return Passed()
        case Phase.CHOOSE if len(set(match.thrown)) == 1:
            return Chosen(SIX, str(match.thrown[0]), forced=True)
        case Phase.PLAY:
            plays = match.plays
            if len(plays) > 1:
                return None
            return Played(plays[0].moves, forced=True) if plays else Passed()
    return None


def _waits(match: Match) -> bool:
    # Where unusable numbers count for something, even a side that cannot move must throw them.
    return match.rules.unusable is Unusable.LOST and match.stuck


def check(match: Match, event: Event) -> None:
    """Raise Refusal if the rules do not allow the event now.

    Whether somebody may adjudicate or annul is for those to judge who keep the match.
    """
    if match.phase is Phase.OVER and not _may_annul(match, event):
        raise Refusal(Reason.OVER)
    match event:
        case Battled():
            expect(match, Phase.BATTLE, Phase.CONTEST)
        case Thrown():
            expect(match, Phase.THROW)
        case Chosen(what, value):
            _check_choice(match, what, value)
        case Played(moves):
            expect(match, *PLAYING)
            _check_moves(match, moves)
        case Left():
            expect(match, Phase.OFFER)
        case Passed():
            if automatic(match) != event:
                raise Refusal(Reason.CAN_PLAY)
        case _:
            _check_agreement(match, event)


def _check_agreement(match: Match, event: Event) -> None:
    """Judge what is no move of the game: taking back, draws, and who sits at the table."""
    match event:
        case TakenBack():
            if not match.may_take_back():
                raise Refusal(Reason.TAKE_BACK)
        case DrawOffered(side):
            _check_offer(match, side)
        case DrawDeclined(side) | DrawAgreed(side):
            if match.drawing is not side.other:
                raise Refusal(Reason.NO_DRAW, side=side)
        case Seated(side, player):
            if match.rules.players == 1 or not 0 <= player < match.rules.players:
                raise Refusal(Reason.NO_SEAT, side=side)


def _may_annul(match: Match, event: Event) -> bool:
    """Whether the event annuls what is over, for the first time."""
    return (
        isinstance(event, Annulled) and match.outcome is not None and match.outcome.how != ANNULLED
    )


def _check_offer(match: Match, side: Side) -> None:
    # Until then it is not settled who plays which side, and there is nothing to share.
    if match.thrower is None:
        raise Refusal(Reason.DRAW_EARLY)
    if match.drawing is side.other:
        raise Refusal(Reason.DRAW_STANDS, side=side)
    if side in match.offered:
        raise Refusal(Reason.DRAW_AGAIN, side=side)


def expect(match: Match, *phases: Phase) -> None:
    """Raise Refusal, saying what the match waits for, unless it is in one of these phases."""
    if match.phase not in phases:
        raise Refusal(Reason.WAITS, phase=match.phase)


def _check_choice(match: Match, what: str, value: str) -> None:
    if what == SIX:
        expect(match, Phase.CHOOSE)
        if value not in map(str, match.thrown):
            raise Refusal(Reason.NO_DIE, value=value, dice=tuple(sorted(set(match.thrown))))
        return
    expect(match, Phase.OPENING, Phase.BREAK)
    assert match.choice is not None
    if what != match.choice.name:
        raise Refusal(Reason.OTHER_CHOICE, choice=match.choice.name, what=what)
    match.choice.value(value)


def _check_moves(match: Match, moves: tuple[Move, ...]) -> None:
    if not moves:
        raise Refusal(Reason.NO_MOVES)
    at = match.position
    for move in moves:
        if move not in next_moves(match.rules, at, match.duty):
            raise Refusal(Reason.TOO_FEW)
        at = make(match.rules, at, move)


def follow(match: Match, event: Event) -> Match:
    """Return the match after an accepted event, without judging it."""
    after = _follow(match, event)
    if match.offered:
        after = _heard(match, event, after)
    # It has just been made and nobody else has it yet, so it need not be copied once more.
    vars(after)["version"] = match.version + 1
    return after


def _heard(match: Match, event: Event, after: Match) -> Match:
    """Let an offer of a draw lapse when the side that was to answer it throws, plays or chooses.

    A side may offer again when it has thrown since and its last offer does not stand. What was said
    of draws is not taken back with a play.
    """
    drawing = match.drawing
    offered = match.offered
    match event:
        case Thrown() | Chosen() | Played() | Left() if drawing is match.turn.other:
            drawing = None
        case Battled() | DrawDeclined():
            drawing = None
        case DrawOffered():
            return after
    if isinstance(event, Thrown) and drawing is not match.turn:
        offered -= {match.turn}
    if after.phase is Phase.OVER:
        drawing = None
    return _changed(after, drawing=drawing, offered=offered)


def _changed(match: Match, **changes: Any) -> Match:  # noqa: ANN401 - any field of Match
    # Like `dataclasses.replace`, which sets every field again and would take most of the time of a
    # game between programs.
    after = object.__new__(Match)
    fields = vars(after)
    fields.update(vars(match), **changes)
    fields.pop("plays", None)
    fields.pop("stuck", None)
    return after


def _follow(match: Match, event: Event) -> Match:
    """Return the match after an event, always a new object, its version still the same."""
    match event:
        case Battled(gold, black):
            lead = sum(gold) - sum(black)
            if match.phase is Phase.CONTEST:
                return _contested(match, lead)
            return _battled(match, event, -lead if match.rules.battle.lower else lead)
        case Thrown(dice):
            return _thrown(match, dice, match.drawn + 1)
        case Chosen(what, value, forced):
            return _chosen(match, what, value, forced=forced)
        case Played(moves, forced):
            return _played(match, moves, forced=forced)
        case Passed():
            return _next_turn(match) if match.phase is Phase.THROW else _spent(match)
        case Left():
            return _changed(_after_offer(match), before=match)
        case TakenBack(whole):
            return _taken_back(match, whole=whole)
        case DrawOffered(side):
            return _changed(match, drawing=side, offered=match.offered | {side})
        case DrawDeclined() | Seated() | Granted():
            return _changed(match)
    return _over(match, _decided(event))


def _decided(
    event: Resigned | DrawAgreed | Adjudicated | Annulled | TimedOut | Abandoned,
) -> Outcome:
    """Return how a match has ended that was not played to its end."""
    match event:
        case Resigned(side):
            return Outcome(side.other, "resigned", {"side": side})
        case TimedOut(side):
            return Outcome(side.other, "timed-out", {"side": side})
        case DrawAgreed():
            return Outcome(None, "agreed")
        case Adjudicated(winner):
            return Outcome(winner, "adjudicated")
        case Abandoned():
            return Outcome(None, ABANDONED)
    return Outcome(None, ANNULLED)


def _battled(match: Match, battle: Battled, lead: int) -> Match:
    after = _changed(match, battle=(*match.battle, battle), drawn=match.drawn + 2)
    if lead == 0:
        return after
    winner = Side.GOLD if lead > 0 else Side.BLACK
    rules = match.rules
    if rules.battle.sides is Sides.GOLD:
        after = _changed(after, swapped=winner is Side.BLACK)
    if rules.battle.sides is Sides.CHOSEN:
        return _changed(after, position=match.position._replace(turn=winner), phase=Phase.OPENING)
    choice = match.game.opening_choice()
    settled = choice is None or choice.name in match.options
    phase = Phase.THROW if settled else Phase.OPENING
    begun = _changed(
        after, position=match.position._replace(turn=rules.battle.first or winner), phase=phase
    )
    return (
        _thrown(begun, (*battle.gold, *battle.black), begun.drawn) if rules.battle.played else begun
    )


def _contested(match: Match, lead: int) -> Match:
    after = _changed(match, drawn=match.drawn + 2, before=None)
    if lead == 0:
        return after
    winner = Side.GOLD if lead > 0 else Side.BLACK
    return _changed(after, position=match.position._replace(turn=winner), phase=Phase.BREAK)


def _thrown(match: Match, dice: tuple[int, ...], drawn: int) -> Match:
    begun: dict[str, Any] = {
        "drawn": drawn,
        "thrower": match.turn,
        "presumed": None,
        "moves": (),
        "before": None,
    }
    if throws.must_choose(match.rules.dice, dice):
        return _changed(match, thrown=dice, phase=Phase.CHOOSE, **begun)
    return _given(match, dice, **begun)


def _chosen(match: Match, what: str, value: str, *, forced: bool) -> Match:
    before = match.before if forced else match
    if what == SIX:
        at = match.thrown.index(int(value))
        thrown = throws.turned(match.rules.dice, match.thrown, int(value))
        return _given(match, thrown, presumed=at, before=before)
    if what == SIDE.name:
        return _changed(_taking(match, Side(value)), before=before)
    if what == BREAK:
        return _changed(_broken(match, match.rules.board.place(value)), before=before)
    options = {**match.options, what: value}
    rules = match.game.rules_with(options)
    return _changed(match, options=options, rules=rules, phase=Phase.THROW, before=before)


def _taking(match: Match, side: Side) -> Match:
    """Let the winner of the roll battle play that side; the players swap sides if need be."""
    first = match.rules.battle.first or side
    position = match.position._replace(turn=first)
    return _changed(match, swapped=side is not match.turn, position=position, phase=Phase.THROW)


def _broken(match: Match, point: int) -> Match:
    """Send one man of a closed table's point to the bar, and go on with the turn that was due."""
    held = Side.GOLD if match.position.gold[point] else Side.BLACK
    men = bytearray(match.position.men(held))
    men[point] -= 1
    men[match.rules.board.bars[0]] += 1
    assert match.due is not None
    position = match.position.with_men(held, men)._replace(turn=match.due)
    return _changed(match, position=position, phase=Phase.THROW, due=None)


def _given(
    match: Match,
    thrown: tuple[int, ...],
    **changes: Any,  # noqa: ANN401 - any field of Match
) -> Match:
    """Give the throw's numbers to play; ad fallum, a side that cannot play them all has lost."""
    numbers = throws.numbers(match.rules.dice, thrown)
    gold, black, turn, _, memory = match.position
    position = Position(gold, black, turn, numbers, memory)
    after = _changed(match, thrown=thrown, phase=Phase.PLAY, position=position, **changes)
    if match.rules.unusable is Unusable.LOSES and _falls(after):
        return _over(after, Outcome(match.turn.other, "ad-fallum", {"side": match.turn}))
    return after


def _falls(match: Match) -> bool:
    if match.rules.falls_whole:
        return not match.plays
    return not any(not end.dice for end in match.plays.ends)


def _played(match: Match, moves: tuple[Move, ...], *, forced: bool) -> Match:
    position = _reached(match, moves)
    before = match.before if forced else match
    after = _changed(match, position=position, moves=(*match.moves, *moves), before=before)
    if outcome := judge(match.rules, position):
        return _over(after, outcome)
    if can_move(match.rules, position):
        return after
    return _after_offer(after) if match.phase is Phase.OFFER else _spent(after)


def _reached(match: Match, moves: tuple[Move, ...]) -> Position:
    """Return the position after some moves: of a play that has been listed it is known already."""
    listed: Plays | None = vars(match).get("plays")
    if listed and moves in listed.reached:
        return listed.reached[moves]
    position = match.position
    for move in moves:
        position = make(match.rules, position, move)
    return position


def _spent(match: Match) -> Match:
    """Offer what is left of the thrower's numbers where the game says so, or go on."""
    if match.rules.unusable is Unusable.OPPONENT:
        offered = _handed_on(match.rules, match.position)
        if can_move(match.rules, offered):
            return _changed(match, phase=Phase.OFFER, position=offered)
    return _next_turn(match)


def _after_offer(match: Match) -> Match:
    """Give the throw back to its thrower, who can do no more with it."""
    return _next_turn(
        _changed(match, phase=Phase.PLAY, position=_handed_on(match.rules, match.position))
    )


def _next_turn(match: Match) -> Match:
    """Pass the dice on to the player who throws next.

    After doubles that throw again that is the same player, else the next one of the side, else the
    other side.
    """
    gold, black, _, _, memory = done_with(match.rules, match.position)
    side, player = next_thrower(match)
    after = _changed(
        match, phase=Phase.THROW, player=player, position=Position(gold, black, side, (), memory)
    )
    # Mostly they can move; and whether they can is asked once more when they are to throw.
    if after.stuck and (outcome := dead(match.rules, after.position)):
        return _over(match, outcome)
    if throws_again(match):
        return after
    if match.rules.contest and match.rules.contest(match.rules, after.position):
        return _changed(after, phase=Phase.CONTEST, due=after.turn)
    return after


def throws_again(match: Match) -> bool:
    """Return whether the same player throws again after this throw, because it shows doubles."""
    dice = match.rules.dice
    return (
        match.phase is not Phase.THROW
        and dice.doubles.throws_again
        and throws.is_double(dice, match.thrown)
    )


def next_thrower(match: Match) -> tuple[Side, int]:
    """Return the side whose turn follows the one that ends now, and the number of its player."""
    thrower = match.turn.other if match.phase is Phase.OFFER else match.turn
    if throws_again(match):
        return thrower, match.player
    if match.player + 1 < match.rules.players:
        return thrower, match.player + 1
    return thrower.other, 0


def _handed_on(rules: Rules, position: Position) -> Position:
    """Give what is left of a throw to the other side."""
    return done_with(rules, position)._replace(turn=position.turn.other)


def done_with(rules: Rules, position: Position) -> Position:
    """Return a position when its side has done with a throw, as far as it can play it."""
    return (
        position._replace(memory=rules.memory.after(rules, position, None))
        if rules.memory
        else position
    )


def _taken_back(match: Match, *, whole: bool) -> Match:
    back = match.before
    assert back is not None
    while whole and back.before and back.before.turn is back.turn:
        back = back.before
    return _changed(back)


def _over(match: Match, outcome: Outcome) -> Match:
    position = match.position
    # What a throw remembers, such as who is being placed, means nothing without the numbers that
    # were left of it.
    ended = position._replace(dice=(), memory=0) if position.dice else position
    return _changed(
        match,
        phase=Phase.OVER,
        position=ended,
        outcome=valued(match.rules, position, outcome),
    )
