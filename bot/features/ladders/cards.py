"""The cards of a ladder, with their buttons and sentences."""

from collections.abc import Iterator, Mapping, Sequence

from discord import ButtonStyle

from bot.features.contests.competitions import build_people_menu, list_people_menus
from bot.features.ladders.rungs import (
    ANSWER_MS,
    DECLINED,
    INACTIVE_MS,
    LAPSED,
    REACH,
    REMATCH_MS,
    WITHDRAWN,
    ChallengeRules,
    LadderAction,
    LadderChallenge,
    LadderEvent,
    list_readmittable,
)
from bot.features.ladders.service import ImpededError, list_near
from bot.features.ladders.tables import Ladder, LadderView
from bot.features.matches.scene import picture_names
from bot.features.matches.texts import (
    format_relative_time,
    format_terms_line,
    mention_person,
    name_people,
)
from bot.platform.db.rows import PersonNames
from bot.platform.i18n import common
from bot.platform.i18n.reader import DeclinedError, Reader, escape_text
from bot.platform.people import clean_text
from bot.platform.ui.card import TABLE_FILE, Card, Item, Picture, list_lines
from bot.platform.ui.channels import build_link
from bot.platform.ui.controls import VerbScope, build_button, declare_verb
from engine.clock import DAY
from engine.games import GAMES
from engine.outcome import ANNULLED, FORFEITED
from render.table import Table, TableRow, TableSection, describe_table

JOIN = declare_verb("ladderjoin", VerbScope.NUMBER)
LEAVE = declare_verb("ladderleave", VerbScope.NUMBER)
NEXT = declare_verb("laddernext", VerbScope.NUMBER)
CHALLENGE = declare_verb("ladderchallenge", VerbScope.NUMBER)
MANAGE = declare_verb("laddermanage", VerbScope.NUMBER)
CLOSE = declare_verb("ladderclose", VerbScope.NUMBER)
REMOVE = declare_verb("ladderremove", VerbScope.NUMBER)
READMIT = declare_verb("ladderreadmit", VerbScope.NUMBER)
OUT = declare_verb("ladderout", VerbScope.NUMBER)
"""The id of the form in which the reason for removing somebody is typed."""


MAX_RESULTS = 5
"""Latest results that the message of a ladder has."""
MAX_DRAWN = 16
"""Rungs in the picture: Discord makes a higher one too small to be read."""


def ladder_card(
    say: Reader, view: LadderView, people: Mapping[int, PersonNames], person: int | None = None
) -> Card:
    """Return a ladder's message: the rungs, who is playing whom, and what happened last."""
    rungs = view.rungs
    # The picture has the first, so that nobody is listed twice.
    lower = enumerate(rungs[MAX_DRAWN:], MAX_DRAWN + 1)
    lines = [format_rung_line(say, at, person) for at, person in lower]
    running = [format_running_line(say, each) for each in view.running]
    over = [each for each in view.challenges if not each.is_running and each.how != WITHDRAWN]
    latest = sorted(over, key=lambda each: (each.settled or 0, each.id), reverse=True)
    results = [format_result_line(say, each) for each in latest[:MAX_RESULTS]]
    return Card(
        texts=(
            format_ladder_heading(view.ladder),
            format_own_rung(say, view, person) if person in rungs else "",
            format_closing(say, view) or format_ladder_terms(say, view.ladder),
            *([list_lines(say, lines, joined=True)] if lines else []),
            "" if rungs else say("Nobody has joined yet."),
            format_gone(
                say, [name_people(say, people)[each] for each in view.order if each in view.gone]
            ),
        ),
        picture=_build_picture(say, view, people) if rungs else None,
        below=tuple(
            list_lines(say, (heading, *(f"- {line}" for line in listed)), joined=True)
            for heading, listed in (
                (say("**Challenges and matches**"), running),
                (say("**Latest results**"), results),
            )
            if listed
        ),
        controls=list_ladder_buttons(say, view),
        small=explain_ladder(say) if view.ladder.is_open else "",
    )


def _build_picture(say: Reader, view: LadderView, people: Mapping[int, PersonNames]) -> Picture:
    """Return the top rungs, to be drawn."""
    names, drawn = name_people(say, people), picture_names(say, people, {})
    rows = [
        TableRow(
            rank=str(rung),
            name=names[person],
            cells=tuple(map(str, view.count_matches(person))),
            drawn_name=drawn[person],
        )
        for rung, person in enumerate(view.rungs[:MAX_DRAWN], 1)
    ]
    table = Table(
        title=clean_text(view.ladder.name),
        columns=(
            # Translators: heading of a narrow column of numbers: matches that somebody has played.
            say("Played"),
            # Translators: heading of a narrow column of numbers: matches that somebody has won.
            say("Won"),
        ),
        sections=(TableSection("", tuple(rows)),),
    )
    return Picture(table, describe_table(table, common.translate_joints(say)), TABLE_FILE)


