"""A session's dossier: who it is, where it was, whether and how it can be taken up again.

SQL says what the evidence holds (`models/`); here stand the facts about lookups (`scope.toml`), the quoting
of shells, and what follows from both. Nothing is started, moved or renamed: commands are printed.
"""
