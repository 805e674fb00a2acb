"""Dice of a league's matches: what is published and when, and how anyone can check it."""

import json
from pathlib import Path

import discord
import pytest
import simcord

from bot.features.contests.seasons import rule_contest
from bot.features.contests.tables import ContestState, Pairing, RulingAction
from bot.features.matches.record import RecordFault, verify_record
from bot.features.matches.store import Matches
from bot.platform.people import DiscordPerson
from engine.clock import DAY
from tests.bot.test_command_line import run_tabula
from tests.bot.test_commitments import get_record
from tests.bot.test_leagues import create_league, find_league, load_view, start_league
from tests.support import driver
from tests.support.club import SimulatedClub

pytestmark = pytest.mark.asyncio


async def find_message(club: SimulatedClub, match: int) -> discord.Message:
    """The newest message of a match in the thread of that match."""
    row = await club.store.get(Matches).load_row(match)
    assert row is not None
    (thread,) = (each for each in club.channel.threads if each.id == row.thread)
    return list(thread.history())[-1]


async def resign(
    club: SimulatedClub, people: list[simcord.MemberActor], pairing: Pairing
) -> discord.Message:
    """The second of a pairing resigns; the last message of its match."""
    (loser,) = (person for person in people if person.id == pairing.second)
    await driver.give_up(club, loser, club.channel, pairing.match)
    return await find_message(club, pairing.match)


async def end_league(club: SimulatedClub, people: list[simcord.MemberActor]) -> None:
    """Everybody resigns what goes on, and the league's message says who has won."""
    for pairing in (await load_view(club)).list_running():
        await resign(club, people, pairing)
    await club.advance_clock(5_000)
    assert (await load_view(club)).contest.state is ContestState.OVER


async def press(club: SimulatedClub, message: discord.Message, what: str) -> str:
    """What Cyn is told by a button under a match's last message."""
    return driver.get_ephemeral_text(await driver.press_button(club.cyn, message, what))


async def test_a_record_proves_its_secret_once_the_league_is_over(
    club: SimulatedClub, tmp_path: Path
) -> None:
    _, people = await start_league(club)
    view = await load_view(club)
    pairing = view.pairings[1]
    assert pairing.number == 2
    end = await resign(club, people, pairing)
    published = view.contest.commitment
    record = await get_record(club, pairing.match)
    assert record["league"] == {"commitment": published, "posted": 64, "pairing": 2}
    assert record["posted"] == 0
    assert view.contest.secret.hex() not in json.dumps(record)
    pending = (
        f"Whether this is the secret of pairing 2 of the league or tournament with the commitment "
        f"`{published}` can be checked when that is over."
    )
    assert pending in await press(club, end, ":verify")
    await end_league(club, people)
    record = await get_record(club, pairing.match)
    secret = view.contest.secret
    assert record["league"] == {
        "commitment": published,
        "posted": 64,
        "pairing": 2,
        "secret": secret.hex(),
    }
    assert secret.hex() in driver.extract_text(find_league(club))
    proved = (
        "This is the secret of pairing 2 of the league or tournament with the commitment "
        f"`{published}`. "
        "According to the record, all its digits were posted before anybody joined"
    )
    assert proved in await press(club, end, ":verify")
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    ended = run_tabula("verify", str(file))
    assert ended.returncode == 0
    assert proved in ended.stdout.decode()
    # Some other pairing's number gives another secret, so numbers cannot be exchanged.
    record["league"]["pairing"] = 3
    assert verify_record(record).wrong is RecordFault.PAIRING


async def test_fair_dice_names_the_league_s_commitment_and_the_pairing(
    club: SimulatedClub,
) -> None:
    _, people = await start_league(club)
    view = await load_view(club)
    pairing = view.pairings[2]
    row = await club.store.get(Matches).load_row(pairing.match)
    assert row is not None
    live = await find_message(club, pairing.match)
    more = driver.get_response(
        await club.cyn.click(live, custom_id=driver.find_button(live, ":more"))
    ).message
    assert more is not None
    text = await press(club, more, ":dice")
    assert (
        "This is pairing 3 of a league or tournament: its secret is derived from this number and "
        f"from a secret of all pairings, whose SHA-256 is\n`{view.contest.commitment}`"
    ) in text
    assert (
        "The secret of all pairings was fixed before anybody joined, if this SHA-256 is the one "
        "that the message of the league or tournament showed then."
    ) in text
    assert "The secret of the league or tournament is revealed when it's over." in text
    assert f"`{row.commitment}`" in text
    assert view.contest.secret.hex() not in text
    assert row.secret.hex() not in text
    # Nobody has challenged or accepted.
    assert "accept" not in text
    end = await resign(club, people, pairing)
    text = await press(club, end, ":dice")
    assert row.secret.hex() in text
    assert view.contest.secret.hex() not in text
    await end_league(club, people)
    assert f"The secret of the league or tournament: `{view.contest.secret.hex()}`" in await press(
        club, end, ":dice"
    )


async def test_a_match_of_no_league_has_a_secret_of_its_own(club: SimulatedClub) -> None:
    await driver.start_match(club, "fallas")
    await driver.give_up(club, club.ana, club.channel)
    record = await get_record(club, 1)
    assert "league" not in record
    (end,) = driver.list_public_messages(club)[-1:]
    assert "pairing" not in await press(club, end, ":verify")
    text = await press(club, end, ":dice")
    assert "The secret was fixed before anybody accepted" in text
    assert "league" not in text


async def test_a_league_that_is_called_off_shows_its_secret_on_its_message(
    club: SimulatedClub,
) -> None:
    await start_league(club)
    secret = (await load_view(club)).contest.secret.hex()
    organiser = DiscordPerson(club.ana.id, club.ana.name)
    await rule_contest(club.bot.app, 1, organiser, RulingAction.CANCEL, "Nobody has time.")
    # First the matches are annulled, and then the league is shown as it stands.
    await club.advance_clock(5_000)
    await club.advance_clock(5_000)
    text = driver.extract_text(find_league(club))
    assert "called it off" in text
    assert secret in text


async def test_a_league_that_never_started_has_no_dice_to_prove(club: SimulatedClub) -> None:
    await create_league(club)
    # Too few have joined by the end of sign-up.
    await club.advance_clock(7 * DAY + 1)
    view = await load_view(club)
    assert view.contest.state is ContestState.CANCELLED
    assert "Dice commitment" not in driver.extract_text(find_league(club))
