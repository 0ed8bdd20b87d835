"""THE SAME REPORT AS LATEX, MARKDOWN OR HTML: text is escaped here, once; templates only place finished strings.

```
Report ─view─→ finished strings ─templates/{latex,markdown,html}─→ text ─write─→ files
```

`escaping`, `latex_characters`             plain text → LaTeX, Markdown, HTML
`inline`                                   prose (words, symbols, references) → the same
`width`, `font_widths`, `column_kinds`     how wide a table is, and what its columns are made of
`layout`                                   how it is set so that it fits
`view`                                     what a template sees
`environment`                              where templates are found, the sandbox they run in, their errors
`latex`, `latex_head`, `latex_tabular`     LaTeX
`markdown`, `html`, `plain`                the other formats
`contents`, `bibliography`, `origin`       what a report cites and says; where a file comes from
`write`, `pdf`                             files
"""
