"""From results to a family of comparisons: pair, assess, correct, count."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.replicability.family import Family, FamilyDesign, build_family
from reportkit.replicability.independence import audit_independence
from reportkit.results.pairing import refuse_unequal_instances
from reportkit.results.results import Results
from reportkit.settings import Settings
from reportkit.significance.assess_pairs import assess_pairs
from reportkit.significance.assessment import Assessment
from reportkit.significance.plan import ResamplingPlan

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """Who is compared with whom.

    Parameters
    ----------
    design : {"declared", "both", "baselines", "all-pairs"}
        See `reportkit.replicability.family`.
    pairs : tuple of (str, str)
        Unordered for "both" and "all-pairs", (better, worse) otherwise.
    """

    design: FamilyDesign
    pairs: tuple[tuple[str, str], ...]

    @property
    def both_directions(self) -> bool:
        """Whether each pair is tested in both directions."""
        return self.design in ("both", "all-pairs")


def claims_for(
    known: tuple[str, ...], systems: Iterable[str], baselines: Iterable[str], *, declared: bool = True
) -> Claims:
    """Turn the systems a user names into claims.

    Parameters
    ----------
    known : tuple of str
        All systems of the results.
    systems : iterable of str
        Systems that are claimed to be better; all others if empty.
    baselines : iterable of str
        Systems they are compared with.
    declared : bool
        Whether the direction was declared before looking at the results; if not, one pair is tested in both directions.

    Raises
    ------
    UnknownNameError
        If a system does not occur in the results.
    SettingsError
        If fewer than two systems are left.
    """
    chosen, against = tuple(dict.fromkeys(systems)), tuple(dict.fromkeys(baselines))
    for name in (*chosen, *against):
        if name not in known:
            raise UnknownNameError("system", name, known)
    if against:
        better = chosen or tuple(name for name in known if name not in against)
        pairs = tuple((a, b) for b in against for a in better if a != b)
        if not pairs:
            raise SettingsError("no system is left to compare with the baseline", remedy="name other systems")
        if len(pairs) == 1:
            return Claims(design="declared" if declared else "both", pairs=pairs)
        if not declared:
            raise SettingsError(
                "alternative='two-sided' is for two systems or all pairs",
                where=f"{len(pairs)} comparisons with a baseline",
                remedy="leave the baseline away to compare all pairs in both directions",
            )
        return Claims(design="baselines", pairs=pairs)
    several = chosen or known
    if len(several) < 2:
        raise SettingsError(
            f"two systems are needed, {len(several)} given",
            where=f"systems of the results: {', '.join(map(repr, known[:20]))}",
            remedy="name another system, or a baseline",
        )
    pairs = tuple(combinations(several, 2))
    return Claims(design="both" if len(pairs) == 1 else "all-pairs", pairs=pairs)


def compare_results(
    results: Results, claims: Claims, settings: Settings, *, progress: Progress | None = None
) -> Family:
    """Test every claim on every dataset that both systems have, correct, and count.

    Parameters
    ----------
    results : Results
        Of one metric.
    claims : Claims
        Who is compared with whom.
    settings : Settings
        Levels, dependence, profile, test, missing instances, seed.
    progress : callable, optional
        Called with (done, total) after each test.

    Raises
    ------
    SettingsError
        If the results hold several metrics.
    MissingScoresError
        If two systems were not scored on the same instances, and settings do not say what to do.
    """
    if len(results.metrics) > 1:
        raise SettingsError(
            f"the results hold {len(results.metrics)} metrics: {', '.join(map(repr, results.metrics))}",
            remedy="select one: metric='...' (command: --metric NAME)",
        )
    named = tuple(dict.fromkeys(name for both in claims.pairs for name in both))
    blocks = results.select(systems=named).datasets
    if settings.missing == "error":
        refuse_unequal_instances(blocks)
    total = len(claims.pairs) * len(blocks)
    plan = _plan(settings, claims, len(blocks))
    found: dict[tuple[str, str], list[Assessment]] = {claim: [] for claim in claims.pairs}
    done = 0
    for block in blocks:
        here = [claim for claim in claims.pairs if set(claim) <= set(block.systems)]
        done += len(claims.pairs) - len(here)
        for claim, item in zip(here, assess_pairs(block, here, plan, settings), strict=True):
            found[claim].append(item)
            done += 1
            if progress is not None:
                progress(done, total)
    assessments: dict[tuple[str, str], tuple[Assessment, ...]] = {}
    for (a, b), items in found.items():
        if not items:
            raise SettingsError(f"{a!r} and {b!r} have no dataset in common", remedy="compare other systems")
        assessments[a, b] = tuple(items)
        if claims.both_directions:
            assessments[b, a] = tuple(item.swapped() for item in items)
    audit = audit_independence(blocks, settings.datasets)
    return build_family(claims.design, assessments, alpha=settings.alpha, audit=audit, findings=results.findings)


def _plan(settings: Settings, claims: Claims, n_datasets: int) -> ResamplingPlan:
    directions = 2 if claims.both_directions else 1
    n_hypotheses = len(claims.pairs) * directions * n_datasets
    thresholds = {alpha / n_hypotheses for alpha in settings.alpha}
    if len(claims.pairs) == 1:
        thresholds = {alpha / directions / rank for alpha in settings.alpha for rank in range(1, n_datasets + 1)}
    return ResamplingPlan(
        n_resamples=settings.n_resamples, seed=settings.seed, thresholds=tuple(sorted(thresholds, reverse=True))
    )
