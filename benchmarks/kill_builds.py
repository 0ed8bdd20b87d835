"""Reports whose writing is killed, and reports that two processes write at once: nothing is mixed, nothing is left.

Run `python benchmarks/kill_builds.py` (Linux or macOS). Killed is by SIGKILL, which no program can handle:

- before each single thing that writing does to the file system, over an older report, without other files in the folder
  (then one rename exchanges the folders) and with some (then the files are replaced one by one);
- at random moments of the whole `reportkit build`.

After each kill the folder is looked at three times: as it is, after `reportkit show`, and after the next build. A
report counts as mixed unless it is the older or the newer one, byte for byte, as truncated if a file is neither, and a
leftover is anything else beside or in the folder. `two builds at once` write different reports into one folder.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from machine import save

SEED = 20_261_122
EVENTS = frozenset({"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "open", "shutil.copyfile"})
"""Of Python's audit hooks: what changes a file system. `ctypes.dlsym` comes before the exchange of two folders."""

Report = dict[str, bytes]


def contents(folder: Path) -> Report:
    """All files below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def in_child(work: Callable[[], object]) -> int:
    """Do something in a process of its own, silently; returns its number."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        with contextlib.suppress(SystemExit):
            work()
        code = 0
    finally:
        os._exit(code)


def killed(child: int) -> bool:
    """Wait for a process; whether a signal ended it."""
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def killed_before(number: int, place: Path, work: Callable[[], object]) -> bool:
    """Do something in a process that is killed before it changes the file system for the nth time, below a folder."""
    seen = 0

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal seen
        if event == "ctypes.dlsym":
            seen += arguments[1] in ("renameat2", "renamex_np")
        elif event in EVENTS and str(arguments[0]).startswith(str(place)):
            seen += event != "open" or "r" not in str(arguments[1])
        else:
            return
        if seen == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def hooked() -> None:
        sys.addaudithook(hook)
        work()

    return killed(in_child(hooked))


def kind(folder: Path, older: Report, newer: Report, foreign: Report) -> str:
    """Which report is in a folder: "older", "newer", "mixed" or "truncated"; other files must be as they were."""
    found = contents(folder) if folder.exists() else {}
    found = {name: content for name, content in found.items() if not name.startswith(".reportkit-")}
    if any(found.pop(name, None) != content for name, content in foreign.items()):
        return "lost"
    if found in (older, newer):
        return "older" if found == older else "newer"
    whole = all(content in (older.get(name), newer.get(name)) for name, content in found.items())
    return "mixed" if whole else "truncated"


def leftovers(folder: Path, report: Report, foreign: Report) -> list[str]:
    """Everything that does not belong to a report, beside its folder and in it."""
    beside = [path.name for path in folder.parent.iterdir() if path.name.startswith(".reportkit-")]
    return beside + sorted(set(contents(folder)) - set(report) - set(foreign))


class Tally:
    """How many reports were found in which state, at which time."""

    def __init__(self) -> None:
        self.kills = self.left = 0
        self.states: dict[str, dict[str, int]] = {when: {} for when in ("at once", "after show", "after build")}

    def count(self, when: str, state: str) -> None:
        """Note one."""
        self.states[when][state] = self.states[when].get(state, 0) + 1

    def result(self) -> dict[str, Any]:
        """For the file of results."""
        return {"kills": self.kills, **self.states, "leftovers after the next build": self.left}


def at_each_move(older: Report, newer: Report, foreign: Report, *, step: int = 1) -> dict[str, Any]:
    """Kill the writing of a report before each change of the file system.

    Parameters
    ----------
    older, newer, foreign : dict of str to bytes
        The report that is there, the one that replaces it, and files of the user in the folder.
    step : int
        Only every so manieth change.
    """
    from reportkit.rendering.files.placing import put_in_place, settle, sole_writer

    tally, number, more = Tally(), 1, True
    with tempfile.TemporaryDirectory() as name:
        while more:
            folder = Path(name).resolve() / str(number) / "report"

            def write(report: Report, before: Report, folder: Path = folder) -> None:
                with sole_writer(folder):
                    put_in_place(folder, report, [*before])

            write(older, {})
            for file, content in foreign.items():
                (folder / file).write_bytes(content)
            more = killed_before(number, folder.parent, lambda write=write: write(newer, older))
            tally.kills += more
            if more:
                tally.count("at once", kind(folder, older, newer, foreign))
                settle(folder)
                found = kind(folder, older, newer, foreign)
                tally.count("after show", found)
                write(newer, newer if found == "newer" else older)
                tally.count("after build", kind(folder, older, newer, foreign))
                tally.left += len(leftovers(folder, newer, foreign))
            number += step
    return tally.result()


