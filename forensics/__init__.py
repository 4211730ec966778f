"""Coding-agent transcripts read as evidence.

Convert a corpus to Parquet, ask with DuckDB SQL, report with proof.
"""

from forensics.version import __version__

__all__ = ["__version__"]
