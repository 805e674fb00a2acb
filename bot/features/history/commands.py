"""Finished matches and standings: /history, its pages, cards, words and files."""

from collections.abc import Mapping

import discord
from discord import app_commands

from bot.features.contests.commands import CONTEST, require_contest_shown
from bot.features.contests.competitions import CompetitionName
from bot.features.contests.service import load_contest
from bot.features.contests.tables import ContestView
from bot.features.contests.texts import format_contest_name
from bot.features.history import service
from bot.features.history.export import ExportFormat
from bot.features.history.past_matches import PastMatch, PastResult
from bot.features.history.service import ContestExport, Export, HistoryPage, HistoryView
from bot.features.ladders.commands import LADDER as LADDER_KIND
from bot.features.ladders.commands import require_ladder_shown
from bot.features.ladders.service import load_ladder
from bot.features.ladders.tables import LadderView
from bot.features.matches.interactions import MAX_NAME_LENGTH, offer_games
from bot.features.matches.places import find_match_links
from bot.features.matches.texts import mention_people, mention_person
from bot.platform.context import NO_SERVER
from bot.platform.i18n.common import format_ending, format_page_number, format_title, join_sentences
from bot.platform.i18n.reader import (
    DeclinedError,
    Reader,
    UnknownControlError,
    escape_text,
    mark_text,
)
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import Card, CardFile, Item, list_page
from bot.platform.ui.controls import (
    VerbScope,
    build_button,
    build_page_buttons,
    declare_verb,
    parse_number,
)
from bot.platform.ui.declarations import command, press
from engine.clock import SECOND
from engine.games import GAMES, find_game
from engine.position import Side
from render.characters import shorten_text

MAX_COMPETITION_LENGTH = 24
"""Characters of a league's or ladder's name in a line, so that a page has room for all lines."""

HISTORY = declare_verb("history", VerbScope.NUMBER)
"""Turn the pages; their ids say what is looked for, and name a contest or ladder by its number."""
EXPORT = declare_verb("historyfile", VerbScope.NUMBER)
STANDINGS = declare_verb("standingsfile", VerbScope.NUMBER)
"""Give a league's or tournament's standings in a file."""
LADDER = "ladder"
"""What stands before a ladder's number in ids.

Before a contest's there is nothing, as in messages from the time before ladders were looked for.
"""


def history_controls(say: Reader, view: HistoryView, page: HistoryPage) -> tuple[Item, ...]:
    """Return the buttons below a list of finished matches, and the files of what is listed."""
    standings: tuple[Item, ...] = ()
    if view.contest:
        id_start = f"{STANDINGS}:{view.contest.id}"
        standings = (
            # Translators: button: saves a league's table and results as a file of this format.
            build_button(say("Standings (CSV)"), f"{id_start}:{ExportFormat.CSV}"),
            # Translators: button: saves a league's table and results as a file of this format.
            build_button(say("Standings (JSON)"), f"{id_start}:{ExportFormat.JSON}"),
        )
    if not page.matches:
        return standings
    sought = _format_search(view)
    # Translators: button: shows the page of matches that ended later.
    newer = say("Newer")
    # Translators: button: shows the page of matches that ended earlier.
    older = say("Older")
    pages = build_page_buttons(
        page.paging, newer, older, lambda number: f"{HISTORY}:{sought}:{number}"
    )
    files = {
        # Translators: button: saves the list as a file of this format.
        ExportFormat.CSV: say("CSV"),
        # Translators: button: saves the list as a file of this format.
        ExportFormat.JSON: say("JSON"),
    }
    saved = [build_button(label, f"{EXPORT}:{sought}:{kind}") for kind, label in files.items()]
    return (*pages, *saved, *standings)


def _format_search(view: HistoryView) -> str:
    return f"{view.person or 0}:{view.game}:{_format_competition(view)}"


def _format_competition(view: HistoryView) -> str:
    if view.ladder:
        return f"{LADDER}{view.ladder.id}"
    return str(view.contest.id if view.contest else 0)


def history_card(
    say: Reader, view: HistoryView, page: HistoryPage, links: Mapping[int, str]
) -> Card:
    """Return a page of finished matches; `links` lead to the messages of those that have one."""
    heading = (format_history_heading(say, view), format_filters(say, view))
    controls = history_controls(say, view, page)
    if not page.matches:
        return Card(texts=(*heading, format_no_match(say, view)), controls=controls)
    # What all of them were played in is in the heading.
    names = {} if view.is_of_competition else name_competitions(say, page)
    lines = [
        format_past_match(say, each, view.person, links.get(each.row.id), names.get(each.row.id))
        for each in page.matches
    ]
    return Card(
        texts=(*heading, list_page(say, lines)),
        controls=controls,
        small=format_history_footer(say, page),
    )


