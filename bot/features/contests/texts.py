"""What is said of contests."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from bot.features.contests import results
from bot.features.contests.formats import ContestSize, get_format, may_skip
from bot.features.contests.planning import compute_size, count_own_waiting, list_waiting
from bot.features.contests.standings import Standing, SwissStanding
from bot.features.contests.tables import (
    CHAMPION,
    Contest,
    ContestRuling,
    ContestState,
    ContestTitle,
    ContestView,
    Departure,
    Pairing,
    RulingAction,
    ServerProblem,
    UnfinishedRule,
)
from bot.features.matches import texts
from bot.features.matches.proof import SecretOrigin
from bot.features.matches.session import MatchSession
from bot.features.matches.texts import mention_person
from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader, escape_text
from bot.platform.people import clean_text
from engine import dice
from engine.clock import parse_pace
from engine.games import GAMES
from engine.outcome import ANNULLED, FORFEITED
from render.table import RowMark

MAX_TITLES = 5
"""Contests that a profile names."""
FRACTIONS = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}


def format_contest_name(say: Reader, contest: Contest) -> str:
    """Name a contest, and its season from the second on; plain, for pictures too."""
    name = clean_text(contest.name)
    if contest.season == 1:
        return name
    if contest.is_tournament:
        # Translators: a tournament that is played again, such as "Spring cup 2".
        return say("{name} {n}", name=name, n=contest.season)
    return say("{name}, season {n}", name=name, n=contest.season)


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
    """Say who has signed up."""
    people = [mention_person(say, each.person) for each in view.present]
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
    """Say when sign-up ends, and what its dice are committed to."""
    if contest.is_waiting:
        return _format_binding(say, contest)
    text = say(
        "It starts {when} if at least {least} have joined.",
        when=texts.format_relative_time(contest.starts),
        least=least,
    )
    # On a line of its own, as it is compared and copied.
    return f"{text}\n{_format_binding(say, contest)}"


def format_champions(say: Reader, champions: Sequence[int]) -> str:
    """Say who has won a contest that is over."""
    if not champions:
        return say("**Nobody won.**")
    first = [mention_person(say, person) for person in champions]
    return say.plural(
        "**{people} won.**",
        "**{people} share the first place.**",
        len(first),
        people=say.format_list(first),
    )


def format_cancellation(say: Reader, view: ContestView, least: int) -> str:
    """Say why a contest was called off, which starts with so many people at least."""
    for ruling in reversed(view.rulings):
        if ruling.action is RulingAction.CANCEL:
            return say(
                "{who} called it off: {reason}",
                who=mention_person(say, ruling.moderator),
                reason=common.format_quotation(say, ruling.reason),
            )
    if len(view.present) < least:
        # Translators: it: the league or tournament.
        return say("It was called off, as too few people had joined.")
    # Translators: it: the league or tournament.
    return say("It was called off, as this server was out of reach for too long.")


def format_ruling_line(say: Reader, ruling: ContestRuling) -> str:
    """Say what an organiser did, and why."""
    return _format_ruling(say, ruling).rstrip()


def _format_ruling(say: Reader, ruling: ContestRuling) -> str:
    parts = {
        "when": common.format_date(ruling.at),
        "who": mention_person(say, ruling.moderator),
        "whom": mention_person(say, ruling.person or 0),
        "reason": common.format_quotation(say, ruling.reason) if ruling.reason else "",
    }
    match ruling.action:
        case RulingAction.START:
            return say("{when}: {who} started it. {reason}", **parts)
        case RulingAction.EXTEND:
            return say("{when}: {who} gave one more week. {reason}", **parts)
        case RulingAction.REMOVE:
            return say("{when}: {who} removed {whom}. {reason}", **parts)
        case RulingAction.READMIT:
            return say("{when}: {who} let {whom} back in. {reason}", **parts)
        case RulingAction.PAUSE:
            return say("{when}: {who} paused it. {reason}", **parts)
        case RulingAction.RESUME:
            return say("{when}: {who} let it go on. {reason}", **parts)
        case RulingAction.REPLACE:
            return say("{when}: {who} gave the place of {whom} to somebody else. {reason}", **parts)
    return say("{when}: {who} called it off. {reason}", **parts)


def format_number(value: Fraction) -> str:
    """Write points with a half as a fraction sign: `3½`."""
    whole, rest = divmod(value, 1)
    sign = FRACTIONS.get(rest, "")
    if rest and not sign:
        return f"{float(value):.2f}"
    return f"{whole or ''}{sign}" if sign else str(whole)


def format_points(say: Reader, points: Fraction) -> str:
    """Count points, of which there can be halves."""

    def count(n: int) -> str:
        return say.plural("{points} point", "{points} points", n, points=format_number(points))

    whole = int(points)
    # Where none is singular, as in French, so is what is less than two (CLDR's plural rules).
    return count(whole if points == whole or count(0) == count(1) else 2)


def format_standing_line(say: Reader, standing: Standing) -> str:
    """Tell somebody's place, and the sums by which it is decided."""
    parts = [
        format_points(say, standing.points),
        say.plural("{n} match", "{n} matches", standing.played),
    ]
    if standing.direct is not None:
        parts.append(say("{n} against tied players", n=format_number(standing.direct)))
    if standing.points:
        # Without points there is nobody from whom any came.
        parts.append(say("Sonneborn-Berger {n}", n=format_number(standing.sonneborn_berger)))
    # Translators: a line of a table: "3. @Ana: 5 points, Sonneborn-Berger 7".
    return say(
        "**{rank}.** {who}: {sums}",
        rank=standing.rank,
        who=mention_person(say, standing.person),
        sums=say.join_with_commas(parts),
    )


