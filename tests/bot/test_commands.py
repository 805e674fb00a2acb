"""The commands beside the straight way through a match."""

import pytest

from tests.bot.conftest import Club
from tests.bot.driver import (
    begin,
    called,
    controls,
    labels,
    menus,
    newest,
    pictures,
    said,
    step,
    text,
)
from tests.bot.test_refusals import throw, version


@pytest.mark.asyncio
async def test_typed_moves_with_autocomplete_and_undo(club: Club) -> None:
    mover, _ = await throw(club)
    start = menus(newest(club))[0].options[0].value.partition("-")[0]
    offered = await mover.autocomplete(club.channel, "move", "play", f"{start}-")
    texts = [choice["value"] for choice in offered]
    assert texts
    assert all(text.startswith(f"{start}-") for text in texts)
    single = next(text for text in texts if " " not in text and text.count("-") == 1)
    before = await version(club)
    await mover.slash(club.channel, "move", play=single)
    assert f"played `{single}`" in text(newest(club))
    assert await version(club) == before + 1
    await mover.slash(club.channel, "undo")
    assert "took back a move" in text(newest(club))
    assert menus(newest(club))
    onward = await mover.autocomplete(club.channel, "move", "play", f"{single} ")
    assert all(choice["value"].startswith(single) for choice in onward)


@pytest.mark.asyncio
async def test_a_typed_move_takes_the_buttons_from_the_message_before(club: Club) -> None:
    mover, _ = await throw(club)
    before = newest(club)
    text_played = menus(before)[0].options[0].value
    await mover.slash(club.channel, "move", play=text_played)
    assert newest(club).id != before.id
    old = next(message for message in club.channel.history() if message.id == before.id)
    assert not controls(old)
    assert f"played `{text_played}`" in text(old)
    assert pictures(old)


@pytest.mark.asyncio
async def test_teams_join_an_open_challenge_and_play_in_turn(club: Club) -> None:
    dan = club.guild.add_member(club.env.create_user("dan", global_name="Dan"))
    await club.ana.slash(club.channel, "challenge", game="pyf", options="players=2")
    assert labels(newest(club)) == [
        "Join gold",
        "Join black",
        "Withdraw",
        "Rules",
        "Accept with a secret word",
        "Fill with Tabula",
    ]
    await club.ben.click(newest(club), label="Join black")
    await club.cyn.click(newest(club), label="Join gold")
    assert f"Gold: <@{club.ana.id}> and <@{club.cyn.id}>. Black: <@{club.ben.id}>." in text(
        newest(club)
    )
    assert "That side is full." in said(await dan.click(newest(club), label="Join gold"))
    await dan.click(newest(club), label="Join black")
    assert "Opening roll" in text(newest(club))
    row = await club.store.matches.get(1)
    assert row is not None
    assert [seat.person for seat in row.seats] == [club.ana.id, club.cyn.id, club.ben.id, dan.id]


@pytest.mark.asyncio
async def test_a_command_that_could_mean_two_matches_asks_which(club: Club) -> None:
    await begin(club, "zeno")
    first = called(club)
    other = club.ben if first is club.ana else club.ana
    for _ in range(8):
        await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
        await club.ben.click(newest(club), label="Accept")
        if called(club) is first:
            break
    else:
        pytest.fail(f"{other} began eight times")
    asked = await first.slash(club.channel, "roll")
    assert "Which one do you mean?" in said(asked)
    assert asked.response is not None
    menu = menus(asked.response.message)[0]
    assert {option.value for option in menu.options} >= {"1"}
    await first.select(asked.response.message, custom_id=menu.custom_id, values=["1"])
    events = await club.store.matches.events(1)
    assert events[-1].record["event"] == "thrown"


@pytest.mark.asyncio
async def test_the_board_again_for_one_and_for_all(club: Club) -> None:
    mover, _ = await throw(club)
    alone = await mover.slash(club.channel, "board")
    assert "play" in said(alone)
    before = newest(club)
    await mover.slash(club.channel, "board", share=True)
    assert newest(club).id != before.id
    assert menus(newest(club))
    assert await step(club)


@pytest.mark.asyncio
async def test_resigning_ends_the_match_and_offers_a_rematch(club: Club) -> None:
    await begin(club, "zeno")
    await club.ana.slash(club.channel, "resign")
    assert f"<@{club.ben.id}> (black) won**: <@{club.ana.id}> resigned" in text(newest(club))
    await club.ben.click(newest(club), label="Rematch")
    assert f"<@{club.ben.id}> (gold) challenges <@{club.ana.id}>." in text(newest(club))
    await club.ana.click(newest(club), label="Accept")
    assert "Match 2" in text(newest(club))


@pytest.mark.asyncio
async def test_pages_to_read(club: Club) -> None:
    rules = (await club.ana.slash(club.channel, "rules", game="Doze canes")).response
    assert rules is not None
    assert text(rules.message).startswith("### Twelve Dogs: the rules")
    await club.ana.select(rules.message, custom_id="rules:game", values=["zeno"])
    libro = next(option for option in menus(rules.message)[1].options if "Libro" in option.label)
    await club.ana.select(rules.message, custom_id="rules:family", values=[libro.value])
    unplayed = (await club.ana.slash(club.channel, "rules", game="trictrac")).response
    assert unplayed is not None
    assert text(unplayed.message).startswith("### Trictrac: not playable here")
    named = await club.ana.autocomplete(club.channel, "rules", "game", "tac")
    assert [choice["value"] for choice in named] == ["ticktack"]
    assert "Your first game" in said(await club.cyn.slash(club.channel, "help"))
    assert "no match in progress" in said(await club.cyn.slash(club.channel, "games"))
    await begin(club, "zeno")
    there = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/{newest(club).id}"
    assert f"[Zeno, match 1]({there}): " in said(await club.ana.slash(club.channel, "games"))
    games = await club.ana.autocomplete(club.channel, "challenge", "game", "eng")
    assert [choice["value"] for choice in games] == ["ludus-anglicorum", "imperial"]
    for command, typed, found in (
        ("challenge", "the english g", "ludus-anglicorum"),
        ("challenge", "Impérial", "imperial"),
        ("play", "bradspel", "swedish-tables"),
        ("leaderboard", "zeno\u2019s  g", "zeno"),
        ("rules", "tric-trac", "trictrac"),
    ):
        named = await club.ana.autocomplete(club.channel, command, "game", typed)
        assert [choice["value"] for choice in named] == [found]
    options = await club.ana.autocomplete(club.channel, "challenge", "options", "", game="zeno")
    offered = [choice["value"] for choice in options]
    assert offered[0] == "choose"
    assert {"unusable=lost", "unusable=opponent", "unusable=loses"} <= set(offered)


@pytest.mark.asyncio
async def test_a_challenge_lapses_by_itself(club: Club) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno")
    house = club.bot.app
    now = house.clock()
    house.clock = lambda: now + 25 * 60 * 60 * 1000
    assert "has expired" in said(await club.ben.click(newest(club), label="Accept"))
