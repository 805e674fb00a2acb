"""Cards and sentences for those who follow a match or look for a game, and a server's news."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import discord
from discord import ButtonStyle, SelectOption

from bot.features.challenges.tables import Challenge
from bot.features.challenges.texts import format_terms
from bot.features.matches import texts as match_words
from bot.features.matches.controls import match_link_control
from bot.features.matches.event_texts import describe_transitions
from bot.features.matches.scene import build_scene
from bot.features.matches.session import MatchSession, list_since_throw
from bot.features.notifications.jobs import ANY_GAME, NotifyWhen
from bot.platform.i18n.common import format_title, join_sentences, replace_mentions
from bot.platform.i18n.reader import Reader, escape_text
from bot.platform.ui.card import Card, Item, Picture, text_only_card
from bot.platform.ui.channels import build_link
from bot.platform.ui.controls import MAX_CHOICES, MAX_ENTRY_LENGTH, build_button
from engine.games import GAMES
from engine.match import Phase
from engine.position import Side
from render.characters import shorten_text
from render.describe import describe_scene


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
        text = say("You're following match {match}: I message you after every turn.", match=match)
    else:
        text = say("You're following match {match}: I message you when it ends.", match=match)
    stop = say("Use `/match follow match:{match}` again to stop.", match=match)
    return join_sentences(say, text, stop)


def explain_unreachable(say: Reader) -> str:
    """Tell somebody that nothing can be written to them."""
    return say(
        "I can't send you direct messages, so you can't follow a match. Allow direct messages in "
        "this server's privacy settings and try again."
    )


def format_start_news(say: Reader, session: MatchSession, link: str | None) -> str:
    """Say in one line that a match has begun."""
    gold, black = (match_words.mention_people(say, session.list_players(side)) for side in Side)
    return say(
        "{match} has started: {gold} against {black}.",
        match=_link_match(say, session, link),
        gold=gold,
        black=black,
    )


def format_end_news(say: Reader, session: MatchSession, link: str | None) -> str:
    """Say in one line how a match has ended."""
    match = _link_match(say, session, link)
    return say(
        "{match} is over: {players}. {result}",
        match=match,
        players=match_words.mention_sides(say, session),
        result=match_words.format_result(say, session),
    )


def _link_match(say: Reader, session: MatchSession, link: str | None) -> str:
    game = format_title(say, session.match.game)
    if link is None:
        return say("{game}, match {number}", game=game, number=session.id)
    return say("[{game}, match {number}]({link})", game=game, number=session.id, link=link)


def format_subject(say: Reader, subject: str) -> str:
    """Name what is subscribed to within a sentence."""
    return say("any game") if subject == ANY_GAME else format_title(say, GAMES[subject])


def format_subscribed(say: Reader, subject: str) -> str:
    """Tell somebody that they have subscribed, and what happens next."""
    return say(
        "You're subscribed to {game}: when somebody here posts an open challenge to it, I send you "
        "a direct message. Use `/notify game:{typed}` again to stop.",
        game=format_subject(say, subject),
        typed=subject,
    )


def format_unsubscribed(say: Reader, subjects: Collection[str]) -> str:
    """Tell somebody which subscriptions have ended."""
    if not subjects:
        return say("You aren't subscribed to that.")
    games = say.format_list([format_subject(say, each) for each in subjects])
    return say("You're no longer subscribed to {games}.", games=games)


def format_subscriptions(say: Reader, subjects: Collection[str]) -> str:
    """List somebody's subscriptions in a server."""
    heading = say("### Looking for a game")
    if not subjects:
        none = say(
            "You have no subscriptions in this server. `/notify game:` subscribes you to the open "
            "challenges to a game."
        )
        return f"{heading}\n{none}"
    text = say("You hear of open challenges in this server to:")
    lines = "\n".join(f"- {format_subject(say, each)}" for each in subjects)
    return f"{heading}\n{text}\n{lines}"


def explain_notices(say: Reader) -> str:
    """Say when subscribers are notified."""
    return say(
        "At most one message an hour; none during your vacation, about people you've blocked or "
        "who blocked you, or in this server's quiet hours, after which you hear of challenges that "
        "are still open. You must accept direct messages from this server."
    )


