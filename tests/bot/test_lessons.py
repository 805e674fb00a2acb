"""Lessons: learnt by pressing, left and resumed, and told what is wrong with a wrong move."""

import asyncio
from collections.abc import Sequence

import discord
import pytest
import simcord

from bot.features.lessons import service as lessons
from bot.features.lessons.progress import LessonProgress
from bot.features.lessons.store import BegunLessons
from bot.features.matches.store import Matches
from bot.platform.i18n.common import keep_together
from engine.games.lessons import LESSONS
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    find_button,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    list_button_labels,
    list_pictures,
    list_public_messages,
)

pytestmark = pytest.mark.asyncio

WHOLE: dict[str, Sequence[str]] = {
    "zeno": (
        *("a-d", "a-e", "a-g"),
        *("g-k*", "e-k", "y-z"),
        "k-q-u-z",
        *("bar-e", "e-k*", "k-q"),
        "q-w",
    ),
    "tabula": (
        *("hand-d", "hand-d", "hand-b"),
        *("bar-b*", "hand-d", "hand-d"),
        *("b-c*", "d-g", "d-i"),
        *("hand-c", "m-q", "m-r"),
        *("t-off", "w-off", "z-off"),
    ),
    "duodecim-scripta": (
        *("hand-4", "hand-4", "hand-6"),
        *("bar-6*", "4-6", "4-6"),
        *("22-27*", "22-27", "34-36"),
        *("27-31", "27-33", "36-off"),
        *("31-off", "34-off", "36-off"),
    ),
    "ludus-anglicorum": (
        *("Turn the 1 into a six", "a-e", "a-f", "a-g"),
        *("d-i*", "i-m", "n-t*"),
        *("q-x", "n-o", "n-o"),
        *("Turn the 1 into a six", "u-off", "w-off", "y-off"),
    ),
    "twelve-dogs": (
        *("hand-c", "hand-e"),
        *("bar-e*", "hand-b*"),
        "bar-b",
        "hand-e",
    ),
}
"""What is pressed in each lesson, by its buttons' labels."""


async def open_lesson(
    club: SimulatedClub, person: simcord.MemberActor, lesson: str
) -> discord.Message:
    """Somebody asks for a lesson, which nobody else sees."""
    answer = get_response(await person.slash(club.channel, "learn", lesson=lesson))
    assert answer.ephemeral
    return answer.message


def reload_message(
    club: SimulatedClub, person: simcord.MemberActor, message: discord.Message
) -> discord.Message:
    """A message that somebody alone sees, as it is now."""
    answers = club.channel.history(viewer=person)
    return next(each for each in answers if each.id == message.id)


async def press_move(
    club: SimulatedClub, person: simcord.MemberActor, message: discord.Message, label: str
) -> discord.Message:
    """Press the button of a lesson that says so, and return the message as it is then."""
    shown = reload_message(club, person, message)
    await person.click(shown, label=keep_together(label))
    return reload_message(club, person, message)


async def post_button(club: SimulatedClub, custom_id: str) -> discord.Message:
    """A message with a button that is old, somebody else's, or never was one of ours."""
    layout = discord.ui.LayoutView(timeout=None)
    layout.add_item(discord.ui.ActionRow(discord.ui.Button(label="it", custom_id=custom_id)))
    layout.stop()
    await club.bot.get_partial_messageable(club.channel.id).send(view=layout)
    return get_newest_message(club)


async def press_all(
    club: SimulatedClub, person: simcord.MemberActor, message: discord.Message, *labels: str
) -> discord.Message:
    """Press one after another."""
    for label in labels:
        message = await press_move(club, person, message, label)
    return message


