"""How work on all scores is shared out among threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

_BLOCK = 1 << 16
"""Scores handled at a time: what stays in the processor's cache."""


def in_blocks(work: Callable[[slice], None], n: int) -> None:
    """Call `work` on slices of 0..n, in threads where there is much to do; the slices may run in any order."""
    slices = [slice(start, min(start + _BLOCK, n)) for start in range(0, n, _BLOCK)]
    if len(slices) < 8:
        for entries in slices:
            work(entries)
        return
    with ThreadPoolExecutor(n_threads()) as pool:
        for _ in pool.map(work, slices):
            pass


def n_threads() -> int:
    """Threads that are worth while: as many as processors that this process may use, at most 8."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(8, available)
