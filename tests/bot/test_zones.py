"""Time zones: quiet hours and vacation days follow a place's clocks, also when these change."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.features.challenges.store import Challenges
from bot.features.preferences.service import DAYS_A_YEAR
from bot.platform.db.preferences import PlayerPreferences, ServerSettings
from bot.platform.db.tables import now_ms
from bot.platform.time_zones import (
    UnknownZoneError,
    find_quiet_end,
    find_zone,
    find_zone_or_utc,
    parse_quiet_hours,
    parse_zone,
    to_instant,
    to_wall_time,
)
from engine.clock import DAY, HOUR, MINUTE
from tests.support.club import SimulatedClub
from tests.support.driver import get_ephemeral_text
from tests.support.finished import parse_instant
from tests.support.panels import change_server, change_settings, open_server_section

BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = (22 * 60, 7 * 60)


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        (" europe/BERLIN ", "Europe/Berlin"),
        ("Berlin", "Europe/Berlin"),
        ("America/New York", "America/New_York"),
        ("new_york", "America/New_York"),
        ("Buenos Aires", "America/Buenos_Aires"),
        ("singapore", "Asia/Singapore"),
        ("+2", "+02:00"),
        ("\uff0b02:00", "+02:00"),
        ("UTC+2", "+02:00"),
        ("gmt \u22123:30", "-03:30"),
        ("+0530", "+05:30"),
        ("+\u0662", "+02:00"),
        ("UTC", "UTC"),
        ("GMT+0", "UTC"),
    ],
)
def test_zones_are_read_by_name_city_or_offset(typed: str, zone: str) -> None:
    assert parse_zone(typed) == zone
    assert find_zone(zone) is not None


@pytest.mark.parametrize(
    "typed", ["", "2", "+15", "+2:75", "Mars", "EST", "Europe", "../etc/passwd", "localtime"]
)
def test_what_is_no_zone_is_refused(typed: str) -> None:
    with pytest.raises(UnknownZoneError):
        parse_zone(typed)


def test_a_zone_that_is_misspelt_is_offered() -> None:
    with pytest.raises(UnknownZoneError) as declined:
        parse_zone("Europe/Berln")
    assert declined.value.near[0] == "Europe/Berlin"


@pytest.mark.parametrize(
    ("hours", "zone", "began", "ended"),
    [
        # In 2026 Berlin's clocks go from 2:00 to 3:00 on 29 March, and from 3:00 back to 2:00
        # on 25 October, at 1:00 UTC.
        ("22-7", "Europe/Berlin", "2026-03-27 21:00", "2026-03-28 06:00"),
        ("22-7", "Europe/Berlin", "2026-03-28 21:00", "2026-03-29 05:00"),
        ("22-7", "Europe/Berlin", "2026-03-29 20:00", "2026-03-30 05:00"),
        ("22-7", "Europe/Berlin", "2026-10-24 20:00", "2026-10-25 06:00"),
        # Skipped, 2:30 is when 2:00 becomes 3:00.
        ("22-2:30", "Europe/Berlin", "2026-03-28 21:00", "2026-03-29 01:00"),
        ("2:30-7", "Europe/Berlin", "2026-03-29 01:00", "2026-03-29 05:00"),
        # 2:30 comes twice: hours end the second time, and begin the first.
        ("22-2:30", "Europe/Berlin", "2026-10-24 20:00", "2026-10-25 01:30"),
        ("2:30-7", "Europe/Berlin", "2026-10-25 00:30", "2026-10-25 06:00"),
        # Lord Howe's clocks go back by half an hour, from 2:00 to 1:30, at 15:00 UTC.
        ("22-1:45", "Australia/Lord_Howe", "2026-04-04 11:00", "2026-04-04 15:15"),
        # An offset follows nothing.
        ("22-7", "+01:00", "2026-03-28 21:00", "2026-03-29 06:00"),
        ("22-7", "UTC", "2026-03-28 22:00", "2026-03-29 07:00"),
    ],
)
def test_quiet_hours_go_by_the_clocks_of_their_zone(
    hours: str, zone: str, began: str, ended: str
) -> None:
    quiet, _ = parse_quiet_hours(hours)
    there = find_zone_or_utc(zone)
    assert find_quiet_end(quiet, there, parse_instant(began) - 1) is None
    for now in range(parse_instant(began), parse_instant(ended), 5 * MINUTE):
        assert find_quiet_end(quiet, there, now) == parse_instant(ended)
    assert find_quiet_end(quiet, there, parse_instant(ended)) is None


@given(
    st.sampled_from(["Europe/Berlin", "America/Havana", "Australia/Lord_Howe", "Asia/Tehran"]),
    st.integers(0, 1439),
    st.integers(1, 20 * 60),
    st.integers(parse_instant("2020-01-01"), parse_instant("2030-01-01")),
)
def test_quiet_hours_hold_whenever_the_clocks_show_one_of_them(
    zone: str, began: int, length: int, now: int
) -> None:
    there = ZoneInfo(zone)
    ended = (began + length) % 1440
    until = find_quiet_end((began, ended), there, now)
    shown = to_wall_time(now, there)
    inside = (shown.hour * 60 + shown.minute - began) % 1440 < length
    assert until is not None or not inside
    if until is not None:
        assert now < until <= now + 22 * HOUR
        assert find_quiet_end((began, ended), there, until) is None


def test_an_instant_is_found_by_what_clocks_show() -> None:
    def shown(text: str) -> datetime:
        return datetime.fromisoformat(text)

    assert to_instant(shown("2026-07-01 12:00"), BERLIN) == parse_instant("2026-07-01 10:00")
    assert to_instant(shown("2026-10-25 02:30"), BERLIN) == parse_instant("2026-10-25 00:30")
    assert to_instant(shown("2026-10-25 02:30"), BERLIN, last=True) == parse_instant(
        "2026-10-25 01:30"
    )
    assert to_instant(shown("2026-03-29 02:30"), BERLIN) == parse_instant("2026-03-29 01:00")


@pytest.mark.asyncio
async def test_a_server_s_quiet_hours_have_a_time_zone(club: SimulatedClub) -> None:
    async def chosen(**options: str) -> str:
        return get_ephemeral_text(await change_server(club.ana, club.channel, **options))

    offset = "UTC+2:00 doesn't follow summer time; a time zone such as Europe/Berlin does."
    text = await chosen(quiet="22\u20137", zone="berlin")
    assert (
        "Saved. Quiet hours: from 22:00 to 7:00 (Europe/Berlin) nobody is notified, "
        "and reminders are held back.\n" in text
    )
    assert "summer time" not in text
    # Hours alone leave the zone as it is; a zone may also stand behind them, as it is printed.
    assert "from 23:00 to 6:30 (Europe/Berlin)" in await chosen(quiet="23:00 to 6:30")
    text = await chosen(quiet="From 22:00 to 7:00 (UTC+2:00)")
    assert (
        "Saved. Quiet hours: from 22:00 to 7:00 (UTC+2:00) nobody is notified, "
        "and reminders are held back.\n" in text
    )
    assert f"**Time zone**: UTC+2:00\n-# Of quiet hours and posts\n-# {offset}" in text
    assert (await club.store.servers.load_settings(club.guild.id)).zone == "+02:00"
    assert "(Europe/Rome)" in await chosen(zone="Europe/Rome")
    before = await club.store.servers.load_settings(club.guild.id)
    text = await chosen(zone="Europe/Rme")
    assert text.startswith("`Europe/Rme` isn't a time zone. Did you mean `Europe/Rome`")
    assert await chosen(quiet="22-7 xyz") == (
        "`xyz` isn't a time zone. Type a city, such as `Berlin`, or an offset from UTC, such as "
        "`+2`."
    )
    assert await club.store.servers.load_settings(club.guild.id) == before


@pytest.mark.asyncio
async def test_a_zone_that_is_no_longer_known_is_named_and_utc_holds(club: SimulatedClub) -> None:
    gone = ServerSettings(quiet=NIGHT, zone="Europe/Atlantis")
    await club.store.servers.update_settings(club.guild.id, lambda _: gone)
    note = (
        "The time zone Europe/Atlantis is no longer supported. UTC is used until you choose "
        "another."
    )
    text = get_ephemeral_text(await open_server_section(club.ana, club.channel, "posts"))
    assert f"**Time zone**: Europe/Atlantis\n-# Of quiet hours and posts\n-# {note}" in text
    await change_settings(club.ana, club.channel, reminders="never")
    await club.store.preferences.save(club.ana.id, PlayerPreferences(zone="Europe/Atlantis"))
    assert note in get_ephemeral_text(await club.ana.slash(club.channel, "me vacation", days=2))
    await club.ana.slash(club.channel, "challenge", game="zeno")
    assert await club.store.get(Challenges).load_challenge(1)


def turn_clock_to(club: SimulatedClub, instant: int) -> None:
    """Turn the club's clock to an instant."""
    club.hands.ahead = instant - now_ms()


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("began", "ended"),
    [
        ("2026-03-25 14:00", "2026-04-01 13:00"),
        ("2026-10-21 13:00", "2026-10-28 14:00"),
        # It would end at 2:30, which is skipped, and which comes twice.
        ("2026-03-22 01:30", "2026-03-29 00:30"),
        ("2026-10-18 00:30", "2026-10-25 01:30"),
    ],
)
async def test_a_week_of_vacation_is_a_week_by_the_clocks_of_one_s_zone(
    club: SimulatedClub, began: str, ended: str
) -> None:
    text = get_ephemeral_text(await change_settings(club.ana, club.channel, zone="Berlin"))
    assert "Your vacation days are counted in Europe/Berlin." in text
    turn_clock_to(club, parse_instant(began))
    text = get_ephemeral_text(await club.ana.slash(club.channel, "me vacation", days=7))
    (pause,) = await club.store.pauses.load_relevant([club.ana.id], 0, guild=None)
    assert abs(pause.ended - parse_instant(ended)) < MINUTE
    assert f"You're on vacation until <t:{pause.ended // 1000}:f>" in text
    assert f"You have {DAYS_A_YEAR - 7} vacation days left this year." in text
    turn_clock_to(club, parse_instant(ended) + DAY)
    text = get_ephemeral_text(await club.ana.slash(club.channel, "me vacation"))
    assert f"You have {DAYS_A_YEAR - 7} vacation days left this year." in text


