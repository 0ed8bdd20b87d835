"""The templates of reportkit, compiled once, beside their text: where Python keeps modules compiled."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import cache_from_source
from io import BytesIO
from pathlib import Path

from jinja2.bccache import Bucket, BytecodeCache


class Compiled(BytecodeCache):
    """Keeps templates compiled, as long as their text and what compiles them stay the same.

    Only for templates that were installed with reportkit: what is kept beside them is trusted as its modules are. As
    with modules, nothing is written where Python is told so (`PYTHONDONTWRITEBYTECODE`), or where it cannot be.

    Parameters
    ----------
    made_by : sequence of Path
        Modules that say how templates are compiled.
    """

    def __init__(self, made_by: Sequence[Path]) -> None:
        self._made_by = "".join(path.read_text("utf-8") for path in made_by)

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """The file that holds a template compiled."""
        return cache_from_source(filename or name)

    def get_source_checksum(self, source: str) -> str:
        """Stands for the text of the template, and for what compiles it."""
        return super().get_source_checksum(source + self._made_by)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what is kept; what is damaged, or of another text, is made anew."""
        with suppress(Exception):
            bucket.load_bytecode(BytesIO(Path(bucket.key).read_bytes()))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it, as a whole: another process may read it meanwhile."""
        if sys.dont_write_bytecode:
            return
        path = Path(bucket.key)
        unfinished = path.with_name(f"{path.name}.{os.getpid()}")
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            unfinished.write_bytes(bucket.bytecode_to_string())
            unfinished.replace(path)
