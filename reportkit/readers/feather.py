"""Feather and other files of Arrow's IPC format: columns as they are stored; texts as categoricals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import pyarrow as pa

from reportkit.errors import ReadingError, ReportkitError
from reportkit.readers.format import Format
from reportkit.readers.parquet import DAMAGED, frame_of_arrow
from reportkit.readers.source import Source, largest_content

_STREAM = b"\xff\xff\xff\xff"


def read_feather(
    source: Source, columns: Mapping[str, str] | None = None, systems: Sequence[str] | None = None
) -> pd.DataFrame:
    """Read a Feather file, or a stream of Arrow; a named index of pandas becomes columns.

    Raises
    ------
    ReadingError
        If it is neither, is damaged, has no rows, or holds more than is read of a file.
    """
    import pyarrow.feather

    content = source.read_all()
    try:
        if content.startswith(_STREAM):
            with pa.ipc.open_stream(pa.BufferReader(content)) as stream:
                table = stream.read_all()
        else:
            table = pyarrow.feather.read_table(pa.BufferReader(content), memory_map=False)
        if table.nbytes > (limit := largest_content()):
            raise source.too_large(limit, table.nbytes)
        table.validate(full=True)
        return frame_of_arrow(source, table)
    except pa.ArrowMemoryError:  # of a size that the file says of itself
        raise source.too_large(largest_content()) from None
    except DAMAGED as error:
        if isinstance(error, (ReportkitError, MemoryError)):
            raise
        raise ReadingError(
            f"{source.name!r} is not a Feather file, or is damaged",
            where=" ".join(str(error).split())[:200],
            remedy="write it again: df.to_feather(path)",
        ) from None


FEATHER = Format(name="Feather", endings=(".feather", ".arrow", ".ipc"), read=read_feather)
