"""WHAT THE READER SEES, without a format: tables, figures and sentences of an analysis.

```
model.py                 Report, Section, Table, Figure, Paragraph, Signature
prose.py                 running text: words, symbols, references
build.py                 which parts a report has, and in which order
text/paragraph.py, text/wording.py the recommended-practice paragraph, and the sentences it is made of
tables/tables.py, tables/grid_tables.py, tables/reproduction_table.py, tables/cells.py, tables/captions.py, tables/marks.py, scores.py   the tables
text/reproduction_wording.py  what is said of printed claims
illustrations.py, requested_figures.py   the figures and their captions; those that are asked for by name
machine/machine.py               the content of report.json
machine/serialise.py, machine/codec.py   the report itself as JSON, and back
references.py            the literature
```
"""