def format_notice(
    say: Reader, challenge: Challenge, names: Mapping[int, str], server: str
) -> tuple[str, str]:
    """Tell a subscriber who is looking for a game, and on which terms."""
    heading = say(
        "### {game}\n{who} challenges anyone who wants to play in {server}.",
        game=format_title(say, GAMES[challenge.game]),
        who=escape_text(names[challenge.challenger]),
        server=escape_text(server),
    )
    # In a direct message Discord may not know the others, and would show their ids.
    return heading, replace_mentions(format_terms(say, challenge), names)


def format_notice_end(say: Reader, challenge: Challenge) -> str:
    """Say when a challenge expires and why somebody hears of it."""
    expires = say("Expires {when}.", when=match_words.format_relative_time(challenge.expires))
    why = say("You've subscribed with `/notify`.")
    return join_sentences(say, expires, why)


SUBSCRIBE = "notify"
"""Subscribe to any game."""
UNSUBSCRIBE = "notifyend"
"""End the subscription picked from the menu."""
UNSUBSCRIBE_ALL = "notifyall"
"""End all subscriptions in a server."""
STOP_NOTICES = "notifystop"
"""End the subscriptions that have led to a direct message: a server's id and a game's slug."""


def list_subscription_controls(say: Reader, subjects: Sequence[str]) -> Iterator[Item]:
    """Yield what can be done with somebody's subscriptions in a server."""
    if ANY_GAME not in subjects:
        yield build_button(say("Subscribe to any game"), f"{SUBSCRIBE}:", ButtonStyle.primary)
    if not subjects:
        return
    yield build_button(say("End all"), f"{UNSUBSCRIBE_ALL}:")
    yield discord.ui.Select[Any](
        placeholder=say("End a subscription"),
        options=[
            SelectOption(
                label=shorten_text(format_subject(say, subject), MAX_ENTRY_LENGTH), value=subject
            )
            for subject in subjects[:MAX_CHOICES]
        ],
        custom_id=f"{UNSUBSCRIBE}:",
    )


def list_notice_controls(say: Reader, guild: int, game: str, link: str) -> tuple[Item, ...]:
    """Return the buttons below a notice: to the challenge, and to hear no more of its like."""
    assert game in GAMES
    return (
        discord.ui.Button[Any](label=say("Go to challenge"), url=link),
        build_button(say("Stop these messages"), f"{STOP_NOTICES}:{guild}:{game}"),
    )


def follow_card(say: Reader, session: MatchSession, often: NotifyWhen, link: str | None) -> Card:
    """Return the message to somebody who begins to follow a match.

    `link` leads to the match's message.
    """
    return _build_board_card(
        say,
        session,
        (format_follow_notice(say, session, often), match_words.format_heading(say, session)),
        link,
    )


def turn_news_card(say: Reader, session: MatchSession, link: str | None) -> Card:
    """Return what somebody who follows a match is written after a turn, or when it is over."""
    story = describe_transitions(say, session, list_since_throw(session))
    return _build_board_card(
        say,
        session,
        (match_words.format_heading(say, session), story, match_words.format_prompt(say, session)),
        link,
    )


def _build_board_card(
    say: Reader, session: MatchSession, texts: tuple[str, ...], link: str | None
) -> Card:
    scene = build_scene(say, session)
    # In a direct message Discord may not know the others, and would show their ids.
    named = tuple(replace_mentions(text, session.names) for text in texts)
    return Card(
        texts=named,
        picture=Picture(scene, describe_scene(scene)),
        controls=(match_link_control(say, link),) if link else (),
        seats=session.sides_by_person,
    )


def match_news_card(say: Reader, session: MatchSession, link: str | None) -> Card:
    """Return the line that announces in a server that a match has begun, or how it ended."""
    if session.match.phase is Phase.OVER:
        return text_only_card(format_end_news(say, session, link))
    return text_only_card(format_start_news(say, session, link))


def subscriptions_card(say: Reader, subjects: Sequence[str], remark: str = "") -> Card:
    """Return what somebody has subscribed to in a server, and say what they have just changed."""
    return Card(
        texts=(*filter(None, (remark,)), format_subscriptions(say, subjects)),
        controls=tuple(list_subscription_controls(say, subjects)),
        small=explain_notices(say),
    )


def notice_card(say: Reader, challenge: Challenge, names: Mapping[int, str], server: str) -> Card:
    """Return what a subscriber is written about an open challenge."""
    link = build_link(challenge.guild, challenge.channel, challenge.message)
    return Card(
        texts=format_notice(say, challenge, names, server),
        controls=list_notice_controls(say, challenge.guild, challenge.game, link),
        small=format_notice_end(say, challenge),
    )
