"""docs/data.md names every table of which a person can get rows, and the policy every promise."""

import re
from pathlib import Path

from bot.features.privacy.columns import COLUMNS, Erasure, PersonalColumn
from bot.features.privacy.export import DOCUMENT, FORMAT

ROOT = Path(__file__).parents[2]


def test_every_table_is_described() -> None:
    page = (ROOT / "docs" / "data.md").read_text("utf-8")
    tables = {
        name.partition(".")[0]
        for name, rule in COLUMNS.items()
        if isinstance(rule, PersonalColumn) and rule.erasure is not Erasure.JOB
    } - {"jobs"}
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    described = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert described == tables | {"reports"}
    assert f'"format": {{"const": {FORMAT}}}' in page
    assert f"`{DOCUMENT}`" in page


def test_the_policy_says_what_discord_asks_for() -> None:
    policy = (ROOT / "PRIVACY.md").read_text("utf-8")
    for promise in ("`/data delete`", "`/data export`", "not used to train", "30 days"):
        assert promise in " ".join(policy.split())
    assert "(PRIVACY.md)" in (ROOT / "README.md").read_text("utf-8")
    assert "(TERMS.md)" in (ROOT / "README.md").read_text("utf-8")
