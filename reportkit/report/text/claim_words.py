"""One claim, or a few, in words: on how many and on which datasets, by how much, with which confidence."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.language.counts_and_lists import counted, some
from reportkit.language.numerals import level_text, p_value_text, percent_text
from reportkit.report.prose import Prose, prose, sentences
from reportkit.report.score_format import ScoreScale
from reportkit.report.verdict import Claim, Verdict

MOST_NAMES, MOST_IN_BRIEF = 8, 5
"""Datasets or systems that are named one by one; of more, the first and how many others."""


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


class ClaimWords:
    """The sentences of a verdict on two systems, and what those on several are made of.

    Parameters
    ----------
    verdict : Verdict
        By one metric.
    scale : ScoreScale
        How its differences are written.
    brief : bool
        For a paragraph, which says elsewhere what the verdict repeats.
    """

    def __init__(self, verdict: Verdict, scale: ScoreScale, *, brief: bool) -> None:
        self.verdict, self.scale, self.brief = verdict, scale, brief
        self.confidence = percent_text(verdict.confidence)
        self.level = level_text(1 - verdict.confidence)
        self.by = f" in {verdict.metric}" if verdict.by_metric else ""
        self.most_names = MOST_IN_BRIEF if brief else MOST_NAMES

    def results(self) -> Prose:
        """Each claim in a sentence; of two directions, the one that is shown first."""
        verdict = self.verdict
        if verdict.design == "both" and not verdict.shown:
            first = verdict.claims[0]
            return prose(
                "Neither {a} nor {b} is shown to be better{by} {nowhere} (level {level}{p_value}).",
                a=first.system_a,
                b=first.system_b,
                by=self.by,
                nowhere=self._nowhere(first.compared_on),
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
            nowhere=self._nowhere(claim.compared_on),
            level=self.level,
            p_value=self._p_value(claim),
        )

    def _nowhere(self, datasets: Sequence[str]) -> str:
        if self.verdict.n_sampled:
            return "on a typical dataset"
        n = len(datasets)
        return f"on {datasets[0]}" if n == 1 else "on either dataset" if n == 2 else f"on any of the {n} datasets"

    def _p_value(self, claim: Claim) -> Prose:
        if claim.p_value is None:
            return ()
        return prose(", {p}", p=p_value_in_words(claim.p_value, adjusted=self.verdict.adjusted))

    def _names(self, claim: Claim) -> tuple[str, Prose]:
        """Which datasets, where the same procedure counts and names them; else in a sentence of its own."""
        names = some(claim.datasets, self.most_names)
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
        but = "but " if self._is_loss(claim) else ""
        return f"{before}{but}{self._size(claim.mean_difference, unit)}{over}"

    def _is_loss(self, claim: Claim) -> bool:
        """Whether A, better somewhere, is worse on average, as printed."""
        return claim.mean_difference is not None and self.scale.difference(claim.mean_difference)[0] == "−"

    def _size(self, value: float, unit: str) -> str:
        """With its sign; where lower is better, with the word that a sign would hide."""
        written = self.scale.difference(value)
        if self.verdict.higher_is_better or written[0] not in "+−":
            return f"{written}{unit}"
        return f"{'better' if written[0] == '+' else 'worse'} by {written[1:]}{unit}"

    @property
    def _single(self) -> bool:
        """Whether nothing is counted: one dataset, or datasets as the sample."""
        return len(self.verdict.datasets) == 1 or bool(self.verdict.n_sampled)

    def _place(self, claim: Claim) -> str:
        return "on a typical dataset" if self.verdict.n_sampled else on_how_many(claim)
