"""A game's options on the page: a row for each value, played by itself."""

from collections.abc import Iterator, Mapping

from engine.players.files import WEIGHTS, file_name
from engine.players.variants import format_options, identify_setting, iter_variants, parse_option
from engine.rules import Game
from lab.studies.figures import (
    format_frequency,
    format_length,
    format_mean,
    format_middle_range,
    format_percent,
    format_wins,
)
from lab.studies.section import ENDINGS, format_seeds
from lab.studies.solved import find_solved_share
from lab.studies.study import GREEDY, AnyStudy, Study
from lab.studies.study_files import get_study

AGAINST_GREEDY = "the game's player wins against greedy (1,000 games), %"

OPTION_COLUMNS = (
    "option",
    "player",
    "games",
    "seeds",
    "throws (nine games in ten)",
    "wins of who begins, %",
    "men hit a game",
    AGAINST_GREEDY,
    "ends",
)


def build_option_row(game: Game, name: str, studies: Mapping[str, AnyStudy]) -> list[str]:
    """Return the row of a value of an option: the content of each column."""
    study = get_study(studies, name)
    ends = [f"{ENDINGS[how]} {format_frequency(share)}" for how, share in study.end_shares.items()]
    return [
        f"`{name}`",
        _describe_player(game, name, study.by),
        f"{study.games:,}",
        format_seeds(study.runs),
        f"{format_length(study.length_quantile(0.5))}; {format_middle_range(study)}",
        _format_starter_wins(game, name, study),
        format_mean(study.mean_count("hits")),
        format_wins(studies.get(f"{name}:{GREEDY}")),
        "; ".join(ends),
    ]


def _format_starter_wins(game: Game, name: str, study: Study) -> str:
    counted = format_percent(study.starter_share)
    solved = find_solved_share(game.slug, name)
    return counted if solved is None else f"{counted}; solved: {100 * solved:.2f}"


def describe_unstudied(game: Game, studies: Mapping[str, AnyStudy]) -> Iterator[str]:
    """Yield a line for each value of an option that was not studied."""
    played = list(iter_variants(game))
    for option in game.options:
        if option.starter_chooses:
            continue
        # The first value is the usual one.
        for value in option.values[1:]:
            name = format_options({option.name: value.name})
            if {option.name: value.name} not in played:
                yield f"\n`{name}` makes no difference unless another option is chosen too."
            elif name not in studies:
                yield f"\n`{name}` has not been studied yet."


def _describe_player(game: Game, choice: str, by: str) -> str:
    """Return who has played with an option, in a word or two."""
    if not by.startswith("net "):
        return by
    options = parse_option(choice)
    if (WEIGHTS / file_name(game, options)).exists():
        return "its own net"
    other, _ = identify_setting(game.resolve_rules(options))
    return "net" if other is game else f"{other.title}'s net"
