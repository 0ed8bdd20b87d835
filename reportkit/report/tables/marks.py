"""The signs behind scores, and the words that explain them: daggers, letters, levels, stars; or a count of wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress

from reportkit.appearance import Marks
from reportkit.errors import SettingsError
from reportkit.language.counts_and_lists import listed
from reportkit.language.numerals import level_text
from reportkit.replicability.comparison import Comparison, marked_in
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Inline, Prose, joined, prose
from reportkit.report.tables.groups import systems_of

STARS = (("*", 0.05), ("**", 0.01), ("***", 0.001))
"""Levels of stars, whatever those of the analysis: as in psychology, not those of economics (.10, .05, .01)."""

SIGNS = ("*", "+", "†", "‡")
"""One sign per level, largest level first, as in Dror et al. (2017), Tables 3 to 5."""

MOST_LETTERS = 8
"""With more systems than this, letters behind a score are no longer readable; a column counts the wins instead."""

WINS = "Wins"


def mark(comparison: Comparison, index: int, alpha: Sequence[float]) -> str:
    """Signs of one dataset: one for each level at which it is identified with the claimed direction."""
    return "".join(sign for sign, level in zip(SIGNS, alpha, strict=False) if bool(comparison.marked(level)[index]))


def sign_of(comparison: Comparison, index: int, alpha: Sequence[float], style: str = "levels") -> str:
    """Sign of one dataset: of each level that its adjusted p-value reaches, or its stars."""
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


def correction_words(family: ReplicabilityAnalysis) -> str:
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
            "baselines": f"{_adjusted(family)} over all {n} tests",
            "all-pairs": f"{_adjusted(family)} over all {n} tests",
            "separate": f"{_adjusted(family)} over {n} datasets, each claim separately",
        }[family.design]
        if family.n_hypotheses > 1
        else "a single test, not adjusted"
    )


def _adjusted(family: ReplicabilityAnalysis) -> str:
    return "adjusted by closed testing" if family.correction == "closed testing" else "Holm-adjusted"


def _correction_over_metrics(family: ReplicabilityAnalysis) -> str:
    """Name the correction of the part of one metric, or of all that are corrected together."""
    metric, (primary, *secondary) = family.comparisons[0].metric, family.metrics
    half = ", each direction at half the level" if family.design == "both" else ""
    if family.gatekeeping == "by-dataset":
        return f"adjusted over all {family.n_hypotheses:,} tests, with gatekeeping by dataset{half}"
    if family.gatekeeping == "none":
        return f"{_adjusted(family)} over all {family.n_hypotheses:,} tests of {len(family.metrics)} metrics{half}"
    if len(family.metrics_here) > 1:
        return f"{_adjusted(family)} over {primary}, then over {listed(secondary)}{half}"
    after = family.gatekeeping == "serial" and metric != primary
    names = listed(secondary) if after else metric
    over = f"the {family.n_hypotheses:,} tests" if family.n_hypotheses > 1 else "the only test"
    return f"{_adjusted(family)} over {over} of {names}{f' after those of {primary}' if after else ''}{half}"


def names_of_tests(family: ReplicabilityAnalysis) -> str:
    """Names of the tests behind the marks: "exact McNemar test", or two, or "tests as in Table p-values"."""
    titles = list(dict.fromkeys(item.title for item in family.kinds if item.tested))
    if not titles:
        return "no test: all scores are identical"
    return listed(titles[:3], last="or") + (" and others" if len(titles) > 3 else "")


DAGGERS = ("†", "‡", "§")
"""For up to three baselines."""

_Signs = Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Marking:
    """Signs of one table of scores.

    Parameters
    ----------
    style : {"levels", "daggers", "letters", "wins", "stars", "none"}
        What `auto` became, if that was asked for.
    signs : mapping of (str, str) to str
        By (system, dataset); absent where there is no sign. A sign is given only where the scores differ in the claimed
        direction.
    explanation : Prose
        Versus whom, which test, sidedness, correction, levels: everything a sign stands for; empty if there are none.
    letters : mapping of str to str
        Letters that stand before the names of systems.
    wins : mapping of str to int
        By system, in how many comparisons with another system on a dataset it is better, instead of signs; empty
        where there are signs.
    baselines : tuple of str
        In the order of their signs.
    """

    style: str
    signs: _Signs = field(default_factory=dict)
    explanation: Prose = ()
    letters: Mapping[str, str] = field(default_factory=dict)
    wins: Mapping[str, int] = field(default_factory=dict)
    baselines: tuple[str, ...] = ()

    def head(self, system: str) -> str:
        """Name of a system, behind its letter if it has one."""
        return f"({self.letters[system]}) {system}" if system in self.letters else system


def baselines_of(family: ReplicabilityAnalysis) -> tuple[str, ...]:
    """Systems that others are claimed to be better than, each once; none where all pairs are compared."""
    return () if family.design in ("both", "all-pairs") else family.systems_b


def _as_shown(family: ReplicabilityAnalysis, systems: Sequence[str]) -> tuple[str, ...]:
    """Baselines in the order of the table."""
    baselines = baselines_of(family)
    return tuple(name for name in systems if name in baselines) or baselines


def marking(family: ReplicabilityAnalysis, marks: Marks = "auto", systems: Sequence[str] = ()) -> Marking:
    """Decide on the signs of a table of scores.

    Parameters
    ----------
    family : ReplicabilityAnalysis
        Of one metric; of several, the signs of which have to be explained together.
    marks : {"auto", "levels", "daggers", "letters", "stars", "none"}
        What was asked for; see `Appearance`.
    systems : sequence of str
        All systems in the order of the table, which letters follow; by default baselines first.

    Raises
    ------
    SettingsError
        If such signs cannot say versus whom a system is better; the message says which can.
    """
    style = style_of(family, marks)
    if style == "none" or all(item.exploratory for item in family.comparisons):
        return Marking(style="none")
    if style in ("levels", "stars"):
        return _of_levels(family, style)
    if style == "daggers":
        return _of_the_other(family) if family.design == "both" else _of_baselines(family, style, DAGGERS, systems)
    if baselines_of(family) and not family.one_claim:
        n = len(baselines_of(family))
        return _of_baselines(family, style, [letter(index) for index in range(n)], systems)
    return _of_wins(family) if style == "wins" else _of_letters(family, tuple(systems) or systems_of(family))


def style_of(family: ReplicabilityAnalysis, marks: Marks) -> str:
    """What `marks` means for a family.

    Raises
    ------
    SettingsError
        If such signs cannot say versus whom a system is better.
    """
    n = len(baselines_of(family))
    if marks == "auto":
        if family.one_claim or n:
            return "daggers" if n <= len(DAGGERS) else "letters"
        return "letters" if len(systems_of(family)) <= MOST_LETTERS else "wins"
    whom = "all pairs are compared" if not n else f"there are {n} baselines"
    if marks == "daggers" and family.design != "both" and not 1 <= n <= len(DAGGERS):
        raise SettingsError(
            f"marks='daggers' has {len(DAGGERS)} signs, † ‡ §, for named baselines, and {whom}",
            remedy="use marks='letters' (--marks letters)"
            + ("" if n else ", or name up to three baselines: baseline=['a', 'b'] (--baseline a --baseline b)"),
        )
    if marks in ("levels", "stars") and not (family.one_claim or n == 1):
        raise SettingsError(
            f"marks={marks!r} says at which level a system is better, but not better than which, and {whom}",
            remedy=f"use marks='{'daggers' if 1 < n <= len(DAGGERS) else 'letters'}', or compare with one baseline",
        )
    return marks


def _of_levels(family: ReplicabilityAnalysis, style: str) -> Marking:
    signs: dict[tuple[str, str], str] = {}
    for comparison in family.comparisons:
        for index, dataset in enumerate(comparison.datasets):
            if sign := sign_of(comparison, index, family.alpha, style):
                signs[comparison.system_a, dataset] = sign
    first = family.comparisons[0]
    whom = "the other system" if family.design == "both" else first.system_b
    explanation = prose(
        "{signs}: better than {whom} ({test}, one-sided, {how}{levels}).",
        signs=signs_explained(family.alpha, style),
        whom=whom,
        test=names_of_tests(family),
        how=correction_words(family),
        levels="; levels of adjusted p-values" if style == "stars" else "",
    )
    return Marking(style=style, signs=signs, explanation=explanation)


def _of_baselines(
    family: ReplicabilityAnalysis, style: str, signs_of: Sequence[str], systems: Sequence[str]
) -> Marking:
    """One sign for each baseline, at the largest level."""
    baselines = _as_shown(family, systems)
    sign = dict(zip(baselines, signs_of, strict=False))
    level = family.alpha[0]
    found: dict[tuple[str, str], list[int]] = {}
    for comparison, dataset in _marked(family, level):
        found.setdefault((comparison.system_a, dataset), []).append(baselines.index(comparison.system_b))
    better = "better than " if style == "daggers" else ""
    explanation = prose(
        "{lead}{legend} ({test}, one-sided, {how}, {p} ≤ {level}).",
        lead="" if style == "daggers" else "Letters: better than ",
        legend=", ".join(f"{sign[name]}: {better}{name}" for name in baselines),
        test=names_of_tests(family),
        how=correction_words(family),
        level=level_text(level),
    )
    written = [sign[name] for name in baselines]
    return Marking(
        style=style,
        signs={key: _one_after_another(sorted(numbers), written) for key, numbers in found.items()},
        explanation=explanation,
        baselines=baselines,
    )


def _of_letters(family: ReplicabilityAnalysis, systems: tuple[str, ...]) -> Marking:
    written = [letter(index) for index in range(len(systems))]
    beaten: dict[tuple[str, str], list[int]] = {}
    for comparison, dataset in _marked(family, family.alpha[0]):
        beaten.setdefault((comparison.system_a, dataset), []).append(systems.index(comparison.system_b))
    return Marking(
        style="letters",
        signs={key: _one_after_another(sorted(numbers), written) for key, numbers in beaten.items()},
        explanation=_all_pairs("Letters: better than the system of that letter", family),
        letters=dict(zip(systems, written, strict=True)),
    )


def _of_the_other(family: ReplicabilityAnalysis) -> Marking:
    """A dagger at whichever of two systems is better."""
    return Marking(
        style="daggers",
        signs={(item.system_a, dataset): DAGGERS[0] for item, dataset in _marked(family, family.alpha[0])},
        explanation=_all_pairs(f"{DAGGERS[0]}: better than the other system", family),
    )


def _of_wins(family: ReplicabilityAnalysis) -> Marking:
    wins = dict.fromkeys(systems_of(family), 0)
    for comparison, _ in _marked(family, family.alpha[0]):
        wins[comparison.system_a] += 1
    return Marking(
        style="wins",
        explanation=_all_pairs(
            f"{WINS}: number of comparisons won against the other systems, over all datasets", family
        ),
        wins=wins,
    )


def _all_pairs(what: str, family: ReplicabilityAnalysis) -> Prose:
    return prose(
        "{what} ({test}, one-sided, {how}, {p} ≤ {level}).",
        what=what,
        test=names_of_tests(family),
        how=correction_words(family),
        level=level_text(family.alpha[0]),
    )


def _marked(family: ReplicabilityAnalysis, level: float) -> list[tuple[Comparison, str]]:
    """Comparisons and datasets with a mark at a level: identified, in the claimed direction."""
    every = ((comparison, dataset) for comparison in family.comparisons for dataset in comparison.datasets)
    return [*compress(every, marked_in(family.comparisons, level).tolist())]


def _one_after_another(numbers: Sequence[int], written: Sequence[str]) -> str:
    """Signs without a space; with commas where some are of two letters, which could be two signs.

    Examples
    --------
    >>> _one_after_another([0, 2], ["a", "b", "c"]), _one_after_another([0, 2], ["a", "z", "aa"])
    ('ac', 'a,aa')
    """
    between = "," if any(len(sign) > 1 for sign in written) else ""
    return between.join(written[number] for number in numbers)


def beaten_on_average(
    family: ReplicabilityAnalysis, better: Mapping[str, Sequence[str]], style: Marking
) -> dict[str, str]:
    """Signs of systems behind their averages, from who is better than whom over the datasets.

    Parameters
    ----------
    family : ReplicabilityAnalysis
        Whose systems they are.
    better : mapping of str to sequence of str
        By system, those that it is better than over the datasets.
    style : Marking
        Of the table: the same letters and daggers.

    Returns
    -------
    dict of str to str
        By system, where there is a sign.
    """
    systems, baselines = tuple(style.letters) or systems_of(family), style.baselines or baselines_of(family)
    found: dict[str, str] = {}
    for system, worse in better.items():
        if style.style == "wins":
            continue
        if style.style == "letters" and style.letters:
            order = [name for name in systems if name in worse]
            sign = _one_after_another(
                [systems.index(name) for name in order], [style.letters[name] for name in systems]
            )
        elif style.style in ("daggers", "letters") and baselines:
            written = list(DAGGERS) if style.style == "daggers" else [letter(i) for i in range(len(baselines))]
            sign = _one_after_another([i for i, name in enumerate(baselines) if name in worse], written)
        else:
            whom = baselines or systems
            sign = (DAGGERS[0] if style.style == "daggers" else "*") if any(name in worse for name in whom) else ""
        if sign:
            found[system] = sign
    return found
