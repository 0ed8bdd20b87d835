"""`python -m reportkit`, without the current folder on the path, where a `random.py` would hide Python's."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]

from reportkit.cli.main import main

main()
