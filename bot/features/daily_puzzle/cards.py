"""The message of the puzzle of the day."""

from dataclasses import replace

from bot.features.daily_puzzle import texts as words
from bot.features.daily_puzzle.service import DailyPost
from bot.features.puzzles.cards import public_puzzle_card
from bot.features.puzzles.texts import format_origin
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Listing
from engine.players.puzzles import Puzzle


def daily_puzzle_card(say: Reader, daily: DailyPost, last_link: str | None) -> Card:
    """Return the puzzle of the day for everyone, with the solution of the last one.

    `last_link` leads to the last one's message.
    """
    card = public_puzzle_card(say, daily.puzzle)
    solution = words.format_solution(say, daily.last, last_link) if daily.last else ""
    below = (solution, words.format_streaks(say, daily.streaks))
    return replace(
        card,
        texts=_replace_heading(say, card, daily.puzzle),
        below=tuple(filter(None, below)),
        small=words.format_post_small_print(say, format_origin(say, daily.puzzle), daily.next_post),
    )


def past_puzzle_card(say: Reader, puzzle: Puzzle, next_link: str) -> Card:
    """Return the message of a puzzle that is over; `next_link` leads to its solution."""
    card = public_puzzle_card(say, puzzle)
    assert card.picture is not None
    return replace(
        card,
        texts=_replace_heading(say, card, puzzle),
        # The message keeps the picture that it has.
        picture=replace(card.picture, shows=None),
        below=(words.format_closed(say, next_link),),
        controls=(),
    )


def _replace_heading(say: Reader, card: Card, puzzle: Puzzle) -> tuple[str | Listing, ...]:
    return (words.format_post_heading(say, puzzle), *card.texts[1:])
