"""Why the rules refuse something, in words: no capital and no full stop, so that they can stand in any sentence."""

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any

from bot.words.common import named, side_name, title, typed
from bot.words.reader import Reader
from engine.games import GAMES
from engine.match import Phase
from engine.refusal import Reason, Refusal
from render.characters import cut

_Parts = Mapping[str, Any]

LONGEST_TYPED = 40
"""Characters of what was typed that a refusal repeats."""
OFFERING = frozenset({Reason.AMBIGUOUS, Reason.GAME, Reason.OPTION, Reason.VALUE})
"""The reasons whose words name by themselves what would be legal."""


def reason(say: Reader, refusal: Refusal) -> str:
    """Tell why something is refused, a move named before it; what people typed stands there as it is."""
    if "move" not in refusal.parts:
        return why(say, refusal)
    return say("{move}: {why}", move=clip(refusal.parts["move"]), why=why(say, refusal))


def clip(text: str) -> str:
    """Return enough of what was typed to know it by."""
    return cut(text, LONGEST_TYPED)


def why(say: Reader, refusal: Refusal) -> str:
    """Tell why something is refused, without the move."""
    parts = {
        name: clip(part) if isinstance(part, str) else part for name, part in refusal.parts.items()
    }
    parts["legal"] = refusal.legal
    if "side" in parts:
        parts["side"] = side_name(say, parts["side"])
    if "name" in parts:
        # A record may name anything, as no one types it.
        parts["name"] = named(str(parts["name"]))
    return _WHY[refusal.reason](say, parts)


def either(say: Reader, things: Iterable[str]) -> str:
    """Say several things of which one is meant: `a or b`."""
    return reduce(
        lambda one, other: say.of("list", "{one} or {other}", one=one, other=other), things
    )


def _listed(things: Iterable[object]) -> str:
    return ", ".join(map(str, things))


def _number(say: Reader, number: int) -> str:
    # English alone has two articles here, by how a number sounds.
    if number in (8, 11, 18):
        return say.of("the number that moves a man", "an {n}", n=number)
    return say.of("the number that moves a man", "a {n}", n=number)


def _command(say: Reader, parts: _Parts) -> str:
    match parts["word"]:
        case "throw":
            return say("the dice are thrown by a command: `/roll`")
        case "take back":
            return say("moves are taken back by a command: `/undo`")
        case "pass":
            return say("a turn passes by itself, when nothing can be played")
    return say("`{word}` is no move but a command: `/{word}`", **parts)


def _no_man(say: Reader, parts: _Parts) -> str:
    if parts["place"] == "hand":
        return say("{side} has no man in hand", **parts)
    if parts["place"].startswith("bar"):
        return say("{side} has no man on the bar", **parts)
    return say("{side} has no man on {place}", **parts)


def _takes(say: Reader, parts: _Parts) -> str:
    number = _number(say, parts["number"])
    dice = _listed(parts["dice"])
    left = len(parts["dice"])
    return say.many(
        "that takes {number}, and {dice} is left",
        "that takes {number}, and {dice} are left",
        left,
        number=number,
        dice=dice,
    )


def _waits(say: Reader, parts: _Parts) -> str:
    return _WAITS[Phase(parts["phase"])](say)


def _game(say: Reader, parts: _Parts) -> str:
    if parts["legal"]:
        return say(
            "{name} is not a game here; did you mean {near}?",
            name=parts["name"],
            near=either(say, parts["legal"]),
        )
    return say("{name} is not a game here; `/rules` shows those that are", **parts)


def _edition(say: Reader, parts: _Parts) -> str:
    return say(
        "{game} is played here by edition {known} of its rules, not by edition {edition}",
        game=title(say, GAMES[parts["game"]]),
        known=_listed(parts["known"]),
        edition=parts["edition"],
    )


def _option(say: Reader, parts: _Parts) -> str:
    game = title(say, GAMES[parts["game"]])
    if parts["legal"]:
        near = either(say, parts["legal"])
        return say(
            "{game} has no option {name}; did you mean {near}?",
            game=game,
            name=parts["name"],
            near=near,
        )
    if parts["known"]:
        known = _listed(parts["known"])
        return say(
            "{game} has no option {name}; it has {known}",
            game=game,
            name=parts["name"],
            known=known,
        )
    return say("{game} has no option {name}; it has none", game=game, name=parts["name"])


