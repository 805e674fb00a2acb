"""Hints in words: what may be done, how it compares, and its win chance and equity."""

from bot.features.hints.service import HintRequest
from bot.features.matches.name_texts import mention_people, mention_person
from bot.features.matches.session import MatchSession
from bot.platform.i18n.common import (
    format_dice,
    format_side,
    format_title,
    keep_together,
)
from bot.platform.i18n.numbers import format_points
from bot.platform.i18n.reader import Reader
from engine.events import Chosen, Event, Left, Played
from engine.match import SIDE, SIX, Match
from engine.notation import format_play

AS_GOOD_LOSS, BARELY_WORSE_LOSS, SLIGHTLY_WORSE_LOSS, WORSE_LOSS = 0.005, 0.02, 0.08, 0.2
"""Points lost below which a choice is as good, barely, slightly or just worse; then much worse."""


def format_heading(say: Reader, session: MatchSession) -> str:
    """Name what is told."""
    return say(
        "### Hint for match {match}: {game}",
        match=session.id,
        game=format_title(say, session.match.game),
    )


def describe_event(say: Reader, match: Match, event: Event) -> str:
    """Tell what somebody may do, or did."""
    match event:
        case Played(moves):
            return f"`{keep_together(format_play(moves, match.rules, match.position))}`"
        case Left():
            # Translators: a piece of advice, like "play gold" and "choose the table af".
            return say("leave {dice} unused", dice=format_dice(match.position.dice))
        case Chosen(what, value) if what == SIX:
            return say("turn the {number} to a six", number=value)
        case Chosen(what, value) if what == SIDE.name:
            return say("play {side}", side=format_side(say, value))
        case Chosen(what, value):
            return say("choose the {what} {value}", what=what, value=value)
    # Translators: a piece of advice, like "play gold" and "choose the table af".
    return say("resign")


def describe_loss(say: Reader, loss: float) -> str:
    """Tell how much worse something is than the best, in words."""
    if loss < AS_GOOD_LOSS:
        # Translators: of a play, compared with the best one: "2. a-b: just as good."
        return say("just as good")
    if loss < BARELY_WORSE_LOSS:
        return say("barely worse")
    if loss < SLIGHTLY_WORSE_LOSS:
        return say("slightly worse")
    # Translators: of a play, compared with the best one: "2. a-b: worse, -0.20."
    return say("worse") if loss < WORSE_LOSS else say("much worse")


def format_evaluation(say: Reader, win: float, points: float) -> str:
    """Tell what something is worth, in numbers."""
    return say(
        "Win chance {win} %, equity {points}.",
        win=round(100 * win),
        points=format_points(say, points),
    )


def format_consent_request(say: Reader, wanted: HintRequest, person: int) -> str:
    """Ask those who have not allowed hints."""
    return say(
        "{who} would like hints in match {match}. {others}, do you allow them? "
        "Once everyone does, all players can use `/match hint`.",
        who=mention_person(person),
        match=wanted.session.id,
        others=mention_people(say, wanted.missing),
    )


def format_missing_consent(say: Reader, wanted: HintRequest) -> str:
    """Tell who has yet to allow hints."""
    return say(
        "Everyone in this match must allow hints first. {others} can do so with the button in the "
        "channel or with `/match hint`.",
        others=mention_people(say, wanted.missing),
    )
