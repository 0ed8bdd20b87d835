"""Figures of a report, and those that are drawn on request, from facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from reportkit.appearance import Appearance, plain_label
from reportkit.errors import DesignError
from reportkit.figures.critical_difference import critical_difference_content
from reportkit.figures.drawing.identified import Mark
from reportkit.figures.forest import ForestContent, ForestRow, ForestsContent
from reportkit.figures.k_hat_matrix import KHatMatrixContent
from reportkit.figures.p_values import PValueContent, PValueRow
from reportkit.figures.partial_conjunction import PartialConjunctionContent, PartialConjunctionCurve
from reportkit.replicability.friedman import FriedmanOutcome, friedman_of
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.claim_tables import same_datasets
from reportkit.report.facts import Facts
from reportkit.report.labels import as_printed
from reportkit.report.model import Figure
from reportkit.report.ranking import drawn
from reportkit.report.records import Claim, Outcome
from reportkit.report.scores_table import systems_in_order
from reportkit.report.wording import Wording
from reportkit.report.words import diff, effect_scale

if TYPE_CHECKING:
    from reportkit.bayes.posterior import Posterior

MOST_ROWS_TOGETHER = 30


class Pictures:
    """Figures of one analysis.

    Parameters
    ----------
    f : Facts
        What is drawn.
    look : Appearance
        Labels, venue and widths.
    words : Wording
        Captions.
    """

    def __init__(self, f: Facts, look: Appearance, words: Wording) -> None:
        self.f, self.look, self.words = f, look, words
        self.axis: Mapping[str, str] = words.heads["axis"]

    def name(self, text: str) -> str:
        """Return the label of a name as plain text."""
        return plain_label(self.look.labels.get(text, text))

    def _figure(self, kind: str, content: Any, name: str, macro: str = "", **shown: Any) -> Figure:
        caption = self.words.caption(macro, t={"metric": None, **shown})
        figure = Figure.of(kind, content, name=name, caption=caption)
        return replace(figure, venue=self.look.venue)

    def drawn(self, metric: str) -> list[Claim]:
        """Return the claims that are drawn."""
        claims = [claim for claim in self.f.claims if claim.metric == metric and not claim.exploratory]
        return list(drawn(claims, self.f.design, self.f.by_metric[metric].ranking, lambda claim: (claim.a, claim.b)))

    # forest plots ---------------------------------------------------------------------------------------------------

    def forests(self, metric: str, suffix: str = "") -> list[Figure]:
        """Return the forest plot of the claims by a metric; several where they do not fit on one axis."""
        contents = [self._forest(claim) for claim in self.drawn(metric)]
        if not contents or self.f.across:
            return []
        together = len({(one.quantity, one.unit) for one in contents}) == 1
        if len(contents) > 1 and together and sum(len(one.rows) + 1 for one in contents) <= MOST_ROWS_TOGETHER:
            every = ForestsContent(panels=tuple(contents))
            return [self._forest_figure(every, f"forest{suffix}", contents, metric, every.shared)]
        return [
            self._forest_figure(
                one,
                f"forest-{number}{suffix}" if len(contents) > 1 else f"forest{suffix}",
                [one],
                metric,
                (one.system_a, one.system_b),
            )
            for number, one in enumerate(contents, start=1)
        ]

    def _forest_figure(
        self,
        content: ForestContent | ForestsContent,
        name: str,
        contents: Sequence[ForestContent],
        metric: str,
        between: tuple[str | None, str | None],
    ) -> Figure:
        rows = [row for one in contents for row in one.rows]
        return self._figure(
            "forest" if isinstance(content, ForestContent) else "forests",
            content,
            name,
            "forest",
            metric=self.f.by_metric[metric],
            between=between,
            winner=between[0],
            filled=any(row.mark == "identified" for row in rows),
            opposite=any(row.mark == "opposite" for row in rows),
            drawn=any(row.has_interval for row in rows),
        )

    def _forest(self, claim: Claim) -> ForestContent:
        f, items = self.f, self.f.of(claim)
        marks = self._marks(claim)
        percent = [f.tests[item.test].percent for item in items]
        mixed = len(set(percent)) > 1 or len({f.metric_of.get(item.dataset, "") for item in items}) > 1
        standard = mixed and all(item.standard_error for item in items)
        rows = []
        for item, in_percent in zip(items, percent, strict=True):
            factor = 1 / (item.standard_error or 1.0) if standard else 100.0 if in_percent and not mixed else 1.0
            low, high = item.decision_low, item.decision_high
            rows.append(
                ForestRow(
                    dataset=self.name(item.dataset),
                    difference=item.difference * factor,
                    text=diff(f, item.difference, item.metric, item.dataset),
                    has_interval=low is not None or high is not None,
                    low=None if low is None else low * factor,
                    high=None if high is None else high * factor,
                    adjusted_p_value=item.adjusted,
                    mark=marks[item.dataset],
                )
            )
        quantity, unit = self._axis(items)
        return ForestContent(
            system_a=self.name(claim.a),
            system_b=self.name(claim.b),
            rows=tuple(sorted(rows, key=lambda row: -row.difference)),
            quantity=quantity,
            unit=self.axis["standard"] if standard else self.axis["mixed"] if mixed else unit,
            alpha=f.alpha[0],
            correction=f.correction,  # type: ignore[arg-type]  # one of its words
        )

    def _axis(self, items: Sequence[Outcome]) -> tuple[str, str]:
        """Return what is on the axis, and in which unit."""
        tests = [self.f.tests[item.test] for item in items]
        estimands = {test.estimand.removeprefix("weighted ") for test in tests}
        unit = self.axis["points"] if all(test.percent for test in tests) else ""
        if len(estimands) == 1 and not any(one.startswith(("mean difference", "difference in")) for one in estimands):
            return estimands.pop(), unit
        metric = self.f.by_metric[items[0].metric]
        binary = metric.name == "score" and all(test.kind == "binary" for test in tests)
        return self.axis["difference"].format(self.axis["accuracy"] if binary else metric.title), unit

    def _marks(self, claim: Claim) -> dict[str, Mark]:
        back = (c for c in self.f.claims if (c.metric, c.a, c.b) == (claim.metric, claim.b, claim.a))
        behind = {dataset for other in back for dataset in other.named}
        found: dict[str, Mark] = {}
        for item in self.f.of(claim):
            if item.dataset in claim.named:
                found[item.dataset] = "identified"
            elif item.adjusted <= self.f.alpha[0]:
                found[item.dataset] = "other sign"
            else:
                found[item.dataset] = "opposite" if item.dataset in behind else "not identified"
        return found

    # matrices -------------------------------------------------------------------------------------------------------

    def k_hat_matrix(self, metric: str, suffix: str = "") -> Figure:
        """Return k-hat of all pairs of many systems."""
        f = self.f
        claims = {(claim.a, claim.b): claim for claim in f.claims if claim.metric == metric}
        order = systems_in_order(f, self.look, metric)
        rows, columns = ([one for one in order if any(pair[side] == one for pair in claims)] for side in (0, 1))
        grid = [[claims.get((a, b)) for b in columns] for a in rows]
        content = KHatMatrixContent(
            rows=tuple(map(self.name, rows)),
            columns=tuple(map(self.name, columns)),
            k_hat=tuple(tuple(None if one is None else one.k_hat for one in line) for line in grid),
            n_datasets=tuple(tuple(None if one is None else len(one.datasets) for one in line) for line in grid),
            alpha=f.alpha[0],
        )
        shown = {"metric": f.by_metric[metric], "same": same_datasets(f), "apart": False}
        return self._figure("k-hat-matrix", content, f"k-hat-matrix{suffix}", "k_hat_matrix", **shown)

    # curves ---------------------------------------------------------------------------------------------------------

    def partial_conjunction(self, claim: Claim) -> Figure:
        """Return the curve of partial-conjunction p-values of a claim."""
        f = self.f
        content = PartialConjunctionContent(
            system_a=self.name(claim.a),
            system_b=self.name(claim.b),
            n_datasets=len(claim.datasets),
            alpha=f.alpha,
            curves=tuple(
                PartialConjunctionCurve(
                    method=method,
                    p_values=values,
                    k_hat=tuple(sum(p <= alpha * (1 + 1e-9) for p in values) for alpha in f.alpha),
                )
                for method, values in claim.partial_conjunction.items()
            ),
        )
        return self._figure("partial-conjunction", content, "partial-conjunction")

    def p_values(self, claim: Claim) -> Figure | None:
        """Return sorted p-values with Holm's thresholds; None where these are not the correction."""
        f = self.f
        if f.correction != "Holm" or f.gatekeeping != "none":
            return None
        sides = 2 if f.design == "both" else 1
        together = [
            item
            for item in f.outcomes
            if f.design not in ("both", "separate") or (item.a, item.b) == (claim.a, claim.b)
        ]
        ordered = sorted(together, key=lambda item: item.p_value)
        divisor = {id(item): len(ordered) - place for place, item in enumerate(ordered)}
        level, marks = f.alpha[0] / sides, self._marks(claim)
        rows = [
            PValueRow(
                dataset=self.name(item.dataset),
                p_value=item.p_value,
                threshold=level / divisor[id(item)],
                mark="not identified" if marks[item.dataset] == "opposite" else marks[item.dataset],
            )
            for item in sorted(f.of(claim), key=lambda item: item.p_value)
        ]
        content = PValueContent(
            system_a=self.name(claim.a),
            system_b=self.name(claim.b),
            rows=tuple(rows),
            alpha=f.alpha[0],
            level=level,
            n_hypotheses=len(together),
        )
        return self._figure("p-values", content, "p-values")

    def critical_difference(self, outcome: FriedmanOutcome) -> Figure:
        """Return the diagram of average ranks.

        Raises
        ------
        DesignError
            If there are too many groups for a diagram.
        """
        n = len(outcome.datasets)
        if 2.0 ** (1 - n) > outcome.alpha:
            raise DesignError(
                f"{n} datasets cannot separate systems: one bar would join all",
                where=f"the smallest p-value over {n} datasets is {2.0 ** (1 - n):.2g}",
                remedy="add datasets",
            )
        content = critical_difference_content(outcome)
        content = replace(content, systems=tuple(map(self.name, content.systems)))
        return self._figure("critical-difference", content, "critical-difference")

    def posterior_forest(self, posteriors: Sequence[Posterior], suffix: str = "") -> Figure:
        """Return posterior means and credible intervals of several datasets."""
        from reportkit.figures.posterior_forest import posterior_forest_content  # imports the models

        metric, first = self.f.metrics[0], posteriors[0]
        content = posterior_forest_content(posteriors, in_percent=effect_scale(self.f, metric.name).factor == 100)
        rope = None if first.rope is None else first.rope.half_width
        shown = {"a": first.system_a, "b": first.system_b, "level": first.interval.level, "rope": rope}
        return self._figure("posterior-forest", content, f"posterior-forest{suffix}", "posterior_forest", **shown)


