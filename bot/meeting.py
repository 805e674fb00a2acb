"""Matches of the computer players against another program, for `tabula meet`.

The program runs as a process of its own. Where its side has something to decide, it gets one line
of JSON on its standard input, and answers with one on its standard output; docs/players.md says
what they hold. Throws, and what follows by itself, it need not know about.
"""

import asyncio
import contextlib
import math
import os
import signal
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from bot.platform.i18n.common import use_plain_hyphens
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.refusals import explain_refusal
from engine.events import Event, Left, Played
from engine.match import (
    DECISION_PHASES,
    PLAY_PHASES,
    Match,
    Phase,
    apply_unchecked,
    find_forced_event,
    new_match,
)
from engine.notation import format_play, parse_play
from engine.players.batch_evaluation import evaluate_by_net, evaluate_positions
from engine.players.decide import choose_prospect
from engine.players.exact import get_ending_table, is_solved
from engine.players.level import Level
from engine.players.nets import get_net
from engine.players.prospects import apply_decision, list_choices
from engine.playout import choose_event
from engine.plays import make_move
from engine.position import Side
from engine.position_text import format_position
from engine.refusal import Refusal
from engine.rules import Game
from engine.strict_json import parse_json, write_json

MAX_THROWS = 1500
"""Throws after which a game is broken off: some games need not end."""
LEAVE = "leave"
"""The answer of a program that leaves the numbers it is offered."""
MAX_QUOTED = 80
"""How many characters of a wrong answer are repeated."""
GRACE_S = 2.0
"""How long a program may take to end when its input has ended."""

Question: TypeAlias = dict[str, Any]


class ProgramError(ValueError):
    """The program cannot go on with the match; the message says what it did."""


@dataclass(frozen=True)
class MeetingPlan:
    """Who meets in how many games; an answer may take so many seconds."""

    game: Game
    options: Mapping[str, str]
    command: Sequence[str]
    level: Level
    has_tables: bool
    games: int
    seed: int
    seconds: float


@dataclass(frozen=True)
class MeetingResult:
    """How a game ended: the points that it brought the program; a game broken off brings none."""

    points: int
    is_broken_off: bool = False


@dataclass(frozen=True)
class Program:
    """A program that plays, and how long it may take for an answer."""

    process: asyncio.subprocess.Process
    seconds: float

    async def ask(self, question: Question) -> str:
        """Return the play that the program answers; raises ProgramError."""
        try:
            async with asyncio.timeout(self.seconds):
                line = await self._exchange(f"{write_json(question)}\n".encode())
        except TimeoutError:
            raise ProgramError(
                f"it gave no answer within {self.seconds:g} seconds; does it flush its output?"
            ) from None
        # More than the reader holds, which no play needs.
        except ValueError:
            raise ProgramError("its answer is longer than 64 KiB") from None
        if not line:
            raise ProgramError(f"it ended, {await self._describe_end()}")
        return _parse_answer(line)

    async def _exchange(self, line: bytes) -> bytes:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        # What has ended cannot be written to; that nothing can be read from it says so as well.
        with contextlib.suppress(ConnectionError):
            self.process.stdin.write(line)
            await self.process.stdin.drain()
        return await self.process.stdout.readline()

    async def _describe_end(self) -> str:
        try:
            async with asyncio.timeout(GRACE_S):
                return f"with exit status {await self.process.wait()}"
        except TimeoutError:
            return "or closed its output"

    async def end(self) -> None:
        """End its input, which tells it to end, and then the program itself."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE_S):
                await self.process.wait()
        self.kill()
        await self.process.wait()

    def kill(self) -> None:
        """End it at once, with the processes that it has started: it may be a shell's line."""
        with contextlib.suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                # It leads a group of its own.
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()


def _parse_answer(line: bytes) -> str:
    try:
        answer = parse_json(line)
    # Not UTF-8, no JSON, or brackets nested too deeply.
    except (ValueError, RecursionError):
        answer = None
    play = answer.get("play") if isinstance(answer, dict) else None
    if not isinstance(play, str):
        written = _quote(line.decode("utf-8", "replace").strip())
        raise ProgramError(f'it answered {written}, not a line like {{"play": "..."}}')
    return play


def _quote(text: str) -> str:
    kept = text if len(text) <= MAX_QUOTED else f"{text[:MAX_QUOTED]}..."
    return f"`{kept}`"


async def play_games(plan: MeetingPlan) -> AsyncIterator[MeetingResult]:
    """Play the games one after the other; raises ProgramError where the program fails."""
    program = Program(await _start_program(plan.command), plan.seconds)
    try:
        for number in range(1, plan.games + 1):
            try:
                yield await _play_game(plan, program, number)
            except ProgramError as error:
                raise ProgramError(f"the program failed in game {number}: {error}") from None
    finally:
        await program.end()


async def _start_program(command: Sequence[str]) -> asyncio.subprocess.Process:
    try:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # Ctrl-C is for this program, which then ends the other in good order.
            start_new_session=True,
        )
    except OSError as error:
        raise ProgramError(f"{command[0]} cannot be started: {error.strerror}") from None