@pytest.mark.parametrize("slug", LESSONS)
async def test_a_whole_lesson_is_done_by_pressing(club: SimulatedClub, slug: str) -> None:
    lesson = LESSONS[slug]
    message = await open_lesson(club, club.ana, slug)
    titles = [step.title for step in lesson.steps]
    seen = []
    for label in WHOLE[slug]:
        text = extract_text(message)
        at = next(n for n, title in enumerate(titles, 1) if f"Step {n} of" in text)
        assert f"Step {at} of {len(titles)}: {titles[at - 1]}" in text
        assert lesson.steps[at - 1].task in text
        assert len(list_pictures(message)) == 1
        if at not in seen:
            seen.append(at)
            if at > 1:
                # What the step before did, and how the opponent answered.
                assert lesson.steps[at - 2].done in text
        message = await press_move(club, club.ana, message, label)
    assert seen == list(range(1, len(titles) + 1))
    text = extract_text(message)
    assert "Finished" in text
    assert lesson.steps[-1].done in text
    assert lesson.summary in text
    (picture,) = list_pictures(message)
    assert "Gold won" in (picture.description or "")
    assert list_public_messages(club) == []


async def test_the_last_card_leads_to_the_computer_and_the_rules(club: SimulatedClub) -> None:
    message = await open_lesson(club, club.ana, "twelve-dogs")
    message = await press_all(club, club.ana, message, *WHOLE["twelve-dogs"])
    assert list_button_labels(message) == [
        "Play Twelve Dogs against the computer",
        "The rules",
        "All lessons",
        "Start over",
    ]
    ruled = await club.ana.click(message, label="The rules")
    assert "### Twelve Dogs: the rules" in get_ephemeral_text(ruled)
    await club.ana.click(message, label="Play Twelve Dogs against the computer")
    assert "### Twelve Dogs\n-# Match 1" in extract_text(get_newest_message(club))


async def test_a_wrong_move_is_explained_and_changes_nothing(club: SimulatedClub) -> None:
    message = await open_lesson(club, club.ana, "zeno")
    message = await press_all(club, club.ana, message, "a-g", "a-e", "a-d")
    labels = list_button_labels(message)
    before = await club.store.get(BegunLessons).load(club.ana.id, "zeno")
    message = await press_move(club, club.ana, message, "g-m")
    text = extract_text(message)
    step = LESSONS["zeno"].steps[1]
    assert f"Not quite. {step.hint}" in text
    assert step.task not in text
    # The arrows show what would be right, and the same can be pressed as before.
    (picture,) = list_pictures(message)
    assert "Arrows 1: " in (picture.description or "")
    assert list_button_labels(message) == labels
    assert await club.store.get(BegunLessons).load(club.ana.id, "zeno") == before
    message = await press_move(club, club.ana, message, "g-k*")
    assert "Good. Still to play: 5-1." in extract_text(message)
    assert step.task in extract_text(message)


async def test_a_move_may_have_an_explanation_of_its_own(club: SimulatedClub) -> None:
    message = await open_lesson(club, club.ana, "zeno")
    message = await press_all(club, club.ana, message, *WHOLE["zeno"][:7], "bar-f")
    assert "Not quite. From f you'd need a 4 to hit on k." in extract_text(message)
    message = await press_all(club, club.ana, message, "Show me")
    assert "Not quite" not in extract_text(message)
    assert LESSONS["zeno"].steps[3].hint in extract_text(message)
    (picture,) = list_pictures(message)
    assert "Arrows 1: bar to e, e to k (hit), k to q." in (picture.description or "")


async def test_a_die_that_should_not_be_turned_is_explained(club: SimulatedClub) -> None:
    message = await open_lesson(club, club.ana, "ludus-anglicorum")
    assert list_button_labels(message) == [
        "Turn the 1 into a six",
        "Turn the 4 into a six",
        "Turn the 5 into a six",
        "Show me",
    ]
    message = await press_move(club, club.ana, message, "Turn the 5 into a six")
    assert "Not quite. Any die may be turned" in extract_text(message)
    message = await press_move(club, club.ana, message, "Turn the 1 into a six")
    assert "Good. Now play 6-5-4." in extract_text(message)


