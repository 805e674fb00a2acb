"""Mutants: how many small faults in what must not fail the tests find, `python -m lab.mutants`.

cosmic-ray says how a module can be changed a little: a comparison turned round, a number off by
one, a loop that ends early. Each change is made in a copy of the checkout, where the tests of that
part should fail. One that survives is printed: it shows a test that is missing, or code that
changes nothing.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from cosmic_ray.ast import Visitor, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).parents[1]
EACH = 20
"""Mutants of each part that are tried unless told otherwise."""
TIMEOUT_S = 600
"""Seconds after which tests that do not end count as failed: the mutant may loop for ever."""


@dataclass(frozen=True, slots=True)
class MutatedPart:
    """A part of the program, its modules as patterns, and the tests that should find its faults."""

    name: str
    modules: tuple[str, ...]
    tests: tuple[str, ...]


PARTS = (
    MutatedPart(
        "rules",
        ("engine/search/*.py", "engine/games/*.py", "engine/throws.py", "engine/ending.py"),
        ("tests/engine", "tests/conformance"),
    ),
    MutatedPart(
        "match machine",
        ("engine/match.py", "engine/events.py", "engine/outcome.py"),
        ("tests/engine", "tests/conformance"),
    ),
    MutatedPart(
        "clock",
        ("engine/clock.py", "bot/features/matches/clock.py", "bot/platform/outages.py"),
        (
            *("tests/engine/test_clock.py", "tests/bot/test_clocks.py", "tests/bot/test_zones.py"),
            *("tests/bot/test_substitution.py", "tests/bot/test_reach.py"),
        ),
    ),
    MutatedPart(
        "ratings",
        ("bot/features/ratings/*.py",),
        (
            *("tests/bot/test_ratings.py", "tests/bot/test_rating.py"),
            *("tests/store/test_rerating.py", "tests/store/test_daily_limit.py"),
            *("tests/store/test_facts.py", "tests/store/test_standings.py"),
            "tests/store/test_seasons.py",
            *("tests/bot/test_moderation.py", "tests/bot/test_history.py", "tests/upkeep"),
        ),
    ),
    MutatedPart(
        "store",
        (
            *("bot/features/matches/store/__init__.py", "bot/features/challenges/store.py"),
            *("bot/platform/db/jobs.py", "bot/platform/db/pauses.py"),
            "bot/platform/db/database.py",
        ),
        ("tests/store", "tests/bot/test_matches.py"),
    ),
    MutatedPart(
        "contests",
        (
            *("bot/features/contests/swiss.py", "bot/features/contests/bracket.py"),
            *("bot/features/contests/standings.py", "bot/features/contests/results.py"),
            "bot/features/contests/planning.py",
        ),
        (
            *("tests/bot/test_swiss_rules.py", "tests/bot/test_league_rules.py"),
            *("tests/bot/test_bracket_rules.py", "tests/bot/test_pairings.py"),
            *("tests/bot/test_tournaments.py", "tests/bot/test_leagues.py"),
        ),
    ),
    MutatedPart(
        "delivery",
        (
            *("bot/features/matches/delivery.py", "bot/features/matches/places.py"),
            "bot/features/matches/session.py",
        ),
        (
            *("tests/bot/test_delivery.py", "tests/bot/test_reach.py", "tests/bot/test_threads.py"),
            *("tests/bot/test_single.py", "tests/bot/test_quiet.py", "tests/bot/test_matches.py"),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one small fault."""

    module: Path
    source: str

    def describe(self) -> str:
        """Return what was changed, as a diff."""
        before = (ROOT / self.module).read_text(encoding="utf-8").splitlines()
        lines = unified_diff(before, self.source.splitlines(), str(self.module), "mutant", n=1)
        return "\n".join(line.rstrip() for line in lines)


@dataclass(frozen=True, slots=True)
class MutationSite:
    """One change that one of cosmic-ray's operators can make."""

    module: Path
    operator: str
    occurrence: int


class _Normaliser(ast.NodeTransformer):
    """Removes differences that no test can find.

    Only a type checker reads types and sees what is frozen; slots save memory; and what we compare
    by `is` is equal to nothing else.
    """

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None or ast.unparse(node.annotation).endswith("TypeAlias"):
            return ast.Pass()
        return ast.Expr(self.visit(node.value))

    def visit_keyword(self, node: ast.keyword) -> ast.keyword | None:
        return None if node.arg in ("slots", "frozen") else self.generic_visit(node)  # type: ignore[return-value]

    def visit_Is(self, _: ast.Is) -> ast.Eq:
        return ast.Eq()

    def visit_IsNot(self, _: ast.IsNot) -> ast.NotEq:
        return ast.NotEq()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)


