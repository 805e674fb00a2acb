"""What is said of contests."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from bot.features.contests.rows import (
    Contest,
    ContestFormat,
    ContestRuling,
    ContestState,
    ContestTitle,
    ContestView,
    Pairing,
    RulingAction,
)
from bot.features.contests.standings import Standing
from bot.features.matches.clock_texts import format_relative_time, format_turn_end
from bot.features.matches.name_texts import mention_person
from bot.features.matches.session import MatchSession
from bot.features.matches.texts import format_commitment
from bot.platform.i18n.common import (
    escape_text,
    format_date,
    format_quotation,
    format_remainder,
)
from bot.platform.i18n.reader import Reader
from bot.platform.people import clean_text
from engine.outcome import ANNULLED

MOST_TITLES = 5
"""Contests that a profile names."""
FRACTIONS = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}


def format_contest_name(say: Reader, contest: Contest) -> str:
    """Name a contest, and its season from the second on; plain, for pictures too."""
    name = clean_text(contest.name)
    return name if contest.season == 1 else say("{name}, season {n}", name=name, n=contest.season)


def get_command(contest: Contest) -> str:
    """Return the command by which a contest is handled."""
    return "/tournament" if contest.is_tournament else "/league"


def format_contest_heading(say: Reader, contest: Contest) -> str:
    """Name a contest in a heading."""
    return f"### {escape_text(format_contest_name(say, contest))}"


def format_division(say: Reader, number: int) -> str:
    """Name a division by its letter; 0 is the first."""
    return say("Division {letter}", letter=chr(ord("A") + number))


def format_entrants(say: Reader, view: ContestView, most: int) -> str:
    """Tell who has signed up."""
    people = [mention_person(each.person) for each in view.present]
    if not people:
        return say("Nobody has joined yet; there's room for {most}.", most=most)
    return say.plural(
        "**{n} player of {most}**: {people}",
        "**{n} players of {most}**: {people}",
        len(people),
        most=most,
        people=say.format_list(people),
    )


def format_sign_up_end(say: Reader, contest: Contest, least: int) -> str:
    """Tell when sign-up ends, and what its dice are committed to."""
    told = say(
        "It starts {when} if at least {least} have joined.",
        when=format_relative_time(contest.starts),
        least=least,
    )
    # On a line of its own, as it is compared and copied.
    return f"{told}\n{format_commitment(say, contest.commitment)}"


def format_champions(say: Reader, champions: Sequence[int]) -> str:
    """Tell who has won a contest that is over."""
    if not champions:
        return say("**Nobody won.**")
    first = [mention_person(person) for person in champions]
    return say.plural(
        "**{people} won.**",
        "**{people} share the first place.**",
        len(first),
        people=say.format_list(first),
    )


def format_cancellation(say: Reader, view: ContestView, least: int) -> str:
    """Tell why a contest was called off, which starts with so many people at least."""
    for ruling in reversed(view.rulings):
        if ruling.action is RulingAction.CANCEL:
            return say(
                "{who} called it off: {reason}",
                who=mention_person(ruling.moderator),
                reason=format_quotation(say, ruling.reason),
            )
    if len(view.present) < least:
        return say("It was called off, as too few people had joined.")
    return say("It was called off, as this server was out of reach for too long.")


def format_next_season(say: Reader, following: int | None) -> str:
    """Tell where the next season is."""
    if following is None:
        return ""
    return say("The next season is open: join it below, or with `/league join`.")


def format_ruling_line(say: Reader, ruling: ContestRuling) -> str:
    """Tell what an organiser did, and why."""
    who, reason = mention_person(ruling.moderator), format_quotation(say, ruling.reason)
    when = format_date(ruling.at)
    match ruling.action:
        case RulingAction.START:
            return say("{when}: {who} started it. {reason}", when=when, who=who, reason=reason)
        case RulingAction.EXTEND:
            return say(
                "{when}: {who} gave a week more. {reason}", when=when, who=who, reason=reason
            )
        case RulingAction.REMOVE if ruling.person is not None:
            return say(
                "{when}: {who} removed {whom}. {reason}",
                when=when,
                who=who,
                whom=mention_person(ruling.person),
                reason=reason,
            )
        case RulingAction.PAUSE:
            return say("{when}: {who} paused it. {reason}", when=when, who=who, reason=reason)
        case RulingAction.RESUME:
            return say("{when}: {who} let it go on. {reason}", when=when, who=who, reason=reason)
        case RulingAction.REPLACE if ruling.person is not None:
            return say(
                "{when}: {who} gave the place of {whom} to somebody else. {reason}",
                when=when,
                who=who,
                whom=mention_person(ruling.person),
                reason=reason,
            )
    return say("{when}: {who} called it off. {reason}", when=when, who=who, reason=reason)


def format_number(value: Fraction) -> str:
    """Write points with a half as a fraction sign: `3½`."""
    whole, rest = divmod(value, 1)
    sign = FRACTIONS.get(rest, "")
    if rest and not sign:
        return f"{float(value):.2f}"
    return f"{whole or ''}{sign}" if sign else str(whole)


def format_points(say: Reader, points: Fraction) -> str:
    """Count points, of which there can be halves."""
    return say.plural(
        "{points} point", "{points} points", 1 if points == 1 else 2, points=format_number(points)
    )


def format_standing_line(say: Reader, standing: Standing) -> str:
    """Tell somebody's place, and the sums by which it is decided."""
    parts = [
        format_points(say, standing.points),
        say.plural("{n} match", "{n} matches", standing.played),
    ]
    if standing.direct is not None:
        parts.append(say("{n} among those level", n=format_number(standing.direct)))
    if standing.points:
        # Without points there is nobody from whom any came.
        parts.append(say("Sonneborn-Berger {n}", n=format_number(standing.sonneborn_berger)))
    # Translators: a line of a table: "3. @Ana: 5 points, Sonneborn-Berger 7".
    return say(
        "**{rank}.** {who}: {sums}",
        rank=standing.rank,
        who=mention_person(standing.person),
        sums=", ".join(parts),
    )


