"""Print what NumPy can be told not to use of this processor: its wider vector instructions."""

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

print(" ".join(name for name in __cpu_dispatch__ if __cpu_features__.get(name)))  # noqa: T201
