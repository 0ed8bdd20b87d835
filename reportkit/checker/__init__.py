"""WHAT IS WRONG, in the data or in the paper: what a referee would object to, before the referee does.

```
paper ─paper.reading→ Document ──┐
results, report.json ─data→ Numbers ┼─context→ rules ─Diagnostic→ engine ─CheckReport→ outputs
                                 └─→ coverage
```

```
paper/            a tolerant reader: LaTeX or Markdown to one frozen `Document`, every character with its place
data              results or a report: scores, tests, findings, refusals
labels            systems, datasets, metrics and quantities that headings name; never a guess
linking           which cell of a table is which number of the data
prose             sentences as rules about wording see them: quotations blanked, other people's work told apart
statements        scores, gains and averages that sentences state of systems
competitors       which numbers of a table compete
printed_test      statistics with p-values, printed_interval intervals, sizes numbers of instances, as papers print them
patterns          words of the field, from patterns.toml
context           what a rule gets to see, and coverage: what was compared, and what could not be
rule, catalogue   a rule, and all of them by code
config            `[check]` of reportkit.toml: which rules run, severities, names
diagnostic        a finding with its place
engine            the conductor: `check`, `check_documents`
outputs/          findings as text, JSON, SARIF and commands of GitHub
rules/            one subject, one file; rules about wording alone are in wording.toml
```

What a rule gets
----------------
`context.paper` (a `Document`), if the rule needs "paper"
    `sentences` (cleaned text; `text.span(start, end)` leads back to the source; `place`, `section`, `paragraph`,
    `numbers`), `tables` (`grid`, `body()`, `row_header(row)`, `column_header(column)`, `caption`, `notes`; a `Cell` has
    `number`, `numbers`, `interval`, `spread`, `marks`, `bold`, `underlined`, `span`), `numbers`
    (`PrintedNumber.low`, `.high`, `.stands_for(value)`: the interval that the digits stand for), `labels`,
    `rk_keys`, `rk_values`, `paragraph(number)`, `source(span)`, `location(span)`.
`context.prose` (a `Prose`), of the same paper
    `own` and `with_words(...)`: statements with quotations blanked out, without those about what others wrote;
    `around(statement)`, `says(pattern)`, `beside(table)`, `refers_to(table)`; a statement knows what is
    `negated` in it.
`context.scored` (`Numbers`), if it needs "data"
    `scores` by (metric, system, dataset), `supported` (k-hat) by pair,
    `findings`, `refusals`.
`context.linked_tables`, if it needs both
    `LinkedTable.cells`: `LinkedCell.kind`, `.system`, `.baseline`, `.dataset`, `.metric`, `.values`, `.agrees`,
    `.expected`; `.unlinked` with reasons.
`rule.compare(context, kind, span, agrees, message, remedy)`
    Notes that a number was compared, and yields a finding if it does not agree; `rule.at(...)` makes one at once,
    `context.coverage.claim(...)` notes a claim in words that was looked at.

A rule that needs a paper runs once for each paper, any other once. A rule raises nothing for bad input: what cannot be
decided is not reported. Suppression, selection and severities of the configuration are the engine's business.
"""

from __future__ import annotations
