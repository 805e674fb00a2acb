"""Pictures as files: what another program reads in them is what was drawn."""

import io

import pytest
from PIL import Image

from render.board import compose_board
from render.png import encode_png
from render.scene import View, sample_scene


@pytest.mark.parametrize("shrunk", [1, 2])
def test_a_picture_is_read_as_it_was_drawn(shrunk: int) -> None:
    drawn = compose_board(sample_scene(), View(), shrunk)
    with Image.open(io.BytesIO(encode_png(drawn))) as image:
        # Its checksums are compared, too.
        image.verify()
    with Image.open(io.BytesIO(encode_png(drawn))) as image:
        assert (image.size, image.mode) == (drawn.size, "P")
        assert image.getpalette() == drawn.getpalette()
        assert image.tobytes() == drawn.tobytes()


def test_a_board_takes_no_more_bytes_than_as_pillow_writes_it() -> None:
    drawn = compose_board(sample_scene(), View())
    usual = io.BytesIO()
    drawn.save(usual, "PNG", compress_level=2)
    assert len(encode_png(drawn)) < len(usual.getvalue())
