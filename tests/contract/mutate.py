"""Put faults at random into a copy of the project, one at a time, and see that the tests catch them.

By hand: `python tests/contract/mutate.py --faults 60 --minutes 25`. A fault turns a comparison round, moves a constant,
swaps A and B, min and max, better and worse, a role or a direction. It is caught if a test fails: first the golden
files of its area, then the tests that import the changed file, then the fast ones of the area, and with `--slow` the
slow ones without TeX or a browser.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 600
"""Of the processor, for the tests of one fault; a fault that makes them hang is caught."""

WORDS = ("tests/contract/test_outputs.py", "tests/contract/test_invariants.py", "tests/report", "tests/designs")
NUMBERS = "tests/contract/test_numbers.py"
ROOMS = ("tests/significance", "tests/replicability", "tests/designs", "tests/power_analysis", "tests/analysis")
READ = ("tests/scores", "tests/contract/test_properties.py", NUMBERS)
NAMES, KINDS, FILES = (f"tests/scores/test_{name}.py" for name in ("names", "kinds_of_tables", "understanding"))
DESIGNS = "tests/significance/test_by_design.py"
SENTENCES, TABLES = "tests/report/test_sentences.py", "tests/report/test_tables.py"
AREAS: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "numbers": (("significance/**/*.py", "replicability/**/*.py"), (DESIGNS, TABLES), (*ROOMS, NUMBERS)),
    "marks": (("report/marking.py", "report/scores_table.py", "report/gather.py"), (TABLES, SENTENCES), WORDS),
    "sentences": (("../templates/text/*.jinja",), (SENTENCES, TABLES), (*WORDS, "tests/cli")),
    "roles": (
        ("scores/roles.py", "scores/columns.py", "scores/checks.py", "scores/building.py"),
        (KINDS, FILES),
        ("tests/harnesses", *READ),
    ),
    "directions": (("scores/names/*.py", "scores/designs.py", "scores/read.py"), (NAMES, KINDS, FILES), READ),
}
"""Area to the files below `reportkit/` that get faults, golden files that see much, and all tests that may notice."""

IN_PYTHON = (
    (r" <= ", " > "), (r" < ", " >= "), (r" >= ", " < "), (r" > ", " <= "), (r" == ", " != "), (r" != ", " == "),
    (r"\bmin\(", "max("), (r"\bmax\(", "min("), (r"\bany\(", "all("), (r"\bnot ", ""), (r" and ", " or "),
    (r"(?<!strict=)\bTrue\b", "False"), (r"\bFalse\b", "True"), (r"\.greater\b", ".less"), (r"\.less\b", ".greater"),
    (r"\.a\b", ".b"), (r"\.b\b", ".a"), (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / "),
    (r"\b1\b", "2"), (r"\b2\b", "3"), (r"\b0\b", "1"), (r"\b1\.0\b", "0.99"),
)  # fmt: skip
IN_TEMPLATES = (
    (r"\bbetter\b", "worse"), (r"\bworse\b", "better"), (r"\bnot ", ""), (r"\bno ", "a "), (r"\.a \|", ".b |"),
    (r"\.b \|", ".a |"), (r"\bhigher\b", "lower"), (r"\bpaired\b", "unpaired"), (r"\bone-sided\b", "two-sided"),
    (r"\{% if not ", "{% if "), (r"\{% if (?!not)", "{% if not "), (r"\.low\b", ".high"), (r"\.k_hat\b", ".n"),
)  # fmt: skip


def places(path: Path) -> Iterator[tuple[int, int, str]]:
    """Yield where a fault fits in the code of a file, and what stands there then; not in comments and strings."""
    text = path.read_text("utf-8")
    python = path.suffix == ".py"
    strings = r'"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"'
    passed_over = rf"{strings}|#[^\n]*|^(?:from|import)\b[^\n]*|^ *@[^\n]*" if python else r"\{#[\s\S]*?#\}"
    hidden = [found.span() for found in re.finditer(passed_over, text, re.MULTILINE)]
    for pattern, new in IN_PYTHON if python else IN_TEMPLATES:
        for found in re.finditer(pattern, text):
            if not any(first <= found.start() < end for first, end in hidden):
                yield found.start(), found.end(), new


def write(path: Path, text: str, second: int) -> None:
    """Write a file that is of another second than before, so that no compiled one is taken for it."""
    path.write_text(text, encoding="utf-8")
    os.utime(path, (second, second))


class Failed:
    """Write down the tests that fail, for the process that started this one."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write the name of a test that failed, or could not be set up."""
        if report.failed:
            Path("failed").write_text(report.nodeid, encoding="utf-8")


