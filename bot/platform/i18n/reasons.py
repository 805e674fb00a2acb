"""Why the rules refuse something, as clauses without capital and full stop.

They follow a colon or are capitalised. "You" is the side that moves. The other side is named by its
player where the refusal says who that is, else by colour.
"""

from collections.abc import Callable, Mapping, Sequence

from bot.platform.i18n.common import escape_text, format_code, format_side, format_typed_name
from bot.platform.i18n.position_id_reasons import POSITION_ID_TEXTS
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.reason_parts import (
    Parts,
    clip_typed,
    format_number,
    join_all,
    join_alternatives,
    join_any,
)
from bot.platform.i18n.unknown_names import (
    explain_unknown_edition,
    explain_unknown_game,
    explain_unknown_option,
    explain_unknown_value,
)
from engine.match import Phase
from engine.refusal import Reason, Refusal

REASONS_LISTING_LEGAL = frozenset({Reason.AMBIGUOUS, Reason.GAME, Reason.OPTION, Reason.VALUE})
"""The reasons whose sentence already names what would be legal."""


def explain_refusal(say: Reader, refusal: Refusal) -> str:
    """Say why something is refused, after the move if there is one.

    Typed text is repeated as it is.
    """
    if "move" not in refusal.parts:
        return explain_without_move(say, refusal)
    # Translators: a move that was typed, then why it isn't legal: "a-b: you have no man on a".
    return say(
        "{move}: {why}",
        move=clip_typed(refusal.parts["move"]),
        why=explain_without_move(say, refusal),
    )


def explain_without_move(say: Reader, refusal: Refusal) -> str:
    """Say why something is refused, without the move."""
    parts = {
        name: clip_typed(part) if isinstance(part, str) else part
        for name, part in refusal.parts.items()
    }
    parts["legal"] = refusal.legal
    if "side" in parts:
        players = refusal.parts.get("players", {}).get(parts["side"])
        parts["side"] = (
            say.format_list([escape_text(each) for each in players])
            if players
            else format_side(say, parts["side"])
        )
    if "name" in parts:
        # A record may name anything, as no one types it.
        parts["name"] = format_typed_name(str(parts["name"]))
    return _REASON_TEXTS[refusal.reason](say, parts)


def _explain_command(say: Reader, parts: Parts) -> str:
    match parts["word"]:
        case "throw":
            return say("use `/roll` to roll the dice")
        case "take back":
            return say("use `/undo` to take back a move")
        case "resign":
            return say("`resign` isn't a move; use the command `/match resign`")
        case "pass":
            return say("your turn passes by itself when you can't move")
    command = say.name_command(parts["word"])
    return say(
        "`{word}` isn't a move; use the command `/{command}`", word=parts["word"], command=command
    )


def _explain_no_man(say: Reader, parts: Parts) -> str:
    if parts["place"] == "hand":
        return say("you have no man in hand")
    if parts["place"].startswith("bar"):
        return say("you have no man on the bar")
    return say("you have no man on {place}", place=parts["place"])


def _explain_missing_number(say: Reader, parts: Parts) -> str:
    left = len(parts["dice"])
    dice = _format_dice_left(say, parts["dice"])
    return say.plural(
        "you have no {number}; only {dice} is left",
        "you have no {number}; {dice} are left",
        left,
        number=parts["number"],
        dice=dice,
    )


def _explain_no_way(say: Reader, parts: Parts) -> str:
    left = len(parts["dice"])
    dice = _format_dice_left(say, parts["dice"])
    return say.plural(
        "only {dice} is left, and it doesn't lead there",
        "only {dice} are left, and they don't lead there, alone or together",
        left,
        dice=dice,
    )


def _format_dice_left(say: Reader, left: Sequence[int]) -> str:
    return format_number(say, left[0]) if len(left) == 1 else join_all(say, left)


def _explain_phase(say: Reader, parts: Parts) -> str:
    return _PHASE_TEXTS[Phase(parts["phase"])](say)


_PHASE_TEXTS: Mapping[Phase, Callable[[Reader], str]] = {
    Phase.BATTLE: lambda say: say("the opening roll comes first"),
    Phase.OPENING: lambda say: say("the starting side has to choose first"),
    Phase.CONTEST: lambda say: say("both sides have to roll first to decide who breaks a point"),
    Phase.BREAK: lambda say: say("the winner of the roll has to choose first which point to break"),
    Phase.THROW: lambda say: say("roll first"),
    Phase.CHOOSE: lambda say: say("first choose the die to turn to a six"),
    Phase.PLAY: lambda say: say("the dice are rolled; play the throw first"),
    Phase.OFFER: lambda say: say("first use or leave the numbers that your opponent couldn't play"),
}

