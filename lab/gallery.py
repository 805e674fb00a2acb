"""Every game in every theme, to be looked at: `python -m lab.gallery FOLDER`.

Contact sheets show all the games side by side as wide as a phone shows them, at the start and under
way; single pictures show each game with the pixels that such a phone has, and as an exported
picture.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from PIL import Image

from engine.events import Battled, Event, Played, Thrown
from engine.games import GAMES
from engine.match import Match, Phase, apply_unchecked, find_forced_event, new_match
from engine.notation import parse_play
from engine.playout import choose_event
from engine.plays import make_move
from engine.position import Side
from engine.rules import Game
from render.board import compose_board
from render.bracket import BracketColumn, DrawnBracket, DrawnTie, TieSide, draw_bracket
from render.curve import Curve, draw_curve
from render.geometry import WIDTH
from render.replay import ReplayMoment, render_film
from render.scene import Die, Scene, SceneMove, SceneOption, View, sample_scene
from render.table import RowMark, Table, TableRow, TableSection, draw_table
from render.theme import load_themes

PHONE_WIDTH = 265
"""The width of a picture inside a card, in a phone's points."""
PIXELS_PER_POINT = 3
"""Pixels that a phone has to a point."""
COLUMNS = 6
GAP = 12
EVENTS = 45
"""After so many events a game is well under way."""
CURVE = Curve(
    "Wynflæd",
    "Rating, all games",
    "8 rated matches",
    (1000, 1031, 1022, 1060, 1094, 1081, 1077, 1112),
)
TABLE = Table(
    "Rumwoldstow league, season 2",
    ("Won", "Drawn", "Lost", "Points"),
    (
        TableSection(
            "Division A",
            (
                TableRow("1", "Alienor", ("3", "1", "0", "3½"), RowMark.CHAMPION),
                TableRow("2", "Bartholomew", ("3", "0", "1", "3")),
                TableRow("3", "Cristina", ("2", "0", "2", "2")),
                TableRow("4", "Drogo", ("1", "0", "3", "1")),
                TableRow("5", "Eudes", ("0", "1", "3", "½"), RowMark.DOWN),
            ),
        ),
        TableSection(
            "Division B",
            (
                TableRow("1", "Godfrey", ("3", "0", "0", "3"), RowMark.UP),
                TableRow("2", "Hawisa", ("1", "1", "1", "1½")),
                TableRow("3", "Ibn Khalid", ("1", "1", "1", "1½")),
                TableRow("4", "Joan", ("0", "0", "3", "0")),
            ),
            ("Places 2–3: head-to-head",),
        ),
    ),
    (
        (RowMark.CHAMPION, "has won"),
        (RowMark.UP, "moves up"),
        (RowMark.DOWN, "moves down"),
    ),
)
BRACKET = DrawnBracket(
    "Midsummer cup",
    (
        BracketColumn(
            "Quarter-finals",
            (
                DrawnTie(TieSide("Alienor", is_winner=True, seed="1"), TieSide("bye", is_out=True)),
                DrawnTie(TieSide("Drogo", "1", is_out=True), TieSide("Eudes", "2", is_winner=True)),
                DrawnTie(TieSide("Hawisa", "2", is_winner=True), TieSide("Joan", "0", is_out=True)),
                DrawnTie(
                    TieSide("Cristina", "2", is_winner=True), TieSide("Ida", "1", is_out=True)
                ),
            ),
        ),
        BracketColumn(
            "Semi-finals",
            (
                DrawnTie(
                    TieSide("Alienor", "2", is_winner=True), TieSide("Eudes", "0", is_out=True)
                ),
                DrawnTie(
                    TieSide("Hawisa", "1", is_out=True), TieSide("Cristina", "2", is_winner=True)
                ),
            ),
        ),
        BracketColumn(
            "Final",
            (
                DrawnTie(
                    TieSide("Alienor", "1", is_out=True),
                    TieSide("Cristina", "2", is_winner=True),
                    is_final=True,
                ),
            ),
        ),
    ),
    BracketColumn(
        "Third place",
        (DrawnTie(TieSide("Eudes", "2", is_winner=True), TieSide("Hawisa", "1", is_out=True)),),
    ),
)

REPLAY_TURNS = (
    *("6-5-1: z-s z-t z-y", "4-2-6: a-g a-e g-i", "1-2-1: y-w-u z-y", "3-4-2: a-e a-d e-g"),
    *("4-5-1: t-o s-o u-t", "5-2-1: d-i a-c e-f", "6-2-4: z-s z-u z-x", "3-2-4: a-e a-d-f"),
    *("2-1-2: o-m(2) t-s", "5-5-4: i-o(2) c-g", "2-2-1: s-q(2) x-w", "1-2-2: g-i(2) a-b"),
    *("2-2-3: z-w-t z-x", "3-2-5: o-t o-r-t"),
)
"""The first turns of Zeno between two computer players; black begins, and gold hits in the end."""
MAX_REPLAY_BYTES = 1_000_000
REPEAT_FOREVER = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
"""The extension that makes a GIF repeat; the replays in Discord are played once."""


def build_start_scene(game: Game) -> Scene:
    """Return a game before its first throw, with each side's way round."""
    return Scene(
        game.rules,
        game.rules.start_position,
        ("Gold", "Black"),
        game.title,
        "how the men start",
        ways=True,
    )


def build_midgame_scene(game: Game) -> Scene:
    """Return a game some throws later, with what was thrown and done and where men may go."""
    chance = Random(17)  # noqa: S311 - a game to look at, no secret
    match = shown = new_match(game, {})
    for _ in range(EVENTS):
        match = apply_unchecked(match, choose_event(match, chance))
        if match.phase is Phase.OVER:
            break
        # Shows the last moment at which men have moved, as the events may end with a throw.
        if match.moves:
            shown = match
    return _build_match_scene(shown)


