"""What is said of tables that are too wide for a venue."""

from __future__ import annotations

from reportkit.finding import Finding
from reportkit.rendering.layout.layout import lay_out
from reportkit.report.model import Report


def width_findings(report: Report) -> tuple[Finding, ...]:
    """Say which tables of a report are too wide for its venue, and what to do."""
    look = report.appearance
    venue = look.preset
    findings = []
    for table in report.tables:
        layout = lay_out(table, venue, environment=look.environment)
        if layout.n_panels == 1 and layout.width <= layout.place:
            continue
        done = f"cut into {layout.n_panels} panels" if layout.n_panels > 1 else "too wide for the page"
        ways = [
            "set it across both columns (environment table*)" if venue.two_columns and not layout.across else "",
            "exchange rows and columns (rows)" if table.name.startswith("results") else "",
            "print scores alone (cell), shorter names (labels), or fewer columns",
        ]
        findings.append(
            Finding(
                "wide-table",
                "warning",
                f"Table {table.name} is about {layout.wanted:.0f} pt wide for {layout.place:.0f} pt: it is {done}.",
                remedy="; or ".join(filter(None, ways)),
            )
        )
    return tuple(findings)
