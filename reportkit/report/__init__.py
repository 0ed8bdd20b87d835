"""WHAT THE READER SEES, without a format: tables, figures and sentences of an analysis.

```
model.py         Report, Section, Table, Figure, Paragraph, Signature
prose.py         running text: words, symbols, references
build.py         which parts a report has, and in which order; a table is laid out when it is asked for
labels.py        the analysis with the names that are printed
tables/          one table, one file; and what they share: marks, bold, captions, groups, fields of cells
text/            the paragraph, and the sentences that it is made of, by what they speak of
illustrations.py the figures and their captions; those that are asked for by name
checklist.py     what the checklists of conferences ask for
machine/         report.json, tables next to it, numbers.json; serialise.py the report itself as JSON, and back
references.py    the literature
score_format.py, rounding.py   how scores are written
calibration/  reproducibility/  evidence/   the parts of the other analyses
```
"""