def export_card(say: Reader, export: Export) -> Card:
    """Return a file of matches, with what is in it."""
    return Card(
        texts=(format_export_reply(say, export),),
        file=CardFile(export.name, export.content),
    )


def contest_export_card(say: Reader, export: ContestExport) -> Card:
    """Return a file of a league, with what is in it."""
    return Card(
        texts=(format_contest_export_reply(say, export),),
        file=CardFile(export.name, export.content),
    )


class ContestAndLadderError(DeclinedError):
    sentence = mark_text(
        "A match is played in a league or tournament, or on a ladder, not both. Leave out "
        "`contest` or `ladder`."
    )


@command(everywhere=True)
@app_commands.describe(
    player="The player (default: you, or everyone in the league or on the ladder)",
    game="One game only (default: all games)",
    contest="One of this server's leagues or tournaments only",
    ladder="One of this server's ladders only",
)
async def history(
    answer: InteractionAnswer,
    player: discord.User | None = None,
    game: app_commands.Range[str, 0, MAX_NAME_LENGTH] = "",
    contest: CompetitionName = "",
    ladder: CompetitionName = "",
) -> None:
    """Look through finished matches, and save them as a file."""
    if contest and ladder:
        raise ContestAndLadderError
    found = rungs = None
    if contest:
        found = await CONTEST.find(answer.app, answer.guild, contest)
    if ladder:
        rungs = await LADDER_KIND.find(answer.app, answer.guild, ladder)
    # Of a contest or a ladder one wants to see how everyone did.
    default = None if found or rungs else answer.person.id
    view = await _build_view(
        answer,
        player.id if player else default,
        find_game(game).slug if game else "",
        found,
        rungs,
    )
    await answer.send_page(HISTORY, await _build_history_card(answer, view, 0))


history.autocomplete("game")(offer_games)


history.autocomplete("contest")(CONTEST.offer)


history.autocomplete("ladder")(LADDER_KIND.offer)


@press(HISTORY, everywhere=True)
async def turn_history_page(
    answer: InteractionAnswer, person: int, game: str, competition: str, number: int
) -> None:
    """Show another page of finished matches in place of this one."""
    view = await _parse_view(answer, person, game, competition)
    await answer.turn_page(HISTORY, await _build_history_card(answer, view, number))


@press(EXPORT, everywhere=True)
async def export_history(
    answer: InteractionAnswer, person: int, game: str, competition: str, kind: ExportFormat
) -> None:
    """Give the finished matches that a message lists, on all pages, in a file."""
    view = await _parse_view(answer, person, game, competition)
    saved = await service.export_matches(answer.app, view, kind)
    await answer.send(export_card(answer.reader, saved))


@press(STANDINGS)
async def export_standings(answer: InteractionAnswer, number: int, kind: ExportFormat) -> None:
    """Give a league's or tournament's standings and results in a file."""
    view = await load_contest(answer.app, number, answer.guild)
    await require_contest_shown(answer, view)
    saved = await service.export_contest(answer.app, view, kind)
    await answer.send(contest_export_card(answer.reader, saved))


async def _build_view(
    answer: InteractionAnswer,
    person: int | None,
    game: str,
    contest: ContestView | None,
    ladder: LadderView | None,
) -> HistoryView:
    """Return what is looked for; raises DeclinedError where the reader may not see all of it.

    Who can't see the channel of a contest or ladder sees it while they take part in it, but of its
    matches only their own.
    """
    if contest:
        await require_contest_shown(answer, contest)
    if ladder:
        await require_ladder_shown(answer, ladder)
    return HistoryView(
        reader=answer.person.id,
        guild=answer.guild,
        person=person,
        game=game,
        contest=contest.contest if contest else None,
        ladder=ladder.ladder if ladder else None,
    )


async def _parse_view(
    answer: InteractionAnswer, person: int, game: str, competition: str
) -> HistoryView:
    """Return what a button's id says is looked for; the reader is whoever presses it."""
    number = parse_number(competition.removeprefix(LADDER))
    contest = ladder = None
    if competition.startswith(LADDER):
        ladder = await load_ladder(answer.app, number, answer.guild)
    elif number:
        contest = await load_contest(answer.app, number, answer.guild)
    # The game may be gone since, and somebody has to be named but for a contest or ladder.
    if (game and game not in GAMES) or not (person or contest or ladder):
        raise UnknownControlError
    return await _build_view(answer, person or None, game, contest, ladder)


