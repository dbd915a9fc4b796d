"""Tournaments: a table of games, whoever decided them, and the arithmetic over it."""
