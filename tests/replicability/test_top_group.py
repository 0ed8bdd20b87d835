"""Where all pairs are too many, the best system is compared with each other one, at no smaller error rate."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.multitest import multipletests

import reportkit
from reportkit.errors import SettingsError
from reportkit.replicability import compare, expected_work, top_group
from reportkit.replicability.top_group import mean_ranks


def frame(n_systems=9, n=120, metric="accuracy"):
    """Right and wrong answers on two datasets; systems s3 and s5 are the best, s3 on both."""
    rng = np.random.default_rng(7)
    chances = np.append(np.linspace(0.3, 0.6, n_systems - 2), [0.0, 0.0])
    chances = np.insert(chances[:-2], (3, 4), (0.8, 0.75))
    parts = [
        pd.DataFrame({"system": f"s{k}", "dataset": dataset, "instance": range(n), "score": rng.random(n) < chance})
        for dataset in ("x", "y")
        for k, chance in enumerate(chances)
    ]
    return pd.concat(parts, ignore_index=True).assign(metric=metric).astype({"score": int})


@pytest.fixture
def few_tests(monkeypatch):
    """As if all pairs of nine systems were too many."""
    for module in (compare, expected_work, top_group):
        monkeypatch.setattr(module, "MOST_TESTS", 40)


def test_untested_pairs_count_as_one_in_the_family_of_all_pairs(few_tests):
    """Adjusted p-values are those of Holm's method over all ordered pairs and datasets, as statsmodels has it."""
    found = reportkit.compare(frame())
    assert {name for pair in found.pairs for name in pair if "s3" not in pair} == set()
    assert (len(found.pairs), found.n_hypotheses) == (16, 9 * 8 * 2)
    p_values = np.concatenate([item.p_values for item in found.comparisons])
    every = np.append(p_values, np.ones(found.n_hypotheses - p_values.size))
    adjusted = np.concatenate([item.adjusted_p_values for item in found.comparisons])
    assert adjusted == pytest.approx(multipletests(every, method="holm")[1][: p_values.size], rel=1e-12)


@pytest.mark.parametrize("options", [{}, {"dependence": "independent"}, {"profile": "dror2017"}])
def test_nothing_is_shown_that_all_pairs_do_not_show(few_tests, monkeypatch, options):
    """The same p-values as among all pairs, and none of them smaller when it is adjusted, in every profile."""
    fewer = reportkit.compare(frame(), **options)
    for module in (compare, expected_work, top_group):
        monkeypatch.setattr(module, "MOST_TESTS", 250_000)
    whole = {(item.system_a, item.system_b): item for item in reportkit.compare(frame(), **options).comparisons}
    for item in fewer.comparisons:
        other = whole[item.system_a, item.system_b]
        assert item.p_values.tolist() == other.p_values.tolist()
        assert (item.stepwise_p_values >= other.stepwise_p_values).all()
        assert item.k_hat[0.05].recommended <= other.k_hat[0.05].recommended


def test_the_best_system_is_the_one_with_the_best_mean_rank(few_tests):
    """Errors count the other way; a system that is not on all datasets is not chosen."""
    errors = frame().assign(score=lambda table: 1 - table.score)
    assert reportkit.compare(errors, higher_is_better=False).best_of_too_many == "s3"
    table = frame()
    assert reportkit.compare(table[(table.system != "s3") | (table.dataset == "x")]).best_of_too_many == "s5"
    ranks = mean_ranks({"x": {"a": 0.5, "b": 0.7}, "y": {"a": 0.9, "b": 0.9, "c": 0.1}})
    assert ranks == {"a": 1.5, "b": 1.0, "c": 3.0}


def test_what_is_said(few_tests):
    """Findings, paragraph and report name the system, the correction and the top group, and draw no matrix."""
    found = reportkit.compare(frame(12))
    (finding,) = (finding for finding in found.findings if finding.code == "top-group")
    assert finding.message.startswith("All 66 pairs of 12 systems would take 132 tests, and at most 40 are run: s3, ")
    assert finding.remedy == "to compare other pairs, keep the rows of fewer systems"
    paragraph = str(found.paragraph())
    assert "Of 12 systems, we compare the one with the best mean rank, s3, with each of the others" in paragraph
    assert "over all 264 hypotheses, those that are not tested with p = 1, with Holm's method" in paragraph
    assert "s3 and s5 form the top group of 12 systems" in paragraph
    assert "10 of the other 11 differ from s3 on at least one dataset; they were compared with no other." in paragraph
    written = found.report().to_markdown()
    assert "The top group, 2 of 12 systems: s3 and s5." in written
    assert "k-hat-matrix" not in written


def test_what_has_no_best_system_is_refused(few_tests):
    """Two metrics, and several baselines."""
    both = pd.concat([frame(), frame(metric="f1")])
    with pytest.raises(SettingsError, match="tests and their report would take"):
        reportkit.compare(both, metric=["accuracy", "f1"])
    with pytest.raises(SettingsError, match="tests and their report would take"):
        reportkit.compare(frame(12), baseline=["s0", "s1", "s2", "s4"])
