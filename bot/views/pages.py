"""The pages one reads: running matches, the leaderboard, a profile, help, and what one chose."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.app.profile import Profile
from bot.app.ratings import ALL_GAMES, EVERYWHERE, of_pool
from bot.app.sitting import Sitting
from bot.app.standings import Page
from bot.store import Challenge, RatingRow
from bot.views.card import CURVE, Card, Item, Listing, Picture
from bot.views.controls import (
    all_games_control,
    begin_rounds,
    computer_controls,
    first_game_controls,
    rank_controls,
    round_controls,
    withdrawal_menu,
)
from bot.views.turn import board_card, noted
from bot.words import clock, common
from bot.words import pages as words
from bot.words.reach import how_to_bring
from bot.words.reader import Reader
from engine.games import GAMES
from render.curve import Curve, describe_curve


class Open(NamedTuple):
    """An open challenge, and the way to its message where it has one."""

    challenge: Challenge
    link: str | None


def games_card(
    say: Reader,
    sittings: Sequence[Sitting],
    person: int,
    links: Mapping[int, str],
    memos: Mapping[int, str],
    challenges: Sequence[Open] = (),
) -> Card:
    """Return a person's running matches, those that wait for them first, and their open challenges.

    `links` lead to the message of each match that can be shown, `memos` are what the person
    noted about some.
    """
    asked = _open_challenges(say, challenges, person)
    withdrawing = withdrawal_menu(say, [each.challenge for each in challenges], person)
    if not sittings:
        none = say("You have no match in progress. Start one with `/play` or `/challenge`.")
        return Card(texts=(none, *asked), controls=withdrawing)
    waiting = sorted(sittings, key=lambda sitting: (sitting.to_act != person, sitting.id))
    lines = [
        words.running(say, each, person, links.get(each.id), memos.get(each.id, ""))
        for each in waiting
    ]

    def more(n: int) -> str:
        return say.many("{n} more match is in progress.", "{n} more matches are in progress.", n)

    controls = begin_rounds(say) if waiting[0].to_act == person else ()
    return Card(
        texts=(say("### Your matches"), Listing(tuple(lines), more), *asked),
        controls=(*controls, *withdrawing),
    )


def _open_challenges(
    say: Reader, challenges: Sequence[Open], person: int
) -> tuple[str | Listing, ...]:
    if not challenges:
        return ()
    lines = [words.open_challenge(say, each.challenge, person, each.link) for each in challenges]
    return (
        say("### Your open challenges"),
        Listing(tuple(lines), lambda n: common.more(say, n)),
    )


def waiting_card(
    say: Reader, waiting: Sequence[Sitting], at: int, link: str | None, memo: str
) -> Card:
    """Return one of the matches that wait for somebody.

    It leads to the match, to the one before and to the next.
    """
    sitting = waiting[at]
    first = clock.left(say, sitting) if link else how_to_bring(say, sitting)
    small = filter(None, (first, words.which_of_waiting(say, at + 1, len(waiting))))
    return replace(
        noted(say, board_card(say, sitting), memo),
        controls=round_controls(say, sitting, link),
        small="\n".join(small),
    )


def standings_card(
    say: Reader, page: Page, names: Mapping[int, str], scope: str, pool: str
) -> Card:
    """Return a leaderboard page.

    People with too few games are listed below without a rank, uncertain ratings with a `?`.
    """
    title = words.board_title(say, _pool(say, pool), scope)
    heading = f"### {title}"
    if not page.lines:
        return Card(texts=(heading, say("Nobody has finished a rated match yet.")))
    lines = [words.ranked(say, line, names.get(line.person)) for line in page.lines]
    if page.mine is not None and page.mine not in page.lines:
        lines += ["…", words.own_standing(say, page.mine)]
    return Card(
        texts=(heading, "\n".join(lines)),
        controls=rank_controls(say, scope, pool, page.number, page.pages),
        small=words.page_footer(say, page),
    )


def _pool(say: Reader, pool: str) -> str:
    name, level = of_pool(pool)
    games = say("all games") if name == ALL_GAMES else common.title(say, GAMES[name])
    if level is None:
        return games
    return say("{games} against Tabula ({level})", games=games, level=common.level_name(say, level))


def profile_card(say: Reader, profile: Profile, name: str) -> Card:
    """Return somebody's record game by game, and their ratings over time as a curve."""
    heading = words.profile_title(say, name, everywhere=profile.scope == EVERYWHERE)
    if not profile.records:
        return Card(texts=(heading, say("No rated match has been finished yet.")))
    lines = [_record(say, pool, row) for pool, row in profile.records]
    text = Listing(tuple(lines), lambda n: common.more(say, n), joined=True)
    if not profile.curve:
        return Card(texts=(heading, text))
    span = say.many("One rated match", "{n} rated matches", len(profile.curve))
    over = say("Rating, {game}", game=_pool(say, profile.pool))
    drawing = Curve(name, over, span, tuple(profile.curve))
    return Card(texts=(heading, text), picture=Picture(drawing, describe_curve(drawing), CURVE))


def _record(say: Reader, pool: str, row: RatingRow) -> str:
    pool = common.capital(_pool(say, pool))
    return f"**{pool}** {common.rating(say, row)} · {words.tally(say, row)}"


def help_card(say: Reader, *, in_server: bool) -> Card:
    """Return how to start; in a server with a first game one press away."""
    controls = first_game_controls(say) if in_server else (all_games_control(say),)
    return Card(
        texts=words.help_page(say, in_server=in_server),
        controls=controls,
        small=words.help_footer(say),
    )


def greeting_card(say: Reader) -> Card:
    """Return what stands first in the playground: what it is, and a first game in one press."""
    return Card(texts=words.greeting(say), controls=first_game_controls(say))


def nobody_waits_card(say: Reader) -> Card:
    """Return what somebody is offered who would play and finds nobody."""
    return Card(texts=words.nobody_waits(say), controls=computer_controls(say))


def choice_card(say: Reader, text: str, menus: Sequence[Item]) -> Card:
    """Return a question with the menus that answer it."""
    return Card(texts=(text,), controls=tuple(menus))
