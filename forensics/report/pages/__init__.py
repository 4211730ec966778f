"""Reference pages made from the sources themselves: the rules, the findings, the tables.

`python -m forensics.report.pages DIR` writes them; a test says when those in the repository are stale.
"""

from collections.abc import Callable, Mapping
from typing import Final

from forensics.report.pages.findings import findings_page
from forensics.report.pages.rules import rules_page
from forensics.report.pages.tables import tables_page

__all__ = ["PAGES", "findings_page", "rules_page", "tables_page"]

PAGES: Final[Mapping[str, Callable[[], str]]] = {
    "FINDINGS.md": findings_page,
    "RULES.md": rules_page,
    "TABLES.md": tables_page,
}
"""Each page by the name of its file."""
