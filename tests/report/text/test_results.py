"""The sentences keep their rules for whatever numbers, names and designs there are."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reportkit.appearance.appearance import Length
from reportkit.language.numerals import level_text
from reportkit.replicability.family import build_family
from reportkit.replicability.independence.independence import IndependenceAudit
from reportkit.replicability.multiple_testing.p_values import rejection_level
from reportkit.report.machine.claims import claims_in
from reportkit.report.machine.machine import machine_readable
from reportkit.report.model import Signature
from reportkit.report.prose import plain, prose
from reportkit.report.score_format import scale_for
from reportkit.report.text.claim_words import p_value_in_words
from reportkit.report.text.paragraph import recommended_paragraph
from reportkit.settings import Settings
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.interval import Interval
from reportkit.significance.outcome import Outcome
from tests.report.design_cases import design
from tests.report.paragraph_cases import analysis
from tests.report.wording_rules import slips

NAMES = (
    "s",
    "Bayes",
    "ours (v2)",
    "R&D_50%",
    "{x}",
    "a, b",
    "ＧＰＴ",
    "None-1",
    "no. 7",
    "the old one",
    "x is better than",
)
P_VALUES = st.floats(1e-12, 1.0) | st.sampled_from([1.0, 0.05, 0.0005, 1e-300])


def _assessment(draw, pair, dataset, p_value, test, unit):
    entry = SIGNIFICANCE_TESTS[test]
    difference = draw(st.floats(-1, 1)) * (1 if draw(st.booleans()) else 0)
    size = abs(difference) + draw(st.floats(0.001, 0.5))
    method = draw(st.sampled_from(["exact", "asymptotic", "Monte Carlo"]))
    infinite = draw(st.integers(0, 9)) == 0
    interval = Interval(
        low=float("-inf") if infinite else difference - size,
        high=difference + size,
        level=0.95,
        title=draw(st.sampled_from(["t interval of the mean", "Welch interval over runs", "Tango score interval"])),
        citation="student1908probable",
    )
    return Outcome(
        system_a=pair[0],
        system_b=pair[1],
        dataset=dataset,
        metric="score",
        kind=draw(st.sampled_from(["binary", "continuous"])),
        unit=unit,
        n=draw(st.integers(1, 20_000)),
        n_nonzero=draw(st.none() | st.integers(0, 50)),
        n_dropped=draw(st.sampled_from([0, 0, 1, 3])),
        score_a=0.5 + difference,
        score_b=0.5,
        higher_is_better=True,
        test=test,
        title=entry.title,
        p_greater=p_value,
        p_less=max(1 - p_value, 1e-300),
        p_min=1e-300,
        method=method,
        n_resamples=9_999 if method == "Monte Carlo" else None,
        seed=0 if method == "Monte Carlo" else None,
        statistic=difference,
        statistic_name="t",
        estimand=entry.estimand,
        estimate=difference,
        null_hypothesis=entry.null_hypothesis,
        assumptions=(entry.independent_units, *entry.assumptions),
        citation=entry.citation,
        reason=draw(st.sampled_from(["scores are paired", "named by the user"])),
        standard_error=0.02,
        interval=draw(st.sampled_from([interval, None])),
    )


@st.composite
def analyses(draw):
    """Any design with any outcome: tests, sizes, differences, intervals and p-values at random."""
    n = draw(st.integers(1, 14))
    datasets = tuple(f"d{i}" for i in range(n))
    design = draw(st.sampled_from(["declared", "both", "baselines", "all-pairs"]))
    systems = draw(st.permutations(NAMES))[: 2 if design in ("declared", "both") else draw(st.integers(2, 5))]
    a, b, *_ = systems
    claims = {
        "declared": [(a, b)],
        "both": [(a, b), (b, a)],
        "baselines": [(one, systems[-1]) for one in systems[:-1]],
        "all-pairs": [(one, other) for one in systems for other in systems if one != other],
    }[design]
    tests = [name for name in SIGNIFICANCE_TESTS if name != "identical"]
    chosen = draw(st.lists(st.sampled_from(tests), min_size=1, max_size=2))
    unit = draw(st.sampled_from(["instance", "run", "fold"]))
    alpha = draw(st.sampled_from([(0.05,), (0.05, 0.01), (0.2, 0.05, 0.001)]))
    return build_family(
        design,
        {
            pair: tuple(
                _assessment(draw, pair, dataset, draw(P_VALUES), chosen[i % len(chosen)], unit)
                for i, dataset in enumerate(datasets)
            )
            for pair in claims
        },
        settings=Settings(alpha=alpha, missing="drop", rope=draw(st.sampled_from([None, 0.01]))),
        audit=IndependenceAudit(
            declared=draw(st.sampled_from(["any", "independent"])),
            evidence=("d0 and d1 share 3 instances (such as 'x')",) * draw(st.integers(0, 4)),
            blind=draw(st.sampled_from(["", "no instances are known"])),
        ),
        jointly=draw(st.booleans()),
    )


@pytest.mark.slow
@pytest.mark.parametrize("length", get_args(Length))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(drawn=analyses())
def test_no_analysis_breaks_the_rules(length, drawn):
    """No count that is not a lower bound, no p-value of zero, no slip of grammar, no sentence without an end."""
    scale = scale_for(item for comparison in drawn.comparisons for item in comparison.assessments)
    text = plain(recommended_paragraph(drawn, scale, length))
    assert slips(text, {name for pair in drawn.pairs for name in pair} | set(drawn.datasets)) == []


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(drawn=analyses())
def test_a_count_in_words_is_that_of_the_analysis(drawn):
    """Each count in the text is the recommended one of its comparison, and no dataset is named without a mark."""
    family, alpha = drawn, drawn.alpha[0]
    if family.design != "declared" or len(family.datasets) == 1:
        return
    (comparison,) = family.comparisons
    scale = scale_for(comparison.assessments)
    k, n = comparison.k_hat[alpha].recommended, comparison.n_datasets
    text = plain(recommended_paragraph(drawn, scale))
    counted = "on both datasets" if n == 2 else f"on all {n} datasets"
    if k == 0:
        assert "is not shown to be better than" in text
        assert "confidence)" not in text
        return
    assert (counted if k == n else f"on at least {k} of {n} datasets") in text
    marked = {name for name, mark in zip(comparison.datasets, comparison.marked(alpha), strict=True) if mark}
    if not family.counted_apart:
        assert k >= len(marked)
    named = re.search(r"confidence\)(?:: |, among them )([^;.]*)", text)
    if named and k < n:
        assert set(re.findall(r"\bd\d+", named[1])) <= marked


@pytest.mark.slow
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(drawn=analyses())
def test_what_is_said_to_hold_together_does(drawn):
    """Each length states the level of the family-wise error; separate statements are called so, and no others are."""
    family = drawn
    scale = scale_for(item for comparison in drawn.comparisons for item in comparison.assessments)
    texts = {length: plain(recommended_paragraph(drawn, scale, length)) for length in get_args(Length)}
    for text in texts.values():
        if len(family.datasets) > 1:
            level = re.escape(level_text(family.alpha[0]))
            assert re.search(rf"(family-wise )?error rate[^.;]*? {level}", text), text
            if any(name in text for name in ("separate statements", "apart)")):
                assert family.counted_apart
            assert ("closed test" in text) == (family.correction == "closed testing")
            assert ("Holm" in text) == (family.correction == "Holm")
            assert ("under any dependence" in text) <= (family.correction != "closed testing")
    if len(family.datasets) > 1 and family.counted_apart:
        assert "separate statements" in texts["standard"]
        assert "separate statements" in texts["full"]
        assert "counts and names apart" in texts["short"]


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(drawn=analyses())
def test_the_file_for_machines_counts_no_less_than_it_names(drawn):
    """In `report.json` of any design; the count in its table is the recommended one, and its method says by what."""
    data = machine_readable(drawn, Signature(version="0", source="", digest="", fields={}))
    for item in claims_in(data):
        for level, counts in item["k_hat"].items():
            named = sum(one["identified"][level] for one in item["datasets"])
            assert counts["recommended"] == counts[counts["method"]]
            assert counts["recommended"] >= named or drawn.counted_apart
            assert (counts["method"] == "fisher-bonferroni") == (data["family"]["correction"] == "closed-testing")
            stepwise = sum(one["stepwise_p_value"] <= rejection_level(float(level)) for one in item["datasets"])
            assert stepwise == counts["bonferroni"]


@pytest.mark.parametrize(
    ("p_value", "expected"), [(0.0123, "p = .012"), (1e-9, "p < .001"), (0.999, "p > .99"), (1.0, "p = 1")]
)
def test_a_p_value_has_its_relation(p_value, expected):
    """An equals sign where it is printed as it is, else the bound."""
    assert plain(p_value_in_words(p_value)) == expected
    assert plain(p_value_in_words(p_value, adjusted=True)) == f"adjusted {expected}"


@pytest.mark.parametrize(
    "text",
    [
        "It is significantly better.",
        "With 95% confidence, a is better than b on 3 of 4 datasets (k-hat = 3).",
        "There is no difference between them.",
        "The two are on par.",
        "The result is due to chance.",
        "There is a trend (p = .07).",
        "It was tested on 1 datasets.",
        "It was tested on 2 dataset.",
        "It is is better.",
        "p = .000 here.",
        "The difference is nan points.",
        "A slip , here.",
        "No end",
    ],
)
def test_the_rules_find_what_they_forbid(text):
    """A rule that finds nothing anywhere would be no rule."""
    assert slips(text) != []


def test_plain_words_of_symbols():
    """Symbols have names in terminals."""
    assert plain(prose("{k_hat} = 3, {p} = {x}", x=".01")) == "k-hat = 3, p = .01"


def test_a_doubled_p_value_is_called_adjusted():
    """Where both directions are tested, the p-value that is compared with the level is twice the one-sided one."""
    both = design("both directions, one dataset")
    p_value = both.outcomes.p_value[0]
    assert f"adjusted {plain(p_value_in_words(2 * p_value))})" in both.paragraph()
    one = analysis("mcnemar", "one dataset, not shown")
    assert f"(level .05, {plain(p_value_in_words(one.outcomes.p_value[0]))})" in one.paragraph()
