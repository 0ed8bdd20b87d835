"""The signs behind a score, and the words that explain them."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.appearance.appearance import Marks
from reportkit.language.counts_and_lists import listed
from reportkit.language.numerals import level_text
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.report.prose import Inline, Prose, joined, prose

STARS = (("*", 0.05), ("**", 0.01), ("***", 0.001))
"""Levels of stars, whatever those of the analysis: as in psychology, not those of economics (.10, .05, .01)."""

SIGNS = ("*", "+", "†", "‡")
"""One sign per level, largest level first, as in Dror et al. (2017), Tables 3 to 5."""

MOST_LETTERS = 8
"""With more systems than this, letters behind a score are no longer readable; a number says how many are beaten."""


def mark(comparison: Comparison, index: int, alpha: Sequence[float]) -> str:
    """Signs of one dataset: one for each level at which it is identified with the claimed direction."""
    return "".join(sign for sign, level in zip(SIGNS, alpha, strict=False) if bool(comparison.marked(level)[index]))


def sign_of(comparison: Comparison, index: int, alpha: Sequence[float], style: str = "levels") -> str:
    """Sign of one adjusted p-value: of each level that it reaches, or its stars; none if `style` is "none"."""
    if style == "none":
        return ""
    if style == "stars":
        reached = [sign for sign, level in STARS if bool(comparison.marked(level)[index])]
        return reached[-1] if reached else ""
    return mark(comparison, index, alpha)


def levels_of(alpha: Sequence[float], style: str = "levels") -> tuple[tuple[str, float], ...]:
    """Signs with their levels."""
    return STARS if style == "stars" else tuple(zip(SIGNS, alpha, strict=False))


def signs_explained(alpha: Sequence[float], style: str = "levels") -> Prose:
    """Explain signs of levels, or stars.

    Examples
    --------
    >>> signs_explained((0.05,), "stars")[-1]
    Text(text=' ≤ .001')
    """
    parts: list[Inline] = []
    for sign, level in levels_of(alpha, style):
        parts.extend(prose(f"{', ' if parts else ''}{sign} {{p}} ≤ {level_text(level)}"))
    return joined(parts)


def style_of_levels(marks: Marks) -> str:
    """Signs behind p-values: stars or none where these are asked for, else one for each level."""
    return marks if marks in ("stars", "none") else "levels"


def signs_in_words(family: Family, style: str) -> Prose:
    """Say what the signs behind p-values stand for; nothing where there are none."""
    if style == "none" or all(item.exploratory for item in family.comparisons):
        return ()
    return prose("{signs} (adjusted).", signs=signs_explained(family.alpha, style))


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


def correction_words(family: Family) -> str:
    """Name the correction and the family: "Holm-adjusted over 4 datasets", "adjusted by closed testing over ..."."""
    if family.several_metrics:
        return _correction_over_metrics(family)
    n = f"{family.n_hypotheses:,}"
    if family.n_hypotheses == 1 and family.design == "both":
        return "each direction at half the level"
    return (
        {
            "declared": f"{_adjusted(family)} over {n} datasets",
            "both": f"{_adjusted(family)} over {n} datasets, each direction at half the level",
            "baselines": f"{_adjusted(family)} over all {n} hypotheses",
            "all-pairs": f"{_adjusted(family)} over all {n} hypotheses",
            "separate": f"{_adjusted(family)} over {n} datasets for each claim by itself",
        }[family.design]
        if family.n_hypotheses > 1
        else "a single hypothesis, not adjusted"
    )


def _adjusted(family: Family) -> str:
    return "adjusted by closed testing" if family.correction == "closed testing" else "Holm-adjusted"


def _correction_over_metrics(family: Family) -> str:
    """Name the correction of the part of one metric, or of all that are corrected together."""
    metric, (primary, *secondary) = family.comparisons[0].metric, family.metrics
    half = ", each direction at half the level" if family.design == "both" else ""
    if family.gatekeeping == "by-dataset":
        return f"adjusted over all {family.n_hypotheses:,} hypotheses, with gatekeeping by dataset{half}"
    if family.gatekeeping == "none":
        return f"{_adjusted(family)} over all {family.n_hypotheses:,} hypotheses of {len(family.metrics)} metrics{half}"
    if len(family.metrics_here) > 1:
        return f"{_adjusted(family)} over {primary}, then over {listed(secondary)}{half}"
    after = family.gatekeeping == "serial" and metric != primary
    names = listed(secondary) if after else metric
    over = f"the {family.n_hypotheses:,} hypotheses" if family.n_hypotheses > 1 else "the only hypothesis"
    return f"{_adjusted(family)} over {over} of {names}{f' after those of {primary}' if after else ''}{half}"


def names_of_tests(family: Family) -> str:
    """Names of the tests behind the marks: "exact McNemar test", or two, or "tests as in Table p-values"."""
    titles = list(
        dict.fromkeys(
            item.outcome.title
            for comparison in family.comparisons
            for item in comparison.assessments
            if item.outcome.tested
        )
    )
    if not titles:
        return "no test: all scores are identical"
    return listed(titles[:3], last="or") + (" and others" if len(titles) > 3 else "")
