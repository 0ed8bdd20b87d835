"""What a user holds after asking for posteriors, Bayes factors, all four answers, or Friedman's test."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Generic, Protocol, TypeVar

import pandas as pd

from reportkit._version import __version__
from reportkit.analysis.report import Styled
from reportkit.appearance import DEFAULT_APPEARANCE, Appearance
from reportkit.bayes.bayes_factor import BayesFactors
from reportkit.bayes.chains.sampled import WithheldPosterior
from reportkit.bayes.chains.traces import ENDING, save_traces
from reportkit.bayes.evidence.asked import findings_of
from reportkit.bayes.evidence.assessed import AssessedClaim
from reportkit.bayes.posterior import Posterior
from reportkit.bayes.signed_rank import SignedRankPosterior
from reportkit.errors import SettingsError
from reportkit.finding import Finding
from reportkit.language.short_repr import few_lines
from reportkit.replicability.friedman import FriedmanOutcome
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.assemble import answers_to, signature_of
from reportkit.report.beyond import Beyond, claim_facts, factors_facts, posterior_facts
from reportkit.report.claim_tables import friedman_tables
from reportkit.report.facts import VERSION
from reportkit.report.gather import friedman_facts, gather
from reportkit.report.labels import as_printed
from reportkit.report.model import Block, Figure, Paragraph, Report, Section
from reportkit.report.pictures import Pictures
from reportkit.report.tokens import name, plain
from reportkit.report.wording import Wording
from reportkit.scores.sample import Sample
from reportkit.significance.interval import Interval


class _Answer(Styled):
    """What an analysis was asked beyond its p-values.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        What was asked.
    """

    analysis: ReplicabilityAnalysis
    kind: ClassVar[str]

    @property
    def _rows(self) -> list[dict[str, object]]:
        raise NotImplementedError

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What to be careful about."""
        raise NotImplementedError

    def _shown(self, beyond: Beyond) -> tuple[str, list[Block], list[str]]:
        """Return the title, tables and figures, and words of the report."""
        raise NotImplementedError

    def to_frame(self, name: str | None = None) -> pd.DataFrame:
        """The numbers, unrounded; or, by its name, a table as it is printed. The class says which columns."""
        if name is not None:
            return super().to_frame(name)
        frame = pd.DataFrame(self._rows)
        return frame.astype({column: "float64" for column in frame if frame[column].isna().all()})

    def _lay_out(self) -> Report:
        look = self.appearance
        facts = self.analysis.__dict__.get("_facts") or gather(self.analysis)
        printed = as_printed(facts, look)
        title, blocks, said = self._shown(Beyond(printed, Wording(printed)))
        numbers = [
            {name: None if isinstance(x, float) and not math.isfinite(x) else x for name, x in row.items()}
            for row in self._rows
        ]
        return Report(
            title=title,
            sections=(Section(title=title, blocks=tuple(blocks)),),
            signature=signature_of(facts),
            findings=self.findings,
            data={
                "version": VERSION,
                "reportkit_version": __version__,
                "kind": self.kind,
                self.kind: numbers,
            },
            summary=tuple(plain(line, look.plain_labels) for line in said),
            appearance=look,
        )


class _OneDataset(Protocol):
    @property
    def rows(self) -> list[dict[str, object]]: ...

    @property
    def sentence(self) -> str: ...


T = TypeVar("T", bound=_OneDataset)


