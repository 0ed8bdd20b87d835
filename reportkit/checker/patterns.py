"""Patterns of words, by the module that looks for them; the words are in `patterns.toml`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

SECTIONS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("patterns.toml").read_text("utf-8"))
WORDS: dict[str, str] = SECTIONS["words"]
"""Parts that several patterns share, written `<name>` there."""


def patterns(section: str, names: str) -> list[re.Pattern[str]]:
    """Compile patterns of a section, in the order of their names.

    Each is a list of alternatives in any case, or in the case that is written if its name stands in `cased`.

    Examples
    --------
    >>> (correction,) = patterns("vocabulary", "correction")
    >>> correction.search("Holm's procedure")[0]
    'Holm'
    """
    entries = SECTIONS[section]
    return [
        re.compile(expanded("|".join(entries[name])), 0 if name in entries.get("cased", ()) else re.IGNORECASE)
        for name in names.split()
    ]


def expanded(pattern: str) -> str:
    """Put shared parts in place of their names."""
    return re.sub(r"<<(\w+)>>", lambda match: expanded(WORDS[match[1]]), pattern)
