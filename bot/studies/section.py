"""One game on the page, played by its usual rules: a line for each trait."""

from collections.abc import Iterable, Iterator, Mapping

from bot.studies.figures import length, mean, nine_in_ten, rarely, sure
from bot.studies.kept import study_of
from engine.games.house import walled
from engine.players.studied import BROKEN_OFF, GREEDY, RANDOM, USUAL, Kept, Meeting, Share, Study
from engine.position import Side
from engine.rules import Game, Sides

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
    "both-caught": "a draw, both sides caught at once",
    "barata-no-entry": "a barata, no point to enter on",
    "all-six": "all six points held",
    "not-all-six": "a draw, neither side with all six points",
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
"""Endings by the usual rules that are listed even if no game has ended so."""

WORTHS = {2: "a gammon", 3: "a backgammon"}


def section(game: Game, studies: Mapping[str, Kept]) -> Iterator[str]:
    """Yield the lines about a game."""
    study = study_of(studies, USUAL)
    yield f"{study.games:,} games by {_player(study.by)}; seeds {_seeds(study.runs)}."
    yield f"A game takes {length(study.length(0.5))} throws; nine in ten take {nine_in_ten(study)}."
    yield f"The side that begins wins {sure(study.began)}{_by_side(game, study)}."
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


def _by_side(game: Game, study: Study) -> str:
    battle = game.rules.battle
    if battle.sides is Sides.KEPT:
        return ""
    if battle.first:
        return f"; that is {battle.first} always"
    gold, black = (sure(study.won_beginning(side)) for side in Side)
    wins = sure(study.won_by(Side.GOLD))
    return f": {gold} as gold and {black} as black. Gold wins {wins}, whoever begins"


def _hits(study: Study) -> Iterator[str]:
    if not study.sums["hits"].total:
        yield "Nobody is ever hit."
        return
    without = Share(study.games - study.with_any("hits").part, study.games)
    never = (
        f"nobody is hit in {rarely(without)}" if without.part else "there was no game without a hit"
    )
    yield (
        f"{mean(study.mean('hits'))} men are hit a game, "
        f"and {mean(study.mean('entered'))} enter again; {never}."
    )


def _choices(study: Study) -> str:
    told = [
        f"{100 * study.sums['choices'].total / study.throws:.0f} % of the throws leave a choice",
        f"of {100 * study.sums['idle'].total / study.throws:.1f} % nothing can be played",
    ]
    if study.sums["offers"].total:
        told.append(
            f"{mean(study.mean('offers'))} times a game the other side may use what is left, "
            f"and does {mean(study.mean('used'))} times"
        )
    return f"{'; '.join(told)}."


def _plights(game: Game, study: Study) -> Iterator[str]:
    if any(walled(game.rules, game.rules.start, side) for side in Side):
        walls = mean(study.mean("walls"))
        yield (
            "The men are set out with six points in a row held; "
            f"a game has {walls} turns that begin so."
        )
    elif study.sums["walls"].total:
        yield (
            "Six points in a row are held before men of the other side in "
            f"{rarely(study.with_any('walls'))}; "
            f"a game has {mean(study.mean('walls'))} turns that begin so."
        )
    if study.sums["passed"].total:
        yield (
            f"In {rarely(study.with_any('passed'))} a side cannot move whatever it throws; "
            f"{mean(study.mean('passed'))} turns a game are lost to this."
        )
    if study.sums["lympolded"].total:
        yield (
            f"A side is lympolded in {rarely(study.with_any('lympolded'))}; "
            f"{mean(study.mean('lympolded'))} turns a game are lost to this. "
            f"A side is lurched in {rarely(study.with_any('lurched'))}."
        )


def _ends(game: Game, study: Study) -> Iterator[str]:
    ways = study.ways
    special = [how for how in SPECIAL.get(game.slug, ()) if how not in ways]
    if len(ways) > 1 or special:
        told = [f"{ENDINGS[how]} in {rarely(share)}" for how, share in ways.items()]
        told += [f"{ENDINGS[how]} in {rarely(study.ended(how))}" for how in special]
        yield f"Ends: {'; '.join(told)}."
    if game.slug == "backgammon":
        counted = [f"{what} in {sure(study.counting(points))}" for points, what in WORTHS.items()]
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
            told.append(f"{text.format(share=sure(met.share))} in {met.games:,} games")
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
                f"{what} {length(other.length(0.5))} throws, "
                f"the side that begins wins {sure(other.began)}"
                f"{broken} ({other.games:,} games)"
            )
    if told:
        yield f"For comparison: {'; '.join(told)}."
