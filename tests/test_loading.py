"""What a command loads: nothing twice, nothing that nobody asks for."""

from __future__ import annotations

import subprocess
import sys
from pkgutil import resolve_name

import pandas as pd
import pytest

from reportkit.loading import _MANUALS, without_manuals


def test_a_build_loads_no_compiler_and_draws_elsewhere(tmp_path):
    """SciPy takes all of NumPy, its compiler of Fortran and its tools for tests included: nobody asks for them."""
    table = pd.DataFrame(
        {"system": ["a", "a", "b", "b"], "dataset": "d", "instance": [1, 2] * 2, "score": [0, 1, 1, 1]}
    )
    table.to_csv(tmp_path / "results.csv", index=False)
    code = (
        "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "from reportkit.cli.main import main; main(['build', 'results.csv', '--no-pdf'])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    loaded = {*done.stderr.split()}
    assert {"reportkit.cli.building", "scipy.special"} <= loaded, done.stderr
    assert not loaded & {"numpy.f2py.crackfortran", "unittest", "matplotlib"}


def test_nothing_is_loaded_before_the_figures_are_asked_for(tmp_path):
    """The process that draws starts first: what it loads takes as long as everything else."""
    code = (
        "import sys\n"
        "from reportkit.rendering.images import Draughtsman\n"
        "def begun(self, *, wanted): print('pandas' in sys.modules, 'numpy' in sys.modules); sys.exit()\n"
        "Draughtsman.__init__ = begun\n"
        "from reportkit.cli.main import main; main(['build', 'results.csv'])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"], done.stderr


def test_what_was_put_off_is_loaded_when_it_is_asked_for():
    """The module is there by its name, and is loaded by the first look into it."""
    code = (
        "import sys, numpy\n"
        "from reportkit.loading import put_off\n"
        "put_off('numpy.f2py')\n"
        "print('numpy.f2py.crackfortran' in sys.modules, callable(numpy.f2py.run_main))\n"
        "print('numpy.f2py.crackfortran' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["False", "True", "True"], done.stderr


@pytest.mark.parametrize("place", [place for library in _MANUALS.values() for place in library])
def test_what_writes_manuals_is_where_it_is_looked_for(place):
    """And is there again afterwards; a library that has moved it is loaded slowly until this test is read."""
    owner, _, name = place.rpartition(".")
    home = resolve_name(owner)
    before = vars(home)[name]
    with without_manuals(*_MANUALS):
        assert vars(home)[name] is not before
    assert vars(home)[name] is before


def test_libraries_without_manuals_do_the_same():
    """Only what they say of themselves is missing."""
    code = (
        "from reportkit.loading import without_manuals\n"
        "with without_manuals('scipy', 'pyarrow', 'matplotlib'):\n"
        "    import pyarrow.compute, scipy.special, scipy.fft\n"
        "    from matplotlib.patches import Rectangle\n"
        "import scipy.stats\n"
        "box = Rectangle((0, 0), 1, 1)\n"
        "box.set(width=2, color='red')\n"
        "print(scipy.special.ndtr(0.0), scipy.stats.binom(1, 0.25).mean(), pyarrow.compute.sum([1, 2]).as_py())\n"
        "print(box.get_width(), box.get_facecolor()[0], 'set_alpha' in (Rectangle.__init__.__doc__ or ''))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["0.5", "0.25", "3", "2", "1.0", "False"], done.stderr
