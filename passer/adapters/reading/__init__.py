"""Child processes that read untrusted files."""

# Nothing is imported here: the process of a reader starts with `child`, and importing `isolated` too would take .4 s.
