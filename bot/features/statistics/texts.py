"""What is said of a server's figures."""

from bot.features.history.past_matches import PastMatch
from bot.features.matches.rows import MatchRow
from bot.features.matches.texts import mention_people, mention_person
from bot.features.statistics.rows import ClubFigures, MatchLength
from bot.features.statistics.service import MIN_MATCHES, RECENT_WEEKS, WEEKS
from bot.platform.i18n.common import format_counted, format_title
from bot.platform.i18n.reader import Reader
from bot.platform.time_zones import format_zone
from engine.games import GAMES
from engine.position import Side


def format_statistics_heading(say: Reader) -> str:
    """Head a server's figures."""
    return say("### What this server plays")


def explain_missing_figures(say: Reader, figures: ClubFigures) -> str:
    """Say that too few matches are over for anything to be drawn."""
    return say.plural(
        "{n} match between people has been finished here so far. Statistics start with {least}.",
        "{n} matches between people have been finished here so far. Statistics start with {least}.",
        figures.total,
        least=MIN_MATCHES,
    )


def format_active_players(say: Reader, figures: ClubFigures) -> str:
    """Say how many people have played of late; plain, for the picture."""
    return say(
        "Active players: {recently} in {recent} weeks, {active} in {weeks}",
        recently=figures.recently_active,
        recent=RECENT_WEEKS,
        active=figures.active,
        weeks=WEEKS,
    )


def format_streaks(say: Reader, figures: ClubFigures) -> str:
    """Say who has won most often one after another; empty where nobody has won twice."""
    if not figures.streaks:
        return ""
    people = [
        format_counted(say, mention_person(say, each.person), each.wins) for each in figures.streaks
    ]
    return say("**Longest winning streaks**: {people}", people=say.format_list(people))


def format_longest_match(
    say: Reader, row: MatchRow | None, length: MatchLength | None, link: str | None
) -> str:
    """Say which match had the most turns; empty where that is not known."""
    if row is None or length is None:
        return ""
    gold, black = (mention_people(say, PastMatch(row).list_players(side)) for side in Side)
    match = say("match {match}", match=row.id)
    game = format_title(say, GAMES[row.game])
    return say.plural(
        "**Longest match**: {match}, {game}, {gold} against {black}, {n} turn",
        "**Longest match**: {match}, {game}, {gold} against {black}, {n} turns",
        length.turns,
        match=f"[{match}]({link})" if link else match,
        game=game,
        gold=gold,
        black=black,
    )


def format_totals(say: Reader, figures: ClubFigures) -> str:
    """Say how many matches there have been between people, and apart from them the others."""
    return say(
        "**Since the beginning**: matches between people {people}, against the computer {computer}",
        people=figures.total,
        computer=figures.against_computer,
    )


def explain_figures(say: Reader, zone: str | None) -> str:
    """Explain what is counted."""
    return say(
        "Weeks begin on Monday ({zone}), and the last one isn't over. All but the last line is of "
        "matches between people. Matches that were annulled, abandoned, forfeited or left within "
        "two turns don't count.",
        zone=format_zone(zone),
    )
