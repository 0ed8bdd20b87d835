"""Calibration across datasets."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.calibration import compared_pairs, domain_shift
from reportkit.errors import DesignError


def pairs(blocks):
    """All pairs of systems, compared on each dataset."""
    return [compared_pairs(block) for block in blocks]


@pytest.fixture(scope="module")
def blocks(block_of):
    """The same twelve systems on three datasets; on the third one the order of quality is turned round."""
    rng = np.random.default_rng(0)
    quality = np.linspace(0, 1.0, 12)[:, None]
    return [
        block_of(rng.normal(size=(12, 80)) + sign * quality, name=name)
        for name, sign in (("news", 1), ("web", 1), ("odd", -1))
    ]


@pytest.fixture(scope="module")
def found(blocks):
    """From each dataset to each other one."""
    return domain_shift(pairs(blocks))


def test_by_hand(blocks, found):
    """Shares are those found by counting pairs of the two tables."""
    assert [(item.source_dataset, item.target_dataset) for item in found.transfers] == [
        (s, t) for s in ("news", "web", "odd") for t in ("news", "web", "odd") if s != t
    ]
    source, target = compared_pairs(blocks[0]), compared_pairs(blocks[1])
    confident = source.p_values <= 0.05
    share = found.transfers[0].share()
    assert (share.count, share.total) == (int((source.winner == target.winner)[confident].sum()), int(confident.sum()))


def test_like_and_unlike_domains(found):
    """Wins carry over to a dataset of the same order, and turn round on one of the other order."""
    to_web, to_odd = found.transfers[:2]
    assert to_web.share().low > 0.9
    assert to_odd.share().high < 0.1


def test_bins_add_up(found):
    """Bins hold all p-values up to .08, and those with fewer than 20 show no share."""
    rows = found.bins()
    below = sum(int((item.p_values <= 0.08).sum()) for item in found.transfers)
    assert sum(total for *_, total in rows) == below
    assert all((share is None) == (total < 20) for *_, share, total in rows)


def test_ties_are_left_out_and_counted(block_of):
    """A pair that scores the same on one of the datasets says nothing."""
    first = block_of([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [0.0, 0.0, 0.0]], name="a")
    second = block_of([[1.0, 0.0, 3.0], [0.0, 2.0, 3.0], [0.0, 0.0, 5.0]], name="b")
    found = domain_shift(pairs([first, second])).transfers[0]
    assert (found.p_values.size, found.n_tied) == (1, 2)
    assert found.share(0.001) is None


def test_refusals(blocks):
    """One dataset, and datasets of different systems, are refused."""
    with pytest.raises(DesignError, match="two datasets or more"):
        domain_shift(pairs(blocks[:1]))
    with pytest.raises(DesignError, match="no pair of systems in common"):
        domain_shift(pairs([blocks[0].select(["s00", "s01"]), blocks[1].select(["s02", "s03"])]))
