"""What is said of a challenge."""

from bot.store import Challenge
from bot.words.clock import pace, when
from bot.words.common import house_rules, mention, mentions, side_name, side_title, title
from bot.words.match import settled
from bot.words.reader import Reader
from bot.words.texts import of_game
from engine.clock import read_pace
from engine.games import GAMES
from engine.position import Side


def heading(say: Reader, challenge: Challenge) -> str:
    """Say who challenges whom to what, and on which side."""
    game = title(say, GAMES[challenge.game])
    who = mention(challenge.challenger)
    side = side_name(
        say, next(seat.side for seat in challenge.seats if seat.person == challenge.challenger)
    )
    if challenge.opponent is None:
        return say(
            "### {game}\n{who} ({side}) challenges anyone who wants to play.",
            game=game,
            who=who,
            side=side,
        )
    whom = mention(challenge.opponent)
    return say(
        "### {game}\n{who} ({side}) challenges {whom}.", game=game, who=who, side=side, whom=whom
    )


def tagline(say: Reader, challenge: Challenge) -> str:
    """Say the game in one line."""
    game = GAMES[challenge.game]
    return say.of(of_game(game.slug), game.tagline)


def terms(say: Reader, challenge: Challenge) -> str:
    """Format a challenge's rules, whether it is rated, its time and who has joined which team."""
    rated = say("Rated") if challenge.rated else say("Not rated")
    time = pace(say, read_pace(challenge.pace))
    agreed = house_rules(say, GAMES[challenge.game], challenge.options)
    rules = "\n".join(f"- {rule}" for rule in agreed)
    told = say("{rated}; usual rules; {time}.", rated=rated, time=time)
    if rules:
        told = say("{rated}; {time}. House rules:\n{rules}", rated=rated, time=time, rules=rules)
    if challenge.players == 1:
        return told
    teams = (
        say("{side}: {people}.", side=side_title(say, side), people=_seated(say, challenge, side))
        for side in Side
    )
    return "\n".join((told, " ".join(teams)))


def _seated(say: Reader, challenge: Challenge, side: Side) -> str:
    people = [seat.person for seat in challenge.seats if seat.side == side]
    return mentions(say, people) or say("nobody yet")


def small_print(say: Reader, challenge: Challenge) -> str:
    """Say when a challenge expires and which commitment its dice have."""
    expires = say("Expires {when}.", when=when(challenge.expires))
    return f"{expires} {settled(say, challenge.commitment)}"


def answer(say: Reader, challenge: Challenge) -> str:
    """Say what became of a challenge; nothing while it is open."""
    match challenge.state:
        case "accepted":
            joined = [
                seat.person for seat in challenge.seats if seat.person != challenge.challenger
            ]
            return say(
                "Accepted by {who}: match {number}.",
                who=mentions(say, joined),
                number=challenge.match,
            )
        case "declined" if challenge.opponent:
            return say("Declined by {who}.", who=mention(challenge.opponent))
        case "withdrawn":
            return say("Withdrawn.")
        case "lapsed":
            return say("The challenge has expired.")
    return ""
