"""The signs behind a score, and the words that explain them."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.numerals import level_text
from reportkit.phrases import listed
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.report.prose import Inline, Prose, joined, prose

SIGNS = ("*", "+", "†", "‡")
"""One sign per level, largest level first, as in Dror et al. (2017), Tables 3 to 5."""

MOST_LETTERS = 8
"""With more systems than this, letters behind a score are no longer readable; a number says how many are beaten."""


def mark(comparison: Comparison, index: int, alpha: Sequence[float]) -> str:
    """Signs of one dataset: one for each level at which it is identified with the claimed direction."""
    return "".join(sign for sign, level in zip(SIGNS, alpha, strict=False) if bool(comparison.marked(level)[index]))


def letter(index: int) -> str:
    """Letter of a system: a to z, then aa, ab, ...

    Examples
    --------
    >>> letter(0), letter(25), letter(26), letter(701), letter(702)
    ('a', 'z', 'aa', 'zz', 'aaa')
    """
    text = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def signs_and_levels(alpha: Sequence[float]) -> Prose:
    """Explain the signs: "* p ≤ .05, + p ≤ .01", with p as a symbol.

    Examples
    --------
    >>> signs_and_levels((0.05,))
    (Text(text='* '), Symbol(name='p'), Text(text=' ≤ .05'))
    """
    parts: list[Inline] = []
    for sign, level in zip(SIGNS, alpha, strict=False):
        parts.extend(prose(f"{', ' if parts else ''}{sign} {{p}} ≤ {level_text(level)}"))
    return joined(parts)


def correction_words(family: Family) -> str:
    """Name the correction and the family: "Holm-adjusted over 4 datasets"."""
    if family.several_metrics:
        return _correction_over_metrics(family)
    n = f"{family.n_hypotheses:,}"
    return (
        {
            "declared": f"Holm-adjusted over {n} datasets",
            "both": f"Holm-adjusted over {n} datasets, each direction at half the level",
            "baselines": f"Holm-adjusted over all {n} hypotheses",
            "all-pairs": f"Holm-adjusted over all {n} hypotheses",
            "separate": f"Holm-adjusted over {n} datasets for each claim by itself",
        }[family.design]
        if family.n_hypotheses > 1 or family.design == "both"
        else "a single hypothesis, not adjusted"
    )


def _correction_over_metrics(family: Family) -> str:
    """Name the correction of the part of one metric, or of all that are corrected together."""
    metric, (primary, *secondary) = family.comparisons[0].metric, family.metrics
    half = ", each direction at half the level" if family.design == "both" else ""
    if family.gatekeeping == "by-dataset":
        return f"adjusted over all {family.n_hypotheses:,} hypotheses, with gatekeeping by dataset{half}"
    if family.gatekeeping == "none":
        return f"Holm-adjusted over all {family.n_hypotheses:,} hypotheses of {len(family.metrics)} metrics{half}"
    if len(family.metrics_here) > 1:
        return f"Holm-adjusted over {primary}, then over {listed(secondary)}{half}"
    after = family.gatekeeping == "serial" and metric != primary
    names = listed(secondary) if after else metric
    over = f"the {family.n_hypotheses:,} hypotheses" if family.n_hypotheses > 1 else "the only hypothesis"
    return f"Holm-adjusted over {over} of {names}{f' after those of {primary}' if after else ''}{half}"


def names_of_tests(family: Family) -> str:
    """Names of the tests behind the marks: "exact McNemar test", or two, or "tests as in Table p-values"."""
    titles = list(
        dict.fromkeys(
            item.outcome.title
            for comparison in family.comparisons
            for item in comparison.assessments
            if item.outcome.test != "identical"
        )
    )
    if not titles:
        return "no test: all scores are identical"
    return listed(titles[:3], last="or") + (" and others" if len(titles) > 3 else "")