def explain_order(say: Reader, contest: Contest) -> str:
    """Explain how a table is ordered."""
    order = say(
        "A win counts 1 point, a draw ½, a loss or a forfeit 0; an annulled match counts for "
        "nobody. Those with equal points are ordered by the points they took from each other, once "
        "all of them have met, then by Sonneborn-Berger (the points of those they beat, and half "
        "the points of those they drew with), then by wins."
    )
    return (
        common.join_sentences(say, order, explain_leaving(say))
        if results.drops_leavers(contest)
        else order
    )


def explain_leaving(say: Reader) -> str:
    """Explain what becomes of the results of somebody who leaves a contest early."""
    return say(
        "If somebody leaves before they've played half of their matches, their results count for "
        "nobody."
    )


def format_uncounted(say: Reader, person: int, share: results.PlayedShare) -> str:
    """Say that somebody's results do not count in the table."""
    who = mention_person(say, person)
    return say.plural(
        "{who} left after {played} of {n} match, so their results count for nobody.",
        "{who} left after {played} of {n} matches, so their results count for nobody.",
        share.due,
        who=who,
        played=share.played,
    )


def format_own_matches(
    say: Reader,
    view: ContestView,
    person: int,
    links: Mapping[int, str],
    sessions: Mapping[int, MatchSession],
) -> Iterator[str]:
    """Describe somebody's matches in a contest, those that go on (`sessions`) first."""
    own = view.list_own(person)
    for pairing in sorted(own, key=lambda each: (each.is_over, each.number)):
        match = say("match {match}", match=pairing.match)
        where = f"[{match}]({links[pairing.match]})" if pairing.match in links else match
        # Translators: an opponent, the match against them and how it stands: "@Ben, match 3: won".
        yield say(
            "{who}, {match}: {state}",
            who=mention_person(say, pairing.result.get_opponent(person)),
            match=where,
            state=_format_turn(say, sessions[pairing.match], person)
            if pairing.match in sessions
            else _format_own_result(say, pairing, person),
        )
    if any(may_skip(view, each) for each in own):
        yield say(
            "If you'd rather not play one of those below, you can take it as unplayed until you've "
            "both played in it."
        )


def format_optional_match(
    say: Reader, contest: Contest, pairing: Pairing, person: int, link: str | None
) -> str:
    """Tell somebody that they meet somebody whom they may not want to meet, and what they can do.

    It names no block, since a blocked person doesn't learn of it.
    """
    match = say("match {match}", match=pairing.match)
    text = say(
        "You're paired with {who} in {contest}, {match}; that couldn't be avoided.",
        who=mention_person(say, pairing.result.get_opponent(person)),
        contest=escape_text(format_contest_name(say, contest)),
        match=f"[{match}]({link})" if link else match,
    )
    return common.join_sentences(say, text, get_format(contest).explain_optional(say))


