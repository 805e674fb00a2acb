"""The players' strength as a page; what is not measured anew keeps the figures that it has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from engine.games import GAMES
from lab.command_line import join_names, lock_file, name_commit, write_beside
from lab.studies.errors import ErrorMeasurement, EvaluationError, load_errors
from lab.studies.study import Share
from lab.training.errors import SOLVERS
from lab.training.matches import AdjustedScore
from lab.training.pairs import PAIRS, ZERO_PLY
from lab.training.practice import describe_training
from lab.training.referee import CLEAR, LEVEL_NAME, RefereedDecisions
from lab.training.strength import PeerResults, StrengthMeasurement
from lab.training.workshop import Score

PAGE = Path(__file__).parents[2] / "docs" / "generated" / "strength.md"

INTRODUCTION = """\
# How strong the computer players are

*Written by `make strength`, which plays these matches; with `ARGS="--only zeno"` it plays those of
some games and keeps the figures of the others. Matches with other programs and refereed decisions
are Backgammon's.* [computer.md](../computer.md) says what the players are.

- **±** is the standard error: in nineteen cases of twenty the true value is within twice as much.
  With fewer than twenty games the error itself is uncertain. For a share of wins, two wins and two
  losses are added, since a few games may all be won by luck.
- A draw, or a game stopped after 1,500 throws, counts half. In each match the players change sides
  after every game.
- **Throws a game** and the two columns after it describe the game when its player meets itself. 50%
  wins of the side that begins means that there is no first-move advantage. Throws of both sides
  count and, unlike in [studies.md](studies.md), so do turns of a side that could not have moved.
- **1-ply** is more than twenty times as slow, so fewer games are played; their number is in
  brackets. It goes by the net everywhere. The level `master` is the same player with tables: it
  goes by them in [solved](solved.md) games, and for the last throws of some others, Backgammon
  among them. No figure here is of a player with tables.
- **Measured** names the day, the commit, the seed and the longest time for a game's matches. Rows
  without a commit were measured before it was written down.
- **Luck-adjusted** results subtract the luck of the throws from the result of each game: the net's
  equity after the best play of the throw, minus its average over all throws. This luck averages to
  zero in the long run, however bad the net's evaluation is, so the adjusted figure is unbiased (D.
  Montgomery, "Variance Reduction", GammOnLine, February 2000). It is an estimate and not a count of
  wins, so with few games it can exceed 100%.
- **Lessons** are positions of a net's own games evaluated at 1-ply, from which it learnt after its
  games.
"""

AIM = 0.9
"""The share of games that a player is to win against greedy."""

GAME = "game"
TRAINED = "net trained on"
AGAINST_GREEDY = "wins against greedy, %"
AHEAD = "1-ply against greedy, luck-adjusted wins, % (games)"
CHOICE = "throws that leave a choice, %"
COLUMNS = (
    GAME,
    TRAINED,
    "wins against random, %",
    AGAINST_GREEDY,
    "points a game against greedy",
    AHEAD,
    "1-ply against 0-ply, luck-adjusted wins, % (games)",
    "throws a game",
    CHOICE,
    "wins of the side that begins, %",
    "measured",
)
NOTHING = "-"
"""What stands where nothing was measured."""
NO_NET = "no net: greedy"
CHANCE = "Pure chance: "
OFFERS = "Nothing to choose but whether to use the numbers that the other side leaves: "
PEERS = "## Backgammon against others"
PEER_COLUMNS = (
    "match",
    "games",
    "luck-adjusted points a game",
    "points a game",
    "wins, %",
    "measured",
)
DECISIONS = "## Backgammon decisions, refereed"
DECISIONS_HEAD = """\
All play the same throws, drawn with seed {seed} from the net's games against itself; those that
leave no choice don't count. [Open Sage](https://github.com/markbgsage/bgsage) evaluates each play
at its {level} (two throws ahead), for money without the cube: a player gives away what its play is
worth less than the best. *More* is what it gives away more than the net at 0-ply, decision by
decision, so the luck of the throws is the same on both sides. An error is a play that gives away
{clear} points or more; in brackets is the 95% interval (Wilson).

Measured {day} at {commit} with {packages}.
"""
DECISION_COLUMNS = (
    "player",
    "decisions",
    "points given away a decision",
    "more than the net (0-ply)",
    "errors, % (95%)",
)
ERRORS_HEAD = """\
## How far the evaluations err

