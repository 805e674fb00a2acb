"""Sentences about time: paces, time left, people who are away, and expired time."""

from bot.features.matches import clock as clocks
from bot.features.matches.name_texts import mention_people, mention_person
from bot.features.matches.session import MatchSession
from bot.platform.i18n.common import format_date, format_title
from bot.platform.i18n.reader import Reader
from engine.clock import DAY, HOUR, MINUTE, SECOND, Pace, parse_pace
from engine.games import GAMES

MIN_OUTAGE_MS = 2 * MINUTE
"""Milliseconds from which on an outage is mentioned."""


def format_pace(say: Reader, chosen: Pace) -> str:
    """Tell how much time there is."""
    if chosen.turn:
        return say("{time} a turn", time=format_duration(say, chosen.turn))
    if not chosen.bank:
        return say("no time limit")
    bank = format_duration(say, chosen.bank)
    if not chosen.increment:
        return say("{bank} in total", bank=bank)
    more = format_duration(say, chosen.increment)
    return say("{bank} in total, plus {more} after each turn", bank=bank, more=more)


def format_terms_line(say: Reader, game: str, pace: str, *, rated: bool) -> str:
    """Tell what is played where many matches have the same terms, in one line."""
    # Translators: of matches (plural): their results change the ratings.
    told = say("rated") if rated else say("not rated")
    # Translators: the terms of a ladder's matches: "Backgammon; 1 day a turn; rated."
    return say(
        "{game}; {pace}; {rated}.",
        game=format_title(say, GAMES[game]),
        pace=format_pace(say, parse_pace(pace)),
        rated=told,
    )


def format_duration(say: Reader, milliseconds: int) -> str:
    """Tell a time in the largest unit in which it is whole."""
    if milliseconds % DAY == 0:
        return say.plural("{n} day", "{n} days", milliseconds // DAY)
    if milliseconds % HOUR == 0:
        return say.plural("{n} hour", "{n} hours", milliseconds // HOUR)
    if milliseconds % MINUTE == 0:
        return say.plural("{n} minute", "{n} minutes", milliseconds // MINUTE)
    return say.plural("{n} second", "{n} seconds", milliseconds // SECOND)


def format_relative_time(instant: int) -> str:
    """Format an instant for Discord, which shows it in the reader's own time, relative to now."""
    return f"<t:{instant // SECOND}:R>"


def format_turn_end(say: Reader, session: MatchSession) -> str:
    """Tell in a list when a turn runs out of time, or did; empty where no time runs."""
    times = clocks.compute_deadlines(session)
    if times is None:
        return ""
    when = format_relative_time(times.out)
    if session.late:
        return say("ran out of time {when}", when=when)
    return say("out of time {when}", when=when)


def format_time_left(say: Reader, session: MatchSession) -> str:
    """Format until when the next player has time, or what may be done when it is over.

    It is empty where no time runs.
    """
    times = clocks.compute_deadlines(session)
    if times is None:
        return ""
    who = mention_person(session.person_to_act)
    if not session.late:
        told = say("{who}'s time runs out {when}.", who=who, when=format_relative_time(times.out))
        return " ".join(filter(None, (told, _explain_stopped_clock(say, session))))
    others = mention_people(say, session.waiting_players)
    return say(
        "{who}'s time has run out. {others} can claim the match or give fresh time. "
        "Otherwise it ends {when}.",
        who=who,
        others=others,
        when=format_relative_time(times.ends),
    )


def _explain_stopped_clock(say: Reader, session: MatchSession) -> str:
    """Tell why the time of the one to act stands, or stood, still."""
    turn = session.clock.turn
    held = [
        stop
        for stop in session.stops
        if turn and stop.is_for_turn(turn) and stop.ended > session.clock.since
    ]
    told = []
    for stop in held:
        if stop.side is not None and stop.ended <= session.now:
            # Who was away is back.
            continue
        if stop.side is not None:
            who = mention_person(session.get_player(stop.side, stop.player))
            told.append(say("{who} is away until {when}.", who=who, when=format_date(stop.ended)))
        elif stop.ended - stop.began >= MIN_OUTAGE_MS:
            began, ended = (f"<t:{instant // SECOND}:f>" for instant in (stop.began, stop.ended))
            told.append(
                say(
                    "Nobody could play from {began} to {ended}, so the clock was stopped.",
                    began=began,
                    ended=ended,
                )
            )
    return " ".join(told[-1:])


def format_turn_notice(say: Reader, session: MatchSession, link: str) -> str:
    """Call the one for whom the match waits."""
    parts = {
        "who": mention_person(session.person_to_call),
        "match": session.id,
        "game": format_title(say, session.match.game),
        "link": link,
    }
    if session.match.drawing is not None:
        return say("{who}, you're offered a draw in [match {match}, {game}]({link}).", **parts)
    return say("{who}, it's your turn in [match {match}, {game}]({link}).", **parts)


def format_reminder(say: Reader, session: MatchSession, link: str) -> str:
    """Remind the one to act."""
    times = clocks.compute_deadlines(session)
    assert times is not None
    return say(
        "{who}, your time in [match {match}, {game}]({link}) runs out {when}.",
        who=mention_person(session.person_to_act),
        match=session.id,
        game=format_title(say, session.match.game),
        link=link,
        when=format_relative_time(times.out),
    )


def format_claim_notice(say: Reader, session: MatchSession, link: str) -> str:
    """Tell those who wait that the other side is out of time."""
    times = clocks.compute_deadlines(session)
    assert times is not None
    return say(
        "{others}: {who}'s time in [match {match}, {game}]({link}) has run out. "
        "You can claim the match or give fresh time. Otherwise it ends {when}.",
        others=mention_people(say, session.waiting_players),
        who=mention_person(session.person_to_act),
        match=session.id,
        game=format_title(say, session.match.game),
        link=link,
        when=format_relative_time(times.ends),
    )


def format_match_pace(say: Reader, session: MatchSession) -> str:
    """Tell the pace of a match."""
    return format_pace(say, clocks.get_pace(session.row))
