"""Every place where features add something is listed, with those who do."""

import re
from importlib import import_module

from bot.platform.features import ExtensionPoint, load_modules
from lab.extensions_page import build_page


def test_every_place_is_listed_with_the_features_that_add_to_it() -> None:
    load_modules()
    rows = re.findall(r"^\| `(\w+)` \| `([\w/.]+)` \| (.+) \| (.*) \|$", build_page(), re.MULTILINE)
    assert len(rows) > 40
    for name, module, text, by in rows:
        place = getattr(import_module(f"bot.{module.removesuffix('.py').replace('/', '.')}"), name)
        assert isinstance(place, ExtensionPoint)
        assert text.endswith(".")
        features = {each.__module__.split(".")[2] for each in place.list_functions()}
        assert features == {each.rpartition("/")[2] for each in by.split(", ")}, name