def _normalise(source: str) -> str:
    return ast.dump(_Normaliser().visit(ast.parse(source)))


class _SiteCounter(Visitor):  # type: ignore[misc]
    """Notes in which line each occurrence lies at which an operator can change a module."""

    def __init__(self, operator: Operator) -> None:
        self.lines: list[int] = []
        self._operator = operator

    def visit(self, node: Any) -> Any:  # noqa: ANN401 - cosmic-ray has no types
        self.lines += [start[0] for start, _ in self._operator.mutation_positions(node)]
        return node


def list_sites(module: Path) -> dict[int, list[MutationSite]]:
    """Return every place at which a module can be changed, by its line."""
    tree = get_ast((ROOT / module).read_text(encoding="utf-8"))
    found: dict[int, list[MutationSite]] = defaultdict(list)
    # Those that take arguments change only what these name.
    for name in (each for each in operator_names() if not get_operator(each).arguments()):
        counter = _SiteCounter(get_operator(name)())
        counter.walk(tree)
        for occurrence, line in enumerate(counter.lines):
            found[line].append(MutationSite(module, name, occurrence))
    return found


def build_mutant(site: MutationSite) -> Mutant | None:
    """Return a module changed at a site; None if it is no program, or the same one."""
    source = (ROOT / site.module).read_text(encoding="utf-8")
    try:
        changed = mutate_code(source, get_operator(site.operator)(), site.occurrence)
        is_same = changed is None or _normalise(changed) == _normalise(source)
    # AttributeError is raised by an operator for exceptions with a dotted name.
    except (SyntaxError, AttributeError):
        return None
    return None if is_same else Mutant(site.module, changed)


def choose_mutants(part: MutatedPart, most: int, chance: random.Random) -> list[Mutant]:
    """Return some mutants of a part, each of another line: long expressions count no more."""
    modules = sorted({each for pattern in part.modules for each in ROOT.glob(pattern)})
    lines = [
        sites
        for module in modules
        for _, sites in sorted(list_sites(module.relative_to(ROOT)).items())
    ]
    chance.shuffle(lines)
    made = (build_mutant(chance.choice(sites)) for sites in lines)
    return list(islice(filter(None, made), most))


def copy_checkout(folder: Path) -> None:
    """Copy the files of the checkout that git knows, as they are now."""
    known = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607 - git is where it is
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in filter(None, known.stdout.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)


def is_found(folder: Path, mutant: Mutant, tests: Sequence[str]) -> bool:
    """Whether the tests of a copy fail with a mutant in it; the copy is as before afterwards."""
    place = folder / mutant.module
    place.write_text(mutant.source, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    try:
        done = subprocess.run(  # noqa: S603 - our own words
            [*command, "--benchmark-disable", *tests],
            cwd=folder,
            check=False,
            capture_output=True,
            timeout=TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        shutil.copy2(ROOT / mutant.module, place)
    return done.returncode != 0


def measure_part(part: MutatedPart, most: int, seed: int, folders: SimpleQueue[Path]) -> str:
    """Return how many of a part's mutants were found, and print those that were not."""

    def is_found_somewhere(mutant: Mutant) -> bool:
        folder = folders.get()
        try:
            return is_found(folder, mutant, part.tests)
        finally:
            folders.put(folder)

    mutants = choose_mutants(part, most, random.Random(seed))  # noqa: S311 - a sample, no secret
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        verdicts = list(pool.map(is_found_somewhere, mutants))
    for mutant, found in zip(mutants, verdicts, strict=True):
        if not found:
            print(mutant.describe(), end="\n\n", flush=True)  # noqa: T201 - its purpose
    return f"{part.name}: {sum(verdicts)} of {len(verdicts)} found"


def main() -> None:
    """Measure the parts that are named, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m lab.mutants", description=__doc__)
    parser.add_argument("parts", nargs="*", help=", ".join(part.name for part in PARTS))
    parser.add_argument("--each", type=int, default=EACH, help="mutants of each part")
    parser.add_argument("--seed", type=int, default=1, help="which of them are chosen")
    chosen = parser.parse_args()
    if unknown := set(chosen.parts) - {part.name for part in PARTS}:
        parser.error(f"no part is named {', '.join(sorted(unknown))}")
    folders: SimpleQueue[Path] = SimpleQueue()
    with tempfile.TemporaryDirectory() as there:
        for number in range(os.cpu_count() or 1):
            folder = Path(there) / str(number)
            copy_checkout(folder)
            folders.put(folder)
        for part in PARTS:
            if not chosen.parts or part.name in chosen.parts:
                print(measure_part(part, chosen.each, chosen.seed, folders), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