def _format_turn(say: Reader, session: MatchSession, person: int) -> str:
    turn = say("**your turn**") if session.person_to_act == person else say("their turn")
    return say.join_with_commas((turn, texts.format_turn_end(say, session)))


def _format_own_result(say: Reader, pairing: Pairing, person: int) -> str:
    if not pairing.is_over:
        return say("in progress")
    if pairing.is_left_out:
        # Translators: how a match ended: one of the two didn't want to play it (participle).
        return say("not played")
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


def format_pairing_result(say: Reader, pairing: Pairing) -> str:
    """Say what came of two people's match, in a word or two."""
    result = pairing.result
    if not result.is_over:
        return say("in progress")
    if result.is_draw:
        # Translators: the result of a match.
        return say("drawn")
    if not result.is_win:
        return say("nobody won")
    winner = texts.mention_people(say, [result.winner or 0])
    if pairing.how == FORFEITED:
        return say("{who} won by forfeit", who=winner)
    return say("{who} won", who=winner)


def format_pairing_line(say: Reader, contest: Contest, pairing: Pairing, link: str | None) -> str:
    """Describe a match of a contest: who plays it, and how it goes or went."""
    match = say("match {match}", match=pairing.match)
    line = say(
        "{who} against {whom}, {match}: {state}",
        who=mention_person(say, pairing.first),
        whom=mention_person(say, pairing.second),
        match=f"[{match}]({link})" if link else match,
        state=format_pairing_result(say, pairing),
    )
    if not get_format(contest).has_rounds:
        return line
    return say("Round {n}: {line}", n=pairing.round, line=line)


def _format_binding(say: Reader, contest: Contest) -> str:
    """Say what the dice of a contest are committed to."""
    if not contest.secret:
        return say("The key to these dice was lost. Each match begun since has dice of its own.")
    return texts.format_commitment(say, contest.commitment)


def format_dice_line(say: Reader, contest: Contest) -> str:
    """Say what the dice of a contest are committed to, and the secret once it is over."""
    if contest.state is ContestState.RUNNING or not contest.secret:
        return _format_binding(say, contest)
    return say(
        "Dice commitment: `{digits}`; secret: `{secret}`.",
        digits=contest.commitment,
        secret=contest.secret.hex(),
    )


def format_late_reply(say: Reader, view: ContestView, person: int) -> str:
    """Tell somebody that they have joined a contest that is played."""
    contest = escape_text(format_contest_name(say, view.contest))
    return get_format(view.contest).format_late_reply(say, view, person, contest)


def format_left_reply(say: Reader, view: ContestView, person: int) -> str:
    """Tell somebody that they have withdrawn."""
    contest = escape_text(format_contest_name(say, view.contest))
    if view.contest.state is ContestState.OPEN:
        return say("You've left {contest}. You can join again until it starts.", contest=contest)
    if person in results.find_uncounted(view):
        return say(
            "You've left {contest}. Your matches in progress are forfeited, and your results count "
            "for nobody, as you've played fewer than half of your matches.",
            contest=contest,
        )
    return say(
        "You've left {contest}. Your results stay, and your matches in progress are forfeited.",
        contest=contest,
    )


def ask_before_leaving(say: Reader, view: ContestView, person: int) -> str:
    """Ask somebody whether they mean to withdraw from a contest that is played."""
    contest = escape_text(format_contest_name(say, view.contest))
    n = len(view.list_running(person))
    if results.drops_leavers(view.contest) and results.measure_share(view, person).is_too_small:
        return say.plural(
            "If you leave {contest} now, you forfeit {n} match in progress. As you've played fewer "
            "than half of your matches, your results then count for nobody.",
            "If you leave {contest} now, you forfeit {n} matches in progress. As you've played "
            "fewer than half of your matches, your results then count for nobody.",
            n,
            contest=contest,
        )
    return say.plural(
        "If you leave {contest} now, you forfeit {n} match in progress. Your results stay.",
        "If you leave {contest} now, you forfeit {n} matches in progress. Your results stay.",
        n,
        contest=contest,
    )


