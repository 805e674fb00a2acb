"""Every game is played from start to end in the channel, and explains what is unusual.

People use its buttons and menus.
"""

import pytest

from bot.features.matches.record import VerificationResult, verify_record
from bot.features.matches.session import get_cached_session
from bot.features.matches.store import Matches
from engine.games import GAMES
from tests.bot.test_matches import download_record
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    find_mentioned_player,
    get_newest_message,
    give_up,
    list_button_labels,
    start_match,
    take_next_action,
)

SHORT = ("doblet", "fallas", "laquet", "ludus-lumbardorum")


@pytest.mark.sweep
@pytest.mark.asyncio
@pytest.mark.parametrize("slug", SHORT)
async def test_a_whole_game_in_the_channel(club: SimulatedClub, slug: str) -> None:
    await start_match(club, slug)
    while await take_next_action(club):
        pass
    assert "won**" in extract_text(get_newest_message(club)) or "Drawn" in extract_text(
        get_newest_message(club)
    )
    row = await club.store.get(Matches).load_row(1)
    assert row is not None
    assert row.ended is not None
    assert (await verify_last_record(club)).wrong is None


@pytest.mark.sweep
@pytest.mark.asyncio
@pytest.mark.parametrize("slug", [slug for slug in GAMES if slug not in SHORT])
async def test_the_first_turns_of_every_other_game(club: SimulatedClub, slug: str) -> None:
    await start_match(club, slug)
    for _ in range(8):
        assert await take_next_action(club)
    assert f"### {GAMES[slug].title}\n-# Match 1" in extract_text(get_newest_message(club))


@pytest.mark.asyncio
@pytest.mark.usefixtures("own_throws")
async def test_the_winner_of_the_roll_battle_takes_a_side_and_both_are_told(
    club: SimulatedClub,
) -> None:
    await start_match(club, "laquet")
    assert "rolled higher: which side do you take?" in extract_text(get_newest_message(club))
    assert list_button_labels(get_newest_message(club)) == ["gold", "black", "How to play", "More…"]
    winner = find_mentioned_player(club)
    loser = club.ben if winner is club.ana else club.ana
    await winner.click(get_newest_message(club), label="black")
    text = extract_text(get_newest_message(club))
    assert f"Match 1: <@{loser.id}> against <@{winner.id}>" in text
    assert f"<@{winner.id}> (black), your turn to roll" in text
    session = get_cached_session(club.bot.app, 1)
    assert session is not None
    assert session.match.swapped is (winner is club.ana)
    # The match comes back with its sides as they were chosen.
    await club.restart_bot()
    await loser.slash(club.channel, "match board", share=True)
    assert f"Match 1: <@{loser.id}> against <@{winner.id}>" in extract_text(
        get_newest_message(club)
    )


@pytest.mark.asyncio
@pytest.mark.usefixtures("own_throws")
async def test_who_changed_sides_is_told_by_what_they_threw(club: SimulatedClub) -> None:
    await start_match(club, "baralie")
    text = "\n".join(extract_text(message) for message in club.channel.history())
    events = [event.record for event in await club.store.get(Matches).load_events(1)]
    last = events[-1]
    assert last["event"] == "battled"
    for person, side in ((club.ana, "gold"), (club.ben, "black")):
        dice = sorted(last[side], reverse=True)
        assert f"<@{person.id}> {'-'.join(map(str, dice))}" in text
    first = club.ana if sum(last["gold"]) > sum(last["black"]) else club.ben
    assert f"<@{first.id}> goes first." in text
    assert f"<@{first.id}> (gold), your turn to roll." in text


@pytest.mark.asyncio
async def test_backgammon_begins_with_the_numbers_of_the_battle(club: SimulatedClub) -> None:
    await start_match(club, "backgammon")
    assert "goes first with these numbers" in extract_text(get_newest_message(club))
    assert "play" in extract_text(get_newest_message(club))
    for _ in range(6):
        assert await take_next_action(club)
    await give_up(club, club.ana, club.channel)
    verdict = await verify_last_record(club)
    assert (verdict.wrong, verdict.throws > 2) == (None, True)


async def verify_last_record(club: SimulatedClub) -> VerificationResult:
    """What the record of the match just ended comes to."""
    return verify_record(await download_record(club))


@pytest.mark.asyncio
async def test_another_throw_after_doubles_is_explained(club: SimulatedClub) -> None:
    await start_match(club, "paume-carie-one")
    while "Doubles give another throw." not in "".join(
        extract_text(message) for message in club.channel.history()
    ):
        assert await take_next_action(club)
    text = next(
        extract_text(m)
        for m in club.channel.history()
        if "Doubles give another throw." in extract_text(m)
    )
    thrower = text.split(" rolled ")[0].rsplit("<@", 1)[1].split(">")[0]
    assert find_mentioned_player(club).id == int(thrower)
