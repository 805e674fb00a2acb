"""The leagues that somebody has won, on their profile in the server where they were played."""

from collections.abc import Sequence
from itertools import combinations

import pytest
from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.engine import Engine

from bot.features.contests.delivery import MAX_EXAMINED, load_titles
from bot.features.contests.tables import ContestState, contests, entrants, pairings, rulings
from bot.features.matches.tables import matches
from bot.platform.db.store import Store
from bot.platform.db.tables import people
from tests.bot.test_leagues import load_view, start_league
from tests.store.test_statements import capture_statements
from tests.support.club import SimulatedClub
from tests.support.driver import extract_text, get_newest_message, give_up, list_pictures

pytestmark = pytest.mark.asyncio


async def store_league(
    club: SimulatedClub,
    name: str,
    winner: int | None,
    *,
    state: ContestState = ContestState.OVER,
    season: int = 1,
    division: int = 0,
    guild: int = 0,
) -> None:
    """Store a league of Ana, Ben and Cyn, of whom one has won every match; None for draws."""
    ids = [club.ana.id, club.ben.id, club.cyn.id]
    await store_people(club.store, ids)

    def work(connection: Connection) -> None:
        terms = {
            "guild": guild or club.guild.id,
            "channel": club.channel.id,
            "game": "zeno",
            "options": {},
            "rated": False,
            "pace": "none",
            "secret": b"",
            "commitment": "",
            "created": 1,
        }
        league = {
            **terms,
            "name": name,
            "organiser": ids[0],
            "days": 7,
            "unfinished": "draw",
            "repeats": False,
            "season": season,
            "starts": 2,
            "state": state,
        }
        inserted = insert(contests).values(league).returning(contests.c.id)
        number = connection.execute(inserted).scalar_one()
        for seed, person in enumerate(ids):
            entrant = {"contest": number, "person": person, "contribution": "", "joined": 1}
            connection.execute(insert(entrants).values(**entrant, division=division, seed=seed))
        for at, (first, second) in enumerate(combinations(ids, 2), 1):
            match = connection.execute(
                insert(matches).values(**terms, edition=1, touched=1).returning(matches.c.id)
            ).scalar_one()
            won = winner if winner in (first, second) else None
            pairing = {
                "contest": number,
                "number": at,
                "division": division,
                "first": first,
                "second": second,
                "match": match,
                "winner": won,
                "how": "off" if won else "agreed",
            }
            connection.execute(insert(pairings).values(pairing))

    await club.store._database.write(work)  # noqa: SLF001


async def store_people(store: Store, ids: Sequence[int]) -> None:
    def work(connection: Connection) -> None:
        known = set(connection.execute(select(people.c.id)).scalars())
        for person in set(ids) - known:
            connection.execute(insert(people).values(id=person, name=str(person), seen=0))

    await store._database.write(work)  # noqa: SLF001


async def read_profile(club: SimulatedClub, player: object = None, **options: str) -> str:
    """What Ana reads on somebody's profile, or her own."""
    chosen = {"player": player} if player else {}
    await club.ana.slash(club.channel, "me profile", **chosen, **options)
    return extract_text(get_newest_message(club))


async def test_who_wins_a_league_has_its_title(club: SimulatedClub) -> None:
    _, members = await start_league(club, rated=True, seasons=True)
    by_id = {person.id: person for person in members}
    assert "tournaments won" not in await read_profile(club)
    # The first by id wins each match, which is Ana, and her profile tells of rated matches, too.
    champion, *others = sorted(by_id)
    for pairing in (await load_view(club)).pairings:
        assert "tournaments won" not in await read_profile(club, by_id[champion])
        await give_up(club, by_id[max(pairing.first, pairing.second)], club.channel, pairing.match)
    await club.advance_clock(5_000)
    assert (await load_view(club)).contest.state is ContestState.OVER
    text = await read_profile(club, by_id[champion])
    assert "**Leagues and tournaments won**\n- Autumn league" in text
    assert "season 2" not in text
    assert "3 won, 0 lost" in text
    assert list_pictures(get_newest_message(club))
    for person in others:
        assert "tournaments won" not in await read_profile(club, by_id[person])
    # Titles are those of this server.
    assert "tournaments won" not in await read_profile(club, by_id[champion], scope="everywhere")


