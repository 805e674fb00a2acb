"""What the games are like, as a page of the documentation with its pictures: `make studies` writes them.

Every figure comes from the studies kept beside the players' nets, so that none is written by hand.
"""

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from engine.games import GAMES
from engine.games.house import walled
from engine.players.known import read_option, setting_of, spelt, varied
from engine.players.net import WEIGHTS
from engine.players.nets import file_name
from engine.players.studied import (
    BROKEN_OFF,
    GREEDY,
    NET,
    RANDOM,
    USUAL,
    Kept,
    Mean,
    Meeting,
    Quantile,
    Share,
    Study,
    read,
)
from engine.position import Side
from engine.rules import Game, Sides
from render.chart import Chart, Mark, Row, Scale, draw_chart
from render.scene import View

Value = TypeVar("Value")

DOCS = Path(__file__).parents[1] / "docs"

INTRODUCTION = """\
# What the games are like

How long a game of Emperador lasts, whether it helps to throw first, how often a barata comes about: nobody could say,
for nobody has played enough games with a pencil in hand. Here Tabula's computer player has played them against itself.
The page is meant to be cited: figures stand with the number of games behind them, the main ones with a 95 % confidence
interval. `make studies` plays more games, adds them, and writes the page anew.

## How it was counted

Each game was played by its own player on both sides, without looking ahead: of all plays of a throw it makes the one
after which it stands best by the judgement of its net, which has learnt from games against itself, and often also from
what it sees one throw further. (In the channel this is the companion; [players.md](players.md) says how strong these
players are, and what the master gains by looking one throw further.) Some options have nets of their own, where the
game's does not fit or plays them badly. *Greedy* counts pips, blots in danger and points that bar the way; it plays
where a game has no net that fits. *Random* draws evenly from the plays of each throw. How much is skill shows in how
often the net beats greedy, by the usual rules and with every option that it plays, and in how often greedy beats
random plays. Nobody resigns.

*Throws* are counted for both sides together; a turn in which a side could not have moved whatever it threw does not
count as a throw. Of lengths the median is given (half of all games are no longer), and the range of the middle nine
games in ten. *Wins* are shares of those games that somebody has won. A game of more than 1,500 turns is broken off.
Intervals, in brackets or after ±, hold in nineteen cases of twenty what ever more games of the same players would tend
to: Wilson's for shares, by order statistics for medians, the normal one for means.

The dice are pseudo-random; seeds, nets and all counts stand in `engine/players/studies`, so that every game can be
played again. The compiled machine that plays is held to the rules by tests, and so is what it counts: matches follow
its games event by event. Where a figure bears on the reading of a source, this stands with what we decided in that
game ([games.md](games.md)).

## What these figures do not say

They tell of games between these players, not of the games as such. People err in other ways, and where
[players.md](players.md) finds a net hardly better than greedy, a better one may well change more than the last digit;
a narrow interval says nothing about this. So each section also says how it goes when greedy plays itself, and when
every play is drawn at random: what holds for all three is likely a trait of the rules. Options were studied one at a
time, and mostly by players that have learnt the usual rules."""

ENDINGS = {
    "off": "all men borne off",
    "goal": "all men in the last table",
    "full": "more points of the full table",
    "even": "a tie, three points each",
    "ad-fallum": "ad fallum",
    "stuck": "a draw, since nobody could ever move again",
    "tie": "a tie, since neither side could enter its men",
    "barata": "a barata, four men hit from behind six points",
    "barata-at-once": "a barata, six points in a row",
    "jan": "a jan",
    "lympolded": "lympolded",
    "lurched": "lurched",
    "lympolded-for-ever": "lympolded for ever",
    "fifteen": "fifteen on the last point",
    "seven-five-three": "seven, five and three",
    "three-fives": "three fives",
    "five-threes": "five threes",
    BROKEN_OFF: "broken off",
}
"""How a game has ended, in words."""

