"""Corpus metrics end to end: from a table of counts to the paragraph, the tables and report.json.

`tests/designs/corpus.md` holds the expected paragraphs.
"""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import reportkit
from tests.claims import claims_in
from tests.designs.golden import as_in_file


def _spans(n=400, *, datasets=("news", "blogs"), systems=("ours", "base"), clusters=0, seed=1):
    """Counts of true positives, false positives and false negatives; the first system finds more."""
    rng = np.random.default_rng(seed)
    rows = []
    for dataset in datasets:
        items = rng.poisson(3.0, size=n)
        for rank, system in enumerate(systems):
            tp = rng.binomial(items, 0.75 - 0.04 * rank)
            fp = rng.poisson(0.5, size=n)
            for i in range(n):
                row = {"system": system, "dataset": dataset, "instance": f"{dataset}-{i:03d}"}
                rows.append(row | {"tp": tp[i], "fp": fp[i], "fn": items[i] - tp[i]})
                if clusters:
                    rows[-1]["doc"] = f"{dataset}-doc{i % clusters}"
    return pd.DataFrame(rows)


def _tokens(n=300, columns=("correct", "total"), gain=0.02):
    """Correct heads of the tokens of each sentence: the same number of tokens for all parsers."""
    rng = np.random.default_rng(2)
    total = rng.integers(5, 30, size=n)
    rows = []
    for system, share in (("ours", 0.85 + gain), ("base", 0.85)):
        counts = rng.binomial(total, share)
        for i in range(n):
            row = {"parser": system, "treebank": "ewt", "sentence_id": f"s{i}"}
            rows.append(row | {columns[0]: counts[i], columns[1]: total[i]})
    return pd.DataFrame(rows).rename(columns={"parser": "system", "treebank": "dataset"})


@pytest.fixture(scope="module")
def machine_translation(shared):
    """BLEU statistics of two real tasks with the same two systems."""
    frame = pd.read_parquet(shared / "data" / "compare_mt" / "bleu_stats.parquet")
    return frame[frame["dataset"] != "ted-slk-eng"]


@pytest.fixture(scope="module")
def paragraphs(machine_translation):
    """All paragraphs by the name of their case."""
    few = _spans(15, datasets=("news",))
    cases = {
        "BLEU on two tasks": machine_translation.replic.compare("sys2", "sys1", metric="bleu"),
        "F1": _spans().replic.compare("ours", "base", metric="f1"),
        "F1 by approximate randomization": _spans().replic.compare(
            "ours", "base", metric="F1", test="approximate-randomization"
        ),
        "F1 with documents as clusters": _spans(clusters=60).replic.compare("ours", "base", metric="F1"),
        "F1 of 15 instances": few.replic.compare("ours", "base", metric="f1"),
        "UAS, exact": _tokens().replic.compare("ours", "base", metric="UAS"),
        "word error rate, exact randomization": _tokens(columns=("errors", "total"), gain=0.01).replic.compare(
            "base", "ours", metric="wer", test="approximate-randomization"
        ),
        "the jackknife disagrees": _spans(25, datasets=("news",), seed=13).replic.compare(
            "ours", "base", metric="f1", alpha=0.05
        ),
    }
    return {name: analysis.paragraph() for name, analysis in cases.items()}


@pytest.mark.slow
def test_paragraphs_read_as_expected(paragraphs):
    """Each text is as in the file that people read."""
    as_in_file("corpus", paragraphs)


@pytest.mark.slow
def test_bleu_of_real_systems(machine_translation, tmp_path):
    """Published BLEU, a bootstrap p-value and an interval, in report.json and the table."""
    analysis = machine_translation.replic.compare("sys2", "sys1", metric="BLEU")
    analysis.report().styled(full=True).save(tmp_path)
    found = claims_in(json.loads((tmp_path / "report.json").read_text(encoding="utf-8")))[0]["datasets"]
    summ = next(item for item in found if item["dataset"] == "summ")
    assert (summ["metric"], summ["shape"], summ["test"]) == ("BLEU", "corpus", "corpus-bootstrap")
    assert (round(summ["score_a"], 2), round(summ["score_b"], 2)) == (11.25, 10.75)
    assert summ["interval"]["method"] == "basic bootstrap interval"
    assert summ["interval"]["low"] < summ["difference"] < summ["interval"]["high"]
    table = (tmp_path / "more" / "report.md").read_text(encoding="utf-8")
    assert "BLEU of sys2 and sys1 on two datasets" in table
    assert "%" not in table.split("**Table 1.**")[0].split("| Dataset")[1]


def test_ratios_with_common_denominators_are_exact():
    """Accuracy over the same tokens: no random resamples, in either test."""
    for test in (None, "approximate-randomization"):
        analysis = _tokens().replic.compare("ours", "base", metric="las", test=test)
        (item,) = analysis.comparisons[0].assessments
        assert item.method == "exact"
        assert item.n_resamples is None
        assert item.in_percent


@pytest.mark.slow
def test_all_pairs_and_baselines_share_their_resamples(shared):
    """The p-value of a pair does not depend on which other systems are compared."""
    frame = pd.read_parquet(shared / "data" / "wmt17_ende" / "stats_bleu13a.parquet")
    names = ["LIUM-NMT.4900", "xmu.4910", "SYSTRAN.4847", "online-A.0"]
    several = reportkit.compare(frame[frame["system"].isin(names)], baseline=names[0], metric="bleu", alpha=0.05)
    alone = reportkit.compare(frame, "xmu.4910", names[0], metric="bleu", alpha=0.05)
    one = alone["xmu.4910", names[0]].assessments[0]
    other = several["xmu.4910", names[0]].assessments[0]
    assert one.p_value == other.p_value
    assert one.interval == other.interval


def test_missing_counts_are_left_out_or_refused():
    """Nothing can stand for the counts of an instance on which a system put out nothing."""
    frame = _spans(60, datasets=("news",))
    gaps = frame.drop(frame.index[(frame["system"] == "base") & (frame["tp"] > 3)][:5])
    for missing in ("error", "worst"):
        with pytest.raises(reportkit.MissingScoresError, match="missing='drop'"):
            gaps.replic.compare("ours", "base", metric="f1", missing=missing)
    assert gaps.replic.compare("ours", "base", metric="f1", missing="drop").outcomes["n"][0] == 55