`make errors` compares each net's evaluations, in points, with what positions turn out to be worth:
in {solved}, which are [solved](solved.md), with their exact value,
in the others with the mean of rollouts. Paume carie on one table is among these: it is solved too,
but to solve it takes longer than a game has here. A rollout plays on from the position between two
players at 0-ply; where the game isn't over after the turns named, the net's evaluation counts then.
The positions are drawn from all those before a throw in the net's games against itself, by the
usual rules. At the same commit the same seed draws the same; how many are rolled out depends on the
time.

- **Spread** is the standard deviation of what a game brings, in points, when the net meets itself
  at 0-ply. A point isn't the same everywhere: in Paume carie it's a slap, so read its errors beside
  its spread.
- **Deviation** is the standard deviation of the errors, the rollouts' own variance subtracted. In
  brackets are the ends of its 95% interval (bootstrap over the positions; those of one game are
  alike, so it is rather too narrow).
- **Bias** is the mean of the errors: above zero, the side to throw is evaluated too high.
- A rollout says what a position is worth between players at 0-ply, not under best play, and one
  that is stopped doesn't see errors that last longer. `ARGS="--turns 1500"` plays to the end, which
  takes many times as long for the same accuracy.
- **Measured** names the day, the commit, the seed, how many games the positions are drawn from, and
  the seconds of a processor for a game's rollouts. 400 positions are the most.
"""
ERROR_COLUMNS = (
    "game",
    "spread of a game",
    "compared with",
    "positions",
    "0-ply: deviation (95%)",
    "0-ply: bias",
    "1-ply: deviation (95%)",
    "1-ply: bias",
    "measured",
)


@dataclass(frozen=True)
class RunStamp:
    """When figures were measured, by which commit, with which seed and time for a game."""

    day: date
    commit: str
    seed: int
    seconds: float


Row = Mapping[str, str]
"""One game's figures, by column."""


