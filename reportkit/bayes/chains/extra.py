"""PyMC, PyTensor and ArviZ: the extra `reportkit[bayes]`, imported when a chain is to be run, and not before."""

from __future__ import annotations

import warnings
from importlib import import_module
from types import ModuleType

from reportkit.errors import SettingsError

INSTALL = 'pip install "reportkit-replic[bayes]"'


def pymc() -> ModuleType:
    """Import PyMC.

    Raises
    ------
    SettingsError
        If the extra is not installed.
    """
    return _imported("pymc")


def tensors() -> ModuleType:
    """Import the tensors that likelihoods are written in (`pytensor.tensor`).

    Raises
    ------
    SettingsError
        If the extra is not installed.
    """
    return _imported("pytensor.tensor")


def arviz() -> ModuleType:
    """Import ArviZ.

    Raises
    ------
    SettingsError
        If the extra is not installed.
    """
    return _imported("arviz")


def _imported(name: str) -> ModuleType:
    with warnings.catch_warnings():
        # ArviZ 0.x warns of its next version at import; the extra asks for versions before that
        warnings.filterwarnings("ignore", category=FutureWarning, message=r"\s*ArviZ is undergoing")
        try:
            return import_module(name)
        except ModuleNotFoundError as error:
            package = name.split(".")[0]
            if error.name is None or error.name.split(".")[0] not in ("pymc", "pytensor", "arviz"):
                raise
            raise SettingsError(
                f"models by Markov chains need PyMC and ArviZ, and {package} is not installed",
                remedy=f"{INSTALL};\nwithout it, a.posterior() answers in closed form or by quadrature",
            ) from error
