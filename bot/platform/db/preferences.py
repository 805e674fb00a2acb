"""The people the bot has met, and what they and their servers have chosen."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, dataclass, fields
from enum import StrEnum, auto
from functools import cache
from typing import Any

import sqlalchemy as sa

from bot.platform.db.database import StorePart, build_upsert, lock_rows, upsert_rows, writing
from bot.platform.db.rows import PersonNames
from bot.platform.db.tables import (
    BIG,
    DOCUMENT,
    OWN,
    PLACE,
    SCOPE,
    SCOPED_OWNER,
    SERVERS_OWN,
    SETTING,
    Flag,
    build_person_key,
    former_names,
    metadata,
    people,
)
from bot.platform.features import ExtensionPoint

MAX_FORMER_NAMES = 20
"""Earlier names of somebody that are kept."""
FIRST_VISITS: ExtensionPoint[Callable[[sa.Connection, int], None]] = ExtensionPoint()
"""What is written in the transaction that saves somebody who was not known, or not any more."""


# Asked in every act, and so made into statements once.
_THESE: sa.BindParameter[int] = sa.bindparam("persons", type_=BIG, expanding=True)
_LOAD_KNOWN = sa.select(people.c.name, people.c.account, people.c.locale).where(
    people.c.id == sa.bindparam("person")
)
_LOAD_NAMES = sa.select(people.c.id, people.c.name, people.c.account).where(people.c.id.in_(_THESE))


class People(StorePart):
    """Names by id."""

    @writing
    def save_name(
        self,
        connection: sa.Connection,
        person: int,
        name: str,
        now: int,
        account: str | None = None,
    ) -> None:
        """Keep a person's present name, and their account's if it is given."""
        before = connection.execute(_LOAD_KNOWN, {"person": person}).first()
        connection.execute(
            _build_naming(connection.dialect.name),
            {"id": person, "name": name, "seen": now, "account": account},
        )
        if before is None:
            for visit in FIRST_VISITS.list_functions():
                visit(connection, person)
        else:
            had = before.name, before.account
            _keep_former_names(connection, person, had, {name, account}, now)

    async def save_locale(self, person: int, locale: str) -> None:
        """Keep the language in which Discord shows itself to somebody who is known."""
        change = sa.update(people).where(people.c.id == person).values(locale=locale)
        await self._database.write(lambda connection: connection.execute(change))

    async def load_locale(self, person: int) -> str | None:
        """Return the language in which Discord last showed itself to somebody, if it is known."""
        query = sa.select(people.c.locale).where(people.c.id == person)
        return await self._database.read(lambda connection: connection.scalar(query))

    async def load_known(self, person: int) -> tuple[PersonNames, str | None] | None:
        """Return somebody's names and that language; None for somebody who is not known."""
        row = await self._database.read(
            lambda connection: connection.execute(_LOAD_KNOWN, {"person": person}).first()
        )
        return (PersonNames(row.name, row.account), row.locale) if row else None

    async def load_names(self, persons: Iterable[int]) -> dict[int, PersonNames]:
        """Return the names of those people that are known, and of their accounts."""
        these = list(persons)
        rows = await self._database.read(
            lambda connection: connection.execute(_LOAD_NAMES, {"persons": these}).all()
        )
        return {row.id: PersonNames(row.name, row.account) for row in rows}


@cache
def _build_naming(dialect: str) -> sa.Executable:
    """Return the statement that keeps a person's names; an account's that isn't given stays."""
    insert = build_upsert(dialect, people)
    new = insert.excluded
    known = sa.func.coalesce(new.account, people.c.account)
    return insert.on_conflict_do_update(
        index_elements=[people.c.id],
        set_={"name": new.name, "seen": new.seen, "account": known},
    )


