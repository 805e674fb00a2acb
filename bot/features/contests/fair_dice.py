"""What a match of a league adds to its record and its page about dice: the league's secret."""

from bot.features.contests.dice_texts import explain_league_dice
from bot.features.matches.extensions import DICE_LINES, SECRET_ORIGINS
from bot.features.matches.secret_origin import SecretOrigin
from bot.features.matches.session import MatchSession
from bot.platform.context import App
from bot.platform.i18n.reader import Reader


@SECRET_ORIGINS.add()
async def load_league_origin(app: App, session: MatchSession) -> SecretOrigin | None:
    """Return from which league's secret that of a match is derived."""
    if session.row.contest is None:
        return None
    return await app.store.contests.load_origin(session.id)


@DICE_LINES.add()
async def load_league_dice_lines(app: App, say: Reader, session: MatchSession) -> tuple[str, ...]:
    """Return what the dice of a league's match prove."""
    origin = await load_league_origin(app, session)
    return explain_league_dice(say, origin) if origin else ()
