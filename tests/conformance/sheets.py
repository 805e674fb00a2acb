"""A sheet for every game, in the rulebook's words.

It has courses, bans, and how men enter, stand, leave and win.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

ALL = "abcdefghiklmnopqrstuwxyz"
BARS = ("bar", "bar-af", "bar-gm", "bar-ns", "bar-tz")
TABLES = {"af": "abcdef", "gm": "ghiklm", "ns": "nopqrs", "tz": "tuwxyz"}
Names: TypeAlias = tuple[str, ...]


def split_points(text: str) -> Names:
    """Points by their letters."""
    return tuple(text)


UP, DOWN = split_points(ALL), split_points(ALL[::-1])
HALF_UP, HALF_DOWN = split_points("abcdeftuwxyz"), split_points("zyxwutfedcba")
FROM_N = split_points(ALL[12:] + ALL[:12])
FROM_M = split_points(ALL[:12][::-1] + ALL[12:][::-1])
NOBODY: Mapping[str, Names] = {"gold": (), "black": ()}


@dataclass(frozen=True)
class Sheet:
    """A game: each side's course, where it may not double, and what else it does differently."""

    gold: Names
    black: Names
    own: Mapping[str, Names] = field(default_factory=lambda: NOBODY)
    ends: str = "off"
    rests: bool = False
    moves: bool = True
    most: int = 99
    closed: int = 2
    blockade: str = "skip"
    reentry: str = "first"
    placing: str = "free"
    bearing: str = "usual"
    twelve: bool = False
    anybody: bool = False
    lasts: Mapping[str, Names] = field(default_factory=dict)
    entries: Mapping[str, Names] = field(default_factory=dict)
    waits: Mapping[str, str] = field(default_factory=dict)
    back: Mapping[str, str] = field(default_factory=dict)
    barred: Names = ()
    sums: bool = False
    jan: bool = False
    figures: bool = False
    breaks: bool = False
    six_win: bool = False
    no_entry: bool = False
    tie: bool = False

    def course(self, side: str) -> Names:
        """The points a side travels, in order."""
        return self.gold if side == "gold" else self.black

    def last_table(self, side: str) -> Names:
        """The bearing table, the point that needs the highest number first."""
        return self.lasts.get(side) or self.course(side)[-6:]


FIRST_HALVES = {"gold": UP[:12], "black": DOWN[:12]}
HEAD_ON = Sheet(UP, DOWN)
TOGETHER = Sheet(UP, UP)
ENGLISH = Sheet(UP, DOWN, FIRST_HALVES)
CHASE = Sheet(UP, FROM_N, {"gold": UP[:12], "black": FROM_N[:12]})
ONE_TABLE = Sheet(
    UP[:6],
    UP[:6],
    moves=False,
    bearing="exact",
    lasts={"gold": split_points("fedcba"), "black": split_points("fedcba")},
)


def find_sheet(slug: str, options: Mapping[str, str]) -> Sheet:
    """The sheet of a game with these options; raises KeyError for a game that has none."""
    match slug:
        case "zeno":
            black = {"same-way": FROM_N, "same-side": FROM_M}.get(options.get("setup", ""), DOWN)
            return Sheet(UP, black, ends="off" if options.get("goal") == "off" else "goal")
        case "imperial" | "provincial":
            return replace(HEAD_ON, ends="goal")
        case "pyf" | "paume-carie-two":
            return replace(TOGETHER, rests=True)
        case "ludus-anglicorum":
            return replace(ENGLISH, blockade=options.get("blockade", "skip"))
        case "twelve-dogs":
            table = split_points(TABLES[options.get("table", "af")])
            ends = "all-six" if options.get("win") == "all-six" else "full"
            return Sheet(table, table, ends=ends, moves=False, most=2)
        case "fallas":
            back = {"gold": "a", "black": "z"} if options.get("hit") == "start-point" else {}
            return replace(HEAD_ON, back=back)
        case "todas-tablas" | "irish" | "backgammon":
            return HEAD_ON
        case "cab-e-quinal" | "cab-e-quinal-fixed":
            back = {"gold": "e", "black": "f"} if options.get("hit") == "start-point" else {}
            return replace(TOGETHER, back=back)
        case "buffa-cortesa" | "pareia-de-entrada" | "baralie":
            return TOGETHER
        case "buffa-de-baldrac":
            return Sheet(UP, FROM_M, placing="all")
    return _SPECIAL_SHEETS[slug](options)


def _duodecim_sheet(options: Mapping[str, str]) -> Sheet:
    course = tuple(map(str, range(1, 37)))
    return Sheet(course, course, bearing=options.get("bearing", "exact"))


