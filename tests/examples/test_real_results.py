"""Real results of other people: read and compared, or refused with a way out that works."""

from __future__ import annotations

import pandas as pd
import pytest
from scipy import stats

import reportkit
from tests.conftest import run_command
from tests.examples.conftest import EXAMPLES


@pytest.mark.slow
def test_bbh_has_the_published_accuracies(shared):
    """Two systems on 27 tasks: scores as published, both directions."""
    analysis = reportkit.compare(shared / "data" / "bbh" / "data.parquet")
    published = pd.read_csv(shared / "data" / "bbh" / "accuracy.csv").set_index("dataset")
    frame = analysis.outcomes
    forth = frame[frame.system_a == "code-davinci-002-cot"].set_index("dataset")
    assert len(forth) == 27
    for column, system in (("score_a", "cot"), ("score_b", "direct")):
        wanted = published[f"pub_code-davinci-002-{system}"]
        assert (100 * forth[column] - wanted[forth.index]).abs().max() <= 0.01


@pytest.mark.slow
def test_incomplete_results_say_what_to_do(shared, tmp_path):
    """SWE-bench Pro: systems with other instances are refused with counts and ways out, each of which works."""
    results = shared / "data" / "swebench_pro" / "data.parquet"
    done = run_command("build", results, "-o", tmp_path / "r")
    assert done.returncode == 2
    assert "11 of 11 datasets" in done.stderr
    for missing in ("drop", "worst"):
        assert f"--missing {missing}" in done.stderr
        assert reportkit.compare(results, missing=missing).outcomes.p_value.between(0, 1, inclusive="right").all()


@pytest.mark.slow
def test_several_metrics_need_a_choice(shared, tmp_path):
    """BLEU, chrF and TER in one file: the metric is asked for, and lower is better for TER."""
    results = shared / "data" / "wmt17_ende" / "sentence.parquet"
    done = run_command("build", results, "-o", tmp_path / "r")
    assert done.returncode == 2
    assert "--metric" in done.stderr
    (row,) = reportkit.compare(
        results, "online-B.0", "online-F.0", metric="TER", higher_is_better=False
    ).outcomes.itertuples()
    assert row.difference == pytest.approx(row.score_b - row.score_a)


@pytest.mark.slow
def test_counts_alone(shared):
    """Right answers on ARC-easy: Fisher's exact p-value, as SciPy has it."""
    a = reportkit.compare(shared / "data" / "arc_counts" / "data.csv", "BERT-MT-ensemble", "Reading-Strategies")
    easy = a.outcomes.set_index("dataset").loc["ARC-easy"]
    table = [[1721, 2376 - 1721], [1637, 2376 - 1637]]
    assert easy.p_value == pytest.approx(stats.fisher_exact(table, alternative="greater").pvalue, rel=1e-7)


@pytest.mark.slow
def test_raters_are_no_instances(shared):
    """SummEval: eight raters of 100 texts are 100 instances."""
    ratings = shared / "data" / "summeval" / "ratings.parquet"
    outcomes = reportkit.compare(ratings, "M22", "M11", kind="ordinal").outcomes
    assert set(outcomes.n) == {100}
    assert set(outcomes.test) == {"sign-test"}


def test_clusters_of_the_sentiment_corpora_are_used():
    """Sentences of reviews and editorials nest in documents: whole documents are flipped there, not sentences."""
    a = reportkit.compare(EXAMPLES / "sentiment" / "results.csv.gz", "vader", "textblob")
    tests = a.outcomes.set_index("dataset").test
    assert (tests["amazon_reviews"], tests["nyt_editorials"], tests["tweets"]) == ("sign-flip", "sign-flip", "mcnemar")
