"""What is said to those who follow a match, and in a server's news."""

from bot.app.sitting import Sitting
from bot.store import Often
from bot.words.common import mention_sides, mentions, title
from bot.words.match import result
from bot.words.reader import Reader
from engine.position import Side


def following(say: Reader, sitting: Sitting, often: Often) -> str:
    """Tell somebody that they follow a match."""
    match = sitting.id
    if often is Often.TURN:
        return say("You follow match {match}: I write to you here after every turn.", match=match)
    return say("You follow match {match}: I write to you here when it is over.", match=match)


def followed(say: Reader, sitting: Sitting, often: Often | None) -> str:
    """Tell somebody who has just asked for it whether they follow a match now."""
    match = sitting.id
    if often is None:
        return say("You follow match {match} no more.", match=match)
    if often is Often.TURN:
        told = say("You follow match {match}: I write to you after every turn.", match=match)
    else:
        told = say("You follow match {match}: I write to you when it is over.", match=match)
    stop = say("`/follow match:{match}` again stops that.", match=match)
    return f"{told} {stop}"


def unreachable(say: Reader) -> str:
    """Tell somebody that nothing can be written to them."""
    return say(
        "Discord does not let me write to you, so you cannot follow a match. Allow direct messages in this server's "
        "privacy settings, and try again."
    )


def begun(say: Reader, sitting: Sitting, link: str | None) -> str:
    """Tell in one line that a match has begun."""
    gold, black = (mentions(say, sitting.seated(side)) for side in Side)
    return say(
        "{match} has begun: {gold} against {black}.",
        match=_linked(say, sitting, link),
        gold=gold,
        black=black,
    )


def ended(say: Reader, sitting: Sitting, link: str | None) -> str:
    """Tell in one line how a match has ended."""
    match = _linked(say, sitting, link)
    return say(
        "{match} is over, {players}. {result}",
        match=match,
        players=mention_sides(say, sitting),
        result=result(say, sitting),
    )


def _linked(say: Reader, sitting: Sitting, link: str | None) -> str:
    game = title(say, sitting.match.game)
    if link is None:
        return say("{game}, match {number}", game=game, number=sitting.id)
    return say("[{game}, match {number}]({link})", game=game, number=sitting.id, link=link)


def news_channel(say: Reader, channel: int | None) -> str:
    """Tell where a server hears of its matches."""
    if channel is None:
        return say(
            "It is told nowhere that matches begin and end; `/server news` chooses a channel for that."
        )
    return say(
        "Matches that begin and end are told in {channel}; `/server news` with it again stops that.",
        channel=f"<#{channel}>",
    )