@pytest.mark.asyncio
@pytest.mark.sweep
async def test_the_year_of_vacations_begins_at_midnight_of_one_s_zone(club: SimulatedClub) -> None:
    # In Auckland the year 2027 begins at 11:00 UTC on 31 December.
    turn_clock_to(club, parse_instant("2026-12-30 10:00"))
    text = get_ephemeral_text(await club.ana.slash(club.channel, "me vacation", days=1))
    assert "Your vacation days are counted in UTC; `/me settings` chooses your time zone." in text
    turn_clock_to(club, parse_instant("2026-12-31 10:30"))
    text = get_ephemeral_text(
        await change_settings(club.ana, club.channel, zone="Pacific/Auckland")
    )
    assert f"{DAYS_A_YEAR - 1} vacation days left" in get_ephemeral_text(
        await club.ana.slash(club.channel, "me vacation")
    )
    turn_clock_to(club, parse_instant("2026-12-31 11:30"))
    assert f"{DAYS_A_YEAR} vacation days left" in get_ephemeral_text(
        await club.ana.slash(club.channel, "me vacation")
    )


@pytest.mark.asyncio
async def test_an_offset_is_a_zone_that_follows_no_summer_time(club: SimulatedClub) -> None:
    text = get_ephemeral_text(await change_settings(club.ana, club.channel, zone="+5:30"))
    assert (
        "Your vacation days are counted in UTC+5:30. UTC+5:30 doesn't follow summer time; "
        "a time zone such as Europe/Berlin does." in text
    )
