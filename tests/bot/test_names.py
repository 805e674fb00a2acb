"""People's names: readable, drawable, no two alike, and always the current one."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from bot.features.challenges.cards import challenge_card
from bot.features.challenges.store import Challenges
from bot.features.matches.loading import load_session
from bot.features.matches.scene import build_scene
from bot.platform.db.rows import PersonNames
from bot.platform.i18n.reader import Reader
from render.scene import Scene
from tests.render.fonts import install_fonts
from tests.support import driver
from tests.support.club import SimulatedClub, open_club

BLANK = "\u3164\u2800\u200b"
ENGLISH = Reader.ENGLISH


@pytest.fixture(autouse=True)
def no_fonts(tmp_path: Path) -> Iterator[None]:
    """Let the system have no fonts at all."""
    with install_fonts(tmp_path / "system", scripts=()):
        yield


async def build_match_scene(club: SimulatedClub) -> Scene:
    """What the picture of match 1 shows."""
    return build_scene(ENGLISH, await load_session(club.bot.app, 1))


def get_alt_text(club: SimulatedClub) -> str:
    """What the newest picture says to those who cannot see it."""
    (picture,) = driver.list_pictures(driver.get_newest_message(club))
    return picture.description or ""


@pytest.mark.asyncio
async def test_a_name_that_shows_nothing_is_the_accounts(tmp_path: Path) -> None:
    async with open_club(tmp_path / "club.sqlite3", names=(BLANK, "Ben", "\u0301")) as club:
        await driver.start_match(club, "zeno")
        assert "Gold (ana): " in get_alt_text(club)
        board = await club.ana.slash(club.channel, "match board", show="text")
        assert "Gold: ana" in driver.get_ephemeral_text(board)
        assert (await build_match_scene(club)).drawn_names == ("ana", "Ben")
        await club.cyn.slash(club.channel, "challenge", game="zeno")
        assert "(cyn): " in get_alt_text(club)


@pytest.mark.asyncio
async def test_names_that_no_font_has_are_the_accounts_in_pictures_alone(tmp_path: Path) -> None:
    names = ("田中太郎", "山本花子", "Cyn")
    async with open_club(tmp_path / "club.sqlite3", names=names) as club:
        await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
        assert "Gold (田中太郎): " in get_alt_text(club)
        challenge = await club.store.get(Challenges).load_challenge(1)
        assert challenge is not None
        people = await club.store.people.load_names([club.ana.id, club.ben.id])
        card = challenge_card(ENGLISH, challenge, people)
        assert card.picture is not None
        assert isinstance(card.picture.shows, Scene)
        assert card.picture.shows.drawn_names == ("ana", "ben")
        await club.ben.click(
            driver.get_newest_message(club),
            custom_id=driver.find_button(driver.get_newest_message(club), ":accept"),
        )
        now = await build_match_scene(club)
        assert {*now.names} == {"田中太郎", "山本花子"}
        assert {*(now.drawn_names or ())} == {"ana", "ben"}
        assert (now.drawn_status or "").split()[0] in ("ana", "ben", "Roll")
        with install_fonts(tmp_path / "more"):
            assert {*((await build_match_scene(club)).drawn_names or ())} == {
                "田中太郎",
                "山本花子",
            }


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("names", "texts", "drawn"),
    [
        (("Ana", "ana"), ("Ana (ana)", "ana (ben)"), ("ana", "ben")),
        (("Ana", "𝓐𝓷𝓪"), ("Ana (ana)", "𝓐𝓷𝓪 (ben)"), ("ana", "ben")),  # noqa: RUF001
        (("Ana", "Ana\u200b"), ("Ana (ana)", "Ana\u200b (ben)"), ("ana", "ben")),
        (("Xu", "田中"), ("Xu", "田中"), ("Xu", "ben")),
        (("ben", "🦋"), ("ben", "🦋"), ("ana", "ben")),
        (
            ("Maximilian von Hohenfels", "Maximilian von Hohenstein"),
            ("Maximilian von Hohenfels", "Maximilian von Hohenstein"),
            ("ana", "ben"),
        ),
    ],
)
async def test_two_who_look_the_same_are_told_apart(
    tmp_path: Path, names: tuple[str, str], texts: tuple[str, str], drawn: tuple[str, str]
) -> None:
    async with open_club(tmp_path / "club.sqlite3", names=(*names, "Cyn")) as club:
        await driver.start_match(club, "zeno")
        session = await load_session(club.bot.app, 1)
        now = build_scene(ENGLISH, session)
        gold, black = (session.row.seats[at].person == club.ana.id for at in (0, 1))
        assert gold != black
        assert {*now.names} == {*texts}
        assert {*(now.drawn_names or ())} == {*drawn}


@pytest.mark.asyncio
@pytest.mark.sweep
@pytest.mark.usefixtures("own_throws")
async def test_whoever_acts_is_called_by_their_present_name(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    assert "Ana" in get_alt_text(club)
    club.env.backend.users[club.ana.id].global_name = "Ana the Elder"
    await driver.find_mentioned_player(club).click(driver.get_newest_message(club), label="Roll")
    await club.ana.slash(club.channel, "help")
    assert (await load_session(club.bot.app, 1)).names[club.ana.id] == "Ana the Elder"
    board = driver.get_response(await club.ben.slash(club.channel, "match board"))
    assert "Ana the Elder" in (driver.list_pictures(board.message)[0].description or "")
    assert "Ana the Elder" in ((await build_match_scene(club)).drawn_names or ())
    await club.ana.slash(club.channel, "leaderboard")


@pytest.mark.asyncio
@pytest.mark.usefixtures("own_throws")
async def test_a_known_name_is_not_looked_up_again(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    await driver.start_match(club, "zeno")
    mover = driver.find_mentioned_player(club)
    await mover.click(driver.get_newest_message(club), label="Roll")
    asked = Counter[int]()
    look_up = club.store.people.load_names

    async def counted(people: Iterable[int]) -> dict[int, PersonNames]:
        asked.update(people := list(people))
        return await look_up(people)

    monkeypatch.setattr(club.store.people, "load_names", counted)
    await mover.slash(club.channel, "match board")
    assert asked[mover.id] == 0
    # Another process has met them under a name of another server, which is read with the match.
    await club.store.people.save_name(mover.id, "Somebody", 1)
    await mover.slash(club.channel, "match board")
    assert (await look_up([mover.id]))[mover.id].name == "Somebody"
    await mover.slash(club.channel, "match board")
    assert (await look_up([mover.id]))[mover.id].name in ("Ana", "Ben")


@pytest.mark.asyncio
async def test_looking_alone_keeps_no_name(club: SimulatedClub) -> None:
    await club.cyn.slash(club.channel, "help")
    assert await club.store.people.load_names([club.cyn.id]) == {}


@pytest.mark.asyncio
async def test_who_was_met_by_an_earlier_version_has_no_account_until_they_act(
    club: SimulatedClub,
) -> None:
    await club.store.people.save_name(club.ana.id, BLANK, 1)
    assert await club.bot.app.load_names([club.ana.id]) == {club.ana.id: str(club.ana.id)}
    await club.ana.slash(club.channel, "help")
    known = await club.store.people.load_names([club.ana.id])
    assert known == {club.ana.id: PersonNames("Ana", "ana")}
    # A name that comes without the account, as that of a rematch, leaves the account as it is.
    await club.store.people.save_name(club.ana.id, "Ana B", 2)
    known = await club.store.people.load_names([club.ana.id])
    assert known == {club.ana.id: PersonNames("Ana B", "ana")}
