"""Moderation: matches ended or annulled with a reason, the log, and the ratings after it."""

from pathlib import Path

import discord
import pytest
import simcord

from bot.features.matches.record import build_record, encode_events, verify_record
from bot.features.matches.store import Matches
from bot.features.moderation.store import AuditLog
from bot.features.ratings.store import Ratings
from engine.position import Side
from tests.bot.test_computer import load_session, load_transitions
from tests.support import driver
from tests.support.club import SimulatedClub, open_club

pytestmark = pytest.mark.asyncio

REASON = "both asked for it"


async def end_match(
    club: SimulatedClub, match: int, how: str, reason: str = REASON
) -> simcord.InteractionResult:
    """Ana, whose server it is, ends a match."""
    return await club.ana.slash(club.channel, "server end", match=match, how=how, reason=reason)


@pytest.mark.parametrize(
    ("how", "text", "status"),
    [
        ("gold", "**<@{gold}> (gold) won**: decided by a moderator.", " won."),
        pytest.param(
            *("black", "**<@{black}> (black) won**: decided by a moderator.", " won."),
            marks=pytest.mark.sweep,
        ),
        pytest.param(
            *("draw", "**Drawn**: decided by a moderator.", "Drawn"), marks=pytest.mark.sweep
        ),
    ],
)
async def test_a_running_match_is_adjudicated(
    club: SimulatedClub, how: str, text: str, status: str
) -> None:
    await driver.start_match(club, "zeno")
    await driver.find_mentioned_player(club).slash(club.channel, "roll")
    before = driver.get_newest_message(club)
    done = driver.get_ephemeral_text(await end_match(club, 1, how))
    there = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/"
    assert done.startswith(f"Done: [match 1]({there}")
    end = driver.get_newest_message(club)
    assert end.id != before.id
    session = await load_session(club)
    gold, black = (session.list_players(side)[0] for side in Side)
    assert text.format(gold=gold, black=black) in driver.extract_text(end)
    assert f"\n<@{club.ana.id}>: “{REASON}”" in driver.extract_text(end)
    assert "Ratings: " in driver.extract_text(end)
    assert "Rematch, sides swapped" in driver.list_button_labels(end)
    assert status in (driver.list_pictures(end)[0].description or "")
    row = session.row
    assert (row.winner, row.how) == (how, "adjudicated")
    assert len(await club.store.get(Ratings).load_changes(1)) == 16
    assert (
        verify_record(
            build_record(session, encode_events(session, await load_transitions(club)))
        ).wrong
        is None
    )
    caption = driver.get_ephemeral_text(await club.cyn.slash(club.channel, "match board", match=1))
    assert f"\n<@{club.ana.id}>: “{REASON}”" in caption


