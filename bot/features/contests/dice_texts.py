"""What is said of the dice of a league's match."""

from bot.features.matches.secret_origin import SecretOrigin
from bot.platform.i18n.reader import Reader


def explain_league_dice(say: Reader, origin: SecretOrigin) -> tuple[str, ...]:
    """Tell where the secret of a league's match comes from, what that proves, and what not."""
    if origin.secret is None:
        league = say("The league's secret is revealed when the league is over.")
    else:
        league = say("The league's secret: `{secret}`", secret=origin.secret.hex())
    return (
        say(
            "This is pairing {pairing} of a league: its secret was fixed when the league opened, "
            "as it's derived from this number and the league's secret, whose SHA-256 is\n"
            "`{commitment}`",
            pairing=origin.pairing,
            commitment=origin.commitment,
        ),
        league,
        say(
            "-# Every throw also depends on the numbers that Discord gave the two players when "
            "they joined. The person who runs the bot could not choose a secret that suits them. "
            "They know the throws once sign-up ends, and people who join or leave shortly before "
            "could change who plays with which secret."
        ),
    )
