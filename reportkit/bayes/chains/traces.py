"""Traces on disk: all draws of a posterior and what the sampler said, as NetCDF that ArviZ reads."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from reportkit.bayes.chains import extra
from reportkit.bayes.chains.sampled_posterior import SampledPosterior
from reportkit.errors import ReadingError, RenderingError

ENDING = ".nc"


def traces_of(found: SampledPosterior) -> Any:
    """Turn the chains into an `arviz.InferenceData`.

    Parameters
    ----------
    found : SampledPosterior
        Withheld or not: traces are what one looks at to find out why.

    Returns
    -------
    arviz.InferenceData
        Groups `posterior` (all parameters, and `difference`, A minus B), `sample_stats` and `prior` (`difference`).
        Names, model, priors, seed and versions are attributes. No time of the clock is in it.
    """
    traces = extra.arviz().from_dict(
        posterior={**found.chains.values, "difference": found.effect},
        sample_stats=dict(found.chains.statistics),
        prior={"difference": found.prior_drawn.values[None]},
    )
    settings = found.chains.settings
    attributes: dict[str, str | int | float] = {
        "system_a": found.system_a,
        "system_b": found.system_b,
        "dataset": found.dataset,
        "metric": found.metric,
        "model": found.model,
        "title": found.title,
        "estimand": found.estimand,
        "prior": found.prior,
        "withheld": "; ".join(found.withheld),
        "seed": settings.seed,
        "tune": settings.tune,
        "target_accept": settings.target_accept,
        **{f"version_of_{name}": version for name, version in found.chains.versions.items()},
    }
    traces.attrs.clear()
    traces.attrs.update(attributes)
    for group in traces.groups():
        traces[group].attrs.clear()
        traces[group].attrs.update(attributes)
    return traces


def save_traces(found: SampledPosterior, path: str | Path) -> Path:
    """Write the traces of one posterior.

    Parameters
    ----------
    found : SampledPosterior
        Withheld or not.
    path : str or Path
        A file that ends in `.nc`, or a folder, in which the file is called after systems, dataset and model.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    RenderingError
        If it cannot be written.
    """
    target = Path(path)
    if target.suffix != ENDING:
        names = (found.system_a, found.system_b, found.dataset, found.model)
        target = target / ("_".join(_in_file_name(name) for name in names) + ENDING)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        traces_of(found).to_netcdf(str(target), engine="h5netcdf")
    except OSError as error:
        raise RenderingError(
            f"the traces cannot be written: {error}", where=str(target), remedy="choose another folder"
        ) from error
    return target


def read_traces(path: str | Path) -> Any:
    """Read traces back, as an `arviz.InferenceData` that no longer needs the file.

    Raises
    ------
    ReadingError
        If there is no such file, or it is none of traces.
    """
    source = Path(path)
    try:
        traces = extra.arviz().from_netcdf(str(source), engine="h5netcdf")
        traces = traces.load()
    except (OSError, ValueError) as error:
        raise ReadingError(
            f"no traces can be read: {error}", where=str(source), remedy="give a file that save_traces has written"
        ) from error
    if traces is None or "posterior" not in traces.groups() or "difference" not in traces.posterior:
        raise ReadingError("there are no traces of a difference in it", where=str(source))
    return traces


def _in_file_name(name: str) -> str:
    """Letters and digits as they are, the rest as hyphens."""
    return re.sub(r"[^\w.]+", "-", name).strip("-.") or "unnamed"
