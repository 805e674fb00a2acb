"""Sharing an analysis: people propose plays that nobody sees before the answer is revealed."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.features.analysis.service import Analysis, Findings, find_best, load_analysis
from bot.features.computer.worker import evaluate_events, pack_match
from bot.features.hints.guard import require_free_in_server, require_free_position
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.lines import Asker
from bot.platform.people import DiscordPerson
from engine.events import Played
from engine.match import Match
from engine.notation import format_play, parse_play
from engine.players.puzzles import find_end_position


@dataclass(frozen=True, slots=True)
class ProposalAttempt:
    """What somebody proposes: the match after it, and the play so far as it is written."""

    analysis: Analysis
    match: Match
    play: str
    is_whole: bool


@dataclass(frozen=True, slots=True)
class ProposedPlay:
    """A play that people have proposed, and what it loses to the best, in points."""

    play: str
    people: Sequence[int]
    loss: float


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
        raise DeclinedError(DeclineReason.ANALYSIS_UNKNOWN)


async def load_shared(app: App, number: int, place: SharedPlace) -> Analysis:
    """Return a position that is shared in that place; raises DeclinedError for any other."""
    analysis = await load_analysis(app, number)
    row = analysis.row
    if (
        row.message is None
        or (row.guild, row.channel) != (place.guild, place.channel)
        or place.message not in (None, row.message)
    ):
        raise DeclinedError(DeclineReason.ANALYSIS_UNKNOWN)
    return analysis


async def require_unrevealed(app: App, number: int, place: SharedPlace) -> Analysis:
    """Return a shared position to which the answer is not given; raises DeclinedError else."""
    analysis = await load_shared(app, number, place)
    if analysis.row.revealed is not None:
        raise DeclinedError(DeclineReason.ANSWER_REVEALED)
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
    if not await app.store.analyses.propose(number, person.id, attempt.play):
        raise DeclinedError(DeclineReason.ANSWER_REVEALED)
    return await app.store.analyses.count_proposals(number)


async def reveal_answer(app: App, number: int, place: SharedPlace, asker: Asker) -> Answer:
    """Let nobody propose any more, and return the answer; also if it was revealed before.

    Raises DeclinedError for anyone but the person who shared the position, and while it is one of a
    match that is played without hints.
    """
    analysis = await load_shared(app, number, place)
    if analysis.row.person != asker.person:
        raise DeclinedError(DeclineReason.NOT_YOURS_TO_REVEAL, sharer=analysis.row.person)
    # A match may have come to this position only since it was shared.
    await require_free_position(app, asker.person, analysis.match)
    await require_free_in_server(app, place.guild, analysis.match)
    # Before it is revealed: whoever is refused here finds that nothing has changed.
    found = await find_best(app, analysis, asker)
    await app.store.analyses.reveal(number, app.clock())
    return await _build_answer(app, found, asker)


async def _build_answer(app: App, found: Findings, asker: Asker) -> Answer:
    analysis = found.analysis
    by_play: dict[str, list[int]] = {}
    for person, play in (await app.store.analyses.load_proposals(analysis.row.id)).items():
        by_play.setdefault(play, []).append(person)
    if not by_play or found.advice is None:
        return Answer(found, ())
    losses = await _measure_losses(app, found, list(by_play), asker)
    proposed = [ProposedPlay(play, people, losses[play]) for play, people in by_play.items()]
    return Answer(found, sorted(proposed, key=lambda each: each.loss))


async def _measure_losses(
    app: App, found: Findings, plays: Sequence[str], asker: Asker
) -> Mapping[str, float]:
    """Return what each play loses to the best one, all of them evaluated alike."""
    assert found.advice is not None
    match = found.analysis.match
    events = [
        found.advice.best[0].event,
        *(Played(parse_play(play, match.rules, match.position, match.duty)) for play in plays),
    ]
    best, *others = await app.costly.run(asker, evaluate_events, pack_match(match), events)
    return {
        play: max(0.0, best.points - worth.points)
        for play, worth in zip(plays, others, strict=True)
    }
