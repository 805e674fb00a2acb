"""What is said of seats that change hands, and of what moderators did."""

from bot.features.matches.name_texts import mention_person
from bot.features.matches.session import MatchSession
from bot.features.moderation import service as moderation
from bot.features.moderation.service import RulingPage
from bot.features.substitution.service import SeatOffer
from bot.platform.i18n.common import format_quotation, format_side, format_title
from bot.platform.i18n.reader import Reader
from bot.store import DRAW, Ruling
from engine.games import GAMES
from engine.position import Side


def format_seat_offer(say: Reader, session: MatchSession, offer: SeatOffer) -> tuple[str, ...]:
    """Ask somebody whether they take a seat."""
    (side,) = session.find_sides(offer.holder)
    game = format_title(say, session.match.game)
    parts = {
        "side": format_side(say, side),
        "holder": mention_person(offer.holder),
        "by": mention_person(offer.by),
    }
    told = say("{holder} ({side}) wants to hand over this seat.", **parts)
    if offer.by != offer.holder:
        told = say(
            "{by}, a moderator, is looking for somebody to replace {holder} ({side}).", **parts
        )
    return (
        say("### A seat in match {match}, {game}", match=session.id, game=game),
        told,
        say("{taker}, do you want to take over?", taker=mention_person(offer.taker)),
    )


def format_seat_terms(say: Reader, session: MatchSession) -> str:
    """Tell what becomes of the dice and of the ratings when a seat changes hands."""
    dice = say("The dice stay as they were fixed when the match started.")
    if not session.row.rated:
        return dice
    # Said beforehand, as the one who takes over may well expect to win points.
    rated = say("The result is rated for the players who started the match.")
    return f"{dice}\n{rated}"


def format_takeover(say: Reader, session: MatchSession, offer: SeatOffer) -> str:
    """Tell who took whose seat."""
    return say(
        "{taker} has taken over from {holder} in match {match}.",
        taker=mention_person(offer.taker),
        holder=mention_person(offer.holder),
        match=session.id,
    )


def format_closed_offer(say: Reader, offer: SeatOffer, person: int) -> str:
    """Tell that a seat stays with its holder, and by whose word."""
    parts = {
        "taker": mention_person(offer.taker),
        "holder": mention_person(offer.holder),
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


def format_log_line(say: Reader, ruling: Ruling, page: RulingPage, link: str | None) -> str:
    """Tell when a moderator did what, and why."""
    # Translators: a date, a moderator and what they did: "@Ana: declared a draw, match 3, Zeno".
    told = say(
        "<t:{at}:d> {who}: {deed}, {match}, {game}",
        at=ruling.at // 1000,
        who=mention_person(ruling.moderator),
        deed=_format_action(say, ruling),
        match=_link_match(say, ruling.match, link),
        game=format_title(say, GAMES[page.matches[ruling.match].game]),
    )
    return f"{told}\n-# {format_quotation(say, ruling.reason)}"


def _format_action(say: Reader, ruling: Ruling) -> str:
    if ruling.action == moderation.SUBSTITUTE:
        holder, taker = map(mention_person, ruling.people)
        return say("offered {taker} the seat of {holder}", holder=holder, taker=taker)
    return {
        Side.GOLD.value: say("declared gold the winner"),
        Side.BLACK.value: say("declared black the winner"),
        DRAW: say("declared a draw"),
        # Translators: a past tense, like "declared a draw": "@Ana: annulled, match 3, Backgammon".
        moderation.ANNUL: say.in_context("what a moderator did with a match", "annulled"),
    }[ruling.action]


def format_log_footer(say: Reader, page: RulingPage) -> str:
    """Tell which page of the log this is."""
    return say("Page {page} of {pages}.", page=page.number + 1, pages=page.pages)


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
    return say(
        "Done. The result is shown in {match} and recorded in `/server log`.",
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
    """Tell which moderator ended a match, and why; nothing where none did."""
    if given is None:
        return ""
    # Translators: the moderator who ended a match, then the reason in quotation marks.
    return say(
        "{who}: {reason}",
        who=mention_person(given.moderator),
        reason=format_quotation(say, given.reason),
    )
