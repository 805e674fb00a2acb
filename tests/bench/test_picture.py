"""Pictures beside encoding alone, a replay, and what drawing does to the event loop."""

import asyncio
import io
import statistics
import time
from dataclasses import replace
from random import Random

import pytest
from PIL import Image
from pytest_benchmark.fixture import BenchmarkFixture

from engine.events import Played
from engine.games import GAMES
from engine.match import follow, new_match
from engine.moves import make
from engine.playout import next_event
from engine.position_text import parse_position
from render.board import draw
from render.replay import Detail, Moment, encoded, frames, frames_of
from render.scene import Moved, Scene, View

pytestmark = pytest.mark.bench

EMPEROR = "f7,i1,k2,t2,u2,y1 h2,l2,m2,n1,o2,p2,s2,w2 gold 6-5-2"


def shown() -> Scene:
    """The emperor's throw."""
    rules = GAMES["zeno"].rules
    position = parse_position(EMPEROR, rules)
    return Scene(
        rules=rules, position=position, names=("Zeno", "Ana"), title="Zeno", status="Zeno to play"
    )


def test_draw_and_encode(benchmark: BenchmarkFixture) -> None:
    benchmark.group = "a picture, 1080 pixels wide"
    scene = shown()
    assert benchmark(draw, scene).startswith(b"\x89PNG")


def test_reference_python_chess_through_cairosvg(benchmark: BenchmarkFixture) -> None:
    benchmark.group = "a picture, 1080 pixels wide"
    chess = pytest.importorskip("chess.svg", reason="python-chess is not installed")
    cairosvg = pytest.importorskip("cairosvg", reason="cairosvg is not installed")
    board = chess.chess.Board("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4")
    picture = benchmark(lambda: cairosvg.svg2png(chess.board(board), output_width=1080))
    assert picture.startswith(b"\x89PNG")


def test_reference_encode_alone(benchmark: BenchmarkFixture) -> None:
    benchmark.group = "a picture, 1080 pixels wide"
    with Image.open(io.BytesIO(draw(shown()))) as picture:
        picture.load()

    def encode() -> bytes:
        file = io.BytesIO()
        picture.save(file, "PNG", compress_level=2)
        return file.getvalue()

    assert benchmark(encode).startswith(b"\x89PNG")


def test_a_replay_of_sixty_frames(benchmark: BenchmarkFixture) -> None:
    benchmark.group = "a picture, 1080 pixels wide"
    moments = played(40)
    detail = Detail(1, throws=True)
    cut = next(
        moments[:size] for size in range(len(moments)) if frames_of(moments[:size], detail) >= 60
    )
    assert benchmark(lambda: encoded(frames(cut, View(), detail))).startswith(b"GIF89a")


def played(events: int) -> list[Moment]:
    """A random game of Zeno, as its replay shows it."""
    match, chance, shown = new_match(GAMES["zeno"], {}), Random(3), []
    for _ in range(events):
        event, before = next_event(match, chance), match
        match = follow(match, event)
        moves = event.moves if isinstance(event, Played) else ()
        for move in moves:
            before = replace(before, position=make(before.rules, before.position, move))
            scene = Scene(match.rules, before.position, ("Ana", "Ben"), "Zeno", "gold plays")
            shown.append(Moment(scene, Moved(move.source, move.target, move.hit), before.turn))
        if not moves:
            shown.append(
                Moment(Scene(match.rules, match.position, ("Ana", "Ben"), "Zeno", "gold to play"))
            )
    return shown


def test_the_event_loop_s_lateness_while_boards_are_drawn(benchmark: BenchmarkFixture) -> None:
    benchmark.group = "lateness of the event loop, milliseconds"
    late = benchmark.pedantic(  # type: ignore[no-untyped-call]
        lambda: asyncio.run(lateness()), rounds=3
    )
    benchmark.extra_info["p99_ms"] = round(statistics.quantiles(late, n=100)[98], 2)
    benchmark.extra_info["median_ms"] = round(statistics.median(late), 2)


async def lateness() -> list[float]:
    """Return by how many milliseconds each tick of the loop was late.

    Meanwhile boards are drawn back to back.
    """
    scene, late, over = shown(), [], time.perf_counter() + 2

    async def drawing() -> None:
        while time.perf_counter() < over:
            await asyncio.to_thread(draw, scene)

    task = asyncio.create_task(drawing())
    while time.perf_counter() < over:
        due = time.perf_counter() + 0.005
        await asyncio.sleep(0.005)
        late.append((time.perf_counter() - due) * 1000)
    await task
    return late
