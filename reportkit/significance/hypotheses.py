"""The null hypotheses of the tests in the words of a paper, with the names of the systems to be filled in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What a test in favour of A tests, for either direction of a metric.

    Parameters
    ----------
    null : str
        The null hypothesis as a clause with {a} and {b}: "{a} is right at most as often as {b}".
    alternative : str
        The alternative as it goes on after "and the alternative that": "it is right more often".

    Raises
    ------
    ValueError
        If the two together do not name both systems, or another field: a mistake of the programmer.

    Examples
    --------
    >>> RIGHT_ANSWERS.null.format(a="new", b="old")
    'new is right at most as often as old'
    """

    null: str
    alternative: str

    def __post_init__(self) -> None:
        said = f"{self.null}; {self.alternative}".format(a="\x00", b="\x01")
        if "\x00" not in said or "\x01" not in said:
            raise ValueError(f"{self.null!r} and {self.alternative!r} do not name both {{a}} and {{b}}")


NOT_BETTER = Hypotheses("{a} is not better than {b}", "it is")
"""Of identical scores, and of what a paper prints, where no more is known."""

DISCORDANT = Hypotheses(
    "instances that only {a} gets right are at most as frequent as instances that only {b} gets right",
    "they are more frequent",
)
RIGHT_ANSWERS = Hypotheses("{a} is right at most as often as {b}", "it is right more often")
MEAN_SCORES = Hypotheses("the mean score of {a} is no better than that of {b}", "it is better")
WINS = Hypotheses("{a} scores better than {b} at most as often as it scores worse", "it does so more often")
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
