"""The cards of a contest and their buttons: its message, its picture, what one person asks for."""

from collections.abc import Mapping, Sequence

from discord import ButtonStyle

from bot.features.contests import texts
from bot.features.contests.competitions import list_people_menus
from bot.features.contests.formats import StandingsDrawing, get_format, may_come_back, may_skip
from bot.features.contests.planning import is_open_late, list_readmittable, may_replace
from bot.features.contests.results import list_champions, list_concerned, list_returning
from bot.features.contests.service import get_most_entrants
from bot.features.contests.tables import Contest, ContestState, ContestView, Pairing, RulingAction
from bot.features.matches.session import MatchSession
from bot.features.matches.texts import name_people
from bot.platform.db.rows import PersonNames
from bot.platform.i18n.common import Paging, find_page, format_labelled, format_page_number
from bot.platform.i18n.reader import Reader
from bot.platform.ui import card
from bot.platform.ui.card import Card, Item
from bot.platform.ui.channels import build_link
from bot.platform.ui.controls import (
    VerbScope,
    build_button,
    build_choice_menu,
    build_page_buttons,
    declare_verb,
)
from render.bracket import DrawnBracket

JOIN = declare_verb("leaguejoin", VerbScope.NUMBER)
LEAVE = declare_verb("leagueleave", VerbScope.NUMBER)
BACK = declare_verb("leagueback", VerbScope.NUMBER)
MATCHES = declare_verb("leaguematches", VerbScope.NUMBER)
MINE = declare_verb("leaguemine", VerbScope.NUMBER)
TABLE = declare_verb("leaguetable", VerbScope.NUMBER)
RULE = declare_verb("leaguerule", VerbScope.NUMBER)
REMOVE = declare_verb("leagueremove", VerbScope.NUMBER)
SKIP = declare_verb("leagueskip", VerbScope.NUMBER)
AGAIN = declare_verb("leagueagain", VerbScope.NUMBER)
FORM = "leagueform"
"""The id of the form in which the terms of a new one are chosen; it carries the other terms."""
OUT = declare_verb("leagueout", VerbScope.NUMBER)
"""The id of the form in which the reason for removing or replacing somebody is typed."""


def list_contest_buttons(
    say: Reader, view: ContestView, now: int, person: int | None = None
) -> tuple[Item, ...]:
    """Return the buttons below a contest's message, for everyone or one `person`, at an instant."""
    number, state = view.contest.id, view.contest.state
    if state is ContestState.OPEN:
        join = build_join_button(say, number)
        # Translators: button: the reader, who had joined, leaves before the start (verb).
        label = say.in_context("from a league or tournament", "Withdraw")
        leave = build_button(label, f"{LEAVE}:{number}")
        return (leave,) if view.contest.is_waiting else (join, leave)
    if state is ContestState.CANCELLED:
        return ()
    shown: tuple[Item, ...] = (
        build_button(say("My matches"), f"{MINE}:{number}", ButtonStyle.primary),
        build_button(get_format(view.contest).label_table(say), f"{TABLE}:{number}"),
        # Translators: button: lists everybody's matches of the league or tournament.
        build_button(say("Matches"), f"{MATCHES}:{number}"),
    )
    if get_format(view.contest).list_returnable(view):
        shown = (*shown, build_back_button(say, view))
    if is_open_late(view, now):
        shown = (*shown, build_button(say("Join late"), f"{JOIN}:{number}"))
    # Not on the message for everyone, where few would press it and some by mistake.
    if view.contest.is_running and any(each.person == person for each in view.present):
        # Translators: button: the reader leaves the league or tournament while it's played (verb).
        shown = (*shown, build_button(say("Leave"), f"{LEAVE}:{number}"))
    return shown


def build_join_button(say: Reader, number: int) -> Item:
    """Return the button by which people sign up for a contest."""
    # Translators: button: the reader joins the league, tournament or ladder (verb).
    return build_button(say("Join"), f"{JOIN}:{number}", ButtonStyle.success)


def build_back_button(say: Reader, view: ContestView) -> Item:
    """Return the button by which somebody who sits out plays from the next round on."""
    # Translators: button: the reader, who had missed a round, plays from the next one on.
    return build_button(say("I'm back"), f"{BACK}:{view.contest.id}")


def build_page_menu(number: int, chosen: int, labels: Sequence[str]) -> tuple[Item, ...]:
    """Return the menu by which another division or page is explained; none for a single one."""
    if len(labels) < 2:
        return ()
    entries = [(str(at), label, "") for at, label in enumerate(labels)]
    return (build_choice_menu(f"{TABLE}:{number}", entries, str(chosen)),)


