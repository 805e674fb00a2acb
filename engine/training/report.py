"""The strength of the players as a page: its figures are written anew between two marks, its words are left alone."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from engine.games import GAMES
from engine.training.strength import Peers, Strength, overall
from engine.training.workshop import Score

PAGE = Path(__file__).parents[2] / "docs" / "players.md"
BEGIN = "<!-- figures: written by `make strength`, not by hand -->"
END = "<!-- end of the figures -->"

AIM = 0.9
"""The share of games that a player is to win against greedy."""

COLUMNS = (
    "game",
    "net trained on",
    "wins against random, %",
    "wins against greedy, %",
    "points a game against greedy",
    "1-ply against greedy, wins % (games)",
    "1-ply against 0-ply, wins % (games)",
    "throws a game",
    "throws that leave a choice, %",
    "wins of the side that begins, %",
)


def rewrite(page: str, figures: str) -> str:
    """Return the page with other figures; raises ValueError if it does not have the two marks, in this order."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page needs the lines {BEGIN} and {END} around its figures")
    return f"{before}{BEGIN}\n\n{figures}\n{END}{after}"


def written(strengths: Sequence[Strength], peers: Peers, day: date) -> str:
    """Return the figures as Markdown."""
    parts = [
        f"Measured on {day:%Y-%m-%d} in {overall(strengths):,} games.",
        _table(COLUMNS, [_row(each) for each in strengths]),
        _short_of_aim(strengths),
        _without_net(strengths),
        _by_chance(strengths),
        _by_offers(strengths),
        "### Backgammon against others",
        _peers(peers),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def told(each: Strength) -> str:
    """One line on a game that has just been measured."""
    cells = zip(COLUMNS[1:], _row(each)[1:], strict=True)
    return f"{each.slug}: " + "; ".join(f"{name} {cell}" for name, cell in cells)


def _row(each: Strength) -> list[str]:
    return [
        GAMES[each.slug].title,
        _training(each.net),
        _share(each.random),
        _share(each.greedy) if each.greedy else "-",
        _points(each.greedy) if each.greedy else "-",
        _share_of(each.ahead),
        _share_of(each.deeper),
        _figure(each.itself.length, each.itself.length_error, ".1f"),
        f"{100 * each.choices.with_choice / each.choices.throws:.0f}",
        _figure(100 * each.itself.began, 100 * each.itself.began_error, ".1f"),
    ]


def _training(facts: Mapping[str, Any] | None) -> str:
    return f"{facts['games']:,} games" if facts else "no net: greedy"


def _share(score: Score) -> str:
    return _figure(100 * score.share, 100 * score.share_error, ".1f")


def _share_of(score: Score | None) -> str:
    """A share, and of how many games."""
    return f"{_share(score)} ({score.games})" if score else "-"


def _points(score: Score) -> str:
    return _figure(score.mean, score.mean_error, "+.2f")


def _figure(value: float, error: float, form: str) -> str:
    """A figure and its standard error."""
    return f"{value:{form}} ± {error:{form.removeprefix('+')}}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _titles(strengths: Sequence[Strength], chosen: Callable[[Strength], bool]) -> str:
    return ", ".join(GAMES[each.slug].title for each in strengths if chosen(each))


def _by_chance(strengths: Sequence[Strength]) -> str:
    throws = sum(each.choices.throws for each in strengths if each.is_chance)
    titles = _titles(strengths, lambda each: each.is_chance)
    if not titles:
        return ""
    return f"Pure chance: {titles}. Of {throws:,} throws in these games not one had more than one end to choose from."


def _by_offers(strengths: Sequence[Strength]) -> str:
    titles = _titles(strengths, lambda each: each.choices.with_choice == 0 < each.choices.offers)
    return f"Nothing to choose but whether to use the numbers that the other side leaves: {titles}." if titles else ""


def _without_net(strengths: Sequence[Strength]) -> str:
    titles = _titles(strengths, lambda each: each.net is None)
    return f"Played by greedy, for want of a net that is better: {titles}." if titles else ""


def _falls_short(each: Strength) -> bool:
    return each.greedy is not None and each.greedy.share < AIM and each.choices.with_choice > 0


def _short_of_aim(strengths: Sequence[Strength]) -> str:
    titles = _titles(strengths, _falls_short)
    return f"Short of the aim, {AIM:.0%} of the games against greedy: {titles}." if titles else ""


def _peers(peers: Peers) -> str:
    if peers.missing:
        return peers.missing
    head = ("who met whom", "games", "points a game", "wins, %")
    rows = [[name, f"{score.games:,}", _points_closely(score), _share(score)] for name, score in peers.met.items()]
    return _table(head, rows)


def _points_closely(score: Score) -> str:
    return _figure(score.mean, score.mean_error, "+.3f")
