"""THE SAME REPORT IN EVERY FORMAT: values in the braces of a template are escaped here, once.

```
text/             escaping: plain text -> LaTeX, Markdown, HTML, terminals
notation.py       symbols, citations, references, marks and names, as each format writes them
environment.py    where templates are found, what they may do, the errors of one that fails
tabular.py        how wide a table is, and which float holds it
documents.py      tables, figures, paragraphs, reports from the skeletons in templates/
page.py  word.py  workbook.py  exports.py  pdf.py    HTML and notebooks, Word, Excel, CSV and text, PDF
macros.py               numbers to be put into a paper
report_files.py  stored.py    the folder of a report: written at once, and read back
paper_update.py  paper_tables.py    a paper whose tables are kept up to date
paper_place.py  replace_files.py    files that a paper may name; new content in their place
literature.py  office.py            cited works; Word, Excel and archives without a date
```
"""
