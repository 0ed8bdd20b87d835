"""Plan a comparison from numbers, or from earlier results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from reportkit.analysis.pair import two_systems
from reportkit.analysis.power import DEFAULT_POWER, PowerResult
from reportkit.analysis.read_results import read_results
from reportkit.errors import DesignError, SettingsError, UnknownNameError
from reportkit.language import counted
from reportkit.power_analysis.designs import Design
from reportkit.power_analysis.exact import one_sided_level
from reportkit.power_analysis.from_numbers import designs_of, question_of
from reportkit.power_analysis.pilot import design_of
from reportkit.power_analysis.plan import plan_dataset, plan_k_hat
from reportkit.power_analysis.planned_error import check_count, check_probability
from reportkit.replicability.compare import metrics_for
from reportkit.replicability.comparison import samples_of
from reportkit.scores.printed import PrintedResults
from reportkit.scores.scores import Results
from reportkit.settings import Settings
from reportkit.settings.settings import seed_of

if TYPE_CHECKING:
    from numpy.random import Generator

    from reportkit.scores.choices import Pairing
    from reportkit.settings import ClaimAlternative, Dependence
    from reportkit.settings.arguments import PerDataset


def power(
    results: Results | PrintedResults | pd.DataFrame | str | Path | None = None,
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    n: PerDataset | None = None,
    effect: PerDataset | None = None,
    power: float | None = None,
    accuracy: PerDataset | None = None,
    discordant: PerDataset | None = None,
    sd: PerDataset | None = None,
    design_effect: float = 1.0,
    n_datasets: int | None = None,
    n_runs: int | None = None,
    pairing: Pairing | None = None,
    alpha: float = 0.05,
    alternative: ClaimAlternative = "greater",
    dependence: Dependence = "any",
    metric: str | None = None,
    columns: Mapping[str, str] | None = None,
    settings: Settings | None = None,
    rng: int | Generator = 0,
) -> PowerResult:
    """Plan a comparison: how many instances, how small a difference, or how much power.

    Of `n`, `effect` and `power`, leave out the one that you ask for; if only one is given, the power is 0.8. Results at
    hand give `n`, unless `effect` and `power` are both given, and say how much scores vary. Numbers of datasets are one
    for all, a sequence, or a mapping by name.

    - `power(effect=0.01, accuracy=0.85)`: how many instances show one point more than an accuracy of .85.
    - `power(n=1000, accuracy=0.85)`: the smallest difference that 1,000 instances show.
    - `power(results, "new", "old")`: the smallest difference that each dataset shows.
    - `power(results, "new", "old", effect=0.01)`: the power on each dataset, and how k-hat will come out.
    - `power(results, "new", "old", effect=0.01, power=0.8)`: the instances that each dataset needs.

    Parameters
    ----------
    results : Results, DataFrame, str or Path, optional
        Earlier results by instance. The difference is never read from them, only how well it is known.
    system_a, system_b : str, optional
        The two systems, if the results hold more than two.
    n : int, or one per dataset
        Planned instances; of each system, if they have different ones.
    effect : float, or one per dataset
        Planned difference in units of the score (one point of accuracy is 0.01): the smallest one that matters, or one
        known from other data; 0 where none is expected.
    power : float
        Wanted probability to show the difference.
    accuracy : float, or one per dataset
        Right-or-wrong scores: the share of instances on which the baseline is right.
    discordant : float, or one per dataset
        The share on which exactly one system is right; default the lowest possible, independent errors, the highest.
    sd : float, or one per dataset
        Other scores: standard deviation of the differences on single instances; of single scores, if unpaired.
    design_effect : float
        With `sd`: by how much clusters multiply the variance of the mean.
    n_datasets : int
        Number of datasets, if all are planned alike.
    n_runs : int
        Planned runs of each system, for results with several runs.
    pairing : {"paired", "unpaired"}
        Whether the systems are scored on the same instances; default paired.
    alpha : float
        Level of the tests, and of k-hat.
    alternative : {"greater", "two-sided"}
        One-sided, as for a declared claim; or each direction at half the level.
    dependence : {"any", "independent"}
        Between the datasets: k-hat by Bonferroni's method, or by Fisher's.
    metric, columns, settings
        How the results are read, as by `compare`.
    rng : int or numpy.random.Generator
        Seed of the simulation of k-hat.

    Returns
    -------
    PowerResult

    Raises
    ------
    ReportkitError
        If numbers are missing or make no sense; the message says which.

    Notes
    -----
    Null hypothesis: A is not better than B. Right-or-wrong scores: exact McNemar test (same instances), Boschloo's or
    Fisher's exact test (different ones), their power summed over all outcomes. Others: power of the t test, assuming a
    near normal mean. Instances are independent, or clusters are. Type S and type M: Gelman and Carlin (2014). "Observed
    power", at the difference that the results show, is a function of the p-value and is not offered: Hoenig and Heisey
    (2001).

    Examples
    --------
    >>> import reportkit
    >>> print(reportkit.power(effect=0.02, discordant=0.1).summary())
    1,629 instances show a difference of 0.02 with power .80. The level is .05, one-sided.
    """
    with_results = {"systems": system_a, "metric": metric, "columns": columns, "settings": settings, "n_runs": n_runs}
    without = {"accuracy": accuracy, "discordant": discordant, "sd": sd, "n_datasets": n_datasets}
    if results is None and (said := [name for name, value in with_results.items() if value]):
        raise SettingsError(f"{said[0]} was given, and there are no results", remedy="give them, or plan from numbers")
    if results is not None and (said := [name for name, value in without.items() if value]):
        raise SettingsError(
            f"{said[0]} was given, and the results say it themselves",
            remedy=f"leave out {said[0]}, or plan from numbers alone",
        )
    seed, settings = seed_of(rng), settings or Settings()
    settings = settings.replace(pairing=pairing or settings.pairing, metric=metric or settings.metric)
    if results is not None and not isinstance(results, (Results, PrintedResults)):
        results = read_results(results, settings, columns=columns)
    question = question_of(n is not None, effect is not None, power is not None, results is not None)
    wanted = DEFAULT_POWER if power is None else power
    check_probability("power", wanted)
    level = one_sided_level(alpha, alternative)
    designs: list[tuple[str, str, Design, int]]
    if results is None:
        given = {"effect": effect, "n": n, "accuracy": accuracy, "discordant": discordant, "sd": sd}
        numbers = _by_dataset(given, _names(given, n_datasets))
        designs = [
            (name, *found, 0)
            for name, own in numbers.items()
            for found in designs_of(own["accuracy"], own["discordant"], own["sd"], design_effect, settings.pairing)
        ]
        if 1 < len(numbers) < len(designs):
            raise SettingsError(
                "a plan for several datasets needs to know how often the two systems disagree",
                remedy="give discordant (--discordant): the share of instances that only one system answers correctly",
            )
    else:
        designs = _from_results(results, system_a, system_b, settings, n_runs)
        numbers = _by_dataset({"n": n, "effect": effect}, [name for name, *_ in designs])
    rows = [
        plan_dataset(
            design,
            question,
            n=int(numbers[name]["n"] or realised),
            effect=numbers[name]["effect"] or 0.0,
            power=wanted,
            level=level,
            n_datasets=len(numbers),
            two_sided=alternative == "two-sided",
            dataset=name if results is not None or len(numbers) > 1 else "",
            disagreement=disagreement,
        )
        for name, disagreement, design, realised in designs
    ]
    counts, independent = question == "power" and len(numbers) > 1, dependence == "independent"
    return PowerResult(
        question=question,
        rows=tuple(rows),
        alpha=alpha,
        alternative=alternative,
        n_datasets=len(numbers),
        k_hat=plan_k_hat(rows, level=level, independent=independent, rng=seed) if counts else None,
        independent=independent,
        seed=seed,
        source="none" if results is None else results.source,
        digest="" if results is None else results.digest(),
    )


def _names(given: Mapping[str, PerDataset | None], n_datasets: int | None) -> tuple[str, ...]:
    """Name the datasets of a plan: by the mappings, or counted."""
    if n_datasets is not None:
        check_count("n_datasets", n_datasets)
    counts = {key: len(value) for key, value in given.items() if isinstance(value, (Sequence, Mapping))}
    counts |= {} if n_datasets is None else {"n_datasets": n_datasets}
    if len(set(counts.values())) > 1 or 0 in counts.values():
        said = ", ".join(f"{key} {number}" for key, number in counts.items())
        raise SettingsError(f"these are plans for different numbers of datasets: {said}", remedy="give one for each")
    named = next((value for value in given.values() if isinstance(value, Mapping)), None)
    return tuple(named or (str(number + 1) for number in range(next(iter(counts.values()), 1))))


def _by_dataset(
    given: Mapping[str, PerDataset | None], names: Sequence[str]
) -> dict[str, dict[str, float | int | None]]:
    """Return all numbers of each dataset."""
    found: dict[str, dict[str, float | int | None]] = {name: {} for name in names}
    for key, value in given.items():
        if isinstance(value, Mapping):
            if unknown := [name for name in value if name not in names]:
                raise UnknownNameError("dataset", unknown[0], names, where=key)
            if missing := [name for name in names if name not in value]:
                raise SettingsError(f"{key} lacks dataset {missing[0]!r}", remedy="give one number for each dataset")
        elif isinstance(value, Sequence) and len(value) != len(names):
            raise SettingsError(
                f"{key} holds {counted(len(value), 'number')} for {counted(len(names), 'dataset')}",
                remedy="give one number for all datasets, or one for each",
            )
        for place, name in enumerate(names):
            one = value[name] if isinstance(value, Mapping) else value[place] if isinstance(value, Sequence) else value
            found[name][key] = one
    return found


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
    system_a, system_b = two_systems(found.systems, system_a, system_b)
    found = found if settings.names_metrics else found.one_metric_each()
    samples = samples_of(found, system_a, system_b, metrics_for(found, settings)[0], settings)
    if not samples:
        raise DesignError(f"{system_a!r} and {system_b!r} have no dataset in common", remedy="name two that do")
    return [(sample.dataset, "", design_of(sample, n_runs), sample.n) for sample in samples]
