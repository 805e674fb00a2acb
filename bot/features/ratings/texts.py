"""How ratings, and what a match did to them, are written."""

from collections.abc import Sequence

from bot.features.matches.name_texts import mention_person
from bot.features.matches.session import MatchSession
from bot.features.ratings import service as ratings
from bot.platform.i18n.reader import Reader
from bot.store import RatingChange, SkillEstimate
from engine.outcome import ANNULLED


def format_rating(say: Reader, strength: SkillEstimate | None) -> str:
    """Write a rating, a question mark where it is uncertain; a word where there was none."""
    if strength is None:
        return say("new")
    doubt = "" if ratings.is_certain(strength) else "?"
    return f"{ratings.get_display_rating(strength)}{doubt}"


def format_rating_changes(
    say: Reader, session: MatchSession, changes: Sequence[RatingChange]
) -> str:
    """Tell the ratings in this game and server before and after a match."""
    outcome = session.match.outcome
    if outcome and outcome.how == ANNULLED and session.row.rated:
        return say("The ratings no longer include this match.")
    if outcome and (outcome.is_void or (session.row.rated and not outcome.is_rateable)):
        # The result says that it does not count, or is not rated though the match was to be.
        return ""
    # A match counts on four boards; this is the one that its players look at.
    board = (
        ratings.make_server_scope(session.row.guild),
        ratings.make_pool_name(session.row.game, session.computer_level),
    )
    told = [
        f"{mention_person(change.key.person)} {format_rating(say, change.before)} → "
        f"{format_rating(say, change.after)}"
        for change in changes
        if (change.key.scope, change.key.pool) == board
    ]
    return say("Ratings: {changes}", changes=", ".join(told)) if told else say("Not rated.")
