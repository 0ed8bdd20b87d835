"""Objects as JSON that is safe to print: data come back as they were, and nothing acts on a terminal or a runner."""

from __future__ import annotations

import json
import re

from reportkit.rendering.text.escaping import coded

_ACTING = re.compile(r"[^\n -~]|##(?=\w*\[)")


def json_text(content: object) -> str:
    r"""Write an object as indented JSON, with controls, direction signs and `##[` escaped.

    Examples
    --------
    >>> print(json_text({"é": "\x9b2J \u202e ##[error]"}))
    {
      "é": "\u009b2J \u202e \u0023#[error]"
    }
    """
    written = json.dumps(content, indent=2, ensure_ascii=False)
    return _ACTING.sub(_escaped, written) + "\n"


def _escaped(match: re.Match[str]) -> str:
    sign = match[0]
    if sign.startswith("#"):
        return r"\u0023#"
    return sign if coded(sign) == sign else f"\\u{ord(sign):04x}"
