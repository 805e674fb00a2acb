"""The cards of a ladder: its message for everyone, and what one person asks for."""

from collections.abc import Mapping
from functools import partial

from bot.features.ladders import texts as words
from bot.features.ladders.controls import (
    list_challenge_menus,
    list_ladder_buttons,
    list_manage_controls,
)
from bot.features.ladders.rows import LadderView
from bot.features.ladders.rungs import REACH, WITHDRAWN, ChallengeRules
from bot.features.ladders.service import explain_impediment
from bot.features.matches.name_texts import name_people
from bot.features.matches.scene import picture_names
from bot.platform.i18n.common import format_remainder
from bot.platform.i18n.reader import Reader
from bot.platform.people import clean_text
from bot.platform.ui.card import TABLE_FILE, Card, Listing, Picture
from bot.store import PersonNames
from render.table import Table, TableRow, TableSection, describe_table

MOST_RESULTS = 5
"""Latest results that the message of a ladder has."""
SEEN_ABOVE, SEEN_BELOW = REACH + 2, 2
"""Rungs above and below one's own of which one is told whether they can be challenged."""


MOST_DRAWN = 16
"""Rungs in the picture: Discord makes a higher one too small to be read."""


def ladder_card(say: Reader, view: LadderView, people: Mapping[int, PersonNames]) -> Card:
    """Return a ladder's message: the rungs, who is playing whom, and what happened last."""
    rungs = view.rungs
    lines = [words.format_rung_line(at, person) for at, person in enumerate(rungs, 1)]
    running = [words.format_running_line(say, each) for each in view.running]
    over = [each for each in view.challenges if not each.is_running and each.how != WITHDRAWN]
    latest = sorted(over, key=lambda each: (each.settled or 0, each.id), reverse=True)
    results = [words.format_result_line(say, each) for each in latest[:MOST_RESULTS]]
    more = partial(format_remainder, say)
    table = _build_table(say, view, people)
    return Card(
        texts=(
            words.format_ladder_heading(view.ladder),
            words.format_closing(say, view) or words.format_ladder_terms(say, view.ladder),
            Listing(tuple(lines) or (words.format_empty_ladder(say),), more=more, joined=True),
        ),
        picture=Picture(table, describe_table(table), TABLE_FILE) if rungs else None,
        below=tuple(
            Listing((heading, *(f"- {line}" for line in listed)), more=more, joined=True)
            for heading, listed in (
                (say("**Challenges and matches**"), running),
                (say("**Latest results**"), results),
            )
            if listed
        ),
        controls=list_ladder_buttons(say, view),
        small=words.explain_ladder(say) if view.ladder.is_open else "",
    )


def _build_table(say: Reader, view: LadderView, people: Mapping[int, PersonNames]) -> Table:
    """Return the top rungs, to be drawn."""
    names, drawn = name_people(say, people), picture_names(say, people, {})
    rows = [
        TableRow(
            rank=str(rung),
            name=names[person],
            cells=tuple(map(str, view.count_matches(person))),
            drawn_name=drawn[person],
        )
        for rung, person in enumerate(view.rungs[:MOST_DRAWN], 1)
    ]
    return Table(
        title=clean_text(view.ladder.name),
        columns=(
            # Translators: heading of a narrow column of numbers: matches that somebody has played.
            say("Played"),
            # Translators: heading of a narrow column of numbers: matches that somebody has won.
            say("Won"),
        ),
        sections=(TableSection("", tuple(rows)),),
    )


def choices_card(
    say: Reader,
    view: LadderView,
    rules: ChallengeRules,
    person: int,
    people: Mapping[int, PersonNames],
) -> Card:
    """Return whom somebody on a ladder can challenge now, and why not the others near them."""
    names = name_people(say, people)
    own = view.rungs.index(person)
    near = view.rungs[max(0, own - SEEN_ABOVE) : own + SEEN_BELOW + 1]
    found = {each: rules.find_impediment(person, each) for each in near if each != person}
    refusals = {
        each: None if why is None else explain_impediment(view, why, each, names[each])
        for each, why in found.items()
    }
    lines = tuple(words.format_choices(say, view, refusals))
    free = [each for each, why in found.items() if why is None]
    return Card(
        texts=(
            words.format_ladder_heading(view.ladder),
            words.format_own_rung(say, view, person),
            Listing(lines, more=partial(format_remainder, say), joined=True),
        ),
        controls=list_challenge_menus(say, view.ladder.id, free, names),
    )


def ladder_manage_card(say: Reader, view: LadderView, people: Mapping[int, PersonNames]) -> Card:
    """Return what organisers can do to a ladder, and what was done."""
    lines = tuple(words.format_ladder_ruling(say, each) for each in reversed(view.rulings))
    return Card(
        texts=(
            words.format_ladder_heading(view.ladder),
            Listing(lines, more=partial(format_remainder, say), joined=True),
        ),
        controls=list_manage_controls(say, view, name_people(say, people)),
        small=words.explain_ladder_rulings(say) if view.ladder.is_open else "",
    )
