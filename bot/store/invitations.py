"""Challenges, their seats, and how a full one becomes a match."""

import json
import sqlite3

from bot.store.database import Database
from bot.store.errors import Taken
from bot.store.rows import Invitation, Joined, Offer, Seat


class Invitations:
    """Challenges by their number."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, offer: Offer, seat: Seat) -> Invitation:
        """Keep a new challenge with its challenger seated."""

        def work(connection: sqlite3.Connection) -> Invitation:
            number = connection.execute(
                "INSERT INTO invitations (guild, channel, challenger, opponent, side, game, options, rated, players,"
                " secret, commitment, created, expires) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
                (
                    offer.guild, offer.channel, offer.challenger, offer.opponent, offer.side, offer.game,
                    json.dumps(dict(offer.options)), offer.rated, offer.players, offer.secret, offer.commitment,
                    offer.created, offer.expires,
                ),
            ).lastrowid  # fmt: skip
            assert number is not None
            _sit(connection, number, seat)
            return _known(connection, number)

        return await self._database.write(work)

    async def get(self, number: int) -> Invitation | None:
        """Return a challenge, or None."""
        return await self._database.read(lambda connection: _fetch(connection, number))

    async def set_message(self, number: int, message: int) -> None:
        """Remember the message that shows a challenge."""
        await self._database.write(
            lambda connection: connection.execute("UPDATE invitations SET message = ? WHERE id = ?", (message, number))
        )

    async def close(self, number: int, state: str) -> bool:
        """Close a challenge; False where it was open no longer."""
        changed = await self._database.write(
            lambda connection: (
                connection.execute(
                    "UPDATE invitations SET state = ? WHERE id = ? AND state = 'open'", (state, number)
                ).rowcount
            )
        )
        return changed == 1

    async def lapse(self, now: int) -> list[Invitation]:
        """Close every challenge whose time is over, and return them."""

        def work(connection: sqlite3.Connection) -> list[Invitation]:
            rows = connection.execute(
                "UPDATE invitations SET state = 'lapsed' WHERE state = 'open' AND expires <= ? RETURNING id", (now,)
            ).fetchall()
            return [_known(connection, row["id"]) for row in rows]

        return await self._database.write(work)

    async def join(self, number: int, seat: Seat, rules_version: int, now: int) -> Joined:
        """Take a seat, and start the match if it was the last one.

        Raises Taken where somebody was quicker or the challenge is open no longer.
        """

        def work(connection: sqlite3.Connection) -> Joined:
            before = _known(connection, number)
            if before.state != "open" or before.expires <= now:
                raise Taken
            try:
                _sit(connection, number, seat)
            except sqlite3.IntegrityError as error:
                if error.sqlite_errorname in ("SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE"):
                    raise Taken from None
                raise
            invitation = _known(connection, number)
            if len(invitation.seats) < 2 * invitation.players:
                return Joined(invitation, None)
            match = _start(connection, invitation, rules_version, now)
            return Joined(_known(connection, number), match)

        return await self._database.write(work)


def _sit(connection: sqlite3.Connection, number: int, seat: Seat) -> None:
    connection.execute(
        "INSERT INTO invitation_seats VALUES (?,?,?,?,?)",
        (number, seat.side, seat.number, seat.person, seat.contribution),
    )


def _start(connection: sqlite3.Connection, invitation: Invitation, rules_version: int, now: int) -> int:
    match = connection.execute(
        "INSERT INTO matches (guild, channel, game, rules_version, options, rated, secret, commitment, created,"
        " touched)"
        " SELECT guild, channel, game, ?, options, rated, secret, commitment, ?, ? FROM invitations WHERE id = ?",
        (rules_version, now, now, invitation.id),
    ).lastrowid
    assert match is not None
    connection.execute(
        "INSERT INTO seats SELECT ?, side, number, person, contribution FROM invitation_seats WHERE invitation = ?",
        (match, invitation.id),
    )
    connection.execute("UPDATE invitations SET state = 'accepted', match = ? WHERE id = ?", (match, invitation.id))
    return match


def _known(connection: sqlite3.Connection, number: int) -> Invitation:
    invitation = _fetch(connection, number)
    if invitation is None:
        raise Taken
    return invitation


def _fetch(connection: sqlite3.Connection, number: int) -> Invitation | None:
    row = connection.execute("SELECT * FROM invitations WHERE id = ?", (number,)).fetchone()
    if row is None:
        return None
    fields = dict(row) | {"options": json.loads(row["options"]), "rated": bool(row["rated"])}
    return Invitation(**fields, seats=read_seats(connection, "invitation_seats", "invitation", number))


def read_seats(connection: sqlite3.Connection, table: str, column: str, number: int) -> tuple[Seat, ...]:
    """Return the seats of a challenge or a match, gold's first, each side's in the order of its turns."""
    rows = connection.execute(
        f"SELECT side, number, person, contribution FROM {table} WHERE {column} = ? ORDER BY side = 'black', number",  # noqa: S608
        (number,),
    )
    return tuple(Seat(*row) for row in rows)
