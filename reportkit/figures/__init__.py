"""WHAT IT LOOKS LIKE: one figure, one file. A figure takes a content of plain values from results and draws it.

```
drawings.py    the kinds of figures: the files here
drawing/       what all figures share: style, type, axes, rows, keys, and saving to the same bytes on every run
```

All other files hold one figure each.

No figure touches pyplot or the user's settings, and matplotlib is imported when the first one is drawn. Each has a
companion that says the same in words, for readers who cannot see it. A content is a frozen dataclass of numbers,
strings, None and tuples, so that a stored report is drawn again without its data.
"""
