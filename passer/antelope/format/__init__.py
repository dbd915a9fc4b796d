"""Packed bytes of names, actions and transactions. Needs no package beyond the core."""
