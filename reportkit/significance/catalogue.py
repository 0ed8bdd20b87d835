"""All significance tests by name, and the one way to run them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from reportkit.errors import DesignError, SettingsError
from reportkit.language.counts_and_lists import listed
from reportkit.registry import Registry, defined_in
from reportkit.scores.scales import detect_kind
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.sample import Sample, Shape
from reportkit.scores.shapes.unpaired import UnpairedScores
from reportkit.settings import Alternative
from reportkit.significance.entry import EffectWords, SignificanceTest
from reportkit.significance.outcome import Outcome
from reportkit.significance.plan import ResamplingPlan

__all__ = ["SIGNIFICANCE_TESTS", "SignificanceTest", "effect_words", "entry_of", "register_test", "run_test"]

SIGNIFICANCE_TESTS: Registry[SignificanceTest] = Registry("significance test")
"""Names to tests, as they are listed to users: `identical`, then shape by shape as in `SHAPE_NAMES`, each by name.

The files of `reportkit.significance.tests` are the list; `register_test` and entry points add to its end.
"""

SHAPE_NAMES: Mapping[Shape, str] = {
    "paired": "paired scores",
    "corpus": "counts that a corpus metric sums",
    "correlation": "predictions beside a gold score",
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
        If it is no SignificanceTest, or its name is that of a built-in test. Another test under a name of your own
        replaces the first one.

    Examples
    --------
    >>> import dataclasses
    >>> from scipy.stats import brunnermunzel
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
    >>> sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="rating", kind="ordinal",
    ...                         a=np.array([3.0, 4.0, 5.0, 5.0]), b=np.array([2.0, 3.0, 4.0]))
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


def entry_of(outcome: Outcome) -> SignificanceTest | None:
    """What the test behind an outcome says of itself; None of a p-value that is printed in a paper."""
    return SIGNIFICANCE_TESTS.get(outcome.test)


def effect_words(outcome: Outcome) -> EffectWords:
    """How a text says what was estimated; a difference of scores where no more is known."""
    entry = entry_of(outcome)
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
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="continuous",
    ...                       a=np.array([1.0, 0.5, 0.0]), b=np.array([1.0, 0.0, 0.0]))
    >>> run_test("mcnemar", paired, ResamplingPlan())
    Traceback (most recent call last):
    reportkit.errors.DesignError: 'mcnemar' needs scores that are 0 or 1; system 'a' scores 0.5
      where: 'a' v 'b' on 'cb', instance 1 of 0 to 2
      to do: choose 'sign-flip' (means) or 'sign-test' (ordinal scores), or let the decision table choose
    """
    test = SIGNIFICANCE_TESTS[name]
    check_design(test, sample)
    return test.function(sample, plan).towards(alternative)


def check_design(test: SignificanceTest, sample: Sample) -> None:
    """Raise DesignError if a test does not fit shape, kind, values or weights of the scores."""
    if test.shape != sample.shape and test.name != "identical":
        fitting = [repr(name) for name, other in SIGNIFICANCE_TESTS.items() if other.shape == sample.shape]
        raise DesignError(
            f"{test.name!r} is a test of {SHAPE_NAMES[test.shape]}, and these are {SHAPE_NAMES[sample.shape]}",
            where=sample.label,
            remedy=f"choose {listed(fitting, last='or')}, or let the decision table choose"
            + ("; or test these very runs: runs='fixed' (--runs fixed)" if sample.shape == "runs" else ""),
        )
    if test.kinds == {"binary"} and sample.shape in _RIGHT_OR_WRONG:
        _RIGHT_OR_WRONG[sample.shape](test, sample)
    elif sample.kind not in test.kinds:
        raise DesignError(
            f"{test.name!r} compares means, and the mean of {sample.kind} scores says nothing",
            where=sample.label,
            remedy=f"choose {'mann-whitney' if test.shape == 'unpaired' else 'sign-test'!r}; or declare the scores "
            "continuous if their steps are of equal size",
        )
    if isinstance(sample, PairedScores) and sample.weights is not None and not test.uses_weights:
        raise DesignError(
            f"{test.name!r} takes no weights, and instances have weights from "
            f"{float(sample.weights.min()):g} to {float(sample.weights.max()):g}",
            where=sample.label,
            remedy="choose 'sign-flip', or leave the column of weights out",
        )


def _check_unpaired_right_or_wrong(test: SignificanceTest, sample: UnpairedScores) -> None:
    if sample.binary:
        return
    right = 1.0 if sample.higher_is_better else -1.0
    for system, scores in ((sample.system_a, sample.a), (sample.system_b, sample.b)):
        other = scores[(scores != 0) & (scores != right)]
        if other.size:
            raise DesignError(
                f"{test.name!r} needs scores that are 0 or 1; system {system!r} scores {sample.as_given(other[0]):g}",
                where=f"{sample.label}, {other.size:,} of {scores.size:,} instances",
                remedy="choose 'welch' (means) or 'mann-whitney' (ordinal scores), or let the decision table choose",
            )


def _check_right_or_wrong(test: SignificanceTest, paired: PairedScores) -> None:
    if detect_kind(np.stack((paired.a, paired.b))) == "binary":
        return
    right = 1.0 if paired.higher_is_better else -1.0
    for system, scores in ((paired.system_a, paired.a), (paired.system_b, paired.b)):
        other = (scores != 0) & (scores != right)
        if not other.any():
            continue
        instance = int(np.argmax(other))
        shown = float(scores[instance]) if paired.higher_is_better else -float(scores[instance])
        raise DesignError(
            f"{test.name!r} needs scores that are 0 or 1; system {system!r} scores {shown:g}",
            where=f"{paired.label}, instance {instance} of 0 to {paired.n - 1}",
            remedy="choose 'sign-flip' (means) or 'sign-test' (ordinal scores), or let the decision table choose",
        )


_RIGHT_OR_WRONG: Mapping[Shape, Callable[[SignificanceTest, Any], None]] = {
    "paired": _check_right_or_wrong,
    "unpaired": _check_unpaired_right_or_wrong,
}