SPECIAL: Mapping[str, tuple[str, ...]] = {
    "twelve-dogs": ("even",),
    "emperador": ("barata", "tie"),
    "medio-emperador": ("tie",),
    "fallas": ("ad-fallum",),
    "verquere": ("jan",),
    "swedish-tables": ("jan", "fifteen", "seven-five-three", "three-fives", "five-threes"),
}
"""Endings by the usual rules that are told of even where no game has ended so."""

WORTHS = {2: "a gammon", 3: "a backgammon"}

COMMON = 0.01
"""What happens in a smaller share of the games is told in games."""

PICTURES = ("studies-length.png", "studies-first.png", "studies-skill.png")

AGAINST_GREEDY = "the game's player wins against greedy (1,000 games), %"

COLUMNS = (
    "game",
    "games",
    "throws, median",
    "nine games in ten",
    "wins of who begins, %",
    "men hit a game",
    "throws of which nothing could be played, %",
    "no winner, %",
    AGAINST_GREEDY,
)

OPTION_COLUMNS = (
    "option",
    "player",
    "games",
    "throws (nine games in ten)",
    "wins of who begins, %",
    "men hit a game",
    AGAINST_GREEDY,
    "ends",
)


def page() -> str:
    """Return the page."""
    return "\n".join(_lines(_kept())) + "\n"


def _kept() -> dict[str, dict[str, Kept]]:
    """Read the studies of every game that has been studied."""
    return {slug: studies for slug in GAMES if USUAL in (studies := read(slug))}


def _lines(kept: Mapping[str, Mapping[str, Kept]]) -> Iterator[str]:
    yield INTRODUCTION
    played = sum(each.games for studies in kept.values() for each in studies.values())
    yield f"\n## All games\n\n{played:,} games in all."
    yield f"\n![How long the games last](pictures/{PICTURES[0]})"
    yield f"\n![Whether it helps to begin](pictures/{PICTURES[1]})"
    yield f"\n![How much is skill](pictures/{PICTURES[2]})\n"
    yield from _table(COLUMNS, (_overview(GAMES[slug], studies) for slug, studies in kept.items()))
    for slug, studies in kept.items():
        yield f"\n## {GAMES[slug].title}\n"
        yield from (f"- {line}" for line in _game(GAMES[slug], studies))
        options = [name for name in studies if "=" in name and ":" not in name]
        if options:
            yield ""
            yield from _table(OPTION_COLUMNS, (_option(GAMES[slug], name, studies) for name in options))
        yield from _idle(GAMES[slug])


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    columns = tuple(head)
    yield from (f"| {' | '.join(line)} |" for line in (columns, ["---"] * len(columns), *rows))


def _overview(game: Game, studies: Mapping[str, Kept]) -> list[str]:
    study = _study(studies, USUAL)
    return [
        f"[{game.title}](#{_anchor(game.title)})",
        f"{study.games:,}",
        str(study.length(0.5).value),
        _nine_in_ten(study),
        _percent(study.began),
        _mean(study.mean("hits")),
        f"{100 * study.sums['idle'].total / study.throws:.1f}",
        f"{100 * study.ended(BROKEN_OFF, *_drawn(study)).value:.1f}",
        _won(studies.get(f"{NET}:{GREEDY}")),
    ]


def _won(met: Kept | None) -> str:
    """The share of games that the first of two has won; a dash where they have not met."""
    return _percent(met.share) if isinstance(met, Meeting) else "-"


def _study(studies: Mapping[str, Kept], name: str) -> Study:
    found = studies[name]
    assert isinstance(found, Study)
    return found


def _drawn(study: Study) -> list[str]:
    return [end.how for end in study.ends if not end.decided]


def _anchor(title: str) -> str:
    """Return the fragment under which a heading is found on a page that shows Markdown."""
    return "".join(each for each in title.lower().replace(" ", "-") if each.isalnum() or each == "-")


