"""An analysis of independent datasets says the same by every door: one procedure at one level for counts and names."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.errors import DesignError
from reportkit.rendering.literature import all_texts, cited_keys
from reportkit.replicability.multiple_testing.correction import joint_closed_test
from reportkit.replicability.multiple_testing.partial_conjunction import closed_p_values, holm
from reportkit.report.tokens import plain
from reportkit.significance.outcome import rejection_level
from tests.claims import claims_in

SHARES = {"new": 0.66, "old": 0.58, "older": 0.52}


def scores(n_datasets: int = 6, n: int = 120, systems=("new", "old", "older"), seed: int = 3) -> pd.DataFrame:
    """Right or wrong answers on datasets that share no instance."""
    rng = np.random.default_rng(seed)
    rows = []
    for dataset in range(n_datasets):
        for instance in range(n):
            hard = rng.random()
            rows += [
                (
                    system,
                    f"set{dataset}",
                    f"set{dataset}-{instance}",
                    int(0.7 * rng.random() + 0.3 * hard < SHARES[system]),
                )
                for system in systems
            ]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])


def words_of(analysis):
    """All sentences of the report."""
    return " ".join(map(plain, all_texts(analysis.report().model)))


@pytest.fixture(scope="module")
def declared():
    """One claim over independent datasets."""
    return scores().replic.compare("new", "old", dependence="independent", alpha=(0.05, 0.01))


def test_count_and_names_come_from_one_closed_test(declared):
    """Frames, bounds of subsets, marks and report.json agree with the plain functions and with each other."""
    outcomes, k_hat = declared.outcomes, declared.k_hat
    np.testing.assert_allclose(outcomes.adjusted_p_value, closed_p_values(outcomes.p_value), rtol=1e-12)
    for alpha, row in k_hat.iterrows():
        assert row.recommended == reportkit.k_hat(outcomes.p_value, alpha, "fisher-bonferroni")
        assert row.bonferroni == reportkit.k_hat(outcomes.p_value, alpha)
        assert row.fisher == reportkit.k_hat(outcomes.p_value, alpha, "fisher")
        assert row.recommended == declared.discoveries(list(outcomes.dataset), alpha=alpha)
        named = outcomes.dataset[outcomes.adjusted_p_value <= rejection_level(alpha)]
        assert row.recommended >= len(named) == declared.discoveries(list(named), alpha=alpha)
    (item,) = claims_in(report := declared.report().to_dict())
    assert report["correction"] == "closed testing"
    assert report["signature"]["adj"] == "closed-testing(m=6)"
    assert item["k_hat"]["0.05"]["recommended"] == k_hat.recommended[0.05]
    for key, values in (("adjusted_p_value", outcomes.adjusted_p_value), ("stepwise_p_value", holm(outcomes.p_value))):
        stored = [one[key] for one in item["datasets"]]
        np.testing.assert_allclose(stored, values, rtol=5e-9)  # of nine digits


def test_no_door_calls_it_by_another_name(declared):
    """Tables, captions, figures, checklist and text name closed testing, and no other procedure."""
    text = words_of(declared)
    assert "Holm" not in text
    assert "with closed testing at level .05, for independent datasets" in text
    full = declared.styled(length="full").report().model
    assert {"marcus1976closed", "goeman2011multiple"} <= set(cited_keys(all_texts(full)))
    assert "closed testing" in declared.figure("forest").alt_text


def test_a_figure_of_holms_thresholds_is_refused(declared):
    """They decide nothing here; without the declaration, which the message is about, they do."""
    with pytest.raises(DesignError, match=r"no closed testing\nover independent datasets|no closed testing over"):
        declared.figure("p-values")
    assert scores().replic.compare("new", "old").figure("p-values").alt_text


@pytest.mark.parametrize("names", [{"baseline": "older"}, {}])
def test_several_claims_stand_in_one_closed_test(names):
    """Baselines and all pairs: the claims are corrected together, and no count is below its names."""
    analysis = scores().replic.compare(dependence="independent", **names)
    comparisons = analysis.comparisons
    expected = joint_closed_test([item.p_values for item in comparisons])
    for item, claim in zip(comparisons, expected, strict=True):
        np.testing.assert_array_equal(item.adjusted_p_values, claim.adjusted)
        assert item.k_hat[0.05].recommended >= item.identified(0.05).sum()
    assert "family-wise error" in analysis.paragraph("full")


def test_the_profile_of_dror_et_al_makes_separate_statements(declared):
    """Fisher's count and Holm's names, as in the paper; every length says that they are separate."""
    analysis = scores().replic.compare("new", "old", dependence="independent", profile="dror2017")
    np.testing.assert_allclose(analysis.outcomes.adjusted_p_value, holm(analysis.outcomes.p_value))
    assert analysis.k_hat.recommended.tolist() == analysis.k_hat.fisher.tolist()
    for length in ("short", "standard", "full"):
        assert "Separate tests with Holm's correction name" in analysis.paragraph(length)
    assert "Separate tests" not in declared.paragraph("full")


def test_a_level_that_cannot_be_reached_is_that_of_the_closed_test():
    """Six differing instances are enough for .05 by themselves, and too few where datasets are many."""
    few = scores(n_datasets=6, n=8, systems=("new", "old"))
    analysis = few.replic.compare("new", "old", dependence="independent")
    (finding,) = (item for item in analysis.findings if item.code == "unattainable-level")
    assert "the level at which closed testing can name a dataset on its own" in finding.message
    (comparison,) = analysis.comparisons
    assert f"{comparison.joint.needed(0.05):.2g}".removeprefix("0") in finding.message
    alone = np.ones(6)
    for p, named in ((comparison.joint.needed(0.05) * 0.999, True), (comparison.joint.needed(0.05) * 1.001, False)):
        alone[0] = p
        assert (closed_p_values(alone)[0] <= 0.05) == named


def test_shared_instances_take_the_closed_test_back():
    """Declared independent, though two datasets share instances: Holm's procedure, and an error that says why."""
    frame = scores(systems=("new", "old"))
    frame.loc[frame.dataset == "set1", "instance"] = frame.instance[frame.dataset == "set0"].to_numpy()
    analysis = frame.replic.compare("new", "old", dependence="independent")
    assert analysis.correction == "Holm"
    assert analysis.k_hat.recommended[0.05] == analysis.outcomes.identified.sum()
    assert "not-independent" in {item.code for item in analysis.findings}


def test_evidence_counts_as_the_analysis_does():
    """Four answers: the claim of the analysis has its count and names, in both profiles, with the right words."""
    for profile in ("recommended", "dror2017"):
        analysis = scores().replic.compare("new", "old", dependence="independent", bayes=True, profile=profile)
        (claim,) = analysis.evidence.claims
        assert claim.k_hat == analysis.k_hat.recommended[0.05]
        assert claim.apart == (profile == "dror2017")
        assert len(claim.identified) == analysis.outcomes.identified.sum()
