"""One look along the contour: its cosine transform against cosines one by one."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.null_distributions.compressed.look import _binned, _twice_cosines


@pytest.mark.parametrize("bins", [8, 64, 512])
@pytest.mark.parametrize("largest", [0.1, 0.5, 1.0, 1.5, 2.0, 7.3])
def test_places_beyond_half_the_bins_are_folded(bins, largest):
    """However far a place is, its cosine is the one of the transform."""
    rng = np.random.default_rng(bins)
    places = np.sort(rng.integers(0, int(largest * bins) + 2, (3, 200)))
    places[0, :5] = 0
    weights = rng.random(places.shape)
    nodes = 2.0 * np.pi * (np.arange(bins // 2) + 0.5) / bins
    expected = (weights[:, :, None] * np.cos(places[:, :, None] * nodes)).sum(axis=1)
    close = 2e-6 * weights.sum(axis=1).max()
    found = 0.5 * _twice_cosines(_binned(places.copy(), weights, bins), bins // 2)
    assert found == pytest.approx(expected, abs=close)
    following = rng.random(places.shape)  # weights of the next places
    further = (following[:, :, None] * np.cos((places + 1)[:, :, None] * nodes)).sum(axis=1)
    both = 0.5 * _twice_cosines(_binned(places.copy(), weights, bins, following), bins // 4)
    assert both == pytest.approx((expected + further)[:, : bins // 4], abs=2.0 * close)
