"""One's own language, and that of a server: chosen by a command, else as Discord says."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from babel.messages.catalog import Catalog

from bot.platform.context import Languages, load_languages
from tests.support import panels
from tests.support.club import SimulatedClub, open_club
from tests.support.contests import create_contest
from tests.support.driver import (
    get_ephemeral_text,
    get_response,
    list_button_labels,
    list_posts,
)
from tests.words.build import compile_catalogue


def build_german(folder: Path) -> Path:
    """A few texts in German."""
    catalogue = Catalog("de", fuzzy=False)
    catalogue.add("English", "Deutsch", context="language")
    catalogue.add("As Discord says", "Wie Discord sagt")
    catalogue.add("You haven't finished a match yet.", "Du hast noch keine Partie beendet.")
    catalogue.add("Join", "Mitmachen")
    return compile_catalogue(folder, "de", catalogue)


@pytest_asyncio.fixture
async def club(tmp_path: Path) -> AsyncIterator[SimulatedClub]:
    """A club in English, whose bot also speaks German."""
    locales = build_german(tmp_path / "locale")
    async with open_club(tmp_path / "club.sqlite3", locales) as opened:
        yield opened


NOTHING_FINISHED = "Du hast noch keine Partie beendet."


async def read_history(club: SimulatedClub) -> str:
    """What Ana reads in private: that nothing is finished yet."""
    return get_ephemeral_text(await club.ana.slash(club.channel, "match record"))


@pytest.mark.asyncio
async def test_a_chosen_language_holds_for_what_only_its_reader_sees(club: SimulatedClub) -> None:
    assert "You haven't finished a match yet." in await read_history(club)
    answer = await panels.change_settings(club.ana, club.channel, language="de")
    assert "Deutsch" in get_ephemeral_text(answer)
    assert NOTHING_FINISHED in await read_history(club)
    ben = get_ephemeral_text(await club.ben.slash(club.channel, "match record"))
    assert "You haven't finished a match yet." in ben
    await panels.change_settings(club.ana, club.channel, language="discord")
    assert "You haven't finished a match yet." in await read_history(club)


@pytest.mark.asyncio
async def test_what_everyone_sees_is_in_the_servers_language(club: SimulatedClub) -> None:
    await panels.change_settings(club.ben, club.channel, language="de")
    answer = await panels.change_server(club.ana, club.channel, language="de")
    assert "Deutsch" in get_ephemeral_text(answer)
    await create_contest(club.ana, club.channel, "league", name="Autumn league", game="fallas")
    (card,) = list_posts(club, "### Autumn league")
    assert list_button_labels(card)[0] == "Mitmachen"
    shown = get_response(await panels.open_server_section(club.ana, club.channel, "public")).message
    assert panels.get_chosen(shown, panels.SERVER_IDS["language"]) == ["de"]
    # Ana herself still reads English.
    assert "You haven't finished a match yet." in await read_history(club)


@pytest.mark.asyncio
async def test_a_language_is_offered_by_its_own_name(club: SimulatedClub) -> None:
    shown = get_response(await club.ana.slash(club.channel, panels.SETTINGS)).message
    shown = get_response(
        await panels.open_section(club.ana, shown, panels.SECTION, "privacy")
    ).message
    assert panels.list_values(shown, panels.IDS["language"]) == ["discord", "en", "de"]
    assert "Deutsch" in str(shown.components)
    assert panels.get_chosen(shown, panels.IDS["language"]) == ["discord"]


@pytest.mark.asyncio
async def test_a_language_that_is_not_there_is_refused(club: SimulatedClub, tmp_path: Path) -> None:
    # It was offered when the panel was opened, and its catalogue is gone since.
    shown = get_response(await club.ana.slash(club.channel, panels.SETTINGS)).message
    shown = get_response(
        await panels.open_section(club.ana, shown, panels.SECTION, "privacy")
    ).message
    club.bot.locales = tmp_path
    answer = await panels.choose(club.ana, shown, panels.IDS["language"], "de")
    assert get_ephemeral_text(answer).startswith("That button no longer works.")
    assert (await club.store.preferences.load_preferences(club.ana.id)).language is None


@pytest.mark.asyncio
async def test_choices_are_read_again_after_a_restart(club: SimulatedClub) -> None:
    await panels.change_settings(club.ana, club.channel, language="de")
    await panels.change_server(club.ana, club.channel, language="de")
    app = club.bot.app
    app.set_part(Languages, Languages())
    await load_languages(app)
    assert app.get_part(Languages) == Languages({club.ana.id: "de"}, {club.guild.id: "de"})


@pytest.mark.asyncio
async def test_resetting_the_settings_ends_a_choice(club: SimulatedClub) -> None:
    await panels.change_settings(club.ana, club.channel, language="de")
    panel = get_response(await club.ana.slash(club.channel, "me settings")).message
    await club.ana.click(panel, custom_id="preference:reset")
    assert "You haven't finished a match yet." in await read_history(club)


@pytest.mark.asyncio
async def test_a_direct_message_is_in_the_language_that_discord_last_named(tmp_path: Path) -> None:
    locales = build_german(tmp_path / "locale")
    path = tmp_path / "club.sqlite3"
    async with open_club(path, locales, people="de") as club:
        await club.ana.slash(club.channel, "me settings")
        # Before something is stored of somebody, neither is their language.
        assert await club.store.people.load_locale(club.ana.id) is None
        await panels.change_settings(club.ana, club.channel, language="en")
        await panels.change_settings(club.ana, club.channel, language="discord")
        reader = await club.bot.load_direct_reader(club.ana.id, club.guild.id)
        assert reader.language == "de"
        assert club.bot.get_server_reader(club.guild.id).language == "en"
