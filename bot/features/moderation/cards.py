"""Cards and sentences of seats that change hands and of a server's log, with their buttons."""

from collections.abc import Mapping

import discord
from discord import ButtonStyle

from bot.features.matches.cards import END_SECTIONS, EndSection
from bot.features.matches.rows import DRAW, Ruling
from bot.features.matches.session import MatchSession
from bot.features.matches.texts import mention_person
from bot.features.moderation import service
from bot.platform.context import App
from bot.platform.i18n.common import format_page_number, format_quotation, format_side, format_title
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Item, list_page
from bot.platform.ui.controls import VerbScope, build_page_buttons, declare_verb
from engine.games import GAMES
from engine.position import Side


def format_seat_offer(
    say: Reader, session: MatchSession, offer: service.SeatOffer
) -> tuple[str, ...]:
    """Ask somebody whether they take a seat."""
    (side,) = session.find_sides(offer.holder)
    game = format_title(say, session.match.game)
    parts = {
        "side": format_side(say, side),
        "holder": mention_person(say, offer.holder),
        "by": mention_person(say, offer.by),
    }
    text = say("{holder} ({side}) wants to hand over this seat.", **parts)
    if offer.by != offer.holder:
        text = say(
            "{by}, a moderator, is looking for somebody to replace {holder} ({side}).", **parts
        )
    return (
        say("### A seat in match {match}, {game}", match=session.id, game=game),
        text,
        say("{taker}, do you want to take over?", taker=mention_person(say, offer.taker)),
    )


def format_seat_terms(say: Reader, session: MatchSession) -> str:
    """Say what becomes of the dice and of the ratings when a seat changes hands."""
    dice = say("The dice stay as they were fixed when the match started.")
    if not session.row.rated:
        return dice
    # Said beforehand, as the one who takes over may well expect to win points.
    rated = say("The result is rated for the players who started the match.")
    return f"{dice}\n{rated}"


def format_takeover(say: Reader, session: MatchSession, offer: service.SeatOffer) -> str:
    """Say who took whose seat."""
    return say(
        "{taker} has taken over from {holder} in match {match}.",
        taker=mention_person(say, offer.taker),
        holder=mention_person(say, offer.holder),
        match=session.id,
    )


def format_closed_offer(say: Reader, offer: service.SeatOffer, person: int) -> str:
    """Say that a seat stays with its holder, and by whose word."""
    parts = {
        "taker": mention_person(say, offer.taker),
        "holder": mention_person(say, offer.holder),
        "match": offer.match,
    }
    if person == offer.taker:
        return say("{taker} declined to take over from {holder} in match {match}.", **parts)
    return say(
        "The offer to {taker} to take over from {holder} in match {match} was withdrawn.", **parts
    )


def format_log_heading(say: Reader) -> str:
    """Name a server's log."""
    return say("### Moderation log")


def format_log_line(say: Reader, ruling: Ruling, page: service.RulingPage, link: str | None) -> str:
    """Say when a moderator did what, and why."""
    # Translators: a date, a moderator and what they did: "@Ana: declared a draw, match 3, Zeno".
    text = say(
        "<t:{at}:d> {who}: {deed}, {match}, {game}",
        at=ruling.at // 1000,
        who=mention_person(say, ruling.moderator),
        deed=_format_action(say, ruling),
        match=_link_match(say, ruling.match, link),
        game=format_title(say, GAMES[page.matches[ruling.match].game]),
    )
    return f"{text}\n-# {format_quotation(say, ruling.reason)}"


def _format_action(say: Reader, ruling: Ruling) -> str:
    if ruling.action == service.SUBSTITUTE:
        holder, taker = (mention_person(say, person) for person in ruling.people)
        return say("offered {taker} the seat of {holder}", holder=holder, taker=taker)
    return {
        Side.GOLD.value: say("declared gold the winner"),
        Side.BLACK.value: say("declared black the winner"),
        DRAW: say("declared a draw"),
        # Translators: a past tense, like "declared a draw": "@Ana: annulled, match 3, Backgammon".
        service.ANNUL: say.in_context("what a moderator did with a match", "annulled"),
    }[ruling.action]


