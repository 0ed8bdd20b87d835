"""Real results of other people: build works, or says exactly what to do and then works."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from scipy import stats

from tests.claims import claims_in
from tests.examples.conftest import build


def _content(folder):
    return json.loads((folder / "report.json").read_text("utf-8"))


@pytest.mark.slow
def test_bbh_has_the_published_accuracies(shared, tmp_path):
    """Two systems on 27 tasks: scores as published, both directions, Fisher left out."""
    assert build(shared / "data" / "bbh" / "data.parquet", tmp_path / "r") == 0
    content = _content(tmp_path / "r")
    published = pd.read_csv(shared / "data" / "bbh" / "accuracy.csv").set_index("dataset")
    forth, back = claims_in(content)
    assert (forth["system_a"], back["system_a"]) == ("code-davinci-002-cot", "code-davinci-002-direct")
    assert len(forth["datasets"]) == 27
    for item in forth["datasets"]:
        row = published.loc[item["dataset"]]
        assert 100 * item["score_a"] == pytest.approx(row["pub_code-davinci-002-cot"], abs=0.01)
        assert 100 * item["score_b"] == pytest.approx(row["pub_code-davinci-002-direct"], abs=0.01)
    assert forth["k_hat"]["0.05"]["bonferroni"] > 10
    assert forth["k_hat"]["0.05"]["fisher"] is None


@pytest.mark.slow
def test_swebench_pro_is_incomplete_and_says_what_to_do(shared, tmp_path, capsys):
    """Systems with different instances are refused with counts and both ways out, each of which works."""
    results = shared / "data" / "swebench_pro" / "data.parquet"
    assert build(results, tmp_path / "r") == 2
    message = capsys.readouterr().err
    assert "11 of 11 datasets" in message
    assert "--missing drop" in message
    assert "--missing worst" in message
    assert build(results, tmp_path / "drop", "--missing", "drop") in (0, 1)
    assert build(results, tmp_path / "worst", "--missing", "worst") in (0, 1)
    dropped, imputed = _content(tmp_path / "drop"), _content(tmp_path / "worst")
    assert dropped["settings"]["missing"] == "drop"
    assert any(item["n_dropped"] for comparison in claims_in(dropped) for item in comparison["datasets"])
    assert any(item["n_imputed"] for comparison in claims_in(imputed) for item in comparison["datasets"])
    for content in (dropped, imputed):
        assert all(0 < item["p_value"] <= 1 for comparison in claims_in(content) for item in comparison["datasets"])
    assert "missing" in (tmp_path / "worst" / "paragraph.md").read_text("utf-8")


@pytest.mark.slow
def test_alpaca_eval_against_a_baseline(shared, tmp_path, capsys):
    """U-shaped preferences of 58 systems; one instance is missing, which is said; a system against a baseline works."""
    results = shared / "data" / "alpaca_eval" / "v2.parquet"
    pair = ("--system", "gpt-4-turbo-2024-04-09", "--baseline", "alpaca-7b")
    systems = set(pd.read_parquet(results, columns=["system"])["system"])
    if pair[1] not in systems or pair[3] not in systems:
        first, second = sorted(systems)[:2]
        pair = ("--system", second, "--baseline", first)
    code = build(results, tmp_path / "r", *pair)
    if code == 2:
        assert "--missing drop" in capsys.readouterr().err
        code = build(results, tmp_path / "r", *pair, "--missing", "drop")
    assert code in (0, 1)
    (comparison,) = claims_in(_content(tmp_path / "r"))
    assert {item["test"] for item in comparison["datasets"]} <= {"sign-flip", "bootstrap-t"}
    assert len(comparison["datasets"]) == 5


@pytest.mark.slow
def test_alpaca_eval_all_pairs_of_some(shared, tmp_path):
    """Pairs of some systems on five datasets, in both directions, corrected together."""
    results = shared / "data" / "alpaca_eval" / "v2.parquet"
    systems = sorted(set(pd.read_parquet(results, columns=["system"])["system"]))[::12]
    chosen = [word for system in systems for word in ("--system", system)]
    assert build(results, tmp_path / "r", "--missing", "drop", *chosen) in (0, 1)
    content = _content(tmp_path / "r")
    assert content["family"]["design"] == "all-pairs"
    assert content["family"]["n_hypotheses"] == len(systems) * (len(systems) - 1) * 5
    for comparison in claims_in(content):
        identified = sum(item["identified"]["0.05"] for item in comparison["datasets"])
        assert comparison["k_hat"]["0.05"]["bonferroni"] == identified


@pytest.mark.slow
def test_robust03_all_pairs(shared, tmp_path):
    """Average precision of 17 runs on two sets of topics, whose ids are running numbers."""
    assert build(shared / "data" / "robust03" / "ap.parquet", tmp_path / "r") == 0
    content = _content(tmp_path / "r")
    assert len(claims_in(content)) == 17 * 16
    assert (tmp_path / "r" / "figures" / "k-hat-matrix.pdf").is_file()


@pytest.mark.slow
def test_several_metrics_need_a_choice(shared, tmp_path, capsys):
    """BLEU, chrF and TER in one file: the metric is asked for, and lower is better for TER."""
    results = shared / "data" / "wmt17_ende" / "sentence.parquet"
    assert build(results, tmp_path / "r") == 2
    assert "--metric" in capsys.readouterr().err
    pair = ("--system", "online-B.0", "--baseline", "online-F.0")
    assert build(results, tmp_path / "r", "--metric", "TER", "--lower-is-better", "TER", *pair) in (0, 1)
    (comparison,) = claims_in(_content(tmp_path / "r"))
    (item,) = comparison["datasets"]
    assert not item["higher_is_better"]
    assert item["difference"] == pytest.approx(item["score_b"] - item["score_a"])


@pytest.mark.slow
def test_arc_counts_alone(shared, tmp_path):
    """Right answers on both parts of ARC: exact, by z where named, and what any pairing allows."""
    pair = ("--system", "BERT-MT-ensemble", "--baseline", "Reading-Strategies")
    data = shared / "data" / "arc_counts" / "data.csv"
    assert build(data, tmp_path / "exact", *pair) == 0
    (comparison,) = claims_in(_content(tmp_path / "exact"))
    easy = next(item for item in comparison["datasets"] if item["dataset"] == "ARC-easy")
    table = [[1721, 2376 - 1721], [1637, 2376 - 1637]]
    assert easy["test"] == "aggregate-fisher"
    assert easy["p_value"] == pytest.approx(stats.fisher_exact(table, alternative="greater").pvalue, rel=1e-7)
    assert build(data, tmp_path / "r", *pair, "--test", "aggregate-z") == 0
    content = _content(tmp_path / "r")
    (comparison,) = claims_in(content)
    found = {item["dataset"]: item for item in comparison["datasets"]}
    assert found["ARC-easy"]["statistic"] == pytest.approx(2.6763676, abs=5e-8)
    assert found["ARC-challenge"]["p_value"] == pytest.approx(0.0018392, abs=5e-8)
    assert found["ARC-easy"]["details"]["a"]["mcnemar_p_value_high"] == pytest.approx(0.01309, abs=5e-6)
    assert found["ARC-easy"]["interval"]["low"] == pytest.approx(0.00946, abs=5e-6)
    assert found["ARC-easy"]["interval"]["high"] == pytest.approx(0.06118, abs=5e-6)
    assert "pairing-unknown" in {item["code"] for item in content["findings"]}


@pytest.mark.slow
def test_summeval_with_eight_raters(shared, tmp_path):
    """Ratings of experts and turkers: n counts the 100 texts, and the claim is about these raters."""
    pair = ("--system", "M22", "--baseline", "M11")
    assert build(shared / "data" / "summeval" / "ratings.parquet", tmp_path / "r", "--kind", "ordinal", *pair) == 0
    content = _content(tmp_path / "r")
    (comparison,) = claims_in(content)
    for item in comparison["datasets"]:
        assert (item["test"], item["n"], item["n_clusters"]) == ("sign-test", 100, None)
        assert (item["details"]["n_ratings"], item["details"]["n_raters"]) == (800, 8)
    paragraph = (tmp_path / "r" / "more" / "paragraph-full.md").read_text("utf-8")
    assert "The claim is about these raters, not about others." in paragraph
    assert "800" not in paragraph