def _keep_former_names(
    connection: sa.Connection,
    person: int,
    before: tuple[str, str | None],
    present: set[str | None],
    now: int,
) -> None:
    """Keep the names that somebody had until now, the latest of them."""
    # An account's name that is not given stays what it was.
    kept = present | {before[1]} if None in present else present
    given_up = {name for name in before if name} - kept
    if not given_up:
        return
    rows = [{"person": person, "name": name, "until": now} for name in sorted(given_up)]
    upsert_rows(connection, former_names, rows)
    theirs = former_names.c.person == person
    latest = (
        sa.select(former_names.c.name)
        .where(theirs)
        .order_by(former_names.c.until.desc(), former_names.c.name)
        .limit(MAX_FORMER_NAMES)
    )
    connection.execute(sa.delete(former_names).where(theirs, former_names.c.name.not_in(latest)))


class Reminder(StrEnum):
    """How somebody is notified that a turn's time runs out."""

    CHANNEL = auto()
    DIRECT = auto()
    NEVER = auto()


@dataclass(frozen=True, slots=True)
class PlayerPreferences:
    """Preferences of a player: reminders, automatic throws, confirmation of a turn.

    The days for which they are away are those of the time zone `zone`, UTC if none is chosen. They
    read the `language`, or as Discord says if it is None. Public pages name them where `pages` is
    true, and with `shares` positions of their matches can become puzzles for others. With
    `everywhere` people of other servers see their results in all servers; with `directions` the
    boards of their matches always show which way each side moves.
    """

    reminder: Reminder = Reminder.CHANNEL
    throws: bool = True
    confirms: bool = False
    zone: str | None = None
    language: str | None = None
    pages: bool = True
    shares: bool = False
    everywhere: bool = False
    directions: bool = False


# The row of a `PlayerPreferences`.
preferences = sa.Table(
    "habits",
    metadata,
    build_person_key(),
    sa.Column("reminder", sa.Text, nullable=False, info=OWN),
    sa.Column("throws", Flag, nullable=False, info=OWN),
    sa.Column("confirms", Flag, nullable=False, server_default=sa.text("0"), info=OWN),
    sa.Column("zone", sa.Text, info=OWN),
    sa.Column("language", sa.Text, info=OWN),
    sa.Column("pages", Flag, nullable=False, server_default=sa.text("1"), info=OWN),
    sa.Column("shares", Flag, nullable=False, server_default=sa.text("0"), info=OWN),
    sa.Column("everywhere", Flag, nullable=False, server_default=sa.text("0"), info=OWN),
    sa.Column("directions", Flag, nullable=False, server_default=sa.text("0"), info=OWN),
)
_IS_EVERYWHERE = preferences.c.everywhere == sa.literal_column("1")
sa.Index(
    "habits_everywhere",
    preferences.c.person,
    sqlite_where=_IS_EVERYWHERE,
    postgresql_where=_IS_EVERYWHERE,
)


_FIELDS = [field.name for field in fields(PlayerPreferences)]


def _build_preferences(row: sa.Row[Any]) -> PlayerPreferences:
    """Return the preferences that a row holds."""
    chosen = {name: getattr(row, name) for name in _FIELDS}
    return PlayerPreferences(**{**chosen, "reminder": Reminder(row.reminder)})


def select_people_everywhere() -> sa.Select[int]:
    """Return the query of those whose results in all servers anybody may see."""
    return sa.select(preferences.c.person).where(_IS_EVERYWHERE)


# Of both tables, so that a server's plan never goes through all preferences.
_LOAD_PLAYERS = (
    sa.select(people.c.id, people.c.name, people.c.account, preferences)
    .join_from(
        people,
        preferences,
        sa.and_(preferences.c.person == people.c.id, preferences.c.person.in_(_THESE)),
        isouter=True,
    )
    .where(people.c.id.in_(_THESE))
)


