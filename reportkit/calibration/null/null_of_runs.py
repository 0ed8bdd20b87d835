"""P-values under the null hypothesis from several runs of one system: a true comparison of A with A."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from reportkit.calibration.null.null_samples import sample_of_runs, splits_of_runs
from reportkit.calibration.null.p_values import Calibration, calibration_of, known_reasons
from reportkit.calibration.null.replicates import replicated_p_values, selected_test
from reportkit.calibration.streams import Progress, check_number, silent, stream
from reportkit.errors import DesignError, MissingScoresError, UnknownNameError
from reportkit.language.counts_and_lists import counted
from reportkit.replicability.multiple_testing.p_values import check_alpha
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.runs import DatasetRuns
from reportkit.scores.shapes.sample import Sample
from reportkit.settings import Profile
from reportkit.settings.arguments import RunsAs


def calibrate_runs(
    block: Block,
    systems: Sequence[str] | None = None,
    *,
    runs_as: RunsAs = "runs",
    test: str | None = None,
    profile: Profile = "recommended",
    alpha: float = 0.05,
    level: float = 0.95,
    n_replicates: int = 2_000,
    n_resamples: int = 999,
    seed: int = 0,
    progress: Progress = silent,
) -> Calibration:
    """Compare runs of a system with other runs of the same system, which cannot be better: a true A against A.

    Parameters
    ----------
    block : Block
        One dataset with several runs (seeds) of its systems, instance by instance.
    systems : sequence of str, optional
        Systems whose runs are compared; all with enough runs, if not given.
    runs_as : {"runs", "single", "average", "instances"}
        How runs reach the test. "runs": half of them against the other half, kept apart, as the decision table wants;
        needs four runs. "single": each pair of runs. "average": halves, averaged instance by instance. "instances":
        halves, each (run, instance) taken as an instance.
    test, profile, alpha, level, n_resamples, seed, progress
        As for `calibrate`.
    n_replicates : int
        Most comparisons; a random selection of all, if there are more.

    Returns
    -------
    Calibration
        Its intervals allow for as many independent comparisons as there are disjoint ones: one per system for halves,
        half as many as runs for single runs.

    Raises
    ------
    DesignError
        If there are no runs, or too few of them.
    MissingScoresError
        If a run has no score on some instance.
    """
    check_alpha(alpha)
    check_number("n_replicates", n_replicates, 1)
    runs, chosen = _with_enough_runs(block, systems, runs_as)
    rng = stream(seed, "null", "seeds", runs_as, runs.dataset, runs.metric)
    splits = [
        (system, split)
        for system in sorted(chosen)
        for split in splits_of_runs(len(runs.scores[runs.position(system)]), runs_as, rng)
    ]
    if len(splits) > n_replicates:
        kept = np.sort(rng.choice(len(splits), size=n_replicates, replace=False))
        splits = [splits[index] for index in kept]

    def samples() -> Iterator[Sample]:
        for system, split in splits:
            yield sample_of_runs(runs, system, split, runs_as)

    first = next((sample for sample in samples() if not sample.identical), next(samples()))
    name = selected_test(first, test, profile)
    found = replicated_p_values(
        samples(), name, n_replicates=len(splits), n_resamples=n_resamples, seed=seed, progress=progress
    )
    disjoint = [len(runs.scores[runs.position(system)]) // 2 if runs_as == "single" else 1 for system in chosen]
    return calibration_of(
        replace(first, system_a="one set of runs", system_b="other runs of the same system"),
        found,
        null="seeds",
        test=name,
        n_independent=min(sum(disjoint), len(splits)),
        alpha=alpha,
        level=level,
        seed=seed,
        n_resamples=n_resamples,
        reasons=(*_reasons_of_runs(runs, runs_as), *known_reasons(first, name, "seeds")),
    )


def _with_enough_runs(
    block: Block, systems: Sequence[str] | None, runs_as: RunsAs
) -> tuple[DatasetRuns, tuple[str, ...]]:
    needed = {"runs": 4, "single": 2, "average": 2, "instances": 2}
    if runs_as not in needed:
        raise UnknownNameError("way to use runs", runs_as, needed)
    if not isinstance(block, DatasetRuns):
        raise DesignError(
            "there are no runs of a system to compare with each other",
            where=f"dataset {block.dataset!r}: {block.shape} scores",
            remedy="give the scores of several seeds, instance by instance; or simulate the null hypothesis: calibrate",
        )
    numbers = {system: len(rows) for system, rows in zip(block.systems, block.scores, strict=True)}
    wanted = [name for name, number in numbers.items() if number >= needed[runs_as]] if systems is None else systems
    few = [name for name in wanted if len(block.scores[block.position(name)]) < needed[runs_as]]
    if few or not wanted:
        shown = ", ".join(f"{name!r} has {numbers[name]}" for name in (few or list(numbers))[:5])
        raise DesignError(
            f"runs_as={runs_as!r} needs {needed[runs_as]} runs of a system",
            where=f"dataset {block.dataset!r}: {shown}",
            remedy="give more runs, or choose runs_as='single'",
        )
    for name in wanted:
        absent = int(np.isnan(block.scores[block.position(name)]).sum())
        if absent:
            raise MissingScoresError(
                f"{counted(absent, 'score')} of runs of {name!r} are missing",
                where=f"dataset {block.dataset!r}",
                remedy="complete the results, or name other systems",
            )
    return block, tuple(dict.fromkeys(wanted))


def _reasons_of_runs(block: DatasetRuns, runs_as: RunsAs) -> list[str]:
    n_runs = max(len(rows) for rows in block.scores)
    if runs_as == "instances" and n_runs > 3:
        pooled = "seeds are pooled as instances (scores of one run depend on each other, and so do scores of one "
        return [pooled + "instance by several runs)"]
    if runs_as in ("single", "instances"):
        return ["a difference between two runs of one system counts as one between systems"]
    if runs_as == "average":
        return ["the variance between runs is left out (averages are taken as if other runs would give the same)"]
    return []
