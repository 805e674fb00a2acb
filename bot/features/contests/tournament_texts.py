"""What is said of how a contest is played, and how far it is, by its format."""

from collections.abc import Iterator

from bot.features.contests.rows import (
    Contest,
    ContestFormat,
    ContestState,
    ContestView,
    UnfinishedRule,
)
from bot.features.contests.standings import Bye
from bot.features.contests.swiss import MIN_SWISS
from bot.features.contests.swiss_standings import SwissStanding
from bot.features.contests.texts import format_cancellation, format_number, format_points
from bot.features.matches.clock_texts import format_pace, format_relative_time
from bot.features.matches.name_texts import mention_person
from bot.platform.i18n.common import format_house_rules, format_title
from bot.platform.i18n.reader import Reader
from engine.clock import parse_pace
from engine.games import GAMES

WEEK = 7
"""Days of a week."""


def format_contest_terms(say: Reader, contest: Contest) -> str:
    """Tell what is played in a contest, how and for how long."""
    return "\n".join(f"- {line}" for line in _list_terms(say, contest))


def _list_terms(say: Reader, contest: Contest) -> Iterator[str]:
    yield from _explain_format(say, contest)
    games = _format_games(say, contest)
    yield say.plural("Game: {games}", "Games: {games}", len(contest.games), games=games)
    yield from format_house_rules(say, GAMES[contest.game], contest.options)
    yield say("Pace: {pace}", pace=format_pace(say, parse_pace(contest.pace)))
    # Translators: of a tournament, in a list of its terms: its matches change the ratings.
    yield say("Rated") if contest.rated else say("Not rated")
    if contest.role is not None:
        yield say("For members with the role {role}", role=f"<@&{contest.role}>")
    time = _format_days(say, contest.days)
    if contest.format in (ContestFormat.SWISS, ContestFormat.KNOCK_OUT):
        yield say("Time for each round: {time}", time=time)
    else:
        yield say("Time to play: {time}", time=time)
    yield _format_unfinished_rule(say, contest)
    if parse_pace(contest.pace).is_slow:
        yield _format_vacations(say, contest.away_days)


def _format_vacations(say: Reader, days: int | None) -> str:
    if days is None:
        return say("A vacation stops your clocks, but not the deadline.")
    if not days:
        return say("A vacation stops neither your clocks here nor the deadline.")
    return say.plural(
        "A vacation stops your clock in each match for {n} day at most, but not the deadline.",
        "A vacation stops your clock in each match for {n} days at most, but not the deadline.",
        days,
    )


def _explain_format(say: Reader, contest: Contest) -> Iterator[str]:
    several = len(contest.games) > 1
    match contest.format:
        case ContestFormat.LEAGUE if several:
            yield say(
                "Everyone in a division plays everyone else in it once in each game, all matches "
                "side by side."
            )
        case ContestFormat.LEAGUE:
            yield say(
                "Everyone in a division plays everyone else in it once, all matches side by side."
            )
        case ContestFormat.ROUND_ROBIN if several:
            yield say(
                "Round robin: everyone plays everyone else once in each game, all matches side by "
                "side."
            )
        case ContestFormat.ROUND_ROBIN:
            yield say("Round robin: everyone plays everyone else once, all matches side by side.")
        case ContestFormat.SWISS:
            yield say(
                "Swiss: in each round you play somebody with about as many points, and nobody "
                "twice."
            )
            if contest.rounds is None:
                yield say("As many rounds as suit the number of players")
            else:
                yield say.plural(
                    "{n} round, or half as many as there are players, if that is less",
                    "{n} rounds, or half as many as there are players, if that is less",
                    contest.rounds,
                )
            yield say(
                "With fewer than {least} players it's a round robin instead: in a Swiss so few "
                "would soon have nobody left to play.",
                least=MIN_SWISS,
            )
            if several:
                yield say("The games take turns from round to round.")
        case ContestFormat.KNOCK_OUT:
            yield say("Knock-out: who wins goes on, who loses is out; the best are seeded apart.")
            yield _format_best_of(say, contest)
            if several:
                yield say("The games take turns from match to match.")


def _format_best_of(say: Reader, contest: Contest) -> str:
    told = say.plural("One match decides", "Best of {n} matches", contest.best_of)
    if not contest.third_place:
        return told
    return say("{how}; the third place is played for", how=told)


def _format_days(say: Reader, days: int) -> str:
    weeks, rest = divmod(days, WEEK)
    if rest:
        return say.plural("{n} day", "{n} days", days)
    return say.plural("{n} week", "{n} weeks", weeks)


