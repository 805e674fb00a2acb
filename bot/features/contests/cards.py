"""The cards of a contest: its message for everyone, and what one person asks for."""

from collections.abc import Mapping, Sequence
from functools import partial

from bot.features.contests import texts as words
from bot.features.contests import tournament_texts as tournament_words
from bot.features.contests.bracket import Bracket
from bot.features.contests.bracket_texts import (
    build_drawn_bracket,
    choose_drawn_rounds,
    describe_bracket,
    format_bracket,
)
from bot.features.contests.controls import (
    list_contest_buttons,
    list_ruling_controls,
    make_division_menu,
)
from bot.features.contests.pictures import build_swiss_table, build_table
from bot.features.contests.results import (
    compute_knock_out,
    compute_swiss,
    list_champions,
    list_tables,
)
from bot.features.contests.rows import ContestFormat, ContestState, ContestView
from bot.features.contests.server_texts import format_server_problems
from bot.features.contests.service import get_least_entrants, get_most_entrants
from bot.features.matches.name_texts import mention_person, name_people
from bot.features.matches.scene import picture_names
from bot.features.matches.session import MatchSession
from bot.platform.i18n.common import format_labelled, format_remainder
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import BRACKET_FILE, TABLE_FILE, Card, Item, Listing, Picture
from bot.store import PersonNames
from render.table import Table, describe_table

MOST_DRAWN = 2
"""Divisions in the picture for everyone: Discord makes a higher one too small to be read."""


def contest_card(
    say: Reader,
    view: ContestView,
    people: Mapping[int, PersonNames],
    now: int,
    following: int | None = None,
) -> Card:
    """Return a contest's message: sign-up, then its tables or its bracket, then who has won."""
    contest = view.contest
    heading = words.format_contest_heading(say, contest)
    controls = list_contest_buttons(say, view, now)
    least = get_least_entrants(contest)
    problems = format_server_problems(say, contest)
    if contest.state is ContestState.OPEN:
        return Card(
            texts=(
                heading,
                tournament_words.format_contest_terms(say, contest),
                words.format_entrants(say, view, get_most_entrants(contest)),
            ),
            controls=controls,
            small=_join_small(words.format_sign_up_end(say, contest, least), problems),
        )
    if contest.state is ContestState.CANCELLED:
        # Without matches there is nothing to check.
        is_public = bool(view.pairings) and view.is_secret_public
        return Card(
            texts=(heading, words.format_cancellation(say, view, least)),
            small=words.format_dice_line(say, contest) if is_public else "",
        )
    told = tournament_words.format_game_line(say, contest)
    if contest.state is ContestState.OVER:
        told = words.format_champions(say, list_champions(view))
    picture, below = _show_results(say, view, people)
    return Card(
        texts=(heading, told),
        picture=picture,
        below=(
            *below,
            tournament_words.format_progress(say, view),
            words.format_next_season(say, following),
        ),
        controls=controls,
        small=_join_small(words.format_dice_line(say, contest), problems),
    )


def _join_small(*parts: str) -> str:
    # The first ends in the digits that the dice are committed to.
    return "\n".join(filter(None, parts))


def _show_results(
    say: Reader, view: ContestView, people: Mapping[int, PersonNames]
) -> tuple[Picture | None, tuple[str, ...]]:
    """Return the picture of how a contest stands, and what of it is said in words."""
    match view.contest.format:
        case ContestFormat.KNOCK_OUT:
            return _show_bracket(say, view, compute_knock_out(view), people)
        case ContestFormat.SWISS:
            standings = compute_swiss(view)
            return _show_table(build_swiss_table(say, view, standings, people)), ()
    tables = list_tables(view)
    drawn = range(min(len(tables), MOST_DRAWN))
    others = tuple(
        words.format_leaders(say, number, standings)
        for number, standings in enumerate(tables[MOST_DRAWN:], MOST_DRAWN)
    )
    return _show_table(build_table(say, view, tables, people, drawn)), others


