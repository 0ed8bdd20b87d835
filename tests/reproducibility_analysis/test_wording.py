"""What is said with every figure on reproducibility."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.reproducibility_analysis import (
    SCOPE,
    PairEstimates,
    blocked_t,
    mixture_sentences,
    plug_in_sentences,
    reproducibility,
    reproducibility_sentences,
)


def test_reproducibility_in_words():
    """Counts, interval, SNR, bound, and what it does not tell."""
    text = reproducibility_sentences(
        reproducibility([0.02, 0.01, -0.01, 0.03, 0.0] * 8), system_a="ours", system_b="base", estimator="average"
    )
    assert text == (
        "The average estimate was in favour of ours over base in 24 of 40 independent re-partitions and 0 in 8, and"
        " half of these count as in favour (70.0%; 95% Wilson interval 54.6% to 81.9%). Its signal-to-noise ratio is"
        " 0.70, for which Cantelli's bound is 32.8% and normally distributed estimates would give 75.7%. This is"
        " reproducibility under re-splitting this corpus; it says nothing about new data or other random seeds, and the"
        " spread over re-partitions is not a sampling error."
    )


def test_the_mixture_is_shown_in_both_directions():
    """One-directional by construction; it is said where both come out above 0."""
    pair = PairEstimates(hold_outs=np.array([[0.02, 0.02]]), average=0.02, vote=0.01)
    text = mixture_sentences(pair, system_a="ours", system_b="base")
    assert "0.0200 for ours over base and -0.0100 for base over ours" in text
    assert "one-directional by construction" in text
    assert "as they do here" not in text
    with pytest.raises(ValueError, match="no vote"):
        mixture_sentences(PairEstimates(hold_outs=np.zeros((1, 2)), average=0.0), system_a="a", system_b="b")


def test_the_plug_in_value_is_called_one():
    """It is labelled, has no interval, and has the same scope."""
    text = plug_in_sentences(blocked_t([0.02, 0.01, 0.03, -0.01, 0.02, 0.03]))
    assert "plug-in value of 84.7%" in text
    assert "one blocked 3 x 2 cross-validation" in text
    assert text.endswith(SCOPE)
