"""Random files are read right, or refused with a command that works."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from reportkit.errors import ReportkitError
from reportkit.scores.questions import QuestionError
from reportkit.scores.reading import Reading
from tests.scores.generate import Truth, generate
from tests.scores.reading import as_typed

SEEDS = range(int(os.environ.get("REPORTKIT_GENERATED", "60")))


def proposed(error: ReportkitError) -> list[str]:
    """The commands of a message."""
    return re.findall(r"reportkit inspect .*", error.remedy or "")


def wrong(reading: Reading, truth: Truth) -> str:
    """What a reading has wrong; "" if nothing."""
    if set(reading.names("system")) != truth.systems:
        return f"systems {reading.names('system')} for {truth.systems}"
    if "instance" not in reading.frame:
        return "no instances"
    n = reading.frame.groupby("dataset", observed=True)["instance"].nunique().to_dict()
    if sorted(n.values()) != sorted(truth.n.values()) and sum(n.values()) != sum(truth.n.values()):
        return f"n {n} for {truth.n}"
    if sorted(n.values()) != sorted(truth.n.values()):
        return f"datasets {n} for {truth.n}"
    metrics = [name for name in reading.names("metric") or ["score"] if not truth.ambiguous or name == truth.metric]
    if any(reading.directions.get(name) is not truth.higher for name in metrics):
        return f"direction {reading.directions} for {truth.higher}"
    if truth.ambiguous and not metrics:
        return ""
    frame = reading.frame
    if truth.ambiguous and "metric" in frame:
        frame = frame[frame["metric"] == truth.metric]
    means = frame.groupby("system", observed=True)["score"].mean().to_dict()
    far = [name for name, value in means.items() if abs(value - truth.means[str(name)]) > 1e-9]
    return f"scores of {far}" if far else ""


First = tuple[Path, Truth, Reading | ReportkitError]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], First]:
    """Read random files as they are typed first: their folder, the truth, and the reading or the error."""
    base = tmp_path_factory.mktemp("random")

    @cache
    def read(seed: int) -> First:
        folder = base / str(seed)
        folder.mkdir()
        paths, truth = generate(seed, folder)
        try:
            return folder, truth, as_typed(shlex.join(["reportkit", "inspect", *map(str, paths)]))
        except ReportkitError as error:
            return folder, truth, error

    return read


def understood(folder: Path, _: Truth, found: Reading | ReportkitError) -> str:
    """What is said of random files: what was understood and is not used, or the question."""
    if isinstance(found, ReportkitError):
        return str(found).replace(str(folder), "FOLDER")
    unused = f"; not used: {', '.join(found.unused_columns)}" if found.unused_columns else ""
    return "; ".join((found.sentence + unused, *(finding.code for finding in found.findings)))


@pytest.mark.slow
def test_random_files_are_understood_as_in_the_golden_file(first: Callable[[int], First]) -> None:
    """Read at once, or asked about, as in `understood.txt`; REPORTKIT_UPDATE_GOLDEN=1 writes it anew."""
    golden = Path(__file__).with_name("understood.txt")
    written = "\n".join(f"{seed}: {understood(*first(seed))}" for seed in range(80)) + "\n"
    if os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1":
        golden.write_text(written, encoding="utf-8")
    assert written.splitlines() == golden.read_text("utf-8").splitlines()


def outcome(_: Path, truth: Truth, reading: Reading | ReportkitError) -> tuple[str, str]:
    """One of "read", "asked", "wrong", "refused"; and what was wrong."""
    if isinstance(reading, QuestionError):
        found = []
        for one in proposed(reading):
            try:
                found.append(wrong(as_typed(one), truth))
            except ReportkitError as again:
                return "refused", f"{reading}\n--- then\n{one}\n{again}"
        return ("asked", str(reading)) if "" in found else ("refused", f"{reading}\n{found}")
    if isinstance(reading, ReportkitError):
        return "refused", str(reading)
    fault = wrong(reading, truth)
    return ("wrong", f"{fault} [{reading.sentence}]") if fault else ("read", "")


@pytest.mark.slow
def test_files_are_read_right_or_lead_to_a_command_that_works(first: Callable[[int], First]) -> None:
    """Files are read right or lead to a command that works."""
    found = {seed: outcome(*first(seed)) for seed in SEEDS}
    faults = {seed: text for seed, (kind, text) in found.items() if kind in ("wrong", "refused")}
    assert not faults, faults
    at_once = sum(kind == "read" for kind, _ in found.values())
    plain = [seed for seed in SEEDS if not first(seed)[1].ambiguous]
    assert at_once >= 0.95 * len(plain)
