"""What is fixed before the first dataset is assessed, and what is left of each: small things that travel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from reportkit.finding import Finding
from reportkit.replicability.independence.independence import Traces
from reportkit.scores.shapes.block import Block
from reportkit.settings import Settings
from reportkit.significance.outcome import Outcome
from reportkit.significance.plan import ResamplingPlan

if TYPE_CHECKING:
    from reportkit.replicability.compare import Claims

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonPlan:
    """What is fixed before the first dataset is looked at, so that no dataset can change the numbers of another.

    Parameters
    ----------
    settings : Settings
        Levels, profile, test, missing instances, seed.
    resampling : ResamplingPlan
        Resamples, seed and the thresholds of the whole family of hypotheses: where Monte Carlo tests stop.
    systems : tuple of str
        All systems that are compared.
    metrics : tuple of str
        The primary one first.
    claims : Claims
        Who is compared with whom; all pairs of them have a dataset in common.
    datasets : tuple of Block
        What is looked at, by metric.
    findings : tuple of Finding
        What was noticed before.
    """

    settings: Settings
    resampling: ResamplingPlan
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    claims: Claims
    datasets: tuple[Block, ...] = ()
    findings: tuple[Finding, ...] = ()

    def for_one_dataset(self) -> ComparisonPlan:
        """What the work on one dataset needs to know of the plan."""
        return replace(self, claims=replace(self.claims, pairs=()), datasets=(), findings=())


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessedDataset:
    """What is left of one dataset when its scores have been read: a few numbers for each system and each claim.

    Parameters
    ----------
    dataset, metric : str
        Names.
    assessments : mapping of (str, str) to Outcome
        By claim (A, B), read one-sided in favour of A; of claims about systems that both have scores here.
    scores : mapping of str to (float, int)
        What a table prints of each system, compared or not, and over how many instances.
    n_instances : int or None
        Instances that one of the compared systems was scored on; None where none of them was.
    traces : Traces, optional
        Ids, clusters and runs as hashes, for the audit of independence; None where no system is compared.
    """

    dataset: str
    metric: str
    assessments: Mapping[Pair, Outcome] = field(default_factory=dict)
    scores: Mapping[str, tuple[float, int]] = field(default_factory=dict)
    n_instances: int | None = None
    traces: Traces | None = None

    @classmethod
    def merged(cls, parts: Sequence[AssessedDataset]) -> AssessedDataset:
        """Put together what different claims about one dataset came to."""
        traces = next((part.traces for part in parts if part.traces is not None), None)
        return replace(
            parts[0],
            assessments={claim: item for part in parts for claim, item in part.assessments.items()},
            traces=traces,
        )
