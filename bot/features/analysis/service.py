"""Analyses: a position that somebody sets up, what is best in it, and plays that others propose.

Nobody sees what is proposed before the answer is revealed.
"""

import asyncio
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.features.analysis.guard import require_free_in_server, require_free_position
from bot.features.analysis.hints import Advice, Rankings
from bot.features.analysis.store import Analyses, AnalysisRow, NewAnalysis
from bot.features.computer.pool import evaluate_events, pack_match
from bot.platform.context import NO_SERVER, App
from bot.platform.db.jobs import JobPayload, Subject
from bot.platform.db.rows import Job
from bot.platform.i18n.reader import DeclinedError, Reader, UnknownControlError, mark_text
from bot.platform.lines import Asker
from bot.platform.people import DiscordPerson
from engine.clock import DAY
from engine.events import Played, Thrown
from engine.folding import fold_text
from engine.games import find_game
from engine.games.backgammon import BACKGAMMON
from engine.match import Match, Phase
from engine.notation import format_play, parse_play
from engine.players.evaluation import Evaluation
from engine.players.midgame import build_match
from engine.players.puzzles import find_end_position
from engine.position import Position
from engine.position_ids import parse_position_id
from engine.position_text import format_position, parse_position
from engine.refusal import Reason, Refusal
from engine.rules import Game
from engine.throws import parse_throw


class DeleteAnalyses(JobPayload, kind="delete analyses", about=Subject.SERVER, is_timed=True):
    """Delete the positions that were kept long enough, each night; it is about no server."""

    server: int


def build_deletion(now: int) -> Job:
    """Return the job that deletes positions at the next midnight, UTC: once, however many ask."""
    return DeleteAnalyses(NO_SERVER).build_job(now - now % DAY + DAY)


class NoGameNamedError(DeclinedError):
    sentence = mark_text(
        "Choose the game with the option `game`; only an XGID or a GNU Backgammon ID needs none."
    )


@dataclass(frozen=True, slots=True)
class PositionSetup:
    """A position of a game with some house rules, and a throw of all dice where one is given."""

    game: Game
    options: Mapping[str, str]
    position: Position
    thrown: tuple[int, ...] = ()


def parse_setup(game: str, position: str, throw: str, options: str) -> PositionSetup:
    """Read what somebody types; without a game it is backgammon as another program writes it.

    A throw takes the place of the dice in the position. Raises Refusal, or DeclinedError where no
    game is named.
    """
    wanted = find_game(game) if game.strip() else BACKGAMMON
    chosen = parse_chosen_options(wanted, options)
    rules = wanted.resolve_rules(chosen)
    at = parse_position_id(position) if wanted is BACKGAMMON else None
    if at is None:
        if not game.strip():
            raise NoGameNamedError
        at = parse_position(position, rules)
    if not throw.strip():
        return PositionSetup(wanted, chosen, at)
    # What is remembered of numbers being played goes with them.
    bare = at._replace(dice=(), memory=0) if at.dice else at
    return PositionSetup(wanted, chosen, bare, parse_throw(throw, rules.dice))


def build_setup_match(setup: PositionSetup) -> Match:
    """Return a match that has reached a position; raises Refusal where the game is over there."""
    rules = setup.game.resolve_rules(setup.options)
    match = replace(
        build_match(setup.game, rules, setup.position),
        options=dict(setup.options),
    )
    if match.phase is not Phase.OVER and setup.thrown:
        match = match.apply(Thrown(setup.thrown))
    if match.phase is Phase.OVER:
        raise Refusal(Reason.GAME_OVER)
    return match


def parse_chosen_options(game: Game, text: str) -> dict[str, str]:
    """Read options as they are typed, `dice=two-and-six blockade=wins`; raises Refusal."""
    options: dict[str, str] = {}
    joined = re.sub(" ?[=:] ?", "=", fold_text(text))
    for word in filter(None, re.split(r"[ ,;]+", joined)):
        name, equals, value = word.partition("=")
        option = game.find_option(name)
        if not equals:
            raise Refusal(Reason.OPTION_FORM, option=name, value=option.default_value.name)
        options[option.name] = option.find_value(value).name
    return options


class AnalysisUnknownError(DeclinedError):
    sentence = mark_text("I don't keep that position any more. Set it up again with `/analyse`.")


@dataclass(frozen=True, slots=True)
class Analysis:
    """A position that is kept: its row, and the match that has reached it."""

    row: AnalysisRow
    match: Match

    @property
    def is_question(self) -> bool:
        """Whether there are several plays, so that people can propose one."""
        return len(self.match.plays) > 1