REQUESTED = ("all-pairs", "critical-difference", "p-values", "partial-conjunction")
"""Figures that are drawn when they are asked for by name."""


def requested_figure(facts: Facts, look: Appearance, name: str, analysis: ReplicabilityAnalysis) -> Figure:
    """Return a figure that is drawn on request, one of `REQUESTED`, of the primary metric.

    Raises
    ------
    DesignError
        If the analysis does not allow it.
    """
    f = as_printed(facts, look)
    pictures, metric = Pictures(f, look, Wording(f)), f.metrics[0].name
    if name == "critical-difference":
        return pictures.critical_difference(analysis.friedman_outcome or friedman_of(analysis))
    if name == "all-pairs":
        if f.design not in ("all-pairs", "baselines") or len(f.datasets) == 1:
            raise DesignError(
                "a matrix of all pairs needs more than one pair of systems, and several datasets",
                where=", ".join(f"{claim.a} > {claim.b}" for claim in f.claims[:3]),
                remedy="compare all systems, .compare() without names, or all with a baseline, .compare(baseline=...); "
                "on one dataset the table 'pairs' has the differences",
            )
        return replace(pictures.k_hat_matrix(metric), name=name)
    claim = pictures.drawn(metric)[0]
    drawn = pictures.p_values if name == "p-values" else pictures.partial_conjunction
    found = drawn(claim) if len(claim.datasets) > 1 else None
    if found is None:
        raise DesignError(
            "a plot of p-values with Holm's thresholds needs several datasets, and Holm's procedure: no closed testing "
            "over independent datasets, no gatekeeping"
            if name == "p-values"
            else "a curve over the number of datasets needs several, and there is one",
            where=", ".join(f.datasets[:3]),
            remedy="see .outcomes, which has every p-value, adjusted and not",
        )
    return found
