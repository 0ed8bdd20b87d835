"""The verdict in words: the first sentences of every report, and the results of every paragraph.

A count is "at least"; what is not shown is not said to be absent (Dror et al. 2017, section 4; Sadat Azer et al. 2020,
sections 3-4). Up to eight systems are named one by one; of more, those that none is shown to be better than.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from reportkit.language.numerals import percent_text
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Prose, Text, prose, sentences
from reportkit.report.score_format import ScoreScale, amount, scale_of
from reportkit.report.text.caveats import caveats_in_brief
from reportkit.report.text.claim_words import ClaimWords
from reportkit.report.text.metrics import not_tested
from reportkit.report.text.reproduction import printed_claims_in_words
from reportkit.report.text.systems_words import SystemsWords
from reportkit.report.verdict import Verdict, verdict_of
from reportkit.scores.shapes.sample import remembered


@dataclass(frozen=True, slots=True)
class VerdictWords:
    """A verdict in words.

    Parameters
    ----------
    results : tuple of Prose
        What was found, by each metric.
    notes : tuple of Prose
        What is still open where nothing was found, and what to be careful about.
    """

    results: tuple[Prose, ...]
    notes: tuple[Prose, ...]

    @property
    def lines(self) -> tuple[Prose, ...]:
        """One after the other."""
        return *self.results, *self.notes


def verdict_in_words(analysis: ReplicabilityAnalysis, *, brief: bool = False) -> VerdictWords:
    """Say what was found, as every format of a report begins.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        With names as they are printed.
    brief : bool
        For a paragraph: of several systems, what the best one is better than; and where nothing is shown, not how many
        instances would show a difference.
    """
    return remembered(analysis.known, f"verdict in words, {brief=}", lambda: _in_words(analysis, brief=brief))


def _in_words(analysis: ReplicabilityAnalysis, *, brief: bool) -> VerdictWords:
    caveats = caveats_in_brief(analysis)
    if analysis.printed:
        return VerdictWords(printed_claims_in_words(analysis), (caveats,) if caveats else ())
    results, notes = [], []
    for part, verdict in zip(analysis.parts, verdict_of(analysis), strict=True):
        scale = scale_of(part)
        closed = not_tested(analysis, verdict.metric, analysis.alpha[0])
        results.append(closed or results_in_words(verdict, scale, brief=brief))
        notes.append(() if closed else _what_is_open(verdict, scale, planned=not brief))
    return VerdictWords(tuple(results), tuple(filter(None, (*notes, caveats))))


def results_in_words(verdict: Verdict, scale: ScoreScale, *, brief: bool = False) -> Prose:
    """Who is better than whom, on how many and on which datasets, by how much, with which confidence.

    Parameters
    ----------
    verdict : Verdict
        By one metric.
    scale : ScoreScale
        How its differences are written.
    brief : bool
        As for `verdict_in_words`.
    """
    several = verdict.design in ("baselines", "all-pairs")
    words = (SystemsWords if several else ClaimWords)(verdict, scale, brief=brief)
    found = words.results()
    if any(claim.exploratory for claim in verdict.claims):
        return sentences(prose("Exploratory:"), _lowered(found))
    return found


def _what_is_open(verdict: Verdict, scale: ScoreScale, *, planned: bool) -> Prose:
    """Where nothing is shown: the largest difference that is still possible, and how many instances would show one."""
    if verdict.shown:
        return ()
    plan = verdict.plan if planned else None
    several = len(verdict.datasets) > 1
    return sentences(
        prose("Not shown does not mean equal.") if planned else (),
        _possible(verdict, scale),
        prose(
            "To show {difference} with {power} power, {each} would need about {n} instances.",
            power=percent_text(plan.power),
            difference=f"a difference of {amount(plan.difference, scale)}",
            each="each test set" if several else "the test set",
            n=f"{_rounded_up(plan.n_instances):,}",
        )
        if plan is not None
        else (),
    )


def what_is_possible(analysis: ReplicabilityAnalysis) -> Prose:
    """The largest difference that is still possible, where nothing is shown by any metric that is tested."""
    if analysis.printed:
        return ()
    return sentences(
        *(
            _possible(verdict, scale_of(part))
            for part, verdict in zip(analysis.parts, verdict_of(analysis), strict=True)
            if not verdict.shown and not not_tested(analysis, verdict.metric, analysis.alpha[0])
        )
    )


def _possible(verdict: Verdict, scale: ScoreScale) -> Prose:
    possible = verdict.possible
    if possible is None or possible.difference <= 0:
        return ()
    several = len(verdict.datasets) > 1
    return prose(
        "The data still allow {a} to be better{b} by up to {most}{points} ({where}{level} interval).",
        a=possible.system_a,
        b="" if verdict.design in ("declared", "both") else f" than {possible.system_b}",
        most=scale.end(possible.difference).removeprefix("+"),
        points=scale.points_after,
        where=f"{possible.dataset}; " if several else "",
        level=percent_text(possible.level),
    )


def _rounded_up(n: int) -> int:
    """Two significant digits: more would promise too much of a plan."""
    unit = int(10 ** max(0, len(str(n)) - 2))
    return math.ceil(n / unit) * unit


def _lowered(words: Prose) -> Prose:
    """To go on within a sentence: no capital, unless a name begins it."""
    first = words[0]
    if isinstance(first, Text) and first.text.startswith(("With ", "Neither ", "None ")):
        return (Text(first.text[:1].lower() + first.text[1:]), *words[1:])
    return words
