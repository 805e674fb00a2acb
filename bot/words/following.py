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
        return say(
            "You're following match {match}: I message you here after every turn.", match=match
        )
    return say("You're following match {match}: I message you here when it ends.", match=match)


def followed(say: Reader, sitting: Sitting, often: Often | None) -> str:
    """Tell somebody who has just asked for it whether they follow a match now."""
    match = sitting.id
    if often is None:
        return say("You're no longer following match {match}.", match=match)
    if often is Often.TURN:
        told = say("You're following match {match}: I message you after every turn.", match=match)
    else:
        told = say("You're following match {match}: I message you when it ends.", match=match)
    stop = say("Use `/follow match:{match}` again to stop.", match=match)
    return f"{told} {stop}"


def unreachable(say: Reader) -> str:
    """Tell somebody that nothing can be written to them."""
    return say(
        "I can't send you direct messages, so you can't follow a match. Allow direct messages in "
        "this server's privacy settings and try again."
    )


def begun(say: Reader, sitting: Sitting, link: str | None) -> str:
    """Tell in one line that a match has begun."""
    gold, black = (mentions(say, sitting.seated(side)) for side in Side)
    return say(
        "{match} has started: {gold} against {black}.",
        match=_linked(say, sitting, link),
        gold=gold,
        black=black,
    )


def ended(say: Reader, sitting: Sitting, link: str | None) -> str:
    """Tell in one line how a match has ended."""
    match = _linked(say, sitting, link)
    return say(
        "{match} is over: {players}. {result}",
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
        return say("Match announcements are off. `/server news` with a channel turns them on.")
    return say(
        "Matches are announced in {channel} when they start and end. "
        "`/server news` with the same channel turns this off.",
        channel=f"<#{channel}>",
    )
