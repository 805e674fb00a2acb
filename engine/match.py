"""The turn machine: a match as an immutable state that events move on.

A match begins with the roll battle and then goes round: throw, choose where the game has a choice,
play in parts or whole, the next player's throw. What a side may take back lies in `before`, until
the next throw [S0, S1].
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, Protocol, TypeVar

from engine import throws
from engine.ending import find_deadlock, find_outcome, score_outcome
from engine.events import (
    Abandoned,
    Aborted,
    Adjudicated,
    Annulled,
    Battled,
    Chosen,
    Concluded,
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
    SetUp,
    TakenBack,
    Thrown,
    TimedOut,
    TurnTakenBack,
    is_forced,
)
from engine.move import Move
from engine.outcome import ABANDONED, ABORTED, ANNULLED, FORFEITED, GameOutcome
from engine.plays import NO_PLAYS, Duty, PlayList, list_legal_plays, list_next_moves, make_move
from engine.position import Position, Side
from engine.position_text import parse_position
from engine.refusal import Reason, Refusal
from engine.rules import Game, Option, OptionValue, Rules, SideAssignment, UnusableRule
from engine.search.moves import can_move, is_stuck

SIX = "six"
"""The name of the choice which die becomes the presumed number."""

SIDE = Option(
    name="side",
    asks="Which side do you take?",
    values=tuple(OptionValue(side.value, f"You play {side}.") for side in Side),
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
    BREAK_ROLL = "contest"  # both sides throw for who breaks a point
    BREAK = "break"  # the winner of that roll says which
    THROW = "throw"
    CHOOSE = "choose"  # a die is to be turned to a six
    PLAY = "play"
    OFFER = "offer"  # the other side may play the numbers that could not be played, or leave them
    OVER = "over"


YOUNG_TURNS = 2
"""Turns within which a match can be left without a result."""
BOTH_THROW_PHASES = (Phase.BATTLE, Phase.BREAK_ROLL)
"""When both sides throw, and either may ask for it."""
PLAY_PHASES = (Phase.PLAY, Phase.OFFER)
"""When numbers may be played."""
DECISION_PHASES = (Phase.OPENING, Phase.BREAK, Phase.CHOOSE, *PLAY_PHASES)
"""When there is something to decide."""


@dataclass(frozen=True, kw_only=True)
class Match:
    """One match at one moment.

    `position.turn` is the side that acts now and `player` says which of its players, from 0.
    `thrown` are the dice of the last throw as they lie, `moves` what was played with it so far,
    `thrower` whose throw it was. `drawn` counts the throws so far, those of the roll battle
    included; `version` counts the events. `swapped` says that those who sat down as gold play
    black. `due` is whose turn follows a roll for a break. `drawing` is the side whose offer of a
    draw stands, and `offered` are those that have made one since they last threw. `starts` are the
    matches in which the sides made the first decision of their last turns.
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
    outcome: GameOutcome | None = None
    before: "Match | None" = field(default=None, repr=False)
    starts: Mapping[Side, "Match"] = field(default_factory=dict, repr=False, compare=False)

    @property
    def turn(self) -> Side:
        """The side that acts now."""
        return self.position.turn

    @property
    def acting_player(self) -> tuple[Side, int]:
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
        """What the side that begins, or that won a roll for a break, is to choose now."""
        if self.phase is Phase.BREAK:
            return self._build_break_option()
        if self.phase is not Phase.OPENING:
            return None
        return (
            SIDE
            if self.rules.battle.sides is SideAssignment.CHOSEN
            else self.game.find_opening_choice()
        )

    def _build_break_option(self) -> Option:
        points = (
            self.rules.bound_points(self.rules, self.position) if self.rules.bound_points else ()
        )
        names = [self.rules.board.place_names[point] for point in points]
        values = tuple(OptionValue(name, f"A man of {name} goes to the bar.") for name in names)
        return Option(
            BREAK, "Which point is broken?", values, "binding tables", starter_chooses=True
        )

    @cached_property
    def plays(self) -> PlayList:
        """The legal plays of what is left of the throw, one for each position they can end in."""
        return (
            list_legal_plays(self.rules, self.position, self.duty)
            if self.phase in PLAY_PHASES
            else NO_PLAYS
        )

    def forget_plays(self) -> None:
        """Let go of the plays, which are found again when asked for.

        They take a hundred times the room of a match.
        """
        # A frozen dataclass refuses `del`; a cached property keeps its value in the instance's
        # dict.
        vars(self).pop("plays", None)

    @cached_property
    def is_stuck(self) -> bool:
        """Whether no throw whatever could move a man of the side that acts."""
        return is_stuck(self.rules, self.position, self.turn)

    def list_next_moves(self) -> list[Move]:
        """List the moves that may be made next."""
        return (
            list_next_moves(self.rules, self.position, self.duty)
            if self.phase in PLAY_PHASES
            else []
        )

    def find_plight(self) -> str | None:
        """Return the game's own word (`lympolded`) for a side to move that nothing can free."""
        return (
            self.rules.plight(self.rules, self.position, self.turn) if self.rules.plight else None
        )

    def may_take_back(self) -> bool:
        """Whether the last decision may still be taken back."""
        return self.before is not None and self.phase is not Phase.OVER

    def may_take_back_turn(self, side: Side) -> bool:
        """Whether a side has a last turn that can be taken back; who may is for others to judge."""
        return self.phase is not Phase.OVER and side in self.starts

    def may_abort(self) -> bool:
        """Whether the match is within its first two turns, and can be left as if it had not been.

        Both sides' opening throws are no turns.
        """
        turns = self.drawn - 2 * len(self.battle)
        return self.phase is not Phase.OVER and turns <= YOUNG_TURNS

    def apply(self, event: Event) -> "Match":
        """Return the match after an event; raises Refusal where the rules do not allow it now."""
        check_event(self, event)
        return apply_unchecked(self, event)


