"""Put faults at random into a copy of the project, one at a time, and see that the tests catch them.

By hand: `python tests/contract/mutate.py --faults 60 --seed 1`. A fault turns a comparison round, moves a constant,
swaps A and B, min and max, better and worse, a role or a direction. It counts as caught if the tests of its area fail.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

AREAS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "numbers": (
        ("reportkit/significance/tests/*.py", "reportkit/significance/nulls*.py", "reportkit/replicability/**/*.py"),
        ("tests/significance", "tests/replicability", "tests/contract/test_numbers.py"),
    ),
    "marks": (
        ("reportkit/report/marking.py", "reportkit/report/scores_table.py", "reportkit/report/gather.py"),
        ("tests/contract/test_outputs.py", "tests/contract/test_invariants.py", "tests/report", "tests/designs"),
    ),
    "sentences": (
        ("templates/text/*.jinja",),
        ("tests/contract/test_outputs.py", "tests/contract/test_invariants.py", "tests/report", "tests/designs"),
    ),
    "roles": (
        ("reportkit/scores/roles.py", "reportkit/scores/columns.py", "reportkit/scores/keys.py"),
        ("tests/scores", "tests/harnesses"),
    ),
    "directions": (
        ("reportkit/scores/scales.py", "reportkit/scores/names/*.py", "reportkit/scores/designs.py"),
        ("tests/scores", "tests/harnesses", "tests/contract/test_numbers.py"),
    ),
}
"""Area to the files that get faults, and the tests that have to notice."""

IN_PYTHON = (
    (r" <= ", " > "), (r" < ", " >= "), (r" >= ", " < "), (r" > ", " <= "), (r" == ", " != "), (r" != ", " == "),
    (r"\bmin\(", "max("), (r"\bmax\(", "min("), (r"\bany\(", "all("), (r"\bnot ", ""), (r" and ", " or "),
    (r"\bTrue\b", "False"), (r"\bFalse\b", "True"), (r"\.greater\b", ".less"), (r"\.less\b", ".greater"),
    (r"\.a\b", ".b"), (r"\.b\b", ".a"), (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / "),
    (r"\b1\b", "2"), (r"\b2\b", "3"), (r"\b0\b", "1"), (r"\b1\.0\b", "0.99"),
)  # fmt: skip
IN_TEMPLATES = (
    (r"\bbetter\b", "worse"), (r"\bworse\b", "better"), (r"\bnot ", ""), (r"\bno ", "a "), (r"\.a \|", ".b |"),
    (r"\.b \|", ".a |"), (r"\bhigher\b", "lower"), (r"\bpaired\b", "unpaired"), (r"\bone-sided\b", "two-sided"),
    (r"\{% if not ", "{% if "), (r"\{% if (?!not)", "{% if not "), (r"\.low\b", ".high"), (r"\.k_hat\b", ".n"),
)  # fmt: skip


def places(path: Path) -> Iterator[tuple[int, int, str]]:
    """Yield where a fault fits in the code of a file, and what stands there then; not in comments and docstrings."""
    text = path.read_text("utf-8")
    python = path.suffix == ".py"
    passed_over = r'"""[\s\S]*?"""|#[^\n]*|^from [^\n]*|^import [^\n]*' if python else r"\{#[\s\S]*?#\}"
    hidden = [found.span() for found in re.finditer(passed_over, text, re.MULTILINE)]
    for pattern, new in IN_PYTHON if python else IN_TEMPLATES:
        for found in re.finditer(pattern, text):
            if not any(first <= found.start() < end for first, end in hidden):
                yield found.start(), found.end(), new


def caught(area: str, path: Path | None = None, fault: tuple[int, int, str] = (0, 0, "")) -> bool:
    """Copy the project, put the fault in, if there is one, and run the tests of its area; True if one fails.

    Raises
    ------
    RuntimeError
        If the tests could not be run.
    """
    start, end, new = fault
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in ("reportkit", "templates", "tests", "examples", "benchmarks", "docs"):
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"):
            shutil.copy(ROOT / name, copy / name)
        if path is not None:
            text = path.read_text("utf-8")
            (copy / path.relative_to(ROOT)).write_text(text[:start] + new + text[end:], encoding="utf-8")
        shared = os.environ.get("REPORTKIT_SHARED", str(ROOT.parent / "shared"))
        options = ("-q", "-x", "-p", "no:cacheprovider", "-m", "not slow and not tex and not browser")
        ended = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *AREAS[area][1]],
            cwd=copy,
            env={**os.environ, "REPORTKIT_SHARED": shared, "PYTHONPATH": str(copy)},
            capture_output=True,
            text=True,
            check=False,
        )
        if ended.returncode not in (0, 1, 2):  # 2: a module could not be imported
            raise RuntimeError(ended.stdout + ended.stderr)
        return ended.returncode != 0


def main() -> int:
    """Say of each fault whether it is caught; 1 if fewer than nine of ten are, or if tests fail without any."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--faults", type=int, default=60)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--area", choices=AREAS, action="append", help="only these; default all, in turn")
    given = asked.parse_args()
    rng = random.Random(given.seed)  # noqa: S311 - no secret
    names = given.area or list(AREAS)
    found = 0
    for area in names:
        if caught(area):
            sys.stdout.write(f"the tests of {area} fail without any fault\n")
            return 1
    for number in range(given.faults):
        area = names[number % len(names)]
        files = sorted(path for pattern in AREAS[area][0] for path in ROOT.glob(pattern))
        path, fault = rng.choice([(path, fault) for path in files for fault in places(path)])
        line = path.read_text("utf-8")[: fault[0]].count("\n") + 1
        old = path.read_text("utf-8")[fault[0] : fault[1]]
        known = caught(area, path, fault)
        found += known
        where = f"{path.relative_to(ROOT)}:{line}: {old!r} -> {fault[2]!r}"
        sys.stdout.write(f"{'caught' if known else 'MISSED'} ({area}) {where}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{found} of {given.faults} caught\n")
    return int(found < 0.9 * given.faults)


if __name__ == "__main__":
    sys.exit(main())
