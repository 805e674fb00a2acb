"""The messages of a match: the turn that is on, the turn that is over, and the end."""

from collections.abc import Sequence

from bot import words
from bot.app.play import Report
from bot.app.ratings import server
from bot.app.result import result_scene
from bot.app.scene import scene
from bot.app.table import Table
from bot.views.controls import rematch_control, turn_controls
from bot.views.post import Attached, Post
from engine.events import Event
from render.describe import text_board

MOST_TEXT = 1500
"""Characters of a board in plain lines that leave room for what is said around it."""


def turn_post(table: Table, story: str = "") -> Post:
    """Return the message for whoever acts now, told after what happened."""
    text = "\n".join(filter(None, (words.heading(table), story, words.prompt(table))))
    return Post(text, scene(table, words.status(table)), turn_controls(table), ping=table.to_act)


def closed_post(report: Report) -> Post:
    """Return what a finished turn leaves behind: what happened and the board, without buttons."""
    table = report.table
    return Post("\n".join((words.heading(table), words.story(report))), scene(table, words.status(table)))


def end_post(report: Report, events: Sequence[Event], record: bytes) -> Post:
    """Return the last message of a match: how it ended, the ratings, the dice's secret and a rematch."""
    table = report.table
    news = words.rating_news(report.ratings, server(table.row.guild), table.row.game)
    text = "\n".join((words.heading(table), words.story(report), words.result(table), news, words.revealed(table)))
    controls = (rematch_control(table),)
    last = result_scene(table, events, words.status(table))
    return Post(text, last, items=controls, seats=table.seats, file=Attached(f"match-{table.id}.json", record))


def board_post(table: Table, *, moves: bool = False) -> Post:
    """Return the board as it stands, without buttons, for one person's eyes; with `moves`, where men may go now."""
    shown = scene(table, words.status(table), moves=moves)
    return Post("\n".join((words.heading(table), words.prompt(table))), shown, seats=table.seats)


def text_post(table: Table) -> Post:
    """Return the board as it stands in plain lines."""
    lines = text_board(scene(table, words.status(table))).replace("```", "` ` `")
    return Post("\n".join((words.heading(table), f"```\n{lines[:MOST_TEXT]}\n```", words.prompt(table))))
