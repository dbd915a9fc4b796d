"""Tournaments: a table of games decided by judges, people or scores, and its statistics."""
