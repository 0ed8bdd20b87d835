"""From numbers, or from earlier results, to the plan of a comparison."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from reportkit.analysis.power import DEFAULT_POWER, PowerResult
from reportkit.analysis.read_results import read_results, request_of
from reportkit.errors import DesignError, SettingsError, UnknownNameError
from reportkit.language.counts_and_lists import counted
from reportkit.parallel import Workers, parallel_map
from reportkit.power_analysis.designs import Design, MeanDifference, paired_accuracy, unpaired_accuracy
from reportkit.power_analysis.exact import one_sided_level
from reportkit.power_analysis.pilot import design_of
from reportkit.power_analysis.plan import PlannedDataset, Question, plan_dataset, plan_k_hat
from reportkit.power_analysis.planned_error import (
    PlannedError,
    check_count,
    check_positive,
    check_probability,
    error_of_mean,
)
from reportkit.replicability.claims import metrics_for
from reportkit.replicability.samples import samples_of
from reportkit.scores.printed import PrintedResults
from reportkit.scores.results import Results
from reportkit.settings import Settings
from reportkit.settings.arguments import PerDataset, PowerArguments
from reportkit.settings.settings import seed_of

if TYPE_CHECKING:
    from reportkit.scores.choices import Pairing


def plan_power(
    results: Results | PrintedResults | pd.DataFrame | str | Path | None,
    system_a: str | None,
    system_b: str | None,
    asked: PowerArguments,
    columns: Mapping[str, str] | None = None,
    workers: Workers | None = None,
) -> PowerResult:
    """Plan a comparison from numbers, or from results; see `reportkit.power`.

    Raises
    ------
    ReportkitError
        If numbers are missing or make no sense; the message says which.
    """
    settings, seed = _settings_of(results, system_a, asked, columns), seed_of(asked.rng)
    if results is not None and not isinstance(results, (Results, PrintedResults)):
        results = read_results(results, settings, request_of(settings, columns=columns))
    n, effect, alpha, alternative = asked.n, asked.effect, asked.alpha, asked.alternative
    question = _question(n is not None, effect is not None, asked.power is not None, results is not None)
    wanted = DEFAULT_POWER if asked.power is None else asked.power
    check_probability("power", wanted)
    level = one_sided_level(alpha, alternative)
    said = {"accuracy": asked.accuracy, "discordant": asked.discordant, "sd": asked.sd}
    designs: list[tuple[str, str, Design, int]]
    if results is None:
        names = _names({"effect": effect, "n": n, **said}, asked.n_datasets)
        designs = [
            (name, *found)
            for index, name in enumerate(names)
            for found in _from_numbers(
                {key: _of_dataset(key, value, index, names) for key, value in said.items()},
                asked.design_effect,
                settings.pairing,
            )
        ]
        if len(names) > 1 and len(designs) > len(names):
            raise SettingsError(
                "a plan for several datasets needs to know how often the two systems disagree",
                remedy="give discordant (--discordant): the share of instances that only one system answers correctly",
            )
    else:
        designs = _from_results(results, system_a, system_b, settings, asked.n_runs)
        names = tuple(name for name, *_ in designs)
    asked_of = [
        {
            "design": design,
            "question": question,
            "n": int(_of_dataset("n", n, names.index(name), names) or realised),
            "effect": _of_dataset("effect", effect, names.index(name), names) or 0.0,
            "power": wanted,
            "level": level,
            "n_datasets": len(names),
            "two_sided": alternative == "two-sided",
            "dataset": name if results is not None or len(names) > 1 else "",
            "disagreement": disagreement,
        }
        for name, disagreement, design, realised in designs
    ]
    rows = list(parallel_map(_planned, [(asked,) for asked in asked_of], workers))
    counted_, independent = question == "power" and len(names) > 1, asked.dependence == "independent"
    return PowerResult(
        question=question,
        rows=tuple(rows),
        alpha=alpha,
        alternative=alternative,
        n_datasets=len(names),
        k_hat=plan_k_hat(rows, level=level, independent=independent, rng=seed) if counted_ else None,
        independent=independent,
        seed=seed,
        source="none" if results is None else results.source,
        digest="" if results is None else results.digest(),
    )


def _planned(asked: Mapping[str, Any]) -> PlannedDataset:
    return plan_dataset(**asked)


def _settings_of(
    results: object, system_a: str | None, asked: PowerArguments, columns: Mapping[str, str] | None
) -> Settings:
    """How results are read, after refusing what goes with results only, and what they say themselves."""
    if results is None and (
        system_a is not None or asked.metric is not None or columns or asked.settings or asked.n_runs
    ):
        raise SettingsError(
            "systems, a metric, columns or n_runs were named, and there are no results",
            remedy="give the results, or plan from numbers alone",
        )
    if results is not None:
        for key in ("accuracy", "discordant", "sd", "n_datasets"):
            if getattr(asked, key) is not None:
                raise SettingsError(
                    f"{key} was given, and the results say it themselves",
                    remedy=f"leave {key} away, or plan from numbers alone",
                )
    settings = asked.settings or Settings()
    return settings.replace(pairing=asked.pairing or settings.pairing, metric=asked.metric or settings.metric)


def _question(has_n: bool, has_effect: bool, has_power: bool, has_results: bool) -> Question:
    if has_effect and has_power and has_n:
        raise SettingsError(
            "n, effect and power are all given, and nothing is left to compute",
            remedy="leave one of them away: n (--n), effect (--effect) or power (--power)",
        )
    if has_effect:
        return "n" if has_power or not (has_n or has_results) else "power"
    if has_n or has_results:
        return "effect"
    raise SettingsError(
        "there is nothing to plan from",
        remedy="give the difference that matters, effect (--effect), to get the number of instances; n (--n) to get "
        "the smallest difference; both to get the power; or results",
    )


def _names(given: Mapping[str, PerDataset | None], n_datasets: int | None) -> tuple[str, ...]:
    """Name the datasets of a plan: by the mappings, or counted."""
    several = {key: value for key, value in given.items() if isinstance(value, (Sequence, Mapping))}
    if n_datasets is not None:
        check_count("n_datasets", n_datasets)
    counts = {key: len(value) for key, value in several.items()} | (
        {} if n_datasets is None else {"n_datasets": n_datasets}
    )
    if len(set(counts.values())) > 1 or 0 in counts.values():
        said = ", ".join(f"{key} {number}" for key, number in counts.items())
        raise SettingsError(f"these are plans for different numbers of datasets: {said}", remedy="give one for each")
    for value in several.values():
        if isinstance(value, Mapping):
            return tuple(value)
    return tuple(str(number + 1) for number in range(next(iter(counts.values()), 1)))


def _of_dataset(key: str, given: PerDataset | None, index: int, names: Sequence[str]) -> float | None:
    if isinstance(given, Mapping):
        if set(given) != set(names):
            missing = [name for name in names if name not in given]
            unknown = [name for name in given if name not in names]
            if unknown:
                raise UnknownNameError("dataset", unknown[0], names, where=key)
            raise SettingsError(f"{key} lacks dataset {missing[0]!r}", remedy="give one number for each dataset")
        return given[names[index]]
    if isinstance(given, Sequence):
        if len(given) != len(names):
            raise SettingsError(
                f"{key} holds {counted(len(given), 'number')} for {counted(len(names), 'dataset')}",
                remedy="give one number for all datasets, or one for each",
            )
        return given[index]
    return given


def _from_numbers(
    given: Mapping[str, float | None], design_effect: float, pairing: Pairing
) -> list[tuple[str, Design, int]]:
    accuracy, discordant, sd = given["accuracy"], given["discordant"], given["sd"]
    unpaired = pairing == "unpaired"
    if sd is not None:
        if accuracy is not None or discordant is not None:
            raise SettingsError(
                "sd is for scores that are not right or wrong, and accuracy or discordant for those that are",
                remedy="give sd (--sd) or the others",
            )
        check_positive("sd", sd)
        check_positive("design_effect", design_effect)
        return [("", MeanDifference(_unpaired_error(sd, design_effect) if unpaired else _error(sd, design_effect)), 0)]
    if design_effect != 1:
        raise SettingsError("design_effect goes with sd", remedy="give sd (--sd), or leave it away")
    if unpaired and (accuracy is None or discordant is not None):
        raise SettingsError(
            "unpaired right-or-wrong scores are planned from the accuracy of the baseline",
            remedy="give accuracy (--accuracy), and not discordant",
        )
    if unpaired and accuracy is not None:
        return [("", unpaired_accuracy(accuracy), 0)]
    if accuracy is None and discordant is None:
        raise SettingsError(
            "it is not said how much the scores vary",
            remedy="right-or-wrong scores: give accuracy (--accuracy), the accuracy of the baseline, or discordant "
            "(--discordant), the share of instances on which exactly one system is right; other scores: give sd "
            "(--sd), the standard deviation of the differences; or give results",
        )
    return [(name, design, 0) for name, design in paired_accuracy(accuracy, discordant).items()]


def _error(sd: float, design_effect: float) -> Callable[[int], PlannedError]:
    return lambda n: error_of_mean(sd, n, design_effect=design_effect)


def _unpaired_error(sd: float, design_effect: float) -> Callable[[int], PlannedError]:
    return lambda n: PlannedError(error_of_mean(sd, n, design_effect=2 * design_effect).standard_error, 2 * n - 2)


def _from_results(
    found: Results | PrintedResults,
    system_a: str | None,
    system_b: str | None,
    settings: Settings,
    n_runs: int | None,
) -> list[tuple[str, str, Design, int]]:
    if isinstance(found, PrintedResults):
        raise DesignError(
            "printed figures do not say how much scores vary",
            remedy="give one score per system, dataset and instance, or plan from numbers",
        )
    if system_a is None and system_b is None and len(found.systems) == 2:
        system_a, system_b = found.systems
    if system_a is None or system_b is None:
        raise SettingsError(
            f"the results hold {counted(len(found.systems), 'system')}, and it is not said which two are compared",
            remedy="name both: power(results, 'new', 'old', ...) (command: --system new --baseline old)",
        )
    found = found if settings.names_metrics else found.one_metric_each()
    samples = samples_of(found, system_a, system_b, metrics_for(found, settings)[0], settings)
    if not samples:
        raise DesignError(f"{system_a!r} and {system_b!r} have no dataset in common", remedy="name two that do")
    return [(sample.dataset, "", design_of(sample, n_runs), sample.n) for sample in samples]
