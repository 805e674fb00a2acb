"""What each column of the database has to do with people, and what is done with it.

A test holds this against all tables: a column that nobody has thought of fails it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum, auto


class Erasure(StrEnum):
    """What becomes of a column when a person has their data deleted."""

    ROW = auto()
    """The column names the person, and the row is deleted."""
    PSEUDONYM = auto()
    """The column names the person, and a pseudonym takes their place: others need the row."""
    PEOPLE = auto()
    """A document with ids of people, of which the person's becomes the pseudonym."""
    WORDS = auto()
    """A text that somebody typed: deleted if it is the person's own, and else kept without them."""
    TITLE = auto()
    """A text that belongs to a club: kept without the person."""
    WORD = auto()
    """What somebody gave to the dice: a number, and perhaps a word of their own."""
    JOB = auto()
    """Part of a job, which is deleted if it is about the person."""
    WITH_ROW = auto()
    """The person's own, deleted with the row."""


@dataclass(frozen=True, slots=True)
class PersonalColumn:
    """A column that can hold a person.

    `author` is the column that says whose words it holds, `scope` the one that says whether an id
    is a person's. With `in_matches` only rows about their matches can hold somebody. What is not
    exported has a reason, `withheld`.
    """

    erasure: Erasure
    author: str = ""
    scope: str = ""
    in_matches: bool = False
    withheld: str = ""


@dataclass(frozen=True, slots=True)
class ImpersonalColumn:
    """A column that holds no person, and why."""

    why: str


ColumnRule = PersonalColumn | ImpersonalColumn

_ROW = PersonalColumn(Erasure.ROW)
_SCOPED = PersonalColumn(Erasure.ROW, scope="scope")
_OWN = PersonalColumn(Erasure.WITH_ROW)
_PSEUDONYM = PersonalColumn(Erasure.PSEUDONYM)
_PEOPLE = PersonalColumn(Erasure.PEOPLE)
_TITLE = PersonalColumn(Erasure.TITLE)
_WORD = PersonalColumn(Erasure.WORD)
_RUNS = "how the program runs, which is of no use to anybody else"


def _name_columns(rule: ColumnRule, *tables: str) -> Mapping[str, ColumnRule]:
    """Return a rule for columns, given as `table: column column`."""
    return {
        f"{table}.{column}": rule
        for table, _, columns in (each.partition(": ") for each in tables)
        for column in columns.split()
    }


_PERSONAL: Mapping[str, ColumnRule] = {
    **_name_columns(
        _ROW,
        "people: id",
        "habits: person",
        "blocks: person",
        "memos: person",
        "follows: person",
        "hints: person",
        "subscriptions: person",
        "challenge_notices: person",
        "lessons: person",
        "puzzle_answers: person",
        "streaks: person",
        "blunders: person",
        "proposals: person",
        "data_exports: person",
        "contest_role_holders: person",
        "seat_offers: holder taker offerer",
    ),
    **_name_columns(_SCOPED, "looks: id", "puzzles: id"),
    **_name_columns(
        PersonalColumn(Erasure.ROW, withheld="whom others have blocked is known to them alone"),
        "blocks: blocked",
    ),
    **_name_columns(
        _OWN,
        "people: name seen account locale",
        "habits: reminder throws confirms zone language pages shares everywhere",
        "looks: theme seat numbered",
        "follows: often",
        "subscriptions: game",
        "challenge_notices: at challenge",
        "lessons: lesson step presses touched",
        "streaks: day puzzle streak",
        "puzzle_answers: day solved",
        "puzzles: day puzzle",
        "blunders: play error tries solved",
        "proposals: play",
        "data_exports: at",
    ),
    **_name_columns(
        _PSEUDONYM,
        "absences: person",
        "analyses: person",
        "audit: moderator",
        "byes: person",
        "challenges: challenger opponent",
        "challenge_seats: person",
        "contests: organiser",
        "contest_rulings: moderator person",
        "entrants: person replaces",
        "events: person",
        "ladders: organiser",
        "ladder_events: person moderator",
        "ladder_results: winner",
        "pairings: first second winner",
        "rating_changes: person",
        "ratings: person",
        "seats: person",
    ),
    **_name_columns(_PEOPLE, "audit: people", "matches: former"),
    **_name_columns(PersonalColumn(Erasure.WORDS, author="person"), "memos: text"),
    **_name_columns(
        PersonalColumn(Erasure.WORDS, author="moderator"),
        "audit: reason",
        "contest_rulings: reason",
        "ladder_events: reason",
    ),
    **_name_columns(_TITLE, "contests: name", "ladders: name"),
    # Earlier versions wrote there who had left a ladder; everything else is a number of Discord's.
    **_name_columns(PersonalColumn(Erasure.TITLE, in_matches=True), "events: cause"),
    **_name_columns(_WORD, "seats: contribution", "challenge_seats: contribution"),
    **_name_columns(PersonalColumn(Erasure.JOB, withheld=_RUNS), "jobs: key detail"),
    **_name_columns(PersonalColumn(Erasure.TITLE, withheld=_RUNS), "jobs: error"),
}