@dataclass(frozen=True, slots=True)
class Findings:
    """What is best in a position, and what it is worth to the side that acts."""

    analysis: Analysis
    advice: Advice | None
    evaluation: Evaluation


async def create_analysis(
    app: App, asker: Asker, game: str, position: str, throw: str, options: str
) -> Analysis:
    """Keep the position that somebody types once it is analysed, and return it.

    Raises Refusal for what is no position or throw of the game, and DeclinedError where it is one
    of a match in which they would get no hint, or where they ask for too much.
    """
    # Off the event loop, since it can take a while to find all plays of a throw.
    setup = await asyncio.to_thread(parse_setup, game, position, throw, options)
    return await _create_analysis(app, asker, setup)


async def analyse_match(app: App, asker: Asker, match: Match) -> Analysis:
    """Keep the position of a match once it is analysed, in the same way.

    Before numbers are given to a throw, as where a die can be turned, all of it is to be played.
    """
    thrown = match.thrown if match.phase is Phase.CHOOSE else ()
    setup = PositionSetup(match.game, match.options, match.position, thrown)
    return await _create_analysis(app, asker, setup)


async def _create_analysis(app: App, asker: Asker, setup: PositionSetup) -> Analysis:
    match = await asyncio.to_thread(build_setup_match, setup)
    await require_free_position(app, asker.person, match)
    rankings, key = app.get_part(Rankings), _build_key(match)
    if rankings.is_known(key):
        # What costs no time is still kept, and so counted.
        app.costly.count_request(asker)
    else:
        await rankings.load(app, key, match, asker)
    new = NewAnalysis(
        game=setup.game.slug,
        edition=setup.game.edition,
        options=setup.options,
        position=format_position(setup.position, match.rules),
        thrown=setup.thrown,
        created=app.clock(),
    )
    number, jobs = await app.store.get(Analyses).create(new, [build_deletion(new.created)])
    app.take(jobs)
    return await load_analysis(app, number)


async def load_analysis(app: App, number: int) -> Analysis:
    """Return a position that is kept; raises DeclinedError for one that is not."""
    row = await app.store.get(Analyses).load_analysis(number)
    if row is None:
        raise AnalysisUnknownError
    return Analysis(row, await asyncio.to_thread(_build_kept_match, row))


def _build_kept_match(row: AnalysisRow) -> Match:
    game = find_game(row.game, row.edition)
    rules = game.resolve_rules(row.options)
    position = parse_position(row.position, rules)
    match = build_setup_match(PositionSetup(game, row.options, position, row.thrown))
    # The plays are found here, off the event loop.
    assert match.plays is not None
    return match


async def find_best(app: App, analysis: Analysis, asker: Asker, number: int = 1) -> Findings:
    """Return what is best in a position, where the play of that number in the ranking is shown."""
    match = analysis.match
    found = await app.get_part(Rankings).load(app, _build_key(match), match, asker)
    if not found.best:
        # Nothing is to be decided, or nothing of the throw can be played.
        return Findings(analysis, None, found.evaluation)
    if not 1 <= number <= len(found.best):
        raise UnknownControlError
    advice = Advice(match, found.best, number - 1, found.solved)
    return Findings(analysis, advice, found.evaluation)


def _build_key(match: Match) -> Hashable:
    """Return what stands for a position with its throw, whoever asks about it."""
    options = frozenset(match.options.items())
    return "position", match.game.slug, match.game.edition, options, match.position, match.thrown


class AnswerRevealedError(DeclinedError):
    sentence = mark_text("The answer has already been shown, so plays can't be proposed any more.")


class NotYoursToRevealError(DeclinedError):
    """Only who shared a position, and moderators, can show the answer."""

    sharer: int | None

    def _format(self, say: Reader) -> str:
        return say(
            "Only {who}, who shared this position, and moderators can show the answer.",
            who=f"<@{self.sharer}>",
        )


@dataclass(frozen=True, slots=True)
class ProposalAttempt:
    """What somebody proposes: the match after it, and the play so far as it is written."""

    analysis: Analysis
    match: Match
    play: str
    is_whole: bool


@dataclass(frozen=True, slots=True)
class ProposedPlay:
    """A play that people have proposed, and what it loses to the best, in points.

    The loss is `exact` where neither of the two is estimated.
    """

    play: str
    people: Sequence[int]
    loss: float
    exact: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """The best plays of a shared position, and those that people have proposed, the best first."""

    found: Findings
    proposed: Sequence[ProposedPlay]


