"""The job that a finished match brings to reports."""

from bot.platform.jobs.payloads import JobPayload, Subject


class MakeReport(JobPayload, kind="report", about=Subject.MATCH):
    """Judge a finished match, and keep the report."""

    match: int