async def test_where_any_move_will_do_one_way_can_be_shown(club: SimulatedClub) -> None:
    message = await open_lesson(club, club.ana, "zeno")
    message = await press_move(club, club.ana, message, "Show me")
    assert "The arrows show one way." in extract_text(message)
    assert LESSONS["zeno"].steps[0].task in extract_text(message)


async def test_a_lesson_is_left_and_resumed_after_a_restart(club: SimulatedClub) -> None:
    message = await open_lesson(club, club.ana, "zeno")
    await press_all(club, club.ana, message, *WHOLE["zeno"][:5])
    bot = await club.restart_bot()
    asked = get_response(await club.ana.slash(club.channel, "learn")).message
    assert "You stopped at step 2 of 5: A blot and a hit." in extract_text(asked)
    assert list_button_labels(asked) == ["Go on", "Start over", "All lessons"]
    message = await press_move(club, club.ana, asked, "Go on")
    assert "Good. Still to play: 1." in extract_text(message)
    message = await press_move(club, club.ana, message, "y-z")
    assert "Step 3 of 5" in extract_text(message)
    # Another lesson does not end this one.
    await open_lesson(club, club.ana, "tabula")
    again = await open_lesson(club, club.ana, "zeno")
    message = await press_move(club, club.ana, again, "Start over")
    assert "Step 1 of 5" in extract_text(message)
    assert await club.store.get(BegunLessons).load(club.ana.id, "zeno") == LessonProgress("zeno")
    await bot.close()


async def test_the_list_says_how_far_one_is(club: SimulatedClub) -> None:
    fresh = get_response(await club.ben.slash(club.channel, "learn")).message
    assert extract_text(fresh).startswith("### Lessons\n**Zeno**: ")
    assert list_button_labels(fresh) == [
        *("Zeno", "Tabula", "Duodecim scripta", "Ludus Anglicorum", "Twelve Dogs")
    ]
    message = await press_move(club, club.ben, fresh, "Twelve Dogs")
    message = await press_all(club, club.ben, message, *WHOLE["twelve-dogs"], "All lessons")
    assert "**Twelve Dogs**: " in extract_text(message)
    assert "hold more points. (done)" in extract_text(message)
    message = await press_all(club, club.ben, message, "Zeno", "a-g")
    asked = get_response(await club.ben.slash(club.channel, "learn")).message
    message = await press_move(club, club.ben, asked, "All lessons")
    assert "enter again. (step 1 of 5)" in extract_text(message)
    # A lesson that is done begins anew.
    message = await press_move(club, club.ben, message, "Twelve Dogs")
    assert "Step 1 of 4" in extract_text(message)


async def test_a_button_of_an_earlier_moment_shows_where_one_is(club: SimulatedClub) -> None:
    message = await open_lesson(club, club.ana, "zeno")
    stale = find_button(message, ":a-g")
    await press_move(club, club.ana, message, "a-g")
    old = await post_button(club, stale)
    text = get_ephemeral_text(await club.ana.click(old, custom_id=stale))
    assert "That button was from another moment. Here is where you are." in text
    assert "Step 1 of 5" in text
    assert await club.store.get(BegunLessons).load(club.ana.id, "zeno") == LessonProgress(
        "zeno", 0, ("a-g",)
    )


async def test_of_two_presses_at_once_one_counts(club: SimulatedClub) -> None:
    app, person, lesson = club.bot.app, club.ana.id, LESSONS["zeno"]
    await lessons.begin_lesson(app, person, lesson)
    views = await asyncio.gather(
        *(lessons.press_in_lesson(app, person, lesson, 0, 0, text) for text in ("a-g", "a-d"))
    )
    # The other is shown where the first has led.
    (late,) = (view for view in views if view.late)
    assert late.progress.presses in (("a-g",), ("a-d",))
    assert {view.progress for view in views} == {late.progress}
    assert await club.store.get(BegunLessons).load(person, "zeno") == late.progress