async def _build_history_card(answer: InteractionAnswer, view: HistoryView, number: int) -> Card:
    page = await service.load_page(answer.app, view, number)
    links = await find_match_links(answer.client, [each.row for each in page.matches])
    return history_card(answer.reader, view, page, links)


def format_history_heading(say: Reader, view: HistoryView) -> str:
    """Say whose finished matches are listed."""
    if view.person is None:
        return say("### Finished matches")
    if view.person == view.reader:
        return say("### Your finished matches")
    return say("### Finished matches of {who}", who=mention_person(say, view.person))


def format_filters(say: Reader, view: HistoryView) -> str:
    """Say which of them are listed alone; nothing for all."""
    parts = []
    if view.game:
        parts.append(say("Game: {game}", game=format_title(say, GAMES[view.game])))
    if view.contest:
        name = escape_text(format_contest_name(say, view.contest))
        parts.append(
            say("Tournament: {tournament}", tournament=name)
            if view.contest.is_tournament
            else say("League: {league}", league=name)
        )
    if view.ladder:
        parts.append(say("Ladder: {ladder}", ladder=escape_text(view.ladder.name)))
    return "\n".join(parts)


def format_no_match(say: Reader, view: HistoryView) -> str:
    """Say that no match was found, and what to do."""
    if view.is_filtered:
        return say(
            "No finished match fits. Leave out an option of `/history` to see more; `/matches` "
            "lists those in progress."
        )
    if view.person == view.reader:
        return say("You have no finished match yet. Start one with `/play` or `/challenge`.")
    who = mention_person(say, view.person or 0)
    if view.guild == NO_SERVER:
        return say(
            "You and {who} haven't finished a match together. In a server, `/history` "
            "lists the matches that {who} finished there.",
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
        match: escape_text(shorten_text(name, MAX_COMPETITION_LENGTH))
        for match, name in names.items()
    }


def format_past_match(
    say: Reader,
    match: PastMatch,
    person: int | None,
    link: str | None,
    competition: str | None,
) -> str:
    """Describe one finished match as it went for somebody; without a person, who has won it.

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
        text = say(
            "<t:{at}:d> {match}, {game}, {gold} against {black}: **{result}** ({ending})",
            gold=mention_people(say, match.list_players(Side.GOLD)),
            black=mention_people(say, match.list_players(Side.BLACK)),
            result=_format_winner(say, match),
            **parts,
        )
    else:
        text = say(
            "<t:{at}:d> {match}, {game}, against {others}: **{result}** ({ending})",
            others=mention_people(say, match.list_players(side.other)),
            result=_format_result(say, match.find_result(side)),
            **parts,
        )
    return f"{text}\n-# {competition}" if competition else text


def _format_cause(say: Reader, match: PastMatch) -> str:
    game = find_game(match.row.game, match.row.edition)
    people = {side: match.list_players(side) for side in Side}
    # A team is called by its side, since a page has no room to name everyone in it again.
    named = {side: mention_person(say, sat[0]) for side, sat in people.items() if len(sat) == 1}
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
    """Say how many matches there are, and which page of them this is."""
    text = say.plural("{n} match.", "{n} matches.", page.paging.count)
    return join_sentences(say, text, format_page_number(say, page.paging))


def format_export_reply(say: Reader, export: Export) -> str:
    """Say what is in a file of matches, and where it is described."""
    if export.matches < export.count:
        text = say(
            "The newest {n} of {count} matches are in this file, the most that one takes. Choose "
            "a game, league or ladder to get older ones.",
            n=export.matches,
            count=export.count,
        )
    else:
        text = say.plural(
            "{n} match is in this file.", "{n} matches are in this file.", export.matches
        )
    return join_sentences(say, text, _say_where_fields_are(say))


def format_contest_export_reply(say: Reader, export: ContestExport) -> str:
    """Say what is in a league's file, and where it is described."""
    contest = escape_text(format_contest_name(say, export.view.contest))
    text = say.plural(
        "The standings of {contest} and its {n} match are in this file.",
        "The standings of {contest} and its {n} matches are in this file.",
        len(export.view.pairings),
        contest=contest,
    )
    return join_sentences(say, text, _say_where_fields_are(say))


def _say_where_fields_are(say: Reader) -> str:
    return say("`docs/record.md` explains its fields.")