_REASON_TEXTS: Mapping[Reason, Callable[[Reader, Parts], str]] = {
    Reason.NOTHING_TYPED: lambda say, _: say("type a move, such as `a-g` or `a6`"),
    Reason.UNREADABLE: lambda say, parts: say(
        "{typed} isn't a move; type moves such as `a-g`, `a6`, `bar-c` or `t-off`",
        typed=format_code(parts["typed"]),
    ),
    Reason.AMBIGUOUS: lambda say, parts: say(
        "{typed} could mean {readings}",
        typed=format_code(parts["typed"]),
        readings=join_alternatives(say, map(format_code, parts["legal"])),
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
        "{number} doesn't lead there", number=format_number(say, parts["number"])
    ),
    Reason.BACKWARDS: lambda say, parts: say(
        "that's backwards; your men move from {first} to {last}", **parts
    ),
    Reason.NO_WAY: _explain_no_way,
    Reason.WAYS_CLOSED: lambda say, parts: say(
        "every way there with {dice} is blocked", dice=join_all(say, parts["dice"])
    ),
    Reason.PAST_END: lambda say, parts: say(
        "{number} leads past the end of the board", number=format_number(say, parts["number"])
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
        "you have {n} man on the bar, who must enter first",
        "you have {n} men on the bar, who must enter first",
        parts["count"],
        **parts,
    ),
    Reason.BAR_IF_ABLE: lambda say, parts: say.plural(
        "you have {n} man on the bar and can enter him, so that comes first",
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
        "a man on his own starting point, {place}, can't be hit", **parts
    ),
    Reason.RETURN: lambda say, parts: say(
        "you can't hit this man, because he would return to {place}, where you have men", **parts
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
        number=format_number(say, parts["number"]),
        place=parts["place"],
        back=parts["back"],
    ),
    Reason.WASTES: lambda say, _: say(
        "this wastes a number; you must play as many as you can, the higher ones first"
    ),
    Reason.TOO_FEW: lambda say, _: say(
        "this play isn't legal; you must play as many numbers as you can, the higher ones first"
    ),
    Reason.NO_MOVES: lambda say, _: say("a play has at least one move"),
    Reason.OVER: lambda say, _: say("the match is over"),
    Reason.WAITS: _explain_phase,
    Reason.CAN_PLAY: lambda say, _: say("a turn passes only when nothing can be played"),
    Reason.TAKE_BACK: lambda say, _: say("there's nothing to take back since the last throw"),
    Reason.NO_DIE: lambda say, parts: say(
        "no die shows {value}; choose {dice}",
        value=parts["value"],
        dice=join_any(say, parts["dice"]),
    ),
    Reason.OTHER_CHOICE: lambda say, parts: say(
        "the choice to make now is {choice}, not {what}", **parts
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
    Reason.GAME: explain_unknown_game,
    Reason.EDITION: explain_unknown_edition,
    Reason.OPTION: explain_unknown_option,
    Reason.VALUE: explain_unknown_value,
    Reason.STARTER_CHOOSES: lambda say, parts: say(
        "{option} can't be agreed in advance; the starting side chooses it", **parts
    ),
    Reason.OPTION_FORM: lambda say, parts: say(
        "type options as `name=value`, such as `{option}={value}`", **parts
    ),
    Reason.FIELDS: lambda say, _: say(
        "a position has four fields (gold's men, black's men, the turn, the dice) and, in some "
        "games, a fifth (the memory)"
    ),
    Reason.TURN: lambda say, parts: say("the turn must be gold or black, not {typed}", **parts),
    Reason.MEN: lambda say, parts: say(
        "list {side}'s men as a15 or hand3, separated by commas; {typed} is neither", **parts
    ),
    Reason.MEN_PLACE: lambda say, parts: say(
        "{side} has men on {name}, which isn't on this board", **parts
    ),
    Reason.MEN_NEVER: lambda say, parts: say(
        "{side} has men on {place}, which is impossible in this game", **parts
    ),
    Reason.MEN_TWICE: lambda say, parts: say("{place} is listed twice for {side}", **parts),
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
        "type dice as numbers from 1 to 6 joined by -, or - alone; {typed} is neither", **parts
    ),
    Reason.DICE_NEVER: lambda say, parts: say("a throw in this game can't be {typed}", **parts),
    Reason.NO_MEMORY: lambda say, parts: say(
        "this game has no memory field, so it can't be {typed}", **parts
    ),
    Reason.MEMORY_EMPTY: lambda say, parts: say(
        "the memory field must be empty in this position, not {typed}", **parts
    ),
    Reason.MEMORY: lambda say, parts: say(
        "the memory field can be {known} in this position, but not {typed}",
        known=join_any(say, parts["known"]),
        typed=parts["typed"],
    ),
    Reason.REQUEST: lambda say, _: say("a request must be one JSON object on one line"),
    Reason.ENCODING: lambda say, _: say(
        "the input isn't UTF-8; a request must be one JSON object on one line, in UTF-8"
    ),
    Reason.DO: lambda say, parts: say("do must be {known}", known=join_any(say, parts["known"])),
    Reason.FIELD: lambda say, parts: say("{name} is missing or isn't of type {kind}", **parts),
    Reason.OPTIONS: lambda say, _: say('options must look like {{"dice": "two-and-six"}}'),
    Reason.NO_DICE: lambda say, _: say("dice are needed to list plays, such as 6-5-2"),
    Reason.PACE: lambda say, parts: say(
        "there's no pace {typed}; choose {known}, or type the time for the match and the time "
        "added each turn, such as `30m+20s`",
        typed=format_code(parts["typed"]),
        known=join_any(say, map(format_code, parts["known"])),
    ),
    Reason.LEVEL: lambda say, parts: say(
        "level must be {known}", known=join_any(say, parts["known"])
    ),
    Reason.GAME_OVER: lambda say, _: say("the game is over in this position"),
    Reason.GAMES: lambda say, parts: say("games must be from 1 to {most}", **parts),
    **POSITION_ID_TEXTS,
}