async def test_the_newest_five_are_named(club: SimulatedClub) -> None:
    ana = club.ana.id
    for season in range(1, 8):
        await store_league(club, "Autumn *league*", ana, season=season)
    await store_league(club, "Spring league", club.ben.id)
    await store_league(club, "Summer league", None)
    await store_league(club, "Winter league", ana)
    text = await read_profile(club)
    assert text.split("\n") == [
        "### Ana, this server",
        "No rated match has been finished yet.",
        "**Leagues and tournaments won**",
        "- Winter league",
        # Three draws of three people leave all of them equal.
        "- Summer league (first place shared)",
        "- Autumn \\*league\\*, season 7",
        "- Autumn \\*league\\*, season 6",
        "- Autumn \\*league\\*, season 5",
        "- … and 4 more",
    ]
    assert (await read_profile(club, club.ben)).split("\n")[2:] == [
        "**Leagues and tournaments won**",
        "- Summer league (first place shared)",
        "- Spring league",
    ]


async def test_only_first_divisions_of_leagues_that_are_over_here_are_won(
    club: SimulatedClub,
) -> None:
    ana = club.ana.id
    for state in (ContestState.RUNNING, ContestState.CANCELLED, ContestState.OPEN):
        await store_league(club, "One", ana, state=state)
    await store_league(club, "Two", ana, division=1)
    await store_league(club, "Three", ana, guild=1)
    await store_league(club, "Four", club.cyn.id)
    assert await load_titles(club.bot.app, club.guild.id, ana) == []
    assert "tournaments won" not in await read_profile(club)
    (elsewhere,) = await load_titles(club.bot.app, 1, ana)
    assert elsewhere.contest.name == "Three"


async def test_a_place_that_was_freed_is_no_walkover(club: SimulatedClub) -> None:
    """Ana has not met Cyn, whose place somebody else could have taken; Ben has won against them."""
    await store_league(club, "Autumn league", None)
    ana, ben, cyn = club.ana.id, club.ben.id, club.cyn.id
    ruling = {"at": 3, "moderator": ana, "action": "replace", "person": cyn, "reason": ""}

    def work(connection: Connection) -> None:
        connection.execute(delete(pairings).where(pairings.c.number == 2))
        won = update(pairings).where(pairings.c.number == 3)
        connection.execute(won.values(winner=ben, how="off"))
        connection.execute(update(entrants).where(entrants.c.person == cyn).values(left=3))
        connection.execute(insert(rulings).values(contest=1, **ruling))

    await club.store._database.write(work)  # noqa: SLF001
    assert await load_titles(club.bot.app, club.guild.id, ana) == []
    (title,) = await load_titles(club.bot.app, club.guild.id, ben)
    assert not title.is_shared


async def test_the_latest_leagues_are_looked_at_in_six_statements(club: SimulatedClub) -> None:
    ana = club.ana.id
    await store_league(club, "Too long ago", ana)
    for season in range(1, MAX_EXAMINED + 1):
        await store_league(club, "Autumn league", ana, season=season)
    with capture_statements(Engine) as every:
        titles = await load_titles(club.bot.app, club.guild.id, ana)
    questions = [statement for statement, _ in every if statement.lstrip().startswith("SELECT")]
    assert len(questions) == 6
    assert [each.contest.season for each in titles] == list(range(MAX_EXAMINED, 0, -1))
    plans = await club.store._database.read(  # noqa: SLF001
        lambda connection: [
            row[3]
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {questions[0]}", every[0][1])
        ]
    )
    assert any("entrants_of" in line for line in plans)
    assert not any(line.startswith("SCAN") for line in plans)