def format_invitation(say: Reader, contest: Contest, link: str) -> str:
    """Say that people can sign up for a contest."""
    return say(
        "Sign-up for {contest} is open and closes {when}: {link}",
        contest=escape_text(format_contest_name(say, contest)),
        when=texts.format_relative_time(contest.starts),
        link=link,
    )


def format_enrolment(say: Reader, contest: Contest, link: str) -> str:
    """Tell those who played that they are signed up for what follows."""
    return say(
        "You're signed up for {contest}, as you played last time. It starts {when}. If you'd "
        "rather sit it out, withdraw here: {link}",
        contest=escape_text(format_contest_name(say, contest)),
        when=texts.format_relative_time(contest.starts),
        link=link,
    )


def format_closing_notice(say: Reader, contest: Contest, link: str) -> str:
    """Tell a player that a contest is over."""
    name = escape_text(format_contest_name(say, contest))
    if contest.state is ContestState.CANCELLED:
        return say("{contest} was called off: {link}", contest=name, link=link)
    return say("{contest} is over. Who won: {link}", contest=name, link=link)


def address_people(say: Reader, people: Sequence[int], text: str) -> str:
    """Say something to people by their names, or to nobody in a direct message."""
    if not people:
        return text
    # Translators: those who are told, then what they are told.
    return say("{people}: {text}", people=_mention_all(say, people), text=text)


def _mention_all(say: Reader, people: Sequence[int]) -> str:
    return say.format_list([mention_person(say, each) for each in people])


def format_closing_heading(say: Reader, contest: Contest) -> str:
    """Name a contest in the heading of the post that announces its end."""
    name = escape_text(format_contest_name(say, contest))
    if contest.state is ContestState.CANCELLED:
        # Translators: heading: a league or tournament is called off.
        heading = say("Called off: {contest}", contest=name)
    else:
        # Translators: heading of the post that announces who has won a league or tournament.
        heading = say("Final standings: {contest}", contest=name)
    return f"### {heading}"


def list_closing_lines(say: Reader, view: ContestView, *, has_moves: bool) -> Iterator[str]:
    """Say who has the first three places of a contest, and with `has_moves` who goes up or down."""
    yield format_champions(say, results.list_champions(view))
    podium = results.list_podium(view)
    if 2 in podium:
        # Translators: who has the second place.
        yield say("Second: {people}", people=_mention_all(say, podium[2]))
    if 3 in podium:
        # Translators: who has the third place.
        yield say("Third: {people}", people=_mention_all(say, podium[3]))
    if has_moves:
        yield from _list_moves(say, view)


def _list_moves(say: Reader, view: ContestView) -> Iterator[str]:
    """Say who goes up or down a division after a season."""
    movers = get_format(view.contest).find_movers(view)
    for number, division in enumerate(view.list_divisions()):
        there = [each.person for each in division if each.left is None]
        if down := [person for person in there if movers.get(person) is RowMark.DOWN]:
            # Translators: who goes down to a lower division of a league after a season.
            yield say(
                "Down to {division}: {people}",
                division=format_division(say, number + 1),
                people=_mention_all(say, down),
            )
        if up := [person for person in there if movers.get(person) is RowMark.UP]:
            # Translators: who goes up to a higher division of a league after a season.
            yield say(
                "Up to {division}: {people}",
                division=format_division(say, number - 1),
                people=_mention_all(say, up),
            )


def format_last_season(say: Reader, before: ContestView) -> str:
    """Say who won the season or tournament before one, and who goes up or down by it."""
    won = say("Last time: {result}", result=format_champions(say, results.list_champions(before)))
    return "\n".join((won, *_list_moves(say, before)))


def format_players(say: Reader, people: Sequence[int]) -> str:
    """Name those who played in a contest, or would have."""
    if not people:
        return ""
    named = _mention_all(say, people)
    return say.plural("{n} player: {people}", "{n} players: {people}", len(people), people=named)


def format_notices(say: Reader, view: ContestView) -> str:
    """Say what a contest that is not over is missing: a role, players, or who doesn't come."""
    if not view.contest.is_unfinished:
        return ""
    return "\n".join((*_list_shortcomings(say, view.contest), *_list_absences(say, view)))


