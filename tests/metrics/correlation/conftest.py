"""SciPy's coefficients, as the truth."""

import warnings

import pytest
from scipy import stats


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
