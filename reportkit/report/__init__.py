"""WHAT THE READER SEES, without a format: the facts of an analysis, and the tables, figures and sentences made of them.

```
facts.py  records.py                       the findings as plain values; facts_json.py  rounding.py: report.json
gather.py                                  facts of an analysis; with signature.py, ranking.py, score_format.py
wording.py  words.py  tokens.py            templates of text, filled with facts; references.py: the works that they cite
scores_table.py  marking.py                the table of scores, and its signs; means_table.py: means without a test
claim_tables.py  beyond.py  pictures.py    further tables, answers beyond the p-value, figures
numbers.py                                 numbers that running text may name
assemble.py  model.py  labels.py           the report: its sections in order, its parts, the names that are printed
calibration/  reproducibility/             reports on other studies, with the words of study_words.py
```
"""