def _list_shortcomings(say: Reader, contest: Contest) -> Iterator[str]:
    if contest.role_deleted:
        yield say("The role needed to join was deleted, so everyone can join.")
    if contest.is_waiting:
        yield say(
            "Too few players have joined, so sign-up is closed. An organiser can open it again "
            "with **One more week** in `{command}`.",
            command=f"{get_command(contest)} manage",
        )
    elif contest.shortfalls and contest.state is ContestState.OPEN:
        yield say("Too few players had joined, so sign-up goes on for a week.")


def _list_absences(say: Reader, view: ContestView) -> Iterator[str]:
    def name(departure: Departure) -> str:
        gone = [each for each in view.entrants if each.departure is departure]
        return say.format_list([mention_person(say, each.person) for each in gone])

    if people := name(Departure.SERVER):
        yield say("No longer in this server, so withdrawn: {people}.", people=people)
    if people := name(Departure.ROLE):
        yield say("Without the role needed, so withdrawn: {people}.", people=people)
    if people := name(Departure.SIGHT):
        yield say("Unable to see this channel, so withdrawn: {people}.", people=people)
    if people := say.format_list(
        [mention_person(say, each.person) for each in get_format(view.contest).list_no_shows(view)]
    ):
        if get_format(view.contest).list_returnable(view):
            yield say("Sitting out until they press **I'm back**: {people}.", people=people)
        else:
            yield say("Sitting out: {people}.", people=people)


def format_leaders(say: Reader, number: int, standings: Sequence[Standing]) -> str:
    """Tell the standings of a division in one line."""
    # Translators: a division of a league, then its players with their ranks and points.
    return say(
        "**{division}**: {people}",
        division=format_division(say, number),
        people=format_places(say, standings),
    )


def format_places(say: Reader, standings: Sequence[Standing | SwissStanding]) -> str:
    """Say in one line who has which rank, and how many points."""
    places = []
    for each in standings:
        who = mention_person(say, each.person)
        place = say.in_context(
            "a place in a row of them: rank, player, points",
            "{rank}. {who} {points}",
            rank=each.rank,
            who=who,
            points=format_number(each.points),
        )
        places.append(place)
    return say.format_list(places)


def format_titles(say: Reader, titles: Sequence[ContestTitle]) -> str:
    """Say which contests somebody has won, the first of them by name."""
    lines = [_format_title(say, each) for each in titles[:MAX_TITLES]]
    if len(titles) > MAX_TITLES:
        lines.append(common.format_remainder(say, len(titles) - MAX_TITLES))
    return "\n".join((say("**Leagues and tournaments won**"), *(f"- {line}" for line in lines)))


def _format_title(say: Reader, title: ContestTitle) -> str:
    contest = escape_text(format_contest_name(say, title.contest))
    return say("{contest} (first place shared)", contest=contest) if title.is_shared else contest


WEEK = 7
"""Days of a week."""


def list_contest_terms(say: Reader, contest: Contest) -> Iterator[str]:
    """Say what is played in a contest, how and for how long."""
    yield from get_format(contest).explain(say, contest)
    games = _format_games(say, contest)
    yield say.plural("Game: {games}", "Games: {games}", len(contest.games), games=games)
    yield from common.format_house_rules(say, GAMES[contest.game], contest.options)
    yield say("Pace: {pace}", pace=texts.format_pace(say, parse_pace(contest.pace)))
    yield common.capitalise_first(common.format_matches_rated(say, rated=contest.rated))
    if contest.role is not None:
        yield say("For members with the role {role}", role=f"<@&{contest.role}>")
    time = _format_days(say, contest.days)
    if get_format(contest).has_rounds:
        yield say("Time for each round: {time}", time=time)
    else:
        yield say("Time to play: {time}", time=time)
    yield format_unfinished_rule(say, contest)
    if results.drops_leavers(contest):
        yield explain_leaving(say)
    if parse_pace(contest.pace).is_slow:
        yield _format_vacations(say, contest.away_days)


def _format_vacations(say: Reader, days: int | None) -> str:
    if days is None:
        return say("A vacation stops your clocks, but not the deadline.")
    if not days:
        return say("A vacation stops neither your clocks here nor the deadline.")
    return say.plural(
        "A vacation stops your clock in each match for {n} day at most, but not the deadline.",
        "A vacation stops your clock in each match for {n} days at most, but not the deadline.",
        days,
    )


