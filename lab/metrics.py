"""What the code looks like from outside, in figures: `python -m lab.metrics`."""

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
FOLDERS = ("engine", "render", "bot", "lab", "tests")
MAX_COLUMNS = 100
MIN_LINES = 150
"""Lines below which a module needs two importers: with one it belongs to its user."""
SHIPPED = ("bot", "render", "engine")

_IRREGULAR = frozenset(
    (
        *("begun", "born", "bought", "brought", "built", "caught", "chosen", "dealt", "done"),
        *("drawn", "driven", "fallen", "felt", "forbidden", "forgotten", "found", "given", "gone"),
        *("got", "heard", "held", "hidden", "kept", "known", "laid", "led", "left", "lent"),
        *("lost", "made", "meant", "met", "paid", "said", "seen", "sent", "shown", "sold"),
        *("spoken", "spent", "stolen", "struck", "stuck", "taken", "taught", "thought"),
        *("thrown", "told", "understood", "won", "worn", "written"),
    )
)
_NO_PARTICIPLES = frozenset(("embed", "exceed", "feed", "need", "seed", "speed"))
_PRAGMA = re.compile(r"#\s*(noqa|type:|pragma|fmt:)")
_TRAILING_PRAGMA = re.compile(r"\s+#\s*(noqa|type:).*$")


@dataclass(frozen=True, slots=True)
class ModuleMetrics:
    """What one module holds: its names, and its lines by what they are."""

    path: Path
    functions: tuple[str, ...]
    classes: tuple[str, ...]
    lines: int
    comments: int
    long_lines: int
    import_lines: int
    test_lines: int


@dataclass(frozen=True, slots=True)
class CodeMetrics:
    """Figures of some modules together; shares are from nought to one."""

    modules: int
    lines: int
    functions: int
    one_word: float
    participles: float
    comments: float
    long_lines: float
    imports: float
    outside_tests: float
    repeated_classes: tuple[str, ...]
    repeated_stems: int


@dataclass(frozen=True, slots=True)
class RoomMetrics:
    """How the modules of what is shipped lead to one another, by their dotted names.

    `lonely` are those of fewer than MIN_LINES lines that one module imports, with that module;
    `circles` the sets of modules that import one another, directly or by others, largest first.
    """

    lonely: Mapping[str, str]
    circles: tuple[frozenset[str], ...]


def measure_module(path: Path) -> ModuleMetrics:
    """Count what one module holds; tests and special methods are no names to be chosen."""
    source = path.read_text("utf-8")
    nodes = list(ast.walk(ast.parse(source)))
    functions = (
        node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    lines = source.splitlines()
    return ModuleMetrics(
        path,
        tuple(name for name in functions if not name.startswith(("test_", "__"))),
        tuple(node.name for node in nodes if isinstance(node, ast.ClassDef)),
        len(lines),
        sum(1 for _ in _list_comments(source)),
        sum(len(_TRAILING_PRAGMA.sub("", line)) > MAX_COLUMNS for line in lines),
        _count_lines(node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)),
        _count_lines(
            node
            for node in nodes
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and node.name.startswith("test_")
        ),
    )


def _count_lines(nodes: Iterable[ast.stmt]) -> int:
    """Return how many lines some statements take together, functions with their decorators."""
    spans = (
        (min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))]), node)
        for node in nodes
    )
    return sum((node.end_lineno or node.lineno) - first + 1 for first, node in spans)


def measure_code(folders: Iterable[str], root: Path = ROOT) -> CodeMetrics:
    """Measure all modules under some folders together."""
    return _sum_up(_measure_folders(folders, root), root)


def _measure_folders(folders: Iterable[str], root: Path) -> list[ModuleMetrics]:
    paths = (path for folder in folders for path in sorted((root / folder).rglob("*.py")))
    return [measure_module(path) for path in paths]


def _sum_up(modules: Sequence[ModuleMetrics], root: Path) -> CodeMetrics:
    paths = [module.path for module in modules]
    names = [name for module in modules for name in module.functions]
    lines = sum(module.lines for module in modules)
    classes = Counter(name for module in modules for name in module.classes)
    stems = Counter(
        path.stem for path in paths if not path.stem.startswith(("__", "test_", "conftest"))
    )
    return CodeMetrics(
        modules=len(modules),
        lines=lines,
        functions=len(names),
        one_word=_share(map(is_one_word, names)),
        participles=_share(map(opens_with_participle, names)),
        comments=sum(module.comments for module in modules) / max(lines, 1),
        long_lines=sum(module.long_lines for module in modules) / max(lines, 1),
        imports=sum(module.import_lines for module in modules) / max(lines, 1),
        outside_tests=1 - sum(module.test_lines for module in modules) / max(lines, 1),
        repeated_classes=tuple(sorted(name for name, times in classes.items() if times > 1)),
        repeated_stems=sum(times > 1 for times in stems.values()),
    )


