"""Cards: a challenge, a result, a leaderboard and somebody's ratings over time, in the colours of a theme."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from PIL import Image

from engine.board import TABLES
from engine.position import Side
from render import art, geometry
from render.board import compose, encoded
from render.canvas import Canvas, fitted, text_font, title_font
from render.describe import cut, standing
from render.geometry import Box
from render.ground import palette
from render.scene import Scene, View
from render.theme import Theme

WIDTH = 1200
_MARGIN = 48


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge to a game: the start of it, what it is like, and on what terms."""

    scene: Scene
    tagline: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Player:
    """One side of a result: who played it, its ratings before and after where it was rated, and its luck in pips."""

    name: str
    side: Side
    before: str
    after: str
    luck: float


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended: the last board, what came of it, and how kind the dice were."""

    scene: Scene
    headline: str
    by: str
    players: tuple[Player, Player]
    throws: int


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a leaderboard."""

    rank: str
    name: str
    rating: str
    record: str
    mine: bool = False


@dataclass(frozen=True, slots=True)
class Ranking:
    """One page of a leaderboard."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """Somebody's ratings, one after each rated match, the oldest first."""

    name: str
    title: str
    ratings: tuple[int, ...]


Card: TypeAlias = Challenge | Result | Ranking | Curve


def draw_card(card: Card, view: View) -> bytes:
    """Return a card as a PNG of 1200 pixels' width with a palette."""
    theme = view.theme_of(card.scene.rules.board if isinstance(card, Challenge | Result) else TABLES)
    match card:
        case Challenge():
            image = _challenge(card, theme, view)
        case Result():
            image = _result(card, theme, view)
        case Ranking():
            image = _ranking(card, theme)
        case _:
            image = _curve(card, theme)
    return encoded(image.quantize(palette=palette(theme), dither=Image.Dither.NONE))


def describe_card(card: Card) -> str:
    """Return what a card shows in words, in at most 1024 characters."""
    return cut(f"{'. '.join(_sentences(card))}.")


def _sentences(card: Card) -> Iterator[str]:
    match card:
        case Challenge(scene, tagline, terms):
            yield f"A challenge to {scene.title}"
            yield from standing(scene)
            yield from (words[:1].upper() + words[1:].removesuffix(".") for words in (tagline, *terms))
        case Result(scene, headline, by, players, throws):
            yield f"{scene.title}. {headline}: {by}"
            for one in players:
                yield f"{one.name} ({one.side}): {_rated(one)}dice {one.luck:+.0f} pips from the average"
            yield f"{throws} throws"
            yield from standing(scene)
        case Ranking(title, lines):
            yield title
            yield from (f"{line.rank} {line.name} {line.rating}, {line.record}" for line in lines)
        case Curve(name, title, ratings):
            yield f"{name}, {title}, match by match: {', '.join(map(str, ratings))}"


def _rated(player: Player) -> str:
    return f"rating {player.before} to {player.after}, " if player.after else ""


def _paper(theme: Theme, height: int) -> Canvas:
    canvas = Canvas(Image.new("RGB", (WIDTH, height), theme.page))
    pen = canvas.pen
    pen.rectangle((12, 12, WIDTH - 13, height - 13), outline=theme.frame, width=6)
    pen.rectangle((22, 22, WIDTH - 23, height - 23), outline=theme.cord, width=3)
    return canvas


def _write(canvas: Canvas, at: tuple[int, int], words: str, size: int, theme: Theme, room: int, anchor: str) -> None:
    canvas.text(at, fitted(words, text_font(size), room), theme.ink, text_font(size), anchor)


def _head(canvas: Canvas, at: tuple[int, int], words: str, size: int, theme: Theme, room: int) -> None:
    canvas.text(at, fitted(words, title_font(size), room), theme.ink, title_font(size), "lm")


def _challenge(card: Challenge, theme: Theme, view: View) -> Image.Image:
    canvas = _paper(theme, 500)
    room = _board(canvas, card.scene, view)
    _head(canvas, (_MARGIN, 88), card.scene.title, 48, theme, room)
    _lines(canvas, (_MARGIN, 140), card.tagline, 27, theme, room, 3)
    for at, (side, name) in enumerate(zip(Side, card.scene.names, strict=True)):
        y = 286 + 54 * at
        canvas.place(art.man(theme, side, 44), (_MARGIN + 24, y))
        _write(canvas, (_MARGIN + 62, y), name, 32, theme, room - 70, "lm")
    for at, words in enumerate(card.terms[:3]):
        _write(canvas, (_MARGIN, 388 + 34 * at), words, 24, theme, room, "lm")
    return canvas.image


