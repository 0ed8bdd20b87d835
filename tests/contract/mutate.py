"""Put faults into a copy of the project, one at a time, and see that the contract catches each.

By hand: `python tests/contract/mutate.py [NAME ...]`. A fault is a text that is replaced in one file, and the tests
that have to fail then. When a file is rewritten, so is its fault: a text that no longer occurs is an error.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = ("tests/contract/test_numbers.py", "-k", "paired or families")
INVARIANTS = ("tests/contract/test_invariants.py", "-m", "not slow")


@dataclass(frozen=True, slots=True)
class Fault:
    """A text in a file, what stands in its place, and the arguments of pytest for the tests that must notice."""

    file: str
    old: str
    new: str
    tests: tuple[str, ...] = NUMBERS


FAULTS: dict[str, Fault] = {
    "p-values: the observed count is left out of its tail": Fault(
        "reportkit/significance/tests/mcnemar.py",
        "p_greater=upper_binomial_tail(wins, m)",
        "p_greater=upper_binomial_tail(min(wins + 1, m), m)",
    ),
    "p-values: one percent too small": Fault(
        "reportkit/significance/outcome.py",
        "p_greater=tail.greater, p_less=tail.less",
        "p_greater=tail.greater * 0.99, p_less=tail.less",
    ),
    "Holm: no running maximum": Fault(
        "reportkit/replicability/multiple_testing/combination.py",
        "np.maximum.accumulate(np.minimum(scaled, 1.0), axis=-1)",
        "np.minimum(scaled, 1.0)",
    ),
    "Holm: factors are one too small": Fault(
        "reportkit/replicability/multiple_testing/combination.py",
        "np.arange(p_values.shape[-1], 0, -1) * np.take",
        "np.maximum(1, np.arange(p_values.shape[-1], 0, -1) - 1) * np.take",
    ),
    "k-hat: the naive count": Fault(
        "reportkit/replicability/family.py", "KHat(raw[place], named[place]", "KHat(raw[place], raw[place]"
    ),
    "k-hat: at twice the level": Fault(
        "reportkit/replicability/family.py",
        "stepwise <= rejection_level(level)",
        "stepwise <= rejection_level(2 * level)",
    ),
    "table: marks at the other system": Fault(
        "reportkit/report/marking.py",
        'signs[item.a, item.dataset] = "".join',
        'signs[item.b, item.dataset] = "".join',
        INVARIANTS,
    ),
    "paragraph: the loser is named as the winner": Fault(
        "templates/text/answer.jinja",
        "{{ by }}{{ c.a | name }} is significantly better than {{ c.b | name }}\n",
        "{{ by }}{{ c.b | name }} is significantly better than {{ c.a | name }}\n",
        INVARIANTS,
    ),
}


def caught(fault: Fault | None) -> bool:
    """Copy the project, put the fault in, and run the tests; True if one fails.

    Raises
    ------
    ValueError
        If the text does not occur exactly once.
    RuntimeError
        If the tests could not be run.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in ("reportkit", "templates", "tests", "examples", "pyproject.toml"):
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, copy / name)
        if fault is not None:
            path = copy / fault.file
            text = path.read_text("utf-8")
            if text.count(fault.old) != 1:
                raise ValueError(f"{fault.file} holds {fault.old!r} {text.count(fault.old)} times, not once")
            path.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
        tests = NUMBERS if fault is None else fault.tests
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
        shared = os.environ.get("REPORTKIT_SHARED", str(ROOT.parent / "shared"))
        ended = subprocess.run(
            command,
            cwd=copy,
            env={**os.environ, "REPORTKIT_SHARED": shared},
            capture_output=True,
            text=True,
            check=False,
        )
        if ended.returncode not in (0, 1):
            raise RuntimeError(ended.stdout + ended.stderr)
        said = [line for line in ended.stdout.splitlines() if line.startswith(("E  ", "FAILED"))]
        sys.stdout.write("".join(f"    {line[:200]}\n" for line in said[:1] + said[-1:]))
        return ended.returncode == 1


def main(names: list[str]) -> int:
    """Say of each fault whether it is caught; 1 if one is not, or if the tests fail without any."""
    chosen: dict[str, Fault | None] = {name: FAULTS[name] for name in names} or {"no fault": None, **FAULTS}
    missed = 0
    for name, fault in chosen.items():
        found = caught(fault)
        missed += found == (fault is None)
        sys.stdout.write(f"{'caught' if found else 'passed'}: {name}\n")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
