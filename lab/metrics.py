"""What the code looks like from outside, in figures: `python -m lab.metrics`."""

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("engine", "render", "bot", "lab", "tests")
MAX_COLUMNS = 100
MAX_LINES = 400

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


@dataclass(frozen=True, slots=True)
class CodeMetrics:
    """Figures of some modules together; shares are from nought to one."""

    modules: int
    functions: int
    one_word: float
    participles: float
    comments: float
    long_lines: float
    repeated_classes: tuple[str, ...]
    repeated_stems: int
    long_modules: tuple[str, ...]


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
    )


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
        functions=len(names),
        one_word=_share(map(is_one_word, names)),
        participles=_share(map(opens_with_participle, names)),
        comments=sum(module.comments for module in modules) / max(lines, 1),
        long_lines=sum(module.long_lines for module in modules) / max(lines, 1),
        repeated_classes=tuple(sorted(name for name, times in classes.items() if times > 1)),
        repeated_stems=sum(times > 1 for times in stems.values()),
        long_modules=tuple(
            str(module.path.relative_to(root)) for module in modules if module.lines > MAX_LINES
        ),
    )


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
        [f"modules over {MAX_LINES} lines", *(str(len(each.long_modules)) for each in every)],
        ["functions", *(str(each.functions) for each in every)],
        ["names of one word", *(f"{each.one_word:.1%}" for each in every)],
        ["names that open with a participle", *(f"{each.participles:.1%}" for each in every)],
        ["class names used twice", *(str(len(each.repeated_classes)) for each in every)],
        ["module names used twice", *(str(each.repeated_stems) for each in every)],
        ["comment lines", *(f"{each.comments:.1%}" for each in every)],
        [f"lines over {MAX_COLUMNS} columns", *(f"{each.long_lines:.2%}" for each in every)],
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


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
    sys.stdout.write(format_table(FOLDERS) + "\n")