@contextlib.contextmanager
def two_builds(folder: Path) -> Iterator[tuple[Callable[[Path, int], None], tuple[Report, Report]]]:
    """Yield a function that builds one of two reports into a folder, and the files of both."""
    from reportkit.cli.main import main

    results = [folder / "0.csv", folder / "1.csv"]
    rng = random.Random(SEED)  # noqa: S311  # no secret
    for which, path in enumerate(results):
        rows = [
            f"{system},{dataset},{instance},{int(rng.random() < share)}"
            for system, share in (("ours", 0.8), ("base", 0.6), ("third", 0.5))
            for dataset in ("a", "b", "c")[: 3 - which]
            for instance in range(60)
        ]
        path.write_text("\n".join(["system,dataset,instance,score", *rows]) + "\n", encoding="utf-8")

    def build(target: Path, which: int) -> None:
        with contextlib.suppress(SystemExit):
            main(["build", str(results[which]), "-o", str(target), "--quiet", "--no-pdf"])

    reports = []
    for which in (0, 1):
        build(folder / f"whole{which}", which)
        reports.append(contents(folder / f"whole{which}"))
    yield build, (reports[0], reports[1])


def at_random_moments(times: int) -> dict[str, Any]:
    """Kill the whole command at moments that are spread over its duration and, one in two, over its last fifth."""
    from reportkit.cli.main import main
    from reportkit.rendering.files.placing import put_in_place, sole_writer

    rng, tally = random.Random(SEED), Tally()  # noqa: S311  # no secret
    with tempfile.TemporaryDirectory() as name, two_builds(Path(name).resolve()) as (build, (older, newer)):
        folder = Path(name).resolve() / "place" / "report"
        build(folder, 0)
        started = time.monotonic()
        os.waitpid(in_child(lambda: build(folder, 1)), 0)
        duration = time.monotonic() - started
        while tally.kills < times:
            with sole_writer(folder):
                put_in_place(folder, older, [*contents(folder)])
            child = in_child(lambda: build(folder, 1))
            time.sleep(duration * (rng.random() if rng.random() < 0.5 else rng.uniform(0.8, 1.05)))
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            if not killed(child):
                continue
            tally.kills += 1
            tally.count("at once", kind(folder, older, newer, {}))
            os.waitpid(in_child(lambda: main(["show", str(folder), "--quiet"])), 0)
            tally.count("after show", kind(folder, older, newer, {}))
            os.waitpid(in_child(lambda: build(folder, 1)), 0)
            tally.count("after build", kind(folder, older, newer, {}))
            tally.left += len(leftovers(folder, newer, {}))
    return tally.result()


def pairs_at_once(times: int) -> dict[str, Any]:
    """Let two processes build different reports into one folder at the same time."""
    states: dict[str, int] = {}
    left = 0
    with tempfile.TemporaryDirectory() as name, two_builds(Path(name).resolve()) as (build, reports):
        for number in range(times):
            folder = Path(name).resolve() / str(number) / "report"
            children = [in_child(partial(build, folder, which)) for which in (0, 1)]
            for child in children:
                os.waitpid(child, 0)
            state = kind(folder, *reports, {})
            states[state] = states.get(state, 0) + 1
            left += len(leftovers(folder, {**reports[0], **reports[1]}, {}))
    return {"pairs": times, "afterwards": states, "leftovers": left}


def main() -> None:
    """Kill, build at once, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=120, help="at random moments")
    parser.add_argument("--pairs", type=int, default=40)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, two_builds(Path(name).resolve()) as (_, (older, newer)):
        found = {
            "at each move, by exchange": at_each_move(older, newer, {}),
            "at each move, file by file": at_each_move(older, newer, {"notes.txt": b"mine"}),
        }
    found["at random moments"] = at_random_moments(arguments.kills)
    found["two builds at once"] = pairs_at_once(arguments.pairs)
    save("kill_builds", found)


if __name__ == "__main__":
    main()
