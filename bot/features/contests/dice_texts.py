"""What is said of the dice of a league's match."""

from bot.features.matches.secret_origin import SecretOrigin
from bot.features.matches.texts import explain_weak_commitment
from bot.platform.i18n.reader import Reader
from engine import dice


def explain_league_dice(say: Reader, origin: SecretOrigin) -> tuple[str, ...]:
    """Tell where the secret of a league's match comes from, what that proves, and what not."""
    if origin.secret is None:
        league = say("The league's secret is revealed when the league is over.")
    else:
        league = say("The league's secret: `{secret}`", secret=origin.secret.hex())
    return (
        say(
            "This is pairing {pairing} of a league: its secret is derived from this number and the "
            "league's secret, whose SHA-256 is\n`{commitment}`",
            pairing=origin.pairing,
            commitment=origin.commitment,
        ),
        league,
        _explain_proof(say, origin),
    )


def _explain_proof(say: Reader, origin: SecretOrigin) -> str:
    posted = origin.posted_digits or 0
    if posted < dice.COMMITMENT_DIGITS:
        return explain_weak_commitment(say, posted)
    return say(
        "-# The league's secret was fixed before anybody joined, if these are the digits that its "
        "message showed then. Every throw also depends on the numbers that Discord gave the two "
        "players when they joined. The person who runs the bot could not choose a secret that "
        "suits them. They know the throws once sign-up ends, and people who join or leave shortly "
        "before could change who plays with which secret."
    )