def measure_rooms(packages: Sequence[str] = SHIPPED) -> RoomMetrics:
    """Measure how the modules of some importable packages lead to one another.

    Migrations are left out: they are found by their number, and nothing imports them.
    """
    first, *others = packages
    graph = grimp.build_graph(first, *others, cache_dir=None)
    modules = {each for each in graph.modules if ".migrations." not in each}
    importers = {
        module: set(graph.find_modules_that_directly_import(module)) & modules for module in modules
    }
    lonely = {
        module: next(iter(found))
        for module, found in sorted(importers.items())
        if len(found) == 1 and 0 < _count_module_lines(module) < MIN_LINES
    }
    return RoomMetrics(lonely, find_circles(importers))


def _count_module_lines(module: str) -> int:
    """Return how many lines a module has; none where it is a package."""
    path = ROOT.joinpath(*module.split(".")).with_suffix(".py")
    return len(path.read_text("utf-8").splitlines()) if path.is_file() else 0


def find_circles(neighbours: Mapping[str, Collection[str]]) -> tuple[frozenset[str], ...]:
    """Return the sets of nodes each of which leads to all others of its set, largest first."""
    reached = {node: _find_reachable(node, neighbours) for node in neighbours}
    circles = {
        frozenset(other for other in reached[node] if node in reached[other]) for node in neighbours
    }
    return tuple(sorted((circle for circle in circles if circle), key=lambda each: -len(each)))


def _find_reachable(start: str, neighbours: Mapping[str, Collection[str]]) -> set[str]:
    """Return all nodes that a node leads to, itself only where a way leads back."""
    found: set[str] = set()
    waiting = list(neighbours[start])
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += neighbours[node]
    return found


def is_one_word(name: str) -> bool:
    """Whether a function's name is one word, whatever it is and does."""
    return "_" not in name.strip("_")


def opens_with_participle(name: str) -> bool:
    """Whether a function's name opens with a past participle, which says neither what nor how."""
    word = name.strip("_").split("_")[0]
    # Names such as `red` are too short to be told from participles by their ending.
    regular = word.endswith("ed") and len(word) > len("used") and word not in _NO_PARTICIPLES
    return regular or word in _IRREGULAR


def format_table(folders: Sequence[str], root: Path = ROOT) -> str:
    """Return the figures as a table in Markdown, a column for each folder and one for all."""
    parts = [_measure_folders((folder,), root) for folder in folders]
    every = [_sum_up(part, root) for part in (*parts, [each for part in parts for each in part])]
    rows = [
        ["", *folders, "all"],
        ["---"] * (len(every) + 1),
        ["modules", *(str(each.modules) for each in every)],
        ["lines", *(str(each.lines) for each in every)],
        ["functions", *(str(each.functions) for each in every)],
        ["names of one word", *(f"{each.one_word:.1%}" for each in every)],
        ["names that open with a participle", *(f"{each.participles:.1%}" for each in every)],
        ["class names used twice", *(str(len(each.repeated_classes)) for each in every)],
        ["module names used twice", *(str(each.repeated_stems) for each in every)],
        ["comment lines", *(f"{each.comments:.1%}" for each in every)],
        [f"lines over {MAX_COLUMNS} columns", *(f"{each.long_lines:.2%}" for each in every)],
        ["lines of imports", *(f"{each.imports:.1%}" for each in every)],
        ["lines outside test functions", *(f"{each.outside_tests:.1%}" for each in every)],
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def format_rooms(rooms: RoomMetrics) -> str:
    """Return which modules one other alone imports, and which import one another."""
    lines = [f"{len(rooms.lonely)} modules under {MIN_LINES} lines with one importer:"]
    lines += (f"  {module} <- {importer}" for module, importer in rooms.lonely.items())
    lines.append(f"{len(rooms.circles)} circles of modules:")
    lines += (f"  {len(circle)}: {', '.join(sorted(circle))}" for circle in rooms.circles)
    return "\n".join(lines)


def _list_comments(source: str) -> Iterator[str]:
    """Return the lines that are a comment and nothing else, but for what only tools read."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        alone = token.line.strip().startswith("#")
        if token.type == tokenize.COMMENT and alone and not _PRAGMA.match(token.string):
            yield token.string


def _share(found: Iterable[bool]) -> float:
    every = list(found)
    return sum(every) / max(len(every), 1)


if __name__ == "__main__":
    sys.stdout.write(f"{format_table(FOLDERS)}\n\n{format_rooms(measure_rooms())}\n")
