"""sacreBLEU as the oracle of its metrics, and SciPy as that of correlations."""

import warnings

import pytest
from scipy import stats

from tests.conftest import needed

HYPOTHESES = [
    "The cat sat on the mat .",
    "There is a dog in the garden, I think.",
    "",
    "Completely different words here",
    'He said : " yes " and left (quickly).',
    "short",
    "The quick brown fox jumps over the lazy dog.",
]
REFERENCES = [
    "The cat is sitting on the mat .",
    "There is a dog in the garden.",
    "An empty translation.",
    "Nothing of this was put out by the system, alas",
    'He said: "yes" and left quickly.',
    "Short.",
    "The quick brown fox jumps over the lazy dog.",
]


@pytest.fixture(scope="session")
def sacrebleu():
    """The package."""
    return needed("sacrebleu", "test")


@pytest.fixture(scope="session")
def texts():
    """Hypotheses, and references."""
    return HYPOTHESES, REFERENCES


@pytest.fixture(scope="session")
def of_scipy():
    """Coefficient of two arrays by SciPy; NaN where it does not exist."""
    functions = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}

    def coefficient(x, y, name):
        if len(x) < 2:
            return float("nan")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return float(functions[name](x, y)[0])

    return coefficient
