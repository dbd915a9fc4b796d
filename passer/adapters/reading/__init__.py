"""Strangers' files are read by processes that may die."""

# Nothing is imported here: the process of a reader starts with `child`, and importing `isolated` too would take .4 s.
