"""The report of a case: one tree of content, written as HTML, Markdown and JSON.

`build_context` gathers what is said, masked where asked; `write_report` spells it.
The bytes depend on the case and the options alone.
"""

from __future__ import annotations

from forensics.report.context import ReportCase, build_context
from forensics.report.jsonfile import report_schema
from forensics.report.model import ReportContext
from forensics.report.write import write_report

__all__ = ["ReportCase", "ReportContext", "build_context", "report_schema", "write_report"]
