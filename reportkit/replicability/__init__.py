"""HOW MANY datasets, and WHICH? The two questions of replicability analysis.

Given one p-value for each of N datasets, all for one claim "A is better than B":

- **How many?** `k_hat` is a lower bound: with confidence 1 - alpha, A is better on at least so many. `discoveries` is
  the same bound for any subset of the datasets, also one that was chosen after looking.
- **Which?** `holm` names datasets such that the probability of even one wrong name is at most alpha.

Where to look
-------------
multiple_testing/p_values.py             what a vector of p-values and a level is, and when a p-value is at most the level
multiple_testing/combination.py          Bonferroni, Fisher, Simes, Stouffer, ...: the registry `COMBINATIONS`, and what each needs
multiple_testing/truncated_product.py    the arithmetic of one of them
multiple_testing/fisher_bonferroni.py    that of another: the smaller of two p-values
multiple_testing/partial_conjunction.py  p-values of "better on at least u of N", for every u
multiple_testing/k_hat.py                the number of datasets
multiple_testing/holm.py                 their names
multiple_testing/adjustment.py           Holm, Hochberg, Hommel, closed testing and false discovery rates: the registry `ADJUSTMENTS`
multiple_testing/closed_testing.py       the number of effects in a subset, and which: one closed test
multiple_testing/joint_closed_test.py    the same for several claims that share systems
multiple_testing/graphical.py            levels that are passed on along the arrows of a graph
multiple_testing/gatekeeping.py          several metrics: what is tested first, and how the level is passed on
independence/independence.py         what speaks against independent datasets
comparison.py           one claim over all datasets: Comparison
multiple_testing/correction.py           who is corrected together with whom
family.py               all claims of an analysis, corrected together: Family
compare.py              from results to a family
printed.py              from a paper's printed p-values to a family
printed/reproduction.py         printed claims, recomputed
analysis.py             everything that a report is built from

The first twelve are mathematics on arrays of numbers: they take an array of shape (..., n_datasets) and work along its
last axis. None sees frames, files or formats.
"""

from reportkit.replicability.multiple_testing.adjustment import ADJUSTMENTS, Adjustment, adjusted_p_values
from reportkit.replicability.multiple_testing.closed_testing import discoveries
from reportkit.replicability.multiple_testing.combination import COMBINATIONS, Combination, SumRule, Validity
from reportkit.replicability.multiple_testing.graphical import graphical
from reportkit.replicability.multiple_testing.holm import holm
from reportkit.replicability.multiple_testing.k_hat import NAIVE_COUNT, k_hat
from reportkit.replicability.multiple_testing.p_values import check_alpha, check_p_values, rejection_level
from reportkit.replicability.multiple_testing.partial_conjunction import partial_conjunction

__all__ = [
    "ADJUSTMENTS",
    "COMBINATIONS",
    "NAIVE_COUNT",
    "Adjustment",
    "Combination",
    "SumRule",
    "Validity",
    "adjusted_p_values",
    "check_alpha",
    "check_p_values",
    "discoveries",
    "graphical",
    "holm",
    "k_hat",
    "partial_conjunction",
    "rejection_level",
]
