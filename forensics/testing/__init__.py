"""What a team needs to test its own assumptions about transcripts.

`strategies` draws paths and keys for Hypothesis; nothing is imported here, so that Hypothesis and pytest are
needed only by those who use them.
"""
