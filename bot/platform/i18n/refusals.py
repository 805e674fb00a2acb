"""Why the rules refuse something, and what would be legal.

Reasons are clauses without capital and full stop, which follow a colon or are capitalised. "You" is
the side that moves. The other side is named by its player where the refusal says who that is, else
by colour.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader, escape_text
from engine.games import GAMES
from engine.match import Phase
from engine.outcome import GameOutcome
from engine.protocol import SentenceFormatter
from engine.refusal import Reason, Refusal
from engine.rules import Game

_Parts: TypeAlias = Mapping[str, Any]
"""What a refusal names, by the names of its parts."""
_REASONS_LISTING_LEGAL = frozenset({Reason.AMBIGUOUS, Reason.GAME, Reason.OPTION, Reason.VALUE})
"""The reasons whose sentence already names what would be legal."""


def format_refusal(say: Reader, refusal: Refusal) -> str:
    """Say why the rules refuse something, and what would be legal."""
    wording = _explain_without_move(say, refusal)
    sentence = common.capitalise_first(wording)
    if "move" in refusal.parts:
        # Translators: a move that was typed, then why it isn't legal: "a-b: you have no man on a".
        sentence = say(
            "{move}: {why}",
            move=common.format_code(common.clip_typed(refusal.parts["move"])),
            why=wording,
        )
    if not sentence.endswith("?"):
        sentence = common.end_sentence(say, sentence)
    if not refusal.legal or refusal.reason in _REASONS_LISTING_LEGAL:
        return sentence
    legal = say("Legal now: {moves}.", moves=say.join_with_commas(_quote_each(refusal.legal)))
    return common.join_sentences(say, sentence, legal)


def explain_refusal(say: Reader, refusal: Refusal) -> str:
    """Say why something is refused, after the move if there is one.

    Typed text is repeated as it is.
    """
    if "move" not in refusal.parts:
        return _explain_without_move(say, refusal)
    # Translators: a move that was typed, then why it isn't legal: "a-b: you have no man on a".
    return say(
        "{move}: {why}",
        move=common.clip_typed(refusal.parts["move"]),
        why=_explain_without_move(say, refusal),
    )


def _explain_without_move(say: Reader, refusal: Refusal) -> str:
    """Say why something is refused, without the move."""
    parts = {
        name: common.clip_typed(part) if isinstance(part, str) else part
        for name, part in refusal.parts.items()
    }
    parts["legal"] = refusal.legal
    if "side" in parts:
        players = refusal.parts.get("players", {}).get(parts["side"])
        parts["side"] = (
            say.format_list([escape_text(say.name_person(each.id, each.name)) for each in players])
            if players
            else common.format_side(say, parts["side"])
        )
    if "name" in parts:
        # A record may name anything, as no one types it.
        parts["name"] = common.format_typed_name(str(parts["name"]))
    return _REASON_TEXTS[refusal.reason](say, parts)


def _join_all(say: Reader, things: Iterable[object]) -> str:
    """Write several things as a list in words."""
    return say.format_list([str(thing) for thing in things])


def _join_any(say: Reader, things: Iterable[object]) -> str:
    """Write several things of which one may be meant."""
    return say.format_alternatives(map(str, things))


def _quote_each(typed: Iterable[str]) -> list[str]:
    """Write each text that was typed as code."""
    return [f"`{each}`" for each in typed]


def _format_number(say: Reader, number: int) -> str:
    """Write a number that moves a man, with its article."""
    # English alone has two articles here, by how a number sounds.
    if number in (8, 11, 18):
        return say.in_context("the number that moves a man", "an {n}", n=number)
    return say.in_context("the number that moves a man", "a {n}", n=number)


def _explain_command(say: Reader, parts: _Parts) -> str:
    match parts["word"]:
        case "throw":
            return say("use `/roll` to roll the dice")
        case "take back":
            return say("use `/undo` to take back a move")
        case "resign":
            return say("`resign` isn't a move; use the command `/match resign`")
        case "pass":
            return say("your turn passes automatically when you can't move")
    command = say.mention_command(parts["word"])
    return say(
        "`{word}` isn't a move; use the command {command}", word=parts["word"], command=command
    )


def _explain_nothing_typed(say: Reader, parts: _Parts) -> str:
    if parts.get("numbered"):
        return say("type a move, such as `1-4` or `hand-3`")
    return say("type a move, such as `a-g` or `a6`")


def _explain_unreadable(say: Reader, parts: _Parts) -> str:
    typed = common.format_code(parts["typed"])
    if parts.get("numbered"):
        return say(
            "{typed} isn't a move; type moves such as `1-4`, `hand-3` or `33-off`", typed=typed
        )
    return say(
        "{typed} isn't a move; type moves such as `a-g`, `a6`, `bar-c` or `t-off`", typed=typed
    )


def _explain_no_man(say: Reader, parts: _Parts) -> str:
    if parts["place"] == "hand":
        return say("you have no man in hand")
    if parts["place"].startswith("bar"):
        return say("you have no man on the bar")
    return say("you have no man on {place}", place=parts["place"])


def _explain_missing_number(say: Reader, parts: _Parts) -> str:
    left = len(parts["dice"])
    dice = _format_dice_left(say, parts["dice"])
    return say.plural(
        "you have no {number}; only {dice} is left",
        "you have no {number}; {dice} are left",
        left,
        number=parts["number"],
        dice=dice,
    )


def _explain_no_way(say: Reader, parts: _Parts) -> str:
    left = len(parts["dice"])
    dice = _format_dice_left(say, parts["dice"])
    return say.plural(
        "only {dice} is left, and it doesn't lead there",
        "only {dice} are left, and they don't lead there, alone or together",
        left,
        dice=dice,
    )


def _format_dice_left(say: Reader, left: Sequence[int]) -> str:
    return _format_number(say, left[0]) if len(left) == 1 else _join_all(say, left)


def _explain_phase(say: Reader, parts: _Parts) -> str:
    return _PHASE_TEXTS[Phase(parts["phase"])](say)


_PHASE_TEXTS: Mapping[Phase, Callable[[Reader], str]] = {
    Phase.BATTLE: lambda say: say("the opening roll comes first"),
    Phase.OPENING: lambda say: say("the starting side has to choose first"),
    Phase.BREAK_ROLL: lambda say: say("both sides have to roll first to decide who breaks a point"),
    Phase.BREAK: lambda say: say("the winner of the roll has to choose first which point to break"),
    Phase.THROW: lambda say: say("roll first"),
    Phase.CHOOSE: lambda say: say("first choose the die to turn to a six"),
    Phase.PLAY: lambda say: say("the dice are rolled; play the throw first"),
    Phase.OFFER: lambda say: say("first use or leave the numbers that your opponent couldn't play"),
}


def _explain_unknown_game(say: Reader, parts: _Parts) -> str:
    """Say that no game has that name, and which may be meant."""
    if parts["legal"]:
        return say(
            "there's no game called {name}; did you mean {near}?",
            name=parts["name"],
            near=say.format_alternatives(parts["legal"]),
        )
    return say("there's no game called {name}; `/rules` lists all games", **parts)


def _explain_unknown_edition(say: Reader, parts: _Parts) -> str:
    """Say that a game has no such edition of its rules here."""
    count = len(parts["known"])
    game = common.format_title(say, GAMES[parts["game"]])
    known = _join_all(say, parts["known"])
    return say.plural(
        "{game} has no edition {edition} of its rules here, only edition {known}",
        "{game} has no edition {edition} of its rules here, only editions {known}",
        count,
        game=game,
        known=known,
        edition=parts["edition"],
    )


def _explain_unknown_option(say: Reader, parts: _Parts) -> str:
    """Say that a game has no such option, and which may be meant."""
    game = common.format_title(say, GAMES[parts["game"]])
    if parts["legal"]:
        near = say.format_alternatives(_quote_each(parts["legal"]))
        return say(
            "{game} has no option {name}; did you mean {near}?",
            game=game,
            name=parts["name"],
            near=near,
        )
    if parts["known"]:
        count = len(parts["known"])
        known = _join_all(say, _quote_each(parts["known"]))
        return say.plural(
            "{game} has no option {name}; its only option is {known}",
            "{game} has no option {name}; its options are {known}",
            count,
            game=game,
            name=parts["name"],
            known=known,
        )
    return say("{game} has no options, so {name} can't be set", game=game, name=parts["name"])


def _explain_unknown_value(say: Reader, parts: _Parts) -> str:
    """Say that an option has no such value, and which it has."""
    option = parts["option"]
    name = parts["name"]
    if parts["legal"]:
        near = say.format_alternatives(_quote_each(parts["legal"]))
        return say(
            "`{option}` can't be {name}; did you mean {near}?", option=option, name=name, near=near
        )
    known = say.format_alternatives(_quote_each(parts["known"]))
    return say("`{option}` can be {known}, but not {name}", option=option, name=name, known=known)


def _explain_field(field: str, say: Reader, parts: _Parts) -> str:
    """Say which values a field of a request can have."""
    # Not in the text: names in backticks there are those of options, which are translated.
    return say(
        "{field} must be {known}",
        field=common.format_code(field),
        known=_join_any(say, map(common.format_code, parts["known"])),
    )


_EXAMPLE_THROW = "6-5-2"
"""A throw of as many dice as any game has."""


def _explain_throw(say: Reader, parts: _Parts) -> str:
    count = parts["count"]
    example = common.format_code(_EXAMPLE_THROW[: 2 * count - 1])
    return say.plural(
        "a throw in this game is {n} number from 1 to 6, such as {example}, not {typed}",
        "a throw in this game is {n} numbers from 1 to 6, such as {example}, not {typed}",
        count,
        example=example,
        typed=common.format_code(parts["typed"]),
    )


_REASON_TEXTS: Mapping[Reason, Callable[[Reader, _Parts], str]] = {
    Reason.NOTHING_TYPED: _explain_nothing_typed,
    Reason.UNREADABLE: _explain_unreadable,
    Reason.AMBIGUOUS: lambda say, parts: say(
        "{typed} could mean {readings}",
        typed=common.format_code(parts["typed"]),
        readings=say.format_alternatives(map(common.format_code, parts["legal"])),
    ),
    Reason.COMMAND: _explain_command,
    Reason.TOO_OFTEN: lambda say, parts: say(
        "from 1 to {most} men can make the same move", **parts
    ),
    Reason.NO_POINT: lambda say, parts: say("there's no point {name} on this board", **parts),
    Reason.NO_POINT_NUMBER: lambda say, parts: say(
        "there's no point {number}; your points are numbered from 1 to {most}", **parts
    ),
    Reason.NO_DIE_NUMBER: lambda say, parts: say("dice show 1 to 6, not {number}", **parts),
    Reason.NO_MAN: _explain_no_man,
    Reason.THEIRS: lambda say, parts: say("the men on {place} are {side}'s", **parts),
    Reason.NOTHING_LEFT: lambda say, _: say("you have no number left to play"),
    Reason.TAKES: _explain_missing_number,
    Reason.NOT_THERE: lambda say, parts: say(
        "{number} doesn't lead there", number=_format_number(say, parts["number"])
    ),
    Reason.BACKWARDS: lambda say, parts: say(
        "that's backwards; your men move from {first} to {last}", **parts
    ),
    Reason.NO_WAY: _explain_no_way,
    Reason.WAYS_CLOSED: lambda say, parts: say(
        "every way there with {dice} is blocked", dice=_join_all(say, parts["dice"])
    ),
    Reason.PAST_END: lambda say, parts: say(
        "{number} leads past the end of the board", number=_format_number(say, parts["number"])
    ),
    Reason.BLOCKED: lambda say, parts: say.plural(
        "{place} is blocked by one of {side}'s men",
        "{place} is blocked by {n} of {side}'s men",
        parts["count"],
        **parts,
    ),
    Reason.SINGLE: lambda say, parts: say(
        "you can't have a second man on {place}, on your own side of the board", **parts
    ),
    Reason.FULL: lambda say, parts: say.plural(
        "{place} already holds {n} man, the most allowed",
        "{place} already holds {n} men, the most allowed",
        parts["count"],
        **parts,
    ),
    Reason.BAR_FIRST: lambda say, parts: say.plural(
        "you have {n} man on the bar, which must enter first",
        "you have {n} men on the bar, which must enter first",
        parts["count"],
        **parts,
    ),
    Reason.BAR_IF_ABLE: lambda say, parts: say.plural(
        "you have {n} man on the bar and can enter it, so that comes first",
        "you have {n} men on the bar and can enter one, so that comes first",
        parts["count"],
        **parts,
    ),
    Reason.PLACING: lambda say, _: say(
        "you can't move men on the board until all your men have entered"
    ),
    Reason.PLACING_HALF: lambda say, _: say(
        "you can't pass the middle of the board until all your men have entered"
    ),
    Reason.OWN_START: lambda say, parts: say(
        "a man on its own starting point, {place}, can't be hit", **parts
    ),
    Reason.RETURN: lambda say, parts: say(
        "you can't hit this man, because it would return to {place}, where you have men", **parts
    ),
    Reason.BANNED: lambda say, parts: common.format_game_text(
        say, GAMES[parts["game"]], parts["word"], **parts["parts"]
    ),
    Reason.ONLY_ENTERING: lambda say, _: say("men don't move in this game; they only enter"),
    Reason.ONLY_BEARING: lambda say, _: say("men in the last table can only be borne off"),
    Reason.NEVER_OFF: lambda say, _: say("men aren't borne off in this game"),
    Reason.OUTSIDE: lambda say, parts: say.plural(
        "you can bear off only when all your men are home, and {n} isn't",
        "you can bear off only when all your men are home, and {n} aren't",
        parts["count"],
        **parts,
    ),
    Reason.GATE: lambda say, parts: say(
        "you can bear off only when {due} of your men are home (so far {home})", **parts
    ),
    Reason.FARTHER_BACK: lambda say, parts: say(
        "{number} can't bear off {place} while you have a man farther back, on {back}",
        number=_format_number(say, parts["number"]),
        place=parts["place"],
        back=parts["back"],
    ),
    Reason.TO_ENTER: lambda say, parts: say(
        "{number} can't bear off {place} while you have a man to enter",
        number=_format_number(say, parts["number"]),
        place=parts["place"],
    ),
    Reason.WASTES: lambda say, _: say(
        "this wastes a number; you must play as many as you can, the higher if you can choose"
    ),
    Reason.TOO_FEW: lambda say, _: say(
        "this play isn't legal; you must play as many numbers as you can, the higher if you can "
        "choose"
    ),
    Reason.NO_MOVES: lambda say, _: say("a play has at least one move"),
    Reason.OVER: lambda say, _: say("the match is over"),
    Reason.WAITS: _explain_phase,
    Reason.CAN_PLAY: lambda say, _: say("a turn passes only when nothing can be played"),
    Reason.TAKE_BACK: lambda say, _: say("there's nothing to take back since the last throw"),
    Reason.NO_DIE: lambda say, parts: say(
        "no die shows {value}; choose {dice}",
        value=parts["value"],
        dice=_join_any(say, parts["dice"]),
    ),
    Reason.OTHER_CHOICE: lambda say, parts: say(
        "the choice to make now is `{choice}`, not `{what}`", **parts
    ),
    Reason.DRAW_EARLY: lambda say, _: say("a draw can be offered only after the first throw"),
    Reason.DRAW_AGAIN: lambda say, _: say(
        "you've already offered a draw; you can offer one again after your next throw"
    ),
    Reason.DRAW_STANDS: lambda say, _: say(
        "you've been offered a draw; accept or decline that one first"
    ),
    Reason.ABORT_LATE: lambda say, _: say(
        "the match is past its first two turns; `/match resign` "
        "gives it up, `/match draw` offers a draw"
    ),
    Reason.NO_DRAW: lambda say, _: say("you haven't been offered a draw"),
    Reason.NO_SEAT: lambda say, _: say("only a team's seat can be handed over"),
    Reason.GAME: _explain_unknown_game,
    Reason.EDITION: _explain_unknown_edition,
    Reason.OPTION: _explain_unknown_option,
    Reason.VALUE: _explain_unknown_value,
    Reason.UNPLAYABLE: lambda say, parts: say(
        "{options} can't be combined: the side that begins would always lose at its first throw",
        options=say.format_list(_quote_each(parts["options"])),
    ),
    Reason.STARTER_CHOOSES: lambda say, parts: say(
        "{option} can't be agreed in advance; the starting side chooses it",
        option=common.format_code(parts["option"]),
    ),
    Reason.OPTION_FORM: lambda say, parts: say(
        "type options as `name=value`, such as `{option}={value}`", **parts
    ),
    Reason.FIELDS: lambda say, _: say(
        "a position has four fields (gold's men, black's men, the turn, the dice) and, in some "
        "games, a fifth (the memory)"
    ),
    Reason.TURN: lambda say, parts: say(
        "the turn must be `gold` or `black`, not {typed}", typed=common.format_code(parts["typed"])
    ),
    Reason.MEN: lambda say, parts: say(
        "list {side}'s men as `a15` or `hand3`, separated by commas; {typed} is neither",
        side=parts["side"],
        typed=common.format_code(parts["typed"]),
    ),
    Reason.MEN_PLACE: lambda say, parts: say(
        "{side} has men on {name}, which isn't on this board", **parts
    ),
    Reason.MEN_NEVER: lambda say, parts: say(
        "{side} has men on {place}, which is impossible in this game",
        side=parts["side"],
        place=common.format_code(parts["place"]),
    ),
    Reason.MEN_TWICE: lambda say, parts: say(
        "{place} is listed twice for {side}",
        side=parts["side"],
        place=common.format_code(parts["place"]),
    ),
    Reason.MEN_COUNT: lambda say, parts: say.plural(
        "{side} has {n} man, but this game is played with {men} a side",
        "{side} has {n} men, but this game is played with {men} a side",
        parts["count"],
        **parts,
    ),
    Reason.BOTH_HOLD: lambda say, parts: say("gold and black both have men on {place}", **parts),
    Reason.MEN_LIMIT: lambda say, parts: say.plural(
        "{place} can hold at most {n} man in this game",
        "{place} can hold at most {n} men in this game",
        parts["most"],
        **parts,
    ),
    Reason.MEN_DOUBLED: lambda say, parts: say.plural(
        "{side} has {n} man on {place}, where a second one isn't allowed",
        "{side} has {n} men on {place}, where a second one isn't allowed",
        parts["count"],
        **parts,
    ),
    Reason.OFF_EARLY: lambda say, parts: say(
        "{side} has borne men off before all its men have entered", **parts
    ),
    Reason.OFF_OUTSIDE: lambda say, parts: say(
        "{side} has borne men off with others still outside its bearing table, though no man can "
        "be hit in this game",
        **parts,
    ),
    Reason.PILED: lambda say, parts: say.plural(
        "{side} still has {n} man stacked on others, so every point must hold a lower one",
        "{side} still has {n} men stacked on others, so every point must hold a lower one",
        parts["count"],
        **parts,
    ),
    Reason.BEYOND_ENTRY: lambda say, parts: say(
        "{side} has men beyond its entry table before all its men have entered", **parts
    ),
    Reason.BEYOND_MIDDLE: lambda say, parts: say(
        "{side} has men past the middle of the board before all its men have entered", **parts
    ),
    Reason.SET_BACK: lambda say, parts: say(
        "{side} has men behind their starting points, though no man can be hit in this game",
        **parts,
    ),
    Reason.BOTH_WON: lambda say, _: say("both sides have won"),
    Reason.DICE: lambda say, parts: say(
        "type dice as numbers from 1 to 6 joined by `-`, or `-` alone; {typed} is neither",
        typed=common.format_code(parts["typed"]),
    ),
    Reason.DICE_NEVER: lambda say, parts: say(
        "a throw in this game can't be {typed}", typed=common.format_code(parts["typed"])
    ),
    Reason.NO_MEMORY: lambda say, parts: say(
        "this game has no memory field, so it can't be {typed}",
        typed=common.format_code(parts["typed"]),
    ),
    Reason.MEMORY_EMPTY: lambda say, parts: say(
        "the memory field must be empty in this position, not {typed}",
        typed=common.format_code(parts["typed"]),
    ),
    Reason.MEMORY: lambda say, parts: say(
        "the memory field can be {known} in this position, but not {typed}",
        known=_join_any(say, map(common.format_code, parts["known"])),
        typed=common.format_code(parts["typed"]),
    ),
    Reason.REQUEST: lambda say, _: say("a request must be one JSON object on one line"),
    Reason.ENCODING: lambda say, _: say(
        "the input isn't UTF-8; a request must be one JSON object on one line, in UTF-8"
    ),
    Reason.DO: partial(_explain_field, "do"),
    Reason.FIELD: lambda say, parts: say(
        "{field} is missing or isn't of type {kind}",
        field=common.format_code(parts["name"]),
        kind=common.format_code(parts["kind"]),
    ),
    Reason.OPTIONS: lambda say, _: say(
        "{field} must look like {example}",
        field=common.format_code("options"),
        example=common.format_code('{"dice": "two-and-six"}'),
    ),
    Reason.NO_DICE: lambda say, _: say(
        "to list plays, give the dice too, such as {example}",
        example=common.format_code(_EXAMPLE_THROW),
    ),
    Reason.PACE: lambda say, parts: say(
        "there's no pace {typed}; choose {known}, or type the time for the match and the time "
        "added each turn, such as `30m+20s`",
        typed=common.format_code(parts["typed"]),
        known=_join_any(say, map(common.format_code, parts["known"])),
    ),
    Reason.LEVEL: partial(_explain_field, "level"),
    Reason.GAME_OVER: lambda say, _: say("the game is over in this position"),
    Reason.GAMES: lambda say, parts: say(
        "{field} must be from 1 to {most}",
        field=common.format_code("games"),
        most=parts["most"],
    ),
    Reason.THROW: _explain_throw,
    Reason.XGID_FIELDS: lambda say, parts: say.plural(
        "an XGID has ten fields with colons between them, but this one has {n}",
        "an XGID has ten fields with colons between them, but this one has {n}",
        parts["count"],
    ),
    Reason.XGID_LENGTH: lambda say, parts: say.plural(
        "the first field of an XGID has 26 characters, but this one has {n}",
        "the first field of an XGID has 26 characters, but this one has {n}",
        parts["count"],
    ),
    Reason.XGID_MAN: lambda say, parts: say(
        "the first field of an XGID has hyphens and the letters A to O and a to o, not {typed}",
        typed=common.format_code(parts["typed"]),
    ),
    Reason.XGID_BAR: lambda say, parts: say(
        "an XGID begins with the bar of the player in lower case and ends with the bar of the one "
        "in upper case, so {typed} can't be there",
        typed=common.format_code(parts["typed"]),
    ),
    Reason.XGID_TURN: lambda say, parts: say(
        "the fourth field of an XGID is the turn, `1` or `-1`, not {typed}",
        typed=common.format_code(parts["typed"]),
    ),
    Reason.XGID_DICE: lambda say, parts: say(
        "the fifth field of an XGID is the throw, such as `31`, or `00` before it, not {typed}",
        typed=common.format_code(parts["typed"]),
    ),
    Reason.CUBE: lambda say, _: say(
        "this position waits for the answer to a double, but there's no doubling cube here; copy "
        "it before the double"
    ),
    Reason.POSITION_ID_LENGTH: lambda say, parts: say.plural(
        "a position ID of GNU Backgammon has 14 characters, but this one has {n}; an XGID and a "
        "position as `/analyse` writes it are understood too",
        "a position ID of GNU Backgammon has 14 characters, but this one has {n}; an XGID and a "
        "position as `/analyse` writes it are understood too",
        parts["count"],
    ),
    Reason.POSITION_ID_BITS: lambda say, _: say(
        "this isn't a position ID of GNU Backgammon; a character is wrong, so copy the whole ID "
        "again"
    ),
    Reason.MATCH_ID_LENGTH: lambda say, parts: say.plural(
        "a match ID of GNU Backgammon has 12 characters, but this one has {n}",
        "a match ID of GNU Backgammon has 12 characters, but this one has {n}",
        parts["count"],
    ),
    Reason.MATCH_ID_DICE: lambda say, _: say(
        "the dice of this match ID show no numbers from 1 to 6; a character is wrong, so copy the "
        "whole ID again"
    ),
    Reason.ID_CHARACTER: lambda say, parts: say(
        "the IDs of GNU Backgammon have letters, digits, + and /, but not {typed}",
        typed=common.format_code(parts["typed"]),
    ),
}


def build_sentence_formatter(say: Reader) -> SentenceFormatter:
    """Return what makes the protocol's sentences for one reader."""

    def describe_ending(game: Game, outcome: GameOutcome | None) -> str:
        return common.format_ending(say, game, outcome) if outcome else say("the game isn't over")

    return SentenceFormatter(partial(explain_refusal, say), describe_ending)
