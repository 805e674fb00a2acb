"""What is said of a club's week."""

from collections.abc import Mapping

from bot.features.contests.rows import Contest, ContestState
from bot.features.contests.texts import format_contest_name
from bot.features.digest.service import LadderWeek, WeekDigest
from bot.features.matches.name_texts import mention_people, mention_person
from bot.features.schedules.service import PostSchedule
from bot.features.schedules.texts import format_hour, format_next_post
from bot.features.statistics.texts import format_longest_match
from bot.platform.i18n.common import (
    escape_text,
    format_date,
    format_dice,
    format_title,
)
from bot.platform.i18n.numbers import format_points
from bot.platform.i18n.reader import Reader
from engine.clock import DAY, SECOND
from engine.games import GAMES


def format_digest_heading(say: Reader, digest: WeekDigest) -> str:
    """Name the week."""
    # At noon, so that it is the same date for most readers.
    first, last = digest.week.start + DAY // 2, digest.week.end - DAY // 2
    return say(
        "### The week from {first} to {last}", first=format_date(first), last=format_date(last)
    )


def format_week_matches(say: Reader, digest: WeekDigest) -> str:
    """Tell how many matches people finished, and which games they played most."""
    figures = digest.figures
    games = [f"{format_title(say, GAMES[slug])} ({number})" for slug, number in figures.games]
    players = say.plural("{n} player", "{n} players", figures.players)
    return say.plural(
        "**Matches**: {n} finished by {players}. Most played: {games}.",
        "**Matches**: {n} finished by {players}. Most played: {games}.",
        figures.matches,
        players=players,
        games=say.format_list(games),
    )


def format_week_wins(say: Reader, digest: WeekDigest) -> str:
    """Tell who won the most matches; empty where nobody won any."""
    if not digest.figures.winners:
        return ""
    people = [f"{mention_person(each.person)} ({each.wins})" for each in digest.figures.winners]
    return say("**Most wins**: {people}", people=say.format_list(people))


def format_week_longest(say: Reader, digest: WeekDigest, link: str | None) -> str:
    """Tell which match had the most turns."""
    return format_longest_match(say, digest.longest, digest.figures.longest, link)


def format_luckiest_throw(say: Reader, digest: WeekDigest, link: str | None) -> str:
    """Tell the luckiest throw; empty where no match has a report."""
    if digest.luckiest is None:
        return ""
    found = digest.luckiest.found
    match = say("match {n}", n=found.match)
    return say(
        "**Luckiest throw**: {dice} by {who} in {match}, {luck} over an average throw",
        dice=format_dice(found.dice),
        who=mention_people(say, digest.luckiest.people),
        match=f"[{match}]({link})" if link else match,
        luck=format_points(say, found.luck),
    )


def format_won_contests(say: Reader, digest: WeekDigest, links: Mapping[int, str]) -> str:
    """Tell who won which league or tournament; empty where none has ended."""
    if not digest.won:
        return ""
    lines = [
        # Translators: an entry of a list: a league or tournament, and who has won it.
        say(
            "- {contest}: {people}",
            contest=_link(
                escape_text(format_contest_name(say, each.contest)), links, each.contest.id
            ),
            people=mention_people(say, each.champions),
        )
        for each in digest.won
    ]
    return "\n".join((say("**Leagues and tournaments won**"), *lines))


def format_ladder_changes(say: Reader, digest: WeekDigest, links: Mapping[int, str]) -> str:
    """Tell who leads the ladders that have changed; empty where none has."""
    if not digest.ladders:
        return ""
    lines = [_format_ladder(say, each, links) for each in digest.ladders]
    # Translators: heading: the ladders (rankings that players climb) whose leaders have changed.
    heading = say("**Ladders**")
    return "\n".join((heading, *lines))


def _format_ladder(say: Reader, change: LadderWeek, links: Mapping[int, str]) -> str:
    ladder = _link(escape_text(change.ladder.name), links, change.ladder.id)
    leader = mention_person(change.leader)
    if change.before is None or change.before == change.leader:
        told = say("- {ladder}: {who} leads.", ladder=ladder, who=leader)
    else:
        told = say(
            "- {ladder}: {who} leads now, in place of {before}.",
            ladder=ladder,
            who=leader,
            before=mention_person(change.before),
        )
    if change.climber is None or change.climber == change.leader:
        return told
    climbed = say(
        "{who} climbed to rung {rung}.", who=mention_person(change.climber), rung=change.rung
    )
    return f"{told} {climbed}"


def format_next_deadlines(say: Reader, digest: WeekDigest, links: Mapping[int, str]) -> str:
    """Tell when sign-up or a round of the server's contests ends; empty where none goes on."""
    if not digest.deadlines:
        return ""
    lines = []
    for each in digest.deadlines:
        contest = _link(_name_contest(say, each.contest), links, each.contest.id)
        when = f"<t:{each.at // SECOND}:R>"
        if each.contest.state is ContestState.OPEN:
            lines.append(say("- {contest}: sign-up ends {when}", contest=contest, when=when))
        else:
            lines.append(say("- {contest}: deadline {when}", contest=contest, when=when))
    return "\n".join((say("**Next deadlines**"), *lines))


def _name_contest(say: Reader, contest: Contest) -> str:
    return escape_text(format_contest_name(say, contest))


def _link(name: str, links: Mapping[int, str], number: int) -> str:
    return f"[{name}]({links[number]})" if number in links else name


def explain_digest(say: Reader) -> str:
    """Explain what is counted."""
    return say(
        "Matches between people. Those that were annulled, abandoned, forfeited or left within two "
        "turns don't count."
    )


def format_digest_schedule(say: Reader, schedule: PostSchedule | None) -> str:
    """Tell where and when the digest is posted in a server."""
    if schedule is None or not schedule.is_on:
        return say(
            "No weekly digest is posted in this server. `/server digest` with a `channel` posts "
            "it there every Monday."
        )
    return say(
        "The digest of the week is posted in {channel} on Mondays at {hour}, next {when}, unless "
        "no match was finished. `/server digest` with `off` stops it.",
        channel=f"<#{schedule.chosen.channel}>",
        hour=format_hour(schedule),
        when=format_next_post(schedule),
    )
