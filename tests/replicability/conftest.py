"""The published p-values and the figures recomputed from them."""

import json
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTable:
    """One comparison of Dror et al. (2017): what is printed, and what follows from it."""

    names: list[str]
    printed: NDArray[np.float64]
    truths: dict

    def p_values(self, zero: float) -> NDArray[np.float64]:
        """Printed p-values, with another number for a printed 0."""
        return np.where(self.printed == 0, zero, self.printed)


@pytest.fixture(scope="session")
def published(shared) -> dict[str, PublishedTable]:
    """Tables 2 to 5 by comparison."""
    tables = json.loads((shared / "truths" / "papers.json").read_text(encoding="utf-8"))["tables"]
    return {
        name: PublishedTable(names=table["names"], printed=np.array(table["p"]), truths=table)
        for name, table in tables.items()
    }
