"""The verdict on several systems in words: of a few, who is better than whom; of many, who leads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from reportkit.language.counts_and_lists import listed, some
from reportkit.report.prose import Prose, Reference, Text, joined, prose, sentences
from reportkit.report.score_format import ScoreScale
from reportkit.report.text.claim_words import ClaimWords, on_how_many
from reportkit.report.verdict import Claim, Verdict

MOST_SYSTEMS = 8
"""With more systems, only the best ones are named."""

MOST_WITH_DATASETS = 3
"""With more systems, the table says on which datasets one is better than another."""

MOST_SYSTEMS_IN_TABLE = 16
"""With more systems, all pairs are compared in a figure instead of a table."""


class SystemsWords(ClaimWords):
    """The sentences of a verdict on several systems; see `ClaimWords`."""

    def __init__(self, verdict: Verdict, scale: ScoreScale, *, brief: bool) -> None:
        super().__init__(verdict, scale, brief=brief)
        self.unit_said = False

    def results(self) -> Prose:
        """What is shown of several systems."""
        if not self.verdict.shown:
            return self._nothing()
        return self._against_baselines() if self.verdict.design == "baselines" else self._of_all_pairs()

    def _nothing(self) -> Prose:
        verdict = self.verdict
        several = verdict.design == "all-pairs"
        what = "no system is shown to be better than another" if several else self._nobody()
        return prose(
            "{what}{by} {where} (level {level}).",
            what=what[:1].upper() + what[1:] if what.startswith("no") else what,
            by=self.by,
            where=self._nowhere(verdict.datasets),
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

    def _against_baselines(self) -> Prose:
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
            where, best = self._place(claims[0]), f": {some(everywhere, self.most_names)}" if shown else ""
        elif everywhere and len(everywhere) == len(shown):
            where, best = on_how_many(shown[0]), f": {some(everywhere, self.most_names)}"
        elif everywhere:
            best = f", {len(everywhere)} of them on all: {some(everywhere, self.most_names)}"
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

    def _of_all_pairs(self) -> Prose:
        """System by system, whom it is better than; of many systems, those that none is better than."""
        verdict = self.verdict
        n = len(verdict.systems)
        if n > MOST_SYSTEMS:
            return sentences(self._top_group(), self._told_apart())
        best = verdict.unbeaten
        winners = [
            part for name in sorted(verdict.systems, key=lambda one: one not in best) for part in self._winner(name)
        ]
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
        than = f"{', better than '.join(most)}, and better than {last}" if most else last
        return [f"{system} is better{self.by} than {than}"]

    def _top_group(self) -> Prose:
        """Systems that none is shown to be better than, and what holds of the others."""
        verdict = self.verdict
        n, best = len(verdict.systems), verdict.unbeaten
        fields: dict[str, str] = {
            "n": f"{n:,}",
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
            top=some(best, self.most_names),
            anywhere=self._anywhere,
            each=f"each of the other {n - len(best)} is" if n - len(best) > 1 else "the other one is",
            **fields,
        )

    def _told_apart(self) -> Prose:
        """Of how many pairs one is shown to be better, and where they all stand."""
        if self.verdict.n_sampled:
            where = Reference("table", "results")
        elif len(self.verdict.systems) <= MOST_SYSTEMS_IN_TABLE:
            where = Reference("table", "replicability")
        else:
            where = Reference("figure", "k-hat-matrix")
        apart = len({frozenset((claim.system_a, claim.system_b)) for claim in self.verdict.shown})
        compared = {frozenset((claim.system_a, claim.system_b)) for claim in self.verdict.claims}
        pairs = len(compared)
        return prose(
            "{which} pairs are shown to differ{somewhere} ({where}).",
            which=f"All {pairs:,}" if apart == pairs else f"In all, {apart:,} of {pairs:,}",
            somewhere="" if self._single else " on at least one dataset",
            where=where,
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
            "No system is unbeaten: with {confidence} confidence, each of the {n} is worse{metric} than another "
            "{somewhere}. {first} leads: it is better than {won} of the others {somewhere}, and worse than {lost}"
            "{again}.",
            confidence=self.confidence,
            metric=self.by,
            n=len(verdict.systems),
            somewhere=somewhere,
            first=first,
            won=won[first],
            lost=lost[first],
            again="" if self._single else " on at least one",
        )

    def _by_place(self, claims: Sequence[Claim]) -> list[tuple[str, list[Claim]]]:
        """Claims that hold on as many datasets together, most first; with the names of these where systems are few."""
        named = self.verdict.joint and len(self.verdict.systems) <= MOST_WITH_DATASETS
        found: dict[tuple[int, int, str], list[Claim]] = {}
        for claim in sorted(claims, key=lambda one: -one.at_least / one.n_datasets):
            if claim.shown:
                names = self._names(claim)[0].removeprefix(": ").removeprefix(", ") if named else ""
                found.setdefault((claim.at_least, claim.n_datasets, names), []).append(claim)
        places = []
        for number, ((_, n, names), together) in enumerate(found.items()):
            place = self._place(together[0])
            if number and n == claims[0].n_datasets:
                place = place.removesuffix(f" of {n} datasets")
            places.append((f"{place} ({names})" if names else place, together))
        return places

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
            size = self._size(claim.mean_difference, unit)
            if self._is_loss(claim):
                size = f"but {size}{over if self.unit_said else ''}"
            names.append(f"{name} ({size})")
            self.unit_said = True
        return listed(names)

    def _beginning(self, clauses: Iterable[str]) -> Prose:
        """Sentences, the first of which says the confidence of them all."""
        kept = [clause for clause in clauses if clause]
        found = [f"With {self.confidence} confidence, {kept[0]}.", *(f"{clause}." for clause in kept[1:])]
        return joined(sentences(*((Text(words),) for words in found)))


def _are(claims: Sequence[Claim]) -> str:
    return "is" if len(claims) == 1 else "are"