def _format_unfinished_rule(say: Reader, contest: Contest) -> str:
    rules = [say("Who hasn't played in a match by the deadline forfeits it, unrated.")]
    if contest.unfinished is UnfinishedRule.DRAW:
        rules.append(say("Other matches in progress are then drawn."))
    elif contest.unfinished is UnfinishedRule.CLOCK:
        rules.append(say("Other matches in progress are then lost by the one whose turn it is."))
    else:
        rules.append(
            say(
                "Other matches in progress then go to the side with a win chance of 80% or more by "
                "the computer's evaluation, and are drawn if neither has that."
            )
        )
    if contest.format is ContestFormat.KNOCK_OUT:
        rules.append(say("If that leaves two players level, the better seed goes on."))
    return " ".join(rules)


def _format_games(say: Reader, contest: Contest) -> str:
    return say.format_list([format_title(say, GAMES[game]) for game in contest.games])


def format_game_line(say: Reader, contest: Contest) -> str:
    """Tell what is played in a contest, at which pace and whether it is rated, in one line."""
    # Translators: of matches (plural): their results change the ratings.
    rated = say("rated") if contest.rated else say("not rated")
    # Translators: a tournament's terms: "Backgammon and Nard; 1 day a turn; rated."
    return say(
        "{games}; {pace}; {rated}.",
        games=_format_games(say, contest),
        pace=format_pace(say, parse_pace(contest.pace)),
        rated=rated,
    )


def format_progress(say: Reader, view: ContestView) -> str:
    """Tell how far a contest is, and until when it can be played."""
    parts = [_format_round(say, view), _format_finished(say, view)]
    if view.contest.paused is not None:
        parts.append(say("It's paused, and no time runs out until its organisers let it go on."))
    elif view.contest.is_running and view.contest.ends is not None:
        parts.append(say("The deadline is {when}.", when=format_relative_time(view.contest.ends)))
    return " ".join(filter(None, parts))


def _format_round(say: Reader, view: ContestView) -> str:
    if view.contest.format is not ContestFormat.SWISS:
        return ""
    return say("Round {n} of {rounds}:", n=view.round, rounds=view.contest.rounds or view.round)


def _format_finished(say: Reader, view: ContestView) -> str:
    """Tell how many matches are over, in a Swiss those of the round that is played."""
    counted = view.pairings
    if view.contest.format is ContestFormat.SWISS:
        counted = tuple(each for each in counted if each.round == view.round)
    over = sum(pairing.is_over for pairing in counted)
    return say.plural(
        "{over} of {n} match is over.", "{over} of {n} matches are over.", len(counted), over=over
    )


def format_state(say: Reader, view: ContestView, least: int) -> str:
    """Tell how far a contest is, which starts with so many people at least."""
    contest = view.contest
    match contest.state:
        case ContestState.OPEN:
            joined = say.plural(
                "{n} player has joined.", "{n} players have joined.", len(view.present)
            )
            until = say("Sign-up ends {when}.", when=format_relative_time(contest.starts))
            return f"{joined} {until}"
        case ContestState.CANCELLED:
            return format_cancellation(say, view, least)
    return format_progress(say, view)


def format_bye(say: Reader, bye: Bye) -> str:
    """Tell that somebody had nobody to play in a round."""
    return say("Round {n}: a bye, {points}", n=bye.round, points=format_points(say, bye.points))


def format_swiss_line(say: Reader, standing: SwissStanding) -> str:
    """Tell somebody's place in a Swiss, and the sums by which it is decided."""
    return say(
        "**{rank}.** {who}: {points}, Buchholz {buchholz} ({scores}), Sonneborn-Berger {strength}",
        rank=standing.rank,
        who=mention_person(standing.person),
        points=format_points(say, standing.points),
        buchholz=format_number(standing.buchholz_cut),
        scores=", ".join(map(format_number, standing.opponents)) or "–",
        strength=format_number(standing.sonneborn_berger),
    )


def explain_swiss_order(say: Reader) -> str:
    """Explain how the table of a Swiss is ordered."""
    return say(
        "A win counts 1 point, a draw ½, a loss or a forfeit 0. A bye counts 1, and joining late ½ "
        "once. Those with equal points are ordered by Buchholz (the points of their opponents, "
        "which are in brackets, without the lowest), then by Sonneborn-Berger (the points of those "
        "they beat, and half the points of those they drew with), then by wins."
    )


def explain_knock_out(say: Reader) -> str:
    """Explain how a bracket goes on."""
    return say(
        "Who has more than half of the points of a pairing goes on; a drawn match gives each half "
        "a point, and if two are level after all matches, they play on until one leads. The best "
        "seeds have a bye where places are empty. Who withdraws leaves the place to their opponent."
    )