def label_ruling(say: Reader, action: RulingAction) -> str:
    """Return what an organiser presses for a ruling."""
    return {
        RulingAction.START: say("Start now"),
        RulingAction.EXTEND: say("One more week"),
        RulingAction.REMOVE: say("Remove a player"),
        # Translators: button: stops a league or tournament for a while (verb).
        RulingAction.PAUSE: say("Pause"),
        # Translators: button: starts a league or tournament again that was paused (verb).
        RulingAction.RESUME: say("Resume"),
        RulingAction.REPLACE: say("Replace a player"),
        RulingAction.READMIT: say("Let a player back in"),
        RulingAction.CANCEL: say("Call it off"),
    }[action]


def list_ruling_controls(say: Reader, view: ContestView, names: dict[int, str]) -> tuple[Item, ...]:
    """Return what an organiser can do to a contest: buttons, and menus of those who take part."""
    number = view.contest.id
    if not view.contest.is_unfinished:
        return ()
    actions = [RulingAction.START, RulingAction.EXTEND, RulingAction.CANCEL]
    if view.contest.is_running:
        actions[0] = RulingAction.RESUME if view.contest.paused else RulingAction.PAUSE
    items = [
        build_button(
            label_ruling(say, action),
            f"{RULE}:{number}:{action}",
            ButtonStyle.danger if action is RulingAction.CANCEL else ButtonStyle.secondary,
        )
        for action in actions
    ]
    people = [each.person for each in view.present]
    about = {
        RulingAction.REMOVE: people,
        RulingAction.REPLACE: people if may_replace(view) else [],
        RulingAction.READMIT: list_readmittable(view),
    }
    for action, them in about.items():
        menu = f"{REMOVE}:{number}:{action}"
        items += list_people_menus(menu, label_ruling(say, action), them, names)
    return tuple(items)


def build_skip_button(say: Reader, match: int) -> Item:
    """Return the button by which somebody takes a match as unplayed."""
    # Translators: button: the match is not played; a Swiss gives each half a point (verb).
    label = say("Take match {n} as unplayed", n=match)
    return build_button(label, f"{SKIP}:{match}", ButtonStyle.danger)


MAX_BUTTONS = 5
"""Matches that somebody can take as unplayed by the buttons of one message."""


def contest_card(
    say: Reader,
    view: ContestView,
    people: Mapping[int, PersonNames],
    now: int,
    person: int | None = None,
    *,
    before: ContestView | None = None,
    following: ContestView | None = None,
) -> Card:
    """Return a contest's message: sign-up, then its tables or its bracket, then who has won.

    For one `person` alone it begins with their own place. The season `before` is named while
    people sign up, and the `following` one once this one is over.
    """
    contest = view.contest
    heading = texts.format_contest_heading(say, contest)
    controls = list_contest_buttons(say, view, now, person)
    least = get_format(contest).least
    problems = texts.format_server_problems(say, contest)
    if contest.state is ContestState.OPEN:
        return Card(
            texts=(
                heading,
                "\n".join(f"- {line}" for line in texts.list_contest_terms(say, contest)),
                texts.format_last_season(say, before) if before else "",
                ""
                if before and not view.present
                else texts.format_entrants(say, view, get_most_entrants(contest)),
                texts.format_notices(say, view),
                texts.format_size(say, view),
            ),
            controls=controls,
            small=_join_small(texts.format_sign_up_end(say, contest, least), problems),
        )
    if contest.state is ContestState.CANCELLED:
        # Without matches there is nothing to check.
        is_public = bool(view.pairings) and view.is_secret_public
        return Card(
            texts=(heading, texts.format_cancellation(say, view, least)),
            small=texts.format_dice_line(say, contest) if is_public else "",
        )
    text = texts.format_game_line(say, contest)
    if contest.state is ContestState.OVER:
        text = texts.format_champions(say, list_champions(view))
    drawing, below = get_format(contest).show_results(say, view, people)
    return Card(
        texts=(heading, *_list_own_place(say, view, people, person), text),
        picture=_show_drawing(drawing),
        below=(
            *below,
            texts.format_progress(say, view),
            texts.format_notices(say, view),
            _format_next_season(say, following),
            # Said to everyone before the start; who is in the middle of it asks again.
            texts.format_unfinished_rule(say, contest) if person and contest.is_running else "",
        ),
        controls=controls,
        small=_join_small(texts.format_dice_line(say, contest), problems),
    )


def _format_next_season(say: Reader, following: ContestView | None) -> str:
    """Say that people can join the season after one; empty where they can't."""
    if following is None or not following.contest.is_joinable:
        return ""
    return texts.format_invitation(say, following.contest, link_contest(following.contest))


