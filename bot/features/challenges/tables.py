"""The tables and rows of challenges, and what storing one comes to."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import sqlalchemy as sa

from bot.features.matches.rows import Seat
from bot.features.matches.tables import matches
from bot.platform.db import tables as db
from bot.platform.db.rows import QueuedJob

challenges = sa.Table(
    "challenges",
    db.metadata,
    sa.Column("id", db.BIG, sa.Identity(), primary_key=True, info=db.NUMBER),
    sa.Column("guild", db.BIG, nullable=False, info=db.PLACE),
    sa.Column("channel", db.BIG, nullable=False, info=db.PLACE),
    sa.Column("message", db.BIG, info=db.PLACE),
    sa.Column(
        "challenger", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.PARTICIPANT
    ),
    sa.Column("opponent", db.BIG, sa.ForeignKey(db.people.c.id), info=db.PARTICIPANT),
    sa.Column("side", sa.Text, nullable=False, info=db.RULES),
    sa.Column("game", sa.Text, nullable=False, info=db.RULES),
    sa.Column("options", db.DOCUMENT, nullable=False, info=db.RULES),
    sa.Column("rated", db.Flag, nullable=False, info=db.RULES),
    sa.Column("players", sa.Integer, nullable=False, info=db.NUMBER),
    sa.Column("secret", sa.LargeBinary, nullable=False, info=db.SECRET),
    sa.Column("commitment", sa.Text, nullable=False, info=db.SECRET),
    sa.Column("created", db.BIG, nullable=False, info=db.INSTANT),
    sa.Column("expires", db.BIG, nullable=False, info=db.INSTANT),
    sa.Column("state", sa.Text, nullable=False, server_default="open", info=db.STATE),
    sa.Column("match", db.BIG, sa.ForeignKey(matches.c.id), unique=True, info=db.NUMBER),
    sa.Column("rematch_of", db.BIG, sa.ForeignKey(matches.c.id), info=db.NUMBER),
    sa.Column("pace", sa.Text, nullable=False, server_default="none", info=db.RULES),
    sa.Column("ladder", db.BIG, sa.ForeignKey("ladders.id"), info=db.NUMBER),
    sa.Column("closed", db.BIG, info=db.INSTANT),
    sa.Column(
        "posted_digits", sa.Integer, nullable=False, server_default=sa.text("0"), info=db.NUMBER
    ),
    sa.Index("challenges_by", "challenger"),
    sa.Index("challenges_to", "opponent"),
    sa.Index("challenges_in", "guild"),
    info=db.SHARED_RECORD,
)

sa.Index(
    "open_challenges",
    challenges.c.expires,
    **db.where("state = 'open'"),
)

sa.Index(
    # Partial, as few challenges are made on a ladder.
    "ladder_challenges",
    challenges.c.ladder,
    challenges.c.closed,
    **db.where_known("ladder"),
)

challenge_seats = sa.Table(
    "challenge_seats",
    db.metadata,
    sa.Column("challenge", db.BIG, sa.ForeignKey(challenges.c.id), nullable=False, info=db.NUMBER),
    sa.Column("side", sa.Text, nullable=False, info=db.RULES),
    sa.Column("number", sa.Integer, nullable=False, info=db.NUMBER),
    sa.Column("person", db.BIG, sa.ForeignKey(db.people.c.id), nullable=False, info=db.PARTICIPANT),
    sa.Column("contribution", sa.Text, nullable=False, info=db.CONTRIBUTION),
    sa.PrimaryKeyConstraint("challenge", "side", "number"),
    sa.UniqueConstraint("challenge", "person"),
    sa.Index("challenge_seats_of", "person"),
    info=db.PLAYERS_OWN,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewChallenge:
    """A challenge as made: `players` people a side; `rematch_of` is the match that it repeats.

    `ladder` is the one on which it is made, if on any.
    """

    guild: int
    channel: int
    challenger: int
    opponent: int | None
    side: str
    game: str
    options: Mapping[str, str]
    rated: bool
    players: int
    # Not in the repr, so that no log or traceback shows what the dice are made of.
    secret: bytes = field(repr=False)
    commitment: str
    created: int
    expires: int
    pace: str = "none"
    rematch_of: int | None = None
    ladder: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge(NewChallenge):
    """A challenge with its state: `open`, `accepted`, `declined`, `withdrawn` or `lapsed`.

    `closed` is when it came to one of the last three. `posted_digits` are the hexadecimal digits of
    its commitment that its message showed when it was posted; what an edit shows is not counted.
    """

    id: int
    message: int | None
    state: str
    match: int | None
    seats: tuple[Seat, ...]
    closed: int | None = None
    posted_digits: int = 0


@dataclass(frozen=True, slots=True)
class NewChallengeResult:
    """A new challenge, and the jobs that follow."""

    challenge: Challenge
    jobs: tuple[QueuedJob, ...] = ()


@dataclass(frozen=True, slots=True)
class JoinResult:
    """A challenge after somebody took a seat, the match if it was the last, and the jobs."""

    challenge: Challenge
    match: int | None
    jobs: tuple[QueuedJob, ...] = ()
