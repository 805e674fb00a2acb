"""Matches seen again."""

import io
import re

import pytest
from PIL import Image

from bot.features.matches.session import get_cached_session
from bot.features.matches.store import Matches
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    list_button_labels,
    list_pictures,
    list_public_messages,
    start_match,
    take_next_action,
)


def count_frames(film: bytes) -> int:
    """How many frames a film has."""
    with Image.open(io.BytesIO(film)) as image:
        assert image.format == "GIF"
        return int(getattr(image, "n_frames", 1))


@pytest.mark.asyncio
async def test_a_match_is_seen_again_by_one_or_by_everyone(club: SimulatedClub) -> None:
    await start_match(club, "doblet")
    for _ in range(6):
        assert await take_next_action(club)
    answer = await club.cyn.slash(club.channel, "match replay", match=1)
    assert "This match is still in progress" in get_ephemeral_text(answer)
    assert answer.response is not None
    running = answer.response.attachments[0]
    assert running.filename == "match.gif"
    text = list_pictures(answer.response.message)[0].description or ""
    assert text.startswith("The replay of match 1. Doblet. Gold (Ana): ")
    while await take_next_action(club):
        pass
    answer = await club.ben.slash(club.channel, "match replay", match=1, share=True)
    assert "won**" in extract_text(get_newest_message(club)) or "Drawn" in extract_text(
        get_newest_message(club)
    )
    whole = get_newest_message(club).attachments[0]
    assert count_frames(await whole.read()) > count_frames(await running.read()) > 3
    assert whole.size < 8_000_000


@pytest.mark.asyncio
@pytest.mark.sweep
async def test_a_taken_back_move_is_seen_to_go_back(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    while "Take back" not in list_button_labels(get_newest_message(club)):
        assert await take_next_action(club)
    session = get_cached_session(club.bot.app, 1)
    assert session is not None
    mover = club.ana if session.person_to_take_back == club.ana.id else club.ben
    before = await club.store.get(Matches).load_events(1)
    await mover.slash(club.channel, "undo")
    assert len(await club.store.get(Matches).load_events(1)) == len(before) + 1
    answer = await mover.slash(club.channel, "match replay", match=1)
    assert answer.response is not None
    assert count_frames(await answer.response.attachments[0].read()) > 2


@pytest.mark.asyncio
@pytest.mark.sweep
async def test_of_what_happened_lately_the_plays_are_not_remembered(club: SimulatedClub) -> None:
    # They are most of what a match takes, and hundreds of matches are remembered.
    await start_match(club, "zeno")
    for _ in range(8):
        assert await take_next_action(club)
    session = get_cached_session(club.bot.app, 1)
    assert session is not None
    assert session.recent
    assert not [each for each in session.recent if "plays" in vars(each.before)]


@pytest.mark.asyncio
async def test_a_match_that_is_not_there_cannot_be_seen(club: SimulatedClub) -> None:
    assert "There is no match 7." in get_ephemeral_text(
        await club.ana.slash(club.channel, "match replay", match=7)
    )
    # What is refused is told to the one who asked alone, though the answer was to be for everyone.
    assert "There is no match 7." in get_ephemeral_text(
        await club.ana.slash(club.channel, "match replay", match=7, share=True)
    )
    assert not list_public_messages(club)


@pytest.mark.sweep
@pytest.mark.asyncio
async def test_a_result_names_ratings_and_a_profile_shows_their_curve(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "me profile")
    assert "No rated match has been finished yet." in extract_text(get_newest_message(club))
    assert not get_newest_message(club).attachments
    await start_match(club, "fallas")
    while await take_next_action(club):
        pass
    end = list_pictures(get_newest_message(club))[0].description or ""
    assert end.startswith("Fallas. ")
    # No measure of luck stands in for that of a report.
    assert "luck" not in end
    assert "Ratings: " in extract_text(get_newest_message(club))
    await club.ana.slash(club.channel, "leaderboard", game="fallas")
    assert extract_text(get_newest_message(club)).startswith("### Leaderboard: Fallas, this server")
    for options in ({}, {"player": club.ben}, {"game": "fallas", "scope": "everywhere"}):
        answer = await club.ana.slash(club.channel, "me profile", **options)
        # Of all servers it is shown to whoever asks, alone.
        profile = get_response(answer).message if "scope" in options else get_newest_message(club)
        # A curve of one match would be a dot.
        assert not list_pictures(profile)
        assert re.search(r"Rating, [^:]+: \d+ after the first rated match\.", extract_text(profile))
    await start_match(club, "fallas")
    while await take_next_action(club):
        pass
    curve = ""
    for options in ({}, {"player": club.ben}, {"game": "fallas", "scope": "everywhere"}):
        answer = await club.ana.slash(club.channel, "me profile", **options)
        profile = get_response(answer).message if "scope" in options else get_newest_message(club)
        assert "**Fallas**" in extract_text(profile)
        assert "**All games**" in extract_text(profile)
        name = "Ben" if "player" in options else "Ana"
        curve = list_pictures(profile)[0].description or ""
        assert curve.startswith(f"{name}. Rating, ")
    assert "2 rated matches: " in curve


@pytest.mark.asyncio
async def test_a_match_is_shown_in_its_own_server_and_to_those_who_play_it(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno")
    other = club.env.create_guild("Other", owner=club.cyn.user)
    hall = other.create_text_channel("hall")
    cyn, ben = (other.add_member(person.user) for person in (club.cyn, club.ben))
    for command in ("match replay", "match board"):
        assert "There is no match 1." in get_ephemeral_text(await cyn.slash(hall, command, match=1))
        answer = await ben.slash(hall, command, match=1)
        assert answer.response is not None
        assert answer.response.attachments
