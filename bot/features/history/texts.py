"""What is said of finished matches."""

from bot.features.contests.texts import format_contest_name
from bot.features.history.results import PastMatch, PastResult
from bot.features.history.service import ContestExport, Export, HistoryPage, HistoryView
from bot.features.matches.name_texts import mention_people, mention_person
from bot.platform.direct import NO_SERVER
from bot.platform.i18n.common import escape_text, format_title
from bot.platform.i18n.endings import format_ending
from bot.platform.i18n.reader import Reader
from engine.clock import SECOND
from engine.games import GAMES, find_game
from engine.position import Side
from render.characters import shorten_text

LONGEST_COMPETITION = 24
"""Characters of a league's or ladder's name in a line, so that a page has room for all lines."""


def format_history_heading(say: Reader, view: HistoryView) -> str:
    """Tell whose finished matches are listed."""
    if view.person is None:
        return say("### Finished matches")
    if view.person == view.reader:
        return say("### Your finished matches")
    return say("### Finished matches of {who}", who=mention_person(view.person))


def format_filters(say: Reader, view: HistoryView) -> str:
    """Tell which of them are listed alone; nothing for all."""
    parts = []
    if view.game:
        parts.append(say("Game: {game}", game=format_title(say, GAMES[view.game])))
    if view.league:
        name = escape_text(format_contest_name(say, view.league))
        parts.append(say("League: {league}", league=name))
    if view.ladder:
        parts.append(say("Ladder: {ladder}", ladder=escape_text(view.ladder.name)))
    return "\n".join(parts)


def format_no_match(say: Reader, view: HistoryView) -> str:
    """Tell that no match was found, and what to do."""
    if view.is_filtered:
        return say(
            "No finished match fits. Leave out an option of `/history` to see more; `/matches` "
            "lists those in progress."
        )
    if view.person == view.reader:
        return say("You have no finished match yet. Start one with `/play` or `/challenge`.")
    who = mention_person(view.person or 0)
    if view.guild == NO_SERVER:
        return say(
            "You and {who} have finished no match. In a server, `/history` lists the matches that "
            "{who} finished there.",
            who=who,
        )
    return say(
        "{who} has finished no match in this server. Matches on other servers are shown only to "
        "those who played them.",
        who=who,
    )


def name_competitions(say: Reader, page: HistoryPage) -> dict[int, str]:
    """Return the name of the league, tournament or ladder of each match that has one."""
    names = {}
    for each in page.matches:
        if league := page.competitions.find_league(each):
            names[each.row.id] = format_contest_name(say, league)
        elif ladder := page.competitions.find_ladder(each):
            names[each.row.id] = ladder.name
    return {
        match: escape_text(shorten_text(name, LONGEST_COMPETITION)) for match, name in names.items()
    }


def format_past_match(
    say: Reader,
    match: PastMatch,
    person: int | None,
    link: str | None,
    competition: str | None,
) -> str:
    """Tell of one finished match as it went for somebody; without a person, who has won it.

    `competition` is the name of what it was played in, if that is to be said.
    """
    row = match.row
    side = None if person is None else match.find_side(person)
    number = say("match {match}", match=row.id)
    parts = {
        "at": (row.ended or row.touched) // SECOND,
        "match": f"[{number}]({link})" if link else number,
        "game": format_title(say, find_game(row.game, row.edition)),
        "ending": _format_cause(say, match),
    }
    if side is None:
        told = say(
            "<t:{at}:d> {match}, {game}, {gold} against {black}: **{result}** ({ending})",
            gold=mention_people(say, match.list_players(Side.GOLD)),
            black=mention_people(say, match.list_players(Side.BLACK)),
            result=_format_winner(say, match),
            **parts,
        )
    else:
        told = say(
            "<t:{at}:d> {match}, {game}, against {others}: **{result}** ({ending})",
            others=mention_people(say, match.list_players(side.other)),
            result=_format_result(say, match.find_result(side)),
            **parts,
        )
    return f"{told}\n-# {competition}" if competition else told


def _format_cause(say: Reader, match: PastMatch) -> str:
    game = find_game(match.row.game, match.row.edition)
    people = {side: match.list_players(side) for side in Side}
    # A team is called by its side, since a page has no room to name everyone in it again.
    named = {side: mention_person(sat[0]) for side, sat in people.items() if len(sat) == 1}
    return format_ending(say, game, match.outcome, named if len(named) == len(Side) else None)


def _format_result(say: Reader, result: PastResult) -> str:
    return {
        # Translators: how a match ended for somebody (participle, said of the match).
        PastResult.WON: say("won"),
        PastResult.WON_BY_FORFEIT: say("won by forfeit"),
        # Translators: how a match ended: nobody won it (participle).
        PastResult.DRAWN: say("drawn"),
        # Translators: how a match ended for somebody (participle, said of the match).
        PastResult.LOST: say("lost"),
        # Translators: how a match ended for somebody: lost since they didn't play it (participle).
        PastResult.FORFEITED: say("forfeited"),
        PastResult.VOID: say("doesn't count"),
    }[result]


def _format_winner(say: Reader, match: PastMatch) -> str:
    winner = match.outcome.winner
    if winner is None or match.outcome.is_void:
        return _format_result(say, match.find_result(Side.GOLD))
    return say("{who} won", who=mention_people(say, match.list_players(winner)))


def format_history_footer(say: Reader, page: HistoryPage) -> str:
    """Tell how many matches there are, and which page of them this is."""
    told = say.plural("{n} match.", "{n} matches.", page.count)
    if page.pages == 1:
        return told
    which = say("Page {page} of {pages}.", page=page.number + 1, pages=page.pages)
    return f"{told} {which}"


def format_export_reply(say: Reader, export: Export) -> str:
    """Tell what is in a file of matches, and where it is described."""
    if export.matches < export.count:
        told = say(
            "The newest {n} of {count} matches are in this file, the most that one takes. Choose "
            "a game, league or ladder to get older ones.",
            n=export.matches,
            count=export.count,
        )
    else:
        told = say.plural(
            "{n} match is in this file.", "{n} matches are in this file.", export.matches
        )
    where = say("`docs/record.md` explains its fields.")
    return f"{told} {where}"


def format_contest_export_reply(say: Reader, export: ContestExport) -> str:
    """Tell what is in a league's file, and where it is described."""
    contest = escape_text(format_contest_name(say, export.view.contest))
    told = say.plural(
        "The standings of {contest} and its {n} match are in this file.",
        "The standings of {contest} and its {n} matches are in this file.",
        len(export.view.pairings),
        contest=contest,
    )
    where = say("`docs/record.md` explains its fields.")
    return f"{told} {where}"
