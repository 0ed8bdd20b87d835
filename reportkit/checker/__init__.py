"""WHAT IS WRONG, in the data or in the paper: what a referee would object to, before the referee does.

```
paper ─paper.reading→ Document ─┐
results ─evidence→ Evidence ────┼─context→ rules ─Diagnostic→ engine ─CheckReport→ outputs
report.json ────────────────────┘              └─→ coverage
```

```
paper/          a tolerant reader: LaTeX or Markdown to one frozen `Document`, every character with its place
evidence        the data: raw frame, `Results`, what a strict reading refuses, the analysis when it is asked for
labels          what a heading stands for: system, dataset, metric, quantity; never a guess
linked          a cell and the number of the data that it is
linking         which cell of a table is which number of the data
prose           sentences as rules about wording see them: quotations blanked, other people's work told apart
vocabulary      words of the field: tests, corrections, levels, counts
analysis_rules  what the analysis itself says, by the rules that repeat it
verdicts        every verdict on one dataset, of a report or of the data
context         what a rule gets to see
rule            what a rule is
catalogue       all rules by code; the folder `rules/` is the registry
selection       which rules run, and where
config          `[check]` of reportkit.toml
coverage        what was looked at, and what could not be
diagnostic      a finding: code, place, sentence, remedy, edit
edits           safe edits as a diff, and made
engine          the conductor: `check`, `check_text`, `check_documents`
outputs/        findings as text; one format, one file
rules/          one rule, one file
```

What a rule gets
----------------
`context.paper` (a `Document`), if the rule needs "paper"
    `sentences` (cleaned text; `text.span(start, end)` leads back to the source; `place`, `section`, `paragraph`,
    `numbers`), `tables` (`grid`, `body()`, `row_header(row)`, `column_header(column)`, `caption`, `notes`; a `Cell` has
    `number`, `numbers`, `interval`, `spread`, `marks`, `bold`, `underlined`, `span`), `numbers`
    (`PrintedNumber.low`, `.high`, `.stands_for(value)`: the interval that the digits stand for), `labels`,
    `rk_keys`, `rk_values`, `paragraph(number)`, `caption_of(table)`, `source(span)`, `location(span)`.
`context.prose` (a `Prose`), of the same paper
    `own` and `with_words(...)`: statements with quotations blanked out, without those about what others wrote;
    `around(statement)`, `says(pattern)`, `beside(table)`, `refers_to(table)`; a statement knows what is
    `negated` in it.
`context.data` (an `Evidence`), if it needs "data"
    `frame`, `results` (read leniently where a strict reading refuses), `printed`, `refusals` by the code of their
    rule, `scores` by (metric, system, dataset), `analysis` (`reportkit.compare` with the settings of the same file,
    or None and `analysis_error`), `settings`.
`context.linked_tables`, if it needs both
    `LinkedTable.cells`: `LinkedCell.kind`, `.system`, `.baseline`, `.dataset`, `.metric`, `.value`, `.scale`,
    `.agrees`, `.expected`; `.unlinked` with reasons.
`context.report`, if it needs "report"
    The content of `report.json`.
`analysis_rules.engine_findings(context)` and `verdicts.verdicts(context)`, if it needs "data or report"
    What reportkit found already, and all p-values; either of `context.evidence` and `context.report_data` may be None.
    `context.settings`: those of the report, else of the data. `context.documents`: all papers, or none.
`context.config`
    `labels`, `settings`.
`context.coverage`
    Tell it what was looked at: `checked(context.number, span)` for a number, `claim(...)`, `table(...)`,
    `unlinked(context.number, span, reason)`.

A rule that needs a paper runs once for each paper, any other once. A rule raises nothing for bad input: what cannot be
decided is not reported. Suppression, selection and severities of the configuration are the engine's business.
"""

from __future__ import annotations