_IMPERSONAL: Mapping[str, ColumnRule] = {
    **_name_columns(
        ImpersonalColumn("a number that the program gives"),
        "analyses: id",
        "audit: id match",
        "blunders: match version",
        "byes: contest round half_points",
        "challenge_seats: challenge number",
        "challenges: id match rematch_of ladder players posted_digits",
        "contest_role_holders: contest place",
        "contest_roles: contest place",
        "contest_rulings: id contest",
        "contests: id previous first_season season closed_rounds rounds best_of days size"
        " away_days posted_digits",
        "entrants: contest division seed",
        "events: match version",
        "follows: match",
        "hints: match",
        "jobs: id revision tries",
        "ladder_events: id ladder",
        "ladder_results: match",
        "ladders: id",
        "match_lengths: match turns",
        "matches: id contest ladder edition version since shown dice rating_edition proof_throws"
        " away_days posted_digits",
        "match_puzzles: match version",
        "memos: match",
        "outages: shard shards",
        "pairings: contest number division round board match",
        "presences: shard shards",
        "proposals: analysis",
        "rating_changes: match day",
        "reports: match",
        "seat_offers: id match",
        "seats: match number",
    ),
    **_name_columns(
        ImpersonalColumn("an instant at which something happened or is due"),
        "absences: began ended",
        "analyses: created revealed",
        "audit: at",
        "challenges: created expires closed",
        "contest_rulings: at",
        "contests: created starts began ends paused",
        "entrants: joined left",
        "events: at",
        "jobs: due given_up created leased_until",
        "ladder_events: at",
        "ladder_results: at",
        "ladders: created next_drop closed",
        "matches: created touched ended proof_checked",
        "outages: began ended",
        "presences: at",
        "scheduled_posts: day begun",
        "ratings: updated",
        "reports: made",
        "seat_offers: created closed",
        "stoppages: began ended",
    ),
    **_name_columns(
        ImpersonalColumn("a place on Discord: a server, channel, message, role or event"),
        "analyses: guild channel message",
        "audit: guild",
        "challenges: guild channel message",
        "contest_roles: after role",
        "contests: guild channel message role event",
        "jobs: guild",
        "ladders: guild channel message",
        "match_lengths: guild",
        "matches: guild channel message thread parent notice",
        "puzzle_answers: guild",
        "scheduled_posts: guild channel place message",
        "servers: guild channels news role",
        "subscriptions: guild",
    ),
    **_name_columns(
        ImpersonalColumn("a server, a match or a contest, never a person"),
        "stoppages: scope subject",
    ),
    **_name_columns(
        ImpersonalColumn("whether an id is a person's"), "looks: scope", "puzzles: scope"
    ),
    **_name_columns(
        ImpersonalColumn("what is played, and by which rules"),
        "analyses: game edition options position thrown",
        "challenges: game options rated pace side",
        "contests: format game more_games options rated pace third_place late_entry unfinished"
        " repeats by_clock",
        "ladders: game options rated pace",
        "matches: game options rated pace",
        "match_puzzles: puzzle document",
        "scheduled_posts: subject",
        "challenge_seats: side",
        "seats: side",
        "rating_changes: side",
    ),
    **_name_columns(
        ImpersonalColumn("what the rules make of a match; they know sides and seats, but nobody"),
        "events: record",
        "ladder_results: how",
        "matches: snapshot winner how parts swapped",
        "pairings: how",
        "reports: document",
    ),
    **_name_columns(
        ImpersonalColumn("the state that something is in, or a word of the program's own"),
        "audit: action",
        "challenges: state",
        "contest_role_holders: is_given",
        "contest_rulings: action",
        "contests: state has_event has_roles event_problem roles_problem",
        "jobs: kind",
        "ladder_events: action",
        "matches: followed",
        "scheduled_posts: post",
    ),
    **_name_columns(
        ImpersonalColumn("the secret of the dice, or its digest"),
        "challenges: secret commitment",
        "contests: secret commitment",
        "matches: secret commitment",
    ),
    **_name_columns(
        ImpersonalColumn("the number that Discord gave to a press or a command"),
        "entrants: contribution",
    ),
    **_name_columns(ImpersonalColumn("the name of a running program"), "jobs: leased_by"),
    **_name_columns(
        ImpersonalColumn("a leaderboard, and a strength on it"),
        "rating_changes: scope pool before_mu before_sigma after_mu after_sigma",
        "ratings: scope pool mu sigma games won drawn lost",
    ),
    **_name_columns(
        ImpersonalColumn("what a server has chosen"),
        "servers: pace rated threads single quiet zone language pages",
        "scheduled_posts: hour",
    ),
    **_name_columns(
        ImpersonalColumn("facts that the program keeps about itself and servers"),
        "notes: name text",
    ),
}

COLUMNS: Mapping[str, ColumnRule] = {**_PERSONAL, **_IMPERSONAL}
"""What holds for each column, named `table.column`."""


def list_personal_columns(erasure: Erasure) -> list[tuple[str, str, PersonalColumn]]:
    """Return the columns with which that is done, each by its table and its own name."""
    return [
        (table, column, rule)
        for (table, _, column), rule in (
            (name.partition("."), rule) for name, rule in COLUMNS.items()
        )
        if isinstance(rule, PersonalColumn) and rule.erasure is erasure
    ]
