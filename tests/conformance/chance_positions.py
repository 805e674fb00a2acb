"""Random positions of any game: piles, walls and strays that play seldom comes to."""

from random import Random

from engine.ending import find_outcome
from engine.position import Position, Side
from engine.possible import find_impossibilities, may_stand
from engine.rules import Rules
from engine.throws import list_possible_numbers

TRIES = 400


def generate_positions(rules: Rules, chance: Random, most: int) -> list[Position]:
    """Return a few positions that the rules allow.

    Each has numbers to play and, where the game remembers, a memory.
    """
    numbers = sorted(each for each in list_possible_numbers(rules.dice) if each)
    found = []
    for _ in range(TRIES):
        position = _scatter_men(rules, chance)._replace(dice=chance.choice(numbers))
        if any(find_impossibilities(rules, position)) or find_outcome(rules, position):
            continue
        if rules.memory:
            memories = [0, *rules.memory.possible(rules, position)]
            position = position._replace(memory=chance.choice(memories))
        if find_outcome(rules, position) is None:
            found.append(position)
        if len(found) == most:
            break
    return found


def _scatter_men(rules: Rules, chance: Random) -> Position:
    taken: set[int] = set()
    men = []
    for side in Side:
        mine = bytearray(rules.board.no_men)
        free = [point for point in rules.course(side) if point not in taken]
        beside = [
            place
            for place in (rules.board.hand, *rules.board.bars)
            if may_stand(rules, side, place)
        ]
        held = _pick_run(rules, free, chance) if chance.random() < 0.6 else []
        strays = chance.sample(free, min(len(free), chance.randint(1, 5)))
        for place in (*held, *held, *strays):
            if sum(mine) < rules.men:
                mine[place] += 1
        rests = [
            *strays,
            *beside,
            *([rules.board.off] if may_stand(rules, side, rules.board.off) else []),
        ]
        while sum(mine) < rules.men:
            mine[chance.choice(rests)] += 1
        taken.update(point for point in free if mine[point])
        men.append(bytes(mine))
    return Position(men[0], men[1], chance.choice(list(Side)))


def _pick_run(rules: Rules, free: list[int], chance: Random) -> list[int]:
    """Five to seven neighbouring points, as far as they are free."""
    start = chance.randrange(rules.board.size)
    return [point for point in range(start, start + chance.randint(5, 7)) if point in free]
