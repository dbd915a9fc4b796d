"""Strangers' files are read by processes that may die."""

# Nothing is imported here: a reader's process begins with `child`, and all of `isolated` would take it .4 s.
