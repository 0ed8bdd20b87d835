"""All significance tests by name, and the one way to run them."""

from __future__ import annotations

from collections.abc import Mapping

from reportkit.errors import DesignError, SettingsError
from reportkit.language import listed
from reportkit.registry import Registry, defined_in
from reportkit.scores.sample import Sample, Shape
from reportkit.settings import Alternative
from reportkit.significance.entry import EffectWords, ResamplingPlan, SignificanceTest
from reportkit.significance.outcome import Outcome

_OTHER_NAMES = {
    **dict.fromkeys(("t-test", "ttest", "students-t"), "paired-t"),
    **dict.fromkeys(("bootstrap", "bootstrap-test"), "paired-bootstrap"),
    **dict.fromkeys(("permutation", "permutation-test", "randomization"), "sign-flip"),
}
SIGNIFICANCE_TESTS: Registry[SignificanceTest] = Registry("significance test", _OTHER_NAMES)
"""Tests by name, in the order in which users see them: `identical`, then by shape as in `SHAPE_NAMES`, then by name.

The files of `reportkit.significance.tests` are the list; `register_test` and entry points add to its end.
"""

SHAPE_NAMES: Mapping[Shape, str] = {
    "paired": "paired scores",
    "corpus": "counts that a corpus metric sums",
    "correlation": "predictions with a gold score",
    "runs": "scores of several runs, instance by instance",
    "run-scores": "one score per run",
    "folds": "one score per fold of a cross-validation",
    "unpaired": "scores of different instances",
    "counts": "numbers of right answers alone",
}


def register_test(test: SignificanceTest) -> SignificanceTest:
    """Add a significance test of your own, or of your package.

    Afterwards `df.replic.compare(..., test=name)` runs it on scores of its shape, and counts, corrections, intervals,
    tables and sentences follow from its entry. A package names the entry in its `pyproject.toml` instead, and nothing
    has to be imported:

    ```toml
    [project.entry-points."reportkit.tests"]
    brunner-munzel = "my_package.brunner_munzel:BRUNNER_MUNZEL"
    ```

    Parameters
    ----------
    test : SignificanceTest
        Name, function, null hypothesis, words, interval; see `reportkit.significance.entry.SignificanceTest`. Reports
        cite its source if its key is among theirs.

    Returns
    -------
    SignificanceTest
        The same.

    Raises
    ------
    SettingsError
        If it is not a SignificanceTest, or its name is that of a built-in test. Another test under a name of your own
        replaces the first one.

    Examples
    --------
    >>> import dataclasses
    >>> import numpy as np
    >>> from scipy.stats import brunnermunzel
    >>> from reportkit.scores.sample import Sample
    >>> from reportkit.significance.outcome import Tails
    >>> def brunner_munzel(sample, plan):
    ...     p = [float(brunnermunzel(sample.b, sample.a, alternative=side).pvalue) for side in ("less", "greater")]
    ...     tails = Tails(p_greater=p[0], p_less=p[1], p_min=0.0, method="asymptotic", algorithm="t")
    ...     wins = float(np.sign(sample.a[:, None] - sample.b).mean())
    ...     return BRUNNER_MUNZEL.outcome(sample, tails, statistic=wins, statistic_name="W", n_nonzero=None,
    ...                                   estimate=wins)
    >>> known = SIGNIFICANCE_TESTS["mann-whitney"]
    >>> BRUNNER_MUNZEL = dataclasses.replace(
    ...     known, name="brunner-munzel", title="Brunner-Munzel test", function=brunner_munzel, citation="",
    ...     summary="Rank test of P(A > B) against P(B > A) that lets the spreads differ.")
    >>> register_test(BRUNNER_MUNZEL).name
    'brunner-munzel'
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="rating", kind="ordinal",
    ...                 a=np.array([3.0, 4.0, 5.0, 5.0]), b=np.array([2.0, 3.0, 4.0]))
    >>> round(run_test("brunner-munzel", sample, ResamplingPlan()).p_greater, 4)
    0.0474
    >>> SIGNIFICANCE_TESTS.remove("brunner-munzel")
    """
    if not isinstance(test, SignificanceTest):
        raise SettingsError(
            f"{test!r} is no significance test",
            remedy="give a SignificanceTest (from reportkit.significance.entry import SignificanceTest)",
        )
    SIGNIFICANCE_TESTS.add(test.name, test)
    return test


for _entry in sorted(
    defined_in("reportkit.significance.tests", SignificanceTest),
    key=lambda entry: (not entry.tests_nothing, list(SHAPE_NAMES).index(entry.shape), entry.name),
):
    SIGNIFICANCE_TESTS.register(_entry.name, _entry)
SIGNIFICANCE_TESTS.open_to("reportkit.tests", register_test)


def effect_words(outcome: Outcome) -> EffectWords:
    """Return the words for the estimate; a difference of scores where no more is known."""
    entry = SIGNIFICANCE_TESTS.get(outcome.test)  # None for a p-value that a paper prints
    return "difference" if entry is None else entry.effect_words


def run_test(name: str, sample: Sample, plan: ResamplingPlan, alternative: Alternative = "greater") -> Outcome:
    """Check that a test fits the scores, then run it.

    A test that takes no clusters may be run on clustered instances, which it then treats as independent; its entry
    says so by `uses_clusters`, and the outcome by its assumptions.

    Parameters
    ----------
    name : str
        Name of a test in `SIGNIFICANCE_TESTS`.
    sample : Sample
        A and B on one dataset.
    plan : ResamplingPlan
        Resamples, seed and thresholds, for tests that draw random resamples.
    alternative : {"greater", "less", "two-sided"}
        Which p-value the outcome shows; it holds both tails.

    Raises
    ------
    UnknownNameError
        If there is no such test.
    DesignError
        If kind of scores, weights or clusters do not fit; the message says which value, and what would.

    Examples
    --------
    >>> import numpy as np
    >>> from reportkit.scores.sample import Sample
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="continuous",
    ...                 a=np.array([1.0, 0.5, 0.0]), b=np.array([1.0, 0.0, 0.0]))
    >>> run_test("mcnemar", paired, ResamplingPlan())
    Traceback (most recent call last):
    reportkit.errors.DesignError: 'mcnemar' needs scores that are 0 or 1; system 'a' scores 0.5
      where: a vs. b on cb
      to do: choose 'sign-flip' (means) or 'sign-test' (ordinal scores), or let the decision table choose
    """
    return entry_for(name, sample).run(sample, plan, alternative)


def entry_for(name: str, sample: Sample) -> SignificanceTest:
    """Return the entry of a test that a user names.

    Raises
    ------
    UnknownNameError
        If there is no such test.
    DesignError
        If it is a test of scores of another shape; the message says which tests fit.
    """
    test = SIGNIFICANCE_TESTS[name]
    if test.shape != sample.shape and not test.tests_nothing:
        fitting = [repr(name) for name, other in SIGNIFICANCE_TESTS.items() if other.shape == sample.shape]
        raise DesignError(
            f"{test.name!r} is a test of {SHAPE_NAMES[test.shape]}, and these are {SHAPE_NAMES[sample.shape]}",
            where=sample.label,
            remedy=f"choose {listed(fitting, last='or')}, or let the decision table choose"
            + ("; or test these runs alone: runs='fixed' (--runs fixed)" if sample.shape == "runs" else ""),
        )
    return test
