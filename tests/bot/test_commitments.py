"""The commitment to the dice binds: all of it is posted before anybody could choose after it.

What earlier versions posted less of is known as such wherever it is said what the dice prove.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import discord
import pytest
from sqlalchemy import update

from bot.features.challenges.cards import challenge_card
from bot.features.challenges.service import ShowChallenge
from bot.features.challenges.store import Challenges
from bot.features.challenges.tables import Challenge, challenges
from bot.features.challenges.texts import format_challenge_dice
from bot.features.contests.cards import contest_card
from bot.features.contests.tables import TOURNAMENTS, ContestFormat, ContestState, contests
from bot.features.matches.record import format_record_check, verify_record
from bot.features.matches.rows import MatchRow
from bot.features.matches.session import SessionCache
from bot.features.matches.store import Matches
from bot.features.matches.tables import matches
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card
from bot.platform.ui.layout import format_small_print
from engine import dice
from engine.clock import DAY
from tests.bot import test_ladders as ladders
from tests.bot import test_leagues as leagues
from tests.bot import test_tournaments as tournaments
from tests.bot.test_league_server import write
from tests.support.club import SimulatedClub
from tests.support.contests import join_together, press_standings
from tests.support.driver import (
    add_member,
    extract_text,
    find_button,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    give_up,
    list_button_labels,
    list_card_texts,
    list_posts,
    list_public_messages,
    press_more,
    read_record,
    start_match,
)
from tests.words.test_record import AT_MOST_20, IN_FULL, UNPOSTED

pytestmark = pytest.mark.asyncio


async def load_challenge(club: SimulatedClub, number: int = 1) -> Challenge:
    """A challenge as it is stored."""
    found = await club.store.get(Challenges).load_challenge(number)
    assert found is not None
    return found


async def load_match(club: SimulatedClub, number: int = 1) -> MatchRow:
    """A match as it is stored."""
    found = await club.store.get(Matches).load_row(number)
    assert found is not None
    return found


async def get_record(club: SimulatedClub, match: int = 1) -> dict[str, Any]:
    """A match's record, by the command."""
    return await read_record(await club.ana.slash(club.channel, "match record", match=match))


async def press_dice(club: SimulatedClub, message: discord.Message) -> str:
    """What Cyn is told by *Fair dice* on a challenge or, behind *More…*, under a match."""
    if "More…" in list_button_labels(message):
        return get_ephemeral_text(await press_more(club.cyn, message, "Fair dice"))
    pressed = find_button(message, ":1" if "challenges" in extract_text(message) else ":dice")
    return get_ephemeral_text(await club.cyn.click(message, custom_id=pressed))


async def challenge_anyone(club: SimulatedClub) -> None:
    """Ana challenges anyone."""
    await club.ana.slash(club.channel, "challenge", game="zeno")


async def challenge_teams(club: SimulatedClub) -> None:
    """Ana looks for three others, for two against two."""
    await club.ana.slash(club.channel, "challenge", game="pyf", options="players=2")


async def challenge_ben(club: SimulatedClub) -> None:
    """Ana challenges Ben."""
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben, word="hen")


async def choose_house_rules(club: SimulatedClub) -> None:
    """Ana challenges Ben with house rules from a card."""
    drawn = await club.ana.slash(
        club.channel, "challenge", game="zeno", opponent=club.ben, options="choose"
    )
    await club.ana.click(get_response(drawn).message, label="Challenge")


async def offer_rematch(club: SimulatedClub) -> None:
    """Ben offers Ana the match again that she has resigned."""
    await start_match(club, "zeno")
    await give_up(club, club.ana, club.channel)
    await club.ben.click(get_newest_message(club), label="Rematch, sides swapped")


async def offer_first_game(club: SimulatedClub) -> None:
    """Ana offers a first game to anyone."""
    answer = get_response(await club.ana.slash(club.channel, "play"))
    await club.ana.click(answer.message, label="Challenge to Fallas")


async def challenge_on_ladder(club: SimulatedClub) -> None:
    """Cyn challenges Ben for his rung."""
    await ladders.open_ladder(club, 3)
    await ladders.challenge(club, club.cyn, club.ben)


