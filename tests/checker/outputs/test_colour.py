"""Colour changes no character."""

from __future__ import annotations

from reportkit.checker.outputs import OUTPUTS
from reportkit.checker.outputs.colour import coloured


def test_the_text_stays_and_severities_stand_out(report):
    """Of every format that is for people."""
    for name in ("full", "concise", "summary"):
        text = OUTPUTS[name](report)
        styled = coloured(text)
        assert styled.plain == text
        marked = {text[span.start : span.end] for span in styled.spans}
        assert {"error[RK501]", "warning[RK201]", "info[RK002]"} <= marked