def explain_order(say: Reader) -> str:
    """Explain how a table is ordered."""
    return say(
        "A win counts 1 point, a draw ½, a loss or a forfeit 0; an annulled match counts for "
        "nobody. Those with equal points are ordered by the points they took from each other, once "
        "all of them have met, then by Sonneborn-Berger (the points of those they beat, and half "
        "the points of those they drew with), then by wins."
    )


def format_own_matches(
    say: Reader,
    view: ContestView,
    person: int,
    links: Mapping[int, str],
    sessions: Mapping[int, MatchSession],
) -> Iterator[str]:
    """Tell of somebody's matches in a league, those that go on first.

    `sessions` are the matches that go on.
    """
    own = view.list_own(person)
    for pairing in sorted(own, key=lambda each: (each.is_over, each.number)):
        match = say("match {n}", n=pairing.match)
        where = f"[{match}]({links[pairing.match]})" if pairing.match in links else match
        # Translators: an opponent, the match against them and how it stands: "@Ben, match 3: won".
        yield say(
            "{who}, {match}: {state}",
            who=mention_person(pairing.result.get_opponent(person)),
            match=where,
            state=_format_turn(say, sessions[pairing.match], person)
            if pairing.match in sessions
            else _format_own_result(say, pairing, person),
        )


def _format_turn(say: Reader, session: MatchSession, person: int) -> str:
    turn = say("**your turn**") if session.person_to_act == person else say("their turn")
    return ", ".join(filter(None, (turn, format_turn_end(say, session))))


def _format_own_result(say: Reader, pairing: Pairing, person: int) -> str:
    if not pairing.is_over:
        return say("in progress")
    if pairing.how == ANNULLED:
        # Translators: how a match ended: it doesn't count (participle).
        return say("annulled")
    if pairing.winner is None:
        if pairing.result.is_double_forfeit:
            return say("neither side scored")
        # Translators: how a match ended: nobody won it (participle).
        return say("drawn")
    won = pairing.winner == person
    if pairing.result.is_win_by_forfeit:
        if won:
            return say("won by forfeit")
        # Translators: how a match ended for somebody: lost since they didn't play it (participle).
        return say("forfeited")
    if won:
        # Translators: how a match ended for somebody (participle, said of the match).
        return say("won")
    # Translators: how a match ended for somebody (participle, said of the match).
    return say("lost")