def choices_card(
    say: Reader,
    view: LadderView,
    rules: ChallengeRules,
    person: int,
    people: Mapping[int, PersonNames],
) -> Card:
    """Return whom somebody on a ladder can challenge now, and why not the others near them."""
    names = name_people(say, people)
    found = {
        each: rules.find_impediment(person, each)
        for each in list_near(view, person)
        if each != person
    }
    refusals = {
        each: None if why is None else ImpededError(why, names[each]) for each, why in found.items()
    }
    free = [each for each, why in found.items() if why is None]
    question = say("Challenge a player")
    return Card(
        texts=(
            format_ladder_heading(view.ladder),
            format_own_rung(say, view, person),
            list_lines(say, format_choices(say, view, refusals), joined=True),
        ),
        controls=(build_people_menu(f"{CHALLENGE}:{view.ladder.id}", question, free, names),)
        if free
        else (),
    )


def ladder_manage_card(
    say: Reader,
    view: LadderView,
    rulings: Sequence[LadderEvent],
    people: Mapping[int, PersonNames],
) -> Card:
    """Return what organisers can do to a ladder, and what was done."""
    lines = (format_ladder_ruling(say, each) for each in reversed(rulings))
    return Card(
        texts=(
            format_ladder_heading(view.ladder),
            list_lines(say, lines, joined=True),
        ),
        controls=list_manage_controls(say, view, rulings, name_people(say, people)),
        small=say(
            "Removing a player, or closing the ladder, asks for a reason, which is kept here. "
            "Anyone removed forfeits the matches in progress, unrated; if you let them back in, "
            "they start at the bottom. When the ladder is closed, open challenges are withdrawn; "
            "matches in progress can be finished, but move nobody."
        )
        if view.ladder.is_open
        else "",
    )


def readmission_card(say: Reader, view: LadderView, person: int) -> Card:
    """Return what tells somebody that the organisers of a ladder have let them back in."""
    ladder = view.ladder
    text = say(
        "The organisers let you back onto {ladder}, which you can climb again from the bottom: "
        "{link}",
        ladder=escape_text(ladder.name),
        link=build_link(ladder.guild, ladder.channel, ladder.message),
    )
    return Card(texts=(f"{text}\n{format_own_rung(say, view, person)}",))


def list_ladder_buttons(say: Reader, view: LadderView) -> tuple[Item, ...]:
    """Return the buttons below a ladder's message, for everyone; none once it is closed."""
    number = view.ladder.id
    if not view.ladder.is_open:
        return ()
    return (
        # Translators: button: the reader joins the league, tournament or ladder (verb).
        build_button(say("Join"), f"{JOIN}:{number}", ButtonStyle.success),
        # Translators: button: challenges somebody who stands above the reader on the ladder (verb).
        build_button(say("Challenge"), f"{NEXT}:{number}", ButtonStyle.primary),
        # Translators: button: the reader leaves the ladder (verb).
        build_button(say("Leave"), f"{LEAVE}:{number}"),
        # Translators: button: shows what the organisers of a ladder can do (verb).
        build_button(say("Manage"), f"{MANAGE}:{number}"),
    )


def list_manage_controls(
    say: Reader, view: LadderView, rulings: Sequence[LadderEvent], names: Mapping[int, str]
) -> tuple[Item, ...]:
    """Return what an organiser can do to a ladder: close it, and menus of those on it or off it."""
    if not view.ladder.is_open:
        return ()
    number = view.ladder.id
    menus = [
        *list_people_menus(f"{REMOVE}:{number}", label_removal(say), view.order, names),
        *list_people_menus(
            f"{READMIT}:{number}", say("Let a player back in"), list_readmittable(rulings), names
        ),
    ]
    return (build_button(label_closing(say), f"{CLOSE}:{number}", ButtonStyle.danger), *menus)


def label_removal(say: Reader) -> str:
    """Return what an organiser presses to remove somebody."""
    return say("Remove a player")


def label_closing(say: Reader) -> str:
    """Return what an organiser presses to close a ladder."""
    return say("Close the ladder")


MAX_GONE_NAMED = 10
"""People who are out of the way whom the message of a ladder names."""


def format_ladder_heading(ladder: Ladder) -> str:
    """Name a ladder in a heading."""
    return f"### {escape_text(ladder.name)}"


def format_ladder_terms(say: Reader, ladder: Ladder) -> str:
    """Say what is played on a ladder, and how."""
    line = format_terms_line(say, ladder.game, ladder.pace, rated=ladder.rated)
    agreed = common.format_house_rules(say, GAMES[ladder.game], ladder.options)
    return "\n".join((line, *(f"- {rule}" for rule in agreed)))


def format_rung_line(say: Reader, number: int, person: int) -> str:
    """Say who stands on a rung."""
    who = mention_person(say, person)
    # Translators: the number of a rung of a ladder, then who stands on it.
    return say.in_context("a rung of a ladder", "**{rung}.** {who}", rung=number, who=who)


