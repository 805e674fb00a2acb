"""The pages one reads: running matches, the leaderboard, a profile, help, and what one chose."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.features.challenges.controls import withdrawal_menu
from bot.features.computer.controls import computer_controls
from bot.features.lessons.controls import first_lesson_control
from bot.features.matches import name_texts
from bot.features.matches.cards import board_card
from bot.features.matches.clock_texts import format_time_left
from bot.features.matches.controls import round_controls, start_rounds_controls
from bot.features.matches.reach_texts import explain_how_to_continue
from bot.features.matches.session import MatchSession
from bot.features.notes.cards import add_note_to_card
from bot.features.ratings import texts
from bot.features.ratings.controls import leaderboard_controls
from bot.features.ratings.profile import Profile
from bot.features.ratings.seasons import Season
from bot.features.ratings.service import ALL_GAMES, EVERYWHERE, parse_pool_name
from bot.features.ratings.standings import LeaderboardPage
from bot.features.rulebook import page_texts as words
from bot.features.servers.controls import (
    all_games_control,
    first_game_controls,
    play_computer_control,
)
from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import CURVE_FILE, Card, Listing, Picture
from bot.store import Challenge, RatingRow
from engine.games import GAMES
from render.curve import LEAST_VALUES, Curve, describe_curve


class OpenChallenge(NamedTuple):
    """An open challenge, and the way to its message where it has one."""

    challenge: Challenge
    link: str | None


def matches_card(
    say: Reader,
    sessions: Sequence[MatchSession],
    person: int,
    links: Mapping[int, str],
    notes: Mapping[int, str],
    challenges: Sequence[OpenChallenge] = (),
    labels: Mapping[int, Sequence[str]] | None = None,
) -> Card:
    """Return a person's running matches, those that wait for them first, and their open challenges.

    `links` lead to the message of each match that can be shown, `notes` are what the person
    noted about some, and `labels` what else is said of some.
    """
    labels = labels or {}
    asked = _list_open_challenges(say, challenges, person)
    withdrawing = withdrawal_menu(say, [each.challenge for each in challenges], person)
    if not sessions:
        none = say("You have no match in progress. Start one with `/play` or `/challenge`.")
        return Card(texts=(none, *asked), controls=withdrawing)
    # False sorts before true, so the matches that wait for the person come first.
    waiting = sorted(sessions, key=lambda session: (session.person_to_act != person, session.id))
    lines = [
        words.format_running_match(
            say,
            each,
            person,
            links.get(each.id),
            notes.get(each.id, ""),
            labels.get(each.id, ()),
        )
        for each in waiting
    ]

    def more(n: int) -> str:
        return say.plural("{n} more match is in progress.", "{n} more matches are in progress.", n)

    # By that order the first match tells whether any waits.
    controls = start_rounds_controls(say) if waiting[0].person_to_act == person else ()
    return Card(
        texts=(say("### Your matches"), Listing(tuple(lines), more), *asked),
        controls=(*controls, *withdrawing),
    )


def _list_open_challenges(
    say: Reader, challenges: Sequence[OpenChallenge], person: int
) -> tuple[str | Listing, ...]:
    if not challenges:
        return ()
    lines = [
        words.format_open_challenge(say, each.challenge, person, each.link) for each in challenges
    ]
    return (
        say("### Your open challenges"),
        Listing(tuple(lines), lambda n: common.format_remainder(say, n)),
    )


def waiting_match_card(
    say: Reader, waiting: Sequence[MatchSession], at: int, link: str | None, memo: str
) -> Card:
    """Return one of the matches that wait for somebody.

    It leads to the match, to the one before and to the next.
    """
    session = waiting[at]
    # Where no message shows the match, how to go on matters more than the time: its clock stands
    # still.
    first = format_time_left(say, session) if link else explain_how_to_continue(say, session)
    small = filter(None, (first, words.format_waiting_count(say, at + 1, len(waiting))))
    return replace(
        add_note_to_card(say, board_card(say, session), memo),
        controls=round_controls(say, session, link),
        small="\n".join(small),
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
    say: Reader, page: LeaderboardPage, names: Mapping[int, str], ranking: Ranking
) -> Card:
    """Return a leaderboard page.

    People with too few games are listed below without a rank, uncertain ratings with a `?`.
    """
    scope, pool, season, is_over = ranking
    title = words.format_leaderboard_title(say, _format_pool(say, pool), scope, season)
    heading = f"### {title}"
    if not page.lines:
        return Card(
            texts=(heading, words.format_empty_leaderboard(say, season)),
            small=words.explain_scope(say, scope),
        )
    first = page.lines[0]
    if is_over and first.rank == 1:
        won = words.format_season_winner(say, names.get(first.person))
        heading = f"{heading}\n{won}"
    lines = [
        words.format_leaderboard_line(say, line, names.get(line.person)) for line in page.lines
    ]
    # Whoever asks finds themselves without turning pages.
    if page.mine is not None and page.mine not in page.lines:
        lines += ["…", words.format_own_line(say, page.mine)]
    return Card(
        texts=(heading, "\n".join(lines)),
        controls=leaderboard_controls(say, scope, pool, season, page.number, page.pages),
        small="\n".join(
            filter(
                None, (words.format_leaderboard_footer(say, page), words.explain_scope(say, scope))
            )
        ),
    )


def _format_pool(say: Reader, pool: str) -> str:
    name, level = parse_pool_name(pool)
    games = say("all games") if name == ALL_GAMES else common.format_title(say, GAMES[name])
    if level is None:
        return games
    return say(
        "{games} against the computer ({level})",
        games=games,
        level=name_texts.format_level(say, level),
    )


def profile_card(say: Reader, profile: Profile, name: str, sections: Sequence[str] = ()) -> Card:
    """Return somebody's record game by game, and their ratings over time as a curve.

    `sections` are what other features say of them.
    """
    heading = words.format_profile_heading(say, name, everywhere=profile.scope == EVERYWHERE)
    if not profile.records:
        none = say("No rated match has been finished yet.")
        return Card(texts=(heading, none, *sections))
    lines = [_format_record(say, pool, row) for pool, row in profile.records]
    text = Listing(tuple(lines), lambda n: common.format_remainder(say, n), joined=True)
    # Somebody may have played rated matches, but none in the pool of the curve.
    if not profile.curve:
        return Card(texts=(heading, text, *sections))
    played = _format_pool(say, profile.pool)
    if len(profile.curve) < LEAST_VALUES:
        first = words.format_first_rating(say, played, profile.curve[0])
        return Card(texts=(heading, text, *sections, first))
    span = say.plural("One rated match", "{n} rated matches", len(profile.curve))
    over = say("Rating, {game}", game=played)
    drawing = Curve(name, over, span, tuple(profile.curve))
    return Card(
        texts=(heading, text, *sections),
        picture=Picture(drawing, describe_curve(drawing), CURVE_FILE),
    )


def _format_record(say: Reader, pool: str, row: RatingRow) -> str:
    pool = common.capitalise_first(_format_pool(say, pool))
    return f"**{pool}** {texts.format_rating(say, row)} · {texts.format_tally(say, row)}"


def help_card(say: Reader, *, in_server: bool) -> Card:
    """Return how to start, with a first game one press away; in a server also against people."""
    alone = (first_lesson_control(say), play_computer_control(say), all_games_control(say))
    controls = first_game_controls(say) if in_server else alone
    return Card(
        texts=words.format_help_page(say, in_server=in_server),
        controls=controls,
        small=words.format_help_footer(say),
    )


def greeting_card(say: Reader) -> Card:
    """Return what stands first in the playground: what it is, and a first game in one press."""
    return Card(texts=words.format_playground_greeting(say), controls=first_game_controls(say))


def no_opponent_card(say: Reader) -> Card:
    """Return what somebody is offered who would play and finds nobody."""
    return Card(texts=words.format_no_opponents(say), controls=computer_controls(say))
