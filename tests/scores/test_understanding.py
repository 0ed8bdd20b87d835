"""Random files are read right, or refused with a command that works."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from reportkit.cli.inspect import inspect_command, inspected
from reportkit.errors import ReportkitError
from reportkit.scores.questions import QuestionError
from reportkit.scores.reading import Reading
from tests.scores.generate import Truth, generate

SEEDS = range(int(os.environ.get("REPORTKIT_GENERATED", "60")))


def read_as_typed(command: str) -> Reading:
    """Read as the command `reportkit inspect ...` does."""
    words = shlex.split(command)
    with inspect_command.make_context("inspect", words[2:], obj=words[1:]) as context:
        return inspected(context.params["paths"], context.params)


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


def understood(seed: int, folder: Path) -> str:
    """What is said of random files: what was understood and is not used, or the question."""
    paths, _ = generate(seed, folder)
    try:
        found = read_as_typed(shlex.join(["reportkit", "inspect", *map(str, paths)]))
    except ReportkitError as error:
        return str(error).replace(str(folder), "FOLDER")
    unused = f"; not used: {', '.join(found.unused_columns)}" if found.unused_columns else ""
    return "; ".join((found.sentence + unused, *(finding.code for finding in found.findings)))


@pytest.mark.slow
def test_random_files_are_understood_as_in_the_golden_file(tmp_path: Path) -> None:
    """Read at once, or asked about, as in `understood.txt`; REPORTKIT_UPDATE_GOLDEN=1 writes it anew."""
    golden = Path(__file__).with_name("understood.txt")
    written = "\n".join(f"{seed}: {understood(seed, _folder(tmp_path, seed))}" for seed in range(80)) + "\n"
    if os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1":
        golden.write_text(written, encoding="utf-8")
    assert written.splitlines() == golden.read_text("utf-8").splitlines()


def outcome(seed: int, folder: Path) -> tuple[str, str]:
    """One of "read", "asked", "wrong", "refused"; and what was wrong."""
    paths, truth = generate(seed, folder)
    command = shlex.join(["reportkit", "inspect", *map(str, paths)])
    try:
        reading = read_as_typed(command)
    except QuestionError as error:
        found = []
        for one in proposed(error):
            try:
                found.append(wrong(read_as_typed(one), truth))
            except ReportkitError as again:
                return "refused", f"{error}\n--- then\n{one}\n{again}"
        return ("asked", str(error)) if "" in found else ("refused", f"{error}\n{found}")
    except ReportkitError as error:
        return "refused", str(error)
    fault = wrong(reading, truth)
    return ("wrong", f"{fault} [{reading.sentence}]") if fault else ("read", "")


@pytest.mark.slow
def test_files_are_read_right_or_lead_to_a_command_that_works(tmp_path: Path) -> None:
    """Files are read right or lead to a command that works."""
    found = {seed: outcome(seed, _folder(tmp_path, seed)) for seed in SEEDS}
    faults = {seed: text for seed, (kind, text) in found.items() if kind in ("wrong", "refused")}
    assert not faults, faults
    at_once = sum(kind == "read" for kind, _ in found.values())
    plain = [seed for seed in SEEDS if not generate(seed, _folder(tmp_path, seed))[1].ambiguous]
    assert at_once >= 0.95 * len(plain)


def _folder(tmp_path: Path, seed: int) -> Path:
    folder = tmp_path / str(seed)
    folder.mkdir(exist_ok=True)
    return folder