def _tabula_sheet(options: Mapping[str, str]) -> Sheet:
    placing = {"still": "still", "anywhere": "anywhere"}.get(options.get("placing", ""), "half")
    return replace(
        TOGETHER,
        placing=placing,
        bearing=options.get("bearing", "past"),
        sums=options.get("sums") == "bound",
        anybody=options.get("home") == "any",
    )


def _doblet_sheet(options: Mapping[str, str]) -> Sheet:
    lasts = {"gold": split_points("fedcba"), "black": split_points("tuwxyz")}
    if options.get("moving") == "own-table":
        # "each player moves within their own table only";
        # a number takes down as it bears, from its own point
        entries = {"gold hand": split_points("abcdef"), "black hand": split_points("zyxwut")}
        return Sheet(
            lasts["gold"],
            lasts["black"],
            most=2,
            bearing="exact",
            lasts=lasts,
            placing="all",
            entries=entries,
        )
    return Sheet(
        split_points("abcdef"),
        split_points("zyxwut"),
        moves=False,
        most=2,
        bearing="exact",
        lasts=lasts,
    )


def _emperador_sheet(options: Mapping[str, str]) -> Sheet:
    barata = options.get("barata")
    return replace(
        ENGLISH,
        reentry=options.get("reentry", "free"),
        tie=True,
        six_win=barata == "six",
        no_entry=barata == "no-entry",
    )


def _medio_sheet(options: Mapping[str, str]) -> Sheet:
    own = {"gold": split_points("abcdef"), "black": split_points("tuwxyz")}
    own = own if options.get("single", "own-table") == "own-table" else {"gold": (), "black": ()}
    return Sheet(HALF_UP, HALF_DOWN, own, reentry=options.get("reentry", "free"), tie=True)


def _laquet_sheet(options: Mapping[str, str]) -> Sheet:
    way = split_points(ALL[18:] + ALL[:12])
    black = FROM_N if options.get("single") in ("n", "s") else way
    tabulated = options.get("course") == "tabulated"
    return Sheet(UP if tabulated else way, UP if tabulated else black, closed=1)


def _quinze_sheet(options: Mapping[str, str]) -> Sheet:
    if options.get("limit") == "two":
        return replace(HEAD_ON, most=2, reentry="soft", bearing="exact", twelve=True)
    return HEAD_ON


def _seis_sheet(options: Mapping[str, str]) -> Sheet:
    if options.get("reentry") == "start-table":
        return TOGETHER
    across = {"af": "ns", "gm": "tz", "ns": "af", "tz": "gm"}
    waits = {name: f"bar-{across[table]}" for table, names in TABLES.items() for name in names}
    return replace(
        TOGETHER,
        waits=waits,
        entries={f"bar-{table}": split_points(names) for table, names in TABLES.items()},
    )


def _lumbard_sheet(options: Mapping[str, str]) -> Sheet:
    gold, black = HALF_UP, HALF_DOWN
    if options.get("course") == "literal":
        gold, black = split_points("fedcbazyxwut"), split_points("tuwxyzabcdef")
    return Sheet(gold, black, {"gold": gold[:6], "black": black[:6]}, barred=("a", "z"))


def _paume_one_sheet(options: Mapping[str, str]) -> Sheet:
    return replace(ONE_TABLE, bearing="usual" if options.get("bearing") == "farthest" else "exact")


def _verquere_sheet(options: Mapping[str, str]) -> Sheet:
    jan = options.get("jan", "wins") == "wins"
    if options.get("far-point") == "double":
        # "The further Ace-Point excepted": the last of the first twelve.
        return replace(CHASE, own={"gold": UP[:11], "black": FROM_N[:11]}, jan=jan)
    return replace(CHASE, jan=jan)


def _swedish_sheet(options: Mapping[str, str]) -> Sheet:
    own = {"gold": UP[:11], "black": FROM_N[:11]}
    breaks = options.get("barrier", "breaks") == "breaks"
    return replace(
        CHASE, own=own, figures=True, breaks=breaks, jan=options.get("jan", "wins") == "wins"
    )


_SPECIAL_SHEETS = {
    "duodecim-scripta": _duodecim_sheet,
    "tabula": _tabula_sheet,
    "doblet": _doblet_sheet,
    "emperador": _emperador_sheet,
    "medio-emperador": _medio_sheet,
    "laquet": _laquet_sheet,
    "quinze-tablas": _quinze_sheet,
    "reencontrat": lambda _: CHASE,
    "seis-dos-e-as": _seis_sheet,
    "ludus-lumbardorum": _lumbard_sheet,
    "paume-carie-one": _paume_one_sheet,
    "verquere": _verquere_sheet,
    "swedish-tables": _swedish_sheet,
}