def new_match(game: Game, options: Mapping[str, str]) -> Match:
    """Return a match before its roll battle; raises Refusal for an unknown option or value."""
    rules = game.resolve_rules(options)
    return Match(game=game, options=dict(options), rules=rules, position=rules.start_position)


def replay_events(game: Game, options: Mapping[str, str], events: Iterable[Event]) -> Match:
    """Return the match that accepted events lead to, without judging them again."""
    match = new_match(game, options)
    for event in events:
        match = apply_unchecked(match, event)
    return match


def find_forced_event(match: Match) -> Event | None:
    """Return the event that follows by itself because nothing is left to decide, or None."""
    match match.phase:
        case Phase.THROW if _may_skip_throw(match):
            return Passed()
        # All dice show the same number, so it makes no difference which is turned.
        case Phase.CHOOSE if len(set(match.thrown)) == 1:
            return Chosen(SIX, str(match.thrown[0]), forced=True)
        # An offer is never forced, since its numbers may always be left.
        case Phase.PLAY:
            plays = match.plays
            if len(plays) > 1:
                return None
            return Played(plays[0].moves, forced=True) if plays else Passed()
    return None


def _may_skip_throw(match: Match) -> bool:
    # Where unusable numbers count for something, even a side that cannot move must throw them.
    return match.rules.unusable is UnusableRule.LOST and match.is_stuck


def check_event(match: Match, event: Event) -> None:
    """Raise Refusal if the rules do not allow the event now.

    Whether somebody may adjudicate, conclude or annul is for those to judge who keep the match.
    """
    if match.phase is Phase.OVER and not _may_annul(match, event):
        raise Refusal(Reason.OVER)
    match event:
        case SetUp(position, dice):
            _check_beginning(match, position, dice)
        case Battled():
            expect_phase(match, Phase.BATTLE, Phase.BREAK_ROLL)
        case Thrown():
            expect_phase(match, Phase.THROW)
        case Chosen(what, value):
            _check_choice(match, what, value)
        case Played(moves):
            expect_phase(match, *PLAY_PHASES)
            _check_moves(match, moves)
        case Left():
            expect_phase(match, Phase.OFFER)
        case Passed():
            # Passing is no choice: a side that can play has to [S0].
            if find_forced_event(match) != event:
                raise Refusal(Reason.CAN_PLAY)
        case _:
            _check_agreement(match, event)


def _check_beginning(match: Match, position: str, dice: tuple[int, ...]) -> None:
    """Judge a position in which a match is to begin: nothing has happened, and it is possible."""
    if match.version:
        raise Refusal(Reason.WAITS, phase=match.phase)
    at = parse_position(position, match.rules)
    if find_outcome(match.rules, at) or find_deadlock(match.rules, at):
        raise Refusal(Reason.OVER)
    count = match.rules.dice.count
    if at.dice or len(dice) not in (0, count) or not all(1 <= die <= 6 for die in dice):
        raise Refusal(Reason.DICE, typed="-".join(map(str, at.dice + dice)))


