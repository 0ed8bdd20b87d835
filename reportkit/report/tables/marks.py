"""The signs behind scores, and the words that explain them: levels, stars, daggers, letters, or how many are beaten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reportkit.appearance.appearance import Marks
from reportkit.errors import SettingsError
from reportkit.language.counts_and_lists import listed
from reportkit.language.numerals import level_text
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import Family
from reportkit.report.labels import Labels, name_in_print
from reportkit.report.prose import Inline, Prose, Text, joined, prose
from reportkit.report.tables.groups import systems_of

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
    titles = list(dict.fromkeys(item.outcome.title for item in family.assessments if item.outcome.tested))
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
    style : {"levels", "daggers", "letters", "counts", "stars", "none"}
        What `auto` became, if that was asked for.
    signs : mapping of (str, str) to str
        By (system, dataset); absent where there is no sign. A sign is given only where the scores differ in the claimed
        direction.
    explanation : Prose
        Versus whom, which test, sidedness, correction, levels: everything a sign stands for; empty if there are none.
    letters : mapping of str to str
        Letters that stand before the names of systems.
    """

    style: str
    signs: _Signs = field(default_factory=dict)
    explanation: Prose = ()
    letters: Mapping[str, str] = field(default_factory=dict)

    def head(self, system: str) -> str:
        """Name of a system, behind its letter if it has one."""
        return f"({self.letters[system]}) {system}" if system in self.letters else system


def baselines_of(family: Family) -> tuple[str, ...]:
    """Systems that others are claimed to be better than, each once; none where all pairs are compared."""
    return () if family.design in ("both", "all-pairs") else family.systems_b


