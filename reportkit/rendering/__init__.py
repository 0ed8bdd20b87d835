"""THE SAME REPORT AS LATEX, MARKDOWN OR HTML: text is escaped here, once; templates only place finished strings.

```
Report ─view─→ finished strings ─templates/{latex,markdown,html}─→ text ─write─→ files
```

`escaping`, `latex_characters`             plain text → LaTeX, Markdown, HTML
`inline`                                   prose (words, symbols, references) → the same
`width`, `font_widths`, `column_kinds`     how wide a table is, and what its columns are made of
`layout`                                   how it is set so that it fits
`view`                                     what a template sees
`environment`, `sandbox`                   where templates are found and what is said when one fails; what they may do
`template_files`                           which templates there are, and copies for a user to change
`latex`, `latex_head`, `latex_tabular`     LaTeX
`latex_glyphs`                             what xelatex and lualatex do where their font has no glyph
`markdown`, `pandoc`                       Markdown for GitHub, for pandoc and Quarto
`html`, `html_document`, `html_figures`    tables for notebooks, the page, figures on it
`plain`, `table_json`, `printed_numbers`   tables as CSV and JSON; printed numbers, read back
`contents`, `bibliography`, `origin`       what a report cites and says; where a file comes from
`figure_files`                             a figure with its caption, to be read into a paper
`notebook`                                 pieces for notebooks, their export, and Quarto
`write`, `pdf`                             files
`manifest`, `stored`                       `report.json` as a file; a report that was written, rendered again or checked
"""