def _check_agreement(match: Match, event: Event) -> None:
    """Judge what is no move of the game: taking back, draws, and who sits at the table."""
    match event:
        case TakenBack() | TurnTakenBack():
            if not _can_take_back(match, event):
                raise Refusal(Reason.TAKE_BACK)
        case Aborted():
            if not match.may_abort():
                raise Refusal(Reason.ABORT_LATE)
        case DrawOffered(side):
            _check_offer(match, side)
        case DrawDeclined(side) | DrawAgreed(side):
            if match.drawing is not side.other:
                raise Refusal(Reason.NO_DRAW, side=side)
        case Seated(side, player):
            if match.rules.players == 1 or not 0 <= player < match.rules.players:
                raise Refusal(Reason.NO_SEAT, side=side)


def _can_take_back(match: Match, event: TakenBack | TurnTakenBack) -> bool:
    if isinstance(event, TurnTakenBack):
        return match.may_take_back_turn(event.side)
    return match.may_take_back()


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


def expect_phase(match: Match, *phases: Phase) -> None:
    """Raise Refusal, saying what the match waits for, unless it is in one of these phases."""
    if match.phase not in phases:
        raise Refusal(Reason.WAITS, phase=match.phase)


def _check_choice(match: Match, what: str, value: str) -> None:
    if what == SIX:
        expect_phase(match, Phase.CHOOSE)
        if value not in map(str, match.thrown):
            raise Refusal(Reason.NO_DIE, value=value, dice=tuple(sorted(set(match.thrown))))
        return
    expect_phase(match, Phase.OPENING, Phase.BREAK)
    assert match.choice is not None
    if what != match.choice.name:
        raise Refusal(Reason.OTHER_CHOICE, choice=match.choice.name, what=what)
    match.choice.find_value(value)


def _check_moves(match: Match, moves: tuple[Move, ...]) -> None:
    if not moves:
        raise Refusal(Reason.NO_MOVES)
    at = match.position
    for move in moves:
        # Checked move by move against how a legal play may begin or go on, so part of a play is
        # legal too.
        if move not in list_next_moves(match.rules, at, match.duty):
            raise Refusal(Reason.TOO_FEW)
        at = make_move(match.rules, at, move)


def apply_unchecked(match: Match, event: Event) -> Match:
    """Return the match after an accepted event, without judging it."""
    after = _apply_event(match, event)
    if isinstance(event, Chosen | Played | Left) and not is_forced(event):
        _remember_start(match, after)
    if match.offered:
        after = _expire_draw_offer(match, event, after)
    # It has just been made and nobody else has it yet, so it need not be copied once more.
    vars(after)["version"] = match.version + 1
    return after


def _remember_start(match: Match, after: Match) -> None:
    """Keep the match before a decision in the one after it if it is the first of a side's turn."""
    is_first = match.before is None or match.before.turn is not match.turn
    if not is_first or match.phase not in (Phase.CHOOSE, *PLAY_PHASES):
        return
    # It has no past of its own: one turn can be taken back, and memory is bounded.
    start = _replace_fields(match, before=None, starts={})
    # `after` has just been made, and nobody else has it yet.
    vars(after)["starts"] = {**match.starts, match.turn: start}


def _expire_draw_offer(match: Match, event: Event, after: Match) -> Match:
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
    return _replace_fields(after, drawing=drawing, offered=offered)


def _replace_fields(match: Match, **changes: Any) -> Match:  # noqa: ANN401 - any field of Match
    # Like `dataclasses.replace`, which sets every field again and would take most of the time of a
    # game between programs.
    after = object.__new__(Match)
    fields = vars(after)
    fields.update(vars(match), **changes)
    # Cached values belong to the match for which they were computed, not to its successor.
    fields.pop("plays", None)
    fields.pop("is_stuck", None)
    return after