@dataclass(frozen=True, slots=True)
class SharedPlace:
    """Where somebody acts in a shared position: by its message, or None by one of their own."""

    guild: int
    channel: int
    message: int | None


def require_not_of_another(analysis: Analysis, person: int) -> None:
    """Raise DeclinedError if somebody else has shared the position.

    The answer to it is theirs to show, and it stays theirs.
    """
    if analysis.row.person not in (None, person):
        raise AnalysisUnknownError


async def load_shared(app: App, number: int, place: SharedPlace) -> Analysis:
    """Return a position that is shared in that place; raises DeclinedError for any other."""
    analysis = await load_analysis(app, number)
    row = analysis.row
    if (
        row.message is None
        or (row.guild, row.channel) != (place.guild, place.channel)
        or place.message not in (None, row.message)
    ):
        raise AnalysisUnknownError
    return analysis


async def require_unrevealed(app: App, number: int, place: SharedPlace) -> Analysis:
    """Return a shared position to which the answer is not given; raises DeclinedError else."""
    analysis = await load_shared(app, number, place)
    if analysis.row.revealed is not None:
        raise AnswerRevealedError
    return analysis


async def attempt_proposal(app: App, analysis: Analysis, text: str) -> ProposalAttempt:
    """Return what a play leads to that may be given in parts; raises Refusal for no legal one."""
    return await asyncio.to_thread(_follow_play, analysis, text)


def _follow_play(analysis: Analysis, text: str) -> ProposalAttempt:
    match = analysis.match
    moves = parse_play(text, match.rules, match.position, match.duty) if text else ()
    end = find_end_position(match, moves)
    # The number of moves tells which plays end here: of doubles a part could look like a whole.
    whole = any(play.end == end for play in match.plays)
    return ProposalAttempt(
        analysis,
        replace(match, position=end, moves=moves),
        format_play(moves, match.rules, match.position),
        whole,
    )


async def propose_play(app: App, person: DiscordPerson, attempt: ProposalAttempt) -> int:
    """Keep a whole play that somebody proposes, and return how many people have proposed one.

    Raises DeclinedError once the answer is revealed.
    """
    number = attempt.analysis.row.id
    await app.save_people(person)
    if not await app.store.get(Analyses).propose(number, person.id, attempt.play):
        raise AnswerRevealedError
    return await app.store.get(Analyses).count_proposals(number)


async def reveal_answer(
    app: App, number: int, place: SharedPlace, asker: Asker, *, moderates: bool
) -> Answer:
    """Let nobody propose any more, and return the answer; also if it was revealed before.

    Raises DeclinedError for anyone but the person who shared the position, who may have left, and
    a moderator there (`moderates`), and while it is one of a match that is played without hints.
    """
    analysis = await load_shared(app, number, place)
    if analysis.row.person != asker.person and not moderates:
        raise NotYoursToRevealError(analysis.row.person)
    # A match may have come to this position only since it was shared.
    await require_free_position(app, asker.person, analysis.match)
    await require_free_in_server(app, place.guild, analysis.match)
    # Before it is revealed, so that a refusal changes nothing.
    found = await find_best(app, analysis, asker)
    await app.store.get(Analyses).reveal(number, app.clock())
    return await _build_answer(app, found, asker)


async def _build_answer(app: App, found: Findings, asker: Asker) -> Answer:
    analysis = found.analysis
    by_play: dict[str, list[int]] = {}
    for person, play in (await app.store.get(Analyses).load_proposals(analysis.row.id)).items():
        by_play.setdefault(play, []).append(person)
    if not by_play or found.advice is None:
        return Answer(found, ())
    losses = await _measure_losses(app, found, list(by_play), asker)
    proposed = [ProposedPlay(play, people, *losses[play]) for play, people in by_play.items()]
    return Answer(found, sorted(proposed, key=lambda each: each.loss))


async def _measure_losses(
    app: App, found: Findings, plays: Sequence[str], asker: Asker
) -> Mapping[str, tuple[float, bool]]:
    """Return what each play loses to the best one, all evaluated alike, and whether exactly."""
    assert found.advice is not None
    match = found.analysis.match
    events = [
        found.advice.best[0].event,
        *(Played(parse_play(play, match.rules, match.position, match.duty)) for play in plays),
    ]
    best, *others = await app.costly.run(asker, evaluate_events, pack_match(match), events)
    return {
        play: (max(0.0, best.points - evaluation.points), best.exact and evaluation.exact)
        for play, evaluation in zip(plays, others, strict=True)
    }
