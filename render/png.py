"""Palette images as PNGs, with a faster deflate than Pillow's."""

import struct

from isal import isal_zlib
from PIL import Image

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_BITS, _BY_PALETTE = 8, 3
"""What a pixel is: so many bits, the number of its colour."""
_LEVEL = 1
"""A board is written in a quarter of the time of Pillow's level 2, in 4% fewer bytes; isal's 2
gives no more."""


def encode_png(image: Image.Image) -> bytes:
    """Return an image by palette as a PNG."""
    # Each row begins with the number of its filter, here 0: none, as others don't suit a palette.
    rows = Image.new("P", (image.width + 1, image.height))
    rows.paste(image, (1, 0))
    header = struct.pack(">IIBBBBB", *image.size, _BITS, _BY_PALETTE, 0, 0, 0)
    chunks = (
        (b"IHDR", header),
        (b"PLTE", bytes(image.getpalette() or ())),
        (b"IDAT", isal_zlib.compress(rows.tobytes(), _LEVEL)),
        (b"IEND", b""),
    )
    return _SIGNATURE + b"".join(_build_chunk(kind, content) for kind, content in chunks)


def _build_chunk(kind: bytes, content: bytes) -> bytes:
    checksum = isal_zlib.crc32(content, isal_zlib.crc32(kind))
    return b"".join((struct.pack(">I", len(content)), kind, content, struct.pack(">I", checksum)))
