"""The commands beside the straight way through a match."""

import pytest

from bot.features.matches.store import Matches
from engine.games import GAMES
from engine.rules import Family
from tests.bot.test_delivery import load_version
from tests.bot.test_refusals import throw_dice
from tests.support import driver
from tests.support.club import SimulatedClub


@pytest.mark.asyncio
async def test_typed_moves_with_autocomplete_and_undo(club: SimulatedClub) -> None:
    mover, _ = await throw_dice(club)
    start = driver.list_menus(driver.get_newest_message(club))[0].options[0].value.partition("-")[0]
    offered = await mover.autocomplete(club.channel, "move", "play", f"{start}-")
    texts = [choice["value"] for choice in offered]
    assert texts
    assert all(text.startswith(f"{start}-") for text in texts)
    single = next(text for text in texts if " " not in text and text.count("-") == 1)
    before = await load_version(club)
    await mover.slash(club.channel, "move", play=single)
    assert f"played `{single}`" in driver.extract_text(driver.get_newest_message(club))
    assert await load_version(club) == before + 1
    await mover.slash(club.channel, "undo")
    text = driver.extract_text(driver.get_newest_message(club))
    assert "took back a move. The throw is again " in text
    # What was undone is no longer on the board.
    assert "played" not in text
    assert " rolled " not in text
    assert driver.list_menus(driver.get_newest_message(club))
    onward = await mover.autocomplete(club.channel, "move", "play", f"{single} ")
    assert all(choice["value"].startswith(single) for choice in onward)


@pytest.mark.asyncio
async def test_a_typed_move_takes_the_buttons_from_the_message_before(club: SimulatedClub) -> None:
    mover, _ = await throw_dice(club)
    before = driver.get_newest_message(club)
    text_played = driver.list_menus(before)[0].options[0].value
    await mover.slash(club.channel, "move", play=text_played)
    assert driver.get_newest_message(club).id != before.id
    old = next(message for message in club.channel.history() if message.id == before.id)
    assert not driver.list_control_ids(old)
    assert f"played `{text_played}`" in driver.extract_text(old)
    assert driver.list_pictures(old)


@pytest.mark.asyncio
@pytest.mark.sweep
async def test_teams_join_an_open_challenge_and_play_in_turn(club: SimulatedClub) -> None:
    dan = driver.add_member(club, "dan")
    await club.ana.slash(club.channel, "challenge", game="pyf", options="players=2")
    assert driver.list_button_labels(driver.get_newest_message(club)) == [
        "Join gold",
        "Join black",
        "Withdraw",
        "Rules",
        "Accept with a secret word",
        "Fill with computers",
        "Fair dice",
    ]
    await club.ben.click(driver.get_newest_message(club), label="Join black")
    await club.cyn.click(driver.get_newest_message(club), label="Join gold")
    assert (
        f"Gold: <@{club.ana.id}> and <@{club.cyn.id}>. Black: <@{club.ben.id}>."
        in driver.extract_text(driver.get_newest_message(club))
    )
    assert "That side is full." in driver.get_ephemeral_text(
        await dan.click(driver.get_newest_message(club), label="Join gold")
    )
    await dan.click(driver.get_newest_message(club), label="Join black")
    assert "Opening roll" in driver.extract_text(driver.get_newest_message(club))
    row = await club.store.get(Matches).load_row(1)
    assert row is not None
    assert [seat.person for seat in row.seats] == [club.ana.id, club.cyn.id, club.ben.id, dan.id]