WAYS = (
    challenge_anyone,
    challenge_teams,
    challenge_ben,
    choose_house_rules,
    offer_rematch,
    offer_first_game,
    challenge_on_ladder,
)


@pytest.mark.parametrize("offer", WAYS)
async def test_every_challenge_posts_all_digits_before_anybody_accepts(
    club: SimulatedClub, offer: Callable[[SimulatedClub], Awaitable[None]]
) -> None:
    await offer(club)
    (number,) = [each.id for each in await club.store.get(Challenges).load_open()]
    challenge, message = await load_challenge(club, number), get_newest_message(club)
    assert len(challenge.commitment) == 64
    assert message.id == challenge.message
    assert message.edited_at is None
    # On a line of its own, in small print at the end of the message.
    assert extract_text(message).endswith(f"\n-# Dice commitment: `{challenge.commitment}`")
    assert challenge.posted_digits == 64
    pressed = find_button(message, f"challengedice:{number}")
    text = get_ephemeral_text(await club.cyn.click(message, custom_id=pressed))
    assert f"### Dice of challenge {number}" in text
    assert f"\n`{challenge.commitment}`" in text
    # What the challenger gave is fixed as well, once somebody has seen it.
    (seat,) = challenge.seats
    assert f"<@{seat.person}> contributed `{seat.contribution}`" in text
    assert challenge.secret.hex() not in text


@pytest.mark.parametrize("kind", sorted(TOURNAMENTS))
async def test_every_tournament_posts_all_digits_before_anybody_joins(
    club: SimulatedClub, kind: ContestFormat
) -> None:
    await tournaments.gather_players(club, 0, format=kind.value)
    contest = (await leagues.load_view(club)).contest
    assert contest.format is kind
    card = tournaments.find_card(club)
    assert card.edited_at is None
    assert f"\n-# Dice commitment: `{contest.commitment}`" in extract_text(card)
    assert contest.posted_digits == 64


async def test_a_league_shows_all_digits_while_it_goes_on_and_in_its_next_season(
    club: SimulatedClub,
) -> None:
    card = await leagues.create_league(club, seasons=True, pace="none")
    people = [club.ana, club.ben, club.cyn, add_member(club, "dan")]
    first = (await leagues.load_view(club)).contest
    assert card.edited_at is None
    text = f"\n-# Dice commitment: `{first.commitment}`"
    assert text in extract_text(card)
    await join_together(club, card, people)
    await club.advance_clock(7 * DAY + 1)
    assert text in extract_text(leagues.find_league(club))
    for pairing in (await leagues.load_view(club)).list_running():
        (loser,) = (person for person in people if person.id == pairing.second)
        await give_up(club, loser, club.channel, pairing.match)
    await club.advance_clock(5_000)
    # It opens by itself, with another secret.
    second = (await leagues.load_view(club, 2)).contest
    assert (first.posted_digits, second.posted_digits) == (64, 64)
    (opened,) = list_posts(club, "### Autumn league, season 2")
    assert second.commitment != first.commitment
    assert f"\n-# Dice commitment: `{second.commitment}`" in extract_text(opened)


