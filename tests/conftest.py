"""Fixtures that every folder of tests shares."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import io
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# before NumPy is imported: products of small matrices take a second thread twice the work, and no less time
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import reportkit.accessor  # noqa: F401  (registers df.replic, whichever test comes first)
from reportkit.report import wording

settings.register_profile(  # no test fails because the machine is slow, and CI says the same of the same commit
    "untimed",
    settings(),
    deadline=None,
    max_examples=100 if os.environ.get("REPORTKIT_COMPLETE") == "1" else 40,
    derandomize=os.environ.get("REPORTKIT_COMPLETE") == "1",
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("untimed")

ROOT = Path(__file__).resolve().parents[1]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage while tests are collected, nor ever again among them: they stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Let a test file that cannot be imported fail: `--doctest-ignore-import-errors` is for modules of extras."""
    if report.skipped and report.nodeid.startswith("tests/") and "unable to import module" in str(report.longrepr):
        report.outcome = "failed"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what needs TeX, a browser, PyMC or a cluster of Dask: each takes seconds to start."""
    for item in items:
        needs = {mark.name for mark in item.iter_markers()} | set(getattr(item, "fixturenames", ()))
        if needs & {"tex", "browser", "pymc", "cluster"}:
            item.add_marker("slow")


def unavailable(reason: str) -> None:
    """Skip for a user; fail where everything is promised to be there (`REPORTKIT_COMPLETE=1`, as `.ci/run` sets it)."""
    if os.environ.get("REPORTKIT_COMPLETE") == "1":
        pytest.fail(f"REPORTKIT_COMPLETE=1, but {reason}")
    pytest.skip(reason, allow_module_level=True)


def needed(package: str, extra: str) -> Any:
    """A package that a user may lack, with the extra that it comes with."""
    try:
        return importlib.import_module(package)
    except ImportError:
        unavailable(f"{package.partition('.')[0]} is not installed (it comes with the extra [{extra}])")


def run_command(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run `reportkit` in this process: what it prints and its exit code, without the seconds that a start takes."""
    from reportkit.cli.main import main

    words = list(map(str, arguments))
    printed, said = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    where = contextlib.chdir(cwd or Path())
    with where, contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said), pytest.raises(SystemExit) as end:
        main(words)
    texts = (stream.buffer.getvalue().decode("utf-8") for stream in (printed, said))
    return subprocess.CompletedProcess(words, int(end.value.code or 0), *texts)


@pytest.fixture(scope="session", autouse=True)
def _alone() -> Iterator[None]:
    """Commands that run in this process make no PDF unasked, which takes seconds each."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("reportkit.cli.terminal.has_tex", lambda: False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> Iterator[None]:
    """Compile the project's own templates of text once: that takes a third of the time of a report."""
    make = wording.text_environment
    shipped = make()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(wording, "text_environment", lambda folders=(): make(folders) if folders else shipped)
        yield


@pytest.fixture
def sketched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the figures of a report, but write an empty picture of each: for tests that read its words and numbers.

    To write them as SVG, PDF and PNG takes most of the time of a report; the tests of `rendering`, `cli` and `examples`
    do.
    """
    monkeypatch.setattr("reportkit.figures.drawing.save.figure_bytes", lambda figure, name, **options: _empty(name))


@functools.cache
def _empty(file_format: str) -> bytes:
    from matplotlib.figure import Figure

    file = io.BytesIO()
    Figure(figsize=(1, 1)).savefig(file, format=file_format)
    return file.getvalue()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real results and published truths next to the checkout; it is not part of the project."""
    folder = Path(os.environ.get("REPORTKIT_SHARED", ROOT.parent / "shared"))
    if not (folder / "data").is_dir():
        unavailable("the folder ../shared with real results is not here")
    return folder


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def printed_assessments():
    """Make assessments of A against B from one-sided p-values and differences, as a paper prints them."""
    from reportkit.significance.outcome import Outcome

    def make(p_values, differences=None, *, system_a="new", system_b="old", datasets=None):
        items = []
        for index, p in enumerate(p_values):
            difference = 1.0 if differences is None else float(differences[index])
            name = f"d{index}" if datasets is None else datasets[index]
            outcome = Outcome(
                system_a=system_a,
                system_b=system_b,
                dataset=name,
                metric="score",
                kind="printed",
                n=100,
                n_nonzero=50,
                score_a=1.0 + difference,
                score_b=1.0,
                higher_is_better=True,
                test="printed",
                title="test of the paper",
                p_greater=float(p),
                p_less=max(1.0 - float(p), 1e-300),
                p_min=1e-15,
                method="printed",
                statistic=difference,
                statistic_name="difference",
                estimand="difference",
                estimate=difference,
                assumptions=(),
                citation="dror2017replicability",
                reason="only printed figures are known",
            )
            items.append(outcome)
        return tuple(items)

    return make


@pytest.fixture(scope="session")
def predictions():
    """Make the predictions of two systems with gold scores."""
    import numpy as np

    from reportkit.scores.sample import Sample

    def make(a, b, gold, *, coefficient="pearson", names=("a", "b"), clusters=None, **fields):
        a, b, gold = (np.asarray(values, dtype=np.float64) for values in (a, b, gold))
        return Sample(
            shape="correlation",
            system_a=names[0],
            system_b=names[1],
            dataset="pairs",
            metric=coefficient,
            kind="continuous",
            coefficient=coefficient,
            a=a,
            b=b,
            gold=gold,
            clusters=None if clusters is None else np.asarray(clusters, dtype=np.int64),
            **fields,
        )

    return make
