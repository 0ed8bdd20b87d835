"""From results to a study of calibration: its pieces in order, and a reason for each part that cannot be had."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from reportkit.calibration.all_pairs import ComparedPairs
from reportkit.calibration.domain_shift import DomainShift, domain_shift
from reportkit.calibration.gain_threshold import gain_thresholds
from reportkit.calibration.null.p_values import Calibration
from reportkit.calibration.pieces import (
    TOYS,
    Piece,
    bins_of,
    compared_on,
    done_piece,
    joint_of,
    null_of,
    null_of_runs,
    size_of,
    toy_of,
    unheard,
)
from reportkit.calibration.study import CalibrationStudy, Omission, StudyPlan
from reportkit.errors import DesignError, SettingsError, UnknownNameError
from reportkit.in_pieces import Run
from reportkit.language.counts_and_lists import Named
from reportkit.scores.results import Results
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.runs import DatasetRuns
from reportkit.settings.arguments import Part, Stages


def carry_out(
    results: Results, plan: StudyPlan | None = None, *, stages: Stages = unheard, run: Run | None = None
) -> CalibrationStudy:
    """Look at everything a plan names.

    Parameters
    ----------
    results : Results
        Of one metric.
    plan : StudyPlan, optional
        What is looked at; everything, if not given.
    stages : callable
        Called with (what is being done, done, total).
    run : callable, optional
        (function, arguments of each call) -> (place, result) in any order, in other processes: who does the pieces of
        the study. This process, one after the other, if not given. What is found is the same.

    Returns
    -------
    CalibrationStudy
        Parts that the results do not allow are missing, each with its reason.

    Raises
    ------
    SettingsError
        If the results hold several metrics.
    UnknownNameError
        If a system or a test is not known.
    MissingScoresError
        If two systems were scored on different instances and `missing="error"`.
    DesignError
        If nothing at all can be had, or a null hypothesis was asked for that the scores do not allow.

    Examples
    --------
    >>> from reportkit.scores.shapes.paired_scores import DatasetScores
    >>> scores = np.random.default_rng(0).normal(size=(2, 80))
    >>> block = DatasetScores(dataset="cb", metric="f1", systems=("a", "b"), kind="continuous", scores=scores,
    ...                       instances=np.arange(80).astype(object))
    >>> study = carry_out(Results(datasets=(block,)), StudyPlan(parts=("null",), n_replicates=1000))
    >>> [(found.null, found.verdict.status) for found in study.nulls]
    [('signflip', 'calibrated'), ('recentre', 'calibrated')]
    """
    plan = plan or StudyPlan()
    if len(results.metrics) > 1:
        raise SettingsError(
            f"the results hold {len(results.metrics)} metrics",
            remedy=f"select one: metric={results.metrics[0]!r} (command: --metric {results.metrics[0]})",
        )
    for name in (name for pair in plan.pairs for name in pair):
        if name not in results.systems:
            raise UnknownNameError("system", name, results.systems)
    pairs = plan.pairs or _two_best(results)
    owners = _owners(results.datasets)
    for name in dict.fromkeys(owners.values()) if plan.families is not None else ():
        if plan.families is not None and name not in plan.families:
            raise UnknownNameError("family of system", name, plan.families)
    found, omissions = _done(tuple(_pieces(plan, results.datasets, pairs)), plan, stages, run)
    compared = tuple(found["pairs"])
    families = _families(plan, owners, compared)
    shifted, reason = _domains(plan, compared) if "domains" in plan.parts else (None, None)
    study = CalibrationStudy(
        plan=plan,
        metric=results.metrics[0],
        datasets=results.dataset_names,
        systems=results.systems,
        in_percent=all(block.kind == "binary" for block in results.datasets),
        pairs=pairs,
        chosen_by_data=not plan.pairs,
        nulls=_judged_together(found["null"]),
        joint=tuple(found["joint"]),
        compared=compared if "pairs" in plan.parts else (),
        thresholds=tuple(
            gain_thresholds(item, families=families, level=plan.confidence_level, seed=plan.rng) for item in compared
        )
        if "pairs" in plan.parts
        else (),
        families=families,
        sizes=tuple(found["sizes"]),
        bins=tuple(found["bins"]),
        domains=shifted,
        toy=tuple(found["toy"]),
        omissions=(*omissions, *([reason] if reason is not None else [])),
    )
    if study.empty:
        reasons = dict.fromkeys(item.reason for item in study.omissions)
        raise DesignError(
            "nothing can be calibrated on these results",
            where="; ".join(reasons) or None,
            remedy="give one score per system, dataset and instance, or per run of a system, instance by instance",
        )
    return study


def _pieces(plan: StudyPlan, blocks: Sequence[Block], pairs: Sequence[tuple[str, str]]) -> Iterator[Piece | Omission]:
    """All pieces of a study, and between them what is left out before, in the order in which a report has them."""
    if {"pairs", "domains"} & set(plan.parts):
        yield from (Piece("pairs", compared_on, (block,)) for block in blocks)
    if "null" in plan.parts:
        yield from _null_pieces(plan, blocks, pairs)
    if "joint" in plan.parts:
        for a, b in pairs:
            both, absent = _with_both(blocks, "joint", a, b)
            yield from absent
            yield Piece("joint", joint_of, (both, a, b))
    if "sizes" in plan.parts:
        for a, b in pairs:
            both, absent = _with_both(blocks, "sizes", a, b)
            yield from absent
            yield from (Piece("sizes", size_of, (block, a, b)) for block in both)
    if "bins" in plan.parts:
        yield from (Piece("bins", bins_of, (block,)) for block in blocks)
    if plan.toy:
        yield from (Piece("toy", toy_of, toy) for toy in TOYS)


def _null_pieces(
    plan: StudyPlan, blocks: Sequence[Block], pairs: Sequence[tuple[str, str]]
) -> Iterator[Piece | Omission]:
    with_runs = [block for block in blocks if isinstance(block, DatasetRuns)]
    if plan.null == "seeds" or (plan.null == "auto" and with_runs):
        if not with_runs:
            raise DesignError(
                "there are no runs of a system to compare with each other",
                remedy="give the scores of several seeds, instance by instance; or choose null='signflip'",
            )
        named = dict.fromkeys(name for pair in plan.pairs for name in pair)
        for runs in with_runs:
            yield Piece("null", null_of_runs, (runs, [name for name in named if name in runs.systems] or None))
    if plan.null == "seeds":
        return
    for a, b in pairs:
        both, absent = _with_both(blocks, "null", a, b)
        yield from absent
        for block in both:
            if block.shape != "runs":
                nulls = [null for null in ("signflip", "recentre") if plan.null in ("auto", null)]
                yield from (Piece("null", null_of, (block, a, b, null)) for null in nulls)
            elif plan.null != "auto":
                yield Omission(
                    part="null", where=block.dataset, reason="there are several runs, which null='seeds' compares"
                )


def _done(
    items: Sequence[Piece | Omission], plan: StudyPlan, stages: Stages, run: Run | None
) -> tuple[dict[str, list[Any]], list[Omission]]:
    """What was found, by part, and all that is left out, in the order of the pieces, whoever does them when."""
    pieces = [item for item in items if isinstance(item, Piece)]
    outcomes: dict[int, tuple[list[Any], list[Omission]]] = {}
    if run is None:
        outcomes = {place: done_piece(piece, plan, stages) for place, piece in enumerate(pieces)}
    else:
        last = len(pieces) - 1  # the longest ones are at the end: begun at once, no worker waits for another
        for place, outcome in run(done_piece, [(piece, plan) for piece in reversed(pieces)]):
            outcomes[last - place] = outcome
            stages("pieces of the study", len(outcomes), len(pieces))
    found: dict[str, list[Any]] = {part: [] for part in ("pairs", "null", "joint", "sizes", "bins", "toy")}
    omissions: list[Omission] = []
    places = iter(range(len(pieces)))
    for item in items:
        if isinstance(item, Omission):
            omissions.append(item)
            continue
        here, left_out = outcomes[next(places)]
        found[item.part] += here
        omissions += left_out
    return found, omissions


def _two_best(results: Results) -> tuple[tuple[str, str], ...]:
    """The two systems that score best on average, over the datasets that most systems share."""
    means: dict[str, list[float]] = {}
    for block in results.datasets:
        for system in block.systems:
            value, _ = block.value(system, missing="drop")
            means.setdefault(system, []).append(value if block.higher_is_better else -value)
    most = max(map(len, means.values()))
    ranked = sorted(
        (name for name, values in means.items() if len(values) == most), key=lambda name: -float(np.mean(means[name]))
    )
    return ((ranked[0], ranked[1]),) if len(ranked) > 1 else ()


def _with_both(blocks: Sequence[Block], part: Part, a: str, b: str) -> tuple[list[Block], list[Omission]]:
    """Datasets that both systems have scores on; the others are left out, with a word."""
    found: list[Block] = []
    left_out: list[Omission] = []
    for block in blocks:
        absent = [name for name in (a, b) if name not in block.systems]
        if not absent:
            found.append(block)
            continue
        where = Named("{0}, {1} and {2}", (block.dataset, a, b))
        left_out.append(Omission(part=part, where=where, reason=f"{absent[0]!r} has no scores there"))
    return found, left_out


def _judged_together(found: Iterable[Calibration]) -> tuple[Calibration, ...]:
    """The same, with the probability of a false alarm shared among all of them."""
    items = tuple(found)
    return tuple(replace(item, n_judged=len(items)) for item in items)


def _owners(blocks: Sequence[Block]) -> dict[str, str]:
    """To which system each system, and each run of a system, belongs."""
    owners: dict[str, str] = {}
    for block in blocks:
        owners |= {system: system for system in block.systems}
        owners |= dict(zip(block.runs_as_systems().systems, block.owners, strict=True))
    return owners


def _families(plan: StudyPlan, owners: dict[str, str], compared: Sequence[ComparedPairs]) -> dict[str, str] | None:
    """Family of each row: the user's, or the system that a run belongs to."""
    if plan.families is not None:
        return {name: plan.families[owner] for name, owner in owners.items()}
    of_runs = any(owners[name] != name for item in compared for name in item.systems)
    return owners if of_runs else None


def _domains(plan: StudyPlan, compared: Sequence[ComparedPairs]) -> tuple[DomainShift | None, Omission | None]:
    if len(compared) < 2:
        return None, Omission(part="domains", where="", reason="pairs on two datasets or more are needed")
    try:
        return domain_shift(compared, level=plan.confidence_level), None
    except DesignError as error:
        return None, Omission(part="domains", where="", reason=error.problem)
