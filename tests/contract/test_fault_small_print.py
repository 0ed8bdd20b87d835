"""Small things that a referee or a user remarks on: signs of 0, certainty, names of intervals, words and messages."""

import re

import numpy as np
import pandas as pd
import pytest

import reportkit  # noqa: F401  (registers the accessor)
from reportkit.errors import ReportkitError


def _right_or_wrong(pairs, dataset="news"):
    return pd.DataFrame(
        [
            {"system": system, "dataset": dataset, "instance": i, "score": score}
            for i, pair in enumerate(pairs)
            for system, score in zip(("ours", "base"), pair, strict=True)
        ]
    )


@pytest.fixture(scope="module")
def five_wins():
    """Five wins, no loss, 45 ties."""
    return _right_or_wrong([(1, 0)] * 5 + [(1, 1)] * 25 + [(0, 0)] * 20).replic.compare("ours", "base")


@pytest.fixture(scope="module")
def three_datasets():
    """Three datasets, with a clear difference on each."""
    rng = np.random.default_rng(1)
    frames = [
        _right_or_wrong(np.stack((rng.random(200) < 0.8, rng.random(200) < 0.6), axis=1).astype(int), name)
        for name in ("news", "mail", "law")
    ]
    return pd.concat(frames).replic.compare("ours", "base")


def test_an_end_at_0_is_0(five_wins):
    """The 95% interval of a test with p = .031 ends at 0, without a sign."""
    (low,) = five_wins.outcomes["ci_low"]
    assert low == 0
    assert not np.signbit(low)
    assert "95% interval 0.0 to +23.4" in five_wins.paragraph()


def test_a_changed_interval_says_what_was_changed(five_wins):
    """The full text has one clause on what is not Tango's."""
    assert "Intervals are Tango score intervals matched to the exact test" in five_wins.paragraph(length="full")


def test_no_posterior_is_certain(three_datasets):
    """A Bayes factor in the thousands leaves a posterior above .999, not of 1."""
    said = three_datasets.bayes_factor(better_by=0.0, datasets=["news"]).summary()
    assert "posterior above .999" in said
    assert "posterior 1" not in said


def test_a_hierarchical_model_prints_a_sentence(three_datasets):
    """As every other answer."""
    assert str(three_datasets.hierarchical(tau_scale=0.1)).startswith("Under a normal hierarchical model of 3 datasets")


def test_the_count_is_said_at_both_levels(three_datasets):
    """In the results at the first, and by itself at the stricter one."""
    text = three_datasets.paragraph(length="full")
    assert "ours is significantly better than base on all three datasets" in text
    assert "at .05 under any dependence" in text
    assert "At level .01, k̂ = 3." in text


def test_one_name_gives_all_outcomes_of_a_system(five_wins):
    """Two names give their comparison; a name of no system is answered with those that there are."""
    assert len(five_wins["ours"]) == five_wins["ours", "base"].n_datasets == 1
    with pytest.raises(ReportkitError, match="'ours'"):
        five_wins["our"]


def test_a_table_is_saved_into_a_new_folder(five_wins, tmp_path):
    """As a report is."""
    (path,) = five_wins.save(tmp_path / "new" / "table.tex")
    assert path.is_file()


def test_pairs_differ_significantly():
    """A test shows that systems differ; it does not make them."""
    rng = np.random.default_rng(3)
    rows = [
        {"system": f"s{k}", "dataset": name, "instance": i, "score": int(rng.random() < 0.3 + 0.08 * k)}
        for name in ("news", "mail")
        for i in range(150)
        for k in range(8)
    ]
    text = pd.DataFrame(rows).replic.compare(alpha=0.05).paragraph(length="full")
    assert re.search(r"A difference is significant for \d+ of 28 pairs on at least one dataset\.", text)
    assert "pairs differ" not in text


def test_several_scores_per_instance_may_be_several_datasets():
    """A column that tells repeated instances apart, and whose name says so, is the dataset."""
    frames = [_right_or_wrong([(1, 0)] * 4 + [(1, 1)] * 20).drop(columns="dataset").assign(Domain=d) for d in "xy"]
    frame = pd.concat(frames)
    assert frame.replic.compare("ours", "base").datasets == ("x", "y")
    assert frame.replic(dataset="Domain").compare("ours", "base").datasets == ("x", "y")
