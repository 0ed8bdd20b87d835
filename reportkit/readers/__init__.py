"""HOW FILES BECOME FRAMES: one format, one file; the columns stay as they are in the file.

```
frames.py           a path, or a frame of whatever library, as what it is
reading.py          path -> frame: the format by the ending of the name, what is wrong with the path
format.py           what a format says of itself; each file that defines one is found
source.py           a file, compressed or not
delimited.py        CSV and TSV
delimited_faults.py why a delimited file cannot be read: line, byte, delimiter
json_lines.py       JSON Lines
parquet.py          Parquet
categorical.py      text columns of Arrow -> categoricals, without a Python object per row
short_texts.py      ids of up to 16 bytes, looked up as numbers
```
"""

from reportkit.readers.format import Format
from reportkit.readers.frames import frame_or_path
from reportkit.readers.reading import FORMATS, known_endings, read_frame, register_reader

__all__ = ["FORMATS", "Format", "frame_or_path", "known_endings", "read_frame", "register_reader"]
