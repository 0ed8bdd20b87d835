"""Random streams of calibration."""

from __future__ import annotations

import pytest

from reportkit.calibration.streams import check_number, stream
from reportkit.errors import SettingsError


def test_streams_differ_by_seed_and_name():
    """Another seed, or another name, is another stream; the same is the same."""
    draws = {stream(seed, *names).integers(2**62) for seed, names in ((0, ("a", "b")), (1, ("a", "b")), (0, ("ab",)))}
    assert len(draws) == 3
    assert stream(5, "x").integers(2**62) == stream(5, "x").integers(2**62)


@pytest.mark.parametrize("value", [0, 2.0, True, "3"])
def test_bad_numbers(value):
    """What is no whole number of at least 1 is refused with its name."""
    with pytest.raises(SettingsError, match="n_replicates is"):
        check_number("n_replicates", value, 1)
