"""A press is answered by the change that it brings: in few requests, and once it is saved."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from bot.features.matches import delivery, session
from bot.features.matches.scene import build_scene
from bot.features.matches.store import Matches
from bot.platform.i18n.reader import Reader
from engine.events import Played, Thrown
from engine.match import Phase
from engine.position import Side
from tests.bot.test_computer import load_session, load_transitions, press_next_control
from tests.support import driver
from tests.support.club import SimulatedClub
from tests.support.panels import change_server

pytestmark = pytest.mark.asyncio

EPHEMERAL, DEFERRED, CHANGED = "answer 4", "answer 6", "answer 7"
"""The first answers to an interaction by Discord's numbers: a message, nothing yet, a change."""
POSTED, EDITED = "POST message", "PATCH message"


@contextmanager
def record_requests(club: SimulatedClub) -> Iterator[list[str]]:
    """Collect what is sent inside the block: first answers, and requests to a channel."""
    before = len(club.env.http_requests)
    sent: list[str] = []
    yield sent
    for each in club.env.http_requests[before:]:
        body: Any = each.json
        if each.path.endswith("/callback"):
            sent.append(f"answer {body['type']}")
        elif "/messages" in each.path:
            sent.append(f"{each.method} message")
        else:
            sent.append(f"{each.method} {each.path}")


async def play_until(club: SimulatedClub, label: str) -> None:
    """Let whoever is to act act until there is a button with that label."""
    while label not in driver.list_button_labels(driver.get_newest_message(club)):
        assert await driver.take_next_action(club)


async def require_current_message(club: SimulatedClub) -> None:
    """Check that one message has controls, and that they are those of the match as it stands."""
    row = await club.store.get(Matches).load_row(1)
    assert row is not None
    assert row.shown == row.version
    (live,) = driver.list_live_messages(club)
    assert live.id == row.message == driver.get_newest_message(club).id
    assert all(f":{row.version}:" in custom_id for custom_id in driver.list_control_ids(live))
    assert driver.list_pictures(live)


@pytest.mark.usefixtures("own_throws")
async def test_a_press_within_a_turn_is_one_request(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    await play_until(club, "Roll")
    message = driver.get_newest_message(club)
    with record_requests(club) as sent:
        await driver.take_next_action(club)
    assert sent == [CHANGED]
    assert driver.get_newest_message(club).id == message.id
    await require_current_message(club)


@pytest.mark.usefixtures("own_throws")
async def test_a_press_that_ends_a_turn_is_two_requests(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    await play_until(club, "Roll")
    message = driver.get_newest_message(club)
    while True:
        with record_requests(club) as sent:
            assert await driver.take_next_action(club)
        if driver.get_newest_message(club).id != message.id:
            break
    assert sorted(sent) == [POSTED, CHANGED]
    await require_current_message(club)
    closed = next(each for each in driver.list_public_messages(club) if each.id == message.id)
    assert " played `" in driver.extract_text(closed)
    assert driver.list_pictures(closed)


async def test_a_press_is_answered_before_the_computer_has_played(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "play", game="zeno")
    while True:
        message = driver.get_newest_message(club)
        with record_requests(club) as sent:
            await press_next_control(club)
        if driver.get_newest_message(club).id != message.id:
            break
    assert sent == [CHANGED, POSTED]
    await require_current_message(club)
    closed = next(each for each in driver.list_public_messages(club) if each.id == message.id)
    assert not driver.list_control_ids(closed)


async def test_with_one_message_a_match_a_press_is_one_request(club: SimulatedClub) -> None:
    await change_server(club.ana, club.channel, single=True)
    await club.ana.slash(club.channel, "play", game="zeno")
    answers = []
    for _ in range(6):
        with record_requests(club) as sent:
            await press_next_control(club)
        assert sent in ([CHANGED], [DEFERRED, EDITED])
        answers.append(sent)
    # The first waits for the computer to wake up; the others are answered by its turn.
    assert [CHANGED] in answers[1:]
    await require_current_message(club)


@pytest.mark.usefixtures("own_throws")
async def test_what_takes_long_is_acknowledged_first(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "MAX_HOLD_S", 0.0)
    await driver.start_match(club, "zeno")
    await play_until(club, "Roll")
    with record_requests(club) as sent:
        await driver.take_next_action(club)
    assert sorted(sent) == [EDITED, DEFERRED]
    await require_current_message(club)


@pytest.mark.usefixtures("own_throws")
async def test_a_command_says_what_it_did_in_its_one_answer(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    await play_until(club, "Roll")
    mover = driver.find_mentioned_player(club)
    with record_requests(club) as sent:
        answer = await mover.slash(club.channel, "roll")
    assert sorted(sent) == [EDITED, EPHEMERAL]
    assert " rolled " in driver.get_ephemeral_text(answer)
    play = driver.list_menus(driver.get_newest_message(club))[0].options[0].value
    answer = await mover.slash(club.channel, "move", play=play)
    assert f" played `{play}`" in driver.get_ephemeral_text(answer)
    await require_current_message(club)


async def test_against_the_computer_nobody_needs_to_roll(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "play", game="zeno")
    await press_next_control(club)
    for _ in range(12):
        assert "Roll" not in driver.list_button_labels(driver.get_newest_message(club))
        await press_next_control(club)
    history = await load_transitions(club)
    thrown = [each.before.turn for each in history if isinstance(each.event, Thrown)]
    assert set(thrown) == set(Side)
    await require_current_message(club)


async def test_between_people_a_throw_waits_while_a_play_can_be_taken_back(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno")
    # The first throw ends nothing that could be taken back.
    for _ in range(2):
        message = driver.get_newest_message(club)
        assert "Roll" not in driver.list_button_labels(message)
        while driver.get_newest_message(club).id == message.id:
            assert await driver.take_next_action(club)
    history = await load_transitions(club)
    thrown = next(each for each in reversed(history) if isinstance(each.event, Thrown))
    played = next(each for each in history if each.after == thrown.before)
    assert isinstance(played.event, Played)
    assert thrown.at - played.at >= session.THROW_DELAY_MS


async def test_what_the_other_side_played_stays_marked_through_a_turn(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    session = await load_session(club)
    while session.match.phase is not Phase.PLAY or session.match.version < 12:
        await driver.take_next_action(club)
        session = await load_session(club)
    scene = build_scene(Reader.ENGLISH, session, moves=True)
    played = [each.event for each in session.recent if isinstance(each.event, Played)]
    assert {(move.source, move.target) for move in scene.last} >= {
        (move.source, move.target) for move in played[-1].moves
    }
    assert {option.target for option in scene.options} == {
        move.target for move in session.match.list_next_moves()
    }
