"""The players' strength as a page: figures between two marks are rewritten, words are kept."""

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from engine.games import GAMES
from engine.training.matches import Meeting
from engine.training.practice import trained_on
from engine.training.strength import Peers, Strength
from engine.training.workshop import Score

PAGE = Path(__file__).parents[2] / "docs" / "players.md"
BEGIN = "<!-- figures: written by `make strength`, not by hand -->"
END = "<!-- end of the figures -->"

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
PEERS = "### Backgammon against others"

Row = Mapping[str, str]
"""One game's figures, by column."""


def rewrite(page: str, figures: str) -> str:
    """Return the page with other figures.

    Raises ValueError if it does not have the two marks, in this order.
    """
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page needs the lines {BEGIN} and {END} around its figures")
    return f"{before}{BEGIN}\n\n{figures}\n{END}{after}"


def written(strengths: Sequence[Strength], peers: Peers | None, day: date, page: str = "") -> str:
    """Return the figures as Markdown.

    Games and peers that were not measured keep what the page has for them.
    """
    measured = {GAMES[each.slug].title: _row(each, day) for each in strengths}
    known = {**_rows(page), **measured}
    rows = [known[game.title] for game in GAMES.values() if game.title in known]
    parts = [
        _table(COLUMNS, [[row.get(name, NOTHING) for name in COLUMNS] for row in rows]),
        _short_of_aim(rows),
        _without_net(rows),
        _remarks(CHANCE, {GAMES[each.slug].title: _by_chance(each) for each in strengths}, page),
        _remarks(OFFERS, {GAMES[each.slug].title: _by_offers(each) for each in strengths}, page),
        PEERS,
        _peers(peers) if peers else _peers_before(page),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _rows(page: str) -> dict[str, Row]:
    """The rows of the page's first table after the mark, by game."""
    _, _, figures = page.partition(BEGIN)
    table, _, _ = figures.partition(PEERS)
    lines = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    return {cells[0]: dict(zip(lines[0], cells, strict=True)) for cells in lines[2:]}


def _peers_before(page: str) -> str:
    _, _, after = page.partition(PEERS)
    return after.partition(END)[0].strip()


def told(each: Strength, day: date) -> str:
    """One line on a game that has just been measured."""
    cells = _row(each, day).items()
    return "; ".join(f"{name} {cell}" for name, cell in cells)


def _row(each: Strength, day: date) -> Row:
    cells = (
        GAMES[each.slug].title,
        trained_on(each.net) if each.net else NO_NET,
        _share(each.random),
        _share(each.greedy) if each.greedy else NOTHING,
        _points(each.greedy) if each.greedy else NOTHING,
        _even_share(each.ahead),
        _even_share(each.deeper),
        _figure(each.itself.length, each.itself.length_error, ".1f"),
        f"{100 * each.choices.with_choice / each.choices.throws:.0f}",
        _figure(100 * each.itself.began, 100 * each.itself.began_error, ".1f"),
        f"{day:%Y-%m-%d}",
    )
    return dict(zip(COLUMNS, cells, strict=True))


def _share(score: Score) -> str:
    return _figure(100 * score.share, 100 * score.share_error, ".1f")


def _even_share(meeting: Meeting | None) -> str:
    """A share without the luck of the throws, and of how many games."""
    if meeting is None:
        return NOTHING
    share = _figure(100 * meeting.share.mean, 100 * meeting.share.error, ".1f")
    return f"{share} ({meeting.score.games})"


def _points(score: Score) -> str:
    return _figure(score.mean, score.mean_error, "+.2f")


def _figure(value: float, error: float, form: str) -> str:
    """A figure and its standard error."""
    return f"{value:{form}} ± {error:{form.removeprefix('+')}}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _remarks(begin: str, measured: Mapping[str, str], page: str) -> str:
    """Return the lines with that beginning, one for each game.

    Games that were not measured keep what the page has for them.
    """
    lines = (line.removeprefix(begin) for line in page.splitlines() if line.startswith(begin))
    said = {**{line.partition(".")[0]: line for line in lines}, **measured}
    return "\n\n".join(
        f"{begin}{said[game.title]}" for game in GAMES.values() if said.get(game.title)
    )


def _by_chance(each: Strength) -> str:
    if not each.is_chance:
        return ""
    throws = f"{each.choices.throws:,}"
    return (
        f"{GAMES[each.slug].title}. Of {throws} throws in its games not one had more than one end "
        "to choose from."
    )


def _by_offers(each: Strength) -> str:
    return (
        f"{GAMES[each.slug].title}." if each.choices.with_choice == 0 < each.choices.offers else ""
    )


def _without_net(rows: Sequence[Row]) -> str:
    without = [row for row in rows if row[TRAINED] == NO_NET]
    return (
        f"Played by greedy, for want of a net that is better: {_names(without)}." if without else ""
    )


def _falls_short(row: Row, column: str) -> bool:
    """Return whether a player wins too few games by a column's figure.

    It doesn't where there is nothing to choose.
    """
    won, _, _ = row.get(column, NOTHING).partition(" ")
    return won != NOTHING and float(won) < 100 * AIM and row[CHOICE] != "0"


def _short_of_aim(rows: Sequence[Row]) -> str:
    """Which games' players miss the aim, and which of these miss it one throw further too."""
    short = [row for row in rows if _falls_short(row, AGAINST_GREEDY)]
    still = [row for row in short if _falls_short(row, AHEAD)]
    lines = (
        [f"Short of the aim, {AIM:.0%} of the games against greedy: {_names(short)}."]
        if short
        else []
    )
    if still:
        lines.append(f"Short of it at 1-ply too: {_names(still)}.")
    return "\n\n".join(lines)


def _names(rows: Sequence[Row]) -> str:
    return ", ".join(row[GAME] for row in rows)


def _peers(peers: Peers) -> str:
    if peers.missing:
        return peers.missing
    head = ("match", "games", "luck-adjusted points a game", "points a game", "wins, %")
    return _table(
        head,
        [
            [f"{first} against {second}", *_met(meeting)]
            for (first, second), meeting in peers.met.items()
        ],
    )


def _met(meeting: Meeting) -> Sequence[str]:
    score = meeting.score
    return (
        f"{score.games:,}",
        _figure(meeting.points.mean, meeting.points.error, "+.3f"),
        _figure(score.mean, score.mean_error, "+.3f"),
        _share(score),
    )
