"""What a test is like stands on its entry in the catalogue: no other room asks for a test by its name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import reportkit
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS

PACKAGE = Path(reportkit.__file__).parent
ALLOWED = {
    "significance": "the tests themselves, the decision tables, and the bounds that choose one",
    "calibration/all_pairs.py": "chooses between two tests for which it has fast implementations",
    "calibration/null/replicates.py": "which test is costly",
    "replicability/friedman.py": "the two tests that may follow Friedman's",
}


TESTS = frozenset(SIGNIFICANCE_TESTS)


def _names(node: ast.expr) -> list[str]:
    return [part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and part.value in TESTS]


def asked_by_name(source: str) -> Iterator[tuple[int, str]]:
    """Lines that compare with the name of a test, hold names in a set, list or tuple, or use one as a key."""
    for node in ast.walk(ast.parse(source)):
        asked: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            asked = [node.left, *node.comparators]
        elif isinstance(node, ast.Dict):
            asked = [key for key in node.keys if key is not None]
        elif isinstance(node, (ast.Set, ast.Tuple, ast.List)):
            asked = [item for item in node.elts if isinstance(item, ast.Constant)]
        elif isinstance(node, ast.MatchValue):
            asked = [node.value]
        yield from ((node.lineno, name) for part in asked for name in _names(part))


def test_nobody_asks_for_a_test_by_name():
    """A new test says of itself what a text, a figure or a rule needs to know; nothing has to be taught its name."""
    found = [
        f"{path.relative_to(PACKAGE)}:{line}: {name!r}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if not any(path.relative_to(PACKAGE).as_posix().startswith(place) for place in ALLOWED)
        for line, name in asked_by_name(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize("place", [place for place in ALLOWED if place != "significance"])
def test_every_exception_is_needed(place):
    """A place that no longer asks is taken off the list."""
    assert list(asked_by_name((PACKAGE / place).read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "source",
    [
        'x = item.test == "mann-whitney"',
        'x = item.test in {"sign-test", "mcnemar"}',
        'x = item.test not in ("sign-test",)',
        'KNOWN = frozenset({"sign-test"})',
        'WORDS = {"wilcoxon": "ranks"}',
        'match name:\n    case "welch":\n        pass',
    ],
)
def test_the_search_finds(source):
    """Each form in which a name can be asked for."""
    assert list(asked_by_name(source))