@pytest.mark.parametrize(
    ("custom_id", "text"),
    [
        ("lesson:tabula:0:0:hand-d", "You haven't begun this lesson. `/learn` begins it."),
        ("learn:resume:tabula", "You haven't begun this lesson. `/learn` begins it."),
        ("lesson:zeno:0:0:b-c", "`b-c`: you have no man on b."),
        ("lesson:backgammon:0:0:a-g", "That button no longer works."),
        ("learn:new:backgammon", "That button no longer works."),
        ("learn:forget:zeno", "That button no longer works."),
        ("lesson:zeno:first:0:a-g", "That button no longer works."),
    ],
)
async def test_what_no_button_of_ones_own_says_is_refused(
    club: SimulatedClub, custom_id: str, text: str
) -> None:
    await open_lesson(club, club.ana, "zeno")
    message = await post_button(club, custom_id)
    answer = await club.ana.click(message, custom_id=custom_id)
    assert get_ephemeral_text(answer).startswith(text)
    assert await club.store.get(BegunLessons).load_all(club.ana.id) == [LessonProgress("zeno")]


async def test_a_lesson_that_has_changed_begins_its_step_again(club: SimulatedClub) -> None:
    await open_lesson(club, club.ana, "zeno")
    kept = LessonProgress("zeno", 1, ("a-b",))
    assert await club.store.get(BegunLessons).advance(club.ana.id, LessonProgress("zeno"), kept, 1)
    asked = get_response(await club.ana.slash(club.channel, "learn", lesson="zeno")).message
    message = await press_move(club, club.ana, asked, "Go on")
    assert "Step 2 of 5" in extract_text(message)
    message = await press_move(club, club.ana, message, "g-k*")
    assert "Good. Still to play: 5-1." in extract_text(message)


async def test_the_lesson_of_a_rules_page_disturbs_no_one(club: SimulatedClub) -> None:
    page = get_response(await club.cyn.slash(club.channel, "rules", game="zeno")).message
    answer = await club.cyn.click(page, label="Learn in three minutes")
    assert "### Lesson: Zeno\n-# Step 1 of 5: The goal" in get_ephemeral_text(answer)
    # The message with the button stays as it is.
    assert "Learn in three minutes" in list_button_labels(reload_message(club, club.cyn, page))
    assert list_public_messages(club) == []


async def test_rules_pages_offer_the_lesson_of_their_game_or_of_one_like_it(
    club: SimulatedClub,
) -> None:
    for game, label in (("zeno", "Learn in three minutes"), ("imperial", "Lesson: Zeno")):
        message = get_response(await club.ana.slash(club.channel, "rules", game=game)).message
        answer = await club.ana.click(message, label=label)
        assert "### Lesson: Zeno" in get_ephemeral_text(answer)
    message = get_response(await club.ana.slash(club.channel, "rules", game="backgammon")).message
    assert not any("esson" in label or "Learn" in label for label in list_button_labels(message))


async def test_in_direct_messages_a_lesson_works_and_offers_nothing_that_is_refused(
    club: SimulatedClub,
) -> None:
    answer = get_response(await club.ana.user.slash("learn", lesson="twelve-dogs"))
    message = answer.message
    assert "Step 1 of 4" in extract_text(message)
    for label in WHOLE["twelve-dogs"]:
        result = await club.ana.user.click(message, label=keep_together(label))
        message = get_response(result).message
    assert "Finished" in extract_text(message)
    play = "Play Twelve Dogs against the computer"
    assert list_button_labels(message) == [play, "The rules", "All lessons", "Start over"]
    await club.ana.user.click(message, label=play)
    row = await club.store.get(Matches).load_row(1)
    assert row is not None
    assert (row.guild, row.channel) == (0, club.ana.user.dm_channel.id)
