"""Scores tell shared instances from running numbers that happen to recur."""

import numpy as np
import pytest

from reportkit.replicability.independence.correlated_scores import FALSE_ALARM, correlated_datasets
from reportkit.replicability.independence.independence import audit_independence
from reportkit.scores.scores import Scores


def _block(name, scores, ids=None):
    ids = [str(number) for number in range(scores.shape[1])] if ids is None else ids
    return Scores(
        dataset=name,
        metric="score",
        systems=tuple(f"s{row}" for row in range(len(scores))),
        instances=np.array(ids, dtype=object),
        scores=scores,
        kind="continuous",
    )


def _criteria(rng, r, n=200, n_datasets=6):
    """Criteria rated on the same documents: difficulty and differences between two systems correlate by r."""
    common = rng.normal(size=(2, n))
    for _ in range(n_datasets):
        hard, ahead = np.sqrt(r) * common + np.sqrt(1 - r) * rng.normal(size=(2, n))
        yield np.stack((hard + ahead, hard - ahead))


def test_criteria_on_the_same_documents_are_found():
    """Six criteria with r = .8 under running numbers: all 15 pairs, with an r near .8."""
    blocks = [_block(f"c{place}", scores) for place, scores in enumerate(_criteria(np.random.default_rng(1), 0.8))]
    found = correlated_datasets(blocks)
    assert len(found) == 15
    assert all(0.6 < r < 0.95 and n == 200 for r, n in found.values())
    audit = audit_independence(blocks, "independent")
    assert audit.independent
    assert len(audit.correlated) == 15
    assert audit.largest_r == max(r for r, _ in found.values())
    assert audit_independence(blocks, "any").correlated == ()


@pytest.mark.parametrize("shape", ["normal", "rare errors", "right or wrong", "sorted", "documents"])
def test_unrelated_datasets_are_rarely_suspected(shape):
    """60 analyses of 6 unrelated datasets of 200 instances, the false alarms of which are binomial."""
    rng = np.random.default_rng(2)

    def scores():
        n = 200
        if shape == "normal":
            return rng.normal(size=(2, n)) + rng.normal(size=n)
        if shape == "sorted":
            return np.sort(rng.normal(size=n)) + rng.normal(size=(2, n)) / 2
        if shape == "documents":
            return np.repeat(rng.normal(size=n // 10), 10) + rng.normal(size=(2, n)) / 2
        hard = rng.random(n) < (0.05 if shape == "rare errors" else 0.4)
        return 1.0 - (hard & (rng.random((2, n)) < 0.8))

    alarms = sum(bool(correlated_datasets([_block(f"d{i}", scores()) for i in range(6)])) for _ in range(60))
    assert alarms <= 3  # of 60 with a probability of .005, as in the worst case simulated, 4 have one of .0003
    assert FALSE_ALARM == 0.001


def test_ids_are_matched_by_their_number_wherever_the_rows_stand():
    """fluency-17 is coherence-17; the order of rows, and instances that one dataset lacks, change nothing but n."""
    rng = np.random.default_rng(3)
    first, second = _criteria(rng, 0.8, n_datasets=2)
    order = rng.permutation(200)[:150]
    blocks = [
        _block("fluency", first, [f"fluency-{number}" for number in range(200)]),
        _block("coherence", second[:, order], [f"coherence-{number}" for number in order]),
    ]
    ((pair, (r, n)),) = correlated_datasets(blocks).items()
    assert (pair, n) == ((0, 1), 150)
    assert r > 0.5


def test_what_cannot_be_compared_is_passed_over():
    """Constant scores, fewer than 20 shared instances, systems without a score."""
    rng = np.random.default_rng(4)
    first, second = _criteria(rng, 0.99, n=19, n_datasets=2)
    assert correlated_datasets([_block("x", first), _block("y", second)]) == {}
    assert correlated_datasets([_block("x", np.ones((2, 50))), _block("y", np.zeros((2, 50)))]) == {}
    nothing = np.full((2, 50), np.nan)
    assert correlated_datasets([_block("x", nothing), _block("y", nothing)]) == {}
    assert correlated_datasets([_block("x", first)]) == {}
