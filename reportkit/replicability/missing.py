"""What was done about missing scores, with the counts of each dataset, as findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reportkit.finding import Finding
from reportkit.scores.shapes.block import Block
from reportkit.settings import Settings
from reportkit.significance.outcome import Assessment

_MOST_PLACES = 8

NOTABLE_SHARE = 0.05
"""More than this share of the instances of a dataset left out is a warning: those that are left may be others."""

_DONE = {
    "drop": "Instances that only one system of a pair has a score for are left out of the comparison of the two",
    "worst": "Missing outputs count as the worst possible score",
    "bounds": "Missing scores are taken at their worst for each claim, and at their best beside",
}


def missing_findings(assessments: Iterable[Assessment], blocks: Sequence[Block], settings: Settings) -> list[Finding]:
    """Say on which datasets scores were missing, and what that did.

    Parameters
    ----------
    assessments : iterable of Assessment
        Of all claims.
    blocks : sequence of Block
        All datasets.
    settings : Settings
        What was to be done.

    Returns
    -------
    list of Finding
        Empty if nothing was left out or filled.
    """
    ranges: dict[str, tuple[int, int]] = {}
    for item in assessments:
        number = item.n_dropped + item.n_imputed
        low, high = ranges.get(item.dataset, (number, number))
        ranges[item.dataset] = min(low, number), max(high, number)
    sizes = {block.dataset: block.n_instances for block in blocks}
    many = any(high > NOTABLE_SHARE * sizes[dataset] for dataset, (_, high) in ranges.items())
    places = [
        f"{dataset}: {f'{low:,}' if low == high else f'{low:,} to {high:,}'} of {sizes[dataset]:,}"
        for dataset, (low, high) in ranges.items()
        if high
    ]
    if not places or settings.missing not in _DONE:
        return []
    shown = places[:_MOST_PLACES] + ([f"and {len(places) - _MOST_PLACES} more"] if len(places) > _MOST_PLACES else [])
    return [
        Finding(
            f"missing-{settings.missing}",
            "warning" if settings.missing == "drop" and many else "info",
            f"{_DONE[settings.missing]}; numbers are those of one pair of systems.",
            where="; ".join(shown),
            remedy="say so beside the result, and why these instances have no score; or see how much depends on them: "
            "missing='bounds' (--missing bounds)"
            if settings.missing == "drop" and many
            else "",
        )
    ]
