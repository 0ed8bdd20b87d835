"""Lines for a terminal or a log: nothing in a name is a command to either."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.cli.plain_lines import safe, say

HOSTILE = st.text(st.sampled_from("ab ::##[]\n\r\t\x1b\x07\x9b\u061c\u202e\u2066\u200fé中"), max_size=30)


@given(HOSTILE)
def test_a_line_is_one_line_of_words(text: str) -> None:
    """No control, no sign of direction, no line break, and no command of a runner."""
    shown = safe(text)
    assert not [
        sign for sign in shown if unicodedata.category(sign) in ("Cc", "Zl", "Zp") or sign in "\u061c\u200f\u202e\u2066"
    ]
    assert not shown.lstrip().startswith("::")
    assert not re.search(r"##\w*\[", shown)


def test_lines_are_indented_as_given(capsys: pytest.CaptureFixture[str]) -> None:
    """And go where they are sent."""
    say("a", "  b\n::c")
    say("d", err=True)
    assert capsys.readouterr() == ("a\n  b ::c\n", "d\n")
