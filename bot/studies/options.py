"""A game's options on the page: a row for each value, played by itself."""

from collections.abc import Iterator, Mapping

from bot.studies.figures import how_often, length, mean, nine_in_ten, percent, won
from bot.studies.kept import study_of
from bot.studies.section import ENDINGS
from engine.players.files import WEIGHTS, file_name
from engine.players.known import read_option, setting_of, spelt, varied
from engine.players.studied import GREEDY, Kept
from engine.rules import Game

AGAINST_GREEDY = "the game's player wins against greedy (1,000 games), %"

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


def option_row(game: Game, name: str, studies: Mapping[str, Kept]) -> list[str]:
    """Return the row of a value of an option: the content of each column."""
    kept = study_of(studies, name)
    ends = [f"{ENDINGS[how]} {how_often(share)}" for how, share in kept.ways.items()]
    return [
        f"`{name}`",
        _who(game, name, kept.by),
        f"{kept.games:,}",
        f"{length(kept.length(0.5))}; {nine_in_ten(kept)}",
        percent(kept.began),
        mean(kept.mean("hits")),
        won(studies.get(f"{name}:{GREEDY}")),
        "; ".join(ends),
    ]


def left_out(game: Game, studies: Mapping[str, Kept]) -> Iterator[str]:
    """Yield a line for each value of an option that was not studied."""
    played = list(varied(game))
    for option in game.options:
        if option.starter_chooses:
            continue
        for value in option.values[1:]:
            name = spelt({option.name: value.name})
            if {option.name: value.name} not in played:
                yield f"\n`{name}` makes no difference unless another option is chosen too."
            elif name not in studies:
                yield f"\n`{name}` has not been studied yet."


def _who(game: Game, choice: str, by: str) -> str:
    """Return who has played with an option, in a word or two."""
    if not by.startswith("net "):
        return by
    options = read_option(choice)
    if (WEIGHTS / file_name(game, options)).exists():
        return "its own net"
    other, _ = setting_of(game.rules_with(options))
    return "net" if other is game else f"{other.title}'s net"