def _board(canvas: Canvas, scene: Scene, view: View) -> int:
    """Put a small board to the right and return the room that it leaves to the left."""
    frame = geometry.FRAME
    board = compose(scene, view, 2).convert("RGB")
    inside = board.crop((frame.left // 2, frame.top // 2, frame.right // 2, frame.bottom // 2))
    canvas.image.paste(inside, (WIDTH - _MARGIN - inside.width, (canvas.image.height - inside.height) // 2))
    return WIDTH - 3 * _MARGIN - inside.width


def _lines(canvas: Canvas, at: tuple[int, int], text: str, size: int, theme: Theme, room: int, most: int) -> None:
    """Write a text on several lines; what the last cannot hold is cut short."""
    font, words = text_font(size), text.split()
    for line in range(most):
        count = len(words)
        while count > 1 and font.getlength(" ".join(words[:count])) > room:
            count -= 1
        taken, words = (words, []) if line == most - 1 else (words[:count], words[count:])
        _write(canvas, (at[0], at[1] + line * (size + 9)), " ".join(taken), size, theme, room, "lm")


def _result(card: Result, theme: Theme, view: View) -> Image.Image:
    canvas = _paper(theme, 500)
    room = _board(canvas, card.scene, view)
    _head(canvas, (_MARGIN, 82), card.headline, 46, theme, room)
    said = f"{card.scene.title}: {card.by}; {card.throws} throws."
    _lines(canvas, (_MARGIN, 132), said, 26, theme, room, 2)
    most = max(10.0, *(abs(player.luck) for player in card.players))
    for at, player in enumerate(card.players):
        y, left = 228 + 132 * at, _MARGIN + 78
        canvas.place(art.man(theme, player.side), (_MARGIN + 30, y))
        rated = f"{player.before} → {player.after}" if player.after else ""
        wide = round(title_font(30).getlength(rated))
        _write(canvas, (left, y), player.name, 34, theme, room - 78 - wide - 16, "lm")
        canvas.text((_MARGIN + room, y), rated, theme.ink, title_font(30), "rm")
        _luck(canvas, Box(left, y + 36, left + 250, y + 60), player.luck / most, theme)
        _write(canvas, (left + 266, y + 48), f"luck {player.luck:+.0f} pips", 24, theme, room - 344, "lm")
    return canvas.image


def _luck(canvas: Canvas, box: Box, share: float, theme: Theme) -> None:
    """Draw a bar from the middle: to the right for kind dice, to the left for unkind ones."""
    pen, middle = canvas.pen, (box.left + box.right) // 2
    pen.rectangle(box.edges, fill=theme.plates[0], outline=theme.frame, width=2)
    end = middle + round(share * ((box.right - box.left) // 2 - 4))
    pen.rectangle((min(middle, end), box.top + 4, max(middle, end), box.bottom - 4), fill=theme.accent)
    pen.line((middle, box.top - 6, middle, box.bottom + 6), fill=theme.ink, width=3)


def _ranking(card: Ranking, theme: Theme) -> Image.Image:
    step = 58
    canvas = _paper(theme, 150 + step * max(1, len(card.lines)))
    _head(canvas, (_MARGIN, 74), card.title, 44, theme, WIDTH - 2 * _MARGIN)
    for at, line in enumerate(card.lines):
        y = 142 + step * at
        if line.mine:
            canvas.badge(Box(_MARGIN - 12, y - 25, WIDTH - _MARGIN + 12, y + 25), theme.plates[0], theme.accent, 3)
        _write(canvas, (_MARGIN + 60, y), line.rank, 32, theme, 70, "rm")
        _write(canvas, (_MARGIN + 84, y), line.name, 32, theme, 470, "lm")
        canvas.text((730, y), line.rating, theme.ink, title_font(34), "rm")
        _write(canvas, (WIDTH - _MARGIN, y), line.record, 26, theme, 410, "rm")
    return canvas.image


def _curve(card: Curve, theme: Theme) -> Image.Image:
    canvas = _paper(theme, 520)
    pen = canvas.pen
    _head(canvas, (_MARGIN, 74), card.name, 44, theme, 640)
    _write(canvas, (WIDTH - _MARGIN, 76), card.title, 28, theme, 420, "rm")
    box = Box(130, 120, WIDTH - 60, 460)
    low, high = _scale(card.ratings)
    for rating in range(low, high + 1, _step(low, high)):
        y = _height(box, rating, low, high)
        pen.line((box.left, y, box.right, y), fill=theme.cord, width=2)
        canvas.text((box.left - 14, y), str(rating), theme.ink, text_font(24), "rm")
    spots = [(_across(box, at, len(card.ratings)), _height(box, one, low, high)) for at, one in enumerate(card.ratings)]
    pen.line(spots, fill=theme.accent, width=6, joint="curve")
    for x, y in (spots[0], spots[-1]) if spots else ():
        pen.ellipse((x - 8, y - 8, x + 8, y + 8), fill=theme.accent, outline=theme.page, width=2)
    canvas.text((box.right, box.bottom + 22), _matches(len(card.ratings)), theme.ink, text_font(24), "rm")
    return canvas.image


def _matches(count: int) -> str:
    return "one rated match" if count == 1 else f"{count} rated matches"


def _step(low: int, high: int) -> int:
    return next(step for step in (20, 50, 100, 200, 500, 1000, 5000) if (high - low) / step <= 6 or step == 5000)


def _scale(ratings: Sequence[int]) -> tuple[int, int]:
    """Return round numbers below and above every rating."""
    low, high = min(ratings, default=1000), max(ratings, default=1000)
    step = _step(low, high)
    return low // step * step, (high // step + 1) * step


def _across(box: Box, at: int, count: int) -> int:
    return box.left + (box.right - box.left) * (at + 1) // (count + 1)


def _height(box: Box, rating: int, low: int, high: int) -> int:
    return box.bottom - (rating - low) * (box.bottom - box.top) // (high - low)
