"""The source line with the place underlined."""

from __future__ import annotations

from reportkit.checker.engine import check_text
from reportkit.checker.outputs.full import WIDTH, written


def test_the_carets_stand_below_what_is_meant():
    """In short lines, in long ones, behind tabs and wide characters."""
    for before in ("", "\tä", "x" * 500 + " ", "Text. " * 40):
        text = written(check_text(f"{before} It is significantly better. {'And so on. ' * 30}"))
        lines = text.splitlines()
        (at,) = [number for number, line in enumerate(lines) if "^" in line]
        start, end = lines[at].index("^"), lines[at].rindex("^") + 1
        assert lines[at - 1][start:end] == "significantly"
        assert len(lines[at - 1]) <= WIDTH + 20


def test_findings_about_data_have_no_source(report):
    """Their place is what they are about; every finding is there; the closing lines follow."""
    text = written(report)
    assert text.count("to do:") >= 3
    assert "error[RK501]: 1 (system, dataset, instance) has several scores" in text
    assert "--> DataFrame" in text
    assert text.rstrip().splitlines()[-1] == "  1: p-value without its statistic and degrees of freedom"
    assert "1 can be fixed with --fix" in text