def link_contest(contest: Contest) -> str:
    """Return a link to a contest's message."""
    return build_link(contest.guild, contest.channel, contest.message)


def closing_card(
    say: Reader,
    view: ContestView,
    people: Mapping[int, PersonNames],
    following: ContestView | None = None,
    called: Sequence[int] = (),
) -> Card:
    """Return the post that announces the end of a contest, with the season that follows it."""
    contest = view.contest
    heading = texts.format_closing_heading(say, contest)
    small = texts.format_players(say, list_concerned(view))
    if contest.state is ContestState.CANCELLED:
        reason = texts.format_cancellation(say, view, get_format(contest).least)
        return Card(texts=(heading, reason), small=small, pings=tuple(called))
    drawing, below = get_format(contest).show_results(say, view, people)
    has_moves = contest.repeats or following is not None
    return Card(
        texts=(heading, "\n".join(texts.list_closing_lines(say, view, has_moves=has_moves))),
        picture=_show_drawing(drawing),
        below=(*below, _format_next_season(say, following)),
        controls=list_closing_controls(say, view, following),
        small=small,
        pings=tuple(called),
    )


def list_closing_controls(
    say: Reader, view: ContestView, following: ContestView | None
) -> tuple[Item, ...]:
    """Return the buttons below the post that announces the end of a contest."""
    number = view.contest.id
    controls = [build_button(get_format(view.contest).label_table(say), f"{TABLE}:{number}")]
    # Translators: button: an organiser signs those who played up for the next season or tournament.
    again = build_button(say("Same players again"), f"{AGAIN}:{number}")
    if following is None:
        if not view.contest.is_tournament:
            # Translators: button: an organiser opens the next season of a league (verb).
            again = build_button(say("Open next season"), f"{AGAIN}:{number}")
        controls.append(again)
    elif following.contest.is_joinable:
        if list_returning(view, following):
            controls.insert(0, again)
        controls.insert(0, build_join_button(say, following.contest.id))
    return tuple(controls)


def _join_small(*parts: str) -> str:
    # The first ends in the digits that the dice are committed to.
    return "\n".join(filter(None, parts))


def own_matches_card(
    say: Reader,
    view: ContestView,
    person: int,
    links: Mapping[int, str],
    sessions: Mapping[int, MatchSession],
) -> Card:
    """Return somebody's matches in a contest, with who plays them and links."""
    has_missed = may_come_back(view, person)
    optional = [each.match for each in view.list_own(person) if may_skip(view, each)]
    lines = (
        *texts.format_own_matches(say, view, person, links, sessions),
        *(
            say(
                "Round {n}: a bye, {points}",
                n=bye.round,
                points=texts.format_points(say, bye.points),
            )
            for bye in view.byes
            if bye.person == person
        ),
    )
    return Card(
        texts=(
            texts.format_contest_heading(say, view.contest),
            card.list_lines(say, lines, joined=True),
        ),
        below=(
            texts.format_own_waiting(say, view, person),
            texts.format_progress(say, view),
            say("You're sitting out. Press **I'm back** to play from the next round on.")
            if has_missed
            else "",
        ),
        controls=(
            *((build_back_button(say, view),) if has_missed else ()),
            *(build_skip_button(say, match) for match in optional[:MAX_BUTTONS]),
        ),
    )


MATCHES_PAGE = 10
"""Matches on a page of everybody's."""


def find_matches_page(view: ContestView, number: int) -> tuple[Paging, list[Pairing]]:
    """Return a page of everybody's matches: those in progress, then the others, latest first."""
    running = [each for each in view.pairings if not each.is_over]
    found = [*running, *(each for each in reversed(view.pairings) if each.is_over)]
    paging = find_page(number, len(found), MATCHES_PAGE)
    return paging, found[paging.first : paging.first + MATCHES_PAGE]


def all_matches_card(
    say: Reader,
    view: ContestView,
    paging: Paging,
    pairings: Sequence[Pairing],
    links: Mapping[int, str],
) -> Card:
    """Return a page of everybody's matches in a contest, with links to those that have one."""
    contest = view.contest
    lines = [
        texts.format_pairing_line(say, contest, each, links.get(each.match)) for each in pairings
    ]
    return Card(
        texts=(texts.format_contest_heading(say, contest), card.list_page(say, lines, joined=True)),
        below=(texts.format_progress(say, view),),
        controls=build_page_buttons(
            paging,
            # Translators: button: shows the page of a list before this one.
            say("Back"),
            # Translators: button: shows the page of a list after this one.
            say("Next"),
            lambda number: f"{MATCHES}:{contest.id}:{number}",
        ),
        small=format_page_number(say, paging),
    )