def build_page(
    strengths: Sequence[StrengthMeasurement],
    peers: PeerResults | None,
    stamp: RunStamp,
    page: str = "",
    errors: Mapping[str, ErrorMeasurement] | None = None,
    decisions: RefereedDecisions | None = None,
) -> str:
    """Return the page.

    Games and peers that were not measured keep what the page has for them. `errors` are those that
    are stored unless others are given.
    """
    measured = {GAMES[each.slug].title: _build_row(each, stamp) for each in strengths}
    known = {**_parse_rows(page), **measured}
    rows = [known[game.title] for game in GAMES.values() if game.title in known]
    parts = [
        INTRODUCTION.rstrip(),
        _format_table(COLUMNS, [[row.get(name, NOTHING) for name in COLUMNS] for row in rows]),
        _format_short_of_aim(rows),
        _format_greedy_games(rows),
        _format_remarks(
            CHANCE,
            {GAMES[each.slug].title: _format_chance_remark(each) for each in strengths},
            page,
        ),
        _format_remarks(
            OFFERS,
            {GAMES[each.slug].title: _format_offers_remark(each) for each in strengths},
            page,
        ),
        format_errors(load_errors() if errors is None else errors),
        _format_peers(peers, stamp, page),
        _format_decisions(decisions, stamp, page),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def rewrite_page(
    page: Path,
    stamp: RunStamp,
    strengths: Sequence[StrengthMeasurement] = (),
    peers: PeerResults | None = None,
    decisions: RefereedDecisions | None = None,
    errors: Mapping[str, ErrorMeasurement] | None = None,
) -> None:
    """Write the page with what was measured anew, and with the errors that are stored."""
    with lock_file(page):
        before = page.read_text("utf-8") if page.exists() else ""
        write_beside(page, build_page(strengths, peers, stamp, before, errors, decisions))


def _parse_rows(page: str) -> dict[str, Row]:
    """The rows of the page's first table, by game."""
    table, _, _ = page.partition("\n## ")
    head, *rows = _parse_table(table) or [[]]
    return {cells[0]: dict(zip(head, cells, strict=True)) for cells in rows}


def _parse_table(text: str) -> list[list[str]]:
    """Return the lines of the table in a text, its head first."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    # Below the head is a rule.
    return [*lines[:1], *lines[2:]]


def format_strength(each: StrengthMeasurement, stamp: RunStamp) -> str:
    """One line on a game that has just been measured."""
    cells = _build_row(each, stamp).items()
    return "; ".join(f"{name} {cell}" for name, cell in cells)


def _build_row(each: StrengthMeasurement, stamp: RunStamp) -> Row:
    cells = (
        GAMES[each.slug].title,
        describe_training(each.net) if each.net else NO_NET,
        _format_share(each.random),
        _format_share(each.greedy) if each.greedy else NOTHING,
        _format_points(each.greedy) if each.greedy else NOTHING,
        _format_adjusted_share(each.ahead),
        _format_adjusted_share(each.deeper),
        _format_figure(each.itself.length, each.itself.length_error, ".1f"),
        f"{100 * each.choices.with_choice / each.choices.throws:.0f}",
        _format_figure(
            100 * each.itself.starter_share, 100 * each.itself.starter_share_error, ".1f"
        ),
        f"{_format_stamp(stamp)}, {stamp.seconds:g} s",
    )
    return dict(zip(COLUMNS, cells, strict=True))


def _format_stamp(stamp: RunStamp) -> str:
    return f"{stamp.day:%Y-%m-%d} at {name_commit(stamp.commit)}, seed {stamp.seed}"


def _format_share(score: Score) -> str:
    return _format_figure(100 * score.share, 100 * score.share_error, ".1f")


def _format_adjusted_share(meeting: AdjustedScore | None) -> str:
    """A share without the luck of the throws, and of how many games."""
    if meeting is None:
        return NOTHING
    share = _format_figure(100 * meeting.share.mean, 100 * meeting.share.error, ".1f")
    return f"{share} ({meeting.score.games})"


def _format_points(score: Score) -> str:
    return _format_figure(score.mean, score.mean_error, "+.2f")


def _format_figure(value: float, error: float, form: str) -> str:
    """A figure and its standard error."""
    return f"{value:{form}} ± {error:{form.removeprefix('+')}}"


def _format_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _format_remarks(begin: str, measured: Mapping[str, str], page: str) -> str:
    """Return the lines with that beginning, one for each game.

    Games that were not measured keep what the page has for them.
    """
    lines = (line.removeprefix(begin) for line in page.splitlines() if line.startswith(begin))
    said = {**{line.partition(".")[0]: line for line in lines}, **measured}
    # A game whose remark is empty now loses the one that it had on the page.
    return "\n\n".join(
        f"{begin}{said[game.title]}" for game in GAMES.values() if said.get(game.title)
    )


def _format_chance_remark(each: StrengthMeasurement) -> str:
    if not each.is_chance:
        return ""
    throws = f"{each.choices.throws:,}"
    return (
        f"{GAMES[each.slug].title}. Of {throws} throws in its games not one had more than one end "
        "to choose from."
    )


def _format_offers_remark(each: StrengthMeasurement) -> str:
    return (
        f"{GAMES[each.slug].title}." if each.choices.with_choice == 0 < each.choices.offers else ""
    )


def _format_greedy_games(rows: Sequence[Row]) -> str:
    without = [row for row in rows if row[TRAINED] == NO_NET]
    return (
        f"Played by greedy, for want of a net that is better: {_join_names(without)}."
        if without
        else ""
    )


def _is_short_of_aim(row: Row, column: str) -> bool:
    """Return whether a player wins too few games by a column's figure.

    It doesn't where there is nothing to choose.
    """
    won, _, _ = row.get(column, NOTHING).partition(" ")
    return won != NOTHING and float(won) < 100 * AIM and row[CHOICE] != "0"


def _format_short_of_aim(rows: Sequence[Row]) -> str:
    """Which games' players miss the aim, and which of these miss it one throw further too."""
    short = [row for row in rows if _is_short_of_aim(row, AGAINST_GREEDY)]
    still = [row for row in short if _is_short_of_aim(row, AHEAD)]
    lines = (
        [f"Short of the aim, {AIM:.0%} of the games against greedy: {_join_names(short)}."]
        if short
        else []
    )
    if still:
        lines.append(f"Short of it at 1-ply too: {_join_names(still)}.")
    return "\n\n".join(lines)


def _join_names(rows: Sequence[Row]) -> str:
    return ", ".join(row[GAME] for row in rows)


def _extract_section(page: str, heading: str) -> str:
    """Return what the page has below a heading, up to the next."""
    _, _, below = page.partition(f"{heading}\n")
    return below.partition("\n## ")[0].strip()


def _format_decisions(decisions: RefereedDecisions | None, stamp: RunStamp, page: str) -> str:
    """Return the section of refereed decisions: as measured, else as it is."""
    if decisions is None:
        before = _extract_section(page, DECISIONS)
        return f"{DECISIONS}\n\n{before}" if before else ""
    rows = [
        (
            player,
            f"{each.decisions:,}",
            _format_figure(each.mean, each.error, ".4f"),
            NOTHING if player == ZERO_PLY else _format_figure(each.more, each.more_error, "+.4f"),
            _format_interval(Share(each.clear, each.decisions)),
        )
        for player, each in decisions.given.items()
    ]
    head = DECISIONS_HEAD.format(
        clear=CLEAR,
        level=LEVEL_NAME,
        day=stamp.day,
        commit=name_commit(stamp.commit),
        seed=stamp.seed,
        packages=join_names(decisions.packages),
    )
    return f"{DECISIONS}\n\n{head}\n{_format_table(DECISION_COLUMNS, rows)}"


def _format_interval(share: Share) -> str:
    """Return a share and the ends of its interval, in percent."""
    low, high = share.interval
    return f"{100 * share.value:.1f} ({100 * low:.1f}-{100 * high:.1f})"


def _format_peers(peers: PeerResults | None, stamp: RunStamp, page: str) -> str:
    """Return the section of matches with other programs: some as measured, the others as it is."""
    before = _extract_section(page, PEERS)
    if peers is None:
        return f"{PEERS}\n\n{before}" if before else ""
    measured = {
        f"{first} against {second}": _format_peer_cells(meeting, peers, stamp)
        for (first, second), meeting in peers.met.items()
    }
    known = {match: cells for match, *cells in _parse_table(before)[1:]} | measured
    order = [f"{first} against {second}" for first, second in PAIRS]
    met = sorted(known, key=lambda match: order.index(match) if match in order else len(order))
    table = _format_table(PEER_COLUMNS, [[match, *known[match]] for match in met])
    return f"{PEERS}\n\n{table}"


def _format_peer_cells(
    meeting: AdjustedScore, peers: PeerResults, stamp: RunStamp
) -> Sequence[str]:
    score = meeting.score
    return (
        f"{score.games:,}",
        _format_figure(meeting.points.mean, meeting.points.error, "+.3f"),
        _format_figure(score.mean, score.mean_error, "+.3f"),
        _format_share(score),
        f"{_format_stamp(stamp)}, {peers.seconds:g} s, {peers.package}",
    )


def format_errors(errors: Mapping[str, ErrorMeasurement]) -> str:
    """Return the section on how far evaluations err, if it was measured."""
    if not errors:
        return ""
    rows = [
        (
            GAMES[slug].title,
            f"{each.spread:.2f}" if each.spread else NOTHING,
            _format_comparison(each),
            f"{each.positions:,}",
            _format_deviation(each.zero_ply),
            _format_figure(each.zero_ply.bias, each.zero_ply.bias_error, "+.3f"),
            _format_deviation(each.one_ply),
            _format_figure(each.one_ply.bias, each.one_ply.bias_error, "+.3f"),
            _format_error_run(each),
        )
        for slug, each in errors.items()
    ]
    head = ERRORS_HEAD.format(solved=join_names([GAMES[slug].title for slug in sorted(SOLVERS)]))
    return f"{head}\n{_format_table(ERROR_COLUMNS, rows)}"


def _format_error_run(each: ErrorMeasurement) -> str:
    drawn = f", from {each.games} games" if each.games else ""
    budget = f", {each.seconds:g} s" if each.seconds else ""
    return f"{each.day} at {name_commit(each.commit)}, seed {each.seed}{drawn}{budget}"


def _format_comparison(each: ErrorMeasurement) -> str:
    if not each.rollouts:
        return "the exact value"
    adjusted = "luck-adjusted " if each.adjusted else ""
    return f"{each.rollouts} {adjusted}rollouts of {each.turns} turns"


def _format_deviation(error: EvaluationError) -> str:
    return f"{error.deviation:.3f} ({error.low:.3f}-{error.high:.3f})"
