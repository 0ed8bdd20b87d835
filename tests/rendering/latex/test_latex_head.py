"""What stands above the content of a LaTeX file."""

from __future__ import annotations

import dataclasses

from reportkit.rendering.latex.latex_head import latex_head, unicode_finding
from reportkit.rendering.text.origin import origin
from reportkit.report.model import Report
from tests.rendering.conftest import SIGNATURE, hostile_report


def test_origin_packages_signature_and_notes() -> None:
    """The four lines that a reader of the file needs, in order."""
    head = latex_head("table main", SIGNATURE, "words", packages=("booktabs",), notes=("about 204 pt wide",))
    assert head.comments == (
        origin("table main", SIGNATURE),
        r"needs \usepackage{booktabs}",
        "reportkit:0.1.0|data:results_v2%.csv|sha256:3f9c3f9c3f9c|test:mcnemar|adj:holm(m=8)|alpha:.05,.01",
        "about 204 pt wide",
    )
    assert head.definitions == ()


def test_t1_is_asked_for_where_it_is_needed() -> None:
    """Only letters that OT1 lacks ask for another package."""
    assert r"\usepackage[T1]{fontenc}" in latex_head("x", None, "Łódź Dąbrowa", packages=("booktabs",)).comments[1]
    assert r"\usepackage[T1]{fontenc}" not in latex_head("x", None, "naïve", packages=("booktabs",)).comments[1]


def test_a_comment_stays_on_its_line() -> None:
    """A file name with a line break does not leave the comment."""
    signature = dataclasses.replace(SIGNATURE, source="a\n\\input{b}\r\u2028c")
    assert all("\n" not in line and "\r" not in line for line in latex_head("x\ny", signature, "").comments)


def test_what_pdflatex_cannot_set_is_said_and_defined() -> None:
    """Each character once, with its code in two halves; joiners are nothing."""
    head = latex_head("x", None, "中中👩\u200d")
    assert "U+4E2D U+1F469" in head.comments[1]
    assert any(r"\rkunicode{4E}{2D}" in line for line in head.definitions)
    assert any(r"\rkunicode{01F}{469}" in line for line in head.definitions)
    assert len(head.definitions) == 4
    assert all(line.endswith("%") for line in head.definitions)


def test_the_report_can_say_so(small_report: Report) -> None:
    """A finding for the reader, none where all is well."""
    assert unicode_finding(small_report) is None
    finding = unicode_finding(hostile_report(("中文", "b", "c")))
    assert finding is not None
    assert finding.severity == "info"
    assert "中 文" in finding.message
    assert "xelatex" in finding.remedy
