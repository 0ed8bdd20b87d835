"""Names of findings that stay when lines move."""

from __future__ import annotations

from reportkit.checker.config import CheckConfig
from reportkit.checker.engine import check_text
from reportkit.checker.fingerprints import fingerprints
from reportkit.checker.selection import Selection

CLAIM = "The gain is clear ($p = .000$)."


def named(text, name):
    """Names of the findings of one rule in a paper."""
    report = check_text(text, name=name, config=CheckConfig(selection=Selection(select=("RK117",))))
    return fingerprints(report.diagnostics, report.files)


def test_they_depend_on_rule_file_and_line_alone():
    """Lines before and spaces do not count; another file, another text and another rule do."""
    (one,) = named(CLAIM, name="a.tex")
    assert named(f"New.\n\n  {CLAIM}", name="b/a.tex") == (one,)
    assert named(CLAIM, name="b.tex") != (one,)
    assert named(CLAIM.replace("clear", "large"), name="a.tex") != (one,)


def test_equal_lines_have_names_of_their_own():
    """The second of two equal findings is another one."""
    found = named(f"{CLAIM}\n\n{CLAIM}", name="a.tex")
    assert len(found) == len(set(found)) == 2
