"""The exact permutation test of F1, from a plain frame to the paragraph, the tables and the command line.

`tests/designs/f_permutation.md` holds the expected texts; REPORTKIT_UPDATE_GOLDEN=1 writes it anew, to be read before
it is committed.
"""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from reportkit.cli.main import main
from reportkit.errors import DesignError
from reportkit.null_distributions.swap_walks.ratio_permutation import ratio_permutation_tail
from reportkit.report.machine.claims import claims_in
from reportkit.report.prose import plain
from reportkit.report.score_format import scale_for
from reportkit.report.text.paragraph import recommended_paragraph
from tests.designs.golden import as_in_file

DATASETS = ("conll", "onto", "wnut")


def entity_frame(*, gain=0.06, n=200, seed=0, documents=False):
    """Entities found, wrong and missed by "new" and "old" in the sentences of three datasets."""
    rng = np.random.default_rng(seed)
    frames = []
    for dataset in DATASETS:
        gold = rng.poisson(3, n)
        tp_old, fp_old = rng.binomial(gold, 0.75), rng.poisson(0.7, n)
        same = rng.random(n) < 0.6
        tp_new = np.where(same, tp_old, rng.binomial(gold, 0.75 + gain))
        fp_new = np.where(same, fp_old, rng.poisson(0.7 - 3 * gain, n))
        for system, tp, fp in (("new", tp_new, fp_new), ("old", tp_old, fp_old)):
            counts = {"tp": tp, "fp": fp, "fn": gold - tp}
            frame = pd.DataFrame({"system": system, "dataset": dataset, "instance": np.arange(n), **counts})
            frames.append(frame.assign(document=frame["instance"] // 10) if documents else frame)
    return pd.concat(frames, ignore_index=True)


CASES = {
    "F1": lambda: entity_frame().replic.compare("new", "old", metric="f1", test="f-permutation"),
    "recall, no direction": lambda: entity_frame().replic.compare(
        metric="recall", test="f-permutation", alternative="two-sided", alpha=0.05
    ),
    "precision, documents": lambda: entity_frame(documents=True).replic.compare(
        "new", "old", metric="precision", test="f-permutation", alpha=0.05
    ),
}


def test_the_paragraphs_are_as_expected():
    """The method, what it assumes, and that nothing was estimated."""
    texts = {}
    for name, make in CASES.items():
        data = make()
        scale = scale_for(item for comparison in data.comparisons for item in comparison.assessments)
        texts[name] = plain(recommended_paragraph(data, scale))
    as_in_file("f_permutation", texts)


def test_the_p_values_are_those_of_the_engine():
    """F1 is the ratio of tp to 2 tp + fp + fn; any row order gives the same."""
    frame = entity_frame()
    shuffled = frame.sample(frac=1.0, random_state=1)
    outcomes = shuffled.replic.compare("new", "old", metric="f1", test="f-permutation").outcomes.set_index("dataset")
    for dataset in DATASETS:
        rows = {
            system: np.stack((part["tp"], 2 * part["tp"] + part["fp"] + part["fn"]), axis=1)
            for system, part in frame[frame["dataset"] == dataset].groupby("system")
        }
        tails = ratio_permutation_tail(rows["new"], rows["old"])
        assert outcomes.loc[dataset, "p_value"] == pytest.approx(tails.p_greater, rel=1e-12)


def test_bleu_is_refused_with_the_test_that_takes_it():
    """The message names the metric and approximate-randomization."""
    rng = np.random.default_rng(0)
    from reportkit.metrics.corpus.bleu import COLUMNS

    frame = pd.DataFrame(
        {"system": np.repeat(["new", "old"], 30), "dataset": "newstest", "instance": np.tile(np.arange(30), 2)}
    )
    for column in COLUMNS:
        low = 0 if column.startswith("correct") else 10
        frame[column] = rng.integers(low, low + 10, 60)
    with pytest.raises(DesignError, match="BLEU is none") as caught:
        frame.replic.compare("new", "old", metric="bleu", test="f-permutation")
    assert "approximate-randomization" in str(caught.value)


@pytest.mark.slow
def test_the_command_line_writes_the_method_into_the_report(tmp_path):
    """report.json says exact, with the algorithm and its bound."""
    entity_frame().to_csv(tmp_path / "counts.csv", index=False)
    arguments = ["build", str(tmp_path / "counts.csv"), "--metric", "f1", "--test", "f-permutation", "-q"]
    with pytest.raises(SystemExit) as caught:
        main([*arguments, "--system", "new", "--baseline", "old", "-o", str(tmp_path / "out")])
    assert caught.value.code == 0
    content = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    for item in claims_in(content)[0]["datasets"]:
        assert item["test"] == "f-permutation"
        assert item["method"] == "exact"
        assert item["n_resamples"] is None
