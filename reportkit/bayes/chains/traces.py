"""Traces on disk: all draws of a posterior and what the sampler said, as NetCDF that ArviZ reads."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from reportkit.bayes.chains import extra
from reportkit.bayes.chains.sampled import WithheldPosterior
from reportkit.bayes.posterior import Posterior
from reportkit.errors import ReadingError, RenderingError

ENDING = ".nc"


def save_traces(found: Posterior | WithheldPosterior, path: str | Path) -> Path:
    """Write the traces of one posterior.

    Parameters
    ----------
    found : Posterior or WithheldPosterior
        With chains; traces are what one looks at to find out why numbers are withheld.
    path : str or Path
        A file that ends in `.nc`, or a folder, in which the file is called after systems, dataset and model.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    RenderingError
        If it cannot be written, or no chains were run.
    """
    if found.chains is None:
        raise RenderingError("a posterior in closed form has no traces", remedy="ask for a.sample_posterior()")
    target = Path(path)
    if target.suffix != ENDING:
        names = (found.system_a, found.system_b, found.dataset, found.model)
        target = target / ("_".join(re.sub(r"[^\w.]+", "-", name).strip("-.") or "unnamed" for name in names) + ENDING)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        found.chains.traces.to_netcdf(str(target), engine="h5netcdf")
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
        If there is no such file, or it holds no traces.
    """
    try:
        traces = extra.arviz().from_netcdf(str(path), engine="h5netcdf").load()
        traces.posterior["difference"]
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise ReadingError(
            f"no traces can be read: {error}", where=str(path), remedy="give a file that save_traces has written"
        ) from error
    return traces
