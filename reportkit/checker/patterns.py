"""Patterns of words, by the module that looks for them; the words are in `patterns.toml`."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

SECTIONS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("patterns.toml").read_text("utf-8"))
WORDS: dict[str, str] = SECTIONS["words"]
"""Parts that several patterns share, written `<name>` there."""


def patterns(section: str) -> dict[str, re.Pattern[str]]:
    """Compile the patterns of a section, by their names.

    Each is a list of alternatives, in any case unless its name is in `cased`.

    Examples
    --------
    >>> patterns("vocabulary")["correction"].search("Holm's procedure")[0]
    'Holm'
    """
    entries = SECTIONS[section]
    cased = entries.get("cased", ())
    return {
        name: re.compile(expanded("|".join(parts)), 0 if name in cased else re.IGNORECASE)
        for name, parts in entries.items()
        if isinstance(parts, list) and name != "cased"
    }


def expanded(pattern: str) -> str:
    """Put shared parts in place of their names."""
    return re.sub(r"<<(\w+)>>", lambda match: expanded(WORDS[match[1]]), pattern)
