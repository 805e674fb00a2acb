"""What is said to those who follow a match, and in a server's news."""

from bot.features.matches.name_texts import mention_people, mention_sides
from bot.features.matches.session import MatchSession
from bot.features.matches.texts import format_result
from bot.platform.i18n.common import format_title
from bot.platform.i18n.reader import Reader
from bot.store import NotifyWhen
from engine.position import Side


def format_follow_notice(say: Reader, session: MatchSession, often: NotifyWhen) -> str:
    """Tell somebody that they follow a match."""
    match = session.id
    if often is NotifyWhen.TURN:
        return say(
            "You're following match {match}: I message you here after every turn.", match=match
        )
    return say("You're following match {match}: I message you here when it ends.", match=match)


def format_follow_reply(say: Reader, session: MatchSession, often: NotifyWhen | None) -> str:
    """Tell somebody who has just asked for it whether they follow a match now."""
    match = session.id
    if often is None:
        return say("You're no longer following match {match}.", match=match)
    if often is NotifyWhen.TURN:
        told = say("You're following match {match}: I message you after every turn.", match=match)
    else:
        told = say("You're following match {match}: I message you when it ends.", match=match)
    stop = say("Use `/match follow match:{match}` again to stop.", match=match)
    return f"{told} {stop}"


def explain_unreachable(say: Reader) -> str:
    """Tell somebody that nothing can be written to them."""
    return say(
        "I can't send you direct messages, so you can't follow a match. Allow direct messages in "
        "this server's privacy settings and try again."
    )


def format_start_news(say: Reader, session: MatchSession, link: str | None) -> str:
    """Tell in one line that a match has begun."""
    gold, black = (mention_people(say, session.list_players(side)) for side in Side)
    return say(
        "{match} has started: {gold} against {black}.",
        match=_link_match(say, session, link),
        gold=gold,
        black=black,
    )


def format_end_news(say: Reader, session: MatchSession, link: str | None) -> str:
    """Tell in one line how a match has ended."""
    match = _link_match(say, session, link)
    return say(
        "{match} is over: {players}. {result}",
        match=match,
        players=mention_sides(say, session),
        result=format_result(say, session),
    )


def _link_match(say: Reader, session: MatchSession, link: str | None) -> str:
    game = format_title(say, session.match.game)
    if link is None:
        return say("{game}, match {number}", game=game, number=session.id)
    return say("[{game}, match {number}]({link})", game=game, number=session.id, link=link)


def format_news_channel(say: Reader, channel: int | None) -> str:
    """Tell where a server hears of its matches."""
    if channel is None:
        return say("Match announcements are off.")
    return say(
        "Matches are announced in {channel} when they start and end.", channel=f"<#{channel}>"
    )