def _game(game: Game, studies: Mapping[str, Kept]) -> Iterator[str]:
    study = _study(studies, USUAL)
    yield f"{study.games:,} games by {_player(study.by)}; seeds {_seeds(study.runs)}."
    yield f"A game takes {_length(study.length(0.5))} throws; nine in ten take {_nine_in_ten(study)}."
    yield f"The side that begins wins {_sure(study.began)}{_by_side(game, study)}."
    yield from _hits(study)
    yield _choices(study)
    yield from _plights(game, study)
    yield from _ends(game, study)
    yield from _skill(studies)
    yield from _others(studies)


def _player(by: str) -> str:
    return f"its {by}" if by.startswith("net ") else by


def _seeds(runs: Iterable[tuple[int, int]]) -> str:
    return ", ".join(str(seed) for seed, _ in runs)


def _length(quantile: Quantile) -> str:
    if quantile.low == quantile.high:
        return str(quantile.value)
    return f"{quantile.value} ({quantile.low}-{quantile.high})"


def _nine_in_ten(study: Study) -> str:
    return f"{study.length(0.05).value} to {study.length(0.95).value}"


def _percent(share: Share) -> str:
    """A share with half the width of its interval."""
    if not share.whole:
        return "-"
    low, high = share.interval
    return f"{100 * share.value:.1f} ± {50 * (high - low):.1f}"


def _sure(share: Share) -> str:
    """A share and the ends of its interval."""
    if not share.whole:
        return "no game, for none was won"
    low, high = share.interval
    return f"{100 * share.value:.1f} % ({100 * low:.1f}-{100 * high:.1f})"


def _rarely(share: Share) -> str:
    """The same of something that may never have happened."""
    if not share.part:
        return f"none of {share.whole:,} games (95 % sure: in fewer than {100 * share.interval[1]:.2f} %)"
    if share.value < COMMON:
        return _counted(share)
    if _all_but_few(share):
        return _counted(share)
    low, high = share.interval
    return f"{100 * share.value:.1f} % of the games ({100 * low:.1f}-{100 * high:.1f})"


def _how_often(share: Share) -> str:
    if share.value < COMMON:
        return _counted(share)
    return f"{100 * share.value:.{2 if _all_but_few(share) else 1}f} %"


def _all_but_few(share: Share) -> bool:
    return 1 - COMMON < share.value < 1


def _counted(share: Share) -> str:
    if _all_but_few(share):
        return f"all but {share.whole - share.part:,} of {share.whole:,} games"
    return f"{share.part:,} of {share.whole:,} games"


def _mean(mean: Mean) -> str:
    """A mean and its error, to the first digit of the error."""
    if not mean.value:
        return "0"
    digits = max(1, -math.floor(math.log10(mean.within))) if mean.within else 1
    return f"{mean.value:.{digits}f} ± {mean.within:.{digits}f}"


def _by_side(game: Game, study: Study) -> str:
    match game.rules.battle.sides:
        case Sides.KEPT:
            return ""
        case _ if game.rules.battle.begins or game.rules.battle.sides is Sides.GOLD:
            return f"; that is {game.rules.battle.begins or Side.GOLD} always"
    gold, black = (_sure(study.won_beginning(side)) for side in Side)
    return f": {gold} as gold and {black} as black. Gold wins {_sure(study.won_by(Side.GOLD))}, whoever begins"


def _hits(study: Study) -> Iterator[str]:
    if not study.sums["hits"].total:
        yield "Nobody is ever hit."
        return
    without = Share(study.games - study.with_any("hits").part, study.games)
    never = f"nobody is hit in {_rarely(without)}" if without.part else "there was no game without a hit"
    yield (f"{_mean(study.mean('hits'))} men are hit a game, and {_mean(study.mean('entered'))} enter again; {never}.")


