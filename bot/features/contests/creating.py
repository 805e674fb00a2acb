"""Opening a contest by a command: reading its terms, and telling that it is open."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.features.challenges.interactions import make_match_request
from bot.features.challenges.terms import choose_pace, is_rated, parse_options
from bot.features.contests import texts as words
from bot.features.contests.presses import require_organiser
from bot.features.contests.rows import ContestSettings
from bot.features.contests.service import ContestTerms, load_contest, organise_contest
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.card import text_only_card
from bot.platform.ui.places import require_permissions
from engine.folding import fold_text
from engine.games import GAMES, find_game
from engine.rules import Family, Game

LONGEST_GAMES = 200
"""Characters of the names of several games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestWishes(ContestSettings):
    """The terms of a contest as an organiser types or chooses them.

    `games` are names with commas between them; that of a family, such as Rumwoldstow, stands for
    its games. `rated` is None where the server decides.
    """

    name: str = ""
    games: str = ""
    options: str = ""
    rated: bool | None = None
    pace: str = ""
    sign_up_days: int


async def build_terms(answer: InteractionAnswer, wishes: ContestWishes) -> ContestTerms:
    """Read the terms of a contest as an organiser wishes them.

    Raises Refusal for a name, option or pace that is not known, and DeclinedError unless whoever
    asks may organise events here, and the bot may post them.
    """
    require_organiser(answer.interaction)
    require_permissions(answer.interaction)
    wanted = list({game.slug: game for game in _find_games(wishes.games)}.values())
    return ContestTerms(
        name=wishes.name,
        games=wanted,
        options=parse_options(wanted[0], wishes.options),
        rated=await is_rated(answer.app, answer.guild, wished=wishes.rated),
        pace=await choose_pace(answer.app, answer.guild, wishes.pace),
        sign_up_days=wishes.sign_up_days,
        **wishes.get_settings(),
    )


def _find_games(typed: str) -> Iterator[Game]:
    names = [name.strip() for name in typed.split(",")]
    for name in filter(None, names) if any(names) else names:
        families = [family for family in Family if fold_text(name) == fold_text(family.name)]
        if families:
            yield from (game for game in GAMES.values() if game.family in families)
        else:
            yield find_game(name)


async def create_and_tell(answer: InteractionAnswer, wishes: ContestWishes) -> None:
    """Open a contest, and tell its organiser what they can do with it."""
    terms = await build_terms(answer, wishes)
    number = await organise_contest(answer.app, make_match_request(answer), terms)
    with log_answer_failures(answer.interaction):
        view = await load_contest(answer.app, number)
        await answer.send(text_only_card(words.format_created_reply(answer.reader, view.contest)))