def format_limit(say: Reader, contest: Contest) -> str:
    """Say how many matches of a player go on at a time."""
    return say.plural(
        "Each player has {n} match at a time; the next begins when it ends.",
        "Each player has up to {n} matches side by side; the others begin as these end.",
        contest.at_once,
    )


def format_size(say: Reader, view: ContestView) -> str:
    """Say how many matches or rounds there are for those who have joined, or for the least."""
    contest = view.contest
    size = compute_size(contest, len(view.present))
    if size.rounds:
        return say(
            "{players} players: {rounds} rounds, {time} in all at most.",
            players=size.players,
            rounds=size.rounds,
            time=_format_days(say, size.rounds * contest.days),
        )
    return format_match_count(say, size)


def format_match_count(say: Reader, size: ContestSize) -> str:
    """Say how many matches everybody plays in a table, and how many there are."""
    if size.is_even:
        return say(
            "{players} players: {each} matches each, {n} in all.",
            players=size.players,
            each=size.each,
            n=size.matches,
        )
    return say(
        "{players} players: up to {each} matches each, {n} in all.",
        players=size.players,
        each=size.each,
        n=size.matches,
    )


def _format_days(say: Reader, days: int) -> str:
    weeks, rest = divmod(days, WEEK)
    if rest:
        return say.plural("{n} day", "{n} days", days)
    return say.plural("{n} week", "{n} weeks", weeks)


def format_unfinished_rule(say: Reader, contest: Contest) -> str:
    """Say what becomes of matches that are in progress at the deadline."""
    rules = [
        say(
            "If it's your turn at the deadline and you've never played in the match, you forfeit "
            "it, unrated."
        )
    ]
    if contest.unfinished is UnfinishedRule.DRAW:
        rules.append(say("Other matches in progress are then drawn."))
    elif contest.unfinished is UnfinishedRule.CLOCK:
        rules.append(say("Other matches in progress are then lost by the one whose turn it is."))
    else:
        rules.append(
            say(
                "Other matches in progress then go to the side with a win chance of 80% or more by "
                "the computer's evaluation, and are drawn if neither has that."
            )
        )
    return common.join_sentences(say, *rules, get_format(contest).explain_deadline(say))


def _format_games(say: Reader, contest: Contest) -> str:
    return say.format_list([common.format_title(say, GAMES[game]) for game in contest.games])


def format_game_line(say: Reader, contest: Contest) -> str:
    """Say what is played in a contest, at which pace and whether it is rated, in one line."""
    rated = common.format_matches_rated(say, rated=contest.rated)
    # Translators: a tournament's terms: "Backgammon and Nard; 1 day a turn; rated."
    return say(
        "{games}; {pace}; {rated}.",
        games=_format_games(say, contest),
        pace=texts.format_pace(say, parse_pace(contest.pace)),
        rated=rated,
    )


def format_progress(say: Reader, view: ContestView) -> str:
    """Say how far a contest is, and until when it can be played."""
    parts = [get_format(view.contest).format_round(say, view), _format_finished(say, view)]
    if view.contest.paused is not None:
        parts.append(format_pause(say))
    elif view.contest.is_running and view.contest.ends is not None:
        parts.append(
            say(
                "The time to play runs out {when}.",
                when=texts.format_relative_time(view.contest.ends),
            )
        )
    return common.join_sentences(say, *parts)


def format_pause(say: Reader) -> str:
    """Say that a contest is paused."""
    return say("Paused: clocks are stopped until the organisers resume.")


def _format_finished(say: Reader, view: ContestView) -> str:
    """Say how many matches are over, in a Swiss those of the round that is played."""
    counted = get_format(view.contest).list_counted(view)
    over = sum(pairing.is_over for pairing in counted)
    waiting = len(list_waiting(view))
    text = say("Finished matches: {over} of {n}.", over=over, n=len(counted) + waiting)
    if not waiting:
        return text
    return common.join_sentences(say, text, _format_waiting(say, view, waiting))


def _format_waiting(say: Reader, view: ContestView, n: int) -> str:
    """Describe the matches that have not begun."""
    if view.contest.is_running and not view.contest.closed_rounds:
        return say.plural("{n} match begins as others end.", "{n} matches begin as others end.", n)
    return say.plural(
        "{n} match never began, and counts for nobody.",
        "{n} matches never began, and count for nobody.",
        n,
    )