async def test_a_running_match_is_annulled(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    await end_match(club, 1, "annul")
    end = driver.get_newest_message(club)
    assert "**Annulled**: the match doesn't count." in driver.extract_text(end)
    assert "The ratings no longer include this match." in driver.extract_text(end)
    assert await club.store.get(Ratings).load_changes(1) == ()
    text = driver.get_ephemeral_text(await driver.press_more(club.cyn, end, "Verify"))
    assert "; annulled. The commitment is" in text
    assert await club.store.get(Matches).load_running_by_person(club.ben.id) == []


async def test_a_finished_match_is_annulled_once_and_its_last_message_says_so(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno")
    await driver.give_up(club, club.ben, club.channel)
    end = driver.get_newest_message(club)
    ended = (await load_session(club)).row.ended
    assert "Ratings: " in driver.extract_text(end)
    await end_match(club, 1, "annul", "  Ben's   little brother *played* <#7> @everyone ")
    assert driver.get_newest_message(club).id == end.id
    text = driver.extract_text(driver.get_newest_message(club))
    assert "**Annulled**" in text
    # What a moderator types calls nobody and is no markup.
    assert "“Ben's little brother \\*played\\* \\<#7> @\u200beveryone”" in text
    assert "Ratings: " not in text
    assert await club.store.get(Ratings).load_by_person("everywhere", club.ana.id) == []
    assert (
        driver.get_ephemeral_text(await end_match(club, 1, "annul"))
        == "Match 1 has already been annulled."
    )
    assert driver.get_ephemeral_text(await end_match(club, 1, "gold")) == "Match 1 is over."
    row = (await load_session(club)).row
    assert (row.winner, row.how, row.ended) == ("draw", "annulled", ended)
    await club.ana.slash(club.channel, "leaderboard")
    assert "Nobody has finished a rated match yet." in driver.extract_text(
        driver.get_newest_message(club)
    )


@pytest.mark.sweep
async def test_an_unrated_match_says_nothing_of_ratings_when_it_is_annulled(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno", rated=False)
    await end_match(club, 1, "annul")
    assert "atings" not in driver.extract_text(driver.get_newest_message(club))


async def test_a_match_of_another_server_is_not_theirs_to_end(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    other = club.env.create_guild("Other", owner=club.cyn.user)
    hall = other.create_text_channel("hall")
    cyn = other.add_member(club.cyn.user)
    answer = await cyn.slash(hall, "server end", match=1, how="annul", reason=REASON)
    assert driver.get_ephemeral_text(answer) == "There is no match 1."
    assert (
        driver.get_ephemeral_text(
            await cyn.slash(hall, "server end", match=9, how="annul", reason=REASON)
        )
        == "There is no match 9."
    )
    assert (await load_session(club)).match.outcome is None
    assert await club.store.get(AuditLog).count_rulings(club.guild.id) == 0
    assert driver.get_ephemeral_text(await cyn.slash(hall, "server log")).endswith(
        "No moderator has acted on a match here yet."
    )


async def test_a_reason_is_needed(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    assert driver.get_ephemeral_text(await end_match(club, 1, "annul", "   ")).startswith(
        "Please give a reason"
    )
    assert (await load_session(club)).match.outcome is None


@pytest.mark.sweep
async def test_the_log_has_pages_the_newest_first(club: SimulatedClub) -> None:
    for number in range(1, 11):
        await driver.start_match(club, "zeno", rated=False)
        await end_match(club, number, "draw", f"reason {number}")
    answer = driver.get_response(await club.ana.slash(club.channel, "server log"))
    assert answer.ephemeral
    lines = driver.extract_text(answer.message).splitlines()
    assert lines[0] == "### Moderation log"
    assert "[match 10](" in lines[1]
    assert lines[2] == "-# “reason 10”"
    assert lines[-1] == "-# Page 1 of 2."
    assert driver.list_button_labels(answer.message) == ["Older"]
    await club.ana.click(answer.message, label="Older")
    page = answer.message
    assert "“reason 1”" in driver.extract_text(page)
    assert driver.list_button_labels(page) == ["Newer"]


async def test_those_who_manage_a_server_alone_are_offered_its_commands(
    club: SimulatedClub,
) -> None:
    (command,) = [
        each for each in club.env.backend.commands[None].values() if each["name"] == "server"
    ]
    assert command["default_member_permissions"] == discord.Permissions(manage_guild=True).value
    assert [each["name"] for each in command["options"]] == [
        "end",
        "substitute",
        "log",
        "stats",
        "settings",
    ]


async def play_season(
    club: SimulatedClub, results: list[tuple[str, simcord.MemberActor, simcord.MemberActor, str]]
) -> None:
    """Play matches one after another: the game, who plays whom, and how it ends for the first."""
    for game, one, other, how in results:
        await one.slash(club.channel, "challenge", game=game, opponent=other)
        challenge = driver.get_newest_message(club)
        await other.click(challenge, label="Accept")
        number = (await club.store.get(Matches).load_running_by_person(one.id))[-1].id
        if how == "draw":
            while (await load_session(club, number)).match.thrower is None:
                mover = one if (await load_session(club, number)).person_to_act == one.id else other
                await mover.slash(club.channel, "roll", match=number)
            await one.slash(club.channel, "match draw", match=number)
            await other.slash(club.channel, "match draw", match=number)
        else:
            await driver.give_up(club, (other if how == "won" else one), club.channel, match=number)


@pytest.mark.sweep
@pytest.mark.parametrize("annulled", [0, 2, 4])
async def test_ratings_are_those_of_a_club_in_which_the_match_was_not_played(
    tmp_path: Path, annulled: int
) -> None:
    def results(
        club: SimulatedClub,
    ) -> list[tuple[str, simcord.MemberActor, simcord.MemberActor, str]]:
        return [
            ("zeno", club.ana, club.ben, "won"),
            ("laquet", club.ben, club.cyn, "won"),
            ("zeno", club.cyn, club.ana, "draw"),
            ("zeno", club.ben, club.ana, "lost"),
            ("laquet", club.cyn, club.ben, "won"),
        ]

    async with open_club(tmp_path / "one.sqlite3") as club:
        await play_season(club, results(club))
        await end_match(club, annulled + 1, "annul")
        one = await load_leaderboards(club)
        courses = await load_rating_courses(club)
    async with open_club(tmp_path / "other.sqlite3") as club:
        played = results(club)
        del played[annulled]
        await play_season(club, played)
        other = await load_leaderboards(club)
        assert one.keys() == other.keys()
        for key, row in one.items():
            assert row == pytest.approx(other[key], abs=1e-9), key
        assert courses == pytest.approx(await load_rating_courses(club), abs=1e-9)


async def load_leaderboards(club: SimulatedClub) -> dict[tuple[str, str, str], list[float]]:
    """Every rating there is by scope, pool and name: mean, uncertainty, games, won, drawn, lost."""
    names = {person.id: person.name for person in (club.ana, club.ben, club.cyn)}
    found = {}
    for place, scope in (("here", f"server:{club.guild.id}"), ("everywhere", "everywhere")):
        for pool in ("all", "zeno", "laquet"):
            for person, row in await club.store.get(Ratings).load_board(scope, pool):
                results = [row.mu, row.sigma, row.games, row.won, row.drawn, row.lost]
                found[place, pool, names[person]] = results
    return found


async def load_rating_courses(club: SimulatedClub) -> list[float]:
    """The course of everyone's rating over all games, after each of their matches."""
    people = (club.ana, club.ben, club.cyn)
    found = [
        await club.store.get(Ratings).load_progress("everywhere", "all", person.id)
        for person in people
    ]
    return [number for each in found for belief in each for number in belief]


@pytest.mark.sweep
async def test_a_team_that_won_is_taken_out_of_the_ratings(club: SimulatedClub) -> None:
    dan = driver.add_member(club, "dan")
    for _ in range(2):
        await club.ana.slash(club.channel, "challenge", game="pyf", options="players=2")
        for person, side in ((club.ben, "black"), (club.cyn, "gold"), (dan, "black")):
            await person.click(driver.get_newest_message(club), label=f"Join {side}")
    await driver.give_up(club, club.ana, club.channel, match=1)
    ratings = club.store.get(Ratings)
    before = {
        person.id: await ratings.load_by_person("everywhere", person.id)
        for person in (club.ana, club.ben)
    }
    await driver.give_up(club, club.ben, club.channel, match=2)
    await end_match(club, 2, "annul")
    for number, rows in before.items():
        assert await ratings.load_by_person("everywhere", number) == rows
    await end_match(club, 1, "annul")
    assert await ratings.load_by_person("everywhere", dan.id) == []


@pytest.mark.sweep
async def test_annulling_beside_a_match_that_ends_counts_each_as_it_is(club: SimulatedClub) -> None:
    for _ in range(2):
        await driver.start_match(club, "zeno")
    await driver.give_up(club, club.ana, club.channel, match=1)
    third = len(driver.list_public_messages(club))
    await end_match(club, 1, "annul")
    await driver.give_up(club, club.ana, club.channel, match=2)
    assert len(driver.list_public_messages(club)) == third + 1
    (row,) = [
        row
        for pool, row in await club.store.get(Ratings).load_by_person("everywhere", club.ben.id)
        if pool == "zeno"
    ]
    assert (row.games, row.won) == (1, 1)