def _build_match_scene(match: Match) -> Scene:
    return Scene(
        match.rules,
        match.position,
        ("Wynflæd of Shaftesbury", "Ælfric"),
        match.game.title,
        f"{match.turn} to play",
        dice=tuple(Die(number) for number in match.thrown),
        last=tuple(SceneMove(move.source, move.target, move.hit) for move in match.moves),
        turn=match.turn,
        thrower=match.thrower,
        options=tuple(
            SceneOption(move.source, move.target, move.number) for move in match.list_next_moves()
        ),
    )


def draw_replay() -> bytes:
    """Return the replay of the README: the first turns of a game of Zeno, over and over."""
    made = render_film(list(_iter_replay_moments()), View(), MAX_REPLAY_BYTES)
    # The last three bits of byte 10 give the size of the colour table, which follows byte 12.
    header_size = 13 + 3 * 2 ** ((made[10] & 7) + 1)
    return made[:header_size] + REPEAT_FOREVER + made[header_size:]


def _iter_replay_moments() -> Iterator[ReplayMoment]:
    match = new_match(GAMES["zeno"], {})
    yield ReplayMoment(_build_replay_scene(match))
    match = apply_unchecked(match, Battled((1,) * match.due_dice, (2,) * match.due_dice))
    for turn in REPLAY_TURNS:
        dice, _, typed = turn.partition(": ")
        match = apply_unchecked(match, Thrown(tuple(int(number) for number in dice.split("-"))))
        yield ReplayMoment(_build_replay_scene(match))
        play = Played(parse_play(typed, match.rules, match.position))
        shown = match
        for move in play.moves:
            position = make_move(shown.rules, shown.position, move)
            shown = replace(shown, position=position, moves=(*shown.moves, move))
            scene = _build_replay_scene(shown)
            yield ReplayMoment(scene, scene.last[-1], match.turn)
        match = _follow_all(match, play)


def _follow_all(match: Match, event: Event) -> Match:
    """Return the match after an event and all that follows from it by itself."""
    following: Event | None = event
    while following:
        match = apply_unchecked(match, following)
        following = find_forced_event(match)
    return match


def _build_replay_scene(match: Match) -> Scene:
    return replace(_build_match_scene(match), names=("Gold", "Black"), options=())


def draw_sheet(scenes: Sequence[Scene], view: View, width: int = PHONE_WIDTH) -> Image.Image:
    """Return pictures side by side, each so wide."""
    pictures = [
        resize_picture(compose_board(scene, view).convert("RGB"), width) for scene in scenes
    ]
    rows = [pictures[at : at + COLUMNS] for at in range(0, len(pictures), COLUMNS)]
    heights = [max(picture.height for picture in row) + GAP for row in rows]
    page = Image.new("RGB", ((width + GAP) * COLUMNS + GAP, sum(heights) + GAP), "#313338")
    top = GAP
    for row, height in zip(rows, heights, strict=True):
        for at, picture in enumerate(row):
            page.paste(picture, (GAP + (width + GAP) * at, top))
        top += height
    return page


def resize_picture(picture: Image.Image, width: int) -> Image.Image:
    """Return a picture of that width."""
    return picture.resize(
        (width, picture.height * width // picture.width), Image.Resampling.LANCZOS
    )


def draw_themes() -> Image.Image:
    """Return the same moment in every theme."""
    pictures = [
        resize_picture(compose_board(sample_scene(), View(theme)).convert("RGB"), WIDTH // 2)
        for theme in load_themes().values()
    ]
    wide, high = pictures[0].size
    page = Image.new("RGB", (2 * wide + GAP, 2 * high + GAP), "white")
    for at, picture in enumerate(pictures):
        page.paste(picture, ((wide + GAP) * (at % 2), (high + GAP) * (at // 2)))
    return page


def main(folder: Path) -> None:
    """Write the sheets and the single pictures into a folder."""
    singles = folder / "singles"
    singles.mkdir(parents=True, exist_ok=True)
    moments: dict[str, Callable[[Game], Scene]] = {
        "start": build_start_scene,
        "play": build_midgame_scene,
    }
    for moment, seen in moments.items():
        scenes = [seen(game) for game in GAMES.values()]
        for theme in load_themes().values():
            draw_sheet(scenes, View(theme)).save(folder / f"{theme.name}-{moment}.png")
        draw_sheet(scenes, View(below=Side.BLACK, numbered=True)).save(
            folder / f"black-below-{moment}.png"
        )
        for slug, scene in zip(GAMES, scenes, strict=True):
            resize_picture(
                compose_board(scene, View()).convert("RGB"), PHONE_WIDTH * PIXELS_PER_POINT
            ).save(singles / f"{slug}-{moment}.png")
            compose_board(scene, View(titled=True)).save(singles / f"{slug}-{moment}-titled.png")
    ended = replace(sample_scene(), dice=(), turn=None, note="", options=(), luck=(0.24, -0.62))
    compose_board(ended, View()).save(singles / "result.png")
    (singles / "curve.png").write_bytes(draw_curve(CURVE, View()))
    (singles / "table.png").write_bytes(draw_table(TABLE, View()))
    (singles / "bracket.png").write_bytes(draw_bracket(BRACKET, View()))
    (folder / "replay.gif").write_bytes(draw_replay())
    draw_themes().quantize(256).save(folder / "themes.png", optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
