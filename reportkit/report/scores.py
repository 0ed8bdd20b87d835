"""How scores and differences of one dataset are printed: percent or as given, with how many decimals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reportkit.numerals import decimals_for, fixed, signed
from reportkit.significance.assessment import Assessment


@dataclass(frozen=True, slots=True)
class ScoreScale:
    """Factor and decimals of one metric.

    Parameters
    ----------
    factor : float
        100 for right-or-wrong scores, which are printed in percent; 1 otherwise.
    decimals : int
        The same for all systems and datasets of a metric.
    """

    factor: float
    decimals: int

    def score(self, value: float) -> str:
        """Write a score as given."""
        return fixed(value * self.factor, self.decimals)

    def difference(self, value: float) -> str:
        """Write a difference with its sign."""
        return signed(value * self.factor, self.decimals)

    @property
    def unit(self) -> str:
        """`%` or nothing, for captions and headers."""
        return "%" if self.factor == 100 else ""

    @property
    def points(self) -> str:
        """Noun for differences."""
        return "percentage points" if self.factor == 100 else "points"


def scale_for(assessments: Iterable[Assessment]) -> ScoreScale:
    """Choose percent for right-or-wrong scores, and decimals no finer than the data support.

    The last decimal is the one that the smallest standard error of a difference reaches; at least one, at most four.

    Parameters
    ----------
    assessments : iterable of Assessment
        Of one metric, over all datasets and systems.

    Examples
    --------
    Scores of right or wrong answers, standard errors above half a percentage point: `72.3`.
    """
    items = list(assessments)
    factor = 100.0 if items and all(item.kind == "binary" for item in items) else 1.0
    printed = [item.decimals for item in items if item.decimals is not None]
    if printed:
        return ScoreScale(factor=1.0, decimals=max(printed))
    errors = [item.standard_error * factor for item in items if item.standard_error]
    return ScoreScale(factor=factor, decimals=decimals_for(min(errors)) if errors else 2 if factor == 1 else 1)
