"""Names to numbers."""

import hashlib

from reportkit.null_distributions.random.streams import hash64


def test_hash_is_that_of_blake2():
    """Eight bytes, big end first, each name with its length in front."""
    expected = hashlib.blake2b(b"\0\0\0\0\0\0\0\4news" + b"\0\0\0\0\0\0\0\2\xc3\xa9", digest_size=8).digest()
    assert hash64("news", "é") == int.from_bytes(expected, "big")


def test_names_do_not_run_together():
    """Neither do empty ones; lone surrogates, which files may hold, have a hash too."""
    assert len({hash64("ab", "c"), hash64("a", "bc"), hash64("abc"), hash64("abc", ""), hash64("\ud800")}) == 5
