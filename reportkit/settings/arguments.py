"""Types of the arguments of `compare`, `calibrate`, `power` and `reproducibility` other than the settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, get_args

Part = Literal["null", "joint", "pairs", "sizes", "bins", "domains"]
PARTS: tuple[Part, ...] = get_args(Part)
"""Parts of a study of calibration."""

NullChoice = Literal["auto", "signflip", "recentre"]
Progress = Callable[[int, int], None]
Stages = Callable[[str, int, int], None]
"""Called with (what is being done, done, total) after each block of work."""

Workers = int | Literal["auto"] | None
"""Number of processes; "auto" is this process, helped by others where the work takes long."""

PerDataset = float | Sequence[float] | Mapping[str, float]
"""One number for all datasets, or one for each: in order, or by name."""
