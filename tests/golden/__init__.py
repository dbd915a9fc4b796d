"""Digests that must never change, and what the program of November 2026 left on disk."""
