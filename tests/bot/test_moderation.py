"""Moderation: matches ended or annulled with a reason, the log, and the ratings after it."""

from pathlib import Path

import discord
import pytest
import simcord

from bot.app.record import events_of, to_file, verify
from engine.position import Side
from tests.bot.conftest import Club, furnished
from tests.bot.driver import answer, begin, called, labels, newest, pictures, said, seen, text
from tests.bot.test_computer import happened, sitting_of

pytestmark = pytest.mark.asyncio

REASON = "both asked for it"


async def rule(club: Club, match: int, how: str, reason: str = REASON) -> simcord.InteractionResult:
    """Ana, whose server it is, ends a match."""
    return await club.ana.slash(club.channel, "server end", match=match, how=how, reason=reason)


@pytest.mark.parametrize(
    ("how", "told", "status"),
    [
        ("gold", "**<@{gold}> (gold) won**: decided by a moderator.", " won."),
        ("black", "**<@{black}> (black) won**: decided by a moderator.", " won."),
        ("draw", "**Drawn**: decided by a moderator.", "Drawn"),
    ],
)
async def test_a_running_match_is_adjudicated(club: Club, how: str, told: str, status: str) -> None:
    await begin(club, "zeno")
    await called(club).slash(club.channel, "roll")
    before = newest(club)
    done = said(await rule(club, 1, how))
    there = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/"
    assert done.startswith(f"Done. The result is shown in [match 1]({there}")
    end = newest(club)
    assert end.id != before.id
    sitting = await sitting_of(club)
    gold, black = (sitting.seated(side)[0] for side in Side)
    assert told.format(gold=gold, black=black) in text(end)
    assert f"\n<@{club.ana.id}>: “{REASON}”" in text(end)
    assert "Ratings: " in text(end)
    assert "Rematch" in labels(end)
    assert status in (pictures(end)[0].description or "")
    row = sitting.row
    assert (row.winner, row.how) == (how, "adjudicated")
    assert len(await club.store.ratings.changes(1)) == 8
    assert verify(to_file(sitting, events_of(sitting, await happened(club)))).wrong is None
    shown = said(await club.cyn.slash(club.channel, "board", match=1))
    assert f"\n<@{club.ana.id}>: “{REASON}”" in shown


async def test_a_running_match_is_annulled(club: Club) -> None:
    await begin(club, "zeno")
    await rule(club, 1, "annul")
    end = newest(club)
    assert "**Annulled** by a moderator: the match doesn't count." in text(end)
    assert "The ratings no longer include this match." in text(end)
    assert await club.store.ratings.changes(1) == ()
    told = said(await club.cyn.click(end, label="Verify"))
    assert told.endswith("; annulled by a moderator.")
    assert await club.store.matches.running_of(club.ben.id) == []


async def test_a_finished_match_is_annulled_once_and_its_last_message_says_so(club: Club) -> None:
    await begin(club, "zeno")
    await club.ben.slash(club.channel, "resign")
    end = newest(club)
    ended = (await sitting_of(club)).row.ended
    assert "Ratings: " in text(end)
    await rule(club, 1, "annul", "  Ben's   little brother *played* <#7> @everyone ")
    assert newest(club).id == end.id
    shown = text(newest(club))
    assert "**Annulled** by a moderator" in shown
    # What a moderator types calls nobody and is no markup.
    assert "“Ben's little brother \\*played\\* \\<#7> @\u200beveryone”" in shown
    assert "Ratings: " not in shown
    assert await club.store.ratings.of("everywhere", club.ana.id) == []
    assert said(await rule(club, 1, "annul")) == "Match 1 has already been annulled."
    assert said(await rule(club, 1, "gold")) == "Match 1 is over."
    row = (await sitting_of(club)).row
    assert (row.winner, row.how, row.ended) == ("draw", "annulled", ended)
    await club.ana.slash(club.channel, "leaderboard")
    assert "Nobody has finished a rated match yet." in text(newest(club))


async def test_an_unrated_match_says_nothing_of_ratings_when_it_is_annulled(club: Club) -> None:
    await begin(club, "zeno", rated=False)
    await rule(club, 1, "annul")
    assert "atings" not in text(newest(club))


async def test_a_match_of_another_server_is_not_theirs_to_end(club: Club) -> None:
    await begin(club, "zeno")
    other = club.env.create_guild("Other", owner=club.cyn.user)
    hall = other.create_text_channel("hall")
    cyn = other.add_member(club.cyn.user)
    told = await cyn.slash(hall, "server end", match=1, how="annul", reason=REASON)
    assert said(told) == "Match 1 is being played in another server."
    assert (
        said(await cyn.slash(hall, "server end", match=9, how="annul", reason=REASON))
        == "There is no match 9."
    )
    assert (await sitting_of(club)).match.outcome is None
    assert await club.store.audit.count(club.guild.id) == 0
    assert said(await cyn.slash(hall, "server log")).endswith(
        "No moderator has acted on a match here yet."
    )


async def test_a_reason_is_needed(club: Club) -> None:
    await begin(club, "zeno")
    assert said(await rule(club, 1, "annul", "   ")).startswith("Please give a reason")
    assert (await sitting_of(club)).match.outcome is None


