"""One board's picture, beside encoding the finished picture alone."""

import io

import pytest
from PIL import Image
from pytest_benchmark.fixture import BenchmarkFixture

from engine.games import GAMES
from engine.reading import parse_position
from render.board import draw
from render.scene import Scene

pytestmark = pytest.mark.bench

EMPEROR = "f7,i1,k2,t2,u2,y1 h2,l2,m2,n1,o2,p2,s2,w2 gold 6-5-2"


def shown() -> Scene:
    """The emperor's throw."""
    rules = GAMES["zeno"].rules
    position = parse_position(EMPEROR, rules)
    return Scene(rules=rules, position=position, names=("Zeno", "Ana"), title="Zeno", status="Zeno to play")


def test_draw_and_encode(benchmark: BenchmarkFixture) -> None:
    benchmark.group = "a picture, 1200 pixels wide"
    scene = shown()
    assert benchmark(draw, scene).startswith(b"\x89PNG")


def test_reference_python_chess_through_cairosvg(benchmark: BenchmarkFixture) -> None:
    benchmark.group = "a picture, 1200 pixels wide"
    chess = pytest.importorskip("chess.svg", reason="python-chess is not installed")
    cairosvg = pytest.importorskip("cairosvg", reason="cairosvg is not installed")
    board = chess.chess.Board("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4")
    picture = benchmark(lambda: cairosvg.svg2png(chess.board(board), output_width=1200))
    assert picture.startswith(b"\x89PNG")


def test_reference_encode_alone(benchmark: BenchmarkFixture) -> None:
    benchmark.group = "a picture, 1200 pixels wide"
    with Image.open(io.BytesIO(draw(shown()))) as picture:
        picture.load()

    def encode() -> bytes:
        file = io.BytesIO()
        picture.save(file, "PNG", compress_level=3)
        return file.getvalue()

    assert benchmark(encode).startswith(b"\x89PNG")
