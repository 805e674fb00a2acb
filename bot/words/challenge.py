"""What is said of a challenge."""

from bot.store import Challenge
from bot.words.common import mention, mentions, options, side_name, title
from bot.words.match import settled
from bot.words.reader import Reader
from bot.words.texts import of_game
from engine.games import GAMES
from engine.position import Side


def heading(say: Reader, challenge: Challenge) -> str:
    """Say who challenges whom to what."""
    game = title(say, GAMES[challenge.game])
    who = mention(challenge.challenger)
    if challenge.opponent is None:
        return say("### {game}\n{who} challenges anyone who will play.", game=game, who=who)
    return say("### {game}\n{who} challenges {whom}.", game=game, who=who, whom=mention(challenge.opponent))


def tagline(say: Reader, challenge: Challenge) -> str:
    """Say the game in one line."""
    game = GAMES[challenge.game]
    return say.of(of_game(game.slug), game.tagline)


def terms(say: Reader, challenge: Challenge) -> str:
    """Say who sits where, and on what terms."""
    seats = "; ".join(
        say("{side}: {people}", side=side_name(say, side), people=_seated(say, challenge, side)) for side in Side
    )
    rated = say("rated") if challenge.rated else say("not rated")
    return say("{seats}. Terms: {options}; {rated}.", seats=seats, options=options(say, challenge.options), rated=rated)


def _seated(say: Reader, challenge: Challenge, side: Side) -> str:
    people = [seat.person for seat in challenge.seats if seat.side == side]
    return mentions(say, people) or say("free")


def small_print(say: Reader, challenge: Challenge) -> str:
    """Say when it lapses and what the dice are bound to."""
    lapses = say("Lapses {when}.", when=f"<t:{challenge.expires // 1000}:R>")
    return f"{lapses} {settled(say, challenge.commitment)}"


def answer(say: Reader, challenge: Challenge) -> str:
    """Say what became of a challenge; nothing while it is open."""
    match challenge.state:
        case "accepted":
            return say("Accepted: match {number}.", number=challenge.match)
        case "declined" if challenge.opponent:
            return say("Declined by {who}.", who=mention(challenge.opponent))
        case "withdrawn":
            return say("Withdrawn.")
        case "lapsed":
            return say("The challenge has lapsed.")
    return ""
