"""The example on re-splitting: the committed estimates give the table of its README, and its script is what it says."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.reproducibility_analysis import cantelli_bound
from tests.conftest import needed
from tests.examples.conftest import EXAMPLES, script_of

FOLDER = EXAMPLES / "reproducibility"
COLUMNS = ("ST", "RS6", "Avg", "Vote", "Mixture (A over B)", "Mixture (B over A)")


@pytest.fixture(scope="module")
def result():
    """The analysis of the committed estimates."""
    return reportkit.reproducibility(
        FOLDER / "estimates.csv.gz", "linear SVM", "logistic regression", metric="accuracy"
    )


@pytest.fixture(scope="module")
def script():
    """The script as a module; needs scikit-learn only when it trains."""
    return script_of("reproducibility/make_estimates.py")


def test_there_are_five_tasks_with_300_divisions(result):
    """Of every estimator, for both learners."""
    assert [item.n_repartitions for item in result.data.resplits] == [300] * 5
    assert result.data.methods == COLUMNS
    assert result.data.read.n_rows == 5 * 300 * 4 * 2


def test_the_readme_has_the_table(result):
    """Means, standard deviations, SNR and reproducibility of all 30 cells, as they are printed."""
    text = (FOLDER / "README.md").read_text("utf-8").replace("−", "-")
    rows = [re.split(r" *\| *", line.strip("| \n")) for line in text.splitlines() if line.startswith("| ")]
    seen = 0
    for place, row in enumerate(rows):
        if not row[0].endswith(", mean (SD)"):
            continue
        name = row[0].removesuffix(", mean (SD)")
        (item,) = [item for item in result.data.resplits if item.dataset == name]
        for column, method in enumerate(COLUMNS, start=1):
            found = item.results[method]
            mean, deviation = (float(part.strip("()")) for part in row[column].split())
            assert mean == pytest.approx(100 * found.mean, abs=5.01e-4)
            assert deviation == pytest.approx(100 * found.standard_deviation, abs=5.01e-4)
            assert float(rows[place + 1][column]) == pytest.approx(found.snr, abs=5.01e-3)
            assert float(rows[place + 2][column]) == pytest.approx(found.proportion, abs=5.01e-4)
            seen += 1
    assert seen == 30


def test_the_claims_of_the_readme_hold(result):
    """Distance to Phi(SNR), Cantelli's bound, the gain of repeating, average against repeated hold-outs, mixtures."""
    found = [found for item in result.data.resplits for found in item.results.values()]
    assert 0.043 < max(abs(r.normal - r.proportion) for r in found) <= 0.044
    assert all(r.cantelli <= r.proportion for r in found)
    assert sum(r.cantelli > 0.5 for r in found) == 7
    ratios = {}
    for item in result.data.resplits:
        deviation = {name: r.standard_deviation for name, r in item.results.items()}
        ratios[item.dataset] = (
            round(deviation["ST"] / deviation["RS6"], 2),
            round(deviation["RS6"] / deviation["Avg"], 2),
            round(deviation["Vote"] / deviation["Avg"], 1),
        )
        assert all(r.proportion <= item.results["Mixture (A over B)"].proportion for r in
                   (item.results["Vote"], item.results["Avg"]))  # fmt: skip
    assert sorted(first for first, _, _ in ratios.values()) == [2.32, 2.46, 2.51, 2.52, 2.61]
    assert (min(r[1] for r in ratios.values()), max(r[1] for r in ratios.values())) == (0.94, 1.08)
    assert (min(r[2] for r in ratios.values()), max(r[2] for r in ratios.values())) == (1.5, 1.8)
    amazon = next(item for item in result.data.resplits if item.dataset == "amazon_polarity")
    shares = [amazon.results[name].n_above / 300 for name in COLUMNS[4:]]
    assert [round(share, 2) for share in (*shares, amazon.both_above)] == [0.57, 0.68, 0.26]


def test_repeated_splits_gain_what_independent_ones_do(result):
    """The ratio of standard deviations of ST and RS6 is sqrt(6) within 4 standard errors, on every task."""
    error = np.sqrt(6) * np.sqrt(2 / (2 * 299))
    for item in result.data.resplits:
        ratio = item.results["ST"].standard_deviation / item.results["RS6"].standard_deviation
        assert abs(ratio - np.sqrt(6)) < 4 * error


def test_bounds_of_the_table_are_those_of_the_inequality(result):
    """The column is a function of the SNR alone."""
    for row in result.to_frame().itertuples():
        assert row.cantelli == cantelli_bound(row.snr)


def test_features_are_those_of_a_vectoriser_on_the_training_half(script):
    """Counting all texts at once gives what `TfidfVectorizer(min_df=2)` fitted on the training texts gives."""
    TfidfVectorizer = needed("sklearn.feature_extraction.text", "test").TfidfVectorizer
    texts = ["good good film", "a bad film", "bad plot, good actors", "the film has a plot", "good end", "bad bad bad"]
    train, test = np.array([0, 2, 3, 4]), np.array([1, 5])
    vectoriser = TfidfVectorizer(min_df=2)
    wanted = vectoriser.fit_transform([texts[place] for place in train]).toarray()
    trained, tested = script.features(script.counts_of(texts), train, test)
    assert trained.toarray() == pytest.approx(wanted, abs=1e-12)
    assert tested.toarray() == pytest.approx(
        vectoriser.transform([texts[place] for place in test]).toarray(), abs=1e-12
    )


@pytest.mark.slow
def test_the_script_on_a_small_task(script):
    """Learners that see nothing but the label words are always right; a division does not depend on those before."""
    needed("sklearn", "test")
    labels = np.array(["sport", "news"] * 20)
    task = script.Task(
        name="toy", texts=[f"{label} text {number % 5}" for number, label in enumerate(labels)], labels=labels
    )
    counts = script.counts_of(task.texts)
    found = script.estimates(task, counts, 3)
    assert set(found.values()) == {1.0}
    assert {name for _, name in found} == {"ST", "RS6", "Avg", "Vote"}
    rows = pd.DataFrame(script.run(task, 4))
    assert len(rows) == 4 * 2 * 4
