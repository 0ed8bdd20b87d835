"""THE SAME REPORT AS LATEX, MARKDOWN OR HTML: text is escaped here, once; templates only place finished strings.

```
Report ─view─→ finished strings ─templates/{latex,markdown,html}─→ text ─write─→ files
```

`escaping`, `latex_characters`   plain text → LaTeX, Markdown, HTML
`inline`                         prose (words, symbols, references) → the same
`width`, `font_widths`, `layout` how wide a table is, and how it is set so that it fits
`view`                           what a template sees
`environment`                    where templates are looked up, the sandbox they run in, their errors
`latex`, `markdown`, `html`, `plain`   one format each
`figure_files`, `write`, `pdf`   files
"""
