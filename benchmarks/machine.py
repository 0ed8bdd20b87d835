"""What the numbers of a benchmark depend on beside the code: processor, cores, versions; and where they are kept."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().parent / "results"
PACKAGES = (
    "numpy", "scipy", "pandas", "pyarrow", "duckdb", "polars", "sacrebleu", "deepsig", "ranx", "mlxtend"
)  # fmt: skip


def machine() -> dict[str, Any]:
    """Processor, number of cores, load and versions; neither names of hosts nor folders."""
    versions = {}
    for name in PACKAGES:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return {
        "system": platform.system(),
        "architecture": platform.machine(),
        "cores": os.cpu_count(),
        "load": [round(value, 1) for value in os.getloadavg()] if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        **versions,
    }


def save(name: str, content: Any) -> None:
    """Write numbers to `results/<name>.json`, with the machine they were measured on."""
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps({"machine": machine(), "measured": _rounded(content)}, indent=1)
    (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def _rounded(content: Any) -> Any:
    if isinstance(content, dict):
        return {str(key): _rounded(value) for key, value in content.items()}
    if isinstance(content, (list, tuple)):
        return [_rounded(value) for value in content]
    return float(f"{content:.4g}") if isinstance(content, float) else content
