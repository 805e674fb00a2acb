"""Playing the computer: it starts at once, posts one message a turn, and survives restarts."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
import simcord

from bot.app import play, tasks
from bot.app.challenge import LIMITS
from bot.app.clocks import UNTOUCHED
from bot.app.computer import COMPUTERS, level_of
from bot.app.minds import Minds, TookTooLong
from bot.app.record import events_of, to_file, verify
from bot.app.sitting import Happening, Sitting
from bot.client import Tabula
from engine.clock import MINUTE
from engine.events import Battled, Event, Thrown
from engine.match import Match
from engine.players.level import Level
from engine.position import Side
from tests.bot.conftest import Club, Seeded
from tests.bot.driver import (
    answer,
    controls,
    labels,
    live,
    menus,
    newest,
    pictures,
    said,
    seen,
    text,
)

pytestmark = pytest.mark.asyncio

Way = Callable[[Club], Awaitable[None]]


def over(club: Club) -> bool:
    """Whether the newest message is the last of a match."""
    return "Rematch" in labels(newest(club))


async def press(club: Club) -> None:
    """Ana does the next thing by its first menu or button, and the computer answers."""
    message = newest(club)
    if menus(message):
        menu = menus(message)[0]
        await club.ana.select(message, custom_id=menu.custom_id, values=[menu.options[0].value])
    else:
        await club.ana.click(message, custom_id=controls(message)[0])


async def write(club: Club) -> None:
    """Ana does the next thing by its command, and the computer answers."""
    message = newest(club)
    if menus(message):
        await club.ana.slash(club.channel, "move", play=menus(message)[0].options[0].value)
    elif "Roll" in labels(message):
        await club.ana.slash(club.channel, "roll")
    else:
        await press(club)


async def to_a_play(club: Club) -> None:
    """Ana plays until she has a throw to play."""
    while not menus(newest(club)):
        await press(club)


async def sitting_of(club: Club, match: int = 1) -> Sitting:
    """A match as it stands."""
    return await play.load(club.bot.app, match)


async def happened(club: Club, match: int = 1) -> Sequence[Happening]:
    """All that has happened in a match, as it is stored."""
    return await play.history(club.bot.app, (await sitting_of(club, match)).row)


def calls(club: Club) -> list[dict[str, Any]]:
    """Whom each message notified."""
    posted = [
        each
        for each in club.env.http_requests
        if each.method == "POST" and each.path.endswith("/messages")
    ]
    return [each.json["allowed_mentions"] for each in posted if each.json]


@pytest.mark.sweep
@pytest.mark.parametrize(("game", "way"), [("laquet", press), ("doblet", write)])
async def test_a_whole_game_is_told_once_in_a_message_a_turn_and_calls_nobody(
    club: Club, game: str, way: Way
) -> None:
    await club.ana.slash(club.channel, "play", game=game, level="beginner")
    while not over(club):
        assert len(live(club)) == 1
        await way(club)
    sitting, everything = await sitting_of(club), await happened(club)
    assert not sitting.row.rated
    told = [text(message) for message in seen(club)]
    thrown = sum(isinstance(each.event, Thrown) for each in everything)
    assert "\n".join(told).count(" rolled ") == thrown
    assert "\n".join(told).count("Opening roll") == sum(
        isinstance(each.event, Battled) for each in everything
    )
    # Every message but the first and the last closes a turn of Ana's, whose picture it keeps.
    for message in seen(club)[1:-1]:
        assert f"<@{club.ana.id}>" in "\n".join(text(message).splitlines()[2:])
        assert len(pictures(message)) == 1
    assert all(not each.get("users") for each in calls(club))
    # The computer's acts are stored as its own; its share is in the dice, which anyone can check.
    stored = await club.store.matches.events(1)
    for event, each in zip(stored, everything, strict=True):
        if event.cause and not isinstance(each.event, Battled):
            assert event.person == replace(sitting, match=each.before).to_act
    (computer,) = (seat for seat in sitting.row.seats if seat.person in COMPUTERS)
    assert level_of(computer.person) is Level.BEGINNER
    assert computer.contribution
    assert verify(to_file(sitting, events_of(sitting, everything))).wrong is None


async def test_the_bot_accepts_a_challenge_at_once(club: Club) -> None:
    me = simcord.MemberActor(
        club.env, club.guild, simcord.UserHandle(club.env, club.env.backend.bot_user)
    )
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=me)
    sitting = await sitting_of(club)
    assert sitting.level is Level.COMPANION
    assert not sitting.row.rated
    assert len(live(club)) == 1


async def test_a_challenge_to_the_bot_counts_where_that_is_wished_and_has_no_clock(
    club: Club,
) -> None:
    me = simcord.MemberActor(
        club.env, club.guild, simcord.UserHandle(club.env, club.env.backend.bot_user)
    )
    told = said(
        await club.ana.slash(club.channel, "challenge", game="zeno", opponent=me, pace="day")
    )
    assert told == "Matches against me have no clock, so leave the pace out."
    assert not await club.store.matches.running_of(club.ana.id)
    await club.ana.slash(
        club.channel, "challenge", game="zeno", opponent=me, rated=True, pace="none"
    )
    sitting = await sitting_of(club)
    assert sitting.row.rated
    assert sitting.alone


async def test_house_rules_against_the_bot_are_chosen_in_a_card(club: Club) -> None:
    me = simcord.MemberActor(
        club.env, club.guild, simcord.UserHandle(club.env, club.env.backend.bot_user)
    )
    card = answer(
        await club.ana.slash(club.channel, "challenge", game="zeno", opponent=me, options="choose")
    ).message
    goal = next(menu for menu in menus(card) if menu.custom_id.endswith("goal"))
    await club.ana.select(card, custom_id=goal.custom_id, values=["off"])
    await club.ana.click(card, label="Challenge")
    sitting = await sitting_of(club)
    assert sitting.alone
    assert sitting.match.options == {"goal": "off"}


async def test_who_names_no_game_plays_whoever_waits_longest(club: Club) -> None:
    await club.ana.slash(club.channel, "challenge", game="laquet")
    await club.cyn.slash(club.channel, "challenge", game="zeno")
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    await club.ben.slash(club.channel, "play")
    sitting = await sitting_of(club)
    assert (sitting.row.game, set(sitting.people)) == ("laquet", {club.ana.id, club.ben.id})


async def test_who_finds_nobody_waiting_is_offered_the_computer(club: Club) -> None:
    await club.ana.slash(club.channel, "challenge", game="laquet")
    told = await club.ana.slash(club.channel, "play")
    assert said(told).startswith("Nobody here is waiting for an opponent.")
    assert told.response is not None
    await club.ana.click(told.response.message, label="Zeno")
    assert (await sitting_of(club)).people == (club.ana.id,)


async def test_a_turn_can_be_taken_back_while_it_lasts_and_the_computers_never(club: Club) -> None:
    await club.ana.slash(club.channel, "play", game="zeno")
    await to_a_play(club)
    single = (await sitting_of(club)).match.next_moves()[0]
    names = (await sitting_of(club)).match.rules.board.names
    await club.ana.slash(
        club.channel, "move", play=f"{names[single.source]}-{names[single.target]}"
    )
    before = len(seen(club))
    await club.ana.click(newest(club), label="Take back")
    assert (await sitting_of(club)).match.moves == ()
    assert len(seen(club)) == before
    while "Roll" not in labels(newest(club)):
        await press(club)
    assert (await sitting_of(club)).match.may_take_back()
    assert "Take back" not in labels(newest(club))
    assert (
        said(await club.ana.slash(club.channel, "undo"))
        == "You can't take back now, because Tabula moved last."
    )


async def test_giving_up_and_playing_again_with_sides_changed(club: Club) -> None:
    await club.ana.slash(club.channel, "play", game="zeno", level="master")
    await club.ana.slash(club.channel, "resign")
    end = newest(club)
    assert "Tabula (black) won" in text(end)
    await club.ana.click(end, label="Rematch")
    again = await sitting_of(club, 2)
    assert again.level is Level.MASTER
    assert [seat.side for seat in again.row.seats if seat.person == club.ana.id] == ["black"]
    assert (
        said(await club.ana.click(end, label="Rematch"))
        == "You're already playing this rematch. Find it with `/games`."
    )
    assert said(await club.ben.click(end, label="Rematch")) == "You're not playing in match 1."


async def test_what_the_computer_is_to_do_is_done_after_a_restart_and_once(club: Club) -> None:
    await club.ana.slash(club.channel, "play", game="laquet")
    await to_a_play(club)
    # As after a kill: what Ana played is stored, and nobody does what follows.
    await club.bot.runner.stop(5)
    await press(club)
    waiting = await sitting_of(club)
    assert waiting.computer_acts
    bot = Tabula(club.store, entropy=Seeded())
    await club.env.restart_bot(bot)
    await club.env.settle()
    after = await play.load(bot.app, 1)
    assert not after.computer_acts
    (thrown,) = (
        each
        for each in await play.history(bot.app, after.row)
        if each.before.version == waiting.match.version
    )
    assert isinstance(thrown.event, Thrown)
    # Nothing is left to be done but to look after the match when nobody has touched it for long.
    waiting_jobs = await club.store.jobs.due(after.row.touched + UNTOUCHED, 9)
    assert [job.kind for job in waiting_jobs] == [tasks.WATCH]
    await bot.close()


async def test_teams_are_filled_with_the_computer(club: Club) -> None:
    await club.ana.slash(club.channel, "play", game="pyf", options="players=2")
    sitting = await sitting_of(club)
    assert [sitting.names[seat.person] for seat in sitting.row.seats] == [
        "Ana",
        "Tabula",
        "Tabula II",
        "Tabula III",
    ]
    for _ in range(6):
        await press(club)
    assert len(live(club)) == 1


async def test_free_seats_of_a_challenge_are_filled_by_those_who_sit_there(club: Club) -> None:
    await club.ana.slash(club.channel, "challenge", game="pyf", options="players=2")
    offer = newest(club)
    await club.ben.click(offer, label="Join black")
    assert said(await club.cyn.click(offer, label="Fill with Tabula")).startswith(
        "Only people who have joined this challenge"
    )
    await club.ben.click(offer, label="Fill with Tabula")
    sitting = await sitting_of(club)
    assert set(sitting.people) == {club.ana.id, club.ben.id}
    assert not sitting.row.rated
    # Whoever waits for others is called.
    for _ in range(8):
        person = club.ana if sitting.to_act == club.ana.id else club.ben
        message = newest(club)
        menu = menus(message)
        if menu:
            await person.select(
                message, custom_id=menu[0].custom_id, values=[menu[0].options[0].value]
            )
        else:
            await person.click(message, custom_id=controls(message)[0])
        sitting = await sitting_of(club)
        assert not sitting.computer_acts
    assert {int(user) for each in calls(club) for user in each.get("users", ())} == {
        club.ana.id,
        club.ben.id,
    }


@pytest.mark.sweep
async def test_nobody_plays_more_matches_against_the_computer_than_there_may_be(club: Club) -> None:
    for _ in range(LIMITS.running):
        # Nobody begins more than a few a minute.
        club.hands.ahead += MINUTE
        await club.ana.slash(club.channel, "play", game="twelve-dogs", side="gold")
    told = said(await club.ana.slash(club.channel, "play", game="zeno"))
    assert told.startswith("Ana has 20 matches in progress")
    # The computer has no limit of its own.
    await club.ben.slash(club.channel, "play", game="zeno")
    assert (await sitting_of(club, LIMITS.running + 1)).people == (club.ben.id,)


async def test_refusals_change_nothing(club: Club) -> None:
    robot = club.guild.add_member(club.env.create_user("robot", global_name="Robot", bot=True))
    assert said(await club.ana.slash(club.channel, "play", game="zena")).startswith(
        "There's no game called zena"
    )
    assert said(await club.ana.slash(club.channel, "play", game="zeno", options="xq=9")).startswith(
        "Zeno has no"
    )
    assert said(
        await club.ana.slash(club.channel, "challenge", game="zeno", opponent=robot)
    ).startswith("Robot is a bot")
    assert seen(club) == []
    await club.ana.slash(club.channel, "play", game="zeno")
    await to_a_play(club)
    at = (await sitting_of(club)).match.version
    first = menus(newest(club))[0]
    await club.ben.select(newest(club), custom_id=first.custom_id, values=[first.options[0].value])
    assert (await sitting_of(club)).match.version == at


async def test_a_level_that_thinks_too_long_plays_on_as_a_beginner(club: Club) -> None:
    await club.ana.slash(club.channel, "play", game="laquet", level="master")
    await to_a_play(club)
    app = club.bot.app
    app.minds.close()
    app.minds = tired = Tired(1)
    await press(club)
    assert tired.asked[:2] == [Level.MASTER, Level.BEGINNER]
    assert not (await sitting_of(club)).computer_acts
    assert len(live(club)) == 1


class Tired(Minds):
    """Workers that find only a beginner's play in time, and record the levels asked for.

    Nothing takes too long while the simulator holds the clock.
    """

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self.asked: list[Level] = []

    async def decide(self, match: Match, level: Level, seed: int) -> Event | None:
        """Have a beginner decide."""
        self.asked.append(level)
        if level is not Level.BEGINNER:
            raise TookTooLong(level)
        return await super().decide(match, level, seed)

    async def accepts_draw(self, match: Match, side: Side) -> bool:
        """Come to no answer."""
        raise TookTooLong("a draw")


async def test_rated_matches_have_boards_of_their_own_for_each_level(club: Club) -> None:
    await club.ana.slash(club.channel, "play", game="laquet", level="master", rated=True)
    await club.ana.slash(club.channel, "resign")
    assert "Ratings: " in text(newest(club))
    assert "Tabula" in text(newest(club)).splitlines()[-1]
    await club.ana.slash(club.channel, "leaderboard")
    assert "Nobody has finished a rated match yet." in text(newest(club))
    for game in (None, "laquet"):
        await club.ana.slash(
            club.channel, "leaderboard", against="master", **({"game": game} if game else {})
        )
        listed = text(newest(club))
        assert "against Tabula (master)" in listed
        assert "Tabula 1" in listed
        assert "Ana 8" in listed or "Ana 9" in listed
    await club.ana.slash(club.channel, "leaderboard", against="beginner")
    assert "Nobody has finished a rated match yet." in text(newest(club))
    await club.ana.slash(club.channel, "profile", against="master")
    assert "**Laquet against Tabula (master)**" in text(newest(club))
    assert len(pictures(newest(club))) == 1