def _show_bracket(
    say: Reader, view: ContestView, bracket: Bracket, people: Mapping[int, PersonNames]
) -> tuple[Picture | None, tuple[str, ...]]:
    """Return the picture of a bracket; in its place the round in words, where that is too large."""
    rounds = choose_drawn_rounds(bracket)
    if not rounds:
        return None, format_bracket(say, bracket, _mention_all(people))
    title = words.format_contest_name(say, view.contest)
    drawn = build_drawn_bracket(say, title, bracket, picture_names(say, people, {}), rounds)
    described = describe_bracket(say, title, bracket, name_people(say, people), rounds)
    return Picture(drawn, described, BRACKET_FILE), ()


def _mention_all(people: Mapping[int, PersonNames]) -> Mapping[int, str]:
    return {person: mention_person(person) for person in people}


def _show_table(table: Table) -> Picture:
    return Picture(table, describe_table(table), TABLE_FILE)


def explanation_card(
    say: Reader, view: ContestView, people: Mapping[int, PersonNames], number: int
) -> Card:
    """Return how a contest stands, with the sums by which it is ordered.

    Of a league it is the division of that `number`, counted from 0.
    """
    heading = words.format_contest_heading(say, view.contest)
    match view.contest.format:
        case ContestFormat.KNOCK_OUT:
            bracket = compute_knock_out(view)
            lines: Sequence[str] = format_bracket(say, bracket, _mention_all(people))
            picture, _ = _show_bracket(say, view, bracket, people)
            explained = tournament_words.explain_knock_out(say)
            menu: tuple[Item, ...] = ()
        case ContestFormat.SWISS:
            standings = compute_swiss(view)
            lines = [tournament_words.format_swiss_line(say, each) for each in standings]
            picture = _show_table(build_swiss_table(say, view, standings, people))
            explained = tournament_words.explain_swiss_order(say)
            menu = ()
        case _:
            tables = list_tables(view)
            labels = [words.format_division(say, at) for at in range(len(tables))]
            lines = [words.format_standing_line(say, each) for each in tables[number]]
            picture = _show_table(build_table(say, view, tables, people, [number]))
            explained = words.explain_order(say)
            menu = make_division_menu(view.contest.id, number, labels)
            if len(tables) > 1:
                heading = format_labelled(say, heading, labels[number])
    return Card(
        texts=(
            heading,
            Listing(tuple(lines), more=partial(format_remainder, say), joined=True),
        ),
        picture=picture,
        below=(explained,),
        controls=menu,
    )


def own_matches_card(
    say: Reader,
    view: ContestView,
    person: int,
    links: Mapping[int, str],
    sessions: Mapping[int, MatchSession],
) -> Card:
    """Return somebody's matches in a contest, with who plays them and links."""
    lines = (
        *words.format_own_matches(say, view, person, links, sessions),
        *(tournament_words.format_bye(say, bye) for bye in view.byes if bye.person == person),
    )
    return Card(
        texts=(
            words.format_contest_heading(say, view.contest),
            Listing(lines, more=partial(format_remainder, say), joined=True),
        ),
        below=(tournament_words.format_progress(say, view),),
    )


def manage_card(say: Reader, view: ContestView, people: Mapping[int, PersonNames]) -> Card:
    """Return what organisers see of a contest: how it stands, what can be done, and what was."""
    names = name_people(say, people)
    lines = tuple(words.format_ruling_line(say, each) for each in reversed(view.rulings))
    return Card(
        texts=(
            words.format_contest_heading(say, view.contest),
            tournament_words.format_state(say, view, get_least_entrants(view.contest)),
            Listing(lines, more=partial(format_remainder, say), joined=True),
        ),
        controls=list_ruling_controls(say, view, names),
        small=words.explain_rulings(say) if view.contest.is_unfinished else "",
    )
