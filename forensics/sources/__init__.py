"""Kinds of evidence, one package each.

A source says what a file's place means, whether its content is the agent's, and turns lines into records.
It knows nothing of cases, tables on disk or SQL.
"""
