"""The schema of somebody's data names every table with rows of theirs, the policy every promise."""

from pathlib import Path

from bot.features.privacy.delivery import FORMAT
from bot.platform.db.tables import Erasure, PersonalColumn
from lab.fields_page import load_schema
from tests.store.test_privacy import COLUMNS

ROOT = Path(__file__).parents[2]


def test_every_table_is_described() -> None:
    tables = {
        name.partition(".")[0]
        for name, rule in COLUMNS.items()
        if isinstance(rule, PersonalColumn) and rule.erasure is not Erasure.JOB
    } - {"jobs"}
    properties = load_schema("data")["properties"]
    assert {*properties["tables"]["properties"]} == tables | {"reports"}
    assert properties["format"] == {**properties["format"], "const": FORMAT}
    page = (ROOT / "docs" / "record.md").read_text("utf-8")
    assert "`data.json`" in page


def test_the_policy_says_what_discord_asks_for() -> None:
    policy = (ROOT / "PRIVACY.md").read_text("utf-8")
    for promise in ("`/data`", "*Export*", "*Delete…*", "not used to train", "30 days"):
        assert promise in " ".join(policy.split())
    assert "(PRIVACY.md)" in (ROOT / "README.md").read_text("utf-8")
    assert "(TERMS.md)" in (ROOT / "README.md").read_text("utf-8")
