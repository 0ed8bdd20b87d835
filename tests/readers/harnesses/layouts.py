"""What the tests of all harnesses share: folders in the layout of each, and commands run as a user runs them."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import io
import os
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

from reportkit.cli.main import main

HERE = Path(__file__).parent
FIXTURES = HERE / "fixtures"


def share(*names: object) -> float:
    """A number from 0 to 1 that follows from the names."""
    return int(hashlib.sha256("|".join(map(str, names)).encode()).hexdigest()[:8], 16) / 2**32


def all_layouts() -> dict[str, Callable[[Path], None]]:
    """Name of a harness to what writes a folder as it does: `LAYOUT` of the test modules beside."""
    found: dict[str, Callable[[Path], None]] = {}
    for path in sorted(HERE.glob("test_*.py")):
        if path.stem != "test___init__":
            found |= getattr(importlib.import_module(f"tests.readers.harnesses.{path.stem}"), "LAYOUT", {})
    return found


@contextlib.contextmanager
def inside(folder: Path) -> Iterator[None]:
    """With this folder as the working directory."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def run(folder: Path, *arguments: str) -> tuple[int, str]:
    """Exit code, and what a terminal shows, of a command that is run in a folder."""
    shown = io.StringIO()
    with inside(folder), contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
        try:
            main(list(arguments))
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
    return code, shown.getvalue()


def proposed(said: str) -> list[str]:
    """The options that the message of an error proposes, as they would be typed."""
    found = re.search(r"(--(?:metric|filter|format|\w+-column)) ('[^']+'|[^\s,;)]+)", said.partition("to do:")[2])
    assert found is not None, said
    return [found[1], *shlex.split(found[2])]
