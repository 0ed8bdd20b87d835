"""The signature of an analysis: what was computed from what, and how, as short keys and values."""

from __future__ import annotations

from reportkit.language import level_text
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis


def signature_fields(analysis: ReplicabilityAnalysis) -> dict[str, str]:
    """Return what the signature says of tests, correction, datasets and settings."""
    settings = analysis.settings
    tests = sorted({item.test for item in analysis.kinds})
    resamples = sorted({item.n_resamples for item in analysis.kinds if item.n_resamples})
    fields = {
        "test": "+".join(tests),
        "alt": "one-sided" if analysis.sides == 1 else "one-sided-both-directions",
        **({"metrics": ",".join(analysis.metrics)} if analysis.several_metrics else {}),
        "adj": _correction_key(analysis),
        "alpha": ",".join(level_text(alpha) for alpha in analysis.alpha),
        "datasets": f"{analysis.comparisons[0].assessments[0].n},taken-together"
        if analysis.across_datasets
        else f"{_numbers_of_datasets(analysis)},{settings.dependence}",
        "profile": settings.profile,
        "missing": settings.missing,
        **({} if settings.rope is None else {"rope": f"{settings.rope:g}"}),
        **({} if settings.prior is None else {"prior": f"{settings.prior:g}"}),
        **({"runs": settings.runs} if _runs_matter(analysis) else {}),
    }
    n = analysis.assessments[0].n
    if n and analysis.correction == "max-T" and 2 ** (n - 1) > settings.n_resamples:
        resamples = sorted({*resamples, settings.n_resamples})
    if resamples:
        fields |= {"B": ",".join(map(str, resamples)), "seed": str(settings.rng)}
    return fields


def _numbers_of_datasets(analysis: ReplicabilityAnalysis) -> str:
    """Return the number of datasets, and out of how many they were selected."""
    n, named = len(analysis.datasets), len(analysis.named_datasets)
    return str(n) if analysis.settings.datasets is None or n >= named else f"{n}of{named}"


def _correction_key(family: ReplicabilityAnalysis) -> str:
    name = family.correction.lower().replace(" ", "-")
    if not family.several_metrics or family.gatekeeping == "none":
        return f"{name}(m={family.n_hypotheses})"
    if family.gatekeeping == "by-dataset":
        return f"graph-by-dataset(m={family.n_hypotheses})"
    first, second = family.sizes[family.metrics[0]], family.sizes[family.metrics[1]]
    serial = family.gatekeeping == "serial"
    return f"{name}-serial(m={first}+{second})" if serial else f"{name}-each-metric(m={first})"


def _runs_matter(family: ReplicabilityAnalysis) -> bool:
    """Return whether instances were scored in several runs, so that it matters whether seeds are random or fixed."""
    items = family.kinds
    known = ["n_runs" in item.details.get("a", {}) for item in items if item.shape == "paired"]
    return any(known) or any(item.shape == "runs" for item in items)