class PreferenceStore(StorePart):
    """Preferences by person."""

    async def load_preferences(self, person: int) -> PlayerPreferences:
        """Return what somebody chose, or the preferences of those who chose nothing."""
        return (await self.load_many([person])).get(person, PlayerPreferences())

    async def load_many(self, people: Collection[int]) -> dict[int, PlayerPreferences]:
        """Return what those people chose who chose anything."""
        found = await self._database.read_settled(
            ("preferences", *people),
            [preferences],
            lambda connection: connection.execute(
                sa.select(preferences).where(preferences.c.person.in_(people))
            ).all(),
        )
        return {row.person: _build_preferences(row) for row in found}

    async def save(self, person: int, chosen: PlayerPreferences) -> None:
        """Save preferences in place of the ones before."""
        row = {"person": person, **asdict(chosen)}
        await self._database.write(lambda connection: upsert_rows(connection, preferences, [row]))

    async def load_languages(self) -> dict[int, str]:
        """Return the languages of all people who have chosen one."""
        query = sa.select(preferences.c.person, preferences.c.language).where(
            preferences.c.language.is_not(None)
        )
        rows = await self._load_rows(query)
        return {row.person: row.language for row in rows}

    async def find_hidden_people(self) -> frozenset[int]:
        """Return all who are to be named on no public page."""
        query = sa.select(preferences.c.person).where(preferences.c.pages.in_([False]))
        rows = await self._database.read(lambda connection: connection.execute(query).scalars())
        return frozenset(rows)

    async def load_with_names(
        self, persons: Iterable[int]
    ) -> tuple[dict[int, PersonNames], dict[int, PlayerPreferences]]:
        """Return the names and the preferences of those people that are known, by one read."""
        these = tuple(persons)
        rows = await self._database.read_settled(
            ("players", these),
            [people, preferences],
            lambda connection: connection.execute(_LOAD_PLAYERS, {"persons": these}).all(),
        )
        return (
            {row.id: PersonNames(row.name, row.account) for row in rows},
            {row.id: _build_preferences(row) for row in rows if row.person is not None},
        )


PERSON_STYLE, SERVER_STYLE = "person", "server"
OWN_SIDE = "mine"
"""The seat of those who see the boards of their own matches from their side."""


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """A board style: the theme's name (None: the board's own), who sits below, numbered points."""

    theme: str | None = None
    seat: str = "gold"
    numbered: bool = False


DEFAULT_STYLE = BoardStyle()
"""How everyone sees the boards of a server that chose nothing: from gold's side."""
OWN_DEFAULT_STYLE = BoardStyle(seat=OWN_SIDE)
"""How somebody who chose nothing sees their own boards: from their side."""

# The row of a `BoardStyle`.
board_styles = sa.Table(
    "looks",
    metadata,
    sa.Column("scope", sa.Text, nullable=False, info=SCOPE),
    sa.Column("id", BIG, nullable=False, info=SCOPED_OWNER),
    sa.Column("theme", sa.Text, info=OWN),
    sa.Column("seat", sa.Text, nullable=False, info=OWN),
    sa.Column("numbered", Flag, nullable=False, info=OWN),
    sa.PrimaryKeyConstraint("scope", "id"),
    info=SERVERS_OWN,
)

_SELECT_STYLE = sa.select(board_styles.c.theme, board_styles.c.seat, board_styles.c.numbered).where(
    board_styles.c.scope == sa.bindparam("in_scope"), board_styles.c.id == sa.bindparam("owner")
)


