"""THE SAME REPORT AS LATEX, MARKDOWN OR HTML: text is escaped here, once; templates only place finished strings.

```
Report ─view─→ finished strings ─templates/{latex,markdown,html}─→ text ─write─→ files
```

```
text/             plain text and prose -> LaTeX, Markdown, HTML: escaped here
templates/        where templates are found, what they may do, what is said when one fails
layout/           how wide a table is, and how it is set so that it fits
view.py           what a template sees
latex/  markdown/  html/   one format each; html/ holds notebooks, too
formats/          Typst, Word, Excel, Overleaf, Great Tables: on request, one module each; the folder is the list
numbers/          numbers to be put into a paper
paper/            a paper whose numbers are kept up to date
plain.py, table_json.py    tables as CSV and JSON
contents.py, checklist.py   what a report cites and says
files/            the folder of a report: written, read back, rendered again
```
"""
