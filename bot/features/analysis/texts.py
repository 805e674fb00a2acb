"""What is said of a position that is analysed, and of the plays that people propose."""

from collections.abc import Iterator

from bot.features.analysis.service import Analysis, Findings
from bot.features.hints.texts import format_evaluation
from bot.platform.i18n.common import (
    format_code,
    format_dice,
    format_house_rules,
    format_side_title,
    format_title,
)
from bot.platform.i18n.reader import Reader
from engine.games.backgammon import BACKGAMMON
from engine.match import Match, Phase
from engine.position_ids import format_xgid
from engine.position_text import format_position


def format_heading(say: Reader, match: Match) -> str:
    """Name the game of a position."""
    return say("### Analysis: {game}", game=format_title(say, match.game))


def format_turn(say: Reader, match: Match) -> str:
    """Say whose turn it is, and what there is to play."""
    side = format_side_title(say, match.turn)
    match match.phase:
        case Phase.THROW | Phase.BATTLE | Phase.CONTEST:
            return say("**{side}** is to roll.", side=side)
        case Phase.PLAY | Phase.OFFER:
            dice = format_dice(match.position.dice)
            return say("**{side}** has {dice} to play.", side=side, dice=dice)
    return say("**{side}** has {dice} and a choice to make.", side=side, dice=_name_throw(match))


def _name_throw(match: Match) -> str:
    return format_dice(sorted(match.thrown, reverse=True))


def format_status(say: Reader, match: Match) -> str:
    """Say in the picture whose turn it is."""
    side = format_side_title(say, match.turn)
    if match.phase is Phase.THROW:
        return say("{side} to roll", side=side)
    return say("{side} to play", side=side)


def format_worth(say: Reader, found: Findings) -> str:
    """Say what a position is worth in which there is nothing to decide."""
    match = found.analysis.match
    worth = format_evaluation(say, found.worth.win, found.worth.points)
    side = format_side_title(say, match.turn)
    if match.phase is Phase.THROW:
        # Translators: a side's name, then its chances: "Gold: Win chance 62 %, equity +0.24."
        return say("{side}: {evaluation}", side=side, evaluation=worth)
    return say(
        "Nothing of this throw can be played. {side}: {evaluation}", side=side, evaluation=worth
    )


def format_position_line(say: Reader, match: Match) -> str:
    """Write a position so that it can be copied."""
    lines = [
        say("Position: {text}", text=format_code(format_position(match.position, match.rules)))
    ]
    if match.game is BACKGAMMON and match.phase in (Phase.THROW, Phase.PLAY):
        lines.append(format_code(format_xgid(match.position)))
    return "\n".join(lines)


def format_copy_line(say: Reader, match: Match) -> str:
    """Write a position once so that it can be copied: as most programs read it."""
    return format_position_line(say, match).splitlines()[-1]


def format_options(say: Reader, analysis: Analysis) -> Iterator[str]:
    """Write the house rules of a position, if it has any."""
    match = analysis.match
    if match.options:
        rules = " ".join(format_house_rules(say, match.game, match.options))
        yield say("House rules: {rules}", rules=rules)


def explain_evaluation(say: Reader) -> str:
    """Tell whose judgement of a position before a throw it is."""
    return say("The computer's evaluation, 1-ply: the mean over all throws.")
