"""Signs after scores: levels, stars, daggers, letters; and which scores are bold or underlined."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reportkit.appearance import Appearance
from reportkit.errors import SettingsError
from reportkit.report.facts import Facts
from reportkit.report.records import Outcome

STARS = (("***", 0.001), ("**", 0.01), ("*", 0.05))
"""Levels of stars, whatever those of the analysis: as in psychology, not as in economics."""

MOST_DAGGERS = 3
"""Up to this many baselines have a dagger each."""

MOST_LETTERS = 4
"""All pairs of more systems are not marked: bold scores are not significantly worse than the best."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marking:
    """Signs of one table of scores.

    Parameters
    ----------
    style : {"levels", "stars", "daggers", "letters", "none"}
        What is shown.
    signs : mapping of (str, str) to str
        By system and dataset, where there is a sign.
    meaning : mapping of str to str or float
        Signs that occur: each with the baseline, system or level that it stands for.
    letters : mapping of str to str
        By system, the letter before its name.
    """

    style: str
    signs: Mapping[tuple[str, str], str] = field(default_factory=dict)
    meaning: Mapping[str, str | float] = field(default_factory=dict)
    letters: Mapping[str, str] = field(default_factory=dict)


def letter(index: int) -> str:
    """Return the letter of a system: a to z, then aa, ab, ...

    Examples
    --------
    >>> letter(0), letter(25), letter(26)
    ('a', 'z', 'aa')
    """
    text = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def style_of(f: Facts, look: Appearance) -> str:
    """Return the style of the signs of an analysis.

    Raises
    ------
    SettingsError
        If such signs cannot say which system another one beats.
    """
    if not look.pattern.marked or look.marks == "none":
        return "none"
    n = 0 if f.design in ("both", "all-pairs") else len(f.baselines)
    several = f.design == "all-pairs" or n > 1
    if look.marks == "auto":
        if f.design == "all-pairs":
            return "letters" if len(f.systems) <= MOST_LETTERS else "none"
        return "levels" if n <= 1 or f.design == "separate" else "daggers" if n <= MOST_DAGGERS else "letters"
    whom = "all pairs are compared" if not n else f"there are {n} baselines"
    if look.marks == "daggers" and f.design != "both" and not 1 <= n <= MOST_DAGGERS:
        raise SettingsError(
            f"marks='daggers' has {MOST_DAGGERS} signs, † ‡ §, for named baselines, and {whom}",
            remedy="use marks='letters' (--marks letters)"
            + ("" if n else ", or name up to three baselines: baseline=['a', 'b'] (--baseline a --baseline b)"),
        )
    if look.marks in ("levels", "stars") and several:
        raise SettingsError(
            f"marks={look.marks!r} says at which level a system is better, but not better than which, and {whom}",
            remedy=f"use marks='{'daggers' if 1 < n <= MOST_DAGGERS else 'letters'}', or compare with one baseline",
        )
    return look.marks


def marking(f: Facts, look: Appearance, metric: str, systems: Sequence[str], heads: Mapping[str, Any]) -> Marking:
    """Return the signs of the scores of a metric, at the levels of the correction.

    Parameters
    ----------
    heads : mapping
        Words of `text/heads.toml`; `marks` and `daggers` are the signs.
    systems : sequence of str
        In the order of the table, which letters follow.
    """
    items = [item for item in f.outcomes if item.metric == metric]
    if _is_exploratory(f, metric):
        return Marking(style="none")
    style = style_of(f, look)
    if style in ("levels", "stars"):
        return _of_levels(f, style, items, heads["marks"])
    if style == "none":
        return Marking(style="none")
    whom = [name for name in systems if f.design in ("both", "all-pairs") or name in f.baselines]
    daggers: Sequence[str] = heads["daggers"]
    written = daggers if style == "daggers" else [letter(index) for index in range(len(whom))]
    sign = dict.fromkeys(whom, daggers[0]) if f.design == "both" and style == "daggers" else {}
    sign = sign or dict(zip(whom, written, strict=False))
    beaten: dict[tuple[str, str], list[str]] = {}
    for item in items:
        if f.alpha[0] in item.marked_at:
            beaten.setdefault((item.a, item.dataset), []).append(item.b)
    between = "," if any(len(one) > 1 for one in sign.values()) else ""
    signs = {key: between.join(sign[name] for name in whom if name in names) for key, names in beaten.items()}
    occur = {name for names in beaten.values() for name in names}
    lettered = style == "letters" and f.design == "all-pairs" and bool(signs)
    return Marking(
        style=style,
        signs=signs,
        meaning={sign[name]: name for name in whom if name in occur},
        letters=sign if lettered else {},
    )