class BoardStyles(StorePart):
    """Looks by scope (`person` or `server`) and id."""

    async def load_style(self, scope: str, owner: int) -> BoardStyle:
        """Return what was chosen, or the look of those who chose nothing."""
        row = await self._database.read_settled(
            ("board style", scope, owner),
            [board_styles],
            lambda connection: connection.execute(
                _SELECT_STYLE, {"in_scope": scope, "owner": owner}
            ).first(),
        )
        if row:
            return BoardStyle(*row)
        return OWN_DEFAULT_STYLE if scope == PERSON_STYLE else DEFAULT_STYLE

    async def save(self, scope: str, owner: int, look: BoardStyle) -> None:
        """Keep a look in place of the one before."""
        row = {"scope": scope, "id": owner, **asdict(look)}
        await self._database.write(lambda connection: upsert_rows(connection, board_styles, [row]))


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What a server chose about its matches.

    `pace` and `rated` hold if a challenge does not say otherwise. Matches may start in `channels`
    (everywhere, if there are none), and only the members of `role` challenge each other (everyone
    does, if it is None). With `threads` each match is played in a thread of its own; with `single`
    it has one message, changed turn by turn. The channel `news` announces that matches begin and
    end. `quiet` are the minutes of the day from which and until which nobody is notified, empty if
    there are none; that day is one of the time zone `zone`, UTC if none is chosen. What everyone
    reads is in the `language`, or as Discord says if it is None. With `pages` what is played there
    is on pages that anybody may read.
    """

    pace: str = "none"
    rated: bool = True
    channels: tuple[int, ...] = ()
    role: int | None = None
    threads: bool = False
    single: bool = False
    news: int | None = None
    quiet: tuple[int, ...] = ()
    zone: str | None = None
    language: str | None = None
    pages: bool = False


servers = sa.Table(
    "servers",
    metadata,
    sa.Column("guild", BIG, primary_key=True, autoincrement=False, info=PLACE),
    sa.Column("pace", sa.Text, nullable=False, info=SETTING),
    sa.Column("news", BIG, info=PLACE),
    sa.Column("rated", Flag, nullable=False, server_default=sa.text("1"), info=SETTING),
    sa.Column("channels", DOCUMENT, nullable=False, server_default="[]", info=PLACE),
    sa.Column("role", BIG, info=PLACE),
    sa.Column("threads", Flag, nullable=False, server_default=sa.text("0"), info=SETTING),
    sa.Column("single", Flag, nullable=False, server_default=sa.text("0"), info=SETTING),
    sa.Column("quiet", DOCUMENT, nullable=False, server_default="[]", info=SETTING),
    sa.Column("zone", sa.Text, info=SETTING),
    sa.Column("language", sa.Text, info=SETTING),
    sa.Column("pages", Flag, nullable=False, server_default=sa.text("0"), info=SETTING),
    info=SERVERS_OWN,
)


_SETTINGS = [servers.c[field.name] for field in fields(ServerSettings)]


class Servers(StorePart):
    """Servers by their id."""

    async def load_settings(self, guild: int) -> ServerSettings:
        """Return what a server chose, or what holds in those that chose nothing."""
        return await self._database.read_settled(
            ("server", guild), [servers], lambda connection: _load_settings(connection, guild)
        )

    async def load_languages(self) -> dict[int, str]:
        """Return the languages of all servers that have chosen one."""
        query = sa.select(servers.c.guild, servers.c.language).where(
            servers.c.language.is_not(None)
        )
        rows = await self._load_rows(query)
        return {row.guild: row.language for row in rows}

    async def load_configured(self) -> list[int]:
        """Return the servers that chose anything."""
        query = sa.select(servers.c.guild).order_by(servers.c.guild)
        return await self._load_column(query)

    async def find_with_pages(self) -> list[int]:
        """Return the servers whose managers have turned the public pages on."""
        query = (
            sa.select(servers.c.guild).where(servers.c.pages.in_([True])).order_by(servers.c.guild)
        )
        rows = await self._database.read(lambda connection: connection.execute(query).scalars())
        return list(rows)

    @writing
    def update_settings(
        self,
        connection: sa.Connection,
        guild: int,
        change: Callable[[ServerSettings], ServerSettings],
    ) -> ServerSettings:
        """Change what a server chooses and return it; of two changes at once both count.

        `change` gets the previous choices. Whatever it raises leaves everything as it was.
        """
        first = (
            build_upsert(connection.dialect.name, servers)
            .values(guild=guild, pace=ServerSettings().pace)
            .on_conflict_do_nothing()
        )
        # Only a row that exists can be locked, so the first choice of a server makes one.
        connection.execute(first)
        lock_rows(connection, servers.c.guild, [guild])
        after = change(_load_settings(connection, guild))
        upsert_rows(connection, servers, [{"guild": guild, **asdict(after)}])
        return after


def _load_settings(connection: sa.Connection, guild: int) -> ServerSettings:
    row = (
        connection.execute(sa.select(*_SETTINGS).where(servers.c.guild == guild)).mappings().first()
    )
    return (
        # JSON has lists where the settings have tuples.
        ServerSettings(**{**row, "channels": tuple(row["channels"]), "quiet": tuple(row["quiet"])})
        if row
        else ServerSettings()
    )
