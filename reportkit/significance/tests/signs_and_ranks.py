"""The sign test, and Wilcoxon's signed-rank test, exact with ties and zeros."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reportkit.scores.designs import sorted_units
from reportkit.scores.sample import Sample
from reportkit.significance.entry import ANY_KIND, IntervalMethod, PValues, ResamplingPlan, SignificanceTest
from reportkit.significance.hypotheses import SYMMETRY, WINS
from reportkit.significance.nulls import flip_tails
from reportkit.significance.outcome import Interval, Outcome, Tails
from reportkit.significance.tests.mcnemar import exact_tails
from reportkit.significance.tests.sign_flip import SIGN_FLIP, cannot_bound, sign_flip_tails, tails_of
from reportkit.significance.units import as_wins, signed_ranks


def sign_test(paired: Sample, plan: ResamplingPlan) -> Outcome:
    """Run the sign test of wins against losses; ties say nothing and are left out.

    Given m instances that are not ties, the wins of A are binomial (m, 1/2) if both win equally often: the exact
    McNemar test, for any scores that can be ordered. With weights or clusters, the signs (of a whole cluster) are
    flipped together and the test is the sign-flip test of the sum of signs.

    Parameters
    ----------
    paired : Sample
        Scores of any kind.
    plan : ResamplingPlan
        Needed only where weights or clusters allow no exact computation.

    Notes
    -----
    Null hypothesis: A wins no more often than B. It is about how often, not by how much: the mean difference may have
    the other sign. Assumes independent instances (clusters). Dixon and Mood (1946), "The statistical sign test".

    Examples
    --------
    >>> import numpy as np
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="rating", kind="ordinal",
    ...                 a=np.array([5.0, 4.0, 4.0, 3.0, 1.0]), b=np.array([1.0, 3.0, 2.0, 3.0, 2.0]))
    >>> outcome = sign_test(paired, ResamplingPlan())
    >>> outcome.statistic, outcome.n_nonzero, outcome.p_greater  # 3 wins, 1 loss: 5 / 16
    (2.0, 4, 0.3125)
    """
    signs = as_wins(paired)
    if paired.weights is None and paired.clusters is None:
        wins, losses = signs.wins_and_losses
        tails, statistic, n_nonzero = exact_tails(wins, losses), float(wins - losses), wins + losses
    else:
        units = sorted_units(signs)
        (tails,), statistic = sign_flip_tails([units]), float(units.sums.sum()) * (-1.0 if units.swapped else 1.0)
        n_nonzero = int(np.count_nonzero(units.sums))
    return SIGN_TEST.outcome(
        paired,
        tails,
        statistic=statistic,
        statistic_name="wins of A minus wins of B",
        n_nonzero=n_nonzero,
        estimate=signs.value_difference,
    )


def _interval(paired: Sample, level: float, seed: int, p_values: PValues) -> Interval | None:
    """Return the interval of wins minus losses, without "mean" in its name."""
    found = SIGN_FLIP.interval.interval(as_wins(paired), level, seed, p_values)
    if found is None:
        return None
    return replace(found, title=found.title.removesuffix(" of the mean").removesuffix(" of the weighted mean"))


SIGN_TEST = SignificanceTest(
    name="sign-test",
    title="sign test",
    function=sign_test,
    kinds=ANY_KIND,
    uses_weights=True,
    interval=IntervalMethod(
        interval=_interval,
        margin=lambda paired, margin, seed: SIGN_FLIP.interval.margin(as_wins(paired), margin, seed),
        silence=lambda paired, level: cannot_bound(as_wins(paired), level),
    ),
    estimand="share of wins minus share of losses",
    hypotheses=WINS,
    effect_words="wins",
    ties_count=False,
    assumptions=(),
    citation="dixon1946sign",
    summary="Binomial test of wins against losses; for ordinal scores, whose differences have no size.",
    title_with_clusters="sign test with whole clusters",
)


def wilcoxon(paired: Sample, plan: ResamplingPlan) -> Outcome:
    """Run the Wilcoxon signed-rank test; zero differences are left out before ranking.

    The absolute differences are ranked, ties share the mean of their ranks, and each rank gets the sign of its
    difference. Given the absolute differences, p is the share of all sign patterns whose sum of signed ranks is at
    least the observed one: exact with ties too.

    Parameters
    ----------
    paired : Sample
        Scores without weights; clusters are ignored.
    plan : ResamplingPlan
        Not needed.

    Notes
    -----
    Null hypothesis: the differences are symmetric about 0. This is not a test of the mean: with skewed differences of
    mean 0 it rejects with a probability that goes to 1 as n grows. Assumes independent instances. Wilcoxon (1945).

    Examples
    --------
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7, 0.8, 0.1]), b=np.array([0.4, 0.9, 0.5, 0.3, 0.2]))
    >>> outcome = wilcoxon(paired, ResamplingPlan())  # signed ranks 1.5, 3, 4, -1.5
    >>> outcome.statistic, outcome.p_greater
    (7.0, 0.1875)
    """
    swapped = paired.system_b < paired.system_a
    ranks = np.sort(signed_ranks(-paired.differences if swapped else paired.differences))
    tails = tails_of(flip_tails(ranks[None, :]).each()[0], ranks) if ranks.size else Tails.of_no_difference()
    statistic = float(ranks.sum())
    if swapped:
        tails, statistic = tails.swapped(), -statistic
    return WILCOXON.outcome(
        paired, tails, statistic=statistic, statistic_name="sum of signed ranks", n_nonzero=int(ranks.size)
    )


WILCOXON = SignificanceTest(
    name="wilcoxon",
    title="Wilcoxon signed-rank test",
    resamples=True,
    function=wilcoxon,
    kinds=ANY_KIND,
    interval=IntervalMethod(
        interval=lambda paired, level, seed, p_values: None,
        margin=lambda paired, margin, seed: SIGN_FLIP.interval.margin(paired, margin, seed),
        matched=False,
        silence=lambda paired, level: "a test of symmetry about 0 has no interval of the mean",
    ),
    estimand="mean difference",
    hypotheses=SYMMETRY,
    ties_count=False,
    assumptions=(
        "differences are symmetric about their centre (of skewed ones it tests something else than the mean)",
    ),
    citation="wilcoxon1945individual",
    summary="Signed ranks with zeros left out; tests symmetry about 0, not the mean.",
    if_skewed="other claim",
)
