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
from engine.match import apply_unchecked, new_match
from engine.playout import choose_event
from engine.plays import make_move
from engine.position_text import parse_position
from render.board import draw_board
from render.replay import Detail, ReplayMoment, count_frames, draw_frames, encode_gif
from render.scene import Scene, SceneMove, View

pytestmark = pytest.mark.bench

EMPEROR = "f7,i1,k2,t2,u2,y1 h2,l2,m2,n1,o2,p2,s2,w2 gold 6-5-2"


def build_scene() -> Scene:
    """The emperor's throw."""
    rules = GAMES["zeno"].rules
    position = parse_position(EMPEROR, rules)
    return Scene(
        rules=rules, position=position, names=("Zeno", "Ana"), title="Zeno", status="Zeno to play"
    )


def test_draw_and_encode(benchmark: BenchmarkFixture) -> None:
    benchmark.group = "a picture, 1080 pixels wide"
    scene = build_scene()
    assert benchmark(draw_board, scene).startswith(b"\x89PNG")


def test_reference_python_chess_through_cairosvg(benchmark: BenchmarkFixture) -> None:
    benchmark.group = "a picture, 1080 pixels wide"
    chess = pytest.importorskip("chess.svg", reason="python-chess is not installed")
    cairosvg = pytest.importorskip("cairosvg", reason="cairosvg is not installed")
    board = chess.chess.Board("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4")
    picture = benchmark(lambda: cairosvg.svg2png(chess.board(board), output_width=1080))
    assert picture.startswith(b"\x89PNG")


def test_reference_encode_alone(benchmark: BenchmarkFixture) -> None:
    benchmark.group = "a picture, 1080 pixels wide"
    with Image.open(io.BytesIO(draw_board(build_scene()))) as picture:
        picture.load()

    def encode() -> bytes:
        file = io.BytesIO()
        picture.save(file, "PNG", compress_level=2)
        return file.getvalue()

    assert benchmark(encode).startswith(b"\x89PNG")


def test_a_replay_of_sixty_frames(benchmark: BenchmarkFixture) -> None:
    benchmark.group = "a picture, 1080 pixels wide"
    moments = build_moments(40)
    detail = Detail(1, throws=True)
    cut = next(
        moments[:size] for size in range(len(moments)) if count_frames(moments[:size], detail) >= 60
    )
    assert benchmark(lambda: encode_gif(draw_frames(cut, View(), detail))).startswith(b"GIF89a")


def build_moments(events: int) -> list[ReplayMoment]:
    """A random game of Zeno, as its replay shows it."""
    match, chance, shown = new_match(GAMES["zeno"], {}), Random(3), []
    for _ in range(events):
        event, before = choose_event(match, chance), match
        match = apply_unchecked(match, event)
        moves = event.moves if isinstance(event, Played) else ()
        for move in moves:
            before = replace(before, position=make_move(before.rules, before.position, move))
            scene = Scene(match.rules, before.position, ("Ana", "Ben"), "Zeno", "gold plays")
            shown.append(
                ReplayMoment(scene, SceneMove(move.source, move.target, move.hit), before.turn)
            )
        if not moves:
            shown.append(
                ReplayMoment(
                    Scene(match.rules, match.position, ("Ana", "Ben"), "Zeno", "gold to play")
                )
            )
    return shown


def test_the_event_loop_s_lateness_while_boards_are_drawn(benchmark: BenchmarkFixture) -> None:
    benchmark.group = "lateness of the event loop, milliseconds"
    late = benchmark.pedantic(  # type: ignore[no-untyped-call]
        lambda: asyncio.run(measure_lateness()), rounds=3
    )
    benchmark.extra_info["p99_ms"] = round(statistics.quantiles(late, n=100)[98], 2)
    benchmark.extra_info["median_ms"] = round(statistics.median(late), 2)


async def measure_lateness() -> list[float]:
    """Return by how many milliseconds each tick of the loop was late.

    Meanwhile boards are drawn back to back.
    """
    scene, late, over = build_scene(), [], time.perf_counter() + 2

    async def drawing() -> None:
        while time.perf_counter() < over:
            await asyncio.to_thread(draw_board, scene)

    task = asyncio.create_task(drawing())
    while time.perf_counter() < over:
        due = time.perf_counter() + 0.005
        await asyncio.sleep(0.005)
        late.append((time.perf_counter() - due) * 1000)
    await task
    return late