async def test_the_log_has_pages_the_newest_first(club: Club) -> None:
    for number in range(1, 11):
        await begin(club, "zeno", rated=False)
        await rule(club, number, "draw", f"reason {number}")
    told = answer(await club.ana.slash(club.channel, "server log"))
    assert told.ephemeral
    lines = text(told.message).splitlines()
    assert lines[0] == "### Moderation log"
    assert "[match 10](" in lines[1]
    assert lines[2] == "-# “reason 10”"
    assert lines[-1] == "-# Page 1 of 2."
    assert labels(told.message) == ["Older"]
    await club.ana.click(told.message, label="Older")
    page = told.message
    assert "“reason 1”" in text(page)
    assert labels(page) == ["Newer"]


async def test_those_who_manage_a_server_alone_are_offered_its_commands(club: Club) -> None:
    (command,) = [
        each for each in club.env.backend.commands[None].values() if each["name"] == "server"
    ]
    assert command["default_member_permissions"] == discord.Permissions(manage_guild=True).value
    assert [each["name"] for each in command["options"]] == [
        "look",
        "news",
        "end",
        "substitute",
        "log",
        "matches",
    ]


async def season(
    club: Club, results: list[tuple[str, simcord.MemberActor, simcord.MemberActor, str]]
) -> None:
    """Play matches one after another: the game, who plays whom, and how it ends for the first."""
    for game, one, other, how in results:
        await one.slash(club.channel, "challenge", game=game, opponent=other)
        challenge = newest(club)
        await other.click(challenge, label="Accept")
        number = (await club.store.matches.running_of(one.id))[-1].id
        if how == "draw":
            while (await sitting_of(club, number)).match.thrower is None:
                mover = one if (await sitting_of(club, number)).to_act == one.id else other
                await mover.slash(club.channel, "roll", match=number)
            await one.slash(club.channel, "draw", match=number)
            await other.slash(club.channel, "draw", match=number)
        else:
            await (other if how == "won" else one).slash(club.channel, "resign", match=number)


@pytest.mark.sweep
@pytest.mark.parametrize("annulled", [0, 2, 4])
async def test_ratings_are_those_of_a_club_in_which_the_match_was_not_played(
    tmp_path: Path, annulled: int
) -> None:
    def results(club: Club) -> list[tuple[str, simcord.MemberActor, simcord.MemberActor, str]]:
        return [
            ("zeno", club.ana, club.ben, "won"),
            ("laquet", club.ben, club.cyn, "won"),
            ("zeno", club.cyn, club.ana, "draw"),
            ("zeno", club.ben, club.ana, "lost"),
            ("laquet", club.cyn, club.ben, "won"),
        ]

    async with furnished(tmp_path / "one.sqlite3") as club:
        await season(club, results(club))
        await rule(club, annulled + 1, "annul")
        one = await boards(club)
        courses = await course(club)
    async with furnished(tmp_path / "other.sqlite3") as club:
        played = results(club)
        del played[annulled]
        await season(club, played)
        other = await boards(club)
        assert one.keys() == other.keys()
        for key, row in one.items():
            assert row == pytest.approx(other[key], abs=1e-9), key
        assert courses == pytest.approx(await course(club), abs=1e-9)


async def boards(club: Club) -> dict[tuple[str, str, str], list[float]]:
    """Every rating there is by scope, pool and name: mean, uncertainty, games, won, drawn, lost."""
    names = {person.id: person.name for person in (club.ana, club.ben, club.cyn)}
    found = {}
    for place, scope in (("here", f"server:{club.guild.id}"), ("everywhere", "everywhere")):
        for pool in ("all", "zeno", "laquet"):
            for person, row in await club.store.ratings.board(scope, pool):
                results = [row.mu, row.sigma, row.games, row.won, row.drawn, row.lost]
                found[place, pool, names[person]] = results
    return found


async def course(club: Club) -> list[float]:
    """The course of everyone's rating over all games, after each of their matches."""
    people = (club.ana, club.ben, club.cyn)
    found = [await club.store.ratings.course("everywhere", "all", person.id) for person in people]
    return [number for each in found for belief in each for number in belief]


async def test_a_team_that_won_is_taken_out_of_the_ratings(club: Club) -> None:
    dan = club.guild.add_member(club.env.create_user("dan", global_name="Dan"))
    for _ in range(2):
        await club.ana.slash(club.channel, "challenge", game="pyf", options="players=2")
        for person, side in ((club.ben, "black"), (club.cyn, "gold"), (dan, "black")):
            await person.click(newest(club), label=f"Join {side}")
    await club.ana.slash(club.channel, "resign", match=1)
    before = {
        person.id: await club.store.ratings.of("everywhere", person.id)
        for person in (club.ana, club.ben)
    }
    await club.ben.slash(club.channel, "resign", match=2)
    await rule(club, 2, "annul")
    for number, rows in before.items():
        assert await club.store.ratings.of("everywhere", number) == rows
    await rule(club, 1, "annul")
    assert await club.store.ratings.of("everywhere", dan.id) == []


async def test_annulling_beside_a_match_that_ends_counts_each_as_it_is(club: Club) -> None:
    for _ in range(2):
        await begin(club, "zeno")
    await club.ana.slash(club.channel, "resign", match=1)
    third = len(seen(club))
    await rule(club, 1, "annul")
    await club.ana.slash(club.channel, "resign", match=2)
    assert len(seen(club)) == third + 1
    (row,) = [
        row
        for pool, row in await club.store.ratings.of("everywhere", club.ben.id)
        if pool == "zeno"
    ]
    assert (row.games, row.won) == (1, 1)
