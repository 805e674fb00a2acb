"""The jobs by which people get their data, and by which it is deleted."""

from bot.platform.jobs.payloads import JobPayload, Subject


class ExportData(JobPayload, kind="export data", about=Subject.PERSON):
    """Send somebody all that is stored of them, as they asked for at an instant."""

    person: int
    at: int


class DeletePerson(JobPayload, kind="delete person", about=Subject.PERSON):
    """Delete somebody's data."""

    person: int


class RetirePlayer(JobPayload, kind="retire player", about=Subject.PERSON):
    """End what somebody whose data is deleted still takes part in, under their pseudonym."""

    person: int


class DeleteServer(JobPayload, kind="delete server", about=Subject.SERVER):
    """Delete a server's data; where it `left` the bot, only if it has not come back since."""

    server: int
    left: bool = False


class ExportServer(JobPayload, kind="export server", about=Subject.SERVER):
    """Send the owner of a server all that is stored of it, as they asked for at an instant."""

    server: int
    owner: int
    at: int
