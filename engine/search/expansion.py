"""The moves from one state of the search, and whether the game ends there."""

from collections.abc import Callable, Iterator

from engine.ending import find_outcome
from engine.move import Move
from engine.outcome import GameOutcome
from engine.rules import Ending
from engine.search.bitboards import SideBitboards
from engine.search.dice_uses import DiceUse, Numbers
from engine.search.moves import find_movable, find_opposition, order_moves
from engine.search.state import State, replace_memory, unpack_memory, unpack_position


def expand_state(
    here: SideBitboards, state: State, left: Numbers
) -> Iterator[tuple[DiceUse, Move, State, Numbers]]:
    """Yield the uses of the numbers left, each with its moves, the state after and what is left."""
    # Both depend on the state before the move alone, so all its moves share them.
    sight = find_opposition(here, state)
    remember = _build_memory_update(here, state)
    for use, rest in here.uses[left]:
        for move, change in order_moves(sight, use, find_movable(sight, state, left, use)):
            yield use, move, remember(state + change, move) if remember else state + change, rest


def find_state_outcome(here: SideBitboards, state: State) -> GameOutcome | None:
    """Return how the game has ended after a move of the mover's, or None while it goes on."""
    rules = here.rules
    # Such judgements look at the men of both sides, so they need the whole position.
    if rules.verdict or rules.ending is Ending.FULL:
        return find_outcome(rules, unpack_position(state, here.side, here.size))
    # What ends most games is seen in the mover's men alone.
    if not state & here.underway:
        return GameOutcome(here.side, rules.ending.value)
    return rules.memory.ends(unpack_memory(state, here.size)) if rules.memory else None


def is_standstill(here: SideBitboards, state: State) -> bool:
    """Whether the game ends because nothing that is left can be played."""
    standstill = here.rules.standstill
    return (
        standstill is not None
        and standstill(here.rules, unpack_position(state, here.side, here.size)) is not None
    )


def _build_memory_update(
    here: SideBitboards, state: State
) -> Callable[[State, Move], State] | None:
    """Return a function that adds what the game remembers to the state after a move.

    Return None where there is nothing to remember.
    """
    memory = here.rules.memory
    if memory is None:
        return None
    before = unpack_position(state, here.side, here.size)
    if memory.idle(
        here.rules, before.memory, before.men(here.side), before.men(here.side.other), 1
    ):
        # The move carries over what was remembered before it, which has lapsed: it must be taken
        # out.
        return (lambda after, _: replace_memory(after, 0, here.size)) if before.memory else None

    def remember(after: State, move: Move) -> State:
        remembered = memory.after(here.rules, unpack_position(after, here.side, here.size), move)
        return replace_memory(after, remembered, here.size)

    return remember
