"""Mean score of each system on each dataset, for tables that show many systems side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from reportkit.replicability.score_spread import ScoreSpread, printed_spread, spread_of
from reportkit.scores.shapes.block import Block
from reportkit.settings import Settings
from reportkit.significance.outcome import Assessment


class SpreadOnRequest(Protocol):
    """Computes the spread of a score when a table asks for it; on the instances that `common` systems have, too."""

    def __call__(self, *, common: Sequence[str] = ()) -> ScoreSpread:
        """Compute it."""


def _spread_in_print(*, common: Sequence[str] = ()) -> ScoreSpread:
    return printed_spread()


@dataclass(frozen=True, slots=True)
class SystemScore:
    """Score of one system on one dataset.

    Parameters
    ----------
    mean : float
        (Weighted) mean, BLEU, correlation, ..., as given, over the instances that the system was scored on.
    n : int or None
        Number of these instances; None if a paper does not print it.
    higher_is_better : bool
        Direction of the metric.
    spread : callable
        Computes standard deviation, standard error and interval of the score, which few tables show.
    name : str
        Name of the system in the data, whatever it is printed as.
    """

    mean: float
    n: int | None
    higher_is_better: bool
    spread: SpreadOnRequest = field(default=_spread_in_print, compare=False, repr=False)
    name: str = field(default="", compare=False, repr=False)


def scores_of_systems(blocks: Iterable[Block], settings: Settings) -> dict[tuple[str, str], SystemScore]:
    """Scores by (system, dataset).

    A pair of systems is compared on the instances that both have; a table of many systems shows each on all that it
    has, or with missing scores counted as worst, as the settings say.
    """
    scores = {}
    for block in blocks:
        for system in block.systems:
            value, n = block.value(system, missing=settings.missing, score_range=settings.score_range)
            spread = partial(spread_of, block, system, settings)
            scores[system, block.dataset] = SystemScore(value, n, block.higher_is_better, spread, system)
    return scores


def scores_in_print(claims: Iterable[tuple[str, str, Assessment]]) -> dict[tuple[str, str], SystemScore]:
    """Scores by (system, dataset) from what a paper prints: (system_a, system_b, assessment)."""
    scores: dict[tuple[str, str], SystemScore] = {}
    for a, b, item in claims:
        scores.setdefault((a, item.dataset), SystemScore(item.score_a, item.n, item.higher_is_better))
        scores.setdefault((b, item.dataset), SystemScore(item.score_b, item.n, item.higher_is_better))
    return scores
