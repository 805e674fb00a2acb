"""The job by which a server is greeted."""

from bot.platform.jobs.payloads import JobPayload, Subject


class GreetServer(JobPayload, kind="greet", about=Subject.SERVER):
    """Tell a server that has invited the bot how to begin, and what it lacks."""

    server: int
