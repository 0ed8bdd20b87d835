"""Fixtures that every folder of tests shares."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def unavailable(reason: str) -> None:
    """Skip for a user; fail where everything is promised to be there (`REPORTKIT_COMPLETE=1`, as `.ci/run` sets it)."""
    if os.environ.get("REPORTKIT_COMPLETE") == "1":
        pytest.fail(f"REPORTKIT_COMPLETE=1, but {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real results and published truths that stands beside the checkout; it is not part of the project."""
    folder = Path(os.environ.get("REPORTKIT_SHARED", ROOT.parent / "shared"))
    if not (folder / "data").is_dir():
        unavailable("the folder ../shared with real results is not here")
    return folder


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT
