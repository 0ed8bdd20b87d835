"""Every error and finding about scores has its words, and gets the values that they name."""

from __future__ import annotations

import ast
import string
import tomllib
from collections.abc import Iterator
from pathlib import Path

import reportkit

PACKAGE = Path(reportkit.__file__).parent
ROOMS = ("scores", "significance", "analysis")
WORDS = tomllib.loads((PACKAGE / "scores" / "refusals.toml").read_text(encoding="utf-8"))


def _calls() -> Iterator[tuple[str, set[str], bool]]:
    """Yield the code of each call, the names of its values, and whether more come from a mapping."""
    for path in [path for room in ROOMS for path in (PACKAGE / room).glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute) and node.args):
                continue
            called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if called in ("refusal", "notice", "refuse"):
                names = {word.arg for word in node.keywords if word.arg}
                for code in [one.value for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)]:
                    yield code, names, any(word.arg is None for word in node.keywords)


def test_values_are_those_that_the_words_name() -> None:
    """None is lacking, and no words are left over; `printed.refuse` adds role, column and examples."""
    used = set()
    for code, names, more in _calls():
        used.add(code)
        named = {name for text in WORDS[code].values() for _, name, _, _ in string.Formatter().parse(text) if name}
        assert named <= names | {"role", "column", "examples"} or more, (code, named - names)
    assert used | {"constant-system", "remedies"} == WORDS.keys()
