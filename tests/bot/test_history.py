"""Matches seen again."""

import io

import pytest
from PIL import Image

from tests.bot.conftest import Club
from tests.bot.driver import begin, newest, step
from tests.bot.test_refusals import said


def pictures(film: bytes) -> int:
    """How many frames a film has."""
    with Image.open(io.BytesIO(film)) as image:
        assert image.format == "GIF"
        return int(getattr(image, "n_frames", 1))


@pytest.mark.asyncio
async def test_a_match_is_seen_again_by_one_or_by_everyone(club: Club) -> None:
    await begin(club, "doblet")
    for _ in range(6):
        await step(club)
    told = await club.cyn.slash(club.channel, "replay", match=1)
    assert "This match goes on" in said(told)
    assert told.response is not None
    running = told.response.attachments[0]
    assert running.filename == "match-1.gif"
    assert running.description
    assert running.description.startswith("The replay of match 1. Doblet. Gold (Ana): ")
    while await step(club):
        pass
    told = await club.ben.slash(club.channel, "replay", match=1, share=True)
    assert "won**" in newest(club).content or "Drawn" in newest(club).content
    whole = newest(club).attachments[0]
    assert pictures(await whole.read()) > pictures(await running.read()) > 3
    assert whole.size < 8_000_000


@pytest.mark.asyncio
async def test_a_taken_back_move_is_seen_to_go_back(club: Club) -> None:
    await begin(club, "zeno")
    while "Take back" not in str(newest(club).components):
        assert await step(club)
    mover = club.ana if club.bot.house.tables[1].to_take_back == club.ana.id else club.ben
    before = await club.store.matches.events(1)
    await mover.slash(club.channel, "undo")
    assert len(await club.store.matches.events(1)) == len(before) + 1
    told = await mover.slash(club.channel, "replay", match=1)
    assert told.response is not None
    assert pictures(await told.response.attachments[0].read()) > 2


@pytest.mark.asyncio
async def test_a_match_that_is_not_there_cannot_be_seen(club: Club) -> None:
    assert "There is no match 7." in said(await club.ana.slash(club.channel, "replay", match=7))


@pytest.mark.asyncio
async def test_a_result_shows_the_dice_s_luck_and_a_profile_its_curve(club: Club) -> None:
    await club.ana.slash(club.channel, "profile")
    assert newest(club).embeds[0].description == "No rated match has been finished yet."
    assert not newest(club).attachments
    await begin(club, "fallas")
    while await step(club):
        pass
    end = next(file for file in newest(club).attachments if file.filename == "board.png")
    assert end.description
    assert end.description.startswith("Fallas. ")
    assert ". Ana: luck " in end.description
    assert ". Ben: luck " in end.description
    # The leaderboard's text says it all.
    await club.ana.slash(club.channel, "leaderboard", game="fallas")
    assert not newest(club).attachments
    for options in ({}, {"player": club.ben}, {"game": "fallas", "scope": "everywhere"}):
        await club.ana.slash(club.channel, "profile", **options)
        shown = newest(club)
        assert shown.embeds[0].description
        assert "**Fallas**" in shown.embeds[0].description
        assert "**All games**" in shown.embeds[0].description
        name = "Ben" if "player" in options else "Ana"
        assert str(shown.attachments[0].description).startswith(f"{name}. Rating, ")
    assert "rated match: " in str(newest(club).attachments[0].description)


@pytest.mark.asyncio
async def test_a_match_is_shown_in_its_own_server_and_to_those_who_play_it(club: Club) -> None:
    await begin(club, "zeno")
    other = club.env.create_guild("Other", owner=club.cyn.user)
    hall = other.create_text_channel("hall")
    cyn, ben = (other.add_member(person.user) for person in (club.cyn, club.ben))
    for command in ("replay", "board"):
        assert "Match 1 is played in another server." in said(await cyn.slash(hall, command, match=1))
        shown = await ben.slash(hall, command, match=1)
        assert shown.response is not None
        assert shown.response.attachments
