"""What a reader has to be told about re-splitting: what it shows, and what it does not."""

from __future__ import annotations

from reportkit.language.counts_and_lists import counted
from reportkit.language.numerals import fixed, percent_text
from reportkit.reproducibility_analysis.blocked_t import BlockedT
from reportkit.reproducibility_analysis.estimators import PairEstimates
from reportkit.reproducibility_analysis.reproducibility import Reproducibility, plug_in_reproducibility

SCOPE = (
    "This is reproducibility under re-splitting this corpus; it says nothing about new data or other random seeds, and"
    " the spread over re-partitions is not a sampling error."
)
"""The sentence that goes with every figure on reproducibility."""


def reproducibility_sentences(result: Reproducibility, *, system_a: str, system_b: str, estimator: str) -> str:
    """Say how often A came out better than B, and what that means.

    Parameters
    ----------
    result : Reproducibility
        Of the estimates of A minus B.
    system_a, system_b : str
        Names.
    estimator : str
        Such as "vote".

    Examples
    --------
    >>> from reportkit.reproducibility_analysis.reproducibility import reproducibility
    >>> print(reproducibility_sentences(reproducibility([0.02, 0.01, -0.01, 0.03, 0.02] * 8), system_a="ours",
    ...     system_b="base", estimator="vote"))  # doctest: +ELLIPSIS
    The vote estimate was in favour of ours over base in 32 of 40 independent re-partitions (80.0%; 95% Wilson interval
    65.2% to 89.5%). Its signal-to-noise ratio is 1.02, ... This is reproducibility under re-splitting this corpus; ...
    """
    ties = f" and 0 in {result.n_ties:,}, and half of these count as in favour" if result.n_ties else ""
    return (
        f"The {estimator} estimate was in favour of {system_a} over {system_b} in {result.n_above:,} of"
        f" {counted(result.n, 'independent re-partition')}{ties} ({result.proportion:.1%};"
        f" {percent_text(result.level)} Wilson interval {result.low:.1%} to {result.high:.1%})."
        f" Its signal-to-noise ratio is {fixed(result.snr, 2)}, for which Cantelli's bound is {result.cantelli:.1%} and"
        f" normally distributed estimates would give {result.normal:.1%}. {SCOPE}"
    )


def mixture_sentences(estimates: PairEstimates, *, system_a: str, system_b: str) -> str:
    """Say what the mixture gives in both directions, and why both are shown.

    Raises
    ------
    ValueError
        If only scores are known, so that there is no vote and no mixture.

    Examples
    --------
    >>> import numpy as np
    >>> pair = PairEstimates(hold_outs=np.array([[-0.02, -0.02]]), average=-0.02, vote=0.01)
    >>> print(mixture_sentences(pair, system_a="ours", system_b="base"))
    The mixture estimate is 0.0100 for ours over base and 0.0200 for base over ours. It is one-directional by
    construction, for it is the larger of vote and average: its reproducibility is at least that of either, whichever
    system is named first, and both directions can come out above 0, as they do here.
    """
    for_a, for_b = estimates.mixture_for_a, estimates.mixture_for_b
    if for_a is None or for_b is None:
        raise ValueError("without predictions there is no vote, and hence no mixture")
    both = ", as they do here" if for_a > 0 and for_b > 0 else ""
    return (
        f"The mixture estimate is {for_a:.4f} for {system_a} over {system_b} and {for_b:.4f} for {system_b} over"
        f" {system_a}. It is one-directional by construction, for it is the larger of vote and average: its"
        " reproducibility is at least that of either, whichever system is named first, and both directions can come out"
        f" above 0{both}."
    )


def plug_in_sentences(result: BlockedT) -> str:
    """Say what one blocked cross-validation suggests about re-splitting.

    Examples
    --------
    >>> from reportkit.reproducibility_analysis.blocked_t import blocked_t
    >>> print(plug_in_sentences(blocked_t([0.02, 0.01, 0.03, -0.01, 0.02, 0.03])))  # doctest: +ELLIPSIS
    From one blocked 3 x 2 cross-validation, without re-partitions, a normal distribution with the variance that the
    t-test assumes gives a plug-in value of 84.7% for the reproducibility of the average; it has no interval. ...
    """
    m = (result.degrees_of_freedom + 1) // 2
    return (
        f"From one blocked {m} x 2 cross-validation, without re-partitions, a normal distribution with the variance"
        f" that the t-test assumes gives a plug-in value of {plug_in_reproducibility(result):.1%} for the"
        f" reproducibility of the average; it has no interval. {SCOPE}"
    )