def format_dice_line(say: Reader, contest: Contest) -> str:
    """Tell what the dice of a league are committed to, and the secret once it is over."""
    if contest.state is ContestState.RUNNING:
        return format_commitment(say, contest.commitment)
    return say(
        "Dice commitment: `{digits}`; secret: `{secret}`.",
        digits=contest.commitment,
        secret=contest.secret.hex(),
    )


def explain_rulings(say: Reader) -> str:
    """Explain what an organiser's rulings do."""
    return say(
        "Each asks for a reason, which is kept here. Who is removed forfeits the matches in "
        "progress, unrated; those of somebody who is replaced are annulled, and whoever joins next "
        "plays them instead. If it's called off, the matches in progress are annulled."
    )


def format_joined_reply(say: Reader, view: ContestView) -> str:
    """Tell somebody that they have signed up."""
    return say(
        "You've joined {contest}. It starts {when}; your matches then come by themselves. Until "
        "the start you can withdraw with `{command}`, and afterwards too, but then your matches in "
        "progress are forfeited.",
        command=f"{get_command(view.contest)} leave",
        contest=escape_text(format_contest_name(say, view.contest)),
        when=format_relative_time(view.contest.starts),
    )


def format_late_reply(say: Reader, view: ContestView, person: int) -> str:
    """Tell somebody that they have joined a contest that is played."""
    own = view.find_entrant(person)
    if view.contest.format is ContestFormat.SWISS:
        return say(
            "You've joined {contest}. You get half a point for what you've missed, and play from "
            "the next round on.",
            contest=escape_text(format_contest_name(say, view.contest)),
        )
    contest = escape_text(format_contest_name(say, view.contest))
    division = format_division(say, (own and own.division) or 0)
    return say.plural(
        "You've joined {contest} in {division}. You have {n} match, which comes by itself.",
        "You've joined {contest} in {division}. You have {n} matches, which come by themselves.",
        len(view.list_running(person)),
        contest=contest,
        division=division,
    )


def format_left_reply(say: Reader, view: ContestView) -> str:
    """Tell somebody that they have withdrawn."""
    contest = escape_text(format_contest_name(say, view.contest))
    if view.contest.state is ContestState.OPEN:
        return say("You've left {contest}. You can join again until it starts.", contest=contest)
    return say(
        "You've left {contest}. Your results stay, and your matches in progress are forfeited.",
        contest=contest,
    )


def ask_before_leaving(say: Reader, view: ContestView, n: int) -> str:
    """Ask somebody whether they mean to withdraw from a league that is played."""
    contest = escape_text(format_contest_name(say, view.contest))
    return say.plural(
        "If you leave {contest} now, you forfeit {n} match in progress. Your results stay.",
        "If you leave {contest} now, you forfeit {n} matches in progress. Your results stay.",
        n,
        contest=contest,
    )


def format_created_reply(say: Reader, contest: Contest) -> str:
    """Tell an organiser that a contest is open."""
    return say(
        "{contest} is open for sign-up until {when}. With `{command}` you can start it earlier, "
        "extend it, remove a player or call it off.",
        command=f"{get_command(contest)} manage",
        contest=escape_text(format_contest_name(say, contest)),
        when=format_relative_time(contest.starts),
    )


def format_leaders(say: Reader, number: int, standings: Sequence[Standing]) -> str:
    """Tell the standings of a division in one line."""
    people = [
        f"{each.rank}. {mention_person(each.person)} {format_number(each.points)}"
        for each in standings
    ]
    # Translators: a division of a league, then its players with their ranks and points.
    return say(
        "**{division}**: {people}",
        division=format_division(say, number),
        people=say.format_list(people),
    )


def format_titles(say: Reader, titles: Sequence[ContestTitle]) -> str:
    """Tell which contests somebody has won, the first of them by name."""
    lines = [_format_title(say, each) for each in titles[:MOST_TITLES]]
    if len(titles) > MOST_TITLES:
        lines.append(format_remainder(say, len(titles) - MOST_TITLES))
    return "\n".join((say("**Leagues and tournaments won**"), *(f"- {line}" for line in lines)))


def _format_title(say: Reader, title: ContestTitle) -> str:
    contest = escape_text(format_contest_name(say, title.contest))
    return say("{contest} (first place shared)", contest=contest) if title.is_shared else contest
