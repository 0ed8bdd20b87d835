"""A tolerant reader of papers: LaTeX or Markdown to one frozen `Document`.

```
bytes ─files→ text ─tokens→ tokens ─expansion→ one list (inputs followed, the author's macros expanded)
      ─structure→ groups and environments ─cleaner→ text with sources ─latex→ Document
                                          ─tabular, grid→ tables
text ─markdown→ Document
```

Nothing here raises for content: what cannot be read is a `Problem` of the document. Every extracted character knows the
file, line and column it comes from. No step recurses, so that depth of nesting costs nothing.
"""
