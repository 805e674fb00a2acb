"""Playing the computer: it starts at once, posts one message a turn, and survives restarts."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
import simcord

from bot.features.challenges.service import LIMITS
from bot.features.challenges.terms import find_easier_level
from bot.features.computer.pool import PlayerPool
from bot.features.matches import loading
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.features.matches.jobs import WatchClock
from bot.features.matches.record import build_record, encode_events, verify_record
from bot.features.matches.session import MatchSession, Transition
from bot.features.matches.store import Matches
from bot.platform.lines import NOBODY, Asker
from bot.platform.people import COMPUTERS, get_computer_level
from bot.platform.workers import WorkerTimeoutError
from engine.clock import MINUTE
from engine.events import Battled, Event, Thrown
from engine.match import Match
from engine.outcome import GameOutcome
from engine.players.level import Level
from engine.position import Side
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    forge_press,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    give_up,
    list_button_labels,
    list_control_ids,
    list_live_messages,
    list_menus,
    list_pictures,
    list_public_messages,
    use_first_control,
)
from tests.support.stored import load_due

pytestmark = pytest.mark.asyncio

Way = Callable[[SimulatedClub], Awaitable[None]]


def is_match_over(club: SimulatedClub) -> bool:
    """Whether the newest message is the last of a match."""
    return "Rematch, sides swapped" in list_button_labels(get_newest_message(club))


async def press_next_control(club: SimulatedClub) -> None:
    """Ana does the next thing by its first menu or button, and the computer answers."""
    message = get_newest_message(club)
    await use_first_control(club.ana, message)


async def press_first_move(club: SimulatedClub) -> None:
    """Ana makes the first move that has a button, or else the first thing that has one."""
    message = get_newest_message(club)
    controls = list_control_ids(message)
    moves = [each for each in controls if ":move:" in each]
    await club.ana.click(message, custom_id=(moves or controls)[0])


async def type_next_command(club: SimulatedClub) -> None:
    """Ana does the next thing by its command, and the computer answers."""
    message = get_newest_message(club)
    if list_menus(message):
        await club.ana.slash(club.channel, "move", play=list_menus(message)[0].options[0].value)
    elif "Roll" in list_button_labels(message):
        await club.ana.slash(club.channel, "roll")
    else:
        await press_next_control(club)


async def advance_to_play(club: SimulatedClub) -> None:
    """Ana plays until she has a throw to play."""
    while not list_menus(get_newest_message(club)):
        await press_next_control(club)


async def load_session(club: SimulatedClub, match: int = 1) -> MatchSession:
    """A match as it stands."""
    return await loading.load_session(club.bot.app, match)


async def load_transitions(club: SimulatedClub, match: int = 1) -> Sequence[Transition]:
    """All that has happened in a match, as it is stored."""
    return await loading.load_history(club.bot.app, (await load_session(club, match)).row)


def list_allowed_mentions(club: SimulatedClub) -> list[dict[str, Any]]:
    """Whom each message notified."""
    posted = [
        each
        for each in club.env.http_requests
        if each.method == "POST" and each.path.endswith("/messages")
    ]
    return [each.json["allowed_mentions"] for each in posted if each.json]


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("game", "way"),
    [
        ("laquet", press_next_control),
        ("doblet", type_next_command),
        ("fallas", press_first_move),
    ],
)
async def test_a_whole_game_is_told_once_in_a_message_a_turn_and_calls_nobody(
    club: SimulatedClub, game: str, way: Way
) -> None:
    await club.ana.slash(club.channel, "play", game=game, level="beginner")
    while not is_match_over(club):
        assert len(list_live_messages(club)) == 1
        await way(club)
    session, everything = await load_session(club), await load_transitions(club)
    assert not session.row.rated
    lines = [extract_text(message) for message in list_public_messages(club)]
    thrown = sum(isinstance(each.event, Thrown) for each in everything)
    assert "\n".join(lines).count(" rolled ") == thrown
    assert "\n".join(lines).count("Opening roll") == sum(
        isinstance(each.event, Battled) for each in everything
    )
    # No story begins in the middle of a turn.
    assert not [
        each for each in lines if each.splitlines()[2].startswith(("The only", "There is no"))
    ]
    # Every message but the first and the last closes a turn of Ana's, whose picture it keeps.
    for message in list_public_messages(club)[1:-1]:
        assert f"<@{club.ana.id}>" in "\n".join(extract_text(message).splitlines()[2:])
        assert len(list_pictures(message)) == 1
    assert all(not each.get("users") for each in list_allowed_mentions(club))
    # The computer's acts are stored as its own; its share is in the dice, which anyone can check.
    stored = await club.store.get(Matches).load_events(1)
    for event, each in zip(stored, everything, strict=True):
        if event.cause and not isinstance(each.event, Battled):
            assert event.person == replace(session, match=each.before).person_to_act
    (computer,) = (seat for seat in session.row.seats if seat.person in COMPUTERS)
    assert get_computer_level(computer.person) is Level.BEGINNER
    assert computer.contribution
    assert verify_record(build_record(session, encode_events(session, everything))).wrong is None


async def test_the_bot_accepts_a_challenge_at_once(club: SimulatedClub) -> None:
    me = simcord.MemberActor(
        club.env, club.guild, simcord.UserHandle(club.env, club.env.backend.bot_user)
    )
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=me)
    session = await load_session(club)
    assert session.computer_level is Level.COMPANION
    assert not session.row.rated
    assert len(list_live_messages(club)) == 1


async def test_a_challenge_to_the_bot_counts_where_that_is_wished_and_has_no_clock(
    club: SimulatedClub,
) -> None:
    me = simcord.MemberActor(
        club.env, club.guild, simcord.UserHandle(club.env, club.env.backend.bot_user)
    )
    text = get_ephemeral_text(
        await club.ana.slash(club.channel, "challenge", game="zeno", opponent=me, pace="day")
    )
    assert text == "Matches against the computer have no clock, so leave the pace out."
    assert not await club.store.get(Matches).load_running_by_person(club.ana.id)
    await club.ana.slash(
        club.channel, "challenge", game="zeno", opponent=me, rated=True, pace="none"
    )
    session = await load_session(club)
    assert session.row.rated
    assert session.is_solo


async def test_house_rules_against_the_bot_are_chosen_in_a_card(club: SimulatedClub) -> None:
    me = simcord.MemberActor(
        club.env, club.guild, simcord.UserHandle(club.env, club.env.backend.bot_user)
    )
    card = get_response(
        await club.ana.slash(club.channel, "challenge", game="zeno", opponent=me, options="choose")
    ).message
    goal = next(menu for menu in list_menus(card) if menu.custom_id.endswith("goal"))
    await club.ana.select(card, custom_id=goal.custom_id, values=["off"])
    await club.ana.click(card, label="Challenge")
    session = await load_session(club)
    assert session.is_solo
    assert session.match.options == {"goal": "off"}


async def test_who_names_no_game_plays_whoever_waits_longest(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "challenge", game="laquet")
    await club.cyn.slash(club.channel, "challenge", game="zeno")
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    await club.ben.slash(club.channel, "play")
    session = await load_session(club)
    assert (session.row.game, set(session.human_players)) == ("laquet", {club.ana.id, club.ben.id})


async def test_who_finds_nobody_waiting_is_offered_the_computer(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "challenge", game="laquet")
    answer = await club.ana.slash(club.channel, "play")
    assert get_ephemeral_text(answer).startswith("Nobody here is waiting for an opponent.")
    assert answer.response is not None
    await club.ana.click(answer.response.message, label="Zeno")
    assert (await load_session(club)).human_players == (club.ana.id,)


@pytest.mark.sweep
async def test_a_turn_can_be_taken_back_while_it_lasts_and_the_computers_never(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "play", game="zeno", rated=True)
    await advance_to_play(club)
    single = (await load_session(club)).match.list_next_moves()[0]
    names = (await load_session(club)).match.rules.board.place_names
    await club.ana.slash(
        club.channel, "move", play=f"{names[single.source]}-{names[single.target]}"
    )
    before = len(list_public_messages(club))
    await club.ana.click(get_newest_message(club), label="Take back")
    assert (await load_session(club)).match.moves == ()
    assert len(list_public_messages(club)) == before
    turn = (await load_session(club)).match.drawn
    while (await load_session(club)).match.drawn == turn:
        await press_next_control(club)
    # Tabula has moved since, and the match is rated.
    assert "Take back" not in " ".join(list_button_labels(get_newest_message(club)))
    refusal = "There's nothing to take back since the last throw."
    if (await load_session(club)).match.may_take_back():
        refusal = "You can't take back now, because Computer moved last."
    assert get_ephemeral_text(await club.ana.slash(club.channel, "undo")) == refusal


async def test_unrated_a_whole_turn_is_taken_back_until_one_plays_on(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "play", game="zeno")
    await advance_to_play(club)
    before = await load_session(club)
    while (await load_session(club)).match.drawn == before.match.drawn:
        await press_next_control(club)
    posted = len(list_public_messages(club))
    assert "Take back my turn" in list_button_labels(get_newest_message(club))
    await club.ana.click(get_newest_message(club), label="Take back my turn")
    back = await load_session(club)
    assert (back.match.position, back.match.thrown) == (
        before.match.position,
        before.match.thrown,
    )
    text = extract_text(get_newest_message(club))
    dice = "-".join(map(str, before.match.position.dice))
    assert f"took back the last turn. The throw is again {dice}." in text
    # Neither is the computer's answer on the board.
    assert "played" not in text
    assert "rolled" not in text
    assert len(list_public_messages(club)) == posted
    assert len(list_live_messages(club)) == 1
    # Only one turn can be taken back, and what was thrown comes again.
    assert "Take back my turn" not in list_button_labels(get_newest_message(club))
    assert get_ephemeral_text(await club.ana.slash(club.channel, "undo")).startswith("There's")
    again = await load_session(club)
    while again.match.drawn == before.match.drawn:
        await press_next_control(club)
        again = await load_session(club)
    everything = await load_transitions(club)
    thrown = [
        (each.before.drawn, each.event) for each in everything if isinstance(each.event, Thrown)
    ]
    # The computer's throw was drawn twice under one number.
    assert len(set(thrown)) < len(thrown)
    assert len(set(thrown)) == len({number for number, _ in thrown})
    assert verify_record(build_record(again, encode_events(again, everything))).wrong is None


async def test_giving_up_and_playing_again_with_sides_changed(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "play", game="zeno", level="master")
    await give_up(club, club.ana, club.channel)
    end = get_newest_message(club)
    assert "Computer (black) won" in extract_text(end)
    await club.ana.click(end, label="Rematch, sides swapped")
    again = await load_session(club, 2)
    assert again.computer_level is Level.MASTER
    assert [seat.side for seat in again.row.seats if seat.person == club.ana.id] == ["black"]
    assert (
        get_ephemeral_text(await club.ana.click(end, label="Rematch, sides swapped"))
        == "You're already playing this rematch. Find it with `/matches`."
    )
    assert (
        get_ephemeral_text(await club.ben.click(end, label="Rematch, sides swapped"))
        == "You're not playing in match 1."
    )


EASIER = "Play an easier one"


async def test_who_has_lost_to_the_computer_can_play_an_easier_one(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "play", game="zeno", level="master", rated=True)
    lost = []
    for number, level in enumerate((Level.MASTER, Level.COMPANION, Level.BEGINNER), 1):
        assert (await load_session(club, number)).computer_level is level
        await give_up(club, club.ana, club.channel, match=number)
        lost.append(get_newest_message(club))
        assert (EASIER in list_button_labels(lost[-1])) is (level is not Level.BEGINNER)
        if level is not Level.BEGINNER:
            await club.ana.click(lost[-1], label=EASIER)
    again = await load_session(club, 2)
    assert (again.match.game.slug, again.row.rated) == ("zeno", True)
    # It begins once, however often it is pressed.
    await club.ana.click(lost[1], label=EASIER)
    await club.ana.click(lost[1], label=EASIER)
    assert (await load_session(club, 4)).computer_level is Level.BEGINNER
    assert await club.store.get(Matches).load_row(5) is None
    assert (
        get_ephemeral_text(await club.ben.click(lost[0], label=EASIER))
        == "You're not playing in match 1."
    )


async def test_nobody_is_offered_an_easier_one_after_a_win_or_a_match_that_counts_for_nothing(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "play", game="zeno", level="master")
    await give_up(club, club.ana, club.channel)
    end = get_newest_message(club)
    await club.ana.slash(club.channel, "server end", match=1, how="annul", reason="a slip")
    await club.advance_clock(0)
    (annulled,) = [each for each in list_public_messages(club) if each.id == end.id]
    assert "Watch again" in list_button_labels(annulled)
    assert EASIER not in list_button_labels(annulled)
    await forge_press(club, club.ana, annulled, "easier:1")
    assert await club.store.get(Matches).load_row(2) is None
    session = await load_session(club)
    for winner, offered in ((Side.GOLD, False), (None, False), (Side.BLACK, True)):
        outcome = GameOutcome(winner, "off")
        over = replace(session, match=replace(session.match, outcome=outcome))
        assert (find_easier_level(over) is Level.COMPANION) is offered


async def test_what_the_computer_is_to_do_is_done_after_a_restart_and_once(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "play", game="laquet")
    await advance_to_play(club)
    # As after a kill: what Ana played is stored, and nobody does what follows.
    await club.bot.runner.stop(5)
    await press_next_control(club)
    waiting = await load_session(club)
    assert waiting.is_computer_acting
    bot = await club.restart_bot()
    await club.env.settle()
    after = await loading.load_session(bot.app, 1)
    assert not after.is_computer_acting
    (thrown,) = (
        each
        for each in await loading.load_history(bot.app, after.row)
        if each.before.version == waiting.match.version
    )
    assert isinstance(thrown.event, Thrown)
    # Nothing is left to be done but to look after the match when nobody has touched it for long.
    waiting_jobs = await load_due(club.store.jobs, after.row.touched + IDLE_LIMIT_MS, 9)
    assert [job.kind for job in waiting_jobs] == [WatchClock.kind]
    await bot.close()


@pytest.mark.sweep
async def test_teams_are_filled_with_the_computer(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "play", game="pyf", options="players=2")
    session = await load_session(club)
    assert [session.names[seat.person] for seat in session.row.seats] == [
        "Ana",
        "Computer",
        "Computer II",
        "Computer III",
    ]
    for _ in range(6):
        await press_next_control(club)
    assert len(list_live_messages(club)) == 1


@pytest.mark.sweep
async def test_free_seats_of_a_challenge_are_filled_by_those_who_sit_there(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "challenge", game="pyf", options="players=2")
    offer = get_newest_message(club)
    await club.ben.click(offer, label="Join black")
    assert get_ephemeral_text(await club.cyn.click(offer, label="Fill with computers")).startswith(
        "Only people who have joined this challenge"
    )
    await club.ben.click(offer, label="Fill with computers")
    session = await load_session(club)
    assert set(session.human_players) == {club.ana.id, club.ben.id}
    assert not session.row.rated
    # Whoever waits for others is called.
    for _ in range(8):
        person = club.ana if session.person_to_act == club.ana.id else club.ben
        message = get_newest_message(club)
        menu = list_menus(message)
        if menu:
            await person.select(
                message, custom_id=menu[0].custom_id, values=[menu[0].options[0].value]
            )
        else:
            await person.click(message, custom_id=list_control_ids(message)[0])
        session = await load_session(club)
        assert not session.is_computer_acting
    assert {
        int(user) for each in list_allowed_mentions(club) for user in each.get("users", ())
    } == {
        club.ana.id,
        club.ben.id,
    }


@pytest.mark.sweep
async def test_nobody_plays_more_matches_against_the_computer_than_there_may_be(
    club: SimulatedClub,
) -> None:
    for _ in range(LIMITS.running):
        # Nobody begins more than a few a minute.
        club.hands.ahead += MINUTE
        await club.ana.slash(club.channel, "play", game="twelve-dogs", side="gold")
    text = get_ephemeral_text(await club.ana.slash(club.channel, "play", game="zeno"))
    assert text.startswith("Ana has 20 matches in progress")
    # The computer has no limit of its own.
    await club.ben.slash(club.channel, "play", game="zeno")
    assert (await load_session(club, LIMITS.running + 1)).human_players == (club.ben.id,)


async def test_refusals_change_nothing(club: SimulatedClub) -> None:
    robot = club.guild.add_member(club.env.create_user("robot", global_name="Robot", bot=True))
    assert get_ephemeral_text(await club.ana.slash(club.channel, "play", game="zena")).startswith(
        "There's no game called zena"
    )
    assert get_ephemeral_text(
        await club.ana.slash(club.channel, "play", game="zeno", options="xq=9")
    ).startswith("Zeno has no")
    assert get_ephemeral_text(
        await club.ana.slash(club.channel, "challenge", game="zeno", opponent=robot)
    ).startswith("Robot is a bot")
    assert list_public_messages(club) == []
    await club.ana.slash(club.channel, "play", game="zeno")
    await advance_to_play(club)
    at = (await load_session(club)).match.version
    first = list_menus(get_newest_message(club))[0]
    await club.ben.select(
        get_newest_message(club), custom_id=first.custom_id, values=[first.options[0].value]
    )
    assert (await load_session(club)).match.version == at


@pytest.mark.sweep
async def test_a_level_that_thinks_too_long_plays_on_as_a_beginner(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "play", game="laquet", level="master")
    await advance_to_play(club)
    app = club.bot.app
    app.get_part(PlayerPool).close()
    tired = SlowPlayerPool(1)
    app.set_part(PlayerPool, tired)
    await press_next_control(club)
    assert tired.asked[:2] == [Level.MASTER, Level.BEGINNER]
    assert not (await load_session(club)).is_computer_acting
    assert len(list_live_messages(club)) == 1


class SlowPlayerPool(PlayerPool):
    """Workers that find only a beginner's play in time, and record the levels asked for.

    Nothing takes too long while the simulator holds the clock.
    """

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self.asked: list[Level] = []

    async def decide(
        self, match: Match, level: Level, seed: int, asker: Asker = NOBODY
    ) -> Event | None:
        """Have a beginner decide."""
        self.asked.append(level)
        if level is not Level.BEGINNER:
            raise WorkerTimeoutError(level)
        return await super().decide(match, level, seed, asker)

    async def accepts_draw(self, match: Match, side: Side, asker: Asker = NOBODY) -> bool:
        """Come to no answer."""
        raise WorkerTimeoutError("a draw")


@pytest.mark.sweep
async def test_rated_matches_have_boards_of_their_own_for_each_level(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "play", game="laquet", level="master", rated=True)
    await give_up(club, club.ana, club.channel)
    assert "Ratings: " in extract_text(get_newest_message(club))
    (line,) = [
        line for line in extract_text(get_newest_message(club)).splitlines() if "Ratings: " in line
    ]
    assert "Computer" in line
    await club.ana.slash(club.channel, "leaderboard")
    assert "Nobody has finished a rated match yet." in extract_text(get_newest_message(club))
    for game in (None, "laquet"):
        await club.ana.slash(
            club.channel, "leaderboard", against="master", **({"game": game} if game else {})
        )
        text = extract_text(get_newest_message(club))
        assert "against the computer (master)" in text
        assert "Computer 1" in text
        assert "Ana 8" in text or "Ana 9" in text
    await club.ana.slash(club.channel, "leaderboard", against="beginner")
    assert "Nobody has finished a rated match yet." in extract_text(get_newest_message(club))
    await club.ana.slash(club.channel, "me profile", against="master")
    message = get_newest_message(club)
    assert "**Laquet, against the computer (master)**" in extract_text(message)
    # After one match there is no course to draw: a sentence gives the rating.
    assert "after the first rated match" in extract_text(message)
    assert not list_pictures(message)