def format_own_waiting(say: Reader, view: ContestView, person: int) -> str:
    """Tell somebody how many of their matches have not begun; empty if all have."""
    waiting = count_own_waiting(view, person)
    return _format_waiting(say, view, waiting) if waiting else ""


def format_state(say: Reader, view: ContestView, least: int) -> str:
    """Say how far a contest is, which starts with so many people at least."""
    contest = view.contest
    match contest.state:
        case ContestState.OPEN:
            joined = say.plural(
                "{n} player has joined.", "{n} players have joined.", len(view.present)
            )
            if contest.is_waiting:
                return joined
            until = say("Sign-up closes {when}.", when=texts.format_relative_time(contest.starts))
            return common.join_sentences(say, joined, until)
        case ContestState.CANCELLED:
            return format_cancellation(say, view, least)
    return format_progress(say, view)


def format_role_name(say: Reader, contest: Contest, place: int) -> str:
    """Name the role of a league's champion, or of a division; the same for all its seasons."""
    if place == CHAMPION:
        return say("{contest} champion", contest=contest.name)
    division = format_division(say, place - CHAMPION - 1)
    # Translators: name of a role: that of a league, then of a division in it.
    return say("{contest}: {division}", contest=contest.name, division=division)


def format_event_description(say: Reader, contest: Contest, link: str) -> str:
    """Say in a contest's event what it is, and how to join."""
    joining = say(
        "Join with `{command}` in {link}", command=f"{get_command(contest)} standings", link=link
    )
    paused = format_pause(say) if contest.paused is not None else ""
    return "\n".join(filter(None, (format_game_line(say, contest), paused, joining)))


def format_server_problems(say: Reader, contest: Contest) -> str:
    """Say why a contest's event or roles are missing, or not up to date; empty if nothing is."""
    problems = [contest.roles_problem]
    if contest.is_unfinished:
        # Afterwards an event ends by itself.
        problems.insert(0, contest.event_problem)
    return common.join_sentences(
        say, *(_format_server_problem(say, each) for each in problems if each)
    )


def _format_server_problem(say: Reader, problem: ServerProblem) -> str:
    match problem:
        case ServerProblem.NO_EVENT_PERMISSION:
            return say(
                "The bot needs the permission {permission} to show this as an event.",
                permission=common.format_permissions(say, ["create_events"]),
            )
        case ServerProblem.TOO_MANY_EVENTS:
            return say("There's no event, since this server has as many as Discord allows.")
        case ServerProblem.NO_ROLE_PERMISSION:
            return say(
                "The bot needs the permission {permission} to give roles here.",
                permission=common.format_permissions(say, ["manage_roles"]),
            )
        case ServerProblem.ROLE_TOO_HIGH:
            return say("The bot can give roles here only while they're below its own role.")
    return say("Roles are missing, since this server has as many as Discord allows.")


def explain_league_dice(say: Reader, origin: SecretOrigin) -> tuple[str, ...]:
    """Say where the secret of a contest's match comes from, what that proves, and what not."""
    if origin.secret is None:
        league = say("The secret of the league or tournament is revealed when it's over.")
    else:
        league = say(
            "The secret of the league or tournament: `{secret}`", secret=origin.secret.hex()
        )
    return (
        say(
            "This is pairing {pairing} of a league or tournament: its secret is derived from this "
            "number and from a secret of all pairings, whose SHA-256 is\n`{commitment}`",
            pairing=origin.pairing,
            commitment=origin.commitment,
        ),
        league,
        _explain_proof(say, origin),
    )


def _explain_proof(say: Reader, origin: SecretOrigin) -> str:
    posted = origin.posted_digits or 0
    if posted < dice.COMMITMENT_DIGITS:
        return texts.explain_weak_commitment(say, posted)
    return say(
        "-# The secret of all pairings was fixed before anybody joined, if this SHA-256 is the one "
        "that the message of the league or tournament showed then. Every throw also depends on the "
        "numbers that Discord gave the two players when they joined. The person who runs the bot "
        "could not choose a secret that suits them. They know the throws once sign-up ends, and "
        "people who join or leave shortly before could change who plays with which secret."
    )
