"""What was alive when the machine went down, and what of it could be restored.

`withs` reads facts from outside the transcripts, `kinds` says which places count, `shutdown` cuts the
group that went down together, `gates` says why something cannot be restored, `alive` joins them. Nothing
is ever started.
"""
