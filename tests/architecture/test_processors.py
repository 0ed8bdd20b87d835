"""The same results give the same bytes, whatever kernels and threads a processor makes the libraries choose."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("processor_reports.py")

PROCESSORS = {
    "Haswell": {"OPENBLAS_CORETYPE": "Haswell", "OPENBLAS_NUM_THREADS": "2"},
    "without AVX2": {
        "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX2 FMA3 AVX512F AVX512_SKX AVX512_ICL AVX512_SPR",
        "OPENBLAS_CORETYPE": "Prescott",
    },
}


def _built(folder: Path, settings: dict[str, str]) -> dict[str, str]:
    root = str(SCRIPT.parents[2])
    # NumPy warns of unknown features
    environment = {**os.environ, **settings, "PYTHONWARNINGS": "ignore", "PYTHONPATH": root}
    subprocess.run([sys.executable, str(SCRIPT), str(folder)], env=environment, check=True, timeout=600)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def here(tmp_path_factory) -> dict[str, str]:
    """Checksums of the reports as this processor builds them."""
    return _built(tmp_path_factory.mktemp("here"), {})


@pytest.mark.slow
@pytest.mark.parametrize("name", PROCESSORS)
def test_reports_are_the_same_bytes(name, here, tmp_path):
    """Three reports, file by file."""
    there = _built(tmp_path, PROCESSORS[name])
    assert [file for file in here if there.get(file) != here[file]] == []
    assert there.keys() == here.keys()
