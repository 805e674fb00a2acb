"""The job by which a seat is offered."""

from bot.platform.jobs.payloads import JobPayload, Subject


class OfferSeat(
    JobPayload,
    kind="offer seat",
    about=Subject.MATCH,
    key="{match}:{holder}:{taker}:{by}",
    needs_server=True,
):
    """Ask somebody to take another's seat in a match; `by` is who offers it."""

    match: int
    holder: int
    taker: int
    by: int
