"""Each shape of scores answers for itself: code elsewhere hardly ever asks which shape it was given."""

from __future__ import annotations

import ast
import re

SCORES = "reportkit/scores/"
MOST = 18
"""Places that may ask `isinstance` of a shape; what differs between shapes is a method, or a table by `shape`."""


def _classes(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


def _named(node):
    """Last parts of all names in an expression."""
    return {
        part.id if isinstance(part, ast.Name) else part.attr
        for part in ast.walk(node)
        if isinstance(part, (ast.Name, ast.Attribute))
    }


def _shapes(trees):
    """Everything in the room of the scores that is a sample or a block."""
    found = {"Sample", "Block"}
    classes = [node for place, tree in trees.items() if place.startswith(SCORES) for node in _classes(tree)]
    while more := {node.name for node in classes if any(_named(base) & found for base in node.bases)} - found:
        found |= more
    return found - {"Block"}  # which is a block of a report, too


def questions(trees, shapes):
    """Calls of isinstance and issubclass, and patterns of classes, that ask for one of the shapes."""
    for place, tree in trees.items():
        for node in ast.walk(tree):
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if called and node.func.id in ("isinstance", "issubclass") and _named(node.args[1]) & shapes:
                yield f"{place}:{node.lineno} {ast.unparse(node)}"
            elif isinstance(node, ast.MatchClass) and _named(node.cls) & shapes:
                yield f"{place}:{node.cls.lineno} case {ast.unparse(node)}"


def test_few_places_ask_for_the_shape(root):
    """What a shape does stands on its class; a new shape is not to be looked for in forty files."""
    texts = {
        path.relative_to(root).as_posix(): path.read_text("utf-8")
        for path in sorted((root / "reportkit").rglob("*.py"))
    }
    asks = re.compile(r"isinstance|issubclass|\bcase\b")
    trees = {place: ast.parse(text) for place, text in texts.items() if place.startswith(SCORES) or asks.search(text)}
    shapes = _shapes(trees)
    assert {"PairedScores", "DatasetScores", "RunScores", "DatasetMeans", "AveragedRuns"} <= shapes
    found = list(questions(trees, shapes))
    listed = "\n".join(found)
    assert len(found) <= MOST, f"ask the sample or the block (a method, a property, a table by its shape):\n{listed}"
    inside = [line for line in found if line.startswith(SCORES)]
    assert inside == [], "the room of the scores asks no shape what it is"


def test_questions_are_counted():
    """A question in any form is seen; one about another class is not."""
    tree = ast.parse(
        "isinstance(x, PairedScores)\nisinstance(x, (int, runs.DatasetRuns))\nisinstance(x, str)\n"
        "match x:\n    case PairedScores():\n        pass\n"
    )
    found = list(questions({"file.py": tree}, {"PairedScores", "DatasetRuns"}))
    assert [line.split(" ")[0] for line in found] == ["file.py:1", "file.py:2", "file.py:5"]
