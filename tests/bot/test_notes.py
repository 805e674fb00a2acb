"""Notes to oneself about a match, which nobody else is ever shown."""

import pytest
from simcord.backend.errors import OptionError

from bot.features.preferences.service import MAX_NOTE_LENGTH
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    find_mentioned_player,
    get_ephemeral_text,
    get_response,
    give_up,
    list_public_messages,
    start_match,
)

pytestmark = pytest.mark.asyncio

SECRET = "run with the back man"


async def collect_match_texts(club: SimulatedClub, *, to_ana: bool) -> str:
    """All that is said of match 1 to Ana, or to Ben, where either asks for it, and to everyone."""
    person = club.ana if to_ana else club.ben
    lines = [
        get_ephemeral_text(await person.slash(club.channel, "match board", match=1, show=show))
        for show in ("picture", "text")
    ]
    lines.append(get_ephemeral_text(await person.slash(club.channel, "matches")))
    return "\n".join([*lines, *(extract_text(message) for message in list_public_messages(club))])


@pytest.mark.sweep
async def test_a_note_is_shown_to_whoever_made_it_and_to_nobody_else(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    text = get_ephemeral_text(
        await club.ana.slash(club.channel, "match note", match=1, text=SECRET)
    )
    assert text == f"Note on match 1 saved (only you can see it): {SECRET}"
    assert (
        get_ephemeral_text(await club.ana.slash(club.channel, "match board")).count(
            f"Your note: {SECRET}"
        )
        == 1
    )
    assert (
        get_ephemeral_text(await club.ana.slash(club.channel, "match board", show="text")).endswith(
            f"Your note: {SECRET}"
        )
        is True
    )
    assert f"-# Your note: {SECRET}" in get_ephemeral_text(
        await club.ana.slash(club.channel, "matches")
    )
    assert SECRET not in await collect_match_texts(club, to_ana=False)
    assert SECRET not in get_ephemeral_text(
        await club.cyn.slash(club.channel, "match board", match=1)
    )
    # Shared, the board is for everyone; and so is every turn that is shown.
    await club.ana.slash(club.channel, "match board", match=1, share=True)
    await find_mentioned_player(club).slash(club.channel, "roll")
    assert SECRET not in "\n".join(extract_text(message) for message in list_public_messages(club))
    # It outlives the program and the match.
    await club.restart_bot()
    await give_up(club, club.ana, club.channel)
    assert f"Your note: {SECRET}" in get_ephemeral_text(
        await club.ana.slash(club.channel, "match board", match=1)
    )
    assert SECRET not in await collect_match_texts(club, to_ana=False)


async def test_everyone_has_a_note_of_their_own_which_can_be_changed_and_removed(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno")
    await club.ana.slash(club.channel, "match note", match=1, text=SECRET)
    await club.ben.slash(club.channel, "match note", match=1, text="ask Cyn")
    assert SECRET not in await collect_match_texts(club, to_ana=False)
    assert "ask Cyn" not in await collect_match_texts(club, to_ana=True)
    await club.ana.slash(club.channel, "match note", match=1, text="wait")
    assert SECRET not in await collect_match_texts(club, to_ana=True)
    assert (
        get_ephemeral_text(await club.ana.slash(club.channel, "match note", match=1))
        == "Note on match 1 deleted: wait"
    )
    assert "Your note" not in await collect_match_texts(club, to_ana=True)
    assert (
        get_ephemeral_text(await club.ana.slash(club.channel, "match note", match=1, text=" "))
        == "You had no note on match 1."
    )
    assert "Your note: ask Cyn" in await collect_match_texts(club, to_ana=False)


async def test_a_note_is_one_line_of_plain_text(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    typed = f"<@{club.ben.id}> @everyone **bold**\n# big [a](https://example.org)"
    answer = get_response(await club.ana.slash(club.channel, "match note", match=1, text=typed))
    assert answer.message.mentions == []
    assert "\\*\\*bold\\*\\* # big" in extract_text(answer.message)
    assert "@everyone" not in extract_text(answer.message)
    assert f"<@{club.ben.id}>" not in extract_text(answer.message)
    long = "x" * (MAX_NOTE_LENGTH + 1)
    with pytest.raises(OptionError, match="at most 200 characters"):
        await club.ana.slash(club.channel, "match note", match=1, text=long)


async def test_only_a_match_that_one_may_see_can_be_noted_about(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    assert get_ephemeral_text(
        await club.cyn.slash(club.channel, "match note", match=1, text="well played")
    ).startswith("Note on match 1 saved")
    tavern = club.env.create_guild("Tavern", owner=club.cyn.user)
    stranger = tavern.add_member(club.env.create_user("dan", global_name="Dan"))
    hall = tavern.create_text_channel("hall")
    assert (
        get_ephemeral_text(await stranger.slash(hall, "match note", match=1, text="x"))
        == "There is no match 1."
    )
    assert (
        get_ephemeral_text(await stranger.slash(hall, "match note", match=9, text="x"))
        == "There is no match 9."
    )
