"""Rules about wording: patterns with a message, read from `wording.toml`; findings of one kind are one line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule

_PAGE = """{summary}

{why}

Found::

    {found}

Not found::

    {not_found}

Source: {source}.
"""


def _rule(code: str, entry: Mapping[str, str]) -> Rule:
    pattern, also, unless = (re.compile(entry[key], re.IGNORECASE) for key in ("pattern", "also", "unless"))

    def check(context: CheckContext) -> Iterator[Diagnostic]:
        before = ""
        for item in context.prose.own:
            match = pattern.search(item.text)
            near = f"{before} {item.text}" if code == "RK205" else item.text
            before = item.text
            if match is None or not also.search(near) or unless.search(item.text) or item.hypothetical_before(match):
                continue
            yield from made.claim(context, item.span(match), entry["message"].format(match[0]), entry["remedy"])

    made = Rule(
        code=code,
        name=entry["name"],
        severity="info",
        needs=frozenset({"paper"}),
        check=check,
        manual=_PAGE.format(**entry),
    )
    return made


RULES = tuple(
    _rule(code, entry)
    for code, entry in tomllib.loads(Path(__file__).with_name("wording.toml").read_text(encoding="utf-8")).items()
)
"""Rules about wording."""
