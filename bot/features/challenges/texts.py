"""What is said of a challenge."""

from bot.features.matches.clock_texts import format_pace, format_relative_time
from bot.features.matches.name_texts import mention_people, mention_person
from bot.features.matches.texts import format_commitment, format_contributions
from bot.platform.i18n.catalogue_texts import game_context
from bot.platform.i18n.common import (
    format_house_rules,
    format_side,
    format_side_title,
    format_title,
)
from bot.platform.i18n.reader import Reader
from bot.store import Challenge
from engine.clock import parse_pace
from engine.games import GAMES
from engine.position import Side


def format_heading(say: Reader, challenge: Challenge) -> str:
    """Say who challenges whom to what, and on which side."""
    game = format_title(say, GAMES[challenge.game])
    who = mention_person(challenge.challenger)
    side = format_side(
        say, next(seat.side for seat in challenge.seats if seat.person == challenge.challenger)
    )
    if challenge.opponent is None:
        return say(
            "### {game}\n{who} ({side}) challenges anyone who wants to play.",
            game=game,
            who=who,
            side=side,
        )
    whom = mention_person(challenge.opponent)
    return say(
        "### {game}\n{who} ({side}) challenges {whom}.", game=game, who=who, side=side, whom=whom
    )


def format_tagline(say: Reader, challenge: Challenge) -> str:
    """Say the game in one line."""
    game = GAMES[challenge.game]
    return say.in_context(game_context(game.slug), game.tagline)


def format_terms(say: Reader, challenge: Challenge) -> str:
    """Format a challenge's rules, whether it is rated, its time and who has joined which team."""
    # Translators: of a match, first in a list of its terms: its result changes the ratings.
    rated = say("Rated") if challenge.rated else say("Not rated")
    time = format_pace(say, parse_pace(challenge.pace))
    agreed = format_house_rules(say, GAMES[challenge.game], challenge.options)
    rules = "\n".join(f"- {rule}" for rule in agreed)
    told = say("{rated}; usual rules; {time}.", rated=rated, time=time)
    if rules:
        told = say("{rated}; {time}. House rules:\n{rules}", rated=rated, time=time, rules=rules)
    if challenge.players == 1:
        return told
    teams = (
        # Translators: a side's name, then who has joined it: "Gold: @Ana and @Ben."
        say(
            "{side}: {people}.",
            side=format_side_title(say, side),
            people=_format_team(say, challenge, side),
        )
        for side in Side
    )
    return "\n".join((told, " ".join(teams)))


def _format_team(say: Reader, challenge: Challenge, side: Side) -> str:
    people = [seat.person for seat in challenge.seats if seat.side == side]
    return mention_people(say, people) or say("nobody yet")


def format_ladder_note(say: Reader, challenge: Challenge) -> str:
    """Say what an answer means to a challenge that is made on a ladder; nothing for others."""
    if challenge.ladder is None or challenge.opponent is None:
        return ""
    return say(
        "This is a challenge on a ladder: if {whom} declines, or doesn't answer in time, {who} "
        "takes their rung by forfeit.",
        whom=mention_person(challenge.opponent),
        who=mention_person(challenge.challenger),
    )


def format_small_print(say: Reader, challenge: Challenge) -> str:
    """Say when a challenge expires and which commitment its dice have."""
    expires = say("Expires {when}.", when=format_relative_time(challenge.expires))
    # On a line of its own, as it is compared and copied.
    return f"{expires}\n{format_commitment(say, challenge.commitment)}"


def format_challenge_dice(say: Reader, challenge: Challenge) -> tuple[str, ...]:
    """Describe the dice of an open challenge: what is fixed, and what an acceptance adds."""
    return (
        say("### Dice of challenge {number}", number=challenge.id),
        say(
            "SHA-256 of the secret, which is already fixed:\n`{commitment}`",
            commitment=challenge.commitment,
        ),
        *format_contributions(say, challenge.seats),
        say(
            "If you accept, you contribute the number that Discord gives your press and, if you "
            "like, a secret word. The secret is revealed when the match is over."
        ),
        say(
            "-# Copy all 64 digits, or forward the message, before you accept: it's edited "
            "afterwards. Then compare them with the record of the match. Fewer digits prove less, "
            "as two secrets can be prepared whose digits begin alike."
        ),
    )


def format_outcome(say: Reader, challenge: Challenge) -> str:
    """Say what became of a challenge; nothing while it is open."""
    match challenge.state:
        case "accepted":
            joined = [
                seat.person for seat in challenge.seats if seat.person != challenge.challenger
            ]
            return say(
                "Accepted by {who}: match {number}.",
                who=mention_people(say, joined),
                number=challenge.match,
            )
        case "declined" if challenge.opponent:
            return say("Declined by {who}.", who=mention_person(challenge.opponent))
        case "withdrawn":
            # Translators: of a challenge: its challenger has taken it back.
            return say("Withdrawn.")
        case "lapsed":
            return say("The challenge has expired.")
    return ""
