"""WHAT IT LOOKS LIKE: one figure, one file. Results become a content of plain values, a content becomes a picture.

```
drawings.py             the kinds of figures: content, drawing, words
forest/forest_content.py       the difference on each dataset, with its interval and its mark
forest/forest.py, forest/forest_layout.py   how it is drawn, and where everything in it goes
partial_conjunction.py  p-values of "better on at least u datasets" against u
p_value_dots.py         sorted p-values against Holm's thresholds
drawing/p_axis.py               a logarithmic axis for them
k_hat_matrix.py         on how many datasets is each system better than each other one
pair_matrix.py          by how much, on one dataset
critical_difference.py  average ranks, and the groups that are not told apart
cliques.py              how such groups are found
drawing/difference_scale.py     on which scale differences on several datasets may share an axis
null_p_values.py        p-values without an effect: distribution and quantiles, with a band
k_hat_histogram.py      k-hat of families without any effect
gain_confidence.py      1 - p against gain, all pairs of systems
size_curve.py           p-values and the smallest detectable difference against the size of the test set
calibration_bins.py     winners that are better, by bins of p-values
domain_shift.py         winners that win on another dataset
drawing/panels.py               panels with two axes side by side
drawing/rows.py, drawing/matrix_layout.py   rows of datasets; matrices of systems
drawing/style.py                one style for all: widths, greys, lines, text
drawing/typography.py           the type that goes with a venue
drawing/key.py                  what the signs mean, in one or two lines
drawing/fonts.py                which fonts draw which characters
drawing/lettering.py            how wide a text is, how it is shortened and broken
drawing/save.py                 the same bytes on every run
drawing/shown.py                a figure in a notebook
```

No figure touches pyplot or the user's settings, and matplotlib is imported when the first one is drawn. Each has a
companion that says the same in words, for readers who cannot see it. A content is a frozen dataclass of numbers,
strings, None and tuples, so that a stored report is drawn again without its data.
"""
