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
    bitboards: SideBitboards, state: State, left: Numbers
) -> Iterator[tuple[DiceUse, Move, State, Numbers]]:
    """Yield the uses of the numbers left, each with its moves, the state after and what is left."""
    # Both depend on the state before the move alone, so all its moves share them.
    opposition = find_opposition(bitboards, state)
    remember = _build_memory_update(bitboards, state)
    for use, rest in bitboards.uses[left]:
        for move, change in order_moves(
            opposition, use, find_movable(opposition, state, left, use)
        ):
            yield use, move, remember(state + change, move) if remember else state + change, rest


def find_state_outcome(bitboards: SideBitboards, state: State) -> GameOutcome | None:
    """Return how the game has ended after a move of the mover's, or None while it goes on."""
    rules = bitboards.rules
    # Such judgements look at the men of both sides, so they need the whole position.
    if rules.ending_after_move or rules.ending is Ending.FULL:
        return find_outcome(rules, unpack_position(state, bitboards.side, bitboards.size))
    # What ends most games is seen in the mover's men alone.
    if not state & bitboards.underway:
        return GameOutcome(bitboards.side, rules.ending.value)
    return rules.memory.ending(unpack_memory(state, bitboards.size)) if rules.memory else None


def is_standstill(bitboards: SideBitboards, state: State) -> bool:
    """Whether the game ends because nothing that is left can be played."""
    standstill = bitboards.rules.ending_at_standstill
    return (
        standstill is not None
        and standstill(bitboards.rules, unpack_position(state, bitboards.side, bitboards.size))
        is not None
    )


def _build_memory_update(
    bitboards: SideBitboards, state: State
) -> Callable[[State, Move], State] | None:
    """Return a function that adds what the game remembers to the state after a move.

    Return None where there is nothing to remember.
    """
    memory = bitboards.rules.memory
    if memory is None:
        return None
    before = unpack_position(state, bitboards.side, bitboards.size)
    if memory.idle(
        bitboards.rules,
        before.memory,
        before.men(bitboards.side),
        before.men(bitboards.side.other),
        1,
    ):
        # The move carries over what was remembered before it, which has lapsed: it must be taken
        # out.
        return (
            (lambda after, _: replace_memory(after, 0, bitboards.size)) if before.memory else None
        )

    def remember(after: State, move: Move) -> State:
        remembered = memory.after(
            bitboards.rules, unpack_position(after, bitboards.side, bitboards.size), move
        )
        return replace_memory(after, remembered, bitboards.size)

    return remember
