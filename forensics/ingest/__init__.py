"""From bytes under a root to the tables of a case.

`scan` cuts files at newlines, `damage` names what is broken in a line, `work` turns a task into part files,
`convert` plans, runs and publishes; `rebuild` and `verify` go the way back.
"""
