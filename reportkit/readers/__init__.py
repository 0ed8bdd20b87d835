"""HOW FILES BECOME FRAMES: one format, one file; the columns stay as they are in the file.

```
frames.py           a path, or a frame of whatever library, as what it is
reading.py          path -> frame: the format by the ending of the name, what is wrong with the path
source.py           a file, compressed or not
delimited.py        CSV and TSV
delimited_faults.py why a delimited file cannot be read: line, byte, delimiter
json_lines.py       JSON Lines
parquet.py          Parquet
categorical.py      text columns of Arrow -> categoricals, without a Python object per row
short_texts.py      ids of up to 16 bytes, looked up as numbers
```
"""

from reportkit.readers.frames import frame_or_path
from reportkit.readers.reading import FORMATS, read_frame

__all__ = ["FORMATS", "frame_or_path", "read_frame"]
