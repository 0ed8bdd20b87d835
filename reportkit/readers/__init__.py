"""HOW FILES BECOME FRAMES, one format, one file; and how both become results.

```
reading.py          files or a frame -> what was understood -> Results, under the settings
understood.py       what the user asks for (Request), and what was understood (Reading)
paths.py            files, folders, patterns, archives -> files and their formats, by content; one table
tables.py           tables that are parts of one, and frames; what no column says
predictions.py      predictions beside gold labels -> right or wrong, or the counts of F1
score_columns.py    half-empty columns of scores -> one, with a column of metrics
formats.py          the formats that are known; others may be registered
format.py           what a format says of itself: Format (a table), Harness (files that belong together)
harnesses/          what evaluation harnesses write: one format, one file
frame_builder.py    scores of one file after the other as one long frame
source.py           a file, compressed or not, alone or in an archive
compression.py      gzip, bzip2, xz, Zstandard, zip
delimited.py        CSV and TSV
delimited_faults.py why a delimited file cannot be read: line, byte, delimiter
json_lines.py       JSON Lines
parquet.py          Parquet
in_parts.py         large tables, part by part in threads
categorical.py      text columns of Arrow -> categoricals, without a Python object per row
short_texts.py      ids of up to 16 bytes, looked up as numbers
```
"""

from reportkit.readers.format import Format, Harness, Taken
from reportkit.readers.formats import FORMATS, HARNESSES, known_endings, register_reader
from reportkit.readers.frame_builder import FrameBuilder
from reportkit.readers.paths import read_frame
from reportkit.readers.reading import read_paths
from reportkit.readers.source import Source
from reportkit.readers.understood import Reading, Request
from reportkit.scores.frames import frame_or_path

__all__ = [
    "FORMATS",
    "HARNESSES",
    "Format",
    "FrameBuilder",
    "Harness",
    "Reading",
    "Request",
    "Source",
    "Taken",
    "frame_or_path",
    "known_endings",
    "read_frame",
    "read_paths",
    "register_reader",
]
