"""Wishes that are refused before the rules are asked: each carries its one sentence."""


class Declined(Exception):
    """Something a person may not do, or not now; nothing has changed. The message says so in one sentence."""


class Stale(Declined):
    """The match has moved on since the button was shown or the command was typed."""

    def __init__(self) -> None:
        super().__init__(
            "The match has moved on since then; its newest message shows how it stands, and `/board` does too."
        )
