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
import platform
import shlex
import sys
import traceback
from collections.abc import Sequence

from reportkit._version import __version__

CANNOT_RUN = 2
DEFECT = 3
STOPPED = 130
NOT_READ = 141

_LONGEST = 300
_MOST_FRAMES = 15

_OF_THE_MACHINE = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "make room on the disk"),
    **dict.fromkeys((errno.EROFS, errno.EACCES, errno.EPERM), "check the permissions"),
    **dict.fromkeys((errno.EIO, errno.ENAMETOOLONG), "check the disk and the path"),
    errno.ENOMEM: "close other programs, or take a machine with more memory",
}
"""Errors of the operating system that no program can prevent, and what helps."""


def failure(error: BaseException, arguments: Sequence[str] | None = None) -> tuple[int, str]:
    """Return exit code and message for an exception that no command has dealt with.

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
        remedy = "give fewer systems, datasets or columns (--system, --baseline), or take a machine with more memory"
        return CANNOT_RUN, f"error: there is not enough memory\n  to do: {remedy}"
    if isinstance(error, OSError) and error.errno in _OF_THE_MACHINE:
        name = f"{str(error.filename)!r} cannot be read or" if error.filename else "the output cannot be"
        return CANNOT_RUN, f"error: {name} written: {error.strerror}\n  to do: {_OF_THE_MACHINE[error.errno]}"
    return DEFECT, _defect(error, sys.argv[1:] if arguments is None else arguments)


def _defect(error: BaseException, arguments: Sequence[str]) -> str:
    from reportkit.rendering.text.escaping import visible  # slow to load, and a defect is rare

    what = visible(" ".join(f"{type(error).__name__}: {error}".split()))
    lines = [
        f"error: this is a defect of reportkit, not of your input: {what[:_LONGEST].rstrip(': ')}",
        "  to do: please report it at the project's issue tracker, with these lines and a small input that shows it:",
        "         " + visible(shlex.join(["reportkit", *arguments])),
        f"         reportkit {__version__}, Python {platform.python_version()}, {platform.platform()}",
    ]
    frames = "".join(traceback.format_tb(error.__traceback__, limit=-_MOST_FRAMES)).splitlines()
    return "\n".join([*lines, *(f"| {visible(line)}" for line in frames)])  # no line begins as a runner's command does