async def _play_game(plan: MeetingPlan, program: Program, number: int) -> MeetingResult:
    # Each game has dice of its own, whatever was thrown in those before it.
    chance = Random(f"tabula meet {plan.seed} {number}")  # noqa: S311 - reproducible, no secret
    # The players change sides after every game.
    seat = Side.GOLD if number % 2 else Side.BLACK
    judge = evaluate_positions if plan.has_tables else evaluate_by_net
    match = new_match(plan.game, plan.options)
    while match.phase is not Phase.OVER:
        if match.drawn - 2 * len(match.battle) >= MAX_THROWS:
            return MeetingResult(0, is_broken_off=True)
        if match.phase not in DECISION_PHASES or find_forced_event(match):
            match = apply_unchecked(match, choose_event(match, chance))
            continue
        if match.turn is _find_side(match, seat):
            event = await _ask_for_decision(program, match, number)
        else:
            event = choose_prospect(match, plan.level, plan.seed + number, judge).event
        match = apply_decision(match, event)
    assert match.outcome is not None
    if match.outcome.winner is None:
        return MeetingResult(0)
    sign = 1 if match.outcome.winner is _find_side(match, seat) else -1
    return MeetingResult(sign * match.outcome.points)


def _find_side(match: Match, seat: Side) -> Side:
    """Return the side that a seat plays: who wins the opening roll may have taken the other's."""
    return seat.other if match.swapped else seat


async def _ask_for_decision(program: Program, match: Match, number: int) -> Event:
    decisions = dict(sorted(_name_decisions(match)))
    answer = await program.ask(build_question(match, number, decisions))
    return decisions.get(answer) or _parse_decision(match, answer)


def _name_decisions(match: Match) -> Iterator[tuple[str, Event]]:
    """Yield what may be done now, with the text that names it."""
    if match.phase not in PLAY_PHASES:
        for choice in list_choices(match):
            yield choice.value, choice
        return
    for play in match.plays:
        yield format_play(play.moves, match.rules, match.position), Played(play.moves)
    if match.phase is Phase.OFFER:
        yield LEAVE, Left()


def build_question(match: Match, number: int, decisions: Mapping[str, Event]) -> Question:
    """Return what a program is asked: to choose one of the decisions."""
    ends = {play: apply_decision(match, event) for play, event in decisions.items()}
    return {
        "number": number,
        "game": match.game.slug,
        "options": dict(match.options),
        "decide": _name_decision(match),
        "thrown": "-".join(map(str, match.thrown)),
        "position": format_position(match.position, match.rules),
        "plays": [
            {"play": play, "position": format_position(end.position, end.rules)}
            for play, end in ends.items()
        ],
    }


def _name_decision(match: Match) -> str:
    if match.phase in PLAY_PHASES:
        return match.phase.value
    return list_choices(match)[0].what


def _parse_decision(match: Match, answer: str) -> Event:
    """Read a play that is written otherwise than in the question; raises ProgramError."""
    position = format_position(match.position, match.rules)
    refused = f"{_quote(answer)} is not one of the plays in {position}"
    if match.phase not in PLAY_PHASES:
        raise ProgramError(refused)
    try:
        moves = parse_play(answer, match.rules, match.position, match.duty)
    except Refusal as refusal:
        reason = use_plain_hyphens(explain_refusal(Reader.ENGLISH, refusal))
        raise ProgramError(f"{refused}: {reason}") from None
    end = match.position
    for move in moves:
        end = make_move(match.rules, end, move)
    if end not in match.plays.ends:
        raise ProgramError(f"{refused}: it is only a part of one")
    return Played(moves)


def format_results(plan: MeetingPlan, results: Sequence[MeetingResult], facts: str) -> str:
    """Return the line that says how a match went, as it may be published.

    `facts` are when it was played and by which version.
    """
    points = [result.points for result in results]
    options = "".join(f", {name}={value}" for name, value in plan.options.items())
    broken_off = sum(result.is_broken_off for result in results)
    counts = {
        "won": sum(each > 0 for each in points),
        "lost": sum(each < 0 for each in points),
        "drawn": points.count(0) - broken_off,
        "broken off": broken_off,
    }
    score = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    count = f"{len(points)} {'game' if len(points) == 1 else 'games'}"
    return (
        f"{plan.game.title}, edition {plan.game.edition}{options}: `{' '.join(plan.command)}` "
        f"against {_describe_player(plan)}: {_format_mean(points)} points a game; "
        f"{count} ({score}); seed {plan.seed}; {facts}"
    )


def _describe_player(plan: MeetingPlan) -> str:
    rules = plan.game.resolve_rules(plan.options)
    net = get_net(rules)
    by = f"net {net.digest}" if net else "no net"
    has_table = is_solved(rules) or get_ending_table(rules) is not None
    if plan.level is Level.MASTER and has_table:
        by = f"{by}, {'with' if plan.has_tables else 'without'} tables"
    return f"{plan.level} ({by})"


def _format_mean(points: Sequence[int]) -> str:
    mean = sum(points) / len(points)
    if len(points) == 1:
        return f"{mean:+.3f}"
    spread = sum((each - mean) ** 2 for each in points) / (len(points) - 1)
    return f"{mean:+.3f} ± {math.sqrt(spread / len(points)):.3f}"
