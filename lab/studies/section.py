"""One game on the page, played by its usual rules: a line for each trait."""

from collections.abc import Iterable, Iterator, Mapping

from engine.games.house_rules import has_prime
from engine.position import Side
from engine.rules import Game, SideAssignment
from lab.command_line import name_commit
from lab.studies.figures import (
    format_interval,
    format_length,
    format_mean,
    format_middle_range,
    format_rare_share,
    format_throw_share,
)
from lab.studies.solved import find_solved_share
from lab.studies.study import (
    BROKEN_OFF,
    GREEDY,
    RANDOM,
    USUAL,
    AnyStudy,
    HeadToHead,
    Run,
    Share,
    Study,
)
from lab.studies.study_files import get_study

ENDINGS = {
    "off": "all men borne off",
    "goal": "all men in the last table",
    "full": "more points of the full table",
    "even": "a draw, three points each",
    "ad-fallum": "ad fallum",
    "stuck": "a draw, since nobody could ever move again",
    "tie": "a draw, since neither side could enter its men",
    "barata": "a barata, four men hit while holding six points",
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

WIN_NAMES = {2: "a gammon", 3: "a backgammon"}


def describe_game(game: Game, studies: Mapping[str, AnyStudy]) -> Iterator[str]:
    """Yield the lines about a game."""
    study = get_study(studies, USUAL)
    yield (
        f"{study.games:,} games by {_format_player(study.by)}; seeds {format_seeds(study.runs)}; "
        f"{_format_origins(study.runs)}."
    )
    length = format_length(study.length_quantile(0.5))
    yield f"A game takes {length} throws; nine in ten take {format_middle_range(study)}."
    share = format_interval(study.starter_share)
    yield f"The side that begins wins {share}{_describe_sides(game, study)}."
    solved = find_solved_share(game.slug, USUAL)
    if solved is not None:
        yield (
            f"With best play by both sides it wins {100 * solved:.2f}%, as far as somebody wins "
            "([solved.md](solved.md))."
        )
    yield from _describe_hits(study)
    yield _describe_choices(study)
    yield from _describe_blocks(game, study)
    yield from _describe_endings(game, study)
    yield from _describe_skill(studies)
    yield from _describe_other_players(studies)


def _format_player(by: str) -> str:
    return f"its {by}" if by.startswith("net ") else by


def format_seeds(runs: Iterable[Run]) -> str:
    """The seeds of the dice, in the order of the runs."""
    return ", ".join(str(run.seed) for run in runs)


def _format_origins(runs: Iterable[Run]) -> str:
    # Several runs may have come with one commit.
    return ", ".join(dict.fromkeys(map(_format_origin, runs)))


def _format_origin(run: Run) -> str:
    verb, commit = ("stored with", run.stored) if run.stored else ("played by", run.commit)
    named = f"commit `{commit}`" if commit else name_commit("")
    again = f", and the same by commit `{run.repeated}`" if run.repeated else ""
    return f"{verb} {named} ({run.day}){again}"


def _describe_sides(game: Game, study: Study) -> str:
    battle = game.rules.battle
    if battle.sides is SideAssignment.KEPT:
        return ""
    if battle.first_side:
        return f"; that is {battle.first_side} always"
    gold, black = (format_interval(study.starting_win_share(side)) for side in Side)
    wins = format_interval(study.win_share(Side.GOLD))
    return f": {gold} as gold and {black} as black. Gold wins {wins}, whoever begins"


def _describe_hits(study: Study) -> Iterator[str]:
    if not study.sums["hits"].total:
        yield "Nobody is ever hit."
        return
    without = Share(study.games - study.occurrence_share("hits").part, study.games)
    never = (
        f"nobody is hit in {format_rare_share(without)}"
        if without.part
        else "there was no game without a hit"
    )
    yield (
        f"{format_mean(study.mean_count('hits'))} men are hit a game, "
        f"and {format_mean(study.mean_count('entered'))} enter again; {never}."
    )


def _describe_choices(study: Study) -> str:
    texts = [
        f"{format_throw_share(study.throw_share('choices'))}% of the throws leave a choice",
        f"of {format_throw_share(study.throw_share('idle'))}% nothing can be played",
    ]
    if study.sums["offers"].total:
        texts.append(
            f"{format_mean(study.mean_count('offers'))} times a game the other side may use what "
            f"is left, and does {format_mean(study.mean_count('used'))} times"
        )
    return f"{'; '.join(texts)}."


def _describe_blocks(game: Game, study: Study) -> Iterator[str]:
    if any(has_prime(game.rules, game.rules.start_position, side) for side in Side):
        walls = format_mean(study.mean_count("walls"))
        yield (
            "The men are set out with six points in a row held; "
            f"a game has {walls} turns that begin so."
        )
    elif study.sums["walls"].total:
        yield (
            "Six points in a row are held before men of the other side in "
            f"{format_rare_share(study.occurrence_share('walls'))}; "
            f"a game has {format_mean(study.mean_count('walls'))} turns that begin so."
        )
    if study.sums["passed"].total:
        share = format_rare_share(study.occurrence_share("passed"))
        turns = format_mean(study.mean_count("passed"))
        lost = f"{turns} turns a game are lost to this."
        yield f"In {share} a side cannot move whatever it throws; {lost}"
    if study.sums["lympolded"].total:
        yield (
            f"A side is lympolded in {format_rare_share(study.occurrence_share('lympolded'))}; "
            f"{format_mean(study.mean_count('lympolded'))} turns a game are lost to this. "
            f"A side is lurched in {format_rare_share(study.occurrence_share('lurched'))}."
        )


def _describe_endings(game: Game, study: Study) -> Iterator[str]:
    ways = study.end_shares
    special = [how for how in SPECIAL.get(game.slug, ()) if how not in ways]
    if len(ways) > 1 or special:
        texts = [f"{ENDINGS[how]} in {format_rare_share(share)}" for how, share in ways.items()]
        texts += [f"{ENDINGS[how]} in {format_rare_share(study.end_share(how))}" for how in special]
        yield f"Ends: {'; '.join(texts)}."
    if game.slug == "backgammon":
        counted = [
            f"{what} in {format_interval(study.points_share(points))}"
            for points, what in WIN_NAMES.items()
        ]
        yield f"The winner has {' and '.join(counted)}."
    if game.slug.startswith("paume-carie"):
        slaps = format_mean(study.mean_points)
        yield f"The losers are owed {slaps} slaps on the palm a game."


def _describe_skill(studies: Mapping[str, AnyStudy]) -> Iterator[str]:
    meetings = {
        "net:greedy": "its net wins {share} against greedy",
        "net:random": "its net wins {share} against random plays",
        "greedy:random": "greedy wins {share} against random plays",
    }
    clauses = []
    for name, text in meetings.items():
        met = studies.get(name)
        if isinstance(met, HeadToHead):
            clauses.append(
                f"{text.format(share=format_interval(met.share))} in {met.games:,} games"
            )
    if clauses:
        yield f"Skill: {'; '.join(clauses)}."


def _describe_other_players(studies: Mapping[str, AnyStudy]) -> Iterator[str]:
    clauses = []
    for name, what in ((GREEDY, "greedy against itself:"), (RANDOM, "at random:")):
        other = studies.get(name)
        if isinstance(other, Study):
            off = other.end_share(BROKEN_OFF)
            broken = f", {100 * off.value:.0f}% of the games broken off" if off.part else ""
            clauses.append(
                f"{what} {format_length(other.length_quantile(0.5))} throws, "
                f"the side that begins wins {format_interval(other.starter_share)}"
                f"{broken} ({other.games:,} games)"
            )
    if clauses:
        yield f"For comparison: {'; '.join(clauses)}."
