"""What stands in the cells of a report of calibration: shares, intervals, levels, amounts."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from reportkit.calibration.bins import BinCalibration
from reportkit.calibration.shares import Proportion
from reportkit.calibration.study import CalibrationStudy
from reportkit.language.counts_and_lists import listed
from reportkit.language.numerals import decimals_for
from reportkit.report.model import Cell
from reportkit.report.prose import SYMBOLS, Prose
from reportkit.report.score_format import ScoreScale
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS

_MOST_DECIMALS = 4
_SYMBOL = re.compile(r"(?<![\w-])(k-hat|p)(?=[\s.,)]|-values?\b)")


def worded(words: str) -> Prose:
    """Plain words with the signs of mathematics set as such: k-hat, and p where it stands for a p-value.

    Examples
    --------
    >>> worded("k-hat is above 0 where p = .05")
    'k̂ is above 0 where 𝑝 = .05'
    """
    return _SYMBOL.sub(lambda found: SYMBOLS[found[0].replace("-", "_")], words)


def titles(tests: Sequence[str]) -> str:
    """Tests by their names in prose: "paired bootstrap of the mean and sign-flip permutation test".

    Examples
    --------
    >>> titles(["sign-flip"])
    'sign-flip permutation test of the mean'
    """
    known = dict.fromkeys(SIGNIFICANCE_TESTS[name].title if name in SIGNIFICANCE_TESTS else name for name in tests)
    return listed(known)


def titles_by_dataset(found: Sequence[BinCalibration]) -> str:
    """The test by its name; where datasets have different ones, each with its datasets.

    Examples
    --------
    >>> from types import SimpleNamespace as Bins
    >>> titles_by_dataset([Bins(test="sign-flip", dataset="nyt"), Bins(test="paired-bootstrap", dataset="tweets")])
    'sign-flip permutation test of the mean on nyt; paired bootstrap test on tweets'
    """
    by_test: dict[str, list[str]] = {}
    for item in found:
        by_test.setdefault(item.test, []).append(item.dataset)
    if len(by_test) == 1:
        return titles([*by_test])
    return "; ".join(f"{titles([test])} on {listed(datasets)}" for test, datasets in by_test.items())


def share_text(value: float, decimals: int = 3) -> str:
    """Write a share without the zero before the point.

    Examples
    --------
    >>> share_text(0.0517), share_text(1.0), share_text(0.92251, 2)
    ('.052', '1.000', '.92')
    """
    return f"{value:.{decimals}f}".removeprefix("0")


def interval_text(low: float | None, high: float | None, decimals: int = 3) -> str:
    """Write both ends of an interval of a share; a dash if there is none.

    Examples
    --------
    >>> interval_text(0.04, 0.0651), interval_text(None, None)
    ('[.040, .065]', '–')
    """
    if low is None or high is None:
        return "–"
    return f"[{share_text(low, decimals)}, {share_text(high, decimals)}]"


def share_cells(share: Proportion, decimals: int = 3) -> list[Cell]:
    """A share, and its interval."""
    return [
        Cell.of(share_text(share.value, decimals)),
        Cell.of(interval_text(share.low, share.high, decimals)),
    ]


def gain_scale(study: CalibrationStudy) -> ScoreScale:
    """How differences are printed: percentage points of right-or-wrong scores, three digits of a usual difference."""
    factor = 100.0 if study.in_percent else 1.0
    gains = [found.gains[found.gains > 0] for found in study.compared]
    seen = [float(np.median(item)) for item in gains if item.size] + [abs(curve.gain) for curve in study.sizes]
    limits = [item.threshold for groups in study.thresholds for item in groups if item.threshold]
    usual = min(limits) if limits else max((value for value in seen if value > 0), default=1.0)
    decimals = min(_MOST_DECIMALS, decimals_for(factor * usual / 10))
    return ScoreScale(factor=factor, decimals=decimals, noun="")


def once(items: Sequence[str]) -> tuple[str, ...]:
    """Each item once, in order."""
    return tuple(dict.fromkeys(items))