def _apply_event(match: Match, event: Event) -> Match:
    """Return the match after an event, always a new object, its version still the same."""
    match event:
        case SetUp(position, dice):
            return _begin_in_position(match, position, dice)
        case Battled():
            return _apply_roll_of_both(match, event)
        case Thrown(dice):
            return _apply_throw(match, dice, match.drawn + 1)
        case Chosen(what, value, forced):
            return _apply_choice(match, what, value, forced=forced)
        case Played(moves, forced):
            return _apply_moves(match, moves, forced=forced)
        case Passed():
            # Before the throw there are no numbers that the other side could be offered.
            return _pass_turn(match) if match.phase is Phase.THROW else _finish_throw(match)
        case Left():
            # To leave the numbers is a decision, so it can be taken back like a play.
            return _replace_fields(_finish_offer(match), before=match)
        case TakenBack() | TurnTakenBack():
            return _take_back(match, event)
        case DrawOffered(side):
            return _replace_fields(match, drawing=side, offered=match.offered | {side})
        # A new object even where nothing else changes: its version is then set in place.
        case DrawDeclined() | Seated() | Granted():
            return _replace_fields(match)
    return _end_match(match, _decide_outcome(event))


def _decide_outcome(
    event: (
        Resigned | Aborted | DrawAgreed | Adjudicated | Concluded | Annulled | TimedOut | Abandoned
    ),
) -> GameOutcome:
    """Return how a match has ended that was not played to its end."""
    match event:
        case Resigned(side):
            return GameOutcome(side.other, "resigned", {"side": side})
        case TimedOut(side):
            return GameOutcome(side.other, "timed-out", {"side": side})
        case Aborted(side):
            return GameOutcome(None, ABORTED, {"side": side})
        case DrawAgreed():
            return GameOutcome(None, "agreed")
        case Adjudicated(winner):
            return GameOutcome(winner, "adjudicated")
        case Concluded(winner, forfeited):
            return _decide_concluded(winner, forfeited=forfeited)
        case Abandoned():
            return GameOutcome(None, ABANDONED)
    return GameOutcome(None, ANNULLED)


def _decide_concluded(winner: Side | None, *, forfeited: bool) -> GameOutcome:
    """Return how a match has ended that its contest has ended."""
    if not forfeited:
        return GameOutcome(winner, "deadline")
    # Its words name the side that did not play; where neither did, there is no side to name.
    return GameOutcome(winner, FORFEITED, {"side": winner.other} if winner else {})


def _apply_roll_of_both(match: Match, battle: Battled) -> Match:
    lead = sum(battle.gold) - sum(battle.black)
    # A roll for a break goes to the higher throw, even where the lower one wins the opening roll.
    if match.phase is Phase.BREAK_ROLL:
        return _apply_break_roll(match, lead)
    return _apply_opening_roll(match, battle, -lead if match.rules.battle.lower else lead)


def _apply_opening_roll(match: Match, battle: Battled, lead: int) -> Match:
    # Each side's throw is one of the committed throws, so a roll battle counts as two.
    after = _replace_fields(match, battle=(*match.battle, battle), drawn=match.drawn + 2)
    if lead == 0:
        return after
    winner = Side.GOLD if lead > 0 else Side.BLACK
    rules = match.rules
    if rules.battle.sides is SideAssignment.GOLD:
        # The players change sides instead of the men: the winner has gold from here on.
        after = _replace_fields(after, swapped=winner is Side.BLACK)
    if rules.battle.sides is SideAssignment.CHOSEN:
        return _replace_fields(
            after, position=match.position._replace(turn=winner), phase=Phase.OPENING
        )
    choice = match.game.find_opening_choice()
    settled = choice is None or choice.name in match.options
    phase = Phase.THROW if settled else Phase.OPENING
    begun = _replace_fields(
        after, position=match.position._replace(turn=rules.battle.first_side or winner), phase=phase
    )
    return (
        # These dice have been counted as drawn already.
        _apply_throw(begun, (*battle.gold, *battle.black), begun.drawn)
        if rules.battle.played
        else begun
    )


def _apply_break_roll(match: Match, lead: int) -> Match:
    after = _replace_fields(match, drawn=match.drawn + 2, before=None)
    if lead == 0:
        return after
    winner = Side.GOLD if lead > 0 else Side.BLACK
    return _replace_fields(after, position=match.position._replace(turn=winner), phase=Phase.BREAK)


def _begin_in_position(match: Match, text: str, dice: tuple[int, ...]) -> Match:
    """Begin in a position; its dice count as none that the match has drawn."""
    begun = _replace_fields(
        match, position=parse_position(text, match.rules), phase=Phase.THROW, before=None
    )
    return _apply_throw(begun, dice, match.drawn) if dice else begun


