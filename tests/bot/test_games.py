"""Every game is played from start to end in the channel, and explains what is unusual.

People use its buttons and menus.
"""

import pytest

from bot.app.record import Verdict, verify
from bot.client import Tabula
from engine.games import GAMES
from tests.bot.conftest import Club, Seeded
from tests.bot.driver import begin, called, labels, newest, step, text
from tests.bot.test_matches import record_of

SHORT = ("doblet", "fallas", "laquet", "ludus-lumbardorum")


@pytest.mark.sweep
@pytest.mark.asyncio
@pytest.mark.parametrize("slug", SHORT)
async def test_a_whole_game_in_the_channel(club: Club, slug: str) -> None:
    await begin(club, slug)
    while await step(club):
        pass
    assert "won**" in text(newest(club)) or "Drawn" in text(newest(club))
    row = await club.store.matches.get(1)
    assert row is not None
    assert row.ended is not None
    assert (await verified(club)).wrong is None


@pytest.mark.sweep
@pytest.mark.asyncio
@pytest.mark.parametrize("slug", [slug for slug in GAMES if slug not in SHORT])
async def test_the_first_turns_of_every_other_game(club: Club, slug: str) -> None:
    await begin(club, slug)
    for _ in range(8):
        assert await step(club)
    assert f"### {GAMES[slug].title}\n-# Match 1" in text(newest(club))


@pytest.mark.asyncio
async def test_the_winner_of_the_roll_battle_takes_a_side_and_both_are_told(club: Club) -> None:
    await begin(club, "laquet")
    assert "rolled higher: which side do you take?" in text(newest(club))
    assert labels(newest(club)) == ["gold", "black", "Dice"]
    winner = called(club)
    loser = club.ben if winner is club.ana else club.ana
    await winner.click(newest(club), label="black")
    told = text(newest(club))
    assert f"Match 1: <@{loser.id}> against <@{winner.id}>" in told
    assert f"<@{winner.id}> (black), your turn to roll" in told
    sitting = club.bot.app.known(1)
    assert sitting is not None
    assert sitting.match.swapped is (winner is club.ana)
    # The match comes back with its sides as they were chosen.
    await club.env.restart_bot(Tabula(club.store, entropy=Seeded()))
    await loser.slash(club.channel, "board", share=True)
    assert f"Match 1: <@{loser.id}> against <@{winner.id}>" in text(newest(club))


@pytest.mark.asyncio
async def test_who_changed_sides_is_told_by_what_they_threw(club: Club) -> None:
    await begin(club, "baralie")
    told = "\n".join(text(message) for message in club.channel.history())
    events = [event.record for event in await club.store.matches.events(1)]
    last = events[-1]
    assert last["event"] == "battled"
    assert f"<@{club.ana.id}> {'-'.join(map(str, last['gold']))}" in told
    assert f"<@{club.ben.id}> {'-'.join(map(str, last['black']))}" in told
    first = club.ana if sum(last["gold"]) > sum(last["black"]) else club.ben
    assert f"<@{first.id}> goes first." in told
    assert f"<@{first.id}> (gold), your turn to roll." in told


@pytest.mark.asyncio
async def test_backgammon_begins_with_the_numbers_of_the_battle(club: Club) -> None:
    await begin(club, "backgammon")
    assert "goes first with these numbers" in text(newest(club))
    assert "play" in text(newest(club))
    for _ in range(6):
        assert await step(club)
    await club.ana.slash(club.channel, "resign")
    verdict = await verified(club)
    assert (verdict.wrong, verdict.throws > 2) == (None, True)


async def verified(club: Club) -> Verdict:
    """What the record of the match just ended comes to."""
    return verify(await record_of(club))


@pytest.mark.asyncio
async def test_another_throw_after_doubles_is_explained(club: Club) -> None:
    await begin(club, "paume-carie-one")
    while "Doubles give another throw." not in "".join(
        text(message) for message in club.channel.history()
    ):
        assert await step(club)
    told = next(text(m) for m in club.channel.history() if "Doubles give another throw." in text(m))
    thrower = told.split(" rolled ")[0].rsplit("<@", 1)[1].split(">")[0]
    assert called(club).id == int(thrower)
