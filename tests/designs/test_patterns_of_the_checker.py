"""Regular expressions of the checker: none takes more than the square of a text's length."""

from __future__ import annotations

import importlib
import pkgutil
import re
import signal
from collections.abc import Iterator

import pytest

import reportkit.checker

LENGTH = 1_000
SIGNS = [*"aAé1 \n\t_.,-–+=±()[]{}<>*^†\"'`/|\\&%$#~:;@", "a ", "1 ", "1.5 ", "a1", "1, ", "a-"]
MOST_SECONDS = 1.25
"""Of the processor, for one text; a pattern of the third power takes many, one of the second at most a quarter."""


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Every pattern of a module, also within its tables."""
    seen: set[re.Pattern[str]] = set()
    for found in pkgutil.walk_packages(reportkit.checker.__path__, "reportkit.checker."):
        for name, value in vars(importlib.import_module(found.name)).items():
            items = [*value.keys(), *value.values()] if isinstance(value, dict) else [value]
            items = [*value] if isinstance(value, (tuple, list, set, frozenset)) else items
            for item in items:
                if isinstance(item, re.Pattern) and item not in seen:
                    seen.add(item)
                    yield f"{found.name}.{name}", item


class TooLongError(Exception):
    """A pattern took too long."""


def slow_texts(pattern: re.Pattern[str], seconds: float = MOST_SECONDS) -> list[str]:
    """Signs of which a long run takes the pattern too long."""

    def stop(*_: object) -> None:
        raise TooLongError

    found = []
    before = signal.signal(signal.SIGVTALRM, stop)
    try:
        for sign in SIGNS:
            text = sign * (LENGTH // len(sign)) + "\0!"
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
            try:
                next(pattern.finditer(text), None)
                pattern.fullmatch(text)
            except TooLongError:
                found.append(sign)
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    finally:
        signal.signal(signal.SIGVTALRM, before)
    return found


@pytest.mark.slow
def test_no_pattern_hangs():
    """On 1,000 times the same sign, as in a table of contents, a rule of hyphens, or a paper made to do so."""
    found = {name: texts for name, pattern in patterns() if (texts := slow_texts(pattern))}
    assert found == {}


def test_a_pattern_of_a_high_power_would_be_seen():
    """That of the time of two to the length, too."""
    assert slow_texts(re.compile(r"(?:a+)+b"), seconds=0.1) == ["a"]
