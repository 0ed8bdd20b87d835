"""Real results of others load as they are, or are refused with what to do, which then works."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import InputError, MissingScoresError, ScoreValueError
from reportkit.scores.read import read_frame
from tests.scores.reading import results_of


@pytest.fixture(scope="module")
def data(shared: Path) -> Path:
    """The folder of real results."""
    return shared / "data"


def test_bbh_has_the_published_accuracies(data: Path) -> None:
    """All 54 published accuracies of BIG-Bench Hard are the means of the matrices."""
    results = results_of(read_frame(data / "bbh" / "data.parquet"), source="data.parquet")
    published = pd.read_csv(data / "bbh" / "accuracy.csv").set_index("dataset")
    assert len(results.datasets) == 27
    assert results.findings == ()
    for block in results:
        assert block.kind == "binary"
        assert block.n_instances == published.loc[block.dataset, "n"]
        for system, mean in zip(block.systems, block.scores.mean(axis=1), strict=True):
            assert abs(100 * mean - published.loc[block.dataset, f"pub_{system}"]) < 1e-9


def test_swebench_pro_is_incomplete_and_loads(data: Path) -> None:
    """Only 418 of 970 instances are common to all nine systems; pairs are refused until it is said what that means."""
    results = results_of(read_frame(data / "swebench_pro" / "data.parquet"))
    assert (len(results.systems), len(results.datasets)) == (9, 11)
    complete = [block for block in results if len(block.systems) == 9]
    assert sum(int((~np.isnan(block.scores)).all(axis=0).sum()) for block in complete) == 418
    assert {finding.code for finding in results.findings} == {"constant-system"}
    block = next(block for block in results if not block.presence().all())
    present = {system: ~np.isnan(block.row(system)) for system in block.systems}
    a = block.systems[0]
    b = next(system for system in block.systems if (present[system] != present[a]).any())
    with pytest.raises(MissingScoresError, match="not scored on the same instances") as raised:
        block.pair(a, b)
    assert "missing='drop'" in str(raised.value)
    assert block.pair(a, b, missing="worst").n == (present[a] | present[b]).sum()
    assert block.pair(a, b, missing="drop").n == (present[a] & present[b]).sum()


def test_mqm_ted_has_clusters(data: Path) -> None:
    """`doc` is the cluster, one rater per output plays no role; without the column, the ids give documents away."""
    frame = read_frame(data / "mqm_ted" / "ted_error_counts.parquet")
    results = results_of(frame, higher_is_better=False, kind="count")
    assert results.unused_columns == ("rater",)
    assert [len(block.cluster_names) for block in results] == [
        frame.groupby("dataset", observed=True)["doc"].nunique()[name] for name in results.dataset_names
    ]
    assert all(block.kind == "count" and block.scores[~np.isnan(block.scores)].max() == 0 for block in results)
    without = results_of(frame.drop(columns="doc"))
    assert "nested-instances" in [finding.code for finding in without.findings]


def test_wmt17_has_three_metrics(data: Path) -> None:
    """BLEU, chrF and TER of 16 systems, of which TER is lower-is-better."""
    results = results_of(read_frame(data / "wmt17_ende" / "sentence.parquet"), higher_is_better={"TER": False})
    assert results.metrics == ("BLEU", "chrF", "TER")
    assert [block.higher_is_better for block in results] == [True, True, False]
    assert all(block.scores.shape == (16, 3004) for block in results)


def test_sematch_mixes_scales(data: Path) -> None:
    """Similarities from 0 to 1 stand next to information content up to 13: refused, and then accepted."""
    frame = read_frame(data / "sematch" / "data.parquet")
    with pytest.raises(ScoreValueError, match="proportions and percentages seem to be mixed") as raised:
        results_of(frame)
    assert "--mixed-scales accept" in str(raised.value)
    results = results_of(frame, mixed_scales="accept")
    assert len(results.datasets) == 15
    assert "gold-unused" in [finding.code for finding in results.findings]
    assert "nested-instances" not in [finding.code for finding in results.findings]


def test_summeval_has_raters(data: Path) -> None:
    """Eight raters per summary: pairs of ratings, whose mean is that of the means over the raters."""
    frame = read_frame(data / "summeval" / "ratings.parquet")
    results = results_of(frame)
    assert results.columns["rater"] == "rater"
    means = frame.groupby(["dataset", "system"], observed=True)["score"].mean()
    for block in results:
        assert block.shape == "paired"
        assert (block.scores.shape, block.n_instances, block.unit) == ((16, 800), 100, "rating")
        for system in block.systems:
            value, n = block.value(system)
            assert (value, n) == (pytest.approx(means[block.dataset, system]), 100)


@pytest.mark.parametrize(("file", "shape"), [("rtdl/data.parquet", "run-scores"), ("baycomp_cv/data.parquet", "folds")])
def test_runs_and_folds_are_no_instances(data: Path, file: str, shape: str) -> None:
    """Scores per seed, and per fold of a cross-validation, are not scores of test items."""
    blocks = results_of(read_frame(data / file)).datasets
    assert {block.shape for block in blocks} == {shape}
    assert all(block.n_instances == 0 for block in blocks)


@pytest.mark.parametrize("file", ["compare_mt/bleu_stats.parquet", "wmt17_ende/stats_bleu13a.parquet"])
def test_counts_of_n_grams_are_those_of_bleu(data: Path, file: str) -> None:
    """There is no score; BLEU is computed from the counts."""
    results = results_of(read_frame(data / file), metric="bleu")
    assert results.metrics == ("BLEU",)
    assert {block.shape for block in results.datasets} == {"corpus"}


def test_means_alone_are_no_results(data: Path) -> None:
    """Two accuracies per dataset do not make a paired test; with k and n they are counts."""
    frame = read_frame(data / "arc_counts" / "data.csv")
    with pytest.raises(InputError, match="one score per system and dataset"):
        results_of(frame.drop(columns=["k", "n"]))
    assert {block.shape for block in results_of(frame).datasets} == {"counts"}
