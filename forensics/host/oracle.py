"""Real tools asked what they name a folder: an agent program, an SDK, a JavaScript engine."""

from forensics.host.comparison import Isolation, OracleRow, OracleRun
from forensics.host.oracle_cli import ask_cli
from forensics.host.oracle_javascript import ask_javascript
from forensics.host.oracle_sdk import ask_sdk

__all__ = ["Isolation", "OracleRow", "OracleRun", "ask_cli", "ask_javascript", "ask_sdk"]
