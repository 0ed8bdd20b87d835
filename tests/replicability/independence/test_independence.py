"""What speaks against independent datasets, and what does not: instances, scores, and runs that several share."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.replicability.independence.independence import audit_independence, shared_runs
from reportkit.scores.scores import Scores
from tests.scores.reading import results_of


def _block(name, ids, scores=None, clusters=()):
    n = len(ids)
    rng = np.random.default_rng(len(name))
    matrix = rng.integers(0, 2, size=(2, n)).astype(float) if scores is None else np.asarray(scores, dtype=float)
    codes = None if not clusters else np.arange(n) % len(clusters)
    return Scores(
        dataset=name,
        metric="score",
        systems=("a", "b"),
        instances=np.array(ids, dtype=object),
        scores=matrix,
        kind="binary",
        clusters=codes,
        cluster_names=tuple(clusters),
    )


def test_nothing_in_common_leaves_the_declaration_standing():
    """Different ids: declared independence holds; without a declaration nothing is assumed."""
    blocks = [_block("x", ["x1", "x2"]), _block("y", ["y1", "y2"])]
    assert audit_independence(blocks, "independent").independent
    assert not audit_independence(blocks, "any").independent


def test_a_shared_instance_is_evidence():
    """One id in two datasets is named as an example."""
    audit = audit_independence([_block("x", ["q1", "q2"]), _block("y", ["q2", "q3"])], "independent")
    assert not audit.independent
    assert audit.evidence == ("x and y share 1 instance (such as 'q2')",)


def test_a_nested_dataset_is_evidence():
    """WS353 holds all pairs of WS353-SIM: a subset is said to be one."""
    audit = audit_independence([_block("WS353", ["w1", "w2", "w3"]), _block("WS353-SIM", ["w1", "w3"])], "independent")
    assert audit.evidence == ("all 2 instances of WS353-SIM are also in WS353",)


def test_the_same_test_set_twice_is_evidence():
    """Two rows that share one test set, as in cross-domain classification."""
    audit = audit_independence([_block("B→K", ["k1", "k2"]), _block("D→K", ["k1", "k2"])], "independent")
    assert audit.evidence == ("B→K and D→K have the same 2 instances",)


def test_running_numbers_are_no_evidence_but_make_the_audit_blind():
    """Ids 0, 1, 2, ... recur in unrelated datasets; the audit says that it could not look."""
    audit = audit_independence([_block("x", [0, 1, 2]), _block("y", [0, 1, 2])], "independent")
    assert audit.independent
    assert "running numbers" in audit.blind


def test_long_numbers_are_ids_not_running_numbers():
    """Numbers of eight digits and more, such as those of tweets, do not recur by chance."""
    audit = audit_independence([_block("x", [12345678901]), _block("y", [12345678901])], "independent")
    assert not audit.independent


def test_shared_clusters_are_evidence():
    """The same document in two datasets, though its sentences have other ids."""
    audit = audit_independence(
        [
            _block("x", ["x1", "x2"], clusters=("doc-a", "doc-b")),
            _block("y", ["y1", "y2"], clusters=("doc-b", "doc-c")),
        ],
        "independent",
    )
    assert audit.evidence == ("x and y share 1 cluster (such as 'doc-b')",)


@pytest.mark.parametrize(("constant", "expected"), [(False, 1), (True, 0)])
def test_equal_scores_of_all_systems_are_evidence_unless_they_are_constant(constant, expected):
    """The same file under two names is noticed although ids are running numbers; two solved datasets are not."""
    scores = np.ones((2, 60)) if constant else np.random.default_rng(3).integers(0, 2, size=(2, 60))
    ids = list(range(60))
    audit = audit_independence([_block("x", ids, scores), _block("y", ids, scores)], "independent")
    assert len(audit.evidence) == expected


def test_a_running_number_before_the_text_of_an_instance_does_not_hide_it():
    """A pair has another number in another selection of pairs; chapter and verse stay what they are."""
    whole = _numbered("ws353", ["love-sex", "tiger-cat", "book-paper"])
    part = _numbered("ws353-sim", ["tiger-cat", "book-paper"])
    audit = audit_independence([whole, part], "independent")
    assert audit.evidence == ("all 2 instances of ws353-sim are also in ws353",)
    assert not audit.independent
    verses = [
        _predictions(name, [f"{i // 2}:{'ab'[i % 2]}" for i in range(start, start + 6)])
        for name, start in (("one", 0), ("other", 6))
    ]
    assert audit_independence(verses, "independent").evidence == ()
    numbers = [_numbered(name, [str(i) for i in range(5)]) for name in ("one", "other")]
    assert audit_independence(numbers, "independent").blind != ""


def test_predictions_that_are_the_same_on_two_datasets_are_evidence():
    """Whatever the ids are."""
    audit = audit_independence(
        [_predictions(name, [f"{i}" for i in range(30)]) for name in ("one", "other")], "independent"
    )
    assert audit.evidence == ("all systems have the same scores on one and other",)


def _numbered(dataset, texts):
    return _predictions(dataset, [f"{i}:{text}" for i, text in enumerate(texts)])


def _predictions(dataset, instances):
    from reportkit.scores.scores import Scores

    values = np.arange(float(len(instances)))
    return Scores(
        shape="correlation",
        dataset=dataset,
        metric="spearman",
        systems=("a", "b"),
        instances=np.array(instances, dtype=object),
        kind="continuous",
        scores=np.stack((values, values[::-1])),
        gold=values,
        coefficient="spearman",
    )


def blocks(names_of, *, instances=True):
    """Two systems on datasets, with runs of these names."""
    rng = np.random.default_rng(0)
    rows = [
        (system, dataset, f"{dataset}/x{j}q", name, round(float(rng.random()), 3))
        for dataset, names in names_of.items()
        for system in "ab"
        for name in names
        for j in range(8 if instances else 1)
    ]
    df = pd.DataFrame(rows, columns=["system", "dataset", "instance", "seed", "score"])
    return results_of(df if instances else df.drop(columns="instance"))


@pytest.mark.parametrize("instances", [True, False])
def test_running_numbers_may_be_the_same_models_or_not(instances):
    """No evidence, but possible; not if the claim is about these very runs."""
    results = blocks({"cb": ["0", "1", "2"], "rte": ["0", "1", "2"]}, instances=instances)
    assert shared_runs(results.datasets) == ((), True)
    assert shared_runs(results.datasets, "fixed") == ((), False)
    assert audit_independence(results.datasets, "independent").independent


def test_names_of_models_are_evidence():
    """Checkpoints that were scored on two datasets: Fisher's method is refused."""
    results = blocks({"cb": ["ckpt-9f3a1c", "ckpt-77be02"], "rte": ["ckpt-9f3a1c", "ckpt-0cc1d4"]})
    evidence, possible = shared_runs(results.datasets)
    assert not possible
    assert evidence[0] == "a has runs of the same names on cb and rte (such as 'ckpt-9f3a1c')"
    assert not audit_independence(results.datasets, "independent").independent
    assert audit_independence(results.datasets, "independent", "fixed").independent


def test_runs_of_each_dataset_of_its_own():
    """Other names, or one run each: nothing is shared."""
    assert shared_runs(blocks({"cb": ["0", "1"], "rte": ["2", "3"]}).datasets) == shared_runs([])
    assert shared_runs(blocks({"cb": ["0"], "rte": ["0"]}).datasets) == shared_runs([])


def test_said_where_fisher_is_asked_for():
    """A warning with the way out; none if nothing is declared."""
    results = blocks({"cb": ["0", "1", "2"], "rte": ["0", "1", "2"]})
    cases = (("independent", "random", True), ("any", "random", False), ("independent", "fixed", False))
    for datasets, seeds, expected in cases:
        family = reportkit.compare(results, "a", "b", dependence=datasets, runs=seeds)
        assert ("same-runs" in {finding.code for finding in family.findings}) is expected
