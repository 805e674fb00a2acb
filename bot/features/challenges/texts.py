"""What is said of challenges, and of what somebody plays."""

from collections.abc import Sequence

from bot.features.challenges.tables import Challenge
from bot.features.matches import texts
from bot.features.matches.session import MatchSession
from bot.features.matches.texts import mention_person
from bot.features.preferences.service import format_note
from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader, escape_text, game_context
from engine.clock import parse_pace
from engine.games import GAMES
from engine.position import Side


def format_heading(say: Reader, challenge: Challenge) -> str:
    """Say who challenges whom to what, and on which side."""
    game = common.format_title(say, GAMES[challenge.game])
    who = mention_person(say, challenge.challenger)
    side = common.format_side(
        say, next(seat.side for seat in challenge.seats if seat.person == challenge.challenger)
    )
    if challenge.opponent is None:
        return say(
            "### {game}\n{who} ({side}) challenges anyone who wants to play.",
            game=game,
            who=who,
            side=side,
        )
    whom = mention_person(say, challenge.opponent)
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
    time = texts.format_pace(say, parse_pace(challenge.pace))
    agreed = common.format_house_rules(say, GAMES[challenge.game], challenge.options)
    rules = "\n".join(f"- {rule}" for rule in agreed)
    text = say("{rated}; usual rules; {time}.", rated=rated, time=time)
    if rules:
        text = say("{rated}; {time}. House rules:\n{rules}", rated=rated, time=time, rules=rules)
    if challenge.players == 1:
        return text
    teams = (
        # Translators: a side's name, then who has joined it: "Gold: @Ana and @Ben."
        say(
            "{side}: {people}.",
            side=common.format_side_title(say, side),
            people=_format_team(say, challenge, side),
        )
        for side in Side
    )
    return "\n".join((text, common.join_sentences(say, *teams)))


def _format_team(say: Reader, challenge: Challenge, side: Side) -> str:
    people = [seat.person for seat in challenge.seats if seat.side == side]
    return texts.mention_people(say, people) or say("nobody yet")


def format_ladder_note(say: Reader, challenge: Challenge) -> str:
    """Say what an answer means to a challenge that is made on a ladder; nothing for others."""
    if challenge.ladder is None or challenge.opponent is None:
        return ""
    return say(
        "This is a challenge on a ladder: if {whom} declines, or doesn't answer in time, {who} "
        "takes their rung by forfeit.",
        whom=mention_person(say, challenge.opponent),
        who=mention_person(say, challenge.challenger),
    )


def format_challenge_reminder(say: Reader, challenge: Challenge, challenger: str, link: str) -> str:
    """Remind whoever is challenged on a ladder, in a direct message, that they have to answer."""
    return say(
        "{who}'s challenge on a ladder expires {when}; without an answer from you they take your "
        "rung by forfeit. Answer it here: {link}",
        who=escape_text(challenger),
        when=texts.format_relative_time(challenge.expires),
        link=link,
    )


def format_small_print(say: Reader, challenge: Challenge) -> str:
    """Say when a challenge expires and which commitment its dice have."""
    expires = say("Expires {when}.", when=texts.format_relative_time(challenge.expires))
    # On a line of its own, as it is compared and copied.
    return f"{expires}\n{texts.format_commitment(say, challenge.commitment)}"


def format_challenge_dice(say: Reader, challenge: Challenge) -> tuple[str, ...]:
    """Describe the dice of an open challenge: what is fixed, and what an acceptance adds."""
    return (
        say("### Dice of challenge {number}", number=challenge.id),
        say(
            "SHA-256 of the secret, which is already fixed:\n`{commitment}`",
            commitment=challenge.commitment,
        ),
        *texts.format_contributions(say, challenge.seats),
        say(
            "If you accept, you contribute the number that Discord gives your press and, if you "
            "like, a secret word. The secret is revealed when the match is over."
        ),
        say(
            "-# Copy all 64 digits, or forward the message, before you accept: it's edited "
            "afterwards. Then compare them with the record of the match. Fewer digits prove less, "
            "as two secrets can be prepared whose SHA-256 begin alike."
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
                who=texts.mention_people(say, joined),
                number=challenge.match,
            )
        case "declined" if challenge.opponent:
            return say("Declined by {who}.", who=mention_person(say, challenge.opponent))
        case "withdrawn" if not challenge.secret:
            return say("Withdrawn: the key to its dice was lost. Please make a new challenge.")
        case "withdrawn":
            # Translators: of a challenge: its challenger has taken it back.
            return say("Withdrawn.")
        case "lapsed":
            return say("The challenge has expired.")
    return ""


def format_running_match(
    say: Reader,
    session: MatchSession,
    person: int,
    link: str | None,
    memo: str,
    labels: Sequence[str] = (),
) -> str:
    """Describe one running match, lead to it, and repeat what that person noted about it.

    Without a `link` the match is shown nowhere, and how to bring it elsewhere stands instead.
    `labels` are what else is said of it, such as its league.
    """
    text = (
        _format_hidden_match(say, session)
        if link is None
        else _format_match_turn(say, session, person, link)
    )
    below = [*labels, *([format_note(say, memo)] if memo else [])]
    return "\n".join([text, *(f"-# {line}" for line in below)])


def _format_hidden_match(say: Reader, session: MatchSession) -> str:
    return say(
        "{game}, match {number}: can't be shown, and its clock is stopped. {way}\n-# {players}",
        game=common.format_title(say, session.match.game),
        number=session.id,
        way=texts.explain_how_to_continue(say, session),
        players=texts.mention_sides(say, session),
    )


def _format_match_turn(say: Reader, session: MatchSession, person: int, link: str) -> str:
    turn = say("{who} to move", who=mention_person(say, session.person_to_act))
    if session.person_to_act == person:
        turn = say("**your turn**")
    # Without a pace, and while nobody's time runs, there is nothing more to tell.
    turn = say.join_with_commas((turn, texts.format_turn_end(say, session)))
    game = common.format_title(say, session.match.game)
    return say(
        "[{game}, match {number}]({link}): {turn}\n-# {players}",
        game=game,
        number=session.id,
        link=link,
        turn=turn,
        players=texts.mention_sides(say, session),
    )


def format_open_challenge(say: Reader, challenge: Challenge, person: int, link: str | None) -> str:
    """Describe one open challenge of a person's, or for them, and lead to its message."""
    game = common.format_title(say, GAMES[challenge.game])
    name = say("{game}, challenge {number}", game=game, number=challenge.id)
    if link:
        name = f"[{name}]({link})"
    who = say("open to anyone")
    if challenge.opponent:
        who = say("for {who}", who=mention_person(say, challenge.opponent))
    if challenge.challenger != person:
        who = say("from {who}", who=mention_person(say, challenge.challenger))
    return say(
        "{challenge}: {who}; expires {when}",
        challenge=name,
        who=who,
        when=texts.format_relative_time(challenge.expires),
    )