def marking(
    family: Family, marks: Marks = "auto", labels: Labels | None = None, systems: Sequence[str] = ()
) -> Marking:
    """Decide on the signs of a table of scores.

    Parameters
    ----------
    family : Family
        Of one metric; of several, the signs of which have to be explained together.
    marks : {"auto", "levels", "daggers", "letters", "stars", "none"}
        What was asked for; see `Appearance`.
    labels : mapping of str to Label, optional
        Names that have another form in LaTeX.
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
    labels = labels or {}
    if style in ("levels", "stars"):
        return _of_levels(family, style)
    if style == "daggers":
        return _of_baselines(family, style, DAGGERS, labels)
    if baselines_of(family) and not family.one_claim:
        n = len(baselines_of(family))
        return _of_baselines(family, style, [letter(index) for index in range(n)], labels)
    return _of_counts(family) if style == "counts" else _of_letters(family, tuple(systems) or systems_of(family))


def style_of(family: Family, marks: Marks) -> str:
    """What `marks` means for a family.

    Raises
    ------
    SettingsError
        If such signs cannot say versus whom a system is better.
    """
    n = len(baselines_of(family))
    if marks == "auto":
        if family.one_claim or n == 1:
            return "levels"
        if n:
            return "daggers" if n <= len(DAGGERS) else "letters"
        return "letters" if len(systems_of(family)) <= MOST_LETTERS else "counts"
    whom = "all pairs are compared" if not n else f"there are {n} baselines"
    if marks == "daggers" and not 1 <= n <= len(DAGGERS):
        if family.design == "both":
            raise SettingsError(
                "marks='daggers' says better than a baseline, and two systems are compared in both directions",
                remedy="use marks='levels', 'stars' or 'letters' (--marks levels), or declare which one is claimed to "
                "be better",
            )
        raise SettingsError(
            f"marks='daggers' has {len(DAGGERS)} signs, † ‡ §, for named baselines, and {whom}",
            remedy="use marks='letters' (--marks letters)"
            + ("" if n else ", or name up to three baselines: baseline=['a', 'b'] (--baseline a --baseline b)"),
        )
    if marks in ("levels", "stars") and not (family.one_claim or n == 1):
        raise SettingsError(
            f"marks={marks!r} says at which level a system is better, not than whom, and {whom}",
            remedy=f"use marks='{'daggers' if 1 < n <= len(DAGGERS) else 'letters'}', or compare with one baseline",
        )
    return marks


def _of_levels(family: Family, style: str) -> Marking:
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


def _of_baselines(family: Family, style: str, signs_of: Sequence[str], labels: Labels) -> Marking:
    """One sign for each baseline, at the largest level."""
    baselines = baselines_of(family)
    sign = dict(zip(baselines, signs_of, strict=False))
    level = family.alpha[0]
    found: dict[tuple[str, str], list[int]] = {}
    for comparison, dataset in _marked(family, level):
        found.setdefault((comparison.system_a, dataset), []).append(baselines.index(comparison.system_b))
    parts: list[Inline] = []
    for number, name in enumerate(baselines):
        before = ", " if number else ""
        parts += [Text(f"{before}{sign[name]}: " + ("better than " if style == "daggers" else ""))]
        parts.append(name_in_print(name, labels))
    explanation = prose(
        "{lead}{legend} ({test}, one-sided, {how}, {p} ≤ {level}).",
        lead="" if style == "daggers" else "Letters: better than ",
        legend=joined(parts),
        test=names_of_tests(family),
        how=correction_words(family),
        level=level_text(level),
    )
    written = [sign[name] for name in baselines]
    return Marking(
        style=style,
        signs={key: _one_after_another(sorted(numbers), written) for key, numbers in found.items()},
        explanation=explanation,
    )


def _of_letters(family: Family, systems: tuple[str, ...]) -> Marking:
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


def _of_counts(family: Family) -> Marking:
    beaten: dict[tuple[str, str], int] = {}
    for comparison, dataset in _marked(family, family.alpha[0]):
        key = (comparison.system_a, dataset)
        beaten[key] = beaten.get(key, 0) + 1
    return Marking(
        style="counts",
        signs={key: str(number) for key, number in beaten.items()},
        explanation=_all_pairs("Superscript: number of systems that this one is better than", family),
    )


def _all_pairs(what: str, family: Family) -> Prose:
    return prose(
        "{what} ({test}, one-sided, {how}, {p} ≤ {level}).",
        what=what,
        test=names_of_tests(family),
        how=correction_words(family),
        level=level_text(family.alpha[0]),
    )


def _marked(family: Family, level: float) -> list[tuple[Comparison, str]]:
    """Comparisons and datasets with a mark at a level: identified, in the claimed direction."""
    return [
        (comparison, dataset)
        for comparison in family.comparisons
        for dataset, marked in zip(comparison.datasets, comparison.marked(level), strict=True)
        if marked
    ]


def _one_after_another(numbers: Sequence[int], written: Sequence[str]) -> str:
    """Signs without a space; with commas where some are of two letters, which could be two signs.

    Examples
    --------
    >>> _one_after_another([0, 2], ["a", "b", "c"]), _one_after_another([0, 2], ["a", "z", "aa"])
    ('ac', 'a,aa')
    """
    between = "," if any(len(sign) > 1 for sign in written) else ""
    return between.join(written[number] for number in numbers)


def beaten_on_average(family: Family, better: Mapping[str, Sequence[str]], style: Marking) -> dict[str, str]:
    """Signs of systems behind their averages, from who is better than whom over the datasets.

    Parameters
    ----------
    family : Family
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
    systems, baselines = tuple(style.letters) or systems_of(family), baselines_of(family)
    found: dict[str, str] = {}
    for system, worse in better.items():
        if style.style == "counts":
            number = len([name for name in worse if name in systems])
            sign = str(number) if number else ""
        elif style.style == "letters" and style.letters:
            order = [name for name in systems if name in worse]
            sign = _one_after_another(
                [systems.index(name) for name in order], [style.letters[name] for name in systems]
            )
        elif style.style in ("daggers", "letters"):
            written = list(DAGGERS) if style.style == "daggers" else [letter(i) for i in range(len(baselines))]
            sign = _one_after_another([i for i, name in enumerate(baselines) if name in worse], written)
        else:
            whom = baselines or systems
            sign = "*" if any(name in worse for name in whom) else ""
        if sign:
            found[system] = sign
    return found
