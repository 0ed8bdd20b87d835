"""WHAT IT LOOKS LIKE: one figure, one file; each takes results and returns a matplotlib `Figure`.

```
forest.py               the difference on each dataset, with its interval and its mark
forest_layout.py        where everything in it goes
partial_conjunction.py  p-values of "better on at least u datasets" against u
k_hat_matrix.py         on how many datasets is each system better than each other one
difference_scale.py     on which scale differences on several datasets may share an axis
style.py                one style for all: widths, sizes, greys, text
key.py                  what the signs mean, in one or two lines
fonts.py                which fonts draw which characters
lettering.py            how wide a text is, how it is shortened and broken
save.py                 the same bytes on every run
```

No figure touches pyplot or the user's settings, and matplotlib is imported when the first one is drawn. Each has a
companion that says the same in words, for readers who cannot see it.
"""
