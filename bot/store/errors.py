"""What can go wrong in the store."""


class StoreError(Exception):
    """The database cannot be used, or could not take a change; the message is one sentence, and nothing was changed."""


class Stale(Exception):
    """The match has more events than the action knew of."""


class Taken(Exception):
    """The seat is taken, or the challenge is open no longer."""
