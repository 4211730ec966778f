"""Claude Code's transcripts: JSON lines under `projects/<key>/`, with subagents and side files.

`place` reads what a path says, `sniff` what the first records say, `decode` turns lines into records.
"""