async def test_an_accepted_challenge_keeps_its_digits_and_its_match_knows_them(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno")
    challenge = await load_challenge(club)
    answered = next(each for each in list_public_messages(club) if each.id == challenge.message)
    assert "Accepted by" in extract_text(answered)
    assert extract_text(answered).endswith(f"-# Dice commitment: `{challenge.commitment}`")
    assert (await load_match(club)).posted_digits == 64
    await give_up(club, club.ana, club.channel)
    record = await get_record(club)
    assert record["commitment"] == challenge.commitment
    assert record["posted"] == 64
    end = get_newest_message(club)
    text = get_ephemeral_text(await press_more(club.cyn, end, "Verify"))
    assert f"The commitment is `{challenge.commitment}`. {IN_FULL}" in text
    text = await press_dice(club, end)
    assert "if this SHA-256 is the one that the challenge showed" in text


async def test_a_declined_challenge_shows_no_dice(club: SimulatedClub) -> None:
    await challenge_ben(club)
    message = get_newest_message(club)
    await club.ben.click(message, label="Decline")
    assert "Dice commitment" not in extract_text(get_newest_message(club))
    assert not list_button_labels(get_newest_message(club))


async def test_fair_dice_of_a_challenge_is_for_those_who_see_its_message(
    club: SimulatedClub,
) -> None:
    await challenge_ben(club)
    other = club.guild.create_text_channel("elsewhere")
    await club.ana.slash(other, "challenge", game="tabula")
    (elsewhere,) = [each for each in other.history() if not each.flags.ephemeral]

    def forge(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE":
            payload["data"]["custom_id"] = "challengedice:1"

    club.env.backend.subscribers.insert(0, forge)
    text = get_ephemeral_text(await club.cyn.click(elsewhere, label="Fair dice"))
    assert text.startswith("That button no longer works.")
    assert (await load_challenge(club)).commitment not in text


async def test_a_challenge_that_an_earlier_version_posted_keeps_its_weaker_claim(
    club: SimulatedClub,
) -> None:
    await challenge_ben(club)
    await write(club, update(challenges).values(posted_digits=20))
    message = get_newest_message(club)
    await club.ben.click(message, label="Accept")
    assert (await load_match(club)).posted_digits == 20
    await give_up(club, club.ana, club.channel)
    end = get_newest_message(club)
    text = get_ephemeral_text(await press_more(club.cyn, end, "Verify"))
    assert AT_MOST_20 in text
    text = await press_dice(club, end)
    assert "Only the first 20 digits of this SHA-256 were posted beforehand." in text
    assert "was fixed before" not in text
    record = await get_record(club)
    assert record["posted"] == 20
    assert AT_MOST_20 in format_record_check(Reader.ENGLISH, verify_record(record))
    # So it is of the record that the earlier version would have given.
    del record["posted"]
    assert AT_MOST_20 in format_record_check(Reader.ENGLISH, verify_record(record))


async def test_an_edit_proves_nothing_of_what_a_challenge_showed_before(
    club: SimulatedClub,
) -> None:
    await challenge_teams(club)
    await write(club, update(challenges).values(posted_digits=20))
    message = get_newest_message(club)
    # Whoever joins has the message edited, which then shows all digits.
    await club.ben.click(message, label="Join black")
    challenge = await load_challenge(club)
    assert f"<@{club.ben.id}>" in extract_text(get_newest_message(club))
    assert f"`{challenge.commitment}`" in extract_text(get_newest_message(club))
    assert challenge.posted_digits == 20


async def test_a_challenge_that_is_posted_again_binds_with_what_it_shows_now(
    club: SimulatedClub,
) -> None:
    await challenge_anyone(club)
    before = get_newest_message(club)
    # As after a restored backup: nobody knows of the message that an earlier version posted.
    await write(club, update(challenges).values(posted_digits=20, message=None))
    job = ShowChallenge(1).build_job(club.hands())
    await club.bot.app.enqueue(club.guild.id, [job])
    await club.advance_clock(0)
    challenge = await load_challenge(club)
    assert get_newest_message(club).id == challenge.message != before.id
    assert challenge.posted_digits == 64
    await club.ben.click(get_newest_message(club), label="Accept")
    assert (await load_match(club)).posted_digits == 64


async def test_what_begins_before_its_challenge_is_posted_proves_nothing_of_its_secret(
    club: SimulatedClub,
) -> None:
    await challenge_anyone(club)
    # As it is while Discord takes no messages.
    await write(club, update(challenges).values(posted_digits=0, message=None))
    await club.ben.slash(club.channel, "play")
    match = await load_match(club)
    assert match.posted_digits == 0
    await give_up(club, club.ana, club.channel)
    end = get_newest_message(club)
    text = get_ephemeral_text(await press_more(club.cyn, end, "Verify"))
    assert f"The commitment is `{match.commitment}`. {UNPOSTED}" in text
    assert "There's no record that this SHA-256 was posted beforehand" in await press_dice(
        club, end
    )


async def test_a_match_against_the_computer_proves_nothing_of_its_secret(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "play", game="zeno", level="beginner")
    await give_up(club, club.ana, club.channel)
    record = await get_record(club)
    assert record["posted"] == 0
    assert UNPOSTED in format_record_check(Reader.ENGLISH, verify_record(record))
    text = await press_dice(club, get_newest_message(club))
    assert "Note the digits above: from then on no throw can be changed unnoticed." in text


async def test_a_challenge_that_the_computer_answers_was_posted_before(
    club: SimulatedClub,
) -> None:
    await challenge_anyone(club)
    await club.ana.click(get_newest_message(club), label="Play the computer")
    assert (await load_match(club)).posted_digits == 64


async def test_dice_under_a_match_s_number_are_said_to_prove_less(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    await write(club, update(matches).values(dice=1, posted_digits=20))
    row = await load_match(club)
    text = format_record_check(
        Reader.ENGLISH,
        verify_record(
            {
                "tabula": 1,
                "match": 1,
                "game": "zeno",
                "rules": row.edition,
                "options": {},
                "commitment": row.commitment,
                "secret": row.secret.hex(),
                "contributions": [seat.contribution for seat in row.seats],
                "events": [],
            }
        ),
    )
    assert text.endswith("Nothing proves that it didn't try several numbers.")
    club.bot.app.get_part(SessionCache).clear()
    live = get_newest_message(club)
    more = get_response(await club.cyn.click(live, custom_id=find_button(live, ":more"))).message
    assert more is not None
    assert "Nothing proves that it didn't try several numbers." in await press_dice(club, more)


async def test_a_league_that_an_earlier_version_opened_keeps_its_weaker_claim(
    club: SimulatedClub,
) -> None:
    card = await leagues.create_league(club)
    await write(club, update(contests).values(posted_digits=20))
    people = [club.ana, club.ben, club.cyn, add_member(club, "dan")]
    await join_together(club, card, people)
    await club.advance_clock(7 * DAY + 1)
    view = await leagues.load_view(club)
    # Its message shows all digits now, and an edit is no proof.
    assert f"`{view.contest.commitment}`" in extract_text(leagues.find_league(club))
    assert view.contest.posted_digits == 20
    pairing = view.pairings[0]
    (loser,) = (person for person in people if person.id == pairing.second)
    await give_up(club, loser, club.channel, pairing.match)
    record = await get_record(club, pairing.match)
    assert record["league"]["posted"] == 20
    assert AT_MOST_20 in format_record_check(Reader.ENGLISH, verify_record(record))


async def test_a_league_s_message_that_is_posted_anew_comes_too_late_to_bind(
    club: SimulatedClub,
) -> None:
    card = await leagues.create_league(club)
    await write(club, update(contests).values(posted_digits=20))
    await club.ben.click(card, label="Join")
    del club.env.backend.messages[club.channel.id][card.id]
    await press_standings(club.cyn, club.channel, "league", "join")
    assert leagues.find_league(club).id != card.id
    assert (await leagues.load_view(club)).contest.posted_digits == 20


async def test_commitments_that_differ_in_their_last_digit_look_different(
    club: SimulatedClub,
) -> None:
    """An operator can find two secrets whose digits begin alike: every digit must be shown."""
    await challenge_anyone(club)
    await leagues.create_league(club)
    challenge, view = await load_challenge(club), await leagues.load_view(club)
    say = Reader.ENGLISH
    alike = "c" * (dice.COMMITMENT_DIGITS - 1)
    shown = []
    for digits in (f"{alike}0", f"{alike}1"):
        asked = replace(challenge, commitment=digits)
        offered = replace(view, contest=replace(view.contest, commitment=digits))
        running = replace(offered, contest=replace(offered.contest, state=ContestState.RUNNING))
        cards = (
            challenge_card(say, asked, {}),
            challenge_card(say, replace(asked, state="accepted", match=1), {}),
            Card(texts=format_challenge_dice(say, asked)),
            contest_card(say, offered, {}, 0),
            contest_card(say, running, {}, 0),
        )
        shown.append([format_small_print(card) + "".join(list_card_texts(card)) for card in cards])
    assert all(first != second for first, second in zip(*shown, strict=True))
    assert all(f"{alike}1" in text for text in shown[-1])
