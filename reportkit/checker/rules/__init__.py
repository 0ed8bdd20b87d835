"""One rule, one file: `rkNNN_name.py` defines `RULE`, and its docstring is the manual page."""
