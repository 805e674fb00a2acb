"""What is said of when something is posted by itself, and of a server's week."""

from collections.abc import Mapping

from bot.features.contests.tables import Contest, ContestState
from bot.features.contests.texts import format_contest_name
from bot.features.matches.texts import mention_people, mention_person
from bot.features.posts.service import LadderWeek, PostSchedule, WeekDigest
from bot.features.statistics.texts import format_longest_match
from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader, escape_text
from bot.platform.time_zones import format_zone
from engine.clock import DAY, SECOND
from engine.games import GAMES


def format_hour(schedule: PostSchedule) -> str:
    """Write the hour at which something is posted, and by which clocks."""
    return f"{schedule.chosen.hour}:00 ({format_zone(schedule.zone)})"


def format_next_post(schedule: PostSchedule) -> str:
    """Write when something is posted next."""
    return f"<t:{schedule.following.at // SECOND}:R>"


def format_hour_label(say: Reader, schedule: PostSchedule) -> str:
    """Say when something is posted next, beside the menu of the hours."""
    return say("-# At which hour. Next {when}", when=format_next_post(schedule))


def format_digest_heading(say: Reader, digest: WeekDigest) -> str:
    """Name the week."""
    # At noon, so that it is the same date for most readers.
    first, last = digest.week.start + DAY // 2, digest.week.end - DAY // 2
    return say(
        "### The week from {first} to {last}",
        first=common.format_date(first),
        last=common.format_date(last),
    )


def format_week_matches(say: Reader, digest: WeekDigest) -> str:
    """Say how many matches people finished, and which games they played most."""
    figures = digest.figures
    games = [
        common.format_counted(say, common.format_title(say, GAMES[slug]), number)
        for slug, number in figures.games
    ]
    players = say.plural("{n} player", "{n} players", figures.players)
    return say.plural(
        "**Matches**: {n} finished by {players}. Most played: {games}.",
        "**Matches**: {n} finished by {players}. Most played: {games}.",
        figures.matches,
        players=players,
        games=say.format_list(games),
    )


def format_week_wins(say: Reader, digest: WeekDigest) -> str:
    """Say who won the most matches; empty where nobody won any."""
    if not digest.figures.winners:
        return ""
    people = [
        common.format_counted(say, mention_person(say, each.person), each.wins)
        for each in digest.figures.winners
    ]
    return say("**Most wins**: {people}", people=say.format_list(people))


def format_week_longest(say: Reader, digest: WeekDigest, link: str | None) -> str:
    """Say which match had the most turns."""
    return format_longest_match(say, digest.longest, digest.figures.longest, link)


def format_luckiest_throw(say: Reader, digest: WeekDigest, link: str | None) -> str:
    """Tell the luckiest throw; empty where no match has a report."""
    if digest.luckiest is None:
        return ""
    found = digest.luckiest.found
    match = say("match {match}", match=found.match)
    return say(
        "**Luckiest throw**: {dice} by {who} in {match}, {luck} over an average throw",
        dice=common.format_dice(found.dice),
        who=mention_people(say, digest.luckiest.people),
        match=f"[{match}]({link})" if link else match,
        luck=common.format_points(say, found.luck),
    )


def format_won_contests(say: Reader, digest: WeekDigest, links: Mapping[int, str]) -> str:
    """Say who won which league or tournament; empty where none has ended."""
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
    """Say who leads the ladders that have changed; empty where none has."""
    if not digest.ladders:
        return ""
    lines = [_format_ladder(say, each, links) for each in digest.ladders]
    # Translators: heading: the ladders (rankings that players climb) whose leaders have changed.
    heading = say("**Ladders**")
    return "\n".join((heading, *lines))


def _format_ladder(say: Reader, change: LadderWeek, links: Mapping[int, str]) -> str:
    ladder = _link(escape_text(change.ladder.name), links, change.ladder.id)
    leader = mention_person(say, change.leader)
    if change.before is None or change.before == change.leader:
        text = say("- {ladder}: {who} leads.", ladder=ladder, who=leader)
    else:
        text = say(
            "- {ladder}: {who} leads now, in place of {before}.",
            ladder=ladder,
            who=leader,
            before=mention_person(say, change.before),
        )
    if change.climber is None or change.climber == change.leader:
        return text
    climbed = say(
        "{who} climbed to rung {rung}.", who=mention_person(say, change.climber), rung=change.rung
    )
    return common.join_sentences(say, text, climbed)


def format_next_deadlines(say: Reader, digest: WeekDigest, links: Mapping[int, str]) -> str:
    """Say when sign-up or a round of the server's contests ends; empty where none goes on."""
    if not digest.deadlines:
        return ""
    lines = []
    for each in digest.deadlines:
        contest = _link(_name_contest(say, each.contest), links, each.contest.id)
        when = f"<t:{each.at // SECOND}:R>"
        if each.contest.state is ContestState.OPEN:
            lines.append(say("- {contest}: sign-up closes {when}", contest=contest, when=when))
        else:
            lines.append(
                say("- {contest}: the time to play runs out {when}", contest=contest, when=when)
            )
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
    """Say where and when the digest is posted in a server."""
    if schedule is None or not schedule.is_on:
        return say("No weekly digest is posted in this server.")
    return say(
        "The digest of the week is posted in {channel} on Mondays at {hour}, unless no match was "
        "finished. The next one comes {when}.",
        channel=f"<#{schedule.chosen.channel}>",
        hour=format_hour(schedule),
        when=format_next_post(schedule),
    )
