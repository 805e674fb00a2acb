"""What is said of deadlines, and what they are called in a calendar."""

from bot.features.contests.rows import ContestState
from bot.features.contests.texts import format_contest_name
from bot.features.deadlines.service import (
    ChallengeDeadline,
    DeadlineList,
    LeagueDeadline,
    TurnDeadline,
)
from bot.platform.i18n.common import format_title
from bot.platform.i18n.reader import Reader
from bot.platform.people import clean_text
from engine.games import GAMES


def format_calendar_name(say: Reader) -> str:
    """Name the calendar."""
    return say("Tabula deadlines")


def format_league_deadline(say: Reader, deadline: LeagueDeadline) -> str:
    """Tell what ends in a league; plain, for a calendar."""
    league = clean_text(format_contest_name(say, deadline.league))
    if deadline.league.state is ContestState.OPEN:
        return say("{league}: sign-up ends", league=league)
    return say("{league}: all matches end", league=league)


def format_turn_deadline(say: Reader, deadline: TurnDeadline, person: int) -> str:
    """Tell whose time runs out in which match; plain, for a calendar."""
    session = deadline.session
    game = format_title(say, session.match.game)
    if session.person_to_act == person:
        return say("Your time runs out: match {match}, {game}", match=session.id, game=game)
    who = session.names[session.person_to_act]
    return say("{who}'s time runs out: match {match}, {game}", who=who, match=session.id, game=game)


def format_challenge_deadline(say: Reader, deadline: ChallengeDeadline) -> str:
    """Tell whose challenge expires; plain, for a calendar."""
    game = format_title(say, GAMES[deadline.challenge.game])
    return say("{who}'s challenge expires: {game}", who=deadline.challenger, game=game)


def format_calendar_reply(say: Reader, deadlines: DeadlineList) -> str:
    """Tell what is in the file, and what to do with it."""
    if not deadlines.count:
        return say(
            "You have no deadline: you're in no league, and no clock runs in your matches. "
            "`/league join` and `/play` begin some."
        )
    told = say.plural(
        "{n} deadline is in this file.", "{n} deadlines are in this file.", deadlines.count
    )
    how = say(
        "Import it into your calendar. Later, import a new one: deadlines that have moved since "
        "are updated."
    )
    return f"{told} {how}"