def failing(copy: Path, tests: Sequence[str], marked: str) -> str:
    """Run the tests of the copy that have such marks in a fork of this process, and return the first that fails.

    A fault with which a module cannot be imported, or that makes tests hang, fails "at once"; "" if no test fails.
    """
    (copy / "failed").write_text("at once", encoding="utf-8")
    child = os.fork()
    if child == 0:
        os.chdir(copy)
        sys.path.insert(0, str(copy))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        options = ("-q", "-x", "-p", "no:cacheprovider", "-m", f"{marked} and not tex and not browser")
        os._exit(int(pytest.main([*options, *tests], plugins=[Failed()])))
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return "" if ended in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) else (copy / "failed").read_text()


def caught_by(copy: Path, path: Path, area: str, *, slow: bool) -> str:
    """Return the first test that notices the fault in a file, or ""."""
    _, golden, all_tests = AREAS[area]
    for tests in (golden, _own(path.resolve().relative_to(ROOT))):
        if tests and (found := failing(copy, tests, "(slow or not slow)" if slow or tests is golden else "not slow")):
            return found
    return failing(copy, all_tests, "not slow") or (failing(copy, all_tests, "slow") if slow else "")


def _own(name: Path) -> list[str]:
    """Return the test files that import a module, or the folder called after a template."""
    tests = sorted(path.relative_to(ROOT) for path in (ROOT / "tests").rglob("*.py"))
    if name.suffix == ".jinja":
        return list({str(Path(*test.parts[:2])) for test in tests if test.parts[1].startswith(name.stem)})
    imported = re.compile(rf"from {re.escape('.'.join(name.with_suffix('').parts).removesuffix('.__init__'))} import")
    return [str(test) for test in tests if test.name[:5] == "test_" and imported.search((ROOT / test).read_text())]


def main() -> int:
    """Say of each fault whether it is caught; 1 if fewer than nine of ten are. Tests that always fail say nothing."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--faults", type=int, default=60)
    asked.add_argument("--minutes", type=float, default=25)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--area", choices=AREAS, action="append", help="only these; default all, in turn")
    asked.add_argument("--slow", action="store_true", help="with the slow tests, where no fast one fails")
    given = asked.parse_args()
    import matplotlib.figure  # noqa: F401 - for the forks
    import pandas  # noqa: F401
    import scipy.stats  # noqa: F401
    import statsmodels.stats.multitest  # noqa: F401

    os.environ.setdefault("REPORTKIT_SHARED", str(ROOT.parent / "shared"))
    rng, names = random.Random(given.seed), given.area or list(AREAS)  # noqa: S311 - no secret
    last, found, number = time.monotonic() + 60 * given.minutes, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy")
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("__pycache__", ".git"))
        if failing(copy, ["tests/test_errors.py"], "not slow"):
            sys.stdout.write("tests fail without any fault\n")
            return 1
        while number < given.faults and time.monotonic() < last:
            area = names[number % len(names)]
            files = sorted(path for pattern in AREAS[area][0] for path in (ROOT / "reportkit").glob(pattern))
            path, (start, end, new) = rng.choice([(path, fault) for path in files for fault in places(path)])
            text, name = path.read_text("utf-8"), path.resolve().relative_to(ROOT)
            write(copy / name, text[:start] + new + text[end:], 2 * number)
            caught = caught_by(copy, path, area, slow=given.slow)
            write(copy / name, text, 2 * number + 1)
            if "::" in caught and failing(copy, [caught], "(slow or not slow)"):
                sys.stdout.write(f"{caught} fails without any fault\n")
                continue
            number, found = number + 1, found + bool(caught)
            where = f"{name}:{text[:start].count(chr(10)) + 1}: {text[start:end]!r} -> {new!r}"
            sys.stdout.write(f"{'caught' if caught else 'MISSED'} ({area}) {where} {caught}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{found} of {number} caught\n")
    return int(found < 0.9 * number)


if __name__ == "__main__":
    sys.exit(main())