def _apply_throw(match: Match, dice: tuple[int, ...], drawn: int) -> Match:
    begun: dict[str, Any] = {
        "drawn": drawn,
        "thrower": match.turn,
        "presumed": None,
        "moves": (),
        "before": None,
    }
    if throws.must_choose(match.rules.dice, dice):
        return _replace_fields(match, thrown=dice, phase=Phase.CHOOSE, **begun)
    return _give_numbers(match, dice, **begun)


def _apply_choice(match: Match, what: str, value: str, *, forced: bool) -> Match:
    # What follows by itself is taken back together with the decision before it.
    before = match.before if forced else match
    if what == SIX:
        at = match.thrown.index(int(value))
        thrown = throws.turn_die(match.rules.dice, match.thrown, int(value))
        return _give_numbers(match, thrown, presumed=at, before=before)
    if what == SIDE.name:
        return _replace_fields(_take_side(match, Side(value)), before=before)
    if what == BREAK:
        return _replace_fields(
            _break_point(match, match.rules.board.find_place(value)), before=before
        )
    options = {**match.options, what: value}
    rules = match.game.resolve_rules(options)
    return _replace_fields(match, options=options, rules=rules, phase=Phase.THROW, before=before)


def _take_side(match: Match, side: Side) -> Match:
    """Let the winner of the roll battle play that side; the players swap sides if need be."""
    first = match.rules.battle.first_side or side
    position = match.position._replace(turn=first)
    return _replace_fields(
        match, swapped=side is not match.turn, position=position, phase=Phase.THROW
    )


def _break_point(match: Match, point: int) -> Match:
    """Send one man of a closed table's point to the bar, and go on with the turn that was due."""
    held = Side.GOLD if match.position.gold[point] else Side.BLACK
    men = bytearray(match.position.men(held))
    men[point] -= 1
    men[match.rules.board.bars[0]] += 1
    assert match.due is not None
    position = match.position.with_men(held, men)._replace(turn=match.due)
    return _replace_fields(match, position=position, phase=Phase.THROW, due=None)


def _give_numbers(
    match: Match,
    thrown: tuple[int, ...],
    **changes: Any,  # noqa: ANN401 - any field of Match
) -> Match:
    """Give the throw's numbers to play; ad fallum, a side that cannot play them all has lost."""
    numbers = throws.list_numbers(match.rules.dice, thrown)
    gold, black, turn, _, memory = match.position
    position = Position(gold, black, turn, numbers, memory)
    after = _replace_fields(match, thrown=thrown, phase=Phase.PLAY, position=position, **changes)
    if match.rules.unusable is UnusableRule.LOSES and _is_ad_fallum(after):
        return _end_match(after, GameOutcome(match.turn.other, "ad-fallum", {"side": match.turn}))
    return after


def _is_ad_fallum(match: Match) -> bool:
    if match.rules.falls_whole:
        return not match.plays
    # An end without numbers is a throw played whole; a win counts as one, since it clears them.
    return not any(not end.dice for end in match.plays.ends)


def _apply_moves(match: Match, moves: tuple[Move, ...], *, forced: bool) -> Match:
    position = _find_end_position(match, moves)
    before = match.before if forced else match
    after = _replace_fields(match, position=position, moves=(*match.moves, *moves), before=before)
    if outcome := find_outcome(match.rules, position):
        return _end_match(after, outcome)
    if can_move(match.rules, position):
        return after
    return _finish_offer(after) if match.phase is Phase.OFFER else _finish_throw(after)


def _find_end_position(match: Match, moves: tuple[Move, ...]) -> Position:
    """Return the position after some moves: of a play that has been listed it is known already."""
    # Not `match.plays`, which would list every play only to look one up.
    listed: PlayList | None = vars(match).get("plays")
    if listed and moves in listed.reached:
        return listed.reached[moves]
    position = match.position
    for move in moves:
        position = make_move(match.rules, position, move)
    return position


def _finish_throw(match: Match) -> Match:
    """Offer what is left of the thrower's numbers where the game says so, or go on."""
    if match.rules.unusable is UnusableRule.OPPONENT:
        offered = _hand_over_numbers(match.rules, match.position)
        if can_move(match.rules, offered):
            return _replace_fields(match, phase=Phase.OFFER, position=offered)
    return _pass_turn(match)


