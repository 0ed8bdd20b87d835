"""Kills `reportkit check --fix` and `reportkit update` at every move and at random moments: what is left of the paper.

A paper of three files is mended by `check --fix`, or gets two tables of a report by `update`, in a forked process that
is ended by SIGKILL: once at each call of the system that concerns the folder (opening, locking, flushing, changing
rights, linking, renaming, removing), and at moments drawn at random over the time that a whole run takes. After each
kill every file has to be the old one or the new one, byte for byte. Then the command is run again, which has to leave
the new files and nothing else in the folder.

No file system renames several files at once: between two renames some files are new and others old. These kills are
counted (`between`); they are no error, and the next run does the rest.

`results/kill_papers.json` holds what was found. POSIX only.

Usage::

    python benchmarks/kill_papers.py [--random 60] [--seed 20261122]
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import io
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from machine import save

from reportkit.api import build_report
from reportkit.cli.main import main as reportkit

SEED = 20_261_122
RANDOM = 60
RESULTS = Path(__file__).resolve().parents[1] / "examples" / "sentiment" / "results.csv.gz"
EVENTS = frozenset(
    {"open", "os.listdir", "os.scandir", "os.chmod", "os.chown", "os.link", "os.rename", "os.remove", "os.setxattr",
     "fcntl.flock", "tempfile.mkstemp", "fsync", "write"}
)  # fmt: skip
FILLING = "Text that nobody asked to change, with an é and a 中.\n" * 40
TABLE = "\\begin{table}\n\\caption{Mine.}\\label{tab:%s}\n\\begin{tabular}{l}a\\\\\\end{tabular}\n\\end{table}\n"

Contents = dict[str, bytes]


@dataclass(slots=True)
class Outcome:
    """Kills and what was found after them."""

    kills: int = 0
    at_calls: int = 0
    at_random: int = 0
    finished_before: int = 0
    old: int = 0
    new: int = 0
    between: int = 0
    torn_files: int = 0
    left_something: int = 0
    not_cleaned: int = 0
    not_finished_by_the_next_run: int = 0


@functools.cache
def report_folder() -> Path:
    """Folder of the report whose tables go into the papers, built once."""
    folder = Path(tempfile.mkdtemp()) / "report"
    build_report(RESULTS).save(folder)
    return folder


def mend(folder: Path) -> None:
    """Run `reportkit check --fix`."""
    reportkit(["check", str(folder / "paper.tex"), "--fix", "--select", "RK117", "--output-format", "json"])


def update(folder: Path) -> None:
    """Run `reportkit update`."""
    reportkit(["update", str(folder / "paper.tex"), "--report", str(report_folder()), "--quiet"])


def papers(command: Callable[[Path], None]) -> Contents:
    """Files of a paper that a command changes, two of three or all."""
    if command is mend:
        return {name: (f"Here $p = .000$.\n{FILLING}" * 2 + inputs).encode() for name, inputs in
                (("paper.tex", "\\input{a}\\input{b}"), ("a.tex", ""), ("b.tex", ""))}  # fmt: skip
    report_folder()  # before a process is forked
    return {
        "paper.tex": f"{FILLING}\\input{{a}}\n{FILLING}\\input{{b}}".encode(),
        "a.tex": (FILLING + TABLE % "results").encode(),
        "b.tex": (FILLING + TABLE % "replicability").encode(),
    }


def _put(folder: Path, contents: Contents) -> None:
    for path in folder.iterdir():
        path.unlink()
    for name, content in contents.items():
        (folder / name).write_bytes(content)


def _there(folder: Path) -> Contents:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _warmed(command: Callable[[Path], None], folder: Path) -> None:
    """Run a command here, so that its modules are loaded, and the forked ones do little but what is to be killed."""
    silence = io.StringIO()
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(silence), contextlib.redirect_stderr(silence):
        command(folder)


def _forked(command: Callable[[Path], None], folder: Path, *, die_at: int = 0, after: float | None = None) -> bool:
    """Run a command in a process of its own; whether it was killed, at its n-th call or after some seconds."""
    child = os.fork()
    if not child:
        _run_silently(command, folder, die_at)
    if after is not None:
        time.sleep(after)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def _run_silently(command: Callable[[Path], None], folder: Path, die_at: int) -> None:
    """What the child does; it never comes back."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(null, stream)
    try:
        if die_at:
            _die_at(die_at, str(folder))
        command(folder)
    finally:
        os._exit(0)


def _die_at(number: int, folder: str) -> None:
    """Kill this process at its n-th call that may concern the folder."""
    left = number

    def count(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        about = event in ("fsync", "fcntl.flock") or any(folder in str(item) for item in arguments[:2])
        if event in EVENTS and about:
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    true = os.fsync

    def fsync(handle: int) -> None:
        count("fsync", ())
        true(handle)
        count("fsync", ())

    os.fsync = fsync


def run(command: Callable[[Path], None], *, most_calls: int, at_random: int, seed: int) -> Outcome:
    """Kill a command at each of its calls, up to a number of them, and at random moments."""
    outcome = Outcome()
    draw = random.Random(seed)  # noqa: S311 - moments, no secret
    old = papers(command)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _put(folder, old)
        _warmed(command, folder)
        _put(folder, old)
        began = time.monotonic()
        _forked(command, folder)
        whole = time.monotonic() - began
        new = _there(folder)
        if new.keys() != old.keys() or new == old:
            raise SystemExit(f"{command.__name__} does not do what it is for")
        for number in range(1, most_calls + 1):
            _put(folder, old)
            if not _forked(command, folder, die_at=number):
                break
            outcome.at_calls += 1
            _look(command, folder, old, new, outcome)
        while outcome.at_random < at_random:
            _put(folder, old)
            if not _forked(command, folder, after=draw.uniform(0, whole)):
                outcome.finished_before += 1
                whole *= 0.95  # it was slow once
                continue
            outcome.at_random += 1
            _look(command, folder, old, new, outcome)
    return outcome


def _look(command: Callable[[Path], None], folder: Path, old: Contents, new: Contents, outcome: Outcome) -> None:
    """Count what is there after a kill, and after the next run."""
    outcome.kills += 1
    there = _there(folder)
    outcome.torn_files += sum(there.get(name) not in (old[name], new[name]) for name in old)
    own = {name: there.get(name) for name in old}
    outcome.old += own == old
    outcome.new += own == new
    outcome.between += own not in (old, new)
    outcome.left_something += there.keys() != old.keys()
    _forked(command, folder)
    there = _there(folder)
    outcome.not_cleaned += there.keys() != new.keys()
    outcome.not_finished_by_the_next_run += any(there.get(name) != content for name, content in new.items())


def main() -> None:
    """Run, print and save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--random", type=int, default=RANDOM, help="kills of each command at random moments")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    found = {}
    for command in (mend, update):
        outcome = run(command, most_calls=1_000, at_random=options.random, seed=options.seed)
        found[command.__name__] = asdict(outcome)
        print(command.__name__, found[command.__name__])
    if (options.random, options.seed) == (RANDOM, SEED):
        save("kill_papers", {"seed": options.seed, **found})


if __name__ == "__main__":
    main()
