"""Why a move is refused: the rule, in one sentence, and what would be legal."""

from engine.moves import Duty, make, next_moves
from engine.position import Position
from engine.refusal import Refusal, Rule
from engine.routes import Route, route
from engine.rules import Placing, Reentry, Rules
from engine.steps import due_home, has_room, is_closed, open_moves, steps

WASTES = "as many numbers as possible must be used, the higher first, and this would waste one"


def explain(
    text: str,
    source: int,
    target: str | None,
    number: int | None,
    rules: Rules,
    position: Position,
    duty: Duty = Duty.MUST,
) -> Refusal:
    """Return the refusal of a move that is not legal now.

    `source` is a place, `target` the name of one (or None where only the number was typed).
    """
    rule, reason = _reason(source, target, number, rules, position)
    return Refusal(rule, f"{text}: {reason}", legal_now(rules, position, duty))


def legal_now(rules: Rules, position: Position, duty: Duty = Duty.MUST, most: int = 8) -> tuple[str, ...]:
    """Return the first few moves that are legal now, as they are typed."""
    names = rules.board.names
    found = (f"{names[move.source]}-{names[move.target]}" for move in next_moves(rules, position, duty))
    return tuple(dict.fromkeys(found))[:most]


def _reason(
    source: int,
    target: str | None,
    number: int | None,
    rules: Rules,
    position: Position,
) -> tuple[Rule, str]:
    board = rules.board
    side = position.turn
    mine = position.men(side)
    name = board.names[source]
    if not position.dice:
        return Rule.NO_NUMBER, "no number is left to play"
    if rules.reentry is Reentry.FIRST and board.waiting(mine) and source not in board.bars:
        return (
            Rule.BAR_FIRST,
            f"{side} has {_men(board.waiting(mine))} on the bar, which must enter first",
        )
    if not mine[source]:
        beside = {board.hand: "in hand", **dict.fromkeys(board.bars, "on the bar")}
        return Rule.NO_MAN, f"{side} has no man {beside.get(source, f'on {name}')}"
    if not rules.moving and source < board.size:
        return Rule.NO_MOVING, "men do not move in this game, they only enter"
    numbers = [number] if number else _numbers_to(source, target, rules, position)
    if number and target and number not in _numbers_to(source, target, rules, position):
        return Rule.NO_NUMBER, f"{_a(number)} does not lead there"
    left = [each for each in numbers if each in position.dice]
    if not left:
        return _no_number(source, target, numbers, rules, position)
    return _forbidden(source, left[0], rules, position)


def _numbers_to(source: int, target: str | None, rules: Rules, position: Position) -> list[int]:
    """Every number that leads from the source to the target, whatever stands there."""
    place = rules.board.places[target or "off"]
    targets = route(rules, position.turn).targets
    return [number for number in range(1, len(targets)) if targets[number][source] == place]


def _no_number(
    source: int,
    target: str | None,
    numbers: list[int],
    rules: Rules,
    position: Position,
) -> tuple[Rule, str]:
    left = ", ".join(map(str, position.dice))
    board = rules.board
    side = position.turn
    if target and _adds_up(source, board.places[target], position.dice, route(rules, side)):
        if _walks(source, board.places[target], rules, position):
            return Rule.MUST_USE, WASTES
        return Rule.BLOCKED, f"every way there with {left} meets a point that is closed to {side}"
    if numbers:
        return (
            Rule.NO_NUMBER,
            f"that takes {_a(numbers[0])}, and {left} {'is' if len(position.dice) == 1 else 'are'} left",
        )
    if target in board.points and source in rules.home(side) and rules.home_rests:
        return Rule.NO_MOVING, "a man in the last table moves only by being borne off"
    return (
        Rule.OFF_COURSE,
        f"no numbers left ({left}) lead there, each a legal step for {side}",
    )


def _adds_up(source: int, target: int, dice: tuple[int, ...], way: Route) -> bool:
    """Whether several of the numbers together lead from the source to the target, whatever stands between."""
    nexts = ((way.targets[number][source], dice[:at] + dice[at + 1 :]) for at, number in enumerate(dice))
    return any(place == target or (place >= 0 and _adds_up(place, target, rest, way)) for place, rest in nexts)


def _walks(source: int, target: int, rules: Rules, position: Position) -> bool:
    """Whether one man can go from the source to the target by legal moves of several numbers."""
    return any(
        move.target == target or _walks(move.target, target, rules, make(rules, position, move))
        for move in open_moves(rules, position)
        if move.source == source
    )


def _forbidden(source: int, number: int, rules: Rules, position: Position) -> tuple[Rule, str]:
    board = rules.board
    side = position.turn
    mine, theirs = position.men(side), position.men(side.other)
    target = route(rules, side).targets[number][source]
    if any(move.source == source for move in steps(rules, position, number)):
        return Rule.MUST_USE, WASTES
    if target == board.off:
        return _not_borne(source, number, rules, position)
    if target < 0:
        resting = rules.home_rests and source in rules.home(side)
        if resting:
            return (
                Rule.NO_MOVING,
                "a man in the last table moves only by being borne off",
            )
        return Rule.OFF_COURSE, f"a {number} leads past the end of the course"
    name = board.names[target]
    if is_closed(rules, theirs, target):
        return Rule.BLOCKED, f"{side.other} holds {name} with {_men(theirs[target])}"
    if rules.limit is not None and mine[target] >= rules.limit:
        return Rule.FULL, f"{name} holds {_men(mine[target])} already, the most it may"
    if not has_room(route(rules, side), mine, target):
        return Rule.SINGLE, f"{side} may not bring a second man to {name}, on its own side"
    return _bound(target, rules, position)


def _bound(target: int, rules: Rules, position: Position) -> tuple[Rule, str]:
    """Say which duty towards men beside the board, or to a man who would be hit, stands in the way."""
    board = rules.board
    side = position.turn
    mine = position.men(side)
    if board.waiting(mine):
        return Rule.BAR_FIRST, f"{side} has {_men(board.waiting(mine))} on the bar, and a number left can enter one"
    if rules.placing is not Placing.FREE and mine[board.hand]:
        until = "goes past the middle of the course" if rules.placing is Placing.HALF else "moves"
        return Rule.PLACING, f"no man {until} before all of {side}'s men have entered"
    sent = route(rules, side.other).sent[target]
    home = board.names[sent]
    if sent == target:
        return Rule.RETURN, f"a man on his own start point, {home}, cannot be hit"
    return Rule.RETURN, f"the man there cannot be hit, for {side} stands on {home}, where he would go"


def _not_borne(source: int, number: int, rules: Rules, position: Position) -> tuple[Rule, str]:
    board = rules.board
    side = position.turn
    mine = position.men(side)
    way = route(rules, side)
    home = sum(mine[point] for point in way.home)
    due = due_home(rules, mine)
    if home < due < rules.men - mine[board.off]:
        return Rule.BEARING, f"{side} bears men off once {due} stand in its bearing table, and {home} do"
    if home < due:
        away = _men(due - home)
        return Rule.BEARING, f"{side} has {away} outside its bearing table, so none may be borne off"
    back = next(point for point in way.behind[source] if mine[point])
    return (
        Rule.BEARING,
        f"a {number} may not bear off {board.names[source]} while a man stands farther back, on {board.names[back]}",
    )


def _men(count: int) -> str:
    return "1 man" if count == 1 else f"{count} men"


def _a(number: int) -> str:
    return f"an {number}" if number in (8, 11, 18) else f"a {number}"
