"""Names to numbers: random streams that depend on what is tested, and on nothing else."""

from __future__ import annotations

import hashlib
from functools import lru_cache


@lru_cache(maxsize=1024)
def hash64(*names: str) -> int:
    """Hash of names that is the same in every process: 64 bits of BLAKE2b, each name with its length.

    Examples
    --------
    >>> hash64("news", "bleu") == hash64("newsb", "leu")
    False
    """
    digest = hashlib.blake2b(digest_size=8)
    for name in names:
        encoded = name.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return int.from_bytes(digest.digest(), "big")