def _choices(study: Study) -> str:
    told = [
        f"{100 * study.sums['choices'].total / study.throws:.0f} % of the throws leave a choice",
        f"of {100 * study.sums['idle'].total / study.throws:.1f} % nothing can be played",
    ]
    if study.sums["offers"].total:
        told.append(
            f"{_mean(study.mean('offers'))} times a game the other side may use what is left, and does "
            f"{_mean(study.mean('used'))} times"
        )
    return f"{'; '.join(told)}."


def _plights(game: Game, study: Study) -> Iterator[str]:
    if any(walled(game.rules, game.rules.start, side) for side in Side):
        walls = _mean(study.mean("walls"))
        yield f"The men are set out with six points in a row held; a game has {walls} turns that begin so."
    elif study.sums["walls"].total:
        yield (
            "Six points in a row are held before men of the other side in "
            f"{_rarely(study.with_any('walls'))}; a game has {_mean(study.mean('walls'))} turns that begin so."
        )
    if study.sums["passed"].total:
        yield (
            f"In {_rarely(study.with_any('passed'))} a side cannot move whatever it throws; "
            f"{_mean(study.mean('passed'))} turns a game are lost to this."
        )
    if study.sums["lympolded"].total:
        yield (
            f"A side is lympolded in {_rarely(study.with_any('lympolded'))}; {_mean(study.mean('lympolded'))} turns a "
            f"game are lost to this. A side is lurched in {_rarely(study.with_any('lurched'))}."
        )


def _ends(game: Game, study: Study) -> Iterator[str]:
    ways = study.ways
    special = [how for how in SPECIAL.get(game.slug, ()) if how not in ways]
    if len(ways) > 1 or special:
        told = [f"{ENDINGS[how]} in {_rarely(share)}" for how, share in ways.items()]
        told += [f"{ENDINGS[how]} in {_rarely(study.ended(how))}" for how in special]
        yield f"Ends: {'; '.join(told)}."
    if game.slug == "backgammon":
        counted = [f"{what} in {_sure(study.counting(points))}" for points, what in WORTHS.items()]
        yield f"The winner has {' and '.join(counted)}."
    if game.slug.startswith("paume-carie"):
        slaps = sum(end.points * count for end, count in study.ends.items()) / study.games
        yield f"The losers are owed {slaps:.1f} slaps on the palm a game."


def _skill(studies: Mapping[str, Kept]) -> Iterator[str]:
    meetings = {
        "net:greedy": "its net wins {share} against greedy",
        "net:random": "its net wins {share} against random plays",
        "greedy:random": "greedy wins {share} against random plays",
    }
    told = []
    for name, text in meetings.items():
        met = studies.get(name)
        if isinstance(met, Meeting):
            told.append(f"{text.format(share=_sure(met.share))} in {met.games:,} games")
    if told:
        yield f"Skill: {'; '.join(told)}."


def _others(studies: Mapping[str, Kept]) -> Iterator[str]:
    told = []
    for name, what in ((GREEDY, "greedy against itself:"), (RANDOM, "at random:")):
        other = studies.get(name)
        if isinstance(other, Study):
            off = other.ended(BROKEN_OFF)
            broken = f", {100 * off.value:.0f} % of the games broken off" if off.part else ""
            told.append(
                f"{what} {_length(other.length(0.5))} throws, the side that begins wins {_sure(other.began)}"
                f"{broken} ({other.games:,} games)"
            )
    if told:
        yield f"For comparison: {'; '.join(told)}."


def _option(game: Game, name: str, studies: Mapping[str, Kept]) -> list[str]:
    kept = _study(studies, name)
    ends = [f"{ENDINGS[how]} {_how_often(share)}" for how, share in kept.ways.items()]
    return [
        f"`{name}`",
        _who(game, name, kept.by),
        f"{kept.games:,}",
        f"{_length(kept.length(0.5))}; {_nine_in_ten(kept)}",
        _percent(kept.began),
        _mean(kept.mean("hits")),
        _won(studies.get(f"{name}:{GREEDY}")),
        "; ".join(ends),
    ]