@pytest.mark.asyncio
async def test_a_command_that_could_mean_two_matches_asks_which(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    first = driver.find_mentioned_player(club)
    other = club.ben if first is club.ana else club.ana
    for _ in range(8):
        await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
        await club.ben.click(driver.get_newest_message(club), label="Accept")
        if driver.find_mentioned_player(club) is first:
            break
    else:
        pytest.fail(f"{other} began eight times")
    answer = await first.slash(club.channel, "roll")
    assert "Which one do you mean?" in driver.get_ephemeral_text(answer)
    assert answer.response is not None
    menu = driver.list_menus(answer.response.message)[0]
    assert {option.value for option in menu.options} >= {"1"}
    await first.select(answer.response.message, custom_id=menu.custom_id, values=["1"])
    events = await club.store.get(Matches).load_events(1)
    assert events[-1].record["event"] == "thrown"


@pytest.mark.asyncio
@pytest.mark.sweep
async def test_the_board_again_for_one_and_for_all(club: SimulatedClub) -> None:
    mover, _ = await throw_dice(club)
    alone = await mover.slash(club.channel, "match board")
    assert "play" in driver.get_ephemeral_text(alone)
    before = driver.get_newest_message(club)
    await mover.slash(club.channel, "match board", share=True)
    assert driver.get_newest_message(club).id != before.id
    assert driver.list_menus(driver.get_newest_message(club))
    assert await driver.take_next_action(club)


@pytest.mark.asyncio
async def test_resigning_ends_the_match_and_offers_a_rematch(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    await driver.give_up(club, club.ana, club.channel)
    assert f"<@{club.ben.id}> (black) won**: <@{club.ana.id}> resigned" in driver.extract_text(
        driver.get_newest_message(club)
    )
    await club.ben.click(driver.get_newest_message(club), label="Rematch, sides swapped")
    assert f"<@{club.ben.id}> (gold) challenges <@{club.ana.id}>." in driver.extract_text(
        driver.get_newest_message(club)
    )
    await club.ana.click(driver.get_newest_message(club), label="Accept")
    assert "Match 2" in driver.extract_text(driver.get_newest_message(club))


@pytest.mark.asyncio
async def test_pages_to_read(club: SimulatedClub) -> None:
    rules = (await club.ana.slash(club.channel, "rules", game="Doze canes")).response
    assert rules is not None
    assert driver.extract_text(rules.message).startswith("### Twelve Dogs: the rules")
    await club.ana.select(rules.message, custom_id="rules:game", values=["zeno"])
    libro = next(
        option for option in driver.list_menus(rules.message)[1].options if "Libro" in option.label
    )
    await club.ana.select(rules.message, custom_id="rules:family", values=[libro.value])
    unplayed = (await club.ana.slash(club.channel, "rules", game="trictrac")).response
    assert unplayed is not None
    assert driver.extract_text(unplayed.message).startswith("### Trictrac: not playable here")
    named = await club.ana.autocomplete(club.channel, "rules", "game", "tac")
    assert [choice["value"] for choice in named] == ["ticktack"]
    assert "Where to start" in driver.get_ephemeral_text(await club.cyn.slash(club.channel, "help"))
    assert "no match in progress" in driver.get_ephemeral_text(
        await club.cyn.slash(club.channel, "matches")
    )
    await driver.start_match(club, "zeno")
    board = driver.get_newest_message(club).id
    there = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/{board}"
    assert f"[Zeno, match 1]({there}): " in driver.get_ephemeral_text(
        await club.ana.slash(club.channel, "matches")
    )
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
    # What is typed exactly comes first, then what begins so, then what merely holds it.
    for typed, first in (("tabula", "tabula"), ("Ludus", "ludus-anglicorum"), ("irish", "irish")):
        named = await club.ana.autocomplete(club.channel, "challenge", "game", typed)
        assert named[0]["value"] == first, typed
    both = await club.ana.autocomplete(club.channel, "challenge", "game", "emperador")
    assert [each["value"] for each in both][:2] == ["emperador", "medio-emperador"]
    options = await club.ana.autocomplete(club.channel, "challenge", "options", "", game="zeno")
    offered = [choice["value"] for choice in options]
    assert offered[0] == "choose"
    assert {"unusable=lost", "unusable=opponent", "unusable=loses"} <= set(offered)


@pytest.mark.asyncio
async def test_a_challenge_lapses_by_itself(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno")
    house = club.bot.app
    now = house.clock()
    house.clock = lambda: now + 25 * 60 * 60 * 1000
    assert "has expired" in driver.get_ephemeral_text(
        await club.ben.click(driver.get_newest_message(club), label="Accept")
    )


@pytest.mark.asyncio
async def test_the_catalogue_leads_to_every_game_its_rules_and_a_match(club: SimulatedClub) -> None:
    answer = await club.ana.slash(club.channel, "games")
    # Half of Zeno's games take at most 58 throws; at a quarter of a minute each, about 14 minutes.
    # Its trained player wins 82.8% against a simple one, and its rules are among the shortest.
    text = driver.get_ephemeral_text(answer)
    assert "**Zeno**: Bring all fifteen men" in text
    assert "\n-# 14 minutes · luck and skill · few rules" in text
    # Here decisions do not matter at all, and there the rules are long and better play wins 96.2%.
    assert "\n-# 4 minutes · pure luck · few rules" in text
    assert "\n-# 16 minutes · mostly skill · many rules" in text
    page = driver.get_response(answer).message
    texts: list[str] = []
    for family in Family:
        if family is not next(iter(Family)):
            others = driver.list_menus(page)[2]
            turned = await club.ana.select(page, custom_id=others.custom_id, values=[family.value])
            page = driver.get_response(turned).message
        playing, reading, others = driver.list_menus(page)
        texts += [each.value for each in playing.options]
        assert [each.value for each in reading.options] == [each.value for each in playing.options]
        assert {each.value for each in others.options} == {*Family} - {family}
    assert sorted(texts) == sorted(GAMES)
    last = texts[-1]
    await club.ana.select(page, custom_id=driver.list_menus(page)[0].custom_id, values=[last])
    assert GAMES[last].title in driver.extract_text(driver.get_newest_message(club))
    read = await club.ana.select(
        page, custom_id=driver.list_menus(page)[1].custom_id, values=[last]
    )
    assert f"### {GAMES[last].title}: the rules" in driver.get_ephemeral_text(read)
