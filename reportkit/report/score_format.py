"""How scores are written: digits, units, intervals, p-values; and decimals that promise more than the data hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reportkit.finding import Finding
from reportkit.language.counts_and_lists import listed
from reportkit.language.numerals import decimals_for, fixed, interval_end, interval_text, p_value_text, signed
from reportkit.metrics.correlation.coefficients import named_coefficient
from reportkit.report.prose import Prose, text
from reportkit.significance.outcome import Assessment


@dataclass(frozen=True, slots=True)
class ScoreScale:
    """Factor and decimals of one metric.

    Parameters
    ----------
    factor : float
        100 for right-or-wrong scores, which are printed in percent; 1 otherwise.
    decimals : int
        The same for all systems and datasets of a metric.
    noun : str
        Noun for differences that are not in percent; empty if they have no unit, as those of correlations.
    """

    factor: float
    decimals: int
    noun: str = "points"

    def score(self, value: float) -> str:
        """Write a score as given."""
        return fixed(value * self.factor, self.decimals)

    def difference(self, value: float) -> str:
        """Write a difference with its sign."""
        return signed(value * self.factor, self.decimals)

    def end(self, value: float) -> str:
        """Write an end of an interval of a difference, so that its side of 0 is seen."""
        return interval_end(value * self.factor, self.decimals)

    def interval(self, low: float, high: float) -> str:
        """Write an interval of a difference: `[+0.4, +3.1]`."""
        return interval_text(low * self.factor, high * self.factor, self.decimals)

    @property
    def unit(self) -> str:
        """`%` or nothing, for captions and headers."""
        return "%" if self.factor == 100 else ""

    @property
    def points(self) -> str:
        """Noun for differences."""
        return "percentage points" if self.factor == 100 else self.noun

    @property
    def points_after(self) -> str:
        """The same to follow a number, with the space before it."""
        return f" {self.points}" if self.points else ""


def _is_correlation(item: Assessment) -> bool:
    """Whether the scores are correlations with gold scores, of instances or taken from several datasets."""
    return item.shape == "correlation" or (item.unit == "dataset" and named_coefficient(item.metric) is not None)


def scale_for(assessments: Iterable[Assessment]) -> ScoreScale:
    """Choose percent for right-or-wrong scores, and decimals no finer than the data support.

    The last decimal is the one that the smallest standard error of a difference reaches; at least one (of correlations
    two), at most four. Decimals that a paper prints, or that a user asks for, come before.

    Parameters
    ----------
    assessments : iterable of Assessment
        Of one metric, over all datasets and systems.

    Examples
    --------
    Scores of right or wrong answers, standard errors above half a percentage point: `72.3`.
    """
    items = list(assessments)
    factor = 100.0 if items and all(item.kind == "binary" or item.in_percent for item in items) else 1.0
    given = [item.decimals for item in items if item.decimals is not None]
    if items and all(map(_is_correlation, items)):
        known = [item.standard_error for item in items if item.standard_error]
        decimals = max(given) if given else max(2, decimals_for(min(known))) if known else 2
        return ScoreScale(factor=1.0, decimals=decimals, noun="")
    if given:
        return ScoreScale(factor=factor, decimals=max(given))
    errors = [item.standard_error * factor for item in items if item.standard_error]
    return ScoreScale(factor=factor, decimals=decimals_for(min(errors)) if errors else 2 if factor == 1 else 1)


def p_text(p_value: float) -> Prose:
    """Write a p-value for a table: `.036`, `3.9e-10` as a power of ten."""
    written = p_value_text(p_value, precise=True)
    if "e" not in written:
        return text(written)
    mantissa, exponent = written.split("e")
    digits = exponent.replace("-", "⁻").translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return text(f"{mantissa}×10{digits}")


def difference_interval(item: Assessment, scale: ScoreScale) -> str:
    """Write the interval of a difference: `[+0.4, +3.1]`; empty if there is none."""
    if item.interval is None:
        return ""
    return scale.interval(item.interval.low, item.interval.high)


_FINEST = 0.1
"""A last decimal below this part of the smallest step, or of the standard error, says nothing."""

_LISTED = 4


def decimals_beyond_n(items: Sequence[Assessment], decimals: int) -> list[Finding]:
    """Say on which datasets the last decimal is below a tenth of what one instance changes.

    One of n right answers is 100 / n percentage points: with n = 277 a second decimal is a thirtieth of that. Of other
    scores, the standard error of the difference stands for this step.

    Parameters
    ----------
    items : sequence of Assessment
        Of one metric.
    decimals : int
        Asked for.

    Examples
    --------
    With n = 872, 0.11 percentage points to an answer, two decimals are enough to tell single answers apart, and three
    are too many.
    """
    usual = scale_for(items)
    if decimals <= usual.decimals:
        return []
    factor = usual.factor
    steps: dict[str, float] = {}
    for item in items:
        right = item.unit == "instance" and (item.kind == "binary" or item.in_percent)
        step = factor / item.n if item.n and right else None
        if step is None and item.standard_error:
            step = factor * item.standard_error
        if step is not None and 10.0**-decimals < _FINEST * step * (1 - 1e-9):
            steps[item.dataset] = max(step, steps.get(item.dataset, 0.0))
    if not steps:
        return []
    names = [f"{name!r}" for name in list(steps)[:_LISTED]]
    more = f" and {len(steps) - _LISTED} more" if len(steps) > _LISTED else ""
    coarsest = max(steps.values())
    return [
        Finding(
            "decimals-beyond-n",
            "warning",
            f"{decimals} decimals were asked for, and one instance, or one standard error, is as much as "
            f"{coarsest:.2g}: the last decimal says nothing.",
            where=f"datasets {', '.join(names)}{more}" if more else listed(names),
            remedy=f"print {usual.decimals}, as without decimals (--decimals)",
        )
    ]
