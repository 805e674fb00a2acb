"""What people type is read however a phone, a keyboard or a copy of our own words writes it."""

import pytest

from bot.features.challenges.terms import normalise_options, parse_options
from bot.platform.db.shards import Shards
from engine.games import GAMES, find_game
from engine.games.unplayed import find_unplayed
from engine.refusal import Refusal
from tests.support.club import SimulatedClub
from tests.support.driver import extract_text, get_ephemeral_text, get_newest_message, start_match


@pytest.mark.parametrize(
    "typed",
    [
        "blockade=wins dice=three-plain",
        "blockade: wins, dice: three-plain",
        "Blockade : Wins; DICE = Three\u2011Plain",
        "blockade\uff1awins\u3000dice\uff1dthree-plain",
        "blockade=\u200bwins,dice=three\u2013plain",
    ],
)
def test_options_are_read_however_they_are_typed(typed: str) -> None:
    assert normalise_options(typed) == "blockade=wins dice=three-plain"
    read = parse_options(GAMES["ludus-anglicorum"], typed)
    assert read == {"blockade": "wins", "dice": "three-plain"}


@pytest.mark.parametrize("slug", GAMES)
def test_every_option_is_read_with_a_colon(slug: str) -> None:
    known = GAMES[slug]
    for option in known.options:
        for value in option.values:
            if not option.starter_chooses:
                typed = f"{option.name}: {value.name}"
                assert parse_options(known, typed) == {option.name: value.name}


@pytest.mark.parametrize("typed", ["unusable", "unusable=", "odd: opponent", ": opponent"])
def test_what_is_no_option_is_refused(typed: str) -> None:
    with pytest.raises(Refusal):
        parse_options(GAMES["zeno"], typed)


@pytest.mark.parametrize(
    ("typed", "slug"),
    [
        ("  Ludus   Anglicorum ", "ludus-anglicorum"),
        ("LUDUS\u00a0ANGLICORUM", "ludus-anglicorum"),
        ("ludus\u2013anglicorum", "ludus-anglicorum"),
        ("\uff3aeno", "zeno"),
        ("zeno\u200b", "zeno"),
        ("todas  tablas", "todas-tablas"),
    ],
)
def test_a_game_is_found_by_its_name_however_it_is_typed(typed: str, slug: str) -> None:
    assert find_game(typed).slug == slug


def test_a_page_is_found_likewise() -> None:
    page = find_unplayed("Le\u00a0grand  TRICTRAC")
    assert page is not None
    assert page.slug == "trictrac"


@pytest.mark.parametrize("slug", GAMES)
def test_every_name_of_a_game_is_found_with_curly_quotes_and_spaces(slug: str) -> None:
    game = GAMES[slug]
    for name in (game.title, *game.aliases):
        curly = name.replace("'", "\u2019").replace("-", "\u2011").replace(" ", "\u00a0 ")
        assert find_game(curly) == find_game(name)


def test_shards_are_read_however_they_are_typed() -> None:
    assert Shards.parse("0\u20133/16") == Shards.parse("\uff10-3\u204416") == Shards(0, 3, 16)


@pytest.mark.asyncio
async def test_a_challenge_is_made_of_what_phones_write(club: SimulatedClub) -> None:
    await club.ana.slash(
        club.channel,
        "challenge",
        game="\uff3aeno ",
        pace="3 days",
        options="unusable\uff1a opponent",
    )
    assert "cannot be played? The other side may play any or none of them" in extract_text(
        get_newest_message(club)
    )
    assert "3 days a turn" in extract_text(get_newest_message(club))
    options = await club.ana.autocomplete(
        club.channel, "challenge", "options", "unusable: opp", game="zeno"
    )
    assert [choice["value"] for choice in options] == ["unusable=opponent"]
    for typed in ("1 day", "24h", "DAY"):
        paces = await club.ana.autocomplete(club.channel, "challenge", "pace", typed)
        assert [choice["value"] for choice in paces] == ["day"]
    games = await club.ana.autocomplete(club.channel, "challenge", "game", "ludus\u00a0 ang")
    assert [choice["value"] for choice in games] == ["ludus-anglicorum"]


@pytest.mark.asyncio
async def test_a_reason_of_signs_that_nobody_sees_is_none(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    text = get_ephemeral_text(
        await club.ana.slash(
            club.channel, "server end", match=1, how="draw", reason="\u200b \u2060\ufeff"
        )
    )
    assert text.startswith("Please give a reason")