def format_gone(say: Reader, names: Sequence[str]) -> str:
    """Say who of a ladder is out of the way, as they can't play in the server; nothing for none."""
    if not names:
        return ""
    texts = [escape_text(each) for each in names[:MAX_GONE_NAMED]]
    if len(names) > MAX_GONE_NAMED:
        texts.append(common.format_remainder(say, len(names) - MAX_GONE_NAMED))
    return say(
        "-# Not in the server, or without the role it asks for: {people}. They're out of the way, "
        "and get their rung back when they return.",
        people=say.format_list(texts),
    )


def format_running_line(say: Reader, challenge: LadderChallenge) -> str:
    """Describe a challenge that can be answered, or is being played."""
    who, whom = mention_person(say, challenge.challenger), mention_person(say, challenge.challenged)
    if challenge.match is None:
        return say(
            "{who} challenges {whom}, whose time to answer runs out {when}",
            who=who,
            whom=whom,
            when=format_relative_time(challenge.expires),
        )
    return say("{who} plays {whom}: match {n}", who=who, whom=whom, n=challenge.match)


def format_result_line(say: Reader, over: LadderChallenge) -> str:
    """Say what came of a challenge, and whether anybody moved by it."""
    who, whom = mention_person(say, over.challenger), mention_person(say, over.challenged)
    parts = {"who": who, "whom": whom, "when": common.format_date(over.settled or 0)}
    if over.how == DECLINED:
        return say("{when}: {whom} declined, so {who} won by forfeit, unrated", **parts)
    if over.how == LAPSED:
        return say("{when}: {whom} didn't answer, so {who} won by forfeit, unrated", **parts)
    if over.how == ANNULLED:
        return say(
            "{when}: the match of {who} and {whom} was annulled, and counts for nothing", **parts
        )
    if over.winner is None:
        if over.how == FORFEITED:
            return say("{when}: {who} and {whom} both forfeited; nobody moved", **parts)
        return say("{when}: {who} and {whom} drew; nobody moved", **parts)
    if over.winner == over.challenged:
        if over.how == FORFEITED:
            return say("{when}: {who} forfeited to {whom}, unrated; nobody moved", **parts)
        return say("{when}: {whom} won against {who}; nobody moved", **parts)
    if over.how == FORFEITED:
        return say("{when}: {whom} forfeited to {who}, unrated", **parts)
    return say("{when}: {who} won against {whom}", **parts)


def explain_ladder(say: Reader) -> str:
    """Explain by which rules people move, in the small print."""
    return say(
        "Challenge a player up to {reach} rungs above you: if you win, you take their rung, and "
        "those between move one down. Whoever declines, or doesn't answer within {answer} days, "
        "loses by forfeit, unrated. The same two meet once in {rematch} days. You have one "
        "challenge or match at a time as challenger, and one as challenged. Whoever hasn't "
        "challenged, answered or played here for {inactive} days drops one rung a week, but not "
        "while on vacation; after it the {inactive} days begin anew.",
        reach=REACH,
        answer=ANSWER_MS // DAY,
        rematch=REMATCH_MS // DAY,
        inactive=INACTIVE_MS // DAY,
    )


def format_closing(say: Reader, view: LadderView) -> str:
    """Say who closed a ladder and why; nothing while it is open."""
    ruling = view.closing
    if ruling is None or ruling.moderator is None:
        return ""
    return say(
        "{who} closed the ladder: {reason}",
        who=mention_person(say, ruling.moderator),
        reason=common.format_quotation(say, ruling.reason),
    )


def format_ladder_ruling(say: Reader, ruling: LadderEvent) -> str:
    """Say what an organiser did, and why."""
    parts = {
        "when": common.format_date(ruling.at),
        "who": mention_person(say, ruling.moderator or 0),
        "reason": common.format_quotation(say, ruling.reason),
    }
    if ruling.action is LadderAction.CLOSE:
        return say("{when}: {who} closed the ladder. {reason}", **parts)
    whom = mention_person(say, ruling.person or 0)
    if ruling.action is LadderAction.JOIN:
        return say("{when}: {who} let {whom} back in.", whom=whom, **parts)
    return say("{when}: {who} removed {whom}. {reason}", whom=whom, **parts)


def format_choices(
    say: Reader, view: LadderView, refusals: Mapping[int, DeclinedError | None]
) -> Iterator[str]:
    """Tell for people near somebody whether they can be challenged, or why not."""
    rungs = {person: rung for rung, person in enumerate(view.rungs, 1)}
    for person, refusal in refusals.items():
        rung = rungs.get(person)
        line = mention_person(say, person) if rung is None else format_rung_line(say, rung, person)
        why = say("**can be challenged**") if refusal is None else refusal.format(say)
        yield common.format_labelled(say, line, why)


def format_own_rung(say: Reader, view: LadderView, person: int) -> str:
    """Tell somebody their rung."""
    return say(
        "You're on rung {n} of {most}.", n=view.rungs.index(person) + 1, most=len(view.rungs)
    )
