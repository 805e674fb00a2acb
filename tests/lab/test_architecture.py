"""The picture of the architecture: every import leads down, and everything is inside it."""

from xml.etree import ElementTree as ET

import grimp
import pytest

from bot import features
from lab.architecture import WIDTH, list_libraries, rank_parts
from lab.docs import DOCS


def build_graph(*imports: tuple[str, str]) -> grimp.ImportGraph:
    """Return a graph of modules that import one another so."""
    graph = grimp.ImportGraph()
    for importer, imported in imports:
        for module in (importer, imported):
            graph.add_module(module)
        graph.add_import(importer=importer, imported=imported)
    return graph


def test_a_part_stands_above_all_that_it_imports_and_as_low_as_it_can() -> None:
    graph = build_graph(("a.x", "b.y"), ("b.y", "c"), ("d", "c"))
    for package in ("a", "b"):
        graph.add_module(package)
    assert rank_parts(graph, ("a", "b", "c", "d")) == [["a"], ["b", "d"], ["c"]]


def test_a_circle_is_refused() -> None:
    with pytest.raises(ValueError, match="a, b import one another in a circle"):
        rank_parts(build_graph(("a", "b"), ("b", "a"), ("a", "c")), ("a", "b", "c"))


def test_libraries_are_neither_ours_nor_pythons() -> None:
    graph = build_graph(("render", "PIL"), ("render.x", "engine"), ("render.x", "struct"))
    assert list_libraries(graph, "render") == ["PIL"]


def test_every_feature_is_in_the_picture_and_nothing_stands_out() -> None:
    # That it is what the imports make of it is held by the test of all generated pages.
    root = ET.parse(DOCS / "pictures" / "architecture.svg").getroot()
    texts = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    folder = DOCS.parent.joinpath(*features.__name__.split("."))
    assert {each.parent.name for each in folder.glob("*/__init__.py")} <= texts
    for box in root.iter("{http://www.w3.org/2000/svg}rect"):
        assert float(box.get("x", 0)) + float(box.get("width", 0)) <= WIDTH
