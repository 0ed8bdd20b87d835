"""Whether more or less is better in a line of a table, by an arrow or by the name of its metric."""

from __future__ import annotations

import re
from collections.abc import Iterable

from reportkit.checker.vocabulary import HIGHER_IS_BETTER, LOWER_IS_BETTER

METRICS = re.compile(f"{HIGHER_IS_BETTER.pattern}|{LOWER_IS_BETTER.pattern}", re.IGNORECASE)


def higher_is_better(*texts: str) -> bool | None:
    """Return the direction that the first text with one gives; None if none does, or it gives both.

    Examples
    --------
    >>> higher_is_better("WER"), higher_is_better("Ours", "Accuracy and F1"), higher_is_better("Books")
    (False, True, None)
    """
    for text in texts:
        for lower, higher in (
            ("↓" in text, "↑" in text),
            (LOWER_IS_BETTER.search(text), HIGHER_IS_BETTER.search(text)),
        ):
            if bool(lower) != bool(higher):
                return bool(higher)
    return None


def metrics_in(texts: Iterable[str]) -> set[str]:
    """Names of metrics in some texts, in lower case."""
    return {match[0].lower() for text in texts for match in METRICS.finditer(text)} - {"score", "error", "errors"}
