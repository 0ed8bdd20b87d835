"""The verdict in words: the first sentences of every report, and the results of every paragraph.

A count is "at least"; what is not shown is not said to be absent (Dror et al. 2017, section 4; Sadat Azer et al. 2020,
sections 3-4). Up to eight systems are named one by one; of more, those that none is shown to be better than.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reportkit.language.counts_and_lists import counted, listed, some
from reportkit.language.numerals import level_text, p_value_text, percent_text
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.prose import Prose, Reference, Text, joined, prose, sentences
from reportkit.report.score_format import ScoreScale, amount, scale_for
from reportkit.report.text.caveats import caveats_in_brief
from reportkit.report.text.metrics import not_tested
from reportkit.report.text.reproduction import printed_claims_in_words
from reportkit.report.verdict import Claim, Verdict, verdict_of

MOST_SYSTEMS = 8
"""With more systems, only the best ones are named."""

MOST_WITH_DATASETS = 3
"""With more systems, the table says on which datasets one is better than another."""

MOST_NAMES = 8
MOST_SYSTEMS_IN_TABLE = 16
"""With more systems, all pairs are compared in a figure instead of a table."""


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
    caveats = caveats_in_brief(analysis)
    if analysis.printed:
        return VerdictWords(printed_claims_in_words(analysis), (caveats,) if caveats else ())
    results, notes = [], []
    for part, verdict in zip(analysis.parts, verdict_of(analysis), strict=True):
        scale = scale_for(part.assessments)
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
    words = _Words(verdict, scale, brief=brief)
    if verdict.design in ("declared", "both", "separate"):
        found = words.one_by_one()
    elif not verdict.shown:
        found = words.nothing()
    elif verdict.design == "baselines":
        found = words.against_baselines()
    else:
        found = words.of_all_pairs()
    if any(claim.exploratory for claim in verdict.claims):
        return sentences(prose("Exploratory:"), _lowered(found))
    return found


def _what_is_open(verdict: Verdict, scale: ScoreScale, *, planned: bool) -> Prose:
    """Where nothing is shown: the largest difference that is still possible, and how many instances would show one."""
    if verdict.shown:
        return ()
    plan = verdict.plan if planned else None
    several = len(verdict.claims[0].compared_on) > 1
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
            _possible(verdict, scale_for(part.assessments))
            for part, verdict in zip(analysis.parts, verdict_of(analysis), strict=True)
            if not verdict.shown and not not_tested(analysis, verdict.metric, analysis.alpha[0])
        )
    )


def _possible(verdict: Verdict, scale: ScoreScale) -> Prose:
    possible = verdict.possible
    if possible is None or possible.difference <= 0:
        return ()
    several = len(verdict.claims[0].compared_on) > 1
    return prose(
        "The data still allow {a} to be better{b} by up to {most}{points} ({where}{level} interval).",
        a=possible.system_a,
        b="" if verdict.design in ("declared", "both") else f" than {possible.system_b}",
        most=scale.end(possible.difference).removeprefix("+"),
        points=scale.points_after,
        where=f"{possible.dataset}; " if several else "",
        level=percent_text(possible.level),
    )


def p_value_in_words(p_value: float, *, adjusted: bool = False) -> Prose:
    """Write "p = .012", "adjusted p < .001"."""
    text = p_value_text(p_value)
    relation = text[0] if text[0] in "<>" else "="
    return prose(
        "{adjusted}{p} {relation} {value}",
        adjusted="adjusted " if adjusted else "",
        relation=relation,
        value=text.removeprefix(relation),
    )


def on_how_many(claim: Claim) -> str:
    """On how many datasets, as a lower bound: "on all 4 datasets", "on at least 3 of 4 datasets"."""
    n = claim.n_datasets
    if n == 1:
        return f"on {claim.compared_on[0]}"
    if claim.at_least == n:
        return "on both datasets" if n == 2 else f"on all {n} datasets"
    return f"on at least {claim.at_least} of {n} datasets"


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


class _Words:
    """The sentences of one verdict."""

    def __init__(self, verdict: Verdict, scale: ScoreScale, *, brief: bool) -> None:
        self.verdict, self.scale, self.brief = verdict, scale, brief
        self.confidence = percent_text(verdict.confidence)
        self.level = level_text(1 - verdict.confidence)
        self.by = f" in {verdict.metric}" if verdict.by_metric else ""
        self.unit_said = False

    # one claim, or a few that stand alone

    def one_by_one(self) -> Prose:
        """Each claim in a sentence; of two directions, the one that is shown first."""
        verdict = self.verdict
        if verdict.design == "both" and not verdict.shown:
            first = verdict.claims[0]
            return prose(
                "Neither {a} nor {b} is shown to be better{by} {nowhere} (level {level}{p_value}).",
                a=first.system_a,
                b=first.system_b,
                by=self.by,
                nowhere=self._nowhere(first),
                level=self.level,
                p_value=self._p_value(min(verdict.claims, key=lambda claim: claim.p_value or 1.0)),
            )
        order = (
            sorted(verdict.claims, key=lambda claim: not claim.shown) if verdict.design == "both" else verdict.claims
        )
        found = []
        for claim in order:
            if claim.shown:
                found.append(self._shown(claim))
            elif verdict.design != "both":
                found.append(self._not_shown(claim))
            elif claim.n_datasets > 1 and not (self.brief and verdict.by_metric):
                found.append(
                    prose("{a} is not shown to be better on any dataset.", a=claim.system_a)
                    if len(verdict.shown) < 2
                    else ()
                )
        return sentences(*found)

    def _shown(self, claim: Claim) -> Prose:
        fields = {"a": claim.system_a, "b": claim.system_b + self.by, "confidence": self.confidence}
        if claim.p_value is not None:
            return prose(
                "{a} is better than {b} {where} ({confidence} confidence{p_value}){much}.",
                where=self._place(claim),
                p_value=self._p_value(claim),
                much=self._average(claim, ": "),
                **fields,
            )
        names, apart = self._names(claim)
        return sentences(
            prose(
                "{a} is better than {b} {where} ({confidence} confidence){names}{much}.",
                where=on_how_many(claim),
                names=names,
                much=self._average(claim, "; "),
                **fields,
            ),
            apart,
        )

    def _not_shown(self, claim: Claim) -> Prose:
        return prose(
            "{a} is not shown to be better than {b} {nowhere} (level {level}{p_value}).",
            a=claim.system_a,
            b=claim.system_b + self.by,
            nowhere=self._nowhere(claim),
            level=self.level,
            p_value=self._p_value(claim),
        )

    def _nowhere(self, claim: Claim) -> str:
        if self.verdict.n_sampled:
            return "on a typical dataset"
        n = claim.n_datasets
        return on_how_many(claim) if n == 1 else "on either dataset" if n == 2 else f"on any of the {n} datasets"

    def _p_value(self, claim: Claim) -> Prose:
        if claim.p_value is None:
            return ()
        return prose(", {p}", p=p_value_in_words(claim.p_value, adjusted=self.verdict.adjusted))

    def _names(self, claim: Claim) -> tuple[str, Prose]:
        """Which datasets, where the same procedure counts and names them; else in a sentence of its own."""
        names = some(claim.datasets, MOST_NAMES)
        if claim.at_least == claim.n_datasets or claim.exploratory:
            return "", ()
        if not claim.datasets:
            return ", though none is named", ()
        if claim.at_least == len(claim.datasets):
            return f": {names}", ()
        if not self.verdict.joint:
            return "", prose(
                "In separate tests at the same level, Holm's method names {names}.",
                names=names,
            )
        return f", among them {names}", ()

    def _average(self, claim: Claim, before: str) -> str:
        """By how much, on average over all datasets: "; +6.2 percentage points on average"."""
        if claim.mean_difference is None:
            return ""
        unit = self.scale.points_after
        over = ""
        if self.verdict.n_sampled:
            over = f" on average over {counted(self.verdict.n_sampled, 'dataset')}"
        elif claim.n_datasets > 1:
            n = claim.n_datasets
            every = "both" if n == 2 else f"all {n}"
            all_named = claim.at_least == n or (self.brief and self.verdict.by_metric)
            over = " on average" if all_named else f" on average over {every}"
        return f"{before}{self._size(claim.mean_difference, unit)}{over}"

    def _size(self, value: float, unit: str) -> str:
        """With its sign; where lower is better, with the word that a sign would hide."""
        written = self.scale.difference(value)
        if self.verdict.higher_is_better or written[0] not in "+−":
            return f"{written}{unit}"
        return f"{written[1:]}{unit} {'better' if written[0] == '+' else 'worse'}"

    # several systems

    def nothing(self) -> Prose:
        """No claim of several is shown."""
        verdict = self.verdict
        first = verdict.claims[0]
        several = verdict.design == "all-pairs"
        what = "no system is shown to be better than another" if several else self._nobody()
        return prose(
            "{what}{by} {where} (level {level}).",
            what=what[:1].upper() + what[1:] if what.startswith("no") else what,
            by=self.by,
            where=self._nowhere(first),
            level=self.level,
        )

    def _nobody(self) -> str:
        systems, baselines = self._sides()
        if len(systems) == 1:
            return f"{systems[0]} is not shown to be better than {listed(baselines, last='or')}"
        return f"none of the {len(systems)} systems is shown to be better than {listed(baselines, last='or')}"

    def _sides(self) -> tuple[list[str], list[str]]:
        claims = self.verdict.claims
        return (
            list(dict.fromkeys(claim.system_a for claim in claims)),
            list(dict.fromkeys(claim.system_b for claim in claims)),
        )

    def against_baselines(self) -> Prose:
        """Baseline by baseline, who is better than it; of many systems, how many and the best of them."""
        systems, baselines = self._sides()
        if len(systems) * len(baselines) > MOST_SYSTEMS:
            return sentences(*(self._many_against(name) for name in baselines))
        if len(systems) == 1:
            return self._beginning([*self._winner(systems[0]), self._losers(systems[0], self.verdict.claims)])
        found = []
        for name in baselines:
            claims = [claim for claim in self.verdict.claims if claim.system_b == name]
            for place, together in self._by_place(claims):
                found.append(
                    f"{self._with_sizes(together, 'system_a')} {_are(together)} better than {name}{self.by} {place}"
                )
            left = [claim.system_a for claim in claims if not claim.shown]
            if left:
                anywhere = "" if self._single else " on any dataset"
                better = "better" if len(left) < len(claims) else f"better than {name}"
                found.append(f"{listed(left)} {'is' if len(left) == 1 else 'are'} not shown to be {better}{anywhere}")
        return self._beginning(found)

    def _losers(self, system: str, claims: Iterable[Claim]) -> str:
        left = [claim.system_b for claim in claims if not claim.shown]
        anywhere = "" if self._single else " on any dataset"
        return f"{system} is not shown to be better than {listed(left, last='or')}{anywhere}" if left else ""

    def _many_against(self, baseline: str) -> Prose:
        claims = [claim for claim in self.verdict.claims if claim.system_b == baseline]
        shown = [claim for claim in claims if claim.shown]
        everywhere = [claim.system_a for claim in shown if claim.at_least == claim.n_datasets]
        where, best = "on at least one dataset", ""
        if self._single:
            where, best = self._place(claims[0]), f": {some(everywhere, MOST_NAMES)}" if shown else ""
        elif everywhere and len(everywhere) == len(shown):
            where, best = on_how_many(shown[0]), f": {some(everywhere, MOST_NAMES)}"
        elif everywhere:
            best = f", {len(everywhere)} of them on all: {some(everywhere, MOST_NAMES)}"
        return prose(
            "Of {n} systems, {shown} {are} better than {baseline}{by} {where} ({confidence} confidence){best}.",
            n=len(claims),
            shown=len(shown) or "none",
            are="is" if len(shown) == 1 else "are",
            baseline=baseline,
            by=self.by,
            where=where,
            confidence=self.confidence,
            best=best,
        )

    def of_all_pairs(self) -> Prose:
        """System by system, whom it is better than; of many systems, those that none is better than."""
        verdict = self.verdict
        n = len(verdict.systems)
        if n > MOST_SYSTEMS:
            return sentences(self._top_group(), self._told_apart())
        winners = [part for name in verdict.systems for part in self._winner(name)]
        best = verdict.unbeaten
        short = self.brief and n > MOST_WITH_DATASETS
        return sentences(
            self._beginning(winners[:1] if short else winners),
            prose(
                "No system is shown to be better than {best} {anywhere}.",
                best=listed(best, last="or"),
                anywhere=self._anywhere,
            )
            if best
            else (),
            self._told_apart() if short else (),
        )

    def _winner(self, system: str) -> list[str]:
        """One clause on everything that a system is better than; none if it is better than nothing."""
        claims = [claim for claim in self.verdict.claims if claim.system_a == system]
        parts = [f"{self._with_sizes(together, 'system_b')} {place}" for place, together in self._by_place(claims)]
        if not parts:
            return []
        *most, last = parts
        than = f"{', than '.join(most)}, and than {last}" if most else last
        return [f"{system} is better{self.by} than {than}"]

    def _top_group(self) -> Prose:
        """Systems that none is shown to be better than, and what holds of the others."""
        verdict = self.verdict
        n, best = len(verdict.systems), verdict.unbeaten
        fields: dict[str, str] = {
            "n": str(n),
            "by": self.by,
            "confidence": self.confidence,
            "somewhere": self._somewhere,
        }
        if not best:
            return self._nobody_unbeaten(self._somewhere)
        if len(best) == 1:
            won = sum(claim.system_a == best[0] for claim in verdict.shown)
            return prose(
                "{best} leads the {n} systems{by}: it is better than {won} {somewhere} ({confidence} confidence), and "
                "none is shown to be better than it.",
                best=best[0],
                won="each of the others" if won == n - 1 else f"{won or 'none'} of the other {n - 1}",
                **fields,
            )
        return prose(
            "{top} form the top group of {n} systems{by}: no system is shown to be better than any of them {anywhere}. "
            "With {confidence} confidence, {each} worse than some system {somewhere}.",
            top=some(best, MOST_NAMES),
            anywhere=self._anywhere,
            each=f"each of the other {n - len(best)} is" if n - len(best) > 1 else "the other one is",
            **fields,
        )

    def _told_apart(self) -> Prose:
        """Of how many pairs one is shown to be better, and where they all stand."""
        n = len(self.verdict.systems)
        table = n <= MOST_SYSTEMS_IN_TABLE
        apart = len({frozenset((claim.system_a, claim.system_b)) for claim in self.verdict.shown})
        pairs = len({frozenset((claim.system_a, claim.system_b)) for claim in self.verdict.claims})
        return prose(
            "{which} pairs are told apart ({where}).",
            which=f"All {pairs:,}" if apart == pairs else f"In all, {apart:,} of {pairs:,}",
            where=Reference("table", "replicability") if table else Reference("figure", "k-hat-matrix"),
        )

    @property
    def _somewhere(self) -> str:
        return self._place(self.verdict.claims[0]) if self._single else "on at least one dataset"

    @property
    def _anywhere(self) -> str:
        return self._place(self.verdict.claims[0]) if self._single else "on any dataset"

    def _nobody_unbeaten(self, somewhere: str) -> Prose:
        """No top group: each system is worse than another somewhere; who beats most, less those it is beaten by."""
        verdict = self.verdict
        won = Counter(claim.system_a for claim in verdict.shown)
        lost = Counter(claim.system_b for claim in verdict.shown)
        first = max(verdict.systems, key=lambda name: won[name] - lost[name])
        return prose(
            "With {confidence} confidence, every one of the {n} systems is worse{metric} than another {somewhere}. "
            "{first} leads: it is better than {won} of the others {somewhere}, and worse than {lost}.",
            confidence=self.confidence,
            metric=self.by,
            n=len(verdict.systems),
            somewhere=somewhere,
            first=first,
            won=won[first],
            lost=lost[first],
        )

    @property
    def _single(self) -> bool:
        """Whether nothing is counted: one dataset, or datasets as the sample."""
        return all(claim.n_datasets == 1 for claim in self.verdict.claims)

    def _place(self, claim: Claim) -> str:
        return "on a typical dataset" if self.verdict.n_sampled else on_how_many(claim)

    def _by_place(self, claims: Sequence[Claim]) -> list[tuple[str, list[Claim]]]:
        """Claims that hold on as many datasets together, most first; with the names of these where systems are few."""
        found: dict[str, list[Claim]] = {}
        named = self.verdict.joint and len(self.verdict.systems) <= MOST_WITH_DATASETS
        for claim in sorted(claims, key=lambda one: -one.at_least / one.n_datasets):
            if not claim.shown:
                continue
            names, _ = self._names(claim) if named else ("", ())
            inside = f" ({names.removeprefix(': ').removeprefix(', ')})" if names else ""
            place = self._place(claim)
            if found and claim.n_datasets == claims[0].n_datasets and not self._single:
                place = place.removesuffix(f" of {claim.n_datasets} datasets")
            first = next((key for key in found if key.removesuffix(f" of {claim.n_datasets} datasets") == place), "")
            found.setdefault(first or f"{place}{inside}", []).append(claim)
        return list(found.items())

    def _with_sizes(self, claims: Sequence[Claim], side: str) -> str:
        """Names, each with its mean difference in brackets; the unit once."""
        names = []
        for claim in claims:
            name: str = getattr(claim, side)
            if claim.mean_difference is None:
                names.append(name)
                continue
            over = "" if self._single and not self.verdict.n_sampled else " on average"
            unit = "" if self.unit_said else f"{self.scale.points_after}{over}"
            names.append(f"{name} ({self._size(claim.mean_difference, unit)})")
            self.unit_said = True
        return listed(names)

    def _beginning(self, clauses: Iterable[str]) -> Prose:
        """Sentences, the first of which says the confidence of them all."""
        kept = [clause for clause in clauses if clause]
        found = [f"With {self.confidence} confidence, {kept[0]}.", *(f"{clause}." for clause in kept[1:])]
        return joined(sentences(*((Text(words),) for words in found)))


def _are(claims: Sequence[Claim]) -> str:
    return "is" if len(claims) == 1 else "are"