def _link_match(say: Reader, match: int, link: str | None) -> str:
    if link is None:
        return say("match {match}", match=match)
    return say("[match {match}]({link})", match=match, link=link)


def format_ruling_reply(say: Reader, match: int, link: str | None) -> str:
    """Tell a moderator that a match is ended as decided."""
    if link is None:
        return say(
            "Done. Match {match} is over, and this is recorded in `/server log`.", match=match
        )
    # Translators: {match} is a link that says “match 7”.
    return say(
        "Done: {match}. The result is shown there and recorded in `/server log`.",
        match=_link_match(say, match, link),
    )


def format_offer_reply(say: Reader, match: int, link: str | None) -> str:
    """Tell a moderator that somebody is asked to take a seat."""
    if link is None:
        return say(
            "Done, and recorded in `/server log`. Match {match} can't be shown where it was "
            "played, so the person you chose will be asked once a player has moved it to another "
            "channel.",
            match=match,
        )
    return say(
        "Done. The person you chose is asked in {match}, and this is recorded in `/server log`.",
        match=_link_match(say, match, link),
    )


def format_ruling(say: Reader, given: Ruling | None) -> str:
    """Say which moderator ended a match, and why; nothing where none did."""
    if given is None:
        return ""
    # Translators: the moderator who ended a match, then the reason in quotation marks.
    return say(
        "{who}: {reason}",
        who=mention_person(say, given.moderator),
        reason=format_quotation(say, given.reason),
    )


LOG = "log"
"""Turn the pages of a server's log."""
SEAT = declare_verb("seat", VerbScope.STATE)
"""Take a seat that is offered, or not."""


def seat_controls(say: Reader, offer: service.SeatOffer) -> tuple[Item, ...]:
    """Return the buttons that take a seat, or leave it to its holder."""
    return (
        discord.ui.Button(
            label=say("Take the seat"), style=ButtonStyle.success, custom_id=f"{SEAT}:take:{offer}"
        ),
        discord.ui.Button(
            # Translators: button: doesn't take the seat in a match that is offered.
            label=say("Leave it"),
            style=ButtonStyle.secondary,
            custom_id=f"{SEAT}:leave:{offer}",
        ),
    )


def seat_offer_card(say: Reader, session: MatchSession, offer: service.SeatOffer) -> Card:
    """Return what asks somebody whether they take a seat."""
    return Card(
        texts=format_seat_offer(say, session, offer),
        controls=seat_controls(say, offer),
        small=format_seat_terms(say, session),
        ping=offer.taker,
    )


def log_card(say: Reader, page: service.RulingPage, links: Mapping[int, str]) -> Card:
    """Return a page of a server's log.

    `links` lead to the messages of its matches that have one.
    """
    heading = format_log_heading(say)
    if not page.rulings:
        return Card(texts=(heading, say("No moderator has acted on a match here yet.")))
    lines = [format_log_line(say, ruling, page, links.get(ruling.match)) for ruling in page.rulings]
    # Translators: button: shows the page with later decisions of moderators.
    newer = say("Newer")
    # Translators: button: shows the page with earlier decisions of moderators.
    older = say("Older")
    return Card(
        texts=(heading, list_page(say, lines)),
        controls=build_page_buttons(page.paging, newer, older, lambda number: f"{LOG}:{number}"),
        small=format_page_number(say, page.paging),
    )


@END_SECTIONS.add(order=10)
async def load_ruling_section(app: App, say: Reader, session: MatchSession) -> EndSection:
    """Return which moderator ended a match, and why."""
    return EndSection(result=format_ruling(say, await service.find_latest_ruling(app, session)))
