"""The verdict: what it says of every design, and that words, data, table and paragraph agree."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from reportkit.report.prose import plain
from reportkit.report.text.verdict import verdict_in_words
from reportkit.report.verdict import verdict_of
from tests.report.design_cases import CASES, design
from tests.report.paragraph_cases import CELLS, analysis
from tests.report.wording_rules import names_of, slips

GOLDEN = Path(__file__).parent / "paragraphs" / "verdicts.md"
TESTS = ("mcnemar", "bootstrap-t", "welch-seeds", "mann-whitney", "aggregate-boschloo")


def test_every_verdict_reads_as_expected():
    """Each design, and each count for a few tests; REPORTKIT_UPDATE_GOLDEN=1 writes the file, to be read."""
    said = {name: design(name).summary() for name in CASES}
    said |= {f"{test}: {cell}": analysis(test, cell).summary() for test in TESTS for cell in CELLS}
    written = "# Verdicts\n" + "".join(f"\n## {name}\n\n{text}\n" for name, text in said.items())
    if os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1":
        GOLDEN.write_text(written, encoding="utf-8")
    assert written == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CASES)
def test_verdicts_keep_the_rules_of_wording(name):
    """A count is at least so many, and nothing is evidence of equality."""
    one = design(name)
    assert slips(one.summary().replace("\n", " "), names_of(one)) == []


@pytest.mark.parametrize("name", CASES)
def test_the_verdict_is_the_same_everywhere(name):
    """Report, summary, report.json and the first paragraphs of every document."""
    one = design(name)
    model = one.report().model
    lines = one.summary().splitlines()
    first = [plain(block.content) for block in model.sections[0].blocks[: len(lines)]]
    assert first == lines == list(model.summary)
    if not one.labels:
        assert model.data["verdict"]["words"] == lines


@pytest.mark.parametrize("name", CASES)
def test_the_data_of_a_verdict_are_those_of_the_comparisons(name):
    """Counts are k-hat, names are marked, and who is unbeaten is nobody's second."""
    data = design(name)
    for part, verdict in zip(data.parts, verdict_of(data), strict=True):
        alpha = data.alpha[0]
        for claim in verdict.claims:
            comparison = part[claim.system_a, claim.system_b, claim.metric]
            assert claim.at_least == comparison.k_hat[alpha].recommended
            marked = comparison.marked(alpha)
            assert claim.datasets == tuple(n for n, m in zip(comparison.datasets, marked, strict=True) if m)
        if verdict.design == "all-pairs":
            beaten = {claim.system_b for claim in verdict.shown}
            assert set(verdict.unbeaten) == set(verdict.systems) - beaten


def test_a_plan_is_that_of_the_power_analysis():
    """The number of instances is the one with which the power is reached, rounded up to two digits."""
    one = analysis("mcnemar", "one dataset, not shown")
    (verdict,) = verdict_of(one)
    n = verdict.plan.n_instances
    words = " ".join(map(plain, verdict_in_words(one).notes))
    written = int(re.search(r"about ([\d,]+) instances", words)[1].replace(",", ""))
    assert n <= written < 1.1 * n
    item = one.comparisons[0].assessments[0]
    from reportkit.power_analysis.exact import mcnemar_power

    rate = item.n_nonzero / item.n
    powers = [mcnemar_power(m, 0.01, rate, 0.05) for m in (n - 1, n)]
    assert powers[0] < 0.8 <= powers[1]