def _of_levels(f: Facts, style: str, items: Sequence[Outcome], marks: Sequence[str]) -> Marking:
    signs: dict[tuple[str, str], str] = {}
    meaning: dict[str, float] = {}
    for item in items:
        if style == "stars":
            reached = [(sign, level) for sign, level in STARS if level in item.marked_at][:1]
        else:
            reached = [pair for pair in zip(marks, f.alpha, strict=False) if pair[1] in item.marked_at]
        if reached:
            signs[item.a, item.dataset] = "".join(sign for sign, _ in reached)
            meaning |= dict(reached)
    ordered = sorted(meaning, key=lambda one: -meaning[one])
    return Marking(style=style, signs=signs, meaning={sign: meaning[sign] for sign in ordered})


def _is_exploratory(f: Facts, metric: str) -> bool:
    """Return whether the differences of a metric are shown without a correction, and so without marks."""
    return any(claim.exploratory for claim in f.claims if claim.metric == metric)


def bold_of(f: Facts, look: Appearance, metric: str) -> str:
    """Return what is bold: "best", "statistical" (all that are not significantly worse than the best), or "none"."""
    many = f.design == "all-pairs" and len(f.systems) > MOST_LETTERS
    chosen = ("statistical" if many else "best") if look.bold == "auto" else look.bold
    return "best" if chosen == "statistical" and _is_exploratory(f, metric) else chosen


def set_off(
    f: Facts, bold: str, metric: str, scores: Mapping[str, float], dataset: str | None = None
) -> tuple[set[str], set[str]]:
    """Return the systems in bold and the second best, of those scored on one dataset; ties together.

    Parameters
    ----------
    scores : mapping of str to float
        By system, unrounded.
    dataset : str, optional
        None for the mean over datasets, which `statistical` does not know.

    Raises
    ------
    SettingsError
        If the best system was not tested against another one, which `statistical` needs.
    """
    if bold == "none" or not scores:
        return set(), set()
    sign = f.sign(metric, dataset)
    best = _top(scores, sign)
    rest = {name: value for name, value in scores.items() if name not in best}
    second = _top(rest, sign) if rest and len(scores) > 2 else set()
    if bold == "statistical":
        tested = {
            (item.a, item.b): f.alpha[0] in item.marked_at
            for item in f.outcomes
            if item.metric == metric and item.dataset == dataset
        }
        for name in rest:
            untested = next((one for one in best if (one, name) not in tested), None)
            if untested is not None:
                raise SettingsError(
                    f"bold='statistical' needs to know whether {untested!r}, the best on {dataset!r}, is better than "
                    f"{name!r}, and this was not tested",
                    remedy="compare all pairs: leave out the baseline (no --baseline, no --system), or use "
                    "bold='best' (--bold best)",
                )
        best |= {name for name in rest if not any(tested[one, name] for one in best)}
    return best, second


def _top(scores: Mapping[str, float], sign: int) -> set[str]:
    top = max(sign * value for value in scores.values())
    return {name for name, value in scores.items() if math.isclose(sign * value, top, rel_tol=1e-12, abs_tol=1e-12)}
