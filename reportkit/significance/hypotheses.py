"""Null hypotheses and alternatives of the tests, in the words of a paper."""

from __future__ import annotations

from typing import NamedTuple


class Hypotheses(NamedTuple):
    """Null hypothesis and alternative of a test in favour of A, in the words of a paper.

    Parameters
    ----------
    null : str
        A clause with {a} and {b}: "{a} is right no more often than {b}".
    alternative : str
        The alternative as it goes on after "and the alternative that": "it is right more often".
    """

    null: str
    alternative: str


NOT_BETTER = Hypotheses("{a} is not better than {b}", "it is")
"""For identical scores, and for printed p-values, about which no more is known."""

RIGHT_ANSWERS = Hypotheses("{a} is right no more often than {b}", "it is right more often")
MEAN_SCORES = Hypotheses("the mean score of {a} is no better than that of {b}", "it is better")
WINS = Hypotheses("{a} scores better than {b} no more often than it scores worse", "it does so more often")
SYMMETRY = Hypotheses(
    "the differences are symmetric about 0 or about a value in favour of {b}", "they lie in favour of {a}"
)
METRIC_OF_ALL = Hypotheses(
    "the metric over the whole population of instances is no better for {a} than for {b}", "it is better"
)
EXCHANGEABLE_OUTPUTS = Hypotheses(
    "the outputs of {a} and {b} are exchangeable, instance by instance", "those of {a} are better"
)
CORRELATION = Hypotheses(
    "the predictions of {a} agree with the gold scores no better than those of {b}", "they agree better"
)
ALL_RUNS = Hypotheses("the mean score of {a} over all its possible runs is no better than that of {b}", "it is better")
ALL_RUNS_ON_THIS_TEST_SET = Hypotheses(
    "the mean score of {a} on this test set, over all its possible runs, is no better than that of {b}", "it is better"
)
SAME_RUNS = Hypotheses(
    "the runs of {a} and of {b} have the same distribution of scores on this test set", "those of {a} score better"
)
LEARNING_METHODS = Hypotheses("{a}, trained on data of this size, is on average no better than {b}", "it is better")
