"""A finding that a reader of the results has to know, with a stable code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something that limits what may be claimed.

    Parameters
    ----------
    code : str
        Stable name in lower case with hyphens: "identical-systems".
    severity : {"error", "warning", "info"}
        `error`: a claim would be wrong, the command exits with 1; `warning`: to be said in the paper or mended;
        `info`: good to know.
    message : str
        One or two sentences, with figures.
    where : str
        Systems and datasets concerned; empty if it is about everything.
    remedy : str
        What to do; empty if nothing can be done.

    Examples
    --------
    >>> Finding("small-sample", "warning", "n = 12.", where="dataset 'cb'").severity
    'warning'
    """

    code: str
    severity: Severity
    message: str
    where: str = ""
    remedy: str = ""
