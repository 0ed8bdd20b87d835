"""F1 of a rare class: a difference that the recentred bootstrap cannot double is no evidence, and swaps decide."""

import numpy as np
import pandas as pd
import pytest

import reportkit  # noqa: F401  (registers the accessor)

FOUND, MISSED, FALSE_ALARM, NOTHING = (1, 0, 0), (0, 0, 1), (0, 1, 0), (0, 0, 0)


def _frame(rows, n, dataset="rare"):
    """Counts of `ours` and `base`: the rows that differ, and instances on which neither finds anything."""
    pairs = [*rows, *[(NOTHING, NOTHING)] * (n - len(rows))]
    return pd.DataFrame(
        [
            {"system": system, "dataset": dataset, "instance": f"{dataset}-{i}", "tp": tp, "fp": fp, "fn": fn}
            for i, pair in enumerate(pairs)
            for system, (tp, fp, fn) in zip(("ours", "base"), pair, strict=True)
        ]
    )


def _one(rows, n=100, **settings):
    analysis = _frame(rows, n).replic.compare("ours", "base", metric="f1", **settings)
    return analysis, analysis.outcomes.iloc[0]


@pytest.mark.parametrize(("positives", "p"), [(2, 0.25), (3, 0.125)])
@pytest.mark.parametrize("n", [30, 100, 1000])
def test_a_few_positives_found_against_none(positives, p, n):
    """The p-value is that of fair coins, 2 to the minus number of positives, whatever n; the text names the test."""
    analysis, row = _one([(FOUND, MISSED)] * positives, n)
    assert row["p_value"] == p
    assert row["test"] == "approximate-randomization"
    assert not row["identified"]
    assert not row["ci_low"] > 0  # of 30 instances there is no interval
    assert not row["ci_high"] > 1
    assert "one-sided approximate randomization tests" in analysis.paragraph()


def test_found_against_missed_and_false_alarms():
    """Four positives found, four false alarms: 16 of 256 swaps are as far out; no interval beyond 100 points."""
    analysis, row = _one([(FOUND, MISSED)] * 4 + [(FALSE_ALARM, NOTHING)] * 4)
    assert row["p_value"] == pytest.approx(0.0625, rel=1e-12)
    assert row["ci_high"] <= 1
    assert "108" not in analysis.paragraph(length="full")


@pytest.mark.parametrize(("found", "positives", "p"), [(2, 6, 0.25), (3, 10, 0.125), (4, 10, 0.0625)])
def test_below_one_half_the_few_that_differ_decide(found, positives, p):
    """Positives that both miss are no evidence."""
    _, row = _one([(FOUND, MISSED)] * found + [(MISSED, MISSED)] * (positives - found))
    assert row["p_value"] == p


def test_a_difference_above_one_half_is_never_at_the_floor_by_construction():
    """F1 of .15 against .92 on thousands of instances: p is that of the swaps of all that differ, not 1 / (b + 1)."""
    rows = [(FOUND, MISSED)] * 25 + [(MISSED, FOUND)] * 1 + [(FOUND, FOUND)] * 1
    _, row = _one(rows, 3000)
    assert row["test"] == "approximate-randomization"
    assert row["p_value"] == pytest.approx(27 / 2**26, rel=1e-9)


def test_the_bootstrap_by_name_says_what_it_cannot_do():
    """A test that the user names is run, with a warning and the test to choose; its interval ends at 100 points."""
    analysis, row = _one([(FOUND, MISSED)] * 4 + [(FALSE_ALARM, NOTHING)] * 4, test="corpus-bootstrap")
    found = {finding.code: finding for finding in analysis.findings}
    assert "no resample can double it" in found["bootstrap-bias"].message.lower()
    assert "8 of 100 instances" in found["few-resampled-units"].message
    assert "approximate-randomization" in found["few-resampled-units"].remedy
    assert row["ci_high"] <= 1


def test_each_dataset_by_its_own_test():
    """Many differing instances are resampled, few are swapped, and the paragraph names both tests."""
    rng = np.random.default_rng(3)
    many = [
        (FOUND if ours else MISSED, FOUND if base else MISSED)
        for ours, base in zip(rng.random(300) < 0.7, rng.random(300) < 0.6, strict=True)
    ]
    frame = pd.concat([_frame(many, 400, "common"), _frame([(FOUND, MISSED)] * 3, 100)])
    analysis = frame.replic.compare("ours", "base", metric="f1")
    assert [*analysis.outcomes["test"]] == ["corpus-bootstrap", "approximate-randomization"]
    text = analysis.paragraph(length="full")
    assert "recentred paired bootstrap test" in text
    assert "approximate randomization test" in text


def test_a_score_between_0_and_100_ends_at_100():
    """BLEU of six sentences, of one system 100 and of the other uneven: the t interval stays inside the range."""
    rows = []
    for i, share in enumerate((0.9, 0.0, 0.1, 0.0, 0.8, 0.1)):
        length = 12 + 3 * i
        for system, part in (("ours", 1.0), ("base", share)):
            orders = [length - k for k in range(4)]
            row = {"system": system, "dataset": "mt", "instance": i, "hyp_len": length, "ref_len": length}
            row |= {f"correct_{k + 1}": int(part * order) for k, order in enumerate(orders)}
            rows.append(row | {f"total_{k + 1}": order for k, order in enumerate(orders)})
    row = pd.DataFrame(rows).replic.compare("ours", "base", metric="bleu", test="corpus-jackknife-t").outcomes.iloc[0]
    assert 0 < row["ci_low"] < row["ci_high"] == 100