def _idle(game: Game) -> Iterator[str]:
    """Tell of values of options that were not studied."""
    studied = list(varied(game))
    for option in game.options:
        every = ({option.name: value.name} for value in option.values[1:])
        left_out = () if option.starter_chooses else (spelt(each) for each in every if each not in studied)
        yield from (f"\n`{each}` makes no difference unless another option is chosen too." for each in left_out)


def _who(game: Game, choice: str, by: str) -> str:
    """Tell who has played with an option, in a word or two."""
    if not by.startswith("net "):
        return by
    options = read_option(choice)
    if (WEIGHTS / file_name(game, options)).exists():
        return "its own net"
    other, _ = setting_of(game.rules_with(options))
    return "net" if other is game else f"{other.title}'s net"


def pictures() -> dict[str, bytes]:
    """Draw the page's pictures, by their names."""
    kept = _kept()
    usual = {slug: _study(studies, USUAL) for slug, studies in kept.items()}
    charts = (_lengths(usual), _first(usual), _better(kept))
    return {name: draw_chart(chart, View()) for name, chart in zip(PICTURES, charts, strict=True)}


def _lengths(usual: Mapping[str, Study]) -> Chart:
    ranges = {slug: [study.length(share).value for share in (0.05, 0.5, 0.95)] for slug, study in usual.items()}
    rows = tuple(
        Row(GAMES[slug].title, (Mark(low, middle, high),), str(middle))
        for slug, (low, middle, high) in _sorted(ranges, lambda each: each[1])
    )
    return Chart(
        "How long the games last",
        "Throws of both sides: the median, and the middle nine games in ten",
        rows,
        (5, 10, 20, 50, 100, 200, 500),
        scale=Scale.LOGARITHMIC,
    )


def _first(usual: Mapping[str, Study]) -> Chart:
    rows = tuple(
        Row(GAMES[slug].title, (_in_percent(share),), f"{100 * share.value:.1f}")
        for slug, share in _sorted({slug: study.began for slug, study in usual.items()}, lambda share: share.value)
    )
    return Chart(
        "Whether it helps to begin",
        "Won by the side that begins, of 100 games that somebody wins; 95 % interval",
        rows,
        (40, 50, 60, 70, 80, 90),
        level=50,
    )


def _better(kept: Mapping[str, Mapping[str, Kept]]) -> Chart:
    met = {slug: [studies.get(name) for name in ("net:greedy", "greedy:random")] for slug, studies in kept.items()}
    shares = {slug: [each.share if isinstance(each, Meeting) else None for each in both] for slug, both in met.items()}
    rows = tuple(
        Row(GAMES[slug].title, tuple(share and _in_percent(share) for share in both), _best(both))
        for slug, both in _sorted(shares, lambda both: both[0].value if both[0] else 0)
    )
    return Chart(
        "How much is skill",
        "Won by the first named, of 100 games that somebody wins; 95 % interval",
        rows,
        (40, 50, 60, 70, 80, 90, 100),
        ("net against greedy", "greedy against random plays"),
        level=50,
    )


def _best(shares: Iterable[Share | None]) -> str:
    first = next(iter(shares))
    return f"{100 * first.value:.1f}" if first else "-"


def _in_percent(share: Share) -> Mark:
    low, high = share.interval
    return Mark(100 * low, 100 * share.value, 100 * high)


def _sorted(values: Mapping[str, Value], key: Callable[[Value], float]) -> list[tuple[str, Value]]:
    """Sort the games by what is known of them, the highest first."""
    return sorted(values.items(), key=lambda each: key(each[1]), reverse=True)


def write(folder: Path) -> None:
    """Write the page and its pictures."""
    (folder / "studies.md").write_text(page(), "utf-8")
    for name, picture in pictures().items():
        (folder / "pictures" / name).write_bytes(picture)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS)
