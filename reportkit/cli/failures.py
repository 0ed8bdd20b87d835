"""What is said where a command ends without an answer, and with which code: nothing here is a finding.

| code | meaning |
|---|---|
| 2 | the command cannot run: an option, a file, the memory or the disk |
| 3 | a defect of reportkit |
| 130 | stopped by Ctrl-C |
| 141 | nobody reads the output any more |

The last two are 128 plus the number of the signal, as shells count.
"""

from __future__ import annotations

import errno
import os
import shlex
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from reportkit._version import __version__

CANNOT_RUN = 2
DEFECT = 3
STOPPED = 130
NOT_READ = 141

TRACEBACK_VARIABLE = "REPORTKIT_TRACEBACK"
"""Environment variable that adds the full traceback of a defect."""

DISTRIBUTION = "reportkit-replic"
_LIBRARIES = ("numpy", "scipy", "pandas", "pyarrow", "matplotlib")
_TRACKER = "the project's issue tracker"
_TRACKER_LABELS = ("issues", "issue tracker", "bug tracker", "tracker", "bugs", "repository", "source", "homepage")
_LONGEST = 300

_OF_THE_MACHINE = {
    errno.ENOSPC: "make room on the disk",
    errno.EDQUOT: "make room in the quota",
    errno.EFBIG: "choose a disk that takes larger files",
    errno.EROFS: "choose a folder that may be written",
    errno.EACCES: "check the permissions",
    errno.EPERM: "check the permissions",
    errno.EIO: "check the disk",
    errno.ENAMETOOLONG: "check the path",
    errno.ELOOP: "check the path: a link points to itself",
    errno.EMFILE: "allow more open files (ulimit -n)",
    errno.ENFILE: "close other programs",
    errno.ENOMEM: "close other programs, or take a machine with more memory",
}
"""Errors of the operating system that no program can prevent, and what helps."""


def failure(error: BaseException, arguments: Sequence[str] | None = None) -> tuple[int, str]:
    """Exit code and message for an exception that no command has dealt with.

    Parameters
    ----------
    error : BaseException
        Any but those that are raised on purpose.
    arguments : sequence of str, optional
        What was typed after `reportkit`; that of this process, if not given.

    Returns
    -------
    int, str
        The message is empty where there is nothing to say.

    Examples
    --------
    >>> failure(MemoryError())[0], failure(BrokenPipeError()), failure(KeyError("x"))[0]
    (2, (141, ''), 3)
    """
    if isinstance(error, BrokenPipeError):
        return NOT_READ, ""
    if isinstance(error, MemoryError):
        return CANNOT_RUN, _said(
            "there is not enough memory",
            "give fewer systems, datasets or columns (--system, --baseline), or take a machine with more memory",
        )
    if isinstance(error, OSError) and error.errno in _OF_THE_MACHINE:
        what = (
            f"{str(error.filename)!r} cannot be read or written" if error.filename else "the output cannot be written"
        )
        return CANNOT_RUN, _said(f"{what}: {error.strerror}", _OF_THE_MACHINE[error.errno])
    return DEFECT, _defect(error, sys.argv[1:] if arguments is None else arguments)


def _said(problem: str, remedy: str) -> str:
    return f"error: {problem}\n  to do: {remedy}"


def _defect(error: BaseException, arguments: Sequence[str]) -> str:
    from reportkit.rendering.text.escaping import visible

    what = visible(" ".join(f"{type(error).__name__}: {error}".split()))
    what = what if len(what) <= _LONGEST else what[: _LONGEST - 1] + "…"
    lines = [
        f"error: this is a defect of reportkit, not of your input: {what.rstrip(': ')}",
        f"  where: {_place(error)}",
        f"  to do: please report it at {tracker()}, with these lines and the smallest input that shows it:",
        "         " + visible(shlex.join(["reportkit", *arguments])),
        "         " + versions(),
    ]
    if os.environ.get(TRACEBACK_VARIABLE, "") not in ("", "0"):
        shown = "".join(traceback.format_exception(error)).rstrip("\n").split("\n")
        lines += ["", *(f"| {visible(line)}" for line in shown)]  # no line begins as a runner's command does
    else:
        lines.append(f"         ({TRACEBACK_VARIABLE}=1 before the command adds the traceback)")
    return "\n".join(lines)


def _place(error: BaseException) -> str:
    """The innermost line of reportkit that was running."""
    package = Path(__file__).resolve().parents[1]
    frames = traceback.extract_tb(error.__traceback__)
    for frame in reversed(frames):
        file = Path(frame.filename)
        if file.is_relative_to(package):
            return f"{file.relative_to(package.parent).as_posix()}, line {frame.lineno}, in {frame.name}"
    return "not known"


def tracker() -> str:
    """Address of the issue tracker, as the package's metadata say; in words if they say none.

    Examples
    --------
    >>> bool(tracker())
    True
    """
    from importlib import metadata  # here and below: slow to load, and a defect is rare

    try:
        urls = metadata.metadata(DISTRIBUTION).get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        return _TRACKER
    named = {label.strip().casefold(): url.strip() for label, _, url in (entry.partition(",") for entry in urls)}
    return next((named[label] for label in _TRACKER_LABELS if named.get(label)), _TRACKER)


def versions() -> str:
    """Everything that is known of the installation, in one line."""
    import platform

    libraries = [f"{name} {_version(name)}" for name in _LIBRARIES]
    system = f"{platform.system()} {platform.machine()}".strip()
    return ", ".join([f"reportkit {__version__}", f"Python {platform.python_version()}", *libraries, system])


def _version(name: str) -> str:
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"