def _value(say: Reader, parts: _Parts) -> str:
    option = parts["option"]
    name = parts["name"]
    if parts["legal"]:
        near = either(say, parts["legal"])
        return say(
            "{option} cannot be {name}; did you mean {near}?", option=option, name=name, near=near
        )
    known = _listed(parts["known"])
    return say(
        "{option} cannot be {name}; it is one of {known}", option=option, name=name, known=known
    )


_WAITS: Mapping[Phase, Callable[[Reader], str]] = {
    Phase.BATTLE: lambda say: say("the roll battle comes first"),
    Phase.OPENING: lambda say: say("the side that begins chooses first"),
    Phase.CONTEST: lambda say: say("both sides throw first for who breaks a point"),
    Phase.BREAK: lambda say: say("the winner says first which point is broken"),
    Phase.THROW: lambda say: say("the dice are to be thrown first"),
    Phase.CHOOSE: lambda say: say("a die is to be turned to a six first"),
    Phase.PLAY: lambda say: say("the throw is to be played first"),
    Phase.OFFER: lambda say: say(
        "the numbers that could not be played are to be used or left first"
    ),
}

_WHY: Mapping[Reason, Callable[[Reader, _Parts], str]] = {
    Reason.NOTHING_TYPED: lambda say, _: say(
        "there is no move in that; a move is typed as `a-g` or `a6`"
    ),
    Reason.UNREADABLE: lambda say, parts: say(
        "{typed} is no move; a move is typed as `a-g`, `a6`, `bar-c` or `t-off`",
        typed=typed(parts["typed"]),
    ),
    Reason.AMBIGUOUS: lambda say, parts: say(
        "{typed} could mean {readings}",
        typed=typed(parts["typed"]),
        readings=either(say, map(typed, parts["legal"])),
    ),
    Reason.COMMAND: _command,
    Reason.TOO_OFTEN: lambda say, parts: say(
        "between 1 and {most} men can make the same move", **parts
    ),
    Reason.NO_POINT: lambda say, parts: say("{name} is no point of this board", **parts),
    Reason.NO_POINT_NUMBER: lambda say, parts: say(
        "{side} has no point {number}, only 1 to {most}", **parts
    ),
    Reason.NO_DIE_NUMBER: lambda say, parts: say("dice show 1 to 6, not {number}", **parts),
    Reason.NO_MAN: _no_man,
    Reason.NOTHING_LEFT: lambda say, _: say("no number is left to play"),
    Reason.TAKES: _takes,
    Reason.NOT_THERE: lambda say, parts: say(
        "{number} does not lead there", number=_number(say, parts["number"])
    ),
    Reason.NO_WAY: lambda say, parts: say(
        "no numbers left ({dice}) lead there, each a legal step for {side}",
        dice=_listed(parts["dice"]),
        side=parts["side"],
    ),
    Reason.WAYS_CLOSED: lambda say, parts: say(
        "every way there with {dice} meets a point that is closed to {side}",
        dice=_listed(parts["dice"]),
        side=parts["side"],
    ),
    Reason.PAST_END: lambda say, parts: say(
        "{number} leads past the end of the course", number=_number(say, parts["number"])
    ),
    Reason.BLOCKED: lambda say, parts: say.many(
        "{side} holds {place} with {n} man",
        "{side} holds {place} with {n} men",
        parts["count"],
        **parts,
    ),
    Reason.SINGLE: lambda say, parts: say(
        "{side} may not bring a second man to {place}, on its own side", **parts
    ),
    Reason.FULL: lambda say, parts: say.many(
        "{place} holds {n} man already, the most it may",
        "{place} holds {n} men already, the most it may",
        parts["count"],
        **parts,
    ),
    Reason.BAR_FIRST: lambda say, parts: say.many(
        "{side} has {n} man on the bar, which must enter first",
        "{side} has {n} men on the bar, which must enter first",
        parts["count"],
        **parts,
    ),
    Reason.BAR_IF_ABLE: lambda say, parts: say.many(
        "{side} has {n} man on the bar, and a number left can enter one",
        "{side} has {n} men on the bar, and a number left can enter one",
        parts["count"],
        **parts,
    ),
    Reason.PLACING: lambda say, parts: say(
        "no man moves before all of {side}'s men have entered", **parts
    ),
    Reason.PLACING_HALF: lambda say, parts: say(
        "no man goes past the middle of the course before all of {side}'s men have entered", **parts
    ),
    Reason.OWN_START: lambda say, parts: say(
        "a man on his own start point, {place}, cannot be hit", **parts
    ),
    Reason.RETURN: lambda say, parts: say(
        "the man there cannot be hit, for {side} stands on {place}, where he would go", **parts
    ),
    Reason.ONLY_ENTERING: lambda say, _: say("men do not move in this game, they only enter"),
    Reason.ONLY_BEARING: lambda say, _: say(
        "a man in the last table moves only by being borne off"
    ),
    Reason.OUTSIDE: lambda say, parts: say.many(
        "{side} has {n} man outside its bearing table, so none may be borne off",
        "{side} has {n} men outside its bearing table, so none may be borne off",
        parts["count"],
        **parts,
    ),
    Reason.GATE: lambda say, parts: say(
        "{side} bears men off once {due} stand in its bearing table, and {home} do", **parts
    ),
    Reason.FARTHER_BACK: lambda say, parts: say(
        "{number} may not bear off {place} while a man stands farther back, on {back}",
        number=_number(say, parts["number"]),
        place=parts["place"],
        back=parts["back"],
    ),
    Reason.WASTES: lambda say, _: say(
        "as many numbers as possible must be used, the higher first, and this would waste one"
    ),
    Reason.TOO_FEW: lambda say, _: say(
        "that play does not use as many numbers as can be used, the higher first"
    ),
    Reason.NO_MOVES: lambda say, _: say("a play has at least one move"),
    Reason.OVER: lambda say, _: say("the match is over"),
    Reason.WAITS: _waits,
    Reason.CAN_PLAY: lambda say, _: say("a turn passes only when nothing can be played"),
    Reason.TAKE_BACK: lambda say, _: say(
        "there is nothing to take back: only what was decided since the throw"
    ),
    Reason.NO_DIE: lambda say, parts: say(
        "no die shows {value}: turn one of {dice}",
        value=parts["value"],
        dice=_listed(parts["dice"]),
    ),
    Reason.OTHER_CHOICE: lambda say, parts: say(
        "the choice now is the {choice}, not {what}", **parts
    ),
    Reason.DRAW_EARLY: lambda say, _: say(
        "a draw can be offered once the dice have been thrown for a turn"
    ),
    Reason.DRAW_AGAIN: lambda say, parts: say(
        "{side} has offered a draw, and may do so again after its next throw", **parts
    ),
    Reason.DRAW_STANDS: lambda say, parts: say(
        "{side} is offered a draw itself, to be accepted or declined", **parts
    ),
    Reason.NO_DRAW: lambda say, parts: say("no draw is offered to {side}", **parts),
    Reason.NO_SEAT: lambda say, parts: say(
        "only a seat of a team can be handed over, and {side} has none of that number", **parts
    ),
    Reason.GAME: _game,
    Reason.EDITION: _edition,
    Reason.OPTION: _option,
    Reason.VALUE: _value,
    Reason.STARTER_CHOOSES: lambda say, parts: say(
        "{option} is chosen by the side that begins, when the match starts", **parts
    ),
    Reason.OPTION_FORM: lambda say, parts: say(
        "options are typed as `name=value`, such as `{option}={value}`", **parts
    ),
    Reason.FIELDS: lambda say, _: say(
        "a position has four fields, gold's men, black's men, the turn and the dice, and a fifth where a game "
        "remembers more"
    ),
    Reason.TURN: lambda say, parts: say("turn is gold or black, not {typed}", **parts),
    Reason.MEN: lambda say, parts: say(
        "{side} lists men as a15 or hand3, with commas between; {typed} is neither", **parts
    ),
    Reason.MEN_PLACE: lambda say, parts: say(
        "{side} names {name}, which this board lacks", **parts
    ),
    Reason.MEN_NEVER: lambda say, parts: say(
        "{side} has men on {place}, where in this game none of its men can be", **parts
    ),
    Reason.MEN_TWICE: lambda say, parts: say("{side} names {place} twice", **parts),
    Reason.MEN_COUNT: lambda say, parts: say.many(
        "{side} has {n} man, but this game is played with {men} a side",
        "{side} has {n} men, but this game is played with {men} a side",
        parts["count"],
        **parts,
    ),
    Reason.BOTH_HOLD: lambda say, parts: say("black stands on {place}, which gold holds", **parts),
    Reason.MEN_LIMIT: lambda say, parts: say.many(
        "{place} holds at most {n} man in this game",
        "{place} holds at most {n} men in this game",
        parts["most"],
        **parts,
    ),
    Reason.MEN_DOUBLED: lambda say, parts: say.many(
        "{side} has {n} man on {place}, where it may bring no second one",
        "{side} has {n} men on {place}, where it may bring no second one",
        parts["count"],
        **parts,
    ),
    Reason.OFF_EARLY: lambda say, parts: say(
        "{side} has borne men off while others have not come in", **parts
    ),
    Reason.OFF_OUTSIDE: lambda say, parts: say(
        "{side} has borne men off while others are outside its bearing table, though nothing is hit in this game",
        **parts,
    ),
    Reason.PILED: lambda say, parts: say.many(
        "{side} has {n} man on top of others, but not a lower one on each point",
        "{side} has {n} men on top of others, but not a lower one on each point",
        parts["count"],
        **parts,
    ),
    Reason.BEYOND_ENTRY: lambda say, parts: say(
        "{side} has men beyond its entry table while others have not come in", **parts
    ),
    Reason.BEYOND_MIDDLE: lambda say, parts: say(
        "{side} has men past the middle of the course while others have not come in", **parts
    ),
    Reason.SET_BACK: lambda say, parts: say(
        "{side} has men farther back than they began, though nothing is hit in this game", **parts
    ),
    Reason.BOTH_WON: lambda say, _: say("black has won, and so has gold"),
    Reason.DICE: lambda say, parts: say(
        "dice are numbers from 1 to 6 joined by -, or - alone; {typed} is neither", **parts
    ),
    Reason.DICE_NEVER: lambda say, parts: say(
        "dice show {typed}, which this game cannot throw", **parts
    ),
    Reason.NO_MEMORY: lambda say, parts: say(
        "memory is {typed}, but this game remembers no more than where men stand", **parts
    ),
    Reason.MEMORY_EMPTY: lambda say, parts: say(
        "memory is empty in this position, not {typed}", **parts
    ),
    Reason.MEMORY: lambda say, parts: say(
        "memory is one of {known} in this position, not {typed}",
        known=_listed(parts["known"]),
        typed=parts["typed"],
    ),
    Reason.REQUEST: lambda say, _: say("a request is one JSON object on one line"),
    Reason.ENCODING: lambda say, _: say(
        "the input is not in UTF-8; a request is one JSON object on one line, in UTF-8"
    ),
    Reason.DO: lambda say, parts: say("do is one of {known}", known=_listed(parts["known"])),
    Reason.FIELD: lambda say, parts: say("{name} is missing, or no {kind}", **parts),
    Reason.OPTIONS: lambda say, _: say('options are given as {{"dice": "two-and-six"}}'),
    Reason.NO_DICE: lambda say, _: say("dice are needed to list plays, such as 6-5-2"),
    Reason.PACE: lambda say, parts: say(
        "there is no pace {typed}: it is one of {known}, or a time for the whole match and what each turn adds to it, "
        "as `30m+20s`",
        typed=typed(parts["typed"]),
        known=_listed(map(typed, parts["known"])),
    ),
    Reason.LEVEL: lambda say, parts: say("level is one of {known}", known=_listed(parts["known"])),
    Reason.GAME_OVER: lambda say, _: say("the game is over in this position"),
    Reason.GAMES: lambda say, parts: say("games is from 1 to {most}", **parts),
}
