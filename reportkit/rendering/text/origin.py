"""The line that says where a file comes from."""

from __future__ import annotations

from reportkit.report.model import Signature


def origin(what: str, signature: Signature | None) -> str:
    """Program, content, data, and a warning not to edit.

    Examples
    --------
    >>> signature = Signature(version="0.1.0", source="results.csv", digest="3f9c" * 16, fields={})
    >>> origin("table main", signature)
    'reportkit 0.1.0 | table main | data results.csv sha256:3f9c3f9c3f9c | do not edit: reportkit overwrites it'
    """
    if signature is None:
        return f"reportkit | {what}"
    source = f"data {signature.source} sha256:{signature.digest[:12]}"
    return f"reportkit {signature.version} | {what} | {source} | do not edit: reportkit overwrites it"