@dataclass(frozen=True, eq=False, repr=False)
class PerDataset(_Answer, Generic[T]):
    """One answer per dataset about two systems.

    Parameters
    ----------
    items : tuple
        In the order of the datasets.
    analysis : ReplicabilityAnalysis
        What was asked.
    appearance : Appearance
        How tables and figures are set.
    """

    items: tuple[T, ...]
    analysis: ReplicabilityAnalysis
    appearance: Appearance = DEFAULT_APPEARANCE

    kind: ClassVar[str] = "posteriors"
    title: ClassVar[str] = "Posterior of each difference"

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def _rows(self) -> list[dict[str, object]]:
        return [row for item in self.items for row in item.rows]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What to be careful about."""
        return tuple(dict.fromkeys(found for item in self.items for found in getattr(item, "findings", ())))

    def _shown(self, beyond: Beyond) -> tuple[str, list[Block], list[str]]:
        blocks = [self._table_of(beyond), *self._figures_of(beyond)]
        return self.title, blocks, [line for item in self.items for line in self._words(_with_labels(item))]

    def _table_of(self, beyond: Beyond) -> Block:
        return beyond.posteriors(list(map(posterior_facts, self.items)))

    def _figures_of(self, beyond: Beyond) -> list[Figure]:
        return []

    def _words(self, item: T) -> list[str]:
        return [item.sentence]


def _with_labels(item: T) -> T:
    """Return an answer whose sentences print the labels of its systems and its dataset."""
    named = {field: name(getattr(item, field)) for field in ("system_a", "system_b", "dataset") if hasattr(item, field)}
    return dataclasses.replace(item, **named)  # type: ignore[type-var]  # each answer is a dataclass


class Posteriors(PerDataset[Posterior | SignedRankPosterior]):
    """Posteriors of the difference between two systems, one per dataset.

    Columns of `to_frame`: system_a, system_b, dataset, model, mean, sd, p_better, low, high (of the credible
    interval), level, and with a region of practical equivalence p_better_by_rope, p_equivalent, p_worse_by_rope,
    outcome. Over datasets as the sample: p_better, p_equivalent, p_worse of a new dataset, and n_datasets.
    """

    def _figures_of(self, beyond: Beyond) -> list[Figure]:
        known = [item for item in self.items if isinstance(item, Posterior)]
        pictures = Pictures(beyond.f, self.appearance, beyond.words)
        return [pictures.posterior_forest(known)] if len(known) > 1 else []


class SampledPosteriors(PerDataset[Posterior | WithheldPosterior]):
    """Posteriors by Markov chains of the difference between two systems, one per dataset.

    Columns of `to_frame`: system_a, system_b, dataset, model, mean, sd, p_better, monte_carlo_error (of p_better),
    low, high (of the credible interval), level, withheld (which diagnostics failed; the numbers are then missing),
    and with a region of practical equivalence p_better_by_rope, p_equivalent, p_worse_by_rope, outcome.
    """

    def _words(self, item: Posterior | WithheldPosterior) -> list[str]:
        known = None if item.withheld else item.chains
        return [item.sentence] if known is None else [item.sentence, known.sentence]

    def diagnostics(self) -> pd.DataFrame:
        """One row per dataset and parameter.

        Columns: dataset, parameter, mean, sd, r_hat, ess_bulk, ess_tail, and of all chains of the dataset n_divergences
        and least_bfmi. Given also where the result is withheld.
        """
        known = [(item.dataset, item.chains) for item in self.items if item.chains is not None]
        tables = [
            chains.parameters.reset_index().assign(n_divergences=chains.n_divergences, least_bfmi=chains.least_bfmi)
            for _, chains in known
        ]
        return pd.concat(tables, keys=[name for name, _ in known], names=["dataset"]).reset_index(level=0)

    def save_traces(self, path: str | Path) -> tuple[Path, ...]:
        """Write all draws as NetCDF, one file per dataset.

        Parameters
        ----------
        path : str or Path
            A folder; or a file that ends in `.nc`, if there is one dataset.

        Raises
        ------
        SettingsError
            If one file is named for several datasets.
        RenderingError
            If a file cannot be written.
        """
        refuse_one_file_for_several(path, self.items)
        return tuple(save_traces(item, path) for item in self.items)


class BayesFactorsPerDataset(PerDataset[BayesFactors]):
    """Bayes factors of one hypothesis about two systems, one per dataset, each under several priors.

    Columns of `to_frame`: system_a, system_b, dataset, hypothesis, prior, prior_mass, posterior_mass, bayes_factor
    (of the hypothesis against its negation), bound ("none", "upper", "lower"), depends_on_prior.
    """

    kind = "bayes_factors"
    title = "Bayes factors"

    def _table_of(self, beyond: Beyond) -> Block:
        return beyond.factors(list(map(factors_facts, self.items)))


@dataclass(frozen=True, eq=False, repr=False)
class ClaimResult(_Answer):
    """Four answers to one claim on each dataset, and on how many it is shown.

    Columns of `to_frame`: dataset, p_value (one-sided, of the claim's negation), adjusted_p_value (Holm),
    identified, ci_low, ci_high (of the difference), probability (posterior, of the claim), bayes_factor (claim
    against its negation), bayes_factor_low, bayes_factor_high (over the priors); missing where a question has no
    answer, and silences says why.

    Parameters
    ----------
    data : AssessedClaim
        Everything that was computed.
    analysis : ReplicabilityAnalysis
        What was asked.
    appearance : Appearance
        How tables and figures are set.
    """

    data: AssessedClaim
    analysis: ReplicabilityAnalysis
    appearance: Appearance = DEFAULT_APPEARANCE

    kind: ClassVar[str] = "claim"

    @property
    def k_hat(self) -> int | None:
        """Lower bound for the number of datasets on which the claim holds; None if one has no p-value."""
        return self.data.k_hat

    @property
    def identified(self) -> tuple[str, ...]:
        """Datasets on which the claim is shown."""
        return self.data.identified

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What to be careful about."""
        return findings_of([self.data])

    @property
    def _rows(self) -> list[dict[str, object]]:
        return self.data.rows

    def _shown(self, beyond: Beyond) -> tuple[str, list[Block], list[str]]:
        claim = claim_facts(self.data)
        items = [
            f"{beyond.say('difference', item=item)} {beyond.say('answer', claim=claim, item=item)}"
            for item in claim["answers"]
        ]
        meaning = beyond.say("meaning").split("\n\n")
        said = [beyond.say("count", claim=claim), *items, beyond.say("questions"), *meaning]
        return beyond.words.heads["sections"]["evidence"], list(answers_to(beyond, [[claim]])), said

    def __repr__(self) -> str:
        rows = self.to_frame().to_string(index=False).splitlines()
        return few_lines([self._model.summary[0], *rows], "to_frame()")


@dataclass(frozen=True, eq=False, repr=False)
class FriedmanResult(_Answer):
    """Friedman's test with pairwise follow-ups.

    Columns of `to_frame`: system_a, system_b (the better average rank first), mean_difference (positive if A is
    better), rank_difference, p_value (two-sided), adjusted_p_value (Holm), differs.

    Parameters
    ----------
    data : FriedmanOutcome
        Statistics, p-values, average ranks and pairs.
    analysis : ReplicabilityAnalysis
        What was asked.
    appearance : Appearance
        How tables and figures are set.
    """

    data: FriedmanOutcome
    analysis: ReplicabilityAnalysis
    appearance: Appearance = DEFAULT_APPEARANCE

    kind: ClassVar[str] = "friedman"

    @property
    def average_ranks(self) -> pd.Series[float]:
        """Average rank by system, best first."""
        return pd.Series(dict(self.data.average_ranks), name="average_rank").rename_axis("system")

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What limits the test."""
        return self.data.findings

    @property
    def _rows(self) -> list[dict[str, object]]:
        return self.data.rows

    def critical_difference(self, alpha: float | None = None) -> float:
        """Nemenyi's critical difference of average ranks, a number that depends on the other systems' presence."""
        return self.data.critical_difference(alpha)

    def _shown(self, beyond: Beyond) -> tuple[str, list[Block], list[str]]:
        facts = dataclasses.replace(beyond.f, friedman=friedman_facts(self.data))
        words = Wording(facts)
        said = words.say("friedman", alone=True)
        blocks: list[Block] = [
            Paragraph(content=words.say("friedman", alone=False)),
            *friedman_tables(facts, words),
        ]
        drawn = Pictures(facts, self.appearance, words).critical_difference_or_none(self.data)
        return words.heads["sections"]["friedman"], [*blocks, *([drawn] if drawn else [])], [said]

    def __repr__(self) -> str:
        ranks = [f"  {rank:5.2f}  {name}" for name, rank in self.data.average_ranks.items()]
        return few_lines([self.summary(), "average ranks:", *ranks], "average_ranks")


def intervals_frame(found: Iterable[tuple[Sample, Interval | None]]) -> pd.DataFrame:
    """One row per dataset; see `Questions.intervals`."""
    columns = ["dataset", "difference", "low", "high", "level", "method"]
    rows = [
        (sample.dataset, sample.value_difference, interval.low, interval.high, interval.level, interval.title)
        if interval is not None
        else (sample.dataset, sample.value_difference, None, None, None, "")
        for sample, interval in found
    ]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[1:5], "float64"))


def refuse_one_file_for_several(path: str | Path, items: Sequence[object]) -> None:
    """Raise an error if a file, and not a folder, is named for the traces of several datasets.

    Raises
    ------
    SettingsError
        In that case.
    """
    if Path(path).suffix == ENDING and len(items) > 1:
        raise SettingsError(
            f"the traces of {len(items)} datasets do not fit into one file",
            where=str(path),
            remedy="name a folder, or one of the datasets: datasets=[...]",
        )
