"""What touches this machine, and only when asked.

`probe` notes facts of the machine the evidence comes from; `preimage` walks directories that can encode to
a key; `oracle` asks real tools what they name a folder, offline and with a home of their own.
"""
