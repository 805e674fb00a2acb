"""Asking people whether their finished matches may be published."""

from bot.features.privacy.service import DELETION_REQUESTS
from bot.features.publication.store import Consent, Consents
from bot.platform.context import App
from bot.platform.people import DiscordPerson

PSEUDONYM_BYTES = 8


async def find_consent(app: App, person: int) -> Consent | None:
    """Return what somebody answered; None if they haven't yet, or are to be asked again."""
    consent = await app.store.get(Consents).find(person)
    return consent if consent is not None and consent.is_settled else None


async def save_consent(app: App, person: DiscordPerson, *, agrees: bool) -> None:
    """Keep what somebody answered; who withdraws and agrees once more gets another pseudonym."""
    await app.save_people(person)
    pseudonym = app.entropy(PSEUDONYM_BYTES).hex() if agrees else None
    await app.store.get(Consents).save(person.id, app.clock(), pseudonym)


@DELETION_REQUESTS.add()
async def withdraw(app: App, person: int) -> None:
    """Let nothing be published of somebody while their data waits to be deleted."""
    await app.store.get(Consents).withdraw(person)