def _finish_offer(match: Match) -> Match:
    """Give the throw back to its thrower, who can do nothing more with it."""
    return _pass_turn(
        _replace_fields(
            match, phase=Phase.PLAY, position=_hand_over_numbers(match.rules, match.position)
        )
    )


def _pass_turn(match: Match) -> Match:
    """Pass the dice on to the player who throws next.

    After doubles that throw again that is the same player, else the next one of the side, else the
    other side.
    """
    gold, black, _, _, memory = end_throw(match.rules, match.position)
    side, player = find_next_thrower(match)
    after = _replace_fields(
        match, phase=Phase.THROW, player=player, position=Position(gold, black, side, (), memory)
    )
    # Mostly they can move; and whether they can is asked once more when they are to throw.
    if after.is_stuck and (outcome := find_deadlock(match.rules, after.position)):
        return _end_match(match, outcome)
    # The same player goes on, so the turn that a roll for a break precedes has not come yet.
    if has_extra_throw(match):
        return after
    if match.rules.bound_points and match.rules.bound_points(match.rules, after.position):
        return _replace_fields(after, phase=Phase.BREAK_ROLL, due=after.turn)
    return after


def has_extra_throw(match: Match) -> bool:
    """Return whether the same player throws again after this throw, because it shows doubles."""
    dice = match.rules.dice
    return (
        # A side that passes before its throw still has the dice of the throw before in `thrown`.
        match.phase is not Phase.THROW
        and dice.doubles.has_extra_throw
        and throws.is_double(dice, match.thrown)
    )


def find_next_thrower(match: Match) -> tuple[Side, int]:
    """Return the side whose turn follows the one that ends now, and the number of its player."""
    # During an offer the other side acts, but it is the thrower's turn that ends.
    thrower = match.turn.other if match.phase is Phase.OFFER else match.turn
    if has_extra_throw(match):
        return thrower, match.player
    if match.player + 1 < match.rules.players:
        return thrower, match.player + 1
    return thrower.other, 0


def _hand_over_numbers(rules: Rules, position: Position) -> Position:
    """Give what is left of a throw to the other side."""
    return end_throw(rules, position)._replace(turn=position.turn.other)


def end_throw(rules: Rules, position: Position) -> Position:
    """Return a position when its side has done with a throw, as far as it can play it."""
    return (
        position._replace(memory=rules.memory.after(rules, position, None))
        if rules.memory
        else position
    )


def _take_back(match: Match, event: TakenBack | TurnTakenBack) -> Match:
    if isinstance(event, TurnTakenBack):
        return _replace_fields(match.starts[event.side])
    back = match.before
    assert back is not None
    while event.whole and back.before and back.before.turn is back.turn:
        back = back.before
    # A copy, since the version is set in place and the earlier match has to keep its own.
    return _replace_fields(back)


def _end_match(match: Match, outcome: GameOutcome) -> Match:
    position = match.position
    # What a throw remembers, such as who is being placed, means nothing without the numbers that
    # were left of it.
    ended = position._replace(dice=(), memory=0) if position.dice else position
    return _replace_fields(
        match,
        phase=Phase.OVER,
        position=ended,
        outcome=score_outcome(match.rules, position, outcome),
    )


class MatchStep(Protocol):
    """An event with the match before and after it."""

    @property
    def before(self) -> Match:
        """The match before it."""

    @property
    def event(self) -> Event:
        """What happened."""

    @property
    def after(self) -> Match:
        """The match after it."""


_StepT = TypeVar("_StepT", bound=MatchStep)


def drop_undone(steps: Iterable[_StepT]) -> list[_StepT]:
    """Return what happened without what was taken back.

    A take-back itself stays until somebody goes on from there.
    """
    kept: list[_StepT] = []
    for step in steps:
        if isinstance(step.event, TakenBack | TurnTakenBack):
            # It leads to a match that was there before: all that happened since is dropped.
            while kept and not is_same_match(kept.pop().before, step.after):
                pass
        elif (
            kept
            and isinstance(kept[-1].event, TakenBack | TurnTakenBack)
            and isinstance(step.event, Thrown | Chosen | Played | Left | Passed)
        ):
            kept.pop()
        kept.append(step)
    return kept


def is_same_match(one: Match, other: Match) -> bool:
    """Whether two matches stand alike, whatever came before and was said of a draw."""
    return (
        replace(one, version=other.version, drawing=other.drawing, offered=other.offered) == other
    )
