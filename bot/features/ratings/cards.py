"""Cards of ratings: a leaderboard, a profile, why a rating changed, and the end of a match.

The leaderboard's have the buttons that turn its pages.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.features.matches.cards import END_SECTIONS, EndSection
from bot.features.matches.rows import RatingRow
from bot.features.matches.session import MatchSession
from bot.features.matches.texts import format_level
from bot.features.ratings import leaderboards, texts
from bot.features.ratings.service import ALL_GAMES, EVERYWHERE, Season, parse_pool_name
from bot.platform.context import App
from bot.platform.i18n import common
from bot.platform.i18n.common import Paging, format_course
from bot.platform.i18n.reader import Reader
from bot.platform.people import DiscordPerson
from bot.platform.ui.card import CURVE_FILE, Card, Item, Picture, list_lines, list_page
from bot.platform.ui.controls import build_button, build_choice_menu, build_page_buttons
from engine.games import GAMES
from render.curve import MIN_VALUES, Curve, describe_curve

RANKS = "ranks"
"""Turn a leaderboard's pages."""
CURVE = "ratingcurve"
"""Show the rating over time in another pool; the id names the scope and the person."""
LAST_CHANGE = "ratingchange"
"""Say why a rating changed; the id names the pool and the person."""


@END_SECTIONS.add(order=20)
async def load_rating_section(app: App, say: Reader, session: MatchSession) -> EndSection:
    """Return how a match has changed the ratings of its players."""
    changes = await leaderboards.load_changes(app, session.id)
    return EndSection(news=texts.format_rating_changes(say, session, changes))


def explanation_card(
    say: Reader, found: leaderboards.RatingExplanation, asker: int, link: str | None
) -> Card:
    """Return why a match changed somebody's rating; `link` leads to the match."""
    lines = (
        texts.format_explained_match(say, found, link),
        texts.format_win_chance(say, found),
        texts.format_explained_change(say, found.change),
        texts.format_season_so_far(say, found.season),
    )
    return Card(
        texts=(texts.format_explanation_heading(say, found, asker), "\n".join(filter(None, lines))),
        small=texts.format_explanation_footer(say, found),
    )


class Ranking(NamedTuple):
    """Which leaderboard a page is of: whose matches count, in which games, and in which season.

    Without a season it is that of all time; one that is over has a winner.
    """

    scope: str
    pool: str
    season: Season | None = None
    is_over: bool = False


def leaderboard_card(
    say: Reader, page: leaderboards.LeaderboardPage, names: Mapping[int, str], ranking: Ranking
) -> Card:
    """Return a leaderboard page.

    People with too few games are listed below without a rank, uncertain ratings with a `?`.
    """
    scope, pool, season, is_over = ranking
    title = texts.format_leaderboard_title(say, _format_pool(say, pool), scope, season)
    heading = f"### {title}"
    if not page.lines:
        return Card(
            texts=(heading, texts.format_empty_leaderboard(say, season)),
            small=texts.explain_scope(say, scope),
        )
    first = page.lines[0]
    if is_over and first.rank == 1:
        won = texts.format_season_winner(say, names.get(first.person))
        heading = f"{heading}\n{won}"
    lines = [
        texts.format_leaderboard_line(say, line, names.get(line.person)) for line in page.lines
    ]
    shown = [line.row for line in page.lines]
    # People find their own line without turning pages.
    if page.mine is not None and page.mine not in page.lines:
        lines += ["…", texts.format_own_line(say, page.mine)]
        shown.append(page.mine.row)
    footer = (
        texts.format_leaderboard_footer(say, page),
        texts.explain_question_mark(say, shown),
        texts.explain_scope(say, scope),
    )
    return Card(
        texts=(heading, list_page(say, lines, joined=True)),
        controls=leaderboard_controls(say, ranking, page.paging),
        small="\n".join(filter(None, footer)),
    )


def _format_pool(say: Reader, pool: str) -> str:
    name, level = parse_pool_name(pool)
    games = say("all games") if name == ALL_GAMES else common.format_title(say, GAMES[name])
    if level is None:
        return games
    return say(
        "{game}, against the computer ({level})",
        game=games,
        level=format_level(say, level),
    )


def profile_card(
    say: Reader, profile: leaderboards.Profile, who: DiscordPerson, sections: Sequence[str] = ()
) -> Card:
    """Return somebody's record game by game, and their ratings over time as a curve.

    `sections` are what other features say of them.
    """
    heading = texts.format_profile_heading(say, who.name, everywhere=profile.scope == EVERYWHERE)
    if not profile.records:
        none = say("No rated match has been finished yet.")
        return Card(texts=(heading, none, *sections))
    lines = [_format_record(say, pool, row) for pool, row in profile.records]
    card = Card(
        texts=(heading, list_lines(say, lines, joined=True), *sections),
        controls=tuple(_list_profile_controls(say, profile, who.id)),
        small=texts.explain_question_mark(say, (row for _, row in profile.records)),
    )
    # Somebody may have played rated matches, but none in the pool of the curve.
    if not profile.curve:
        return card
    played = _format_pool(say, profile.pool)
    if len(profile.curve) < MIN_VALUES:
        first = texts.format_first_rating(say, played, profile.curve[0])
        return replace(card, texts=(*card.texts, first))
    span = say.plural("One rated match", "{n} rated matches", len(profile.curve))
    over = say("Rating, {game}", game=played)
    drawing = Curve(
        who.name, over, span, tuple(profile.curve), course=format_course(say, profile.curve)
    )
    return replace(
        card,
        picture=Picture(drawing, describe_curve(drawing, common.translate_joints(say)), CURVE_FILE),
    )


def _list_profile_controls(
    say: Reader, profile: leaderboards.Profile, person: int
) -> Iterator[Item]:
    is_everywhere = profile.scope == EVERYWHERE
    pools = [pool for pool, _ in profile.records]
    if len(pools) > 1:
        scope = EVERYWHERE if is_everywhere else "server"
        entries = [(pool, common.capitalise_first(_format_pool(say, pool)), "") for pool in pools]
        # Translators: in a menu of games: shows how a rating has changed over time (noun).
        label = say("Rating over time")
        chosen = profile.pool if profile.pool in pools else ""
        yield build_choice_menu(f"{CURVE}:{scope}:{person}", entries, chosen, label)
    # The match of a change belongs to the server in which it was played.
    if not is_everywhere:
        # Translators: button: shows the last rated match, and how it changed the rating (noun).
        yield build_button(say("Last rating change"), f"{LAST_CHANGE}:{profile.pool}:{person}")


def _format_record(say: Reader, pool: str, row: RatingRow) -> str:
    pool = common.capitalise_first(_format_pool(say, pool))
    facts = common.join_facts(say, texts.format_rating(say, row), texts.format_tally(say, row))
    return common.format_labelled(say, f"**{pool}**", facts)


def leaderboard_controls(say: Reader, ranking: Ranking, paging: Paging) -> tuple[Item, ...]:
    """Return the buttons that turn a leaderboard's pages; none where there is one page."""
    # The buttons of all time have no such part, nor have those of earlier versions.
    of_season = f":{ranking.season}" if ranking.season else ""
    # Translators: button: shows the previous page of a leaderboard.
    back = say("Back")
    # Translators: button: shows the next page of a leaderboard.
    onward = say("Next")
    return build_page_buttons(
        paging,
        back,
        onward,
        lambda number: f"{RANKS}:{ranking.scope}:{ranking.pool}:{number}{of_season}",
    )