def _show_drawing(drawing: StandingsDrawing | None) -> card.Picture | None:
    if drawing is None:
        return None
    file = card.BRACKET_FILE if isinstance(drawing.drawn, DrawnBracket) else card.TABLE_FILE
    return card.Picture(drawing.drawn, drawing.described, file)


def _list_own_place(
    say: Reader, view: ContestView, people: Mapping[int, PersonNames], person: int | None
) -> tuple[str, ...]:
    """Return the own line of somebody who takes part; of a knock-out it is their latest tie."""
    if person is None:
        return ()
    lines = get_format(view.contest).list_own(say, view, people, person)
    return tuple(say("**You**: {line}", line=line) for line in lines if line)


def explanation_card(
    say: Reader,
    view: ContestView,
    people: Mapping[int, PersonNames],
    person: int,
    page: int | None = None,
) -> Card:
    """Return how a contest stands, with the sums by which it is ordered, a page of it."""
    heading = texts.format_contest_heading(say, view.contest)
    shown = get_format(view.contest).show_page(say, view, people, person, page)
    is_long = len(shown.labels) > 1
    if is_long:
        heading = format_labelled(say, heading, shown.labels[shown.number])
    return Card(
        texts=(
            heading,
            *(_list_own_place(say, view, people, person) if is_long else ()),
            card.list_lines(say, shown.lines, joined=True),
        ),
        picture=_show_drawing(shown.drawing),
        below=(shown.explained,),
        controls=build_page_menu(view.contest.id, shown.number, shown.labels),
    )


def notice_card(say: Reader, view: ContestView, link: str) -> Card | None:
    """Return what tells an organiser what a contest is missing; None where it is nothing."""
    notices = texts.format_notices(say, view)
    if not notices:
        return None
    heading = texts.format_contest_heading(say, view.contest)
    return Card(texts=(heading, notices), below=(link,))


def enrolment_card(say: Reader, contest: Contest, people: Sequence[int]) -> Card:
    """Return what tells last season's players that they are signed up, and lets them withdraw."""
    text = texts.format_enrolment(say, contest, link_contest(contest))
    return Card(
        texts=(texts.address_people(say, people, text),),
        # Translators: button: the reader, who is signed up for a season, withdraws (verb).
        controls=(build_button(say("Sit this one out"), f"{LEAVE}:{contest.id}"),),
        pings=tuple(people),
    )


def direct_card(
    say: Reader, view: ContestView, person: int, following: ContestView | None, *, is_named: bool
) -> Card:
    """Return what tells a player that a contest is over, or that the next season is open.

    In a channel they are named.
    """
    contest, entrant = view.contest, view.find_entrant(person)
    if contest.is_unfinished and entrant:
        text = texts.format_enrolment(say, contest, link_contest(contest))
    else:
        link = build_link(contest.guild, contest.channel, contest.closing)
        text = _format_next_season(say, following) or texts.format_closing_notice(
            say, contest, link
        )
    people = (person,) if is_named else ()
    return Card(texts=(texts.address_people(say, people, text),), pings=people)


def optional_match_card(
    say: Reader, view: ContestView, pairing: Pairing, person: int, link: str | None
) -> Card:
    """Return how somebody is told of a match that they may take as unplayed."""
    controls = (build_skip_button(say, pairing.match),) if may_skip(view, pairing) else ()
    text = texts.format_optional_match(say, view.contest, pairing, person, link)
    return Card(texts=(text,), controls=controls)


def manage_card(say: Reader, view: ContestView, people: Mapping[int, PersonNames]) -> Card:
    """Return what organisers see of a contest: how it stands, what can be done, and what was."""
    names = name_people(say, people)
    lines = tuple(texts.format_ruling_line(say, each) for each in reversed(view.rulings))
    return Card(
        texts=(
            texts.format_contest_heading(say, view.contest),
            texts.format_state(say, view, get_format(view.contest).least),
            texts.format_notices(say, view),
            card.list_lines(say, lines, joined=True),
        ),
        controls=list_ruling_controls(say, view, names),
        small=say(
            "Removing or replacing a player, or calling it off, asks for a reason, which is kept "
            "here. Anyone removed forfeits the matches in progress, unrated; those of somebody who "
            "is replaced are annulled, and whoever joins next plays them from the start. If it's "
            "called off, the matches in progress are annulled."
        )
        if view.contest.is_unfinished
        else "",
    )
